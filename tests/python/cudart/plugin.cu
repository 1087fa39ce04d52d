// A library that is loaded and unloaded.
#include <cuda_runtime.h>

__device__ int calls = 0;
__managed__ int managed = 100;

__global__ void work(int *out)
{
    calls += 1;
    *out = calls + managed;
}

extern "C" int run()
{
    int *out, result = -1;
    if (cudaMalloc(&out, 4))
        return -2;
    work<<<1, 1>>>(out);
    if (cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost))
        return -3;
    cudaFree(out);
    return cudaGetLastError() ? -4 : result;
}
