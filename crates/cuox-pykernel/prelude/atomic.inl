namespace py {
// What CUDA has no instruction for is done by comparing and swapping the aligned word around the element.
template <class T, int size = sizeof(T)> struct word { using type = uint32; };
template <class T> struct word<T, 8> { using type = uint64; };
template <class T, class F> static __device__ inline T changed(T *place, F change)
{
    using W = typename word<T>::type;
    static_assert(sizeof(T) <= sizeof(W), "an element is wider than what can be swapped");
    uint64 address = (uint64)place;
    W *whole = (W *)(address & ~uint64(sizeof(W) - 1));
    const int shift = int(address & (sizeof(W) - 1)) * 8;
    W old = *(volatile W *)whole;
    while (true) {
        union { W word; T value; } before = {}, after = {};
        before.word = old >> shift;
        after.value = change(before.value);
        const W mask = (sizeof(T) == sizeof(W) ? ~W(0) : ((W(1) << (sizeof(T) % sizeof(W) * 8)) - 1)) << shift;
        const W wanted = (old & ~mask) | ((after.word << shift) & mask);
        const W seen = atomicCAS(whole, old, wanted);
        if (seen == old) return before.value;
        old = seen;
    }
}
template <class T> static __device__ inline T atomic_add(T *p, T v) { return changed(p, [=](T x) { return T(x + v); }); }
static __device__ inline int32 atomic_add(int32 *p, int32 v) { return atomicAdd(p, v); }
static __device__ inline uint32 atomic_add(uint32 *p, uint32 v) { return atomicAdd(p, v); }
static __device__ inline int64 atomic_add(int64 *p, int64 v) { return int64(atomicAdd((uint64 *)p, uint64(v))); }
static __device__ inline uint64 atomic_add(uint64 *p, uint64 v) { return atomicAdd(p, v); }
static __device__ inline float32 atomic_add(float32 *p, float32 v) { return atomicAdd(p, v); }
static __device__ inline float64 atomic_add(float64 *p, float64 v) { return atomicAdd(p, v); }
template <class T> static __device__ inline T atomic_sub(T *p, T v) { return changed(p, [=](T x) { return T(x - v); }); }
static __device__ inline int32 atomic_sub(int32 *p, int32 v) { return atomicSub(p, v); }
static __device__ inline uint32 atomic_sub(uint32 *p, uint32 v) { return atomicSub(p, v); }
static __device__ inline int64 atomic_sub(int64 *p, int64 v) { return int64(atomicAdd((uint64 *)p, -uint64(v))); }
static __device__ inline uint64 atomic_sub(uint64 *p, uint64 v) { return atomicAdd(p, -v); }
static __device__ inline float32 atomic_sub(float32 *p, float32 v) { return atomicAdd(p, -v); }
static __device__ inline float64 atomic_sub(float64 *p, float64 v) { return atomicAdd(p, -v); }
#define CUOX_BITS(name, function, sign) \
    template <class T> static __device__ inline T atomic_##name(T *p, T v) { return changed(p, [=](T x) { return T(x sign v); }); } \
    static __device__ inline int32 atomic_##name(int32 *p, int32 v) { return function(p, v); } \
    static __device__ inline uint32 atomic_##name(uint32 *p, uint32 v) { return function(p, v); } \
    static __device__ inline int64 atomic_##name(int64 *p, int64 v) { return int64(function((uint64 *)p, uint64(v))); } \
    static __device__ inline uint64 atomic_##name(uint64 *p, uint64 v) { return function(p, v); }
CUOX_BITS(and, atomicAnd, &)
CUOX_BITS(or, atomicOr, |)
CUOX_BITS(xor, atomicXor, ^)
#undef CUOX_BITS
template <class T> static __device__ inline T atomic_inc(T *p, T v) { return changed(p, [=](T x) { return x >= v ? T(0) : T(x + 1); }); }
static __device__ inline uint32 atomic_inc(uint32 *p, uint32 v) { return atomicInc(p, v); }
template <class T> static __device__ inline T atomic_dec(T *p, T v) { return changed(p, [=](T x) { return x == 0 || x > v ? v : T(x - 1); }); }
static __device__ inline uint32 atomic_dec(uint32 *p, uint32 v) { return atomicDec(p, v); }
template <class T> static __device__ inline T atomic_exch(T *p, T v) { return changed(p, [=](T) { return v; }); }
static __device__ inline int32 atomic_exch(int32 *p, int32 v) { return atomicExch(p, v); }
static __device__ inline uint32 atomic_exch(uint32 *p, uint32 v) { return atomicExch(p, v); }
static __device__ inline float32 atomic_exch(float32 *p, float32 v) { return atomicExch(p, v); }
static __device__ inline int64 atomic_exch(int64 *p, int64 v) { return int64(atomicExch((uint64 *)p, uint64(v))); }
static __device__ inline uint64 atomic_exch(uint64 *p, uint64 v) { return atomicExch(p, v); }
static __device__ inline float64 atomic_exch(float64 *p, float64 v) { return __longlong_as_double(atomicExch((uint64 *)p, uint64(__double_as_longlong(v)))); }
// With NaN in memory or as the value, max and min leave what is in memory; NaN loses in nanmax and nanmin.
template <class T> static __device__ inline bool isnan(T x) { return !(x == x); }
template <class T> static __device__ inline T atomic_max(T *p, T v) { return changed(p, [=](T x) { return v > x ? v : x; }); }
template <class T> static __device__ inline T atomic_min(T *p, T v) { return changed(p, [=](T x) { return v < x ? v : x; }); }
template <class T> static __device__ inline T atomic_nanmax(T *p, T v) { return changed(p, [=](T x) { return isnan(x) || v > x ? v : x; }); }
template <class T> static __device__ inline T atomic_nanmin(T *p, T v) { return changed(p, [=](T x) { return isnan(x) || v < x ? v : x; }); }
#define CUOX_EXTREME(name, function) \
    static __device__ inline int32 atomic_##name(int32 *p, int32 v) { return function(p, v); } \
    static __device__ inline uint32 atomic_##name(uint32 *p, uint32 v) { return function(p, v); } \
    static __device__ inline int64 atomic_##name(int64 *p, int64 v) { return function(p, v); } \
    static __device__ inline uint64 atomic_##name(uint64 *p, uint64 v) { return function(p, v); }
CUOX_EXTREME(max, atomicMax)
CUOX_EXTREME(nanmax, atomicMax)
CUOX_EXTREME(min, atomicMin)
CUOX_EXTREME(nanmin, atomicMin)
#undef CUOX_EXTREME
template <class T> static __device__ inline T atomic_cas(T *p, T old, T v)
{
    union { T value; typename word<T>::type word; } a = {}, b = {};
    a.value = old;
    b.value = v;
    return changed(p, [=](T x) {
        union { T value; typename word<T>::type word; } c = {};
        c.value = x;
        return c.word == a.word ? v : x;
    });
}
static __device__ inline int32 atomic_cas(int32 *p, int32 old, int32 v) { return atomicCAS(p, old, v); }
static __device__ inline uint32 atomic_cas(uint32 *p, uint32 old, uint32 v) { return atomicCAS(p, old, v); }
static __device__ inline int64 atomic_cas(int64 *p, int64 old, int64 v) { return int64(atomicCAS((uint64 *)p, uint64(old), uint64(v))); }
static __device__ inline uint64 atomic_cas(uint64 *p, uint64 old, uint64 v) { return atomicCAS(p, old, v); }
}
