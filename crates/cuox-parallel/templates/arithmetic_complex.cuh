// Operations on complex numbers: those of arithmetic.cuh that their operators do not make them by themselves.
namespace cuox {

CUOX_NUMBER(complex<float>, complex<float>, false, true)
CUOX_NUMBER(complex<double>, complex<double>, false, true)

template <typename To, typename T>
struct converter<To, complex<T>> {
    static __device__ __forceinline__ To of(complex<T> z)
    {
        return converter<To, T>::of(z._M_re);
    }
};

template <typename T>
struct converter<bool, complex<T>> {
    static __device__ __forceinline__ bool of(complex<T> z)
    {
        return z._M_re != 0 || z._M_im != 0;
    }
};

template <typename T>
struct converter<half, complex<T>> {
    static __device__ __forceinline__ half of(complex<T> z)
    {
        return converter<half, T>::of(z._M_re);
    }
};

template <typename T, typename From>
struct converter<complex<T>, From> {
    static __device__ __forceinline__ complex<T> of(From x)
    {
        return complex<T>(converter<T, From>::of(x));
    }
};

template <typename T, typename U>
struct converter<complex<T>, complex<U>> {
    static __device__ __forceinline__ complex<T> of(complex<U> z)
    {
        return complex<T>(z);
    }
};

// Ordered by real parts, then by imaginary ones.
template <typename T>
__device__ __forceinline__ bool less(complex<T> a, complex<T> b)
{
    return a._M_re < b._M_re && !is_nan(a._M_im) && !is_nan(b._M_im) || a._M_re == b._M_re && a._M_im < b._M_im;
}

template <typename T>
struct power_of<complex<T>, false> {
    static __device__ __forceinline__ complex<T> of(complex<T> a, complex<T> b)
    {
        return pow(a, b);
    }
};

// Of logarithm and exponential together, float has too few digits.
template <>
struct power_of<complex<float>, false> {
    static __device__ __forceinline__ complex<float> of(complex<float> a, complex<float> b)
    {
        return complex<float>(pow(complex<double>(a), complex<double>(b)));
    }
};

template <typename T>
__device__ __forceinline__ complex<T> negative(complex<T> z)
{
    return -z;
}

template <typename T>
__device__ __forceinline__ T absolute(complex<T> z)
{
    return abs(z);
}

template <typename T>
__device__ __forceinline__ complex<T> conjugate(complex<T> z)
{
    return conj(z);
}

template <typename T>
__device__ __forceinline__ T real_part(complex<T> z)
{
    return z._M_re;
}

template <typename T>
__device__ __forceinline__ T imaginary_part(complex<T> z)
{
    return z._M_im;
}

template <typename T>
__device__ __forceinline__ complex<T> sign(complex<T> z)
{
    const T length = abs(z);
    return length == 0 ? complex<T>(0) : z / length;
}

template <typename T>
__device__ __forceinline__ complex<T> reciprocal(complex<T> z)
{
    return complex<T>(1) / z;
}

template <typename T>
__device__ __forceinline__ bool isnan(complex<T> z)
{
    return is_nan(z._M_re) || is_nan(z._M_im);
}

template <typename T>
__device__ __forceinline__ bool isfinite(complex<T> z)
{
    return isfinite(z._M_re) && isfinite(z._M_im);
}

template <typename T>
__device__ __forceinline__ bool isinf(complex<T> z)
{
    return isinf(z._M_re) || isinf(z._M_im);
}

template <typename T>
__device__ __forceinline__ complex<T> rint(complex<T> z)
{
    return complex<T>(rint(z._M_re), rint(z._M_im));
}

}
