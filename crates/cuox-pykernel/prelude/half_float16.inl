namespace py {
#define CUOX_TOWARD(mode, name) \
    template <> struct toward<float16, mode> { \
        static __device__ inline float16 of(float x) \
        { \
            float16 r; \
            asm("cvt." name ".f16.f32 %0, %1;" : "=h"(r.bits) : "f"(x)); \
            return r; \
        } \
    };
CUOX_TOWARD('n', "rn")
CUOX_TOWARD('z', "rz")
CUOX_TOWARD('d', "rm")
CUOX_TOWARD('u', "rp")
#undef CUOX_TOWARD
}
