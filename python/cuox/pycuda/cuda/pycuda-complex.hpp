// Complex numbers for device code: pycuda::complex<float> and pycuda::complex<double>.
//
// Conversions and results follow std::complex, with three differences that PyCUDA has: complex<float> converts to complex<double> by itself and
// the other way only when asked to, reals may stand on either side of an operator, and volatile numbers can be added, multiplied and assigned.
#ifndef PYCUDA_COMPLEX_HPP_SEEN
#define PYCUDA_COMPLEX_HPP_SEEN

extern "C++" {
namespace pycuda {

namespace _complex {
// True if every value of type From is one of type To.
template <class From, class To> struct widens { static const bool value = sizeof(From) <= sizeof(To); };
template <bool condition> struct only_if {};
template <> struct only_if<true> { typedef int type; };

// CUDA's own functions, for both types by one name.
__device__ inline void sin_cos(float x, float *s, float *c) { ::sincosf(x, s, c); }
__device__ inline void sin_cos(double x, double *s, double *c) { ::sincos(x, s, c); }
// A hyperbolic tangent's real part is 1 from here on, to the last bit.
__device__ inline float tanh_limit(float) { return 11.0f; }
__device__ inline double tanh_limit(double) { return 22.0; }
}  // namespace _complex

template <class T> struct complex {
  typedef T value_type;

  T _M_re;
  T _M_im;

  __device__ constexpr complex(T re = T(), T im = T()) : _M_re(re), _M_im(im) {}
  constexpr complex(const complex &) = default;
  __device__ complex(const volatile complex &z) : _M_re(z._M_re), _M_im(z._M_im) {}
  template <class U, typename _complex::only_if<_complex::widens<U, T>::value>::type = 0>
  __device__ constexpr complex(const complex<U> &z) : _M_re(z._M_re), _M_im(z._M_im) {}
  template <class U, typename _complex::only_if<!_complex::widens<U, T>::value>::type = 0>
  __device__ explicit constexpr complex(const complex<U> &z) : _M_re(T(z._M_re)), _M_im(T(z._M_im)) {}

  complex &operator=(const complex &) = default;
  __device__ volatile complex &operator=(const complex &z) volatile {
    _M_re = z._M_re;
    _M_im = z._M_im;
    return *this;
  }
  template <class U> __device__ complex &operator=(const complex<U> &z) {
    _M_re = T(z._M_re);
    _M_im = T(z._M_im);
    return *this;
  }
  template <class U> __device__ volatile complex &operator=(const complex<U> &z) volatile {
    _M_re = T(z._M_re);
    _M_im = T(z._M_im);
    return *this;
  }
  __device__ complex &operator=(T x) {
    _M_re = x;
    _M_im = T();
    return *this;
  }
  __device__ volatile complex &operator=(T x) volatile {
    _M_re = x;
    _M_im = T();
    return *this;
  }

  __device__ T real() const { return _M_re; }
  __device__ T imag() const { return _M_im; }
  __device__ void real(T x) { _M_re = x; }
  __device__ void imag(T x) { _M_im = x; }

  __device__ complex &operator+=(T x) {
    _M_re += x;
    return *this;
  }
  __device__ complex &operator-=(T x) {
    _M_re -= x;
    return *this;
  }
  __device__ complex &operator*=(T x) {
    _M_re *= x;
    _M_im *= x;
    return *this;
  }
  __device__ complex &operator/=(T x) {
    _M_re /= x;
    _M_im /= x;
    return *this;
  }
  template <class U> __device__ complex &operator+=(const complex<U> &z) { return *this = *this + complex(z); }
  template <class U> __device__ complex &operator-=(const complex<U> &z) { return *this = *this - complex(z); }
  template <class U> __device__ complex &operator*=(const complex<U> &z) { return *this = *this * complex(z); }
  template <class U> __device__ complex &operator/=(const complex<U> &z) { return *this = *this / complex(z); }

  friend __device__ complex operator+(const complex &z) { return z; }
  friend __device__ complex operator-(const complex &z) { return complex(-z._M_re, -z._M_im); }

  // Friends are no templates, so a real of another type is converted: z * 2, 0.5 * z.
  friend __device__ complex operator+(const complex &a, const complex &b) { return complex(a._M_re + b._M_re, a._M_im + b._M_im); }
  friend __device__ complex operator+(const complex &z, T x) { return complex(z._M_re + x, z._M_im); }
  friend __device__ complex operator+(T x, const complex &z) { return complex(x + z._M_re, z._M_im); }
  friend __device__ complex operator+(const volatile complex &a, const volatile complex &b) { return complex(a) + complex(b); }

  friend __device__ complex operator-(const complex &a, const complex &b) { return complex(a._M_re - b._M_re, a._M_im - b._M_im); }
  friend __device__ complex operator-(const complex &z, T x) { return complex(z._M_re - x, z._M_im); }
  friend __device__ complex operator-(T x, const complex &z) { return complex(x - z._M_re, -z._M_im); }
  friend __device__ complex operator-(const volatile complex &a, const volatile complex &b) { return complex(a) - complex(b); }

  friend __device__ complex operator*(const complex &a, const complex &b) {
    return complex(a._M_re * b._M_re - a._M_im * b._M_im, a._M_re * b._M_im + a._M_im * b._M_re);
  }
  friend __device__ complex operator*(const complex &z, T x) { return complex(z._M_re * x, z._M_im * x); }
  friend __device__ complex operator*(T x, const complex &z) { return complex(x * z._M_re, x * z._M_im); }
  friend __device__ complex operator*(const volatile complex &a, const volatile complex &b) { return complex(a) * complex(b); }

  // The larger part of the divisor is divided by first, so nothing overflows that the result does not (Smith, 1962).
  friend __device__ complex operator/(const complex &a, const complex &b) {
    if (b._M_re == T() && b._M_im == T())
      return complex(a._M_re / ::fabs(b._M_re), a._M_im / ::fabs(b._M_re));
    if (::fabs(b._M_re) <= ::fabs(b._M_im)) {
      const T ratio = b._M_re / b._M_im, divisor = b._M_im * (T(1) + ratio * ratio);
      return complex((a._M_re * ratio + a._M_im) / divisor, (a._M_im * ratio - a._M_re) / divisor);
    }
    const T ratio = b._M_im / b._M_re, divisor = b._M_re * (T(1) + ratio * ratio);
    return complex((a._M_re + a._M_im * ratio) / divisor, (a._M_im - a._M_re * ratio) / divisor);
  }
  friend __device__ complex operator/(const complex &z, T x) { return complex(z._M_re / x, z._M_im / x); }
  friend __device__ complex operator/(T x, const complex &z) { return complex(x) / z; }
  friend __device__ complex operator/(const volatile complex &a, const volatile complex &b) { return complex(a) / complex(b); }

  friend __device__ bool operator==(const complex &a, const complex &b) { return a._M_re == b._M_re && a._M_im == b._M_im; }
  friend __device__ bool operator==(const complex &z, T x) { return z._M_re == x && z._M_im == T(); }
  friend __device__ bool operator==(T x, const complex &z) { return z == x; }
  friend __device__ bool operator!=(const complex &a, const complex &b) { return !(a == b); }
  friend __device__ bool operator!=(const complex &z, T x) { return !(z == x); }
  friend __device__ bool operator!=(T x, const complex &z) { return !(z == x); }
};

template <class T> __device__ inline T real(const complex<T> &z) { return z._M_re; }
template <class T> __device__ inline T imag(const complex<T> &z) { return z._M_im; }
template <class T> __device__ inline T abs(const complex<T> &z) { return ::hypot(z._M_re, z._M_im); }
template <class T> __device__ inline T arg(const complex<T> &z) { return ::atan2(z._M_im, z._M_re); }
template <class T> __device__ inline T norm(const complex<T> &z) { return z._M_re * z._M_re + z._M_im * z._M_im; }
template <class T> __device__ inline complex<T> conj(const complex<T> &z) { return complex<T>(z._M_re, -z._M_im); }
template <class T> __device__ inline complex<T> polar(const T &rho) { return complex<T>(rho); }
template <class T> __device__ inline complex<T> polar(const T &rho, const T &phi) {
  T s, c;
  _complex::sin_cos(phi, &s, &c);
  return complex<T>(rho * c, rho * s);
}

namespace _complex {
template <class T> __device__ inline complex<T> sqrt(const complex<T> &z) {
  const T size = ::hypot(z._M_re, z._M_im);
  if (size == T())
    return complex<T>(T(), z._M_im);
  // The part that adds two positive numbers first: the other one would lose digits.
  const T root = ::sqrt(T(0.5) * (size + ::fabs(z._M_re)));
  const T other = ::fabs(z._M_im) / (root + root);
  return z._M_re > T() ? complex<T>(root, ::copysign(other, z._M_im)) : complex<T>(other, ::copysign(root, z._M_im));
}
template <class T> __device__ inline complex<T> exp(const complex<T> &z) { return polar(T(::exp(z._M_re)), z._M_im); }
template <class T> __device__ inline complex<T> log(const complex<T> &z) { return complex<T>(::log(pycuda::abs(z)), pycuda::arg(z)); }
template <class T> __device__ inline complex<T> log10(const complex<T> &z) {
  return complex<T>(::log10(pycuda::abs(z)), pycuda::arg(z) * T(0.43429448190325182765));
}
template <class T> __device__ inline complex<T> pow(const complex<T> &a, T b) {
  if (a == T())
    return complex<T>(b == T() ? T(1) : b > T() ? T() : T(1) / T());
  // Small integers are powers by multiplication, which is exact where the product is.
  if (b == ::floor(b) && ::fabs(b) < T(100)) {
    complex<T> power(1), square(a);
    for (unsigned int rest = (unsigned int)::fabs(b); rest != 0; rest >>= 1, square = square * square)
      if (rest & 1)
        power = power * square;
    return b < T() ? T(1) / power : power;
  }
  return polar(T(::exp(::log(pycuda::abs(a)) * b)), pycuda::arg(a) * b);
}
template <class T> __device__ inline complex<T> pow(const complex<T> &a, const complex<T> &b) {
  if (b._M_im == T())
    return _complex::pow(a, b._M_re);
  if (a == T())
    return b._M_re > T() ? complex<T>() : complex<T>(T() / T(), T() / T());
  const T logarithm = ::log(pycuda::abs(a)), angle = pycuda::arg(a);
  return polar(T(::exp(logarithm * b._M_re - angle * b._M_im)), logarithm * b._M_im + angle * b._M_re);
}
template <class T> __device__ inline complex<T> sin(const complex<T> &z) {
  T s, c;
  sin_cos(z._M_re, &s, &c);
  return complex<T>(s * ::cosh(z._M_im), c * ::sinh(z._M_im));
}
template <class T> __device__ inline complex<T> cos(const complex<T> &z) {
  T s, c;
  sin_cos(z._M_re, &s, &c);
  return complex<T>(c * ::cosh(z._M_im), -s * ::sinh(z._M_im));
}
template <class T> __device__ inline complex<T> sinh(const complex<T> &z) {
  T s, c;
  sin_cos(z._M_im, &s, &c);
  return complex<T>(::sinh(z._M_re) * c, ::cosh(z._M_re) * s);
}
template <class T> __device__ inline complex<T> cosh(const complex<T> &z) {
  T s, c;
  sin_cos(z._M_im, &s, &c);
  return complex<T>(::cosh(z._M_re) * c, ::sinh(z._M_re) * s);
}
template <class T> __device__ inline complex<T> tanh(const complex<T> &z) {
  T s, c;
  sin_cos(z._M_im, &s, &c);
  if (::fabs(z._M_re) > tanh_limit(T())) {
    const T small = ::exp(-::fabs(z._M_re));
    return complex<T>(::copysign(T(1), z._M_re), T(4) * s * c * small * small);
  }
  const T sine = ::sinh(z._M_re), cosine = ::cosh(z._M_re);
  // cos(y)^2 + sinh(x)^2, which stays accurate where cos(2 y) is near -1.
  const T divisor = c * c + sine * sine;
  return complex<T>(sine * cosine / divisor, s * c / divisor);
}
template <class T> __device__ inline complex<T> tan(const complex<T> &z) {
  const complex<T> turned = _complex::tanh(complex<T>(-z._M_im, z._M_re));
  return complex<T>(turned._M_im, -turned._M_re);
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

#define PYCUDA_COMPLEX_POW(T)                                                                                     \
  __device__ inline complex<T> pow(const complex<T> &a, const complex<T> &b) { return _complex::pow(a, b); }     \
  __device__ inline complex<T> pow(const complex<T> &a, const T &b) { return _complex::pow(a, b); }              \
  __device__ inline complex<T> pow(const T &a, const complex<T> &b) { return _complex::pow(complex<T>(a), b); }
PYCUDA_COMPLEX_POW(float)
PYCUDA_COMPLEX_POW(double)
#undef PYCUDA_COMPLEX_POW

}  // namespace pycuda
}

#endif
