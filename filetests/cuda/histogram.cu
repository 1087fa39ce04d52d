// # Shared and global atomics.
// in x: u8[1000] = iota*13+5
// run: kernel=histogram grid=4 block=128|64|250|25,10
// inout h: u32[256] = 0*256
// agree h
// run: kernel=lock grid=4 block=64|33|7,5
// inout l: u32[1] = 0
// expect l = 0
// inout c: u32[1] = 0
// agree c
extern "C" __global__ void histogram(const unsigned char *x, unsigned *h) {
    __shared__ unsigned local[256];
    int i = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    for (int k = i; k < 256; k += n) local[k] = 0;
    __syncthreads();
    for (int k = blockIdx.x * n + i; k < 1000; k += n * gridDim.x) atomicAdd(&local[x[k]], 1u);
    __syncthreads();
    for (int k = i; k < 256; k += n) atomicAdd(&h[k], local[k]);
}
extern "C" __global__ void lock(const unsigned char *, unsigned *l, unsigned *c) {
    bool done = false;
    while (!done) {
        if (atomicCAS(l, 0, 1) == 0) {
            volatile unsigned *v = c;
            *v = *v + 1;
            __threadfence();
            atomicExch(l, 0);
            done = true;
        }
    }
}
