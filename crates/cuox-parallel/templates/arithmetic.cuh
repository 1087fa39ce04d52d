// Operations on numbers, with the results that NumPy has: integers wrap, division by zero gives zero, remainders have the sign of the divisor.
namespace cuox {

// A half-precision number: computed with as float, and rounded once.
struct half {
    unsigned short bits;

    __device__ __forceinline__ half() : bits(0)
    {
    }

    __device__ __forceinline__ half(float x)
    {
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    }

    __device__ __forceinline__ half(int x) : half((float)x)
    {
    }

    __device__ __forceinline__ half(double x)
    {
        asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
    }

    __device__ __forceinline__ operator float() const
    {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};

// For each type: the type that it is computed in, where integers wrap as C's unsigned ones do.
template <typename T> struct number;

#define CUOX_NUMBER(type, work, is_integer, is_signed)            \
    template <> struct number<type> {                             \
        typedef work in;                                          \
        static const bool integer = is_integer;                   \
        static const bool with_sign = is_signed;                  \
    };

CUOX_NUMBER(bool, unsigned, false, false)
CUOX_NUMBER(signed char, unsigned, true, true)
CUOX_NUMBER(unsigned char, unsigned, true, false)
CUOX_NUMBER(short, unsigned, true, true)
CUOX_NUMBER(unsigned short, unsigned, true, false)
CUOX_NUMBER(int, unsigned, true, true)
CUOX_NUMBER(unsigned int, unsigned, true, false)
CUOX_NUMBER(long long, unsigned long long, true, true)
CUOX_NUMBER(unsigned long long, unsigned long long, true, false)
CUOX_NUMBER(half, float, false, true)
CUOX_NUMBER(float, float, false, true)
CUOX_NUMBER(double, double, false, true)
CUOX_NUMBER(complex<float>, complex<float>, false, true)
CUOX_NUMBER(complex<double>, complex<double>, false, true)

// Conversions, as those of NumPy's astype.
template <typename To, typename From>
struct converter {
    static __device__ __forceinline__ To of(From x)
    {
        return (To)x;
    }
};

// Small integers are what 64-bit ones are cut off to.
#define CUOX_CUT(to, from)                                        \
    template <> struct converter<to, from> {                      \
        static __device__ __forceinline__ to of(from x)           \
        {                                                         \
            return (to)(long long)x;                              \
        }                                                         \
    };

#define CUOX_CUTS(from)                                           \
    CUOX_CUT(signed char, from)                                   \
    CUOX_CUT(unsigned char, from)                                 \
    CUOX_CUT(short, from)                                         \
    CUOX_CUT(unsigned short, from)                                \
    CUOX_CUT(unsigned int, from)

CUOX_CUTS(half)
CUOX_CUTS(float)
CUOX_CUTS(double)

template <typename From>
struct converter<half, From> {
    static __device__ __forceinline__ half of(From x)
    {
        return half((float)x);
    }
};

template <>
struct converter<half, half> {
    static __device__ __forceinline__ half of(half x)
    {
        return x;
    }
};

template <>
struct converter<half, double> {
    static __device__ __forceinline__ half of(double x)
    {
        return half(x);
    }
};

template <>
struct converter<bool, half> {
    static __device__ __forceinline__ bool of(half x)
    {
        return (float)x != 0;
    }
};

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

template <typename To, typename From>
__device__ __forceinline__ To convert(From x)
{
    return converter<To, From>::of(x);
}

#define CUOX_WORK(T) typename number<T>::in
#define CUOX_BINARY(name) \
    template <typename T> __device__ __forceinline__ T name(T a, T b)
#define CUOX_UNARY(name) \
    template <typename T> __device__ __forceinline__ T name(T x)

CUOX_BINARY(add)
{
    return (T)((CUOX_WORK(T))a + (CUOX_WORK(T))b);
}

CUOX_BINARY(subtract)
{
    return (T)((CUOX_WORK(T))a - (CUOX_WORK(T))b);
}

CUOX_BINARY(multiply)
{
    return (T)((CUOX_WORK(T))a * (CUOX_WORK(T))b);
}

CUOX_BINARY(true_divide)
{
    return (T)((CUOX_WORK(T))a / (CUOX_WORK(T))b);
}

// The truth of numbers.
template <typename T>
__device__ __forceinline__ bool truth(T x)
{
    return convert<bool>(x);
}

// bool: sums are disjunctions, products conjunctions; both come out of the conversion to bool.

template <typename T, bool Integer>
struct division {
    static __device__ __forceinline__ T quotient(T a, T b)
    {
        if (b == 0)
            return 0;
        // The smallest number divided by -1 wraps to itself.
        if (number<T>::with_sign && b == (T)-1)
            return (T)((CUOX_WORK(T))0 - (CUOX_WORK(T))a);
        const T q = (T)(a / b);
        return (T)(a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q);
    }

