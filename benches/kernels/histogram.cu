// How often each byte occurs: 64 bytes a thread, counted in shared memory.
extern "C" __global__ void histogram(int n, const unsigned char *data, unsigned *bins)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 64; k++) {
        int i = blockIdx.x * 16384 + k * 256 + threadIdx.x;
        if (i < n) atomicAdd(&own[data[i]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
