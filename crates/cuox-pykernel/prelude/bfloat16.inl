// bfloat16: float32's upper half, computed as float32 and rounded to even.
struct bfloat16 {
    unsigned short bits;
    bfloat16() = default;
    __device__ inline explicit bfloat16(float x) { asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ inline explicit bfloat16(double x)
    {
        // Rounded to odd first, so that the second rounding is the only one that shows.
        float up = (float)x;
        unsigned int word = __float_as_uint(up);
        if ((double)up != x && x - x == 0 && !(word & 1)) {
            bool larger = ((double)up > x) == (x > 0);
            word = larger ? word - 1 : word | 1;
        }
        bits = bfloat16(__uint_as_float(word)).bits;
    }
    __device__ inline operator float() const { return __uint_as_float((unsigned int)bits << 16); }
};
static __device__ inline bfloat16 operator+(bfloat16 a, bfloat16 b) { return bfloat16(float(a) + float(b)); }
static __device__ inline bfloat16 operator-(bfloat16 a, bfloat16 b) { return bfloat16(float(a) - float(b)); }
static __device__ inline bfloat16 operator*(bfloat16 a, bfloat16 b) { return bfloat16(float(a) * float(b)); }
static __device__ inline bfloat16 operator/(bfloat16 a, bfloat16 b) { return bfloat16(float(a) / float(b)); }
static __device__ inline bfloat16 operator-(bfloat16 a)
{
    a.bits ^= 0x8000;
    return a;
}
static __device__ inline bool operator==(bfloat16 a, bfloat16 b) { return float(a) == float(b); }
static __device__ inline bool operator!=(bfloat16 a, bfloat16 b) { return float(a) != float(b); }
static __device__ inline bool operator<(bfloat16 a, bfloat16 b) { return float(a) < float(b); }
static __device__ inline bool operator<=(bfloat16 a, bfloat16 b) { return float(a) <= float(b); }
static __device__ inline bool operator>(bfloat16 a, bfloat16 b) { return float(a) > float(b); }
static __device__ inline bool operator>=(bfloat16 a, bfloat16 b) { return float(a) >= float(b); }
namespace py {
static __device__ inline bfloat16 fma(bfloat16 a, bfloat16 b, bfloat16 c)
{
    bfloat16 r;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return r;
}
static __device__ inline bfloat16 abs(bfloat16 x)
{
    x.bits &= 0x7fff;
    return x;
}
}
