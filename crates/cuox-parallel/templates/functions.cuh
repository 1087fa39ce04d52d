// Functions of C for floating-point numbers, and the roundings of integers.
namespace cuox {

// Overloads, so that float is computed as float.
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
