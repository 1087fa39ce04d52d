// Complex numbers for device code: pycuda::complex<float> and pycuda::complex<double>.
//
// Conversions and results follow std::complex, with three differences that PyCUDA has: complex<float> converts to complex<double> by itself and
// the other way only when asked to, reals may stand on either side of an operator, and volatile numbers can be added, multiplied and assigned.
#ifndef PYCUDA_COMPLEX_HPP_SEEN
#define PYCUDA_COMPLEX_HPP_SEEN

extern "C++" {
namespace pycuda {

namespace _complex {
// True if every value of type _From is one of type _To.
template <class _From, class _To> struct widens { static const bool value = sizeof(_From) <= sizeof(_To); };
template <bool condition> struct only_if {};
template <> struct only_if<true> { typedef int type; };

// CUDA's own functions, for both types by one name.
__device__ inline void sin_cos(float x, float *s, float *c) { ::sincosf(x, s, c); }
__device__ inline void sin_cos(double x, double *s, double *c) { ::sincos(x, s, c); }
// A hyperbolic tangent's real part is 1 from here on, to the last bit.
__device__ inline float tanh_limit(float) { return 11.0f; }
__device__ inline double tanh_limit(double) { return 22.0; }
}  // namespace _complex

template <class _Tp> struct complex {
  typedef _Tp value_type;

  _Tp _M_re;
  _Tp _M_im;

  __device__ constexpr complex(_Tp re = _Tp(), _Tp im = _Tp()) : _M_re(re), _M_im(im) {}
  constexpr complex(const complex &) = default;
  __device__ complex(const volatile complex &z) : _M_re(z._M_re), _M_im(z._M_im) {}
  template <class _Up, typename _complex::only_if<_complex::widens<_Up, _Tp>::value>::type = 0>
  __device__ constexpr complex(const complex<_Up> &z) : _M_re(z._M_re), _M_im(z._M_im) {}
  template <class _Up, typename _complex::only_if<!_complex::widens<_Up, _Tp>::value>::type = 0>
  __device__ explicit constexpr complex(const complex<_Up> &z) : _M_re(_Tp(z._M_re)), _M_im(_Tp(z._M_im)) {}

  complex &operator=(const complex &) = default;
  __device__ volatile complex &operator=(const complex &z) volatile {
    _M_re = z._M_re;
    _M_im = z._M_im;
    return *this;
  }
  template <class _Up> __device__ complex &operator=(const complex<_Up> &z) {
    _M_re = _Tp(z._M_re);
    _M_im = _Tp(z._M_im);
    return *this;
  }
  template <class _Up> __device__ volatile complex &operator=(const complex<_Up> &z) volatile {
    _M_re = _Tp(z._M_re);
    _M_im = _Tp(z._M_im);
    return *this;
  }
  __device__ complex &operator=(_Tp x) {
    _M_re = x;
    _M_im = _Tp();
    return *this;
  }
  __device__ volatile complex &operator=(_Tp x) volatile {
    _M_re = x;
    _M_im = _Tp();
    return *this;
  }

  __device__ _Tp real() const { return _M_re; }
  __device__ _Tp imag() const { return _M_im; }
  __device__ void real(_Tp x) { _M_re = x; }
  __device__ void imag(_Tp x) { _M_im = x; }

  __device__ complex &operator+=(_Tp x) {
    _M_re += x;
    return *this;
  }
  __device__ complex &operator-=(_Tp x) {
    _M_re -= x;
    return *this;
  }
  __device__ complex &operator*=(_Tp x) {
    _M_re *= x;
    _M_im *= x;
    return *this;
  }
  __device__ complex &operator/=(_Tp x) {
    _M_re /= x;
    _M_im /= x;
    return *this;
  }
  template <class _Up> __device__ complex &operator+=(const complex<_Up> &z) { return *this = *this + complex(z); }
  template <class _Up> __device__ complex &operator-=(const complex<_Up> &z) { return *this = *this - complex(z); }
  template <class _Up> __device__ complex &operator*=(const complex<_Up> &z) { return *this = *this * complex(z); }
  template <class _Up> __device__ complex &operator/=(const complex<_Up> &z) { return *this = *this / complex(z); }

  friend __device__ complex operator+(const complex &z) { return z; }
  friend __device__ complex operator-(const complex &z) { return complex(-z._M_re, -z._M_im); }

  // Friends are no templates, so a real of another type is converted: z * 2, 0.5 * z.
  friend __device__ complex operator+(const complex &a, const complex &b) { return complex(a._M_re + b._M_re, a._M_im + b._M_im); }
  friend __device__ complex operator+(const complex &z, _Tp x) { return complex(z._M_re + x, z._M_im); }
  friend __device__ complex operator+(_Tp x, const complex &z) { return complex(x + z._M_re, z._M_im); }
  friend __device__ complex operator+(const volatile complex &a, const volatile complex &b) { return complex(a) + complex(b); }

  friend __device__ complex operator-(const complex &a, const complex &b) { return complex(a._M_re - b._M_re, a._M_im - b._M_im); }
  friend __device__ complex operator-(const complex &z, _Tp x) { return complex(z._M_re - x, z._M_im); }
  friend __device__ complex operator-(_Tp x, const complex &z) { return complex(x - z._M_re, -z._M_im); }
  friend __device__ complex operator-(const volatile complex &a, const volatile complex &b) { return complex(a) - complex(b); }

  friend __device__ complex operator*(const complex &a, const complex &b) {
    return complex(a._M_re * b._M_re - a._M_im * b._M_im, a._M_re * b._M_im + a._M_im * b._M_re);
  }
  friend __device__ complex operator*(const complex &z, _Tp x) { return complex(z._M_re * x, z._M_im * x); }
  friend __device__ complex operator*(_Tp x, const complex &z) { return complex(x * z._M_re, x * z._M_im); }
  friend __device__ complex operator*(const volatile complex &a, const volatile complex &b) { return complex(a) * complex(b); }

  // The larger part of the divisor is divided by first, so nothing overflows that the result does not (Smith, 1962).
  friend __device__ complex operator/(const complex &a, const complex &b) {
    if (b._M_re == _Tp() && b._M_im == _Tp())
      return complex(a._M_re / ::fabs(b._M_re), a._M_im / ::fabs(b._M_re));
    if (::fabs(b._M_re) <= ::fabs(b._M_im)) {
      const _Tp ratio = b._M_re / b._M_im, divisor = b._M_im * (_Tp(1) + ratio * ratio);
      return complex((a._M_re * ratio + a._M_im) / divisor, (a._M_im * ratio - a._M_re) / divisor);
    }
    const _Tp ratio = b._M_im / b._M_re, divisor = b._M_re * (_Tp(1) + ratio * ratio);
    return complex((a._M_re + a._M_im * ratio) / divisor, (a._M_im - a._M_re * ratio) / divisor);
  }
  friend __device__ complex operator/(const complex &z, _Tp x) { return complex(z._M_re / x, z._M_im / x); }
  friend __device__ complex operator/(_Tp x, const complex &z) { return complex(x) / z; }
  friend __device__ complex operator/(const volatile complex &a, const volatile complex &b) { return complex(a) / complex(b); }

  friend __device__ bool operator==(const complex &a, const complex &b) { return a._M_re == b._M_re && a._M_im == b._M_im; }
  friend __device__ bool operator==(const complex &z, _Tp x) { return z._M_re == x && z._M_im == _Tp(); }
  friend __device__ bool operator==(_Tp x, const complex &z) { return z == x; }
  friend __device__ bool operator!=(const complex &a, const complex &b) { return !(a == b); }
  friend __device__ bool operator!=(const complex &z, _Tp x) { return !(z == x); }
  friend __device__ bool operator!=(_Tp x, const complex &z) { return !(z == x); }
};

template <class _Tp> __device__ inline _Tp real(const complex<_Tp> &z) { return z._M_re; }
template <class _Tp> __device__ inline _Tp imag(const complex<_Tp> &z) { return z._M_im; }
template <class _Tp> __device__ inline _Tp abs(const complex<_Tp> &z) { return ::hypot(z._M_re, z._M_im); }
template <class _Tp> __device__ inline _Tp arg(const complex<_Tp> &z) { return ::atan2(z._M_im, z._M_re); }
template <class _Tp> __device__ inline _Tp norm(const complex<_Tp> &z) { return z._M_re * z._M_re + z._M_im * z._M_im; }
template <class _Tp> __device__ inline complex<_Tp> conj(const complex<_Tp> &z) { return complex<_Tp>(z._M_re, -z._M_im); }
template <class _Tp> __device__ inline complex<_Tp> polar(const _Tp &rho) { return complex<_Tp>(rho); }
template <class _Tp> __device__ inline complex<_Tp> polar(const _Tp &rho, const _Tp &phi) {
  _Tp s, c;
  _complex::sin_cos(phi, &s, &c);
  return complex<_Tp>(rho * c, rho * s);
}

namespace _complex {
template <class _Tp> __device__ inline complex<_Tp> sqrt(const complex<_Tp> &z) {
  const _Tp size = ::hypot(z._M_re, z._M_im);
  if (size == _Tp())
    return complex<_Tp>(_Tp(), z._M_im);
  // The part that adds two positive numbers first: the other one would lose digits.
  const _Tp root = ::sqrt(_Tp(0.5) * (size + ::fabs(z._M_re)));
  const _Tp other = ::fabs(z._M_im) / (root + root);
  return z._M_re > _Tp() ? complex<_Tp>(root, ::copysign(other, z._M_im)) : complex<_Tp>(other, ::copysign(root, z._M_im));
}
template <class _Tp> __device__ inline complex<_Tp> exp(const complex<_Tp> &z) { return polar(_Tp(::exp(z._M_re)), z._M_im); }
template <class _Tp> __device__ inline complex<_Tp> log(const complex<_Tp> &z) { return complex<_Tp>(::log(pycuda::abs(z)), pycuda::arg(z)); }
template <class _Tp> __device__ inline complex<_Tp> log10(const complex<_Tp> &z) {
  return complex<_Tp>(::log10(pycuda::abs(z)), pycuda::arg(z) * _Tp(0.43429448190325182765));
}
template <class _Tp> __device__ inline complex<_Tp> pow(const complex<_Tp> &a, _Tp b) {
  if (a == _Tp())
    return complex<_Tp>(b == _Tp() ? _Tp(1) : b > _Tp() ? _Tp() : _Tp(1) / _Tp());
  // Small integers are powers by multiplication, which is exact where the product is.
  if (b == ::floor(b) && ::fabs(b) < _Tp(100)) {
    complex<_Tp> power(1), square(a);
    for (unsigned int rest = (unsigned int)::fabs(b); rest != 0; rest >>= 1, square = square * square)
      if (rest & 1)
        power = power * square;
    return b < _Tp() ? _Tp(1) / power : power;
  }
  return polar(_Tp(::exp(::log(pycuda::abs(a)) * b)), pycuda::arg(a) * b);
}
template <class _Tp> __device__ inline complex<_Tp> pow(const complex<_Tp> &a, const complex<_Tp> &b) {
  if (b._M_im == _Tp())
    return _complex::pow(a, b._M_re);
  if (a == _Tp())
    return b._M_re > _Tp() ? complex<_Tp>() : complex<_Tp>(_Tp() / _Tp(), _Tp() / _Tp());
  const _Tp logarithm = ::log(pycuda::abs(a)), angle = pycuda::arg(a);
  return polar(_Tp(::exp(logarithm * b._M_re - angle * b._M_im)), logarithm * b._M_im + angle * b._M_re);
}
template <class _Tp> __device__ inline complex<_Tp> sin(const complex<_Tp> &z) {
  _Tp s, c;
  sin_cos(z._M_re, &s, &c);
  return complex<_Tp>(s * ::cosh(z._M_im), c * ::sinh(z._M_im));
}
template <class _Tp> __device__ inline complex<_Tp> cos(const complex<_Tp> &z) {
  _Tp s, c;
  sin_cos(z._M_re, &s, &c);
  return complex<_Tp>(c * ::cosh(z._M_im), -s * ::sinh(z._M_im));
}
template <class _Tp> __device__ inline complex<_Tp> sinh(const complex<_Tp> &z) {
  _Tp s, c;
  sin_cos(z._M_im, &s, &c);
  return complex<_Tp>(::sinh(z._M_re) * c, ::cosh(z._M_re) * s);
}
template <class _Tp> __device__ inline complex<_Tp> cosh(const complex<_Tp> &z) {
  _Tp s, c;
  sin_cos(z._M_im, &s, &c);
  return complex<_Tp>(::cosh(z._M_re) * c, ::sinh(z._M_re) * s);
}
template <class _Tp> __device__ inline complex<_Tp> tanh(const complex<_Tp> &z) {
  _Tp s, c;
  sin_cos(z._M_im, &s, &c);
  if (::fabs(z._M_re) > tanh_limit(_Tp())) {
    const _Tp small = ::exp(-::fabs(z._M_re));
    return complex<_Tp>(::copysign(_Tp(1), z._M_re), _Tp(4) * s * c * small * small);
  }
  const _Tp sine = ::sinh(z._M_re), cosine = ::cosh(z._M_re);
  // cos(y)^2 + sinh(x)^2, which stays accurate where cos(2 y) is near -1.
  const _Tp divisor = c * c + sine * sine;
  return complex<_Tp>(sine * cosine / divisor, s * c / divisor);
}
template <class _Tp> __device__ inline complex<_Tp> tan(const complex<_Tp> &z) {
  const complex<_Tp> turned = _complex::tanh(complex<_Tp>(-z._M_im, z._M_re));
  return complex<_Tp>(turned._M_im, -turned._M_re);
}
}  // namespace _complex

// No templates either: pow(z, 2) and the like convert their arguments.
#define PYCUDA_COMPLEX_FUNCTION(name)                                                                     \
  __device__ inline complex<float> name(const complex<float> &z) { return _complex::name(z); }           \
  __device__ inline complex<double> name(const complex<double> &z) { return _complex::name(z); }
PYCUDA_COMPLEX_FUNCTION(sqrt)
PYCUDA_COMPLEX_FUNCTION(exp)
PYCUDA_COMPLEX_FUNCTION(log)
PYCUDA_COMPLEX_FUNCTION(log10)
PYCUDA_COMPLEX_FUNCTION(sin)
PYCUDA_COMPLEX_FUNCTION(cos)
PYCUDA_COMPLEX_FUNCTION(tan)
PYCUDA_COMPLEX_FUNCTION(sinh)
PYCUDA_COMPLEX_FUNCTION(cosh)
PYCUDA_COMPLEX_FUNCTION(tanh)
#undef PYCUDA_COMPLEX_FUNCTION

#define PYCUDA_COMPLEX_POW(_Tp)                                                                                     \
  __device__ inline complex<_Tp> pow(const complex<_Tp> &a, const complex<_Tp> &b) { return _complex::pow(a, b); }     \
  __device__ inline complex<_Tp> pow(const complex<_Tp> &a, const _Tp &b) { return _complex::pow(a, b); }              \
  __device__ inline complex<_Tp> pow(const _Tp &a, const complex<_Tp> &b) { return _complex::pow(complex<_Tp>(a), b); }
PYCUDA_COMPLEX_POW(float)
PYCUDA_COMPLEX_POW(double)
#undef PYCUDA_COMPLEX_POW

}  // namespace pycuda
}

#endif
