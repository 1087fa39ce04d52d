// Sorts each 1024 keys: a bitonic network in shared memory, 512 threads, 55 barriers.
extern "C" __global__ void block_sort(const unsigned *keys, unsigned *sorted)
{
    __shared__ unsigned s[1024];
    int t = threadIdx.x, at = blockIdx.x * 1024;
    s[t] = keys[at + t];
    s[t + 512] = keys[at + t + 512];
    for (int k = 2; k <= 1024; k <<= 1)
        for (int j = k / 2; j; j >>= 1) {
            __syncthreads();
            int i = 2 * t - (t & (j - 1));
            unsigned a = s[i], b = s[i + j];
            if ((a > b) == ((i & k) == 0)) {
                s[i] = b;
                s[i + j] = a;
            }
        }
    __syncthreads();
    sorted[at + t] = s[t];
    sorted[at + t + 512] = s[t + 512];
}
