namespace py {
// Powers by real and imaginary part, as CPython does it for whole exponents.
template <class T> static __device__ inline complex<T> power(complex<T> base, int64 exponent)
{
    bool inverse = exponent < 0;
    uint64 left = inverse ? -uint64(exponent) : uint64(exponent);
    complex<T> result(T(1));
    while (left) {
        if (left & 1) result = result * base;
        base = base * base;
        left >>= 1;
    }
    return inverse ? complex<T>(T(1)) / result : result;
}
template <class T> static __device__ inline complex<T> power(const complex<T> &base, const complex<T> &exponent)
{
    if (exponent._M_re == 0 && exponent._M_im == 0) return complex<T>(T(1));
    if (base._M_re == 0 && base._M_im == 0) return complex<T>();
    return exp(exponent * log(base));
}
}
// The functions of cmath, with the values that C has for infinities and NaN (C11, annex G). A literal of float64 stands for either type.
namespace py {
namespace cmath {
template <class T> static __device__ inline T infinity() { return T(inf32()); }
template <class T> static __device__ inline T nan() { return T(nan32()); }
// From here on squares and sums of parts would overflow.
static __device__ inline bool is_large(float x) { return ::fabsf(x) > 8e37f; }
static __device__ inline bool is_large(double x) { return ::fabs(x) > 4e307; }
// Calls of these functions name the namespace: those of the class are found by the type of their argument otherwise.
template <class T> static __device__ inline bool is_finite(T x) { return x - x == 0; }
// log(|z|), also where |z| would overflow.
template <class T> static __device__ inline T log_length(const complex<T> &z) { return ::log(::hypot(z._M_re / 2, z._M_im / 2)) + T(0.69314718055994530942); }
template <class T> static __device__ inline complex<T> sqrt(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (::isinf(y)) return complex<T>(infinity<T>(), y);
    if (x != x || y != y) return ::isinf(x) ? x > 0 ? complex<T>(x, nan<T>()) : complex<T>(nan<T>(), infinity<T>()) : complex<T>(nan<T>(), nan<T>());
    if (::isinf(x)) return x > 0 ? complex<T>(x, ::copysign(T(0), y)) : complex<T>(T(0), ::copysign(infinity<T>(), y));
    if (x == 0 && y == 0) return complex<T>(T(0), y);
    const T a = ::fabs(x) / 8, root = 2 * ::sqrt(a + ::hypot(a, y / 8)), other = ::fabs(y) / (2 * root);
    return x >= 0 ? complex<T>(root, ::copysign(other, y)) : complex<T>(other, ::copysign(root, y));
}
template <class T> static __device__ inline complex<T> log(const complex<T> &z)
{
    const T a = ::fabs(z._M_re), b = ::fabs(z._M_im), length = ::hypot(a, b), angle = ::atan2(z._M_im, z._M_re);
    if (length > T(0.71) && length < T(1.73)) {
        const T more = a > b ? a : b, less = a > b ? b : a;
        return complex<T>(::log1p((more - 1) * (more + 1) + less * less) / 2, angle);
    }
    return complex<T>(is_large(a) || is_large(b) ? log_length(z) : ::log(length), angle);
}
template <class T> static __device__ inline complex<T> log10(const complex<T> &z)
{
    const complex<T> natural = cmath::log(z);
    return complex<T>(natural._M_re / T(2.30258509299404568402), natural._M_im / T(2.30258509299404568402));
}
// A length at an angle: an infinite length keeps its direction.
template <class T> static __device__ inline complex<T> turned(T length, T angle)
{
    if (angle == 0) return complex<T>(length, length != length ? angle : ::copysign(T(1), length) * angle);
    if (length == 0 && !is_finite(angle)) return complex<T>();
    if (!is_finite(angle) && ::isinf(length)) return complex<T>(length, nan<T>());
    return complex<T>(length * ::cos(angle), length * ::sin(angle));
}
template <class T> static __device__ inline complex<T> exp(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (y == 0) return complex<T>(::exp(x), y);
    if (!is_finite(y) && !::isinf(x)) return complex<T>(nan<T>(), nan<T>());
    if (is_finite(y) && x > T(sizeof(T) == 4 ? 88 : 709) && is_finite(x)) {
        const T length = ::exp(x - 1);
        return complex<T>(length * ::cos(y) * T(2.71828182845904523536), length * ::sin(y) * T(2.71828182845904523536));
    }
    return turned(::exp(x), y);
}
template <class T> static __device__ inline complex<T> sinh(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (!is_finite(y)) return x == 0 ? complex<T>(T(0), nan<T>()) : ::isinf(x) ? complex<T>(infinity<T>(), nan<T>()) : complex<T>(nan<T>(), nan<T>());
    if (y == 0) return complex<T>(::sinh(x), y);
    return complex<T>(::sinh(x) * ::cos(y), ::cosh(x) * ::sin(y));
}
template <class T> static __device__ inline complex<T> cosh(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (!is_finite(y)) return x == 0 ? complex<T>(nan<T>(), T(0)) : ::isinf(x) ? complex<T>(infinity<T>(), nan<T>()) : complex<T>(nan<T>(), nan<T>());
    if (y == 0) return complex<T>(::cosh(x), x != x ? T(0) : ::copysign(T(1), x) * y);
    return complex<T>(::cosh(x) * ::cos(y), ::sinh(x) * ::sin(y));
}
template <class T> static __device__ inline complex<T> tanh(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (::isinf(x)) return complex<T>(::copysign(T(1), x), is_finite(y) ? ::copysign(T(0), ::sin(y) * ::cos(y)) : T(0));
    if (!is_finite(y) || x != x) return y == 0 ? z : complex<T>(nan<T>(), nan<T>());
    if (::fabs(x) > T(sizeof(T) == 4 ? 44 : 354)) {
        const T small = ::exp(-::fabs(x));
        return complex<T>(::copysign(T(1), x), 4 * ::sin(y) * ::cos(y) * small * small);
    }
    const T tx = ::tanh(x), ty = ::tan(y), cx = 1 / ::cosh(x), txty = tx * ty, below = 1 + txty * txty;
    return complex<T>(tx * (1 + ty * ty) / below, ty / below * cx * cx);
}
template <class T> static __device__ inline complex<T> acosh(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (is_large(x) || is_large(y)) return complex<T>(log_length(z), ::atan2(y, x));
    const complex<T> a = cmath::sqrt(complex<T>(x - 1, y)), b = cmath::sqrt(complex<T>(x + 1, y));
    return complex<T>(::asinh(a._M_re * b._M_re + a._M_im * b._M_im), 2 * ::atan2(a._M_im, b._M_re));
}
template <class T> static __device__ inline complex<T> acos(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (is_large(x) || is_large(y)) return complex<T>(::atan2(::fabs(y), x), y != y ? infinity<T>() : -::copysign(log_length(z), y));
    if (x == 0 && y != y) return complex<T>(T(1.57079632679489661923), y);
    const complex<T> a = cmath::sqrt(complex<T>(1 - x, -y)), b = cmath::sqrt(complex<T>(1 + x, y));
    return complex<T>(2 * ::atan2(a._M_re, b._M_re), ::asinh(b._M_re * a._M_im - b._M_im * a._M_re));
}
template <class T> static __device__ inline complex<T> asinh(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (is_large(x) || is_large(y)) return complex<T>(x != x ? infinity<T>() : ::copysign(log_length(z), x), ::atan2(y, ::fabs(x)));
    if (x != x && y == 0) return z;
    const complex<T> a = cmath::sqrt(complex<T>(1 + y, -x)), b = cmath::sqrt(complex<T>(1 - y, x));
    return complex<T>(::asinh(a._M_re * b._M_im - b._M_re * a._M_im), ::atan2(y, a._M_re * b._M_re - a._M_im * b._M_im));
}
template <class T> static __device__ inline complex<T> atanh(const complex<T> &z)
{
    const T x = z._M_re, y = z._M_im;
    if (::signbit(x)) {
        const complex<T> other = cmath::atanh(complex<T>(-x, -y));
        return complex<T>(-other._M_re, -other._M_im);
    }
    if (x == 0 && y != y) return z;
    if (is_large(x) || is_large(y)) {
        if (x != x) return complex<T>(T(0), ::copysign(T(1.57079632679489661923), y));
        const T half = ::hypot(x / 2, y / 2);
        return complex<T>(::isinf(half) ? T(0) : x / 4 / half / half, y != y ? y : ::copysign(T(1.57079632679489661923), y));
    }
    if (x == 1 && y == 0) return complex<T>(infinity<T>(), y);
    const T below = (1 - x) * (1 - x) + y * y;
    return complex<T>(::log1p(4 * x / below) / 4, -::atan2(-2 * y, (1 - x) * (1 + x) - y * y) / 2);
}
// The others by a quarter turn: sin(z) = -i sinh(iz).
#define CUOX_TURNED(name, other) \
    template <class T> static __device__ inline complex<T> name(const complex<T> &z) \
    { \
        const complex<T> r = cmath::other(complex<T>(-z._M_im, z._M_re)); \
        return complex<T>(r._M_im, -r._M_re); \
    }
CUOX_TURNED(sin, sinh)
CUOX_TURNED(tan, tanh)
CUOX_TURNED(asin, asinh)
CUOX_TURNED(atan, atanh)
#undef CUOX_TURNED
template <class T> static __device__ inline complex<T> cos(const complex<T> &z) { return cmath::cosh(complex<T>(-z._M_im, z._M_re)); }
template <class T> static __device__ inline complex<T> rect(T length, T angle) { return turned(length, angle); }
template <class T> static __device__ inline complex<T> log2(const complex<T> &z) { return cmath::log(z) * T(1.44269504088896340736); }
template <class T> static __device__ inline complex<T> exp2(const complex<T> &z) { return cmath::exp(z * T(0.693147180559945309417)); }
}
}
namespace py {
// NumPy's order: by the real parts, then by the imaginary ones; nothing is less or greater than a NaN.
template <class T> static __device__ inline bool greater(const complex<T> &a, const complex<T> &b)
{
    bool ordered = a._M_im == a._M_im && b._M_im == b._M_im;
    return (a._M_re > b._M_re && ordered) || (a._M_re == b._M_re && a._M_im > b._M_im);
}
template <class T> static __device__ inline bool greater_equal(const complex<T> &a, const complex<T> &b)
{
    bool ordered = a._M_im == a._M_im && b._M_im == b._M_im;
    return (a._M_re > b._M_re && ordered) || (a._M_re == b._M_re && a._M_im >= b._M_im);
}
template <class T> static __device__ inline bool less(const complex<T> &a, const complex<T> &b) { return greater(b, a); }
template <class T> static __device__ inline bool less_equal(const complex<T> &a, const complex<T> &b) { return greater_equal(b, a); }
template <class T> static __device__ inline complex<T> sign(const complex<T> &z) { return z._M_re == 0 && z._M_im == 0 ? z : z / complex<T>(abs(z)); }
}
