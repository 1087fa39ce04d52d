// <stdlib.h>. NVRTC declares malloc, free, abs, labs and llabs by itself.
#pragma once
#include <stddef.h>
#include <sys/types.h>
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
__host__ __device__ inline div_t div(int __a, int __b) { div_t __r; __r.quot = __a / __b; __r.rem = __a % __b; return __r; }
__host__ __device__ inline ldiv_t ldiv(long __a, long __b) { ldiv_t __r; __r.quot = __a / __b; __r.rem = __a % __b; return __r; }
__host__ __device__ inline lldiv_t lldiv(long long __a, long long __b) { lldiv_t __r; __r.quot = __a / __b; __r.rem = __a % __b; return __r; }
__device__ inline void abort() { __trap(); }
