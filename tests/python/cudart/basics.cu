// Kernels, variables of all kinds, and the thread's last error.
#include "check.h"

__managed__ int managed = 7;
__managed__ double managed_array[3] = {1, 2, 3};
__constant__ float scale[4];
__device__ int counter = 5;

__global__ void bump()
{
    managed += 1;
    counter += 2;
    managed_array[1] *= 10;
}

template <typename T>
__global__ void scaled(T *out, const T *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * (T)scale[i % 4];
}

struct Large {
    int numbers[50];
};

__global__ void by_value(Large large, char small, int *out)
{
    *out = large.numbers[49] + small;
}

int main()
{
    int version = 0;
    OK(cudaRuntimeGetVersion(&version));
    HOLDS(version == CUDART_VERSION);
    OK(cudaDriverGetVersion(&version));
    HOLDS(version >= 13000);

    HOLDS(managed == 7 && managed_array[2] == 3);
    managed = 40;
    bump<<<1, 1>>>();
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    HOLDS(managed == 41 && managed_array[1] == 20);

    int value = 0;
    OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    HOLDS(value == 7);
    void *address = nullptr;
    size_t size = 0;
    OK(cudaGetSymbolAddress(&address, counter));
    OK(cudaGetSymbolSize(&size, counter));
    HOLDS(address && size == 4);
    OK(cudaGetSymbolSize(&size, managed_array));
    HOLDS(size == sizeof managed_array);
    OK(cudaMemcpy(&value, address, 4, cudaMemcpyDefault));
    HOLDS(value == 7);

    float host[4] = {1, 2, 3, 4};
    OK(cudaMemcpyToSymbol(scale, host, sizeof host));
    host[2] = 30;
    OK(cudaMemcpyToSymbol(scale, host + 2, 4, 8, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(scale, host, 8, 12));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(scale, host, 8, 0, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol((const void *)host, host, 8));
    (void)cudaGetLastError();

    const int n = 1000;
    double in[n], out[n];
    for (int i = 0; i < n; ++i)
        in[i] = i;
    double *from, *to;
    OK(cudaMalloc(&from, sizeof in));
    OK(cudaMalloc(&to, sizeof out));
    OK(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    scaled<<<(n + 127) / 128, 128>>>(to, from, n);
    OK(cudaGetLastError());
    OK(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        if (out[i] != i * host[i % 4]) {
            HOLDS(false);
            break;
        }

    Large large = {};
    large.numbers[49] = 1000;
    int *result = (int *)to;
    by_value<<<1, 1>>>(large, 23, result);
    OK(cudaMemcpy(&value, result, 4, cudaMemcpyDeviceToHost));
    HOLDS(value == 1023);
    OK(cudaFree(from));
    OK(cudaFree(to));
    OK(cudaFree(nullptr));
    return report();
}
