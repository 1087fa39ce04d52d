// Complex numbers for device code: a class and its functions, for the namespace that includes this.
//
// PyCUDA's programs include it as `pycuda-complex.hpp`; the templates of crate cuox-parallel have it in their namespace `cuox`.
//
// Conversions and results follow std::complex, with three differences that PyCUDA has: complex<float> converts to complex<double> by itself and
// the other way only when asked to, reals may stand on either side of an operator, and volatile numbers can be added, multiplied and assigned.
//
// Names that are no part of the interface are reserved ones: a program may have macros of any other name.

namespace __cuox_complex {
// True if every value of type _From is one of type _To.
template <class _From, class _To> struct __widens { static const bool __value = sizeof(_From) <= sizeof(_To); };
template <bool __condition> struct __only_if {};
template <> struct __only_if<true> { typedef int __type; };

// CUDA's own functions, for both types by one name.
__device__ __forceinline__ void __sin_cos(float __x, float *__s, float *__c) { ::sincosf(__x, __s, __c); }
__device__ __forceinline__ void __sin_cos(double __x, double *__s, double *__c) { ::sincos(__x, __s, __c); }
// A hyperbolic tangent's real part is 1 from here on, to the last bit.
__device__ __forceinline__ float __tanh_limit(float) { return 11.0f; }
__device__ __forceinline__ double __tanh_limit(double) { return 22.0; }
}  // namespace __cuox_complex

