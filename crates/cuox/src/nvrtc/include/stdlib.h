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
__host__ __device__ inline div_t div(int a, int b) { div_t r; r.quot = a / b; r.rem = a % b; return r; }
__host__ __device__ inline ldiv_t ldiv(long a, long b) { ldiv_t r; r.quot = a / b; r.rem = a % b; return r; }
__host__ __device__ inline lldiv_t lldiv(long long a, long long b) { lldiv_t r; r.quot = a / b; r.rem = a % b; return r; }
__device__ inline void abort() { __trap(); }
