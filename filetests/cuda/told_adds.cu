// # Warps that add to global memory tell others of their block, which read it: by barriers at different places, an
// # mbarrier, a flag with release and acquire.
// run: kernel=named grid=3 block=64
// inout sums: u32[3] = iota*0
// out seen: s32[96]
// agree sums
// agree seen
// run: kernel=arrives grid=3 block=64
// inout sums: u32[3] = iota*0
// out seen: s32[96]
// agree sums
// agree seen
// run: kernel=flagged grid=3 block=64
// inout sums: u32[3] = iota*0
// out seen: s32[96]
// agree sums
// agree seen
extern "C" __global__ void named(unsigned *sums, int *seen) {
    int t = threadIdx.x;
    if (t >= 32) {
        atomicAdd(&sums[blockIdx.x], t);
        asm volatile("bar.sync 1, 64;" ::: "memory");
        return;
    }
    asm volatile("bar.sync 1, 64;" ::: "memory");
    seen[blockIdx.x * 32 + t] = *(volatile unsigned *)&sums[blockIdx.x];
}
extern "C" __global__ void arrives(unsigned *sums, int *seen) {
    __shared__ alignas(8) unsigned long long barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at) : "memory");
    __syncthreads();
    if (t >= 32) {
        atomicAdd(&sums[blockIdx.x], t);
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
    } else {
        asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L%=; }" ::"r"(at) : "memory");
        seen[blockIdx.x * 32 + t] = *(volatile unsigned *)&sums[blockIdx.x];
    }
}
extern "C" __global__ void flagged(unsigned *sums, int *seen) {
    __shared__ int flag;
    unsigned at = (unsigned)__cvta_generic_to_shared(&flag);
    int t = threadIdx.x, told;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t >= 32) {
        atomicAdd(&sums[blockIdx.x], t);
        asm volatile("{ .reg .u32 q; atom.release.cta.shared.add.u32 q, [%0], 1; }" ::"r"(at) : "memory");
        return;
    }
    do asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(told) : "r"(at) : "memory");
    while (told != 32);
    seen[blockIdx.x * 32 + t] = *(volatile unsigned *)&sums[blockIdx.x];
}
