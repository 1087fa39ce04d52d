// <math.h>. NVRTC declares the functions for float and double by itself. As in the C++ library, integers and mixed
// arguments are taken too, and computed as double.
#pragma once
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define MAXFLOAT 3.40282346638528859811704183484516925e+38F
#define HUGE_VAL (__builtin_bit_cast(double, 0x7ff0000000000000ULL))
#define HUGE_VALF (__builtin_bit_cast(float, 0x7f800000U))
#define INFINITY (__builtin_bit_cast(float, 0x7f800000U))
#define NAN (__builtin_bit_cast(float, 0x7fc00000U))
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
typedef float float_t;
typedef double double_t;
namespace cuox_math {
// `type` is there for integers only.
template <class T, class R> struct if_integer {};
// What a function of several numbers computes with.
template <class T> struct real {};
template <> struct real<float> { typedef float type; };
template <> struct real<double> { typedef double type; };
template <> struct real<long double> { typedef double type; };
template <class R> struct if_integer<bool, R> { typedef R type; };
template <> struct real<bool> { typedef double type; };
template <class R> struct if_integer<char, R> { typedef R type; };
template <> struct real<char> { typedef double type; };
template <class R> struct if_integer<signed char, R> { typedef R type; };
template <> struct real<signed char> { typedef double type; };
template <class R> struct if_integer<unsigned char, R> { typedef R type; };
template <> struct real<unsigned char> { typedef double type; };
template <class R> struct if_integer<wchar_t, R> { typedef R type; };
template <> struct real<wchar_t> { typedef double type; };
template <class R> struct if_integer<char16_t, R> { typedef R type; };
template <> struct real<char16_t> { typedef double type; };
template <class R> struct if_integer<char32_t, R> { typedef R type; };
template <> struct real<char32_t> { typedef double type; };
template <class R> struct if_integer<short, R> { typedef R type; };
template <> struct real<short> { typedef double type; };
template <class R> struct if_integer<unsigned short, R> { typedef R type; };
template <> struct real<unsigned short> { typedef double type; };
template <class R> struct if_integer<int, R> { typedef R type; };
template <> struct real<int> { typedef double type; };
template <class R> struct if_integer<unsigned int, R> { typedef R type; };
template <> struct real<unsigned int> { typedef double type; };
template <class R> struct if_integer<long, R> { typedef R type; };
template <> struct real<long> { typedef double type; };
template <class R> struct if_integer<unsigned long, R> { typedef R type; };
template <> struct real<unsigned long> { typedef double type; };
template <class R> struct if_integer<long long, R> { typedef R type; };
template <> struct real<long long> { typedef double type; };
template <class R> struct if_integer<unsigned long long, R> { typedef R type; };
template <> struct real<unsigned long long> { typedef double type; };
template <class A, class B> struct wider { typedef double type; };
template <> struct wider<float, float> { typedef float type; };
// Arguments that default, so that another type takes a function out of the choice and is no error.
template <class A, class B, class X = typename real<A>::type, class Y = typename real<B>::type> struct real2 : wider<X, Y> {};
template <class A, class B, class C, class X = typename real2<A, B>::type, class Y = typename real<C>::type> struct real3 : wider<X, Y> {};
}
#define CUOX_ONE(f, R) \
  template <class T> __host__ __device__ inline typename cuox_math::if_integer<T, R>::type f(T x) { return ::f(static_cast<double>(x)); }
#define CUOX_TWO(f) \
  template <class A, class B> __host__ __device__ inline typename cuox_math::real2<A, B>::type f(A x, B y) { \
    typedef typename cuox_math::real2<A, B>::type T; \
    return ::f(static_cast<T>(x), static_cast<T>(y)); \
  }