    static __device__ __forceinline__ T remainder(T a, T b)
    {
        if (b == 0 || number<T>::with_sign && b == (T)-1)
            return 0;
        const T r = (T)(a % b);
        return (T)(r != 0 && (r < 0) != (b < 0) ? r + b : r);
    }

    static __device__ __forceinline__ T truncated(T a, T b)
    {
        return b == 0 || number<T>::with_sign && b == (T)-1 ? (T)0 : (T)(a % b);
    }
};

template <typename T>
struct division<T, false> {
    static __device__ __forceinline__ T quotient(T a, T b)
    {
        if (b == 0)
            return a / b;
        T r = ::fmod(a, b);
        T q = (a - r) / b;
        if (r != 0 && (b < 0) != (r < 0))
            q -= 1;
        if (q == 0)
            return ::copysign(T(0), a / b);
        const T whole = ::floor(q);
        return q - whole > T(0.5) ? whole + 1 : whole;
    }

    static __device__ __forceinline__ T remainder(T a, T b)
    {
        const T r = ::fmod(a, b);
        if (b == 0)
            return r;
        if (r == 0)
            return ::copysign(T(0), b);
        return (b < 0) != (r < 0) ? r + b : r;
    }

    static __device__ __forceinline__ T truncated(T a, T b)
    {
        return ::fmod(a, b);
    }
};

template <>
struct division<half, false> {
    typedef division<float, false> in;

    static __device__ __forceinline__ half quotient(half a, half b)
    {
        return in::quotient(a, b);
    }

    static __device__ __forceinline__ half remainder(half a, half b)
    {
        return in::remainder(a, b);
    }

