#ifndef CUOX_STDNORETURN_H
#define CUOX_STDNORETURN_H
#define noreturn _Noreturn
#endif
