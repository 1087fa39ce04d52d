namespace py {
static __device__ inline int64 abs(int64 x) { return x < 0 ? int64(-uint64(x)) : x; }
static __device__ inline uint64 abs(uint64 x) { return x; }
static __device__ inline float32 abs(float32 x) { return ::fabsf(x); }
static __device__ inline float64 abs(float64 x) { return ::fabs(x); }
// As Python's: the first unless the second is really smaller (greater).
template <class T> static __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static __device__ inline T max(T a, T b) { return b > a ? b : a; }
}
