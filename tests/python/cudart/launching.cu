// Kernels that launch kernels: linked with cudadevrt.
#include "check.h"

__global__ void child(int *p, int value)
{
    p[threadIdx.x] += value;
}

__global__ void parent(int *p)
{
    if (threadIdx.x == 0) {
        child<<<1, 4>>>(p, 5);
        child<<<1, 2, 0, cudaStreamTailLaunch>>>(p, 100);
    }
}

int main()
{
    int *p;
    OK(cudaMallocManaged(&p, 16));
    for (int i = 0; i < 4; ++i)
        p[i] = i;
    parent<<<1, 32>>>(p);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    HOLDS(p[0] == 105 && p[1] == 106 && p[2] == 7 && p[3] == 8);
    return report();
}
