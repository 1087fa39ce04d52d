// The driver's side of cooperative groups: a handle of the grid, and a barrier of it.
extern "C" __device__ unsigned long long cudaCGGetIntrinsicHandle(int scope);
extern "C" __device__ int cudaCGSynchronize(unsigned long long handle, unsigned int flags);
struct grid_group {
    __device__ inline void sync() const { cudaCGSynchronize(cudaCGGetIntrinsicHandle(1), 0); }
};
