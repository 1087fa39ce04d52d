namespace py {
// The functions of cuda_fp16.h and cuda_bf16.h, for either type: computed as float32, which is wide enough that the second rounding never shows.
template <class T> static __device__ inline bool unordered(T a, T b) { return a != a || b != b; }
template <class T> static __device__ inline T habs(T x) { return abs(x); }
template <class T> static __device__ inline T hneg(T x) { return -x; }
#define CUOX_UNARY(name, function) template <class T> static __device__ inline T name(T x) { return T(function(float(x))); }
CUOX_UNARY(hceil, ::ceilf)
CUOX_UNARY(hfloor, ::floorf)
CUOX_UNARY(hrint, ::rintf)
CUOX_UNARY(htrunc, ::truncf)
CUOX_UNARY(hsqrt, ::__fsqrt_rn)
CUOX_UNARY(hrsqrt, ::rsqrtf)
CUOX_UNARY(hrcp, ::__frcp_rn)
CUOX_UNARY(hlog, ::logf)
CUOX_UNARY(hlog2, ::log2f)
CUOX_UNARY(hlog10, ::log10f)
CUOX_UNARY(hcos, ::cosf)
CUOX_UNARY(hsin, ::sinf)
CUOX_UNARY(hexp, ::expf)
CUOX_UNARY(hexp2, ::exp2f)
CUOX_UNARY(hexp10, ::exp10f)
CUOX_UNARY(htanh, ::tanhf)
CUOX_UNARY(saturated, ::__saturatef)
#undef CUOX_UNARY
template <class T> static __device__ inline T htanh_approx(T x)
{
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(float(x)));
    return T(y);
}
template <class T> static __device__ inline T hadd(T a, T b) { return a + b; }
template <class T> static __device__ inline T hsub(T a, T b) { return a - b; }
template <class T> static __device__ inline T hmul(T a, T b) { return a * b; }
// Never part of a fused multiply and add.
template <class T> static __device__ inline T hadd_rn(T a, T b) { return T(::__fadd_rn(float(a), float(b))); }
template <class T> static __device__ inline T hsub_rn(T a, T b) { return T(::__fsub_rn(float(a), float(b))); }
template <class T> static __device__ inline T hmul_rn(T a, T b) { return T(::__fmul_rn(float(a), float(b))); }
template <class T> static __device__ inline T hdiv(T a, T b) { return T(::__fdiv_rn(float(a), float(b))); }
template <class T> static __device__ inline T hadd_sat(T a, T b) { return saturated(hadd_rn(a, b)); }
template <class T> static __device__ inline T hsub_sat(T a, T b) { return saturated(hsub_rn(a, b)); }
template <class T> static __device__ inline T hmul_sat(T a, T b) { return saturated(hmul_rn(a, b)); }
template <class T> static __device__ inline T hfma(T a, T b, T c) { return fma(a, b, c); }
template <class T> static __device__ inline T hfma_sat(T a, T b, T c) { return saturated(fma(a, b, c)); }
template <class T> static __device__ inline T hfma_relu(T a, T b, T c)
{
    T sum = fma(a, b, c);
    return sum > T(0.0f) || sum != sum ? sum : T(0.0f);
}
template <class T> static __device__ inline T hmax(T a, T b) { return T(::fmaxf(float(a), float(b))); }
template <class T> static __device__ inline T hmin(T a, T b) { return T(::fminf(float(a), float(b))); }
template <class T> static __device__ inline T hmax_nan(T a, T b) { return unordered(a, b) ? T(nan32()) : hmax(a, b); }
template <class T> static __device__ inline T hmin_nan(T a, T b) { return unordered(a, b) ? T(nan32()) : hmin(a, b); }
template <class T> static __device__ inline bool heq(T a, T b) { return a == b; }
template <class T> static __device__ inline bool hne(T a, T b) { return a != b && !unordered(a, b); }
template <class T> static __device__ inline bool hge(T a, T b) { return a >= b; }
template <class T> static __device__ inline bool hgt(T a, T b) { return a > b; }
template <class T> static __device__ inline bool hle(T a, T b) { return a <= b; }
template <class T> static __device__ inline bool hlt(T a, T b) { return a < b; }
// True for NaN too.
template <class T> static __device__ inline bool hequ(T a, T b) { return a == b || unordered(a, b); }
template <class T> static __device__ inline bool hneu(T a, T b) { return a != b; }
template <class T> static __device__ inline bool hgeu(T a, T b) { return !(a < b); }
template <class T> static __device__ inline bool hgtu(T a, T b) { return !(a <= b); }
template <class T> static __device__ inline bool hleu(T a, T b) { return !(a > b); }
template <class T> static __device__ inline bool hltu(T a, T b) { return !(a >= b); }
template <class T> static __device__ inline bool hisnan(T x) { return x != x; }
template <class T> static __device__ inline int32 hisinf(T x) { return ::isinf(float(x)) ? (float(x) > 0 ? 1 : -1) : 0; }

