namespace py {
template <class T> static __device__ inline bool not_a_number(T x) { return !(x == x); }
// Complex numbers have theirs by real and then imaginary part.
template <class T> static __device__ inline bool greater_equal(T a, T b) { return a >= b; }
template <class T> static __device__ inline T maximum(T a, T b) { return not_a_number(a) ? a : not_a_number(b) ? b : greater_equal(a, b) ? a : b; }
template <class T> static __device__ inline T minimum(T a, T b) { return not_a_number(a) ? a : not_a_number(b) ? b : greater_equal(b, a) ? a : b; }
template <class T> static __device__ inline T fmax(T a, T b) { return not_a_number(a) ? b : not_a_number(b) ? a : greater_equal(a, b) ? a : b; }
template <class T> static __device__ inline T fmin(T a, T b) { return not_a_number(a) ? b : not_a_number(b) ? a : greater_equal(b, a) ? a : b; }
template <class T> static __device__ inline T sign(T x) { return x > T(0) ? T(1) : x < T(0) ? T(-1) : x; }
template <class T> static __device__ inline T heaviside(T x, T zero) { return not_a_number(x) ? x : x == T(0) ? zero : x < T(0) ? T(0) : T(1); }
static __device__ inline float64 logaddexp(float64 a, float64 b)
{
    if (a == b) return a + 0.693147180559945309417;
    float64 d = a - b;
    return d > 0 ? a + ::log1p(::exp(-d)) : d <= 0 ? b + ::log1p(::exp(d)) : d;
}
static __device__ inline float32 logaddexp(float32 a, float32 b) { return float32(logaddexp(float64(a), float64(b))); }
static __device__ inline float64 logaddexp2(float64 a, float64 b)
{
    if (a == b) return a + 1.0;
    float64 d = a - b;
    return d > 0 ? a + ::log1p(::exp2(-d)) * 1.44269504088896340736 : d <= 0 ? b + ::log1p(::exp2(d)) * 1.44269504088896340736 : d;
}
static __device__ inline float32 logaddexp2(float32 a, float32 b) { return float32(logaddexp2(float64(a), float64(b))); }
}
