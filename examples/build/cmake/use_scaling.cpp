#include <cstdio>

#include <cuda.h>

#include "scaling.h"

int main()
{
    int version = 0;
    cuDriverGetVersion(&version);
    float *x = nullptr;
    if (cudaMallocManaged(&x, 1000 * sizeof(float)) != cudaSuccess) return 1;
    for (int i = 0; i < 1000; i++) x[i] = i;
    cudaError_t error = scale(x, 2, 1000);
    std::printf("driver %d: %s, %g\n", version, cudaGetErrorName(error), x[999]);
    return error != cudaSuccess || x[999] != 1998;
}
