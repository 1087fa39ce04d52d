// <stdarg.h>. NVRTC declares va_list by itself.
#pragma once
#ifndef va_start
#define va_start(__list, last) __builtin_va_start(__list, last)
#define va_end(__list) __builtin_va_end(__list)
#define va_arg(__list, type) __builtin_va_arg(__list, type)
#define va_copy(__to, __from) __builtin_va_copy(__to, __from)
#endif
