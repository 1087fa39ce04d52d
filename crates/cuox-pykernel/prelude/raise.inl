// The first exception of a launch: its number, and who raised it.
struct cuox_raised_t { int number; int block[3]; int thread[3]; };
extern "C" { __device__ cuox_raised_t cuox_raised; }
namespace py {
static __device__ __noinline__ void raise(int number)
{
    if (atomicCAS(&cuox_raised.number, 0, number) == 0) {
        cuox_raised.block[0] = blockIdx.x;
        cuox_raised.block[1] = blockIdx.y;
        cuox_raised.block[2] = blockIdx.z;
        cuox_raised.thread[0] = threadIdx.x;
        cuox_raised.thread[1] = threadIdx.y;
        cuox_raised.thread[2] = threadIdx.z;
    }
    asm volatile("exit;");
}
}
