namespace py {
template <class T> static __device__ inline T not_zero(T x, int number)
{
    if (x == T(0)) raise(number);
    return x;
}
// As in Python: the quotient is rounded down, the rest has the sign of the divisor.
static __device__ inline int64 floordiv(int64 a, int64 b)
{
    if (b == 0) return 0;
    if (b == -1) return int64(-uint64(a));
    int64 quotient = a / b;
    return quotient - (quotient * b != a && (a < 0) != (b < 0));
}
static __device__ inline int64 mod(int64 a, int64 b)
{
    if (b == 0 || b == -1) return 0;
    int64 rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
static __device__ inline uint64 floordiv(uint64 a, uint64 b) { return b == 0 ? 0 : a / b; }
static __device__ inline uint64 mod(uint64 a, uint64 b) { return b == 0 ? 0 : a % b; }
static __device__ inline float32 mod(float32 a, float32 b)
{
    float32 rest = ::fmodf(a, b);
    if (rest == 0) return ::copysignf(0.0f, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}
static __device__ inline float64 mod(float64 a, float64 b)
{
    float64 rest = ::fmod(a, b);
    if (rest == 0) return ::copysign(0.0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}
static __device__ inline float32 floordiv(float32 a, float32 b)
{
    if (b == 0) return a / b;
    float32 rest = ::fmodf(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
    float32 whole = ::floorf(quotient);
    return quotient - whole > 0.5f ? whole + 1 : quotient == 0 ? ::copysignf(0.0f, a / b) : whole;
}
static __device__ inline float64 floordiv(float64 a, float64 b)
{
    if (b == 0) return a / b;
    float64 rest = ::fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
    float64 whole = ::floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : quotient == 0 ? ::copysign(0.0, a / b) : whole;
}
}
