namespace py {
// Towards zero, as int() does it; what does not fit is left to the hardware, through 64 bits as on a CPU.
template <class I, class F> static __device__ inline I to_int(F x) { return I((long long)x); }
template <> __device__ inline unsigned long long to_int<unsigned long long, float>(float x) { return x < 0 ? (unsigned long long)(long long)x : (unsigned long long)x; }
template <> __device__ inline unsigned long long to_int<unsigned long long, double>(double x) { return x < 0 ? (unsigned long long)(long long)x : (unsigned long long)x; }
template <> __device__ inline int to_int<int, float>(float x) { return (int)x; }
template <> __device__ inline int to_int<int, double>(double x) { return (int)x; }
}
