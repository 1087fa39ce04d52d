// Attributes of kernels, occupancy, launches by all ways, and the driver's functions beside the runtime's. Also compiled with __NV_LEGACY_LAUNCH.
#include "check.h"
#include <cooperative_groups.h>
#include <cstring>
#include <cuda.h>

__global__ void __launch_bounds__(256) bounded(int *out)
{
    __shared__ int values[64];
    values[threadIdx.x % 64] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x] = values[1];
}

extern __shared__ int dynamic[];

__global__ void large_shared(int *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        dynamic[i] = i;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = dynamic[n - 1];
}

__global__ void together(int *sum, int *out)
{
    atomicAdd(sum, 1);
    cooperative_groups::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *sum;
}

static __global__ void store(int *out, int value)
{
    *out = value;
}

static int nested(int *out)
{
    store<<<1, 1>>>(out, 3);
    return 4;
}

int main()
{
    int *out;
    OK(cudaMallocManaged(&out, 1 << 16));

    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, bounded));
    HOLDS(attributes.maxThreadsPerBlock == 256 && attributes.sharedSizeBytes == 256 && attributes.numRegs > 0 && attributes.ptxVersion >= 50);
    int blocks = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    HOLDS(blocks >= 1);
    int grid = 0, block = 0;
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
    HOLDS(grid >= 1 && block >= 32 && block <= 256);
    size_t shared = 0;
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, large_shared, 1, 128));
    HOLDS(shared > 0);

    // More shared memory than a kernel has without asking.
    int most = 0;
    OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    large_shared<<<1, 64, 64 << 10>>>(out, 16 << 10);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
    (void)cudaGetLastError();
    OK(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    large_shared<<<1, 64, 64 << 10>>>(out, 16 << 10);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    HOLDS(*out == (16 << 10) - 1);
    OK(cudaFuncGetAttributes(&attributes, large_shared));
    HOLDS(attributes.maxDynamicSharedSizeBytes == 64 << 10);
    OK(cudaFuncSetCacheConfig(bounded, cudaFuncCachePreferShared));

    // By the functions.
    int value = 17;
    void *arguments[] = {&out, &value};
    OK(cudaLaunchKernel((const void *)store, 1, 1, arguments, 0, 0));
    OK(cudaDeviceSynchronize());
    HOLDS(*out == 17);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 1;
    OK(cudaLaunchKernelEx(&config, store, out, 18));
    OK(cudaDeviceSynchronize());
    HOLDS(*out == 18);
    config.gridDim = 0;
    GIVES(cudaErrorInvalidValue, cudaLaunchKernelEx(&config, store, out, 18));
    (void)cudaGetLastError();

    // A cooperative grid.
    *out = 0;
    int *results = out + 1;
    void *pointers[] = {&out, &results};
    OK(cudaLaunchCooperativeKernel((const void *)together, 4, 32, pointers, 0, 0));
    OK(cudaDeviceSynchronize());
    HOLDS(results[0] == 128 && results[127] == 128);
    GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchCooperativeKernel((const void *)together, 1 << 20, 1024, pointers, 0, 0));
    (void)cudaGetLastError();

    // A launch whose argument launches.
    store<<<1, 1>>>(out, nested(out + 1));
    OK(cudaDeviceSynchronize());
    HOLDS(out[0] == 4 && out[1] == 3);

    // Names, handles and the driver.
    const char *name = nullptr;
    OK(cudaFuncGetName(&name, (const void *)bounded));
    HOLDS(name && strstr(name, "bounded"));
    size_t offset = 9, size = 0;
    OK(cudaFuncGetParamInfo((const void *)store, 1, &offset, &size));
    HOLDS(offset == 8 && size == 4);
    GIVES(cudaErrorInvalidValue, cudaFuncGetParamInfo((const void *)store, 2, &offset, &size));
    cudaKernel_t kernel = nullptr;
    OK(cudaGetKernel(&kernel, store));
    value = 19;
    OK(cudaLaunchKernel((const void *)kernel, 1, 1, arguments, 0, 0));
    OK(cudaDeviceSynchronize());
    HOLDS(*out == 19);
    cudaFunction_t function = nullptr;
    OK(cudaGetFuncBySymbol(&function, (const void *)store));
    cudaDriverEntryPointQueryResult found;
    decltype(&cuLaunchKernel) launch = nullptr;
    OK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", (void **)&launch, 13000, cudaEnableDefault, &found));
    HOLDS(launch && found == cudaDriverEntryPointSuccess);
    value = 20;
    HOLDS(launch((CUfunction)function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    HOLDS(launch((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
    OK(cudaDeviceSynchronize());
    HOLDS(*out == 20);
    decltype(&cuCtxGetCurrent) current = nullptr;
    OK(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", (void **)&current, 13000, cudaEnableDefault, &found));
    CUcontext context = nullptr;
    HOLDS(current(&context) == CUDA_SUCCESS && context);
    void *none = out;
    OK(cudaGetDriverEntryPointByVersion("cuNope", &none, 13000, cudaEnableDefault, &found));
    HOLDS(!none && found == cudaDriverEntryPointSymbolNotFound);

    // A program's own library.
    const char *ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .global .u32 seen = 21;\n"
                      ".visible .entry put(.param .u64 p) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [p]; ld.global.u32 %v, [seen]; st.global.u32 [%a], %v; ret; }\n";
    cudaLibrary_t library;
    OK(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    OK(cudaLibraryGetKernelCount(&count, library));
    HOLDS(count == 1);
    cudaKernel_t listed = nullptr;
    OK(cudaLibraryEnumerateKernels(&listed, 1, library));
    OK(cudaLibraryGetKernel(&kernel, library, "put"));
    HOLDS(listed == kernel);
    GIVES(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&listed, library, "nope"));
    void *seen = nullptr;
    OK(cudaLibraryGetGlobal(&seen, &size, library, "seen"));
    HOLDS(seen && size == 4);
    OK(cudaLaunchKernel((const void *)kernel, 1, 1, arguments, 0, 0));
    OK(cudaDeviceSynchronize());
    HOLDS(*out == 21);
    OK(cudaLibraryUnload(library));
    OK(cudaFree(out));
    return report();
}
