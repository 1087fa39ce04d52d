namespace py {
template <class T> static __device__ inline T integer_power(T base, uint64 exponent)
{
    T result = T(1);
    while (exponent) {
        if (exponent & 1) result = result * base;
        base = base * base;
        exponent >>= 1;
    }
    return result;
}
// Of integers: a negative exponent gives what is left of the fraction.
static __device__ inline int64 power(int64 base, int64 exponent)
{
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
    return int64(integer_power(uint64(base), uint64(exponent)));
}
static __device__ inline uint64 power(uint64 base, int64 exponent)
{
    if (exponent < 0) return base == 1;
    return integer_power(base, uint64(exponent));
}
static __device__ inline float32 power(float32 base, int64 exponent)
{
    return ::powf(base, float32(exponent));
}
static __device__ inline float64 power(float64 base, int64 exponent) { return ::pow(base, float64(exponent)); }
static __device__ inline float32 power(float32 base, float32 exponent) { return ::powf(base, exponent); }
static __device__ inline float64 power(float64 base, float64 exponent) { return ::pow(base, exponent); }
}