// Conversions. The mode is rounding: n to even, z to zero, d down, u up.
template <class T, char mode> struct toward;
template <class T, char mode> static __device__ inline T from_float(float x) { return toward<T, mode>::of(x); }
template <class T, char mode> static __device__ inline T from_int(int64 x)
{
    if constexpr (mode == 'd') return toward<T, mode>::of(::__ll2float_rd(x));
    else if constexpr (mode == 'u') return toward<T, mode>::of(::__ll2float_ru(x));
    // What float32 cannot hold is kept as its last bit, for the one rounding that follows.
    const float near = ::__ll2float_rz(x);
    return toward<T, mode>::of(::__float2ll_rz(near) == x ? near : __int_as_float(__float_as_int(near) | 1));
}
template <class T, char mode> static __device__ inline T from_uint(uint64 x)
{
    if constexpr (mode == 'u') return toward<T, mode>::of(::__ull2float_ru(x));
    const float near = ::__ull2float_rz(x);
    return toward<T, mode>::of(mode == 'd' || ::__float2ull_rz(near) == x ? near : __int_as_float(__float_as_int(near) | 1));
}
// To the nearest that the integer has; NaN is 0, and the lowest number of int64 and the middle of uint64.
template <class I, char mode> static __device__ inline I to_int(float x)
{
    if constexpr (I(-1) > I(0) && sizeof(I) == 8) return mode == 'n' ? ::__float2ull_rn(x) : mode == 'z' ? ::__float2ull_rz(x) : mode == 'd' ? ::__float2ull_rd(x) : ::__float2ull_ru(x);
    else if constexpr (sizeof(I) == 8) return mode == 'n' ? ::__float2ll_rn(x) : mode == 'z' ? ::__float2ll_rz(x) : mode == 'd' ? ::__float2ll_rd(x) : ::__float2ll_ru(x);
    else if constexpr (I(-1) > I(0) && sizeof(I) == 4) return mode == 'n' ? ::__float2uint_rn(x) : mode == 'z' ? ::__float2uint_rz(x) : mode == 'd' ? ::__float2uint_rd(x) : ::__float2uint_ru(x);
    else {
        const int32 whole = mode == 'n' ? ::__float2int_rn(x) : mode == 'z' ? ::__float2int_rz(x) : mode == 'd' ? ::__float2int_rd(x) : ::__float2int_ru(x);
        if constexpr (sizeof(I) == 4) return whole;
        const int32 most = I(-1) > I(0) ? (1 << sizeof(I) * 8) - 1 : (1 << (sizeof(I) * 8 - 1)) - 1;
        const int32 least = I(-1) > I(0) ? 0 : -most - 1;
        return I(whole > most ? most : whole < least ? least : whole);
    }
}
template <class T, class I> static __device__ inline T from_bits(I bits)
{
    T x;
    x.bits = uint16(bits);
    return x;
}
template <class I, class T> static __device__ inline I to_bits(T x) { return I(x.bits); }
}