template <class _Tp> struct complex {
  typedef _Tp value_type;

  _Tp _M_re;
  _Tp _M_im;

  __device__ constexpr complex(_Tp __re = _Tp(), _Tp __im = _Tp()) : _M_re(__re), _M_im(__im) {}
  constexpr complex(const complex &) = default;
  // A template, as the assignments to volatile numbers are: else the class could not be copied as bytes, and vectors of it not loaded at once.
  template <class _Up, typename __cuox_complex::__only_if<__cuox_complex::__widens<_Up, _Tp>::__value>::__type = 0>
  __device__ __forceinline__ complex(const volatile complex<_Up> &__z) : _M_re(__z._M_re), _M_im(__z._M_im) {}
  template <class _Up, typename __cuox_complex::__only_if<__cuox_complex::__widens<_Up, _Tp>::__value>::__type = 0>
  __device__ constexpr complex(const complex<_Up> &__z) : _M_re(__z._M_re), _M_im(__z._M_im) {}
  template <class _Up, typename __cuox_complex::__only_if<!__cuox_complex::__widens<_Up, _Tp>::__value>::__type = 0>
  __device__ explicit constexpr complex(const complex<_Up> &__z) : _M_re(_Tp(__z._M_re)), _M_im(_Tp(__z._M_im)) {}

  complex &operator=(const complex &) = default;
  template <class _Up> __device__ __forceinline__ complex &operator=(const complex<_Up> &__z) {
    _M_re = _Tp(__z._M_re);
    _M_im = _Tp(__z._M_im);
    return *this;
  }
  template <class _Up> __device__ __forceinline__ complex &operator=(const volatile complex<_Up> &__z) {
    _M_re = _Tp(__z._M_re);
    _M_im = _Tp(__z._M_im);
    return *this;
  }
  template <class _Up> __device__ __forceinline__ volatile complex &operator=(const complex<_Up> &__z) volatile {
    _M_re = _Tp(__z._M_re);
    _M_im = _Tp(__z._M_im);
    return *this;
  }
  template <class _Up> __device__ __forceinline__ volatile complex &operator=(const volatile complex<_Up> &__z) volatile {
    _M_re = _Tp(__z._M_re);
    _M_im = _Tp(__z._M_im);
    return *this;
  }
  __device__ __forceinline__ complex &operator=(_Tp __x) {
    _M_re = __x;
    _M_im = _Tp();
    return *this;
  }
  __device__ __forceinline__ volatile complex &operator=(_Tp __x) volatile {
    _M_re = __x;
    _M_im = _Tp();
    return *this;
  }

  __device__ __forceinline__ _Tp real() const { return _M_re; }
  __device__ __forceinline__ _Tp imag() const { return _M_im; }
  __device__ __forceinline__ void real(_Tp __x) { _M_re = __x; }
  __device__ __forceinline__ void imag(_Tp __x) { _M_im = __x; }

  __device__ __forceinline__ complex &operator+=(_Tp __x) {
    _M_re += __x;
    return *this;
  }
  __device__ __forceinline__ complex &operator-=(_Tp __x) {
    _M_re -= __x;
    return *this;
  }
  __device__ __forceinline__ complex &operator*=(_Tp __x) {
    _M_re *= __x;
    _M_im *= __x;
    return *this;
  }
  __device__ __forceinline__ complex &operator/=(_Tp __x) {
    _M_re /= __x;
    _M_im /= __x;
    return *this;
  }
  template <class _Up> __device__ __forceinline__ complex &operator+=(const complex<_Up> &__z) { return *this = *this + complex(__z); }
  template <class _Up> __device__ __forceinline__ complex &operator-=(const complex<_Up> &__z) { return *this = *this - complex(__z); }
  template <class _Up> __device__ __forceinline__ complex &operator*=(const complex<_Up> &__z) { return *this = *this * complex(__z); }
  template <class _Up> __device__ __forceinline__ complex &operator/=(const complex<_Up> &__z) { return *this = *this / complex(__z); }

  friend __device__ __forceinline__ complex operator+(const complex &__z) { return __z; }
  friend __device__ __forceinline__ complex operator-(const complex &__z) { return complex(-__z._M_re, -__z._M_im); }

  // Friends are no templates, so a real of another type is converted: z * 2, 0.5 * z.
  friend __device__ __forceinline__ complex operator+(const complex &__a, const complex &__b) {
    return complex(__a._M_re + __b._M_re, __a._M_im + __b._M_im);
  }
  friend __device__ __forceinline__ complex operator+(const complex &__z, _Tp __x) { return complex(__z._M_re + __x, __z._M_im); }
  friend __device__ __forceinline__ complex operator+(_Tp __x, const complex &__z) { return complex(__x + __z._M_re, __z._M_im); }
  friend __device__ __forceinline__ complex operator+(const volatile complex &__a, const volatile complex &__b) { return complex(__a) + complex(__b); }

  friend __device__ __forceinline__ complex operator-(const complex &__a, const complex &__b) {
    return complex(__a._M_re - __b._M_re, __a._M_im - __b._M_im);
  }
  friend __device__ __forceinline__ complex operator-(const complex &__z, _Tp __x) { return complex(__z._M_re - __x, __z._M_im); }
  friend __device__ __forceinline__ complex operator-(_Tp __x, const complex &__z) { return complex(__x - __z._M_re, -__z._M_im); }
  friend __device__ __forceinline__ complex operator-(const volatile complex &__a, const volatile complex &__b) { return complex(__a) - complex(__b); }

  friend __device__ __forceinline__ complex operator*(const complex &__a, const complex &__b) {
    return complex(__a._M_re * __b._M_re - __a._M_im * __b._M_im, __a._M_re * __b._M_im + __a._M_im * __b._M_re);
  }
  friend __device__ __forceinline__ complex operator*(const complex &__z, _Tp __x) { return complex(__z._M_re * __x, __z._M_im * __x); }
  friend __device__ __forceinline__ complex operator*(_Tp __x, const complex &__z) { return complex(__x * __z._M_re, __x * __z._M_im); }
  friend __device__ __forceinline__ complex operator*(const volatile complex &__a, const volatile complex &__b) { return complex(__a) * complex(__b); }

  // The larger part of the divisor is divided by first, so nothing overflows that the result does not (Smith, 1962).
  friend __device__ __forceinline__ complex operator/(const complex &__a, const complex &__b) {
    const _Tp __re = ::fabs(__b._M_re), __im = ::fabs(__b._M_im);
    if (__re >= __im) {
      if (__re == _Tp() && __im == _Tp())
        return complex(__a._M_re / __re, __a._M_im / __re);
      const _Tp __ratio = __b._M_im / __b._M_re, __scale = _Tp(1) / (__b._M_re + __b._M_im * __ratio);
      return complex((__a._M_re + __a._M_im * __ratio) * __scale, (__a._M_im - __a._M_re * __ratio) * __scale);
    }
    const _Tp __ratio = __b._M_re / __b._M_im, __scale = _Tp(1) / (__b._M_im + __b._M_re * __ratio);
    return complex((__a._M_re * __ratio + __a._M_im) * __scale, (__a._M_im * __ratio - __a._M_re) * __scale);
  }
  friend __device__ __forceinline__ complex operator/(const complex &__z, _Tp __x) { return complex(__z._M_re / __x, __z._M_im / __x); }
  friend __device__ __forceinline__ complex operator/(_Tp __x, const complex &__z) { return complex(__x) / __z; }
  friend __device__ __forceinline__ complex operator/(const volatile complex &__a, const volatile complex &__b) { return complex(__a) / complex(__b); }

  friend __device__ __forceinline__ bool operator==(const complex &__a, const complex &__b) { return __a._M_re == __b._M_re && __a._M_im == __b._M_im; }
  friend __device__ __forceinline__ bool operator==(const complex &__z, _Tp __x) { return __z._M_re == __x && __z._M_im == _Tp(); }
  friend __device__ __forceinline__ bool operator==(_Tp __x, const complex &__z) { return __z == __x; }
  friend __device__ __forceinline__ bool operator!=(const complex &__a, const complex &__b) { return !(__a == __b); }
  friend __device__ __forceinline__ bool operator!=(const complex &__z, _Tp __x) { return !(__z == __x); }
  friend __device__ __forceinline__ bool operator!=(_Tp __x, const complex &__z) { return !(__z == __x); }
};

