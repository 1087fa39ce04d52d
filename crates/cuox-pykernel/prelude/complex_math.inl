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
namespace py {
template <class T> static __device__ inline complex<T> asinh(const complex<T> &z)
{
    // By way of the logarithm, with the sign that keeps digits.
    complex<T> w = z._M_re < 0 ? -z : z;
    complex<T> r = log(w + sqrt(w * w + complex<T>(T(1))));
    return z._M_re < 0 ? -r : r;
}
template <class T> static __device__ inline complex<T> asin(const complex<T> &z)
{
    complex<T> r = asinh(complex<T>(-z._M_im, z._M_re));
    return complex<T>(r._M_im, -r._M_re);
}
template <class T> static __device__ inline complex<T> acos(const complex<T> &z)
{
    complex<T> a = sqrt(complex<T>(T(1) - z._M_re, -z._M_im)), b = sqrt(complex<T>(T(1) + z._M_re, z._M_im));
    complex<T> c = conj(b) * a;
    return complex<T>(T(2) * ::atan2(a._M_re, b._M_re), ::asinh(c._M_im));
}
template <class T> static __device__ inline complex<T> acosh(const complex<T> &z)
{
    complex<T> a = sqrt(complex<T>(z._M_re - T(1), z._M_im)), b = sqrt(complex<T>(z._M_re + T(1), z._M_im));
    complex<T> c = conj(a) * b;
    return complex<T>(::asinh(c._M_re), T(2) * ::atan2(a._M_im, b._M_re));
}
template <class T> static __device__ inline complex<T> atanh(const complex<T> &z)
{
    T x = z._M_re, y = z._M_im, below = (T(1) - x) * (T(1) - x) + y * y;
    return complex<T>(::log1p(T(4) * x / below) / T(4), ::atan2(T(2) * y, (T(1) - x) * (T(1) + x) - y * y) / T(2));
}
template <class T> static __device__ inline complex<T> atan(const complex<T> &z)
{
    complex<T> r = atanh(complex<T>(-z._M_im, z._M_re));
    return complex<T>(r._M_im, -r._M_re);
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
template <class T> static __device__ inline complex<T> log2(const complex<T> &z) { return log(z) * T(1.44269504088896340736); }
template <class T> static __device__ inline complex<T> exp2(const complex<T> &z) { return exp(z * T(0.693147180559945309417)); }
}
