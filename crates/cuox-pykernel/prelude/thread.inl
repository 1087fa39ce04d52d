namespace py {
// Positions in the whole grid, 64 bits wide.
static __device__ inline int64 grid_x() { return int64(blockIdx.x) * blockDim.x + threadIdx.x; }
static __device__ inline int64 grid_y() { return int64(blockIdx.y) * blockDim.y + threadIdx.y; }
static __device__ inline int64 grid_z() { return int64(blockIdx.z) * blockDim.z + threadIdx.z; }
static __device__ inline int64 gridsize_x() { return int64(gridDim.x) * blockDim.x; }
static __device__ inline int64 gridsize_y() { return int64(gridDim.y) * blockDim.y; }
static __device__ inline int64 gridsize_z() { return int64(gridDim.z) * blockDim.z; }
static __device__ inline int32 laneid()
{
    int32 lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
}
