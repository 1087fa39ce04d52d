#ifndef CUOX_IMMINTRIN_H
#define CUOX_IMMINTRIN_H
/* The types of vectors alone: no library exports the intrinsics, which a binding cannot call. */
#define CUOX_VECTOR(element, bytes, name) \
    typedef element name __attribute__((__vector_size__(bytes), __aligned__(bytes))); \
    typedef element name##_u __attribute__((__vector_size__(bytes), __aligned__(1)))
typedef long long __m64 __attribute__((__vector_size__(8), __aligned__(8)));
CUOX_VECTOR(float, 16, __m128);
CUOX_VECTOR(double, 16, __m128d);
CUOX_VECTOR(long long, 16, __m128i);
CUOX_VECTOR(float, 32, __m256);
CUOX_VECTOR(double, 32, __m256d);
CUOX_VECTOR(long long, 32, __m256i);
CUOX_VECTOR(float, 64, __m512);
CUOX_VECTOR(double, 64, __m512d);
CUOX_VECTOR(long long, 64, __m512i);
#undef CUOX_VECTOR
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned int __mmask32;
typedef unsigned long long __mmask64;
#include <mm_malloc.h>
#endif
