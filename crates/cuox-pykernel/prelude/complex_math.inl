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