CUOX_ONE(acos, double)
CUOX_ONE(acosh, double)
CUOX_ONE(asin, double)
CUOX_ONE(asinh, double)
CUOX_ONE(atan, double)
CUOX_ONE(atanh, double)
CUOX_ONE(cbrt, double)
CUOX_ONE(ceil, double)
CUOX_ONE(cos, double)
CUOX_ONE(cosh, double)
CUOX_ONE(erf, double)
CUOX_ONE(erfc, double)
CUOX_ONE(exp, double)
CUOX_ONE(exp2, double)
CUOX_ONE(expm1, double)
CUOX_ONE(fabs, double)
CUOX_ONE(floor, double)
CUOX_ONE(lgamma, double)
CUOX_ONE(log, double)
CUOX_ONE(log10, double)
CUOX_ONE(log1p, double)
CUOX_ONE(log2, double)
CUOX_ONE(logb, double)
CUOX_ONE(nearbyint, double)
CUOX_ONE(rint, double)
CUOX_ONE(round, double)
CUOX_ONE(sin, double)
CUOX_ONE(sinh, double)
CUOX_ONE(sqrt, double)
CUOX_ONE(tan, double)
CUOX_ONE(tanh, double)
CUOX_ONE(tgamma, double)
CUOX_ONE(trunc, double)
CUOX_ONE(lrint, long)
CUOX_ONE(llrint, long long)
CUOX_ONE(lround, long)
CUOX_ONE(llround, long long)
CUOX_ONE(ilogb, int)
CUOX_ONE(isnan, bool)
CUOX_ONE(isinf, bool)
CUOX_ONE(isfinite, bool)
CUOX_ONE(signbit, bool)
CUOX_TWO(atan2)
CUOX_TWO(copysign)
CUOX_TWO(fdim)
CUOX_TWO(fmax)
CUOX_TWO(fmin)
CUOX_TWO(fmod)
CUOX_TWO(hypot)
CUOX_TWO(nextafter)
CUOX_TWO(remainder)
CUOX_TWO(pow)
#undef CUOX_ONE
#undef CUOX_TWO
template <class A, class B, class C> __host__ __device__ inline typename cuox_math::real3<A, B, C>::type fma(A x, B y, C z) {
  typedef typename cuox_math::real3<A, B, C>::type T;
  return ::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
}
template <class T> __host__ __device__ inline typename cuox_math::if_integer<T, double>::type ldexp(T x, int e) { return ::ldexp(static_cast<double>(x), e); }
template <class T> __host__ __device__ inline typename cuox_math::if_integer<T, double>::type scalbn(T x, int e) { return ::scalbn(static_cast<double>(x), e); }
template <class T> __host__ __device__ inline typename cuox_math::if_integer<T, double>::type frexp(T x, int *e) { return ::frexp(static_cast<double>(x), e); }
__host__ __device__ inline bool isnormal(float x) { return ::isfinite(x) && !(::fabs(x) < 1.17549435e-38F); }
__host__ __device__ inline bool isnormal(double x) { return ::isfinite(x) && !(::fabs(x) < 2.2250738585072014e-308); }
template <class T> __host__ __device__ inline typename cuox_math::if_integer<T, bool>::type isnormal(T x) { return x != 0; }
template <class T> __host__ __device__ inline int cuox_fpclassify(T x) {
  return ::isnan(x) ? FP_NAN : ::isinf(x) ? FP_INFINITE : x == 0 ? FP_ZERO : isnormal(x) ? FP_NORMAL : FP_SUBNORMAL;
}
__host__ __device__ inline int fpclassify(float x) { return cuox_fpclassify(x); }
__host__ __device__ inline int fpclassify(double x) { return cuox_fpclassify(x); }
template <class T> __host__ __device__ inline typename cuox_math::if_integer<T, int>::type fpclassify(T x) { return x == 0 ? FP_ZERO : FP_NORMAL; }
template <class A, class B> __host__ __device__ inline bool isgreater(A x, B y) { return x > y; }
template <class A, class B> __host__ __device__ inline bool isgreaterequal(A x, B y) { return x >= y; }
template <class A, class B> __host__ __device__ inline bool isless(A x, B y) { return x < y; }
template <class A, class B> __host__ __device__ inline bool islessequal(A x, B y) { return x <= y; }
template <class A, class B> __host__ __device__ inline bool islessgreater(A x, B y) { return x < y || x > y; }
template <class A, class B> __host__ __device__ inline bool isunordered(A x, B y) { return x != x || y != y; }
