// The types of numbers, and their conversions, as those of NumPy's astype.
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

template <typename To, typename From>
__device__ __forceinline__ To convert(From x)
{
    return converter<To, From>::of(x);
}

}