template <class _Tp> __device__ __forceinline__ _Tp real(const complex<_Tp> &__z) { return __z._M_re; }
template <class _Tp> __device__ __forceinline__ _Tp imag(const complex<_Tp> &__z) { return __z._M_im; }
template <class _Tp> __device__ __forceinline__ _Tp abs(const complex<_Tp> &__z) { return ::hypot(__z._M_re, __z._M_im); }
template <class _Tp> __device__ __forceinline__ _Tp arg(const complex<_Tp> &__z) { return ::atan2(__z._M_im, __z._M_re); }
// The square of the absolute value.
template <class _Tp> __device__ __forceinline__ _Tp norm(const complex<_Tp> &__z) { return __z._M_re * __z._M_re + __z._M_im * __z._M_im; }
template <class _Tp> __device__ __forceinline__ complex<_Tp> conj(const complex<_Tp> &__z) { return complex<_Tp>(__z._M_re, -__z._M_im); }
template <class _Tp> __device__ __forceinline__ complex<_Tp> polar(const _Tp &__length) { return complex<_Tp>(__length); }
template <class _Tp> __device__ __forceinline__ complex<_Tp> polar(const _Tp &__length, const _Tp &__angle) {
  _Tp __s, __c;
  __cuox_complex::__sin_cos(__angle, &__s, &__c);
  return complex<_Tp>(__length * __c, __length * __s);
}

