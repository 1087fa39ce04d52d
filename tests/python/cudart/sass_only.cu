// Built without PTX: the module does not load on the software GPU, which each use of it says.
#include "check.h"

__global__ void nothing() {}

__device__ int variable;

int main()
{
    nothing<<<1, 1>>>();
    GIVES(cudaErrorNoKernelImageForDevice, cudaGetLastError());
    nothing<<<1, 1>>>();
    GIVES(cudaErrorNoKernelImageForDevice, cudaGetLastError());
    int value = 0;
    GIVES(cudaErrorNoKernelImageForDevice, cudaMemcpyFromSymbol(&value, variable, 4));
    return report();
}
