// Half precision: computed as CUDA's instructions do, or as float32 and rounded once.
struct float16 {
    unsigned short bits;
    float16() = default;
    __device__ inline explicit float16(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ inline explicit float16(double x) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x)); }
    __device__ inline operator float() const
    {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};
static __device__ inline float16 operator+(float16 a, float16 b)
{
    float16 r;
    asm("add.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
static __device__ inline float16 operator-(float16 a, float16 b)
{
    float16 r;
    asm("sub.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
static __device__ inline float16 operator*(float16 a, float16 b)
{
    float16 r;
    asm("mul.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
static __device__ inline float16 operator/(float16 a, float16 b) { return float16(float(a) / float(b)); }
static __device__ inline float16 operator-(float16 a)
{
    float16 r;
    asm("neg.f16 %0, %1;" : "=h"(r.bits) : "h"(a.bits));
    return r;
}
static __device__ inline bool operator==(float16 a, float16 b) { return float(a) == float(b); }
static __device__ inline bool operator!=(float16 a, float16 b) { return float(a) != float(b); }
static __device__ inline bool operator<(float16 a, float16 b) { return float(a) < float(b); }
static __device__ inline bool operator<=(float16 a, float16 b) { return float(a) <= float(b); }
static __device__ inline bool operator>(float16 a, float16 b) { return float(a) > float(b); }
static __device__ inline bool operator>=(float16 a, float16 b) { return float(a) >= float(b); }
namespace py {
static __device__ inline float16 fma(float16 a, float16 b, float16 c)
{
    float16 r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return r;
}
static __device__ inline float16 abs(float16 x)
{
    x.bits &= 0x7fff;
    return x;
}
}
