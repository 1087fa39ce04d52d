// # Block sums by shared memory and shuffles, then an atomic.
// arg n: u32 = 1111
// in x: s32[1111] = iota*7+-2000
// run: kernel=sum grid=3 block=128|64|256
// inout r: s64[1] = 5
// expect r = 2094240
// run: kernel=scan grid=1 block=128
// out p: s32[128]
// agree p
extern "C" __global__ void sum(int n, const int *x, long long *r) {
    __shared__ long long parts[32];
    long long v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) v += parts[w];
        atomicAdd((unsigned long long *)r, (unsigned long long)v);
    }
}
extern "C" __global__ void scan(int n, const int *x, int *p) {
    __shared__ int t[128];
    int i = threadIdx.x;
    t[i] = x[i];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = i >= d ? t[i - d] : 0;
        __syncthreads();
        t[i] += v;
        __syncthreads();
    }
    p[i] = t[i];
}
