extern __shared__ __align__(16) unsigned char cuox_dynamic_shared[];
namespace py {
static __device__ inline int64 dynamic_shared_size()
{
    uint32 bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}
}
