// Which code each mistake gives, and what the thread's last error is afterwards.
#include "check.h"
#include <cstring>
#include <thread>

__global__ void touch(int *p)
{
    *p = 1;
}

__device__ int not_a_kernel;

int main()
{
    HOLDS(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    HOLDS(!strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    HOLDS(!strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code"));
    HOLDS(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
    OK(cudaGetLastError());

    int *p = nullptr;
    OK(cudaMalloc(&p, 4));
    cudaDeviceProp limits;
    OK(cudaGetDeviceProperties(&limits, 0));

    // Shapes that no device has.
    touch<<<1, 2048>>>(p);
    GIVES(cudaErrorInvalidValue, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidValue, cudaPeekAtLastError());
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    OK(cudaGetLastError());
    touch<<<0, 1>>>(p);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    touch<<<dim3(1, 70000), 1>>>(p);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    touch<<<1, dim3(1, 1, 128)>>>(p);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    touch<<<1, 1, 1 << 22>>>(p);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());

    // A success leaves the last error alone, and each thread has its own.
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(1000));
    OK(cudaDeviceSynchronize());
    std::thread([] { OK(cudaPeekAtLastError()); }).join();
    GIVES(cudaErrorInvalidDevice, cudaGetLastError());

    int device = -1;
    OK(cudaGetDevice(&device));
    HOLDS(device == 0);
    GIVES(cudaErrorInvalidDevice, cudaSetDevice(-1));
    GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&limits, 77));
    GIVES(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
    GIVES(cudaErrorInvalidValue, cudaMalloc((void **)nullptr, 4));
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
    void *nothing = p;
    OK(cudaMalloc(&nothing, 0));
    HOLDS(nothing == nullptr);
    int on_stack = 0;
    GIVES(cudaErrorInvalidValue, cudaFree(&on_stack));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, &on_stack, 1 << 20, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, &on_stack, 4, (cudaMemcpyKind)9));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2D(p, 2, &on_stack, 4, 4, 1, cudaMemcpyHostToDevice));

    // Functions that are none.
    cudaFuncAttributes attributes;
    GIVES(cudaErrorInvalidResourceHandle, cudaFuncGetAttributes(&attributes, (const void *)main));
    GIVES(cudaErrorInvalidResourceHandle, cudaLaunchKernel((const void *)main, 1, 1, nullptr, 0, 0));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, (const void *)nullptr));

    // Events.
    cudaEvent_t start, end;
    float ms;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, end));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    (void)cudaGetLastError();

    // A kernel that fails spoils the context until the device is reset.
    touch<<<1, 1>>>((int *)16);
    OK(cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaMalloc(&p, 4));
    touch<<<1, 1>>>(p);
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    return report();
}
