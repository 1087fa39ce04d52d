// ASCII text in capitals, and how many words it has: one byte a thread.
__device__ bool is_letter(unsigned char c)
{
    return (unsigned char)((c | 32) - 'a') < 26;
}

extern "C" __global__ void text(int n, const unsigned char *in, unsigned char *out, unsigned *words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool starts = false;
    if (i < n) {
        unsigned char c = in[i];
        starts = is_letter(c) && (i == 0 || !is_letter(in[i - 1]));
        out[i] = is_letter(c) ? c & ~32 : c;
    }
    int count = __syncthreads_count(starts);
    if (threadIdx.x == 0) atomicAdd(words, count);
}
