// A barrier of a cooperative grid. The driver gives it a counter, and %envreg2 and %envreg1 the place of that: the second word of what lies there. The bits
// below the highest count the blocks that have come; the first block's addend carries into the highest bit once all are there, which is what they wait for.
struct grid_group {
    __device__ inline void sync() const
    {
        unsigned long long workspace;
        asm("mov.b64 %0, {%%envreg2, %%envreg1};" : "=l"(workspace));
        if (workspace == 0) {
            asm volatile("trap;");
        }
        asm volatile("barrier.sync 0;" ::: "memory");
        if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
            unsigned int *counter = (unsigned int *)workspace + 1, others = gridDim.x * gridDim.y * gridDim.z - 1;
            unsigned int addend = (blockIdx.x | blockIdx.y | blockIdx.z) == 0 ? 0x80000000u - others : 1, before, now;
            asm volatile("fence.acq_rel.gpu;\n\tatom.add.relaxed.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(addend) : "memory");
            for (;;) {
                asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
                if ((before ^ now) & 0x80000000u) {
                    break;
                }
                asm volatile("nanosleep.u32 32;");
            }
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
        }
        asm volatile("barrier.sync 0;" ::: "memory");
    }
};
