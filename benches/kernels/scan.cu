// Exclusive sums of int, 8 a thread and 2048 a block: scan_blocks on the data, on the blocks' totals, then add_offsets.
extern "C" __global__ void scan_blocks(int n, const int *x, int *y, int *totals)
{
    __shared__ int warps[8];
    int t = threadIdx.x, lane = t % 32, at = blockIdx.x * 2048 + t * 8;
    int v[8], own = 0;
    for (int k = 0; k < 8; k++) {
        v[k] = at + k < n ? x[at + k] : 0;
        own += v[k];
    }
    int s = own;
    for (int d = 1; d < 32; d <<= 1) {
        int below = __shfl_up_sync(0xffffffff, s, d);
        if (lane >= d) s += below;
    }
    if (lane == 31) warps[t / 32] = s;
    __syncthreads();
    for (int w = 0; w < t / 32; w++) s += warps[w];
    if (t == 255) totals[blockIdx.x] = s;
    s -= own;
    for (int k = 0; k < 8; k++) {
        if (at + k < n) y[at + k] = s;
        s += v[k];
    }
}

extern "C" __global__ void add_offsets(int n, int *y, const int *offsets)
{
    for (int k = 0; k < 8; k++) {
        int i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
        if (i < n) y[i] += offsets[blockIdx.x];
    }
}
