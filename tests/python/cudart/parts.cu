// Relocatable code: one part of a program of two.
#include "check.h"

extern __device__ int twice(int);
extern __device__ int shared_counter;
extern __global__ void elsewhere(int *);

__global__ void here(int *p)
{
    *p = twice(*p) + shared_counter;
}

int main()
{
    int *p;
    OK(cudaMallocManaged(&p, 4));
    *p = 20;
    here<<<1, 1>>>(p);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    HOLDS(*p == 42);
    elsewhere<<<1, 1>>>(p);
    OK(cudaDeviceSynchronize());
    HOLDS(*p == 43);
    int value = 0;
    OK(cudaMemcpyFromSymbol(&value, shared_counter, 4));
    HOLDS(value == 2);
    return report();
}
