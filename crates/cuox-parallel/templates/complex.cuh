// Complex numbers.
namespace cuox {

template <typename T>
struct complex {
    typedef T value_type;

    T re, im;

    __host__ __device__ __forceinline__ complex() : re(), im()
    {
    }

    __host__ __device__ __forceinline__ complex(T re, T im = T()) : re(re), im(im)
    {
    }

    template <typename U>
    __host__ __device__ __forceinline__ complex(const complex<U> &z) : re((T)z.re), im((T)z.im)
    {
    }

    __host__ __device__ __forceinline__ T real() const
    {
        return re;
    }

    __host__ __device__ __forceinline__ T imag() const
    {
        return im;
    }

    __host__ __device__ __forceinline__ complex &operator=(T x)
    {
        re = x;
        im = T();
        return *this;
    }

    __host__ __device__ __forceinline__ complex &operator+=(T x)
    {
        re += x;
        return *this;
    }

    __host__ __device__ __forceinline__ complex &operator-=(T x)
    {
        re -= x;
        return *this;
    }

    __host__ __device__ __forceinline__ complex &operator*=(T x)
    {
        re *= x;
        im *= x;
        return *this;
    }

    __host__ __device__ __forceinline__ complex &operator/=(T x)
    {
        re /= x;
        im /= x;
        return *this;
    }

    template <typename U>
    __host__ __device__ __forceinline__ complex &operator+=(const complex<U> &z)
    {
        re += (T)z.re;
        im += (T)z.im;
        return *this;
    }

    template <typename U>
    __host__ __device__ __forceinline__ complex &operator-=(const complex<U> &z)
    {
        re -= (T)z.re;
        im -= (T)z.im;
        return *this;
    }

    template <typename U>
    __host__ __device__ __forceinline__ complex &operator*=(const complex<U> &z)
    {
        return *this = *this * complex(z);
    }

    template <typename U>
    __host__ __device__ __forceinline__ complex &operator/=(const complex<U> &z)
    {
        return *this = *this / complex(z);
    }

    // Friends, not templates: so a number of another type than T is converted.
    friend __host__ __device__ __forceinline__ complex operator+(const complex &a, const complex &b)
    {
        return complex(a.re + b.re, a.im + b.im);
    }

    friend __host__ __device__ __forceinline__ complex operator-(const complex &a, const complex &b)
    {
        return complex(a.re - b.re, a.im - b.im);
    }

    friend __host__ __device__ __forceinline__ complex operator*(const complex &a, const complex &b)
    {
        return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }

