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
template <class _Tp, class _Rp> struct __if_integer {};
// What a function of several numbers computes with.
template <class _Tp> struct __number {};
template <> struct __number<float> { typedef float type; };
template <> struct __number<double> { typedef double type; };
template <> struct __number<long double> { typedef double type; };
template <class _Rp> struct __if_integer<bool, _Rp> { typedef _Rp type; };
template <> struct __number<bool> { typedef double type; };
template <class _Rp> struct __if_integer<char, _Rp> { typedef _Rp type; };
template <> struct __number<char> { typedef double type; };
template <class _Rp> struct __if_integer<signed char, _Rp> { typedef _Rp type; };
template <> struct __number<signed char> { typedef double type; };
template <class _Rp> struct __if_integer<unsigned char, _Rp> { typedef _Rp type; };
template <> struct __number<unsigned char> { typedef double type; };
template <class _Rp> struct __if_integer<wchar_t, _Rp> { typedef _Rp type; };
template <> struct __number<wchar_t> { typedef double type; };
template <class _Rp> struct __if_integer<char16_t, _Rp> { typedef _Rp type; };
template <> struct __number<char16_t> { typedef double type; };
template <class _Rp> struct __if_integer<char32_t, _Rp> { typedef _Rp type; };
template <> struct __number<char32_t> { typedef double type; };
template <class _Rp> struct __if_integer<short, _Rp> { typedef _Rp type; };
template <> struct __number<short> { typedef double type; };
template <class _Rp> struct __if_integer<unsigned short, _Rp> { typedef _Rp type; };
template <> struct __number<unsigned short> { typedef double type; };
template <class _Rp> struct __if_integer<int, _Rp> { typedef _Rp type; };
template <> struct __number<int> { typedef double type; };
template <class _Rp> struct __if_integer<unsigned int, _Rp> { typedef _Rp type; };
template <> struct __number<unsigned int> { typedef double type; };
template <class _Rp> struct __if_integer<long, _Rp> { typedef _Rp type; };
template <> struct __number<long> { typedef double type; };
template <class _Rp> struct __if_integer<unsigned long, _Rp> { typedef _Rp type; };
template <> struct __number<unsigned long> { typedef double type; };
template <class _Rp> struct __if_integer<long long, _Rp> { typedef _Rp type; };
template <> struct __number<long long> { typedef double type; };
template <class _Rp> struct __if_integer<unsigned long long, _Rp> { typedef _Rp type; };
template <> struct __number<unsigned long long> { typedef double type; };
template <class _Ap, class _Bp> struct __wider { typedef double type; };
template <> struct __wider<float, float> { typedef float type; };
// Arguments that default, so that another type takes a function out of the choice and is no error.
template <class _Ap, class _Bp, class _Xp = typename __number<_Ap>::type, class _Yp = typename __number<_Bp>::type> struct __number2 : __wider<_Xp, _Yp> {};
template <class _Ap, class _Bp, class _Cp, class _Xp = typename __number2<_Ap, _Bp>::type, class _Yp = typename __number<_Cp>::type> struct __number3 : __wider<_Xp, _Yp> {};
}
#define CUOX_ONE(__f, _Rp) \
  template <class _Tp> __host__ __device__ inline typename cuox_math::__if_integer<_Tp, _Rp>::type __f(_Tp __x) { return ::__f(static_cast<double>(__x)); }
#define CUOX_TWO(__f) \
  template <class _Ap, class _Bp> __host__ __device__ inline typename cuox_math::__number2<_Ap, _Bp>::type __f(_Ap __x, _Bp __y) { \
    typedef typename cuox_math::__number2<_Ap, _Bp>::type _Tp; \
    return ::__f(static_cast<_Tp>(__x), static_cast<_Tp>(__y)); \
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
template <class _Ap, class _Bp, class _Cp> __host__ __device__ inline typename cuox_math::__number3<_Ap, _Bp, _Cp>::type fma(_Ap __x, _Bp __y, _Cp __z) {
  typedef typename cuox_math::__number3<_Ap, _Bp, _Cp>::type _Tp;
  return ::fma(static_cast<_Tp>(__x), static_cast<_Tp>(__y), static_cast<_Tp>(__z));
}
template <class _Tp> __host__ __device__ inline typename cuox_math::__if_integer<_Tp, double>::type ldexp(_Tp __x, int __e) { return ::ldexp(static_cast<double>(__x), __e); }
template <class _Tp> __host__ __device__ inline typename cuox_math::__if_integer<_Tp, double>::type scalbn(_Tp __x, int __e) { return ::scalbn(static_cast<double>(__x), __e); }
template <class _Tp> __host__ __device__ inline typename cuox_math::__if_integer<_Tp, double>::type frexp(_Tp __x, int *__e) { return ::frexp(static_cast<double>(__x), __e); }
__host__ __device__ inline bool isnormal(float __x) { return ::isfinite(__x) && !(::fabs(__x) < 1.17549435e-38F); }
__host__ __device__ inline bool isnormal(double __x) { return ::isfinite(__x) && !(::fabs(__x) < 2.2250738585072014e-308); }
template <class _Tp> __host__ __device__ inline typename cuox_math::__if_integer<_Tp, bool>::type isnormal(_Tp __x) { return __x != 0; }
template <class _Tp> __host__ __device__ inline int cuox_fpclassify(_Tp __x) {
  return ::isnan(__x) ? FP_NAN : ::isinf(__x) ? FP_INFINITE : __x == 0 ? FP_ZERO : isnormal(__x) ? FP_NORMAL : FP_SUBNORMAL;
}
__host__ __device__ inline int fpclassify(float __x) { return cuox_fpclassify(__x); }
__host__ __device__ inline int fpclassify(double __x) { return cuox_fpclassify(__x); }
template <class _Tp> __host__ __device__ inline typename cuox_math::__if_integer<_Tp, int>::type fpclassify(_Tp __x) { return __x == 0 ? FP_ZERO : FP_NORMAL; }
template <class _Ap, class _Bp> __host__ __device__ inline bool isgreater(_Ap __x, _Bp __y) { return __x > __y; }
template <class _Ap, class _Bp> __host__ __device__ inline bool isgreaterequal(_Ap __x, _Bp __y) { return __x >= __y; }
template <class _Ap, class _Bp> __host__ __device__ inline bool isless(_Ap __x, _Bp __y) { return __x < __y; }
template <class _Ap, class _Bp> __host__ __device__ inline bool islessequal(_Ap __x, _Bp __y) { return __x <= __y; }
template <class _Ap, class _Bp> __host__ __device__ inline bool islessgreater(_Ap __x, _Bp __y) { return __x < __y || __x > __y; }
template <class _Ap, class _Bp> __host__ __device__ inline bool isunordered(_Ap __x, _Bp __y) { return __x != __x || __y != __y; }
