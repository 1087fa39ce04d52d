// The sum of x[i] * y[i]: 16 products a thread, shuffles in the warp, shared memory across warps, one atomic a block.
__device__ float warp_sum(float s)
{
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffff, s, d);
    return s;
}

extern "C" __global__ void dot_product(int n, const float *x, const float *y, float *sum)
{
    __shared__ float warps[8];
    int t = threadIdx.x;
    float s = 0;
    for (int k = 0; k < 16; k++) {
        int i = blockIdx.x * 4096 + k * 256 + t;
        if (i < n) s += x[i] * y[i];
    }
    s = warp_sum(s);
    if (t % 32 == 0) warps[t / 32] = s;
    __syncthreads();
    if (t < 32) {
        s = warp_sum(t < 8 ? warps[t] : 0);
        if (t == 0) atomicAdd(sum, s);
    }
}