    // By Smith's method: the larger part of the divisor is divided by, so nothing overflows that need not.
    friend __host__ __device__ __forceinline__ complex operator/(const complex &a, const complex &b)
    {
        const T re = ::fabs(b.re), im = ::fabs(b.im);
        if (re >= im) {
            if (re == 0 && im == 0)
                return complex(a.re / re, a.im / re);
            const T ratio = b.im / b.re;
            const T scale = T(1) / (b.re + b.im * ratio);
            return complex((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale);
        }
        const T ratio = b.re / b.im;
        const T scale = T(1) / (b.im + b.re * ratio);
        return complex((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale);
    }

    friend __host__ __device__ __forceinline__ complex operator+(const complex &a, T b)
    {
        return complex(a.re + b, a.im);
    }

    friend __host__ __device__ __forceinline__ complex operator+(T a, const complex &b)
    {
        return complex(a + b.re, b.im);
    }

    friend __host__ __device__ __forceinline__ complex operator-(const complex &a, T b)
    {
        return complex(a.re - b, a.im);
    }

    friend __host__ __device__ __forceinline__ complex operator-(T a, const complex &b)
    {
        return complex(a - b.re, -b.im);
    }

    friend __host__ __device__ __forceinline__ complex operator*(const complex &a, T b)
    {
        return complex(a.re * b, a.im * b);
    }

    friend __host__ __device__ __forceinline__ complex operator*(T a, const complex &b)
    {
        return complex(a * b.re, a * b.im);
    }

    friend __host__ __device__ __forceinline__ complex operator/(const complex &a, T b)
    {
        return complex(a.re / b, a.im / b);
    }

    friend __host__ __device__ __forceinline__ complex operator/(T a, const complex &b)
    {
        return complex(a) / b;
    }

    friend __host__ __device__ __forceinline__ complex operator+(const complex &a)
    {
        return a;
    }

    friend __host__ __device__ __forceinline__ complex operator-(const complex &a)
    {
        return complex(-a.re, -a.im);
    }

    friend __host__ __device__ __forceinline__ bool operator==(const complex &a, const complex &b)
    {
        return a.re == b.re && a.im == b.im;
    }

    friend __host__ __device__ __forceinline__ bool operator!=(const complex &a, const complex &b)
    {
        return !(a == b);
    }

    friend __host__ __device__ __forceinline__ bool operator==(const complex &a, T b)
    {
        return a.re == b && a.im == 0;
    }

    friend __host__ __device__ __forceinline__ bool operator==(T a, const complex &b)
    {
        return b == a;
    }

    friend __host__ __device__ __forceinline__ bool operator!=(const complex &a, T b)
    {
        return !(a == b);
    }

    friend __host__ __device__ __forceinline__ bool operator!=(T a, const complex &b)
    {
        return !(b == a);
    }
};

template <typename T>
__device__ __forceinline__ T real(const complex<T> &z)
{
    return z.re;
}

template <typename T>
__device__ __forceinline__ T imag(const complex<T> &z)
{
    return z.im;
}

template <typename T>
__device__ __forceinline__ complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.re, -z.im);
}

// The square of the absolute value.
template <typename T>
__device__ __forceinline__ T norm(const complex<T> &z)
{
    return z.re * z.re + z.im * z.im;
}

template <typename T>
__device__ __forceinline__ T abs(const complex<T> &z)
{
    return ::hypot(z.re, z.im);
}

template <typename T>
__device__ __forceinline__ T arg(const complex<T> &z)
{
    return ::atan2(z.im, z.re);
}

template <typename T>
__device__ __forceinline__ complex<T> polar(T length, T angle)
{
    T s, c;
    ::sincos(angle, &s, &c);
    return complex<T>(length * c, length * s);
}

template <typename T>
__device__ __forceinline__ complex<T> exp(const complex<T> &z)
{
    const T length = ::exp(z.re);
    if (z.im == 0)
        return complex<T>(length, z.im);
    return polar(length, z.im);
}

template <typename T>
__device__ __forceinline__ complex<T> log(const complex<T> &z)
{
    return complex<T>(::log(abs(z)), arg(z));
}

template <typename T>
__device__ __forceinline__ complex<T> log10(const complex<T> &z)
{
    return log(z) * T(0.43429448190325182765);
}

template <typename T>
__device__ __forceinline__ complex<T> sin(const complex<T> &z)
{
    T s, c;
    ::sincos(z.re, &s, &c);
    return complex<T>(s * ::cosh(z.im), c * ::sinh(z.im));
}

template <typename T>
__device__ __forceinline__ complex<T> cos(const complex<T> &z)
{
    T s, c;
    ::sincos(z.re, &s, &c);
    return complex<T>(c * ::cosh(z.im), -(s * ::sinh(z.im)));
}

template <typename T>
__device__ __forceinline__ complex<T> sinh(const complex<T> &z)
{
    T s, c;
    ::sincos(z.im, &s, &c);
    return complex<T>(c * ::sinh(z.re), s * ::cosh(z.re));
}

template <typename T>
__device__ __forceinline__ complex<T> cosh(const complex<T> &z)
{
    T s, c;
    ::sincos(z.im, &s, &c);
    return complex<T>(c * ::cosh(z.re), s * ::sinh(z.re));
}

// tanh(x + yi) = (sinh 2x + i sin 2y) / (cosh 2x + cos 2y), written such that nothing overflows.
template <typename T>
__device__ __forceinline__ complex<T> tanh(const complex<T> &z)
{
    const T t = ::tan(z.im);
    const T s = ::sinh(z.re);
    const T beta = 1 + t * t;
    if (::fabs(z.re) > T(sizeof(T) == 4 ? 11 : 22)) {
        const T e = ::exp(-::fabs(z.re));
        const T sine = ::sin(z.im), cosine = ::cos(z.im);
        return complex<T>(::copysign(T(1), z.re), 4 * sine * cosine * e * e);
    }
    const T rho = ::sqrt(1 + s * s);
    const T denominator = 1 + beta * s * s;
    return complex<T>(beta * rho * s / denominator, t / denominator);
}

// tan z = -i tanh iz
template <typename T>
__device__ __forceinline__ complex<T> tan(const complex<T> &z)
{
    const complex<T> turned = tanh(complex<T>(-z.im, z.re));
    return complex<T>(turned.im, -turned.re);
}

template <typename T>
__device__ __forceinline__ complex<T> sqrt(const complex<T> &z)
{
    const T length = abs(z);
    if (length == 0)
        return complex<T>(0, z.im);
    const T half = ::sqrt((length + ::fabs(z.re)) / 2);
    const T other = ::fabs(z.im) / (2 * half);
    const bool right = z.re >= 0;
    return complex<T>(right ? half : other, ::copysign(right ? other : half, z.im));
}

// By repeated multiplication.
template <typename T>
__device__ __forceinline__ complex<T> pow(complex<T> z, int n)
{
    const bool inverse = n < 0;
    unsigned rest = inverse ? 0u - (unsigned)n : (unsigned)n;
    complex<T> power(1);
    while (rest != 0) {
        if (rest & 1)
            power = power * z;
        z = z * z;
        rest >>= 1;
    }
    return inverse ? complex<T>(1) / power : power;
}

template <typename T>
__device__ __forceinline__ complex<T> pow(const complex<T> &a, const complex<T> &b)
{
    if (b.re == 0 && b.im == 0)
        return complex<T>(1);
    if (a.re == 0 && a.im == 0)
        return b.re > 0 ? complex<T>(0) : complex<T>(T(0) / T(0), T(0) / T(0));
    if (b.im == 0 && b.re == ::floor(b.re) && ::fabs(b.re) < 100)
        return pow(a, (int)b.re);
    return exp(b * log(a));
}

template <typename T>
__device__ __forceinline__ complex<T> pow(const complex<T> &a, T b)
{
    return pow(a, complex<T>(b));
}

template <typename T>
__device__ __forceinline__ complex<T> pow(T a, const complex<T> &b)
{
    return pow(complex<T>(a), b);
}

}
