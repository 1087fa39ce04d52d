"""The CUDA C++ that each random kernel of `random_cpp.py` begins with: operations without undefined behaviour.

Sums and products wrap, shifts and indices are bounded, quotients by zero are the dividend, conversions of floats to
integers are the instructions' (which clamp), and the bits of a NaN are never seen.
"""

from __future__ import annotations

# Threads of the largest block.
MOST_THREADS = 257
# Words of its own that a thread has in global memory (64 bits each) and in shared memory (32 bits each).
OWN, SHARED_OWN = 8, 4
# Bytes of its own that a thread has in global memory beside those of the other threads.
COLUMNS = 32
# Sums and the like over a grid and over a block; the operation is that of the place.
OPERATIONS = ["Add", "Min", "Max", "And", "Or", "Xor"]
INPUTS = 1024
CONSTANTS = 16

PRELUDE = r"""
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned u32; typedef long long i64; typedef unsigned long long u64;
typedef float f32; typedef double f64;
#define D static __device__ __forceinline__

template <class T> struct Wrapped { typedef u32 U; };
template <> struct Wrapped<i64> { typedef u64 U; };
template <> struct Wrapped<u64> { typedef u64 U; };
template <> struct Wrapped<f32> { typedef f32 U; };
template <> struct Wrapped<f64> { typedef f64 U; };
#define U(x) ((typename Wrapped<T>::U)(x))
template <class T> D T add(T a, T b) { return (T)(U(a) + U(b)); }
template <class T> D T sub(T a, T b) { return (T)(U(a) - U(b)); }
template <class T> D T mul(T a, T b) { return (T)(U(a) * U(b)); }
template <class T> D T shl(T a, u32 n) { return (T)(U(a) << (n & (sizeof(T) * 8 - 1))); }
template <class T> D T shr(T a, u32 n) { return (T)(a >> (n & (sizeof(T) * 8 - 1))); }
template <class T> D bool divides(T a, T b) { return b != 0 && ((T)-1 > 0 || b != (T)-1); }
template <class T> D T quot(T a, T b) { return divides(a, b) ? (T)(a / b) : a; }
template <class T> D T rest(T a, T b) { return divides(a, b) ? (T)(a % b) : a; }
template <> __device__ __forceinline__ f32 quot(f32 a, f32 b) { return __fdiv_rn(a, b); }
template <> __device__ __forceinline__ f64 quot(f64 a, f64 b) { return __ddiv_rn(a, b); }
template <class T> D T least(T a, T b) { return a < b ? a : b; }
template <class T> D T most(T a, T b) { return a < b ? b : a; }
template <class T> D T rotated(T a, u32 n) { return (T)(shl(a, n) | shr(a, (u32)(sizeof(T) * 8) - n)); }

template <class T> struct To {
    template <class S> D T of(S x) { return (T)x; }
    D T of(f32 x) { return (T)__float2int_rz(x); }
    D T of(f64 x) { return (T)__double2int_rz(x); }
};
template <> struct To<u32> {
    template <class S> D u32 of(S x) { return (u32)x; }
    D u32 of(f32 x) { return __float2uint_rz(x); }
    D u32 of(f64 x) { return __double2uint_rz(x); }
};
// A NaN is 0 here: it is the lowest number to a GPU.
template <> struct To<i64> {
    template <class S> D i64 of(S x) { return (i64)x; }
    D i64 of(f32 x) { return x == x ? __float2ll_rz(x) : 0; }
    D i64 of(f64 x) { return x == x ? __double2ll_rz(x) : 0; }
};
template <> struct To<u64> {
    template <class S> D u64 of(S x) { return (u64)x; }
    D u64 of(f32 x) { return x == x ? __float2ull_rz(x) : 0; }
    D u64 of(f64 x) { return x == x ? __double2ull_rz(x) : 0; }
};
template <> struct To<f32> { template <class S> D f32 of(S x) { return (f32)x; } };
template <> struct To<f64> { template <class S> D f64 of(S x) { return (f64)x; } };
template <> struct To<bool> { template <class S> D bool of(S x) { return x != 0; } };
template <class T, class S> D T to(S x) { return To<T>::of(x); }

D u32 bits(f32 x) { return x == x ? __float_as_uint(x) : 0x7fc00000u; }
D u64 bits(f64 x) { return x == x ? (u64)__double_as_longlong(x) : 0x7ff8000000000000ull; }
template <class T> D u64 word(T x) { return (u64)x; }
template <> __device__ __forceinline__ u64 word(f32 x) { return bits(x); }
template <> __device__ __forceinline__ u64 word(f64 x) { return bits(x); }
// Which zero is the smaller one is left open, so there is one.
D f32 least(f32 a, f32 b) { return fminf(a, b) + 0.0f; }
D f32 most(f32 a, f32 b) { return fmaxf(a, b) + 0.0f; }
D f64 least(f64 a, f64 b) { return fmin(a, b) + 0.0; }
D f64 most(f64 a, f64 b) { return fmax(a, b) + 0.0; }
D f32 with_sign(f32 a, f32 b) { return b == b ? copysignf(a, b) : a; }
D f64 with_sign(f64 a, f64 b) { return b == b ? copysign(a, b) : a; }

// The bit of a mask with a number, counted around: a lane that is in the mask.
D u32 nth(u32 mask, u32 n) {
    for (n %= __popc(mask); n; n--) mask &= mask - 1;
    return __ffs(mask) - 1;
}
D u32 after(u32 x, u32 y) { return (x ^ (x >> 15)) * 0x2c1b3c6du + y; }

template <class F> D u32 applied(F f, u32 x) { return f(x) ^ x; }

D u64 very_wide(u64 a, u64 b, u64 c) {
    unsigned __int128 x = (unsigned __int128)a * b + (((unsigned __int128)c << 64) | b);
    return (u64)(x >> (a & 127)) ^ (u64)((__int128)x / (__int128)(c | 1));
}
struct Fields { u32 a : 3; i32 b : 11; u64 c : 37; i64 d : 20; bool e : 1; };
D i64 fields(u64 a, u64 b) {
    Fields x = {(u32)a & 7, (i32)(a >> 20 & 1023), b & 0x1fffffffffull, (i64)(b >> 44 & 0x7ffff), (a & 8) != 0};
    x.a += (u32)b;
    x.c ^= a >> 27;
    return (i64)((u64)x.a + (u64)x.b * 3 + x.c + ((u64)x.d << x.a)) + x.e;
}

// Lanes outside the mask give nothing that is defined.
template <class T> D T shfl_xor(u32 mask, u32 lane, T x, u32 n) {
    T y = __shfl_xor_sync(mask, x, n);
    return mask >> (lane ^ n) & 1 ? y : x;
}
template <class T> D T shfl_up(u32 mask, u32 lane, T x, u32 n) {
    T y = __shfl_up_sync(mask, x, n);
    return lane >= n && (mask >> (lane - n) & 1) ? y : x;
}
template <class T> D T shfl_down(u32 mask, u32 lane, T x, u32 n) {
    T y = __shfl_down_sync(mask, x, n);
    return lane + n < 32 && (mask >> (lane + n) & 1) ? y : x;
}
template <int N, class T> D T shfl_part(u32 mask, u32 lane, T x, u32 n) {
    T y = __shfl_sync(mask, x, n, N);
    return mask >> (lane - lane % N + n) & 1 ? y : x;
}
D u32 match_all(u32 mask, u32 x) {
    int all;
    u32 same = __match_all_sync(mask, x, &all);
    return same + all;
}

struct Pair { u32 a; f32 b; };
struct Rec {
    u32 a; i16 b; f32 c; u64 d; u8 e[4]; Pair p; i64 f;
    __device__ __forceinline__ u32 mix(u32 x) const { return (a ^ x) + (u32)b + e[x & 3]; }
    __device__ __noinline__ void turn(u32 x) { p.a += x; e[x & 3] ^= (u8)(x >> 3); d = rotated(d, x); }
};

struct Thread {
    u32 tid, lane, gid, threads, size, block;
    u64 *own; u32 *own_words;
    // What is a thread's own in arrays of all threads: 4 places of each, `threads` apart.
    u32 *column; u16 *narrow_column; u8 *byte_column; u32 *shared_column;
    const u64 *in; u32 *total; u64 *wide_total;
    u32 *shared_own, *exchange, *shared_total;
};
"""

HALF = r"""
#include <cuda_fp16.h>
D f32 half_add(f32 a, f32 b) { return __half2float(__hadd_rn(__float2half_rn(a), __float2half_rn(b))); }
D f32 half_mul(f32 a, f32 b) { return __half2float(__hmul_rn(__float2half_rn(a), __float2half_rn(b))); }
D f32 half_fma(f32 a, f32 b, f32 c) {
    return __half2float(__hfma(__float2half_rn(a), __float2half_rn(b), __float2half_rn(c)));
}
D f32 half_pair(f32 a, f32 b) {
    __half2 x = __hadd2_rn(__floats2half2_rn(a, b), __floats2half2_rn(b, 1.5f));
    return __low2float(x) - __high2float(x);
}
"""

GROUPS = r"""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
"""
