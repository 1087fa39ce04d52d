// Operations on numbers, with the results that NumPy has: integers wrap, division by zero gives zero, remainders have the sign of the divisor.
namespace cuox {

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

CUOX_UNARY(conjugate)
{
    return x;
}

CUOX_UNARY(real_part)
{
    return x;
}

CUOX_UNARY(imaginary_part)
{
    return (T)0;
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
__device__ __forceinline__ bool isnan(T x)
{
    return is_nan(x);
}

template <typename T>
__device__ __forceinline__ bool isfinite(T x)
{
    return subtract(x, x) == (T)0;
}

template <typename T>
__device__ __forceinline__ bool isinf(T x)
{
    return !isfinite(x) && !is_nan(x);
}

}
