// What happens at exit: destructors that call the runtime, and a kernel that nobody waits for.
#include "check.h"
#include <cstdlib>

struct Late {
    int *memory = nullptr;
    cudaStream_t stream = nullptr;
    ~Late()
    {
        // The runtime may be gone or not: no call may bring the process down.
        cudaFree(memory);
        cudaStreamDestroy(stream);
        cudaDeviceSynchronize();
        cudaGetLastError();
        fprintf(stderr, "destroyed\n");
    }
};

static Late late;

__global__ void hello()
{
    printf("hello from thread %d\n", threadIdx.x);
}

int main(int argc, char **)
{
    OK(cudaMalloc(&late.memory, 4));
    OK(cudaStreamCreate(&late.stream));
    hello<<<1, 2>>>();
    OK(cudaDeviceSynchronize());
    report();
    if (argc > 1)
        hello<<<1, 1>>>();
    exit(failures != 0);
}
