#ifndef CUOX_TGMATH_H
#define CUOX_TGMATH_H
/* The functions that the type-generic macros choose from. */
#include <complex.h>
#include <math.h>
#endif
