// # Blocks count in memory that nothing reads before the kernel ends: in one place, in many, in shared memory by pointers
// # that may be to either, and in 64 bits.
// run: kernel=count grid=40 block=96
// inout total: u32[1] = 5
// inout bins: u32[700] = iota
// inout wide: u64[3] = iota*3+4294967290
// expect total = 2465
// agree bins
// agree wide
// run: kernel=either grid=33 block=64
// inout own: u32[64] = iota
// out sums: u32[33]
// agree own
// agree sums
extern "C" __global__ void count(unsigned *total, unsigned *bins, unsigned long long *wide) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[i * i % 700], i);
    atomicAdd(&wide[i % 3], (unsigned long long)i << 20);
    if (threadIdx.x % 32 == 3) atomicAdd(total, blockIdx.x + 1);
}
// # Half of the threads count in global memory for good; the others in shared memory that their block reads.
extern "C" __global__ void either(unsigned *own, unsigned *sums) {
    __shared__ unsigned here[64];
    here[threadIdx.x] = 0;
    __syncthreads();
    unsigned *at = threadIdx.x % 2 ? &here[threadIdx.x % 8] : &own[threadIdx.x];
    if (threadIdx.x < 62) atomicAdd(at, 1);
    __syncthreads();
    if (threadIdx.x == 62) {
        unsigned sum = 0;
        for (int n = 0; n < 60; n++) sum += here[n];
        sums[blockIdx.x] = sum;
        return;
    }
    if (threadIdx.x == 63) atomicAdd(&here[63], 1);
    else if (threadIdx.x == 0) atomicAdd(&own[63], 2);
}