namespace __cuox_complex {
template <class _Tp> __device__ __forceinline__ complex<_Tp> __sqrt(const complex<_Tp> &__z) {
  const _Tp __length = abs(__z);
  if (__length == _Tp())
    return complex<_Tp>(_Tp(), __z._M_im);
  // The part that adds two positive numbers first: the other one would lose digits.
  const _Tp __root = ::sqrt((__length + ::fabs(__z._M_re)) / 2);
  const _Tp __other = ::fabs(__z._M_im) / (2 * __root);
  const bool __right = __z._M_re >= _Tp();
  return complex<_Tp>(__right ? __root : __other, ::copysign(__right ? __other : __root, __z._M_im));
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __exp(const complex<_Tp> &__z) {
  const _Tp __length = ::exp(__z._M_re);
  // Of an infinite length times sin(0) nothing would be left.
  return __z._M_im == _Tp() ? complex<_Tp>(__length, __z._M_im) : polar(__length, __z._M_im);
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __log(const complex<_Tp> &__z) { return complex<_Tp>(::log(abs(__z)), arg(__z)); }
template <class _Tp> __device__ __forceinline__ complex<_Tp> __log10(const complex<_Tp> &__z) { return __log(__z) * _Tp(0.43429448190325182765); }
template <class _Tp> __device__ __forceinline__ complex<_Tp> __pow(const complex<_Tp> &__a, const complex<_Tp> &__b) {
  if (__b == _Tp())
    return complex<_Tp>(1);
  if (__a == _Tp())
    return __b._M_re > _Tp() ? complex<_Tp>() : complex<_Tp>(_Tp() / _Tp(), _Tp() / _Tp());
  // Small integers are powers by multiplication, which is exact where the product is.
  if (__b._M_im == _Tp() && __b._M_re == ::floor(__b._M_re) && ::fabs(__b._M_re) < _Tp(100)) {
    complex<_Tp> __power(1), __square(__a);
    for (unsigned int __rest = (unsigned int)::fabs(__b._M_re); __rest != 0; __rest >>= 1, __square = __square * __square)
      if (__rest & 1)
        __power = __power * __square;
    return __b._M_re < _Tp() ? _Tp(1) / __power : __power;
  }
  return __exp(__b * __log(__a));
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __sin(const complex<_Tp> &__z) {
  _Tp __s, __c;
  __sin_cos(__z._M_re, &__s, &__c);
  return complex<_Tp>(__s * ::cosh(__z._M_im), __c * ::sinh(__z._M_im));
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __cos(const complex<_Tp> &__z) {
  _Tp __s, __c;
  __sin_cos(__z._M_re, &__s, &__c);
  return complex<_Tp>(__c * ::cosh(__z._M_im), -(__s * ::sinh(__z._M_im)));
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __sinh(const complex<_Tp> &__z) {
  _Tp __s, __c;
  __sin_cos(__z._M_im, &__s, &__c);
  return complex<_Tp>(__c * ::sinh(__z._M_re), __s * ::cosh(__z._M_re));
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __cosh(const complex<_Tp> &__z) {
  _Tp __s, __c;
  __sin_cos(__z._M_im, &__s, &__c);
  return complex<_Tp>(__c * ::cosh(__z._M_re), __s * ::sinh(__z._M_re));
}
template <class _Tp> __device__ __forceinline__ complex<_Tp> __tanh(const complex<_Tp> &__z) {
  _Tp __s, __c;
  __sin_cos(__z._M_im, &__s, &__c);
  if (::fabs(__z._M_re) > __tanh_limit(_Tp())) {
    const _Tp __small = ::exp(-::fabs(__z._M_re));
    return complex<_Tp>(::copysign(_Tp(1), __z._M_re), 4 * __s * __c * __small * __small);
  }
  const _Tp __sine = ::sinh(__z._M_re), __cosine = ::cosh(__z._M_re);
  // cos(y)^2 + sinh(x)^2, which stays accurate where cos(2 y) is near -1.
  const _Tp __divisor = __c * __c + __sine * __sine;
  return complex<_Tp>(__sine * __cosine / __divisor, __s * __c / __divisor);
}
// tan z = -i tanh iz
template <class _Tp> __device__ __forceinline__ complex<_Tp> __tan(const complex<_Tp> &__z) {
  const complex<_Tp> __turned = __tanh(complex<_Tp>(-__z._M_im, __z._M_re));
  return complex<_Tp>(__turned._M_im, -__turned._M_re);
}
}  // namespace __cuox_complex

// No templates: pow(z, 2) and the like convert their arguments.
#define CUOX_COMPLEX_FUNCTION(__name)                                                                                               \
  __device__ __forceinline__ complex<float> __name(const complex<float> &__z) { return __cuox_complex::__##__name(__z); }           \
  __device__ __forceinline__ complex<double> __name(const complex<double> &__z) { return __cuox_complex::__##__name(__z); }
CUOX_COMPLEX_FUNCTION(sqrt)
CUOX_COMPLEX_FUNCTION(exp)
CUOX_COMPLEX_FUNCTION(log)
CUOX_COMPLEX_FUNCTION(log10)
CUOX_COMPLEX_FUNCTION(sin)
CUOX_COMPLEX_FUNCTION(cos)
CUOX_COMPLEX_FUNCTION(tan)
CUOX_COMPLEX_FUNCTION(sinh)
CUOX_COMPLEX_FUNCTION(cosh)
CUOX_COMPLEX_FUNCTION(tanh)
#undef CUOX_COMPLEX_FUNCTION

#define CUOX_COMPLEX_POW(_Tp)                                                                                                         \
  __device__ __forceinline__ complex<_Tp> pow(const complex<_Tp> &__a, const complex<_Tp> &__b) { return __cuox_complex::__pow(__a, __b); } \
  __device__ __forceinline__ complex<_Tp> pow(const complex<_Tp> &__a, const _Tp &__b) { return __cuox_complex::__pow(__a, complex<_Tp>(__b)); } \
  __device__ __forceinline__ complex<_Tp> pow(const _Tp &__a, const complex<_Tp> &__b) { return __cuox_complex::__pow(complex<_Tp>(__a), __b); }
CUOX_COMPLEX_POW(float)
CUOX_COMPLEX_POW(double)
#undef CUOX_COMPLEX_POW