    static __device__ __forceinline__ half truncated(half a, half b)
    {
        return in::truncated(a, b);
    }
};

CUOX_BINARY(floor_divide)
{
    return division<T, number<T>::integer>::quotient(a, b);
}

CUOX_BINARY(remainder)
{
    return division<T, number<T>::integer>::remainder(a, b);
}

CUOX_BINARY(fmod)
{
    return division<T, number<T>::integer>::truncated(a, b);
}

// The order of complex numbers is that of their real parts, then of their imaginary ones.
template <typename T>
__device__ __forceinline__ bool is_nan(T x)
{
    return x != x;
}

__device__ __forceinline__ bool is_nan(half x)
{
    return (float)x != (float)x;
}

template <typename A, typename B>
__device__ __forceinline__ bool less(A a, B b)
{
    return a < b;
}

template <typename A, typename B>
__device__ __forceinline__ bool equal(A a, B b)
{
    return a == b;
}

// Of different signs, where C would convert the signed one.
__device__ __forceinline__ bool less(long long a, unsigned long long b)
{
    return a < 0 || (unsigned long long)a < b;
}

__device__ __forceinline__ bool less(unsigned long long a, long long b)
{
    return b >= 0 && a < (unsigned long long)b;
}

__device__ __forceinline__ bool equal(long long a, unsigned long long b)
{
    return a >= 0 && (unsigned long long)a == b;
}

__device__ __forceinline__ bool equal(unsigned long long a, long long b)
{
    return equal(b, a);
}

__device__ __forceinline__ bool less(half a, half b)
{
    return (float)a < (float)b;
}

__device__ __forceinline__ bool equal(half a, half b)
{
    return (float)a == (float)b;
}

template <typename T>
__device__ __forceinline__ bool less(complex<T> a, complex<T> b)
{
    return a._M_re < b._M_re && !is_nan(a._M_im) && !is_nan(b._M_im) || a._M_re == b._M_re && a._M_im < b._M_im;
}

template <typename A, typename B>
__device__ __forceinline__ bool less_equal(A a, B b)
{
    return less(a, b) || equal(a, b);
}

template <typename A, typename B>
__device__ __forceinline__ bool greater(A a, B b)
{
    return less(b, a);
}

template <typename A, typename B>
__device__ __forceinline__ bool greater_equal(A a, B b)
{
    return less(b, a) || equal(b, a);
}

template <typename A, typename B>
__device__ __forceinline__ bool not_equal(A a, B b)
{
    return !equal(a, b);
}

CUOX_BINARY(maximum)
{
    return greater_equal(a, b) || is_nan(a) ? a : b;
}

CUOX_BINARY(minimum)
{
    return less_equal(a, b) || is_nan(a) ? a : b;
}

// Numbers rather than NaN.
CUOX_BINARY(fmax)
{
    return greater_equal(a, b) || is_nan(b) ? a : b;
}

CUOX_BINARY(fmin)
{
    return less_equal(a, b) || is_nan(b) ? a : b;
}

CUOX_BINARY(bitwise_and)
{
    return (T)(a & b);
}

CUOX_BINARY(bitwise_or)
{
    return (T)(a | b);
}

CUOX_BINARY(bitwise_xor)
{
    return (T)(a ^ b);
}

template <typename A, typename B>
__device__ __forceinline__ bool logical_and(A a, B b)
{
    return truth(a) && truth(b);
}

template <typename A, typename B>
__device__ __forceinline__ bool logical_or(A a, B b)
{
    return truth(a) || truth(b);
}

template <typename A, typename B>
__device__ __forceinline__ bool logical_xor(A a, B b)
{
    return truth(a) != truth(b);
}

// Shifts by more bits than there are, or by a negative number, leave nothing but the sign.
CUOX_BINARY(left_shift)
{
    const unsigned long long count = (unsigned long long)b;
    return count < 8 * sizeof(T) ? (T)((CUOX_WORK(T))a << count) : (T)0;
}

CUOX_BINARY(right_shift)
{
    const unsigned long long count = (unsigned long long)b;
    return count < 8 * sizeof(T) ? (T)(a >> count) : (T)(a < 0 ? -1 : 0);
}

template <typename T, bool Integer>
struct power_of {
    static __device__ __forceinline__ T of(T a, T b)
    {
        // There is no exception on a device for negative exponents: the result is that of integer division.
        if (number<T>::with_sign && b < 0)
            return a == (T)1 ? (T)1 : a == (T)-1 ? (T)(b & 1 ? -1 : 1) : (T)0;
        CUOX_WORK(T) base = (CUOX_WORK(T))a, result = 1;
        for (unsigned long long n = (unsigned long long)b; n != 0; n >>= 1) {
            if (n & 1)
                result *= base;
            base *= base;
        }
        return (T)result;
    }
};

template <typename T>
struct power_of<T, false> {
    static __device__ __forceinline__ T of(T a, T b)
    {
        return ::pow(a, b);
    }
};

template <>
struct power_of<half, false> {
    static __device__ __forceinline__ half of(half a, half b)
    {
        return ::powf(a, b);
    }
};

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

CUOX_BINARY(power)
{
    return power_of<T, number<T>::integer>::of(a, b);
}

CUOX_UNARY(positive)
{
    return x;
}

CUOX_UNARY(negative)
{
    return (T)(-(CUOX_WORK(T))x);
}

template <typename T>
__device__ __forceinline__ complex<T> negative(complex<T> z)
{
    return -z;
}

CUOX_UNARY(invert)
{
    return (T)~x;
}

__device__ __forceinline__ bool invert(bool x)
{
    return !x;
}

template <typename T>
__device__ __forceinline__ bool logical_not(T x)
{
    return !truth(x);
}

CUOX_UNARY(absolute)
{
    return x < 0 ? negative(x) : x;
}

__device__ __forceinline__ bool absolute(bool x)
{
    return x;
}

__device__ __forceinline__ half absolute(half x)
{
    x.bits &= 0x7fff;
    return x;
}

__device__ __forceinline__ float absolute(float x)
{
    return ::fabsf(x);
}

__device__ __forceinline__ double absolute(double x)
{
    return ::fabs(x);
}

template <typename T>
__device__ __forceinline__ T absolute(complex<T> z)
{
    return abs(z);
}

CUOX_UNARY(conjugate)
{
    return x;
}

template <typename T>
__device__ __forceinline__ complex<T> conjugate(complex<T> z)
{
    return conj(z);
}

CUOX_UNARY(real_part)
{
    return x;
}

template <typename T>
__device__ __forceinline__ T real_part(complex<T> z)
{
    return z._M_re;
}

CUOX_UNARY(imaginary_part)
{
    return (T)0;
}

template <typename T>
__device__ __forceinline__ T imaginary_part(complex<T> z)
{
    return z._M_im;
}

CUOX_UNARY(sign)
{
    return (T)(x > 0 ? 1 : x < 0 ? -1 : 0);
}

__device__ __forceinline__ float sign(float x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
}

__device__ __forceinline__ double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
}

__device__ __forceinline__ half sign(half x)
{
    return sign((float)x);
}

template <typename T>
__device__ __forceinline__ complex<T> sign(complex<T> z)
{
    const T length = abs(z);
    return length == 0 ? complex<T>(0) : z / length;
}

CUOX_UNARY(square)
{
    return multiply(x, x);
}

// Of integers only 1 and -1 have one that is not zero.
CUOX_UNARY(reciprocal)
{
    return number<T>::integer ? x == (T)1 || number<T>::with_sign && x == (T)-1 ? x : (T)0 : true_divide((T)1, x);
}

template <typename T>
__device__ __forceinline__ complex<T> reciprocal(complex<T> z)
{
    return complex<T>(1) / z;
}

template <typename T>
__device__ __forceinline__ bool isnan(T x)
{
    return is_nan(x);
}

template <typename T>
__device__ __forceinline__ bool isnan(complex<T> z)
{
    return is_nan(z._M_re) || is_nan(z._M_im);
}

template <typename T>
__device__ __forceinline__ bool isfinite(T x)
{
    return subtract(x, x) == (T)0;
}

template <typename T>
__device__ __forceinline__ bool isfinite(complex<T> z)
{
    return isfinite(z._M_re) && isfinite(z._M_im);
}

template <typename T>
__device__ __forceinline__ bool isinf(T x)
{
    return !isfinite(x) && !is_nan(x);
}

template <typename T>
__device__ __forceinline__ bool isinf(complex<T> z)
{
    return isinf(z._M_re) || isinf(z._M_im);
}

// Functions of C for floating-point numbers; float and double have overloads of their own.
#define CUOX_FUNCTION(name)                                       \
    __device__ __forceinline__ float name(float x)                \
    {                                                             \
        return ::name##f(x);                                      \
    }                                                             \
    __device__ __forceinline__ double name(double x)              \
    {                                                             \
        return ::name(x);                                         \
    }                                                             \
    __device__ __forceinline__ half name(half x)                  \
    {                                                             \
        return ::name##f((float)x);                               \
    }

CUOX_FUNCTION(sin)
CUOX_FUNCTION(cos)
CUOX_FUNCTION(tan)
CUOX_FUNCTION(asin)
CUOX_FUNCTION(acos)
CUOX_FUNCTION(atan)
CUOX_FUNCTION(sinh)
CUOX_FUNCTION(cosh)
CUOX_FUNCTION(tanh)
CUOX_FUNCTION(asinh)
CUOX_FUNCTION(acosh)
CUOX_FUNCTION(atanh)
CUOX_FUNCTION(exp)
CUOX_FUNCTION(exp2)
CUOX_FUNCTION(expm1)
CUOX_FUNCTION(log)
CUOX_FUNCTION(log2)
CUOX_FUNCTION(log10)
CUOX_FUNCTION(log1p)
CUOX_FUNCTION(sqrt)
CUOX_FUNCTION(cbrt)
CUOX_FUNCTION(ceil)
CUOX_FUNCTION(floor)
CUOX_FUNCTION(trunc)
CUOX_FUNCTION(rint)
CUOX_FUNCTION(fabs)

template <typename T>
__device__ __forceinline__ complex<T> rint(complex<T> z)
{
    return complex<T>(rint(z._M_re), rint(z._M_im));
}

// Of integers these are the integers themselves.
CUOX_UNARY(ceil)
{
    return x;
}

CUOX_UNARY(floor)
{
    return x;
}

CUOX_UNARY(trunc)
{
    return x;
}

#define CUOX_FUNCTION_OF_TWO(name, function)                      \
    __device__ __forceinline__ float name(float a, float b)       \
    {                                                             \
        return ::function##f(a, b);                               \
    }                                                             \
    __device__ __forceinline__ double name(double a, double b)    \
    {                                                             \
        return ::function(a, b);                                  \
    }                                                             \
    __device__ __forceinline__ half name(half a, half b)          \
    {                                                             \
        return ::function##f((float)a, (float)b);                 \
    }

CUOX_FUNCTION_OF_TWO(arctan2, atan2)
CUOX_FUNCTION_OF_TWO(hypot, hypot)
CUOX_FUNCTION_OF_TWO(copysign, copysign)

}
