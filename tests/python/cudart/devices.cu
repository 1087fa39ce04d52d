// Devices, their settings, and resets.
#include "check.h"
#include <cstring>
#include <thread>

__global__ void store(int *out, int value)
{
    *out = value;
}

__device__ int variable = 3;

int main()
{
    int count = 0, device = -1;
    OK(cudaGetDevice(&device));
    HOLDS(device == 0);
    OK(cudaGetDeviceCount(&count));
    HOLDS(count >= 1);
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    int value = 0;
    const struct {
        cudaDeviceAttr attribute;
        long long field;
    } same[] = {
        {cudaDevAttrComputeCapabilityMajor, properties.major},
        {cudaDevAttrComputeCapabilityMinor, properties.minor},
        {cudaDevAttrMultiProcessorCount, properties.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerBlock, properties.maxThreadsPerBlock},
        {cudaDevAttrWarpSize, properties.warpSize},
        {cudaDevAttrMaxGridDimZ, properties.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (long long)properties.sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)properties.sharedMemPerBlockOptin},
        {cudaDevAttrTotalConstantMemory, (long long)properties.totalConstMem},
        {cudaDevAttrMaxPitch, (long long)properties.memPitch},
        {cudaDevAttrL2CacheSize, properties.l2CacheSize},
        {cudaDevAttrManagedMemory, properties.managedMemory},
        {cudaDevAttrCooperativeLaunch, properties.cooperativeLaunch},
        {cudaDevAttrMaxTexture3DDepth, properties.maxTexture3D[2]},
        {cudaDevAttrMaxSurfaceCubemapLayeredLayers, properties.maxSurfaceCubemapLayered[1]},
        {cudaDevAttrPciBusId, properties.pciBusID},
        {cudaDevAttrHostNumaId, properties.hostNumaId},
    };
    for (auto &one : same) {
        OK(cudaDeviceGetAttribute(&value, one.attribute, 0));
        if (value != one.field)
            printf("attribute %d is %d, the structure says %lld\n", one.attribute, value, one.field);
        HOLDS(value == one.field);
    }
    HOLDS(properties.name[0] && properties.totalGlobalMem > 0);
    OK(cudaChooseDevice(&device, &properties));
    HOLDS(device == 0);
    char bus[32];
    OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(cudaDeviceGetByPCIBusId(&device, bus));
    HOLDS(device == 0);

    size_t limit = 0;
    OK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    HOLDS(limit > 0);
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    HOLDS(limit >= 64 << 20);
    GIVES(cudaErrorInvalidValue, cudaDeviceGetLimit(&limit, (cudaLimit)99));
    cudaFuncCache cache;
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    OK(cudaDeviceGetCacheConfig(&cache));
    int access = 9;
    OK(cudaDeviceCanAccessPeer(&access, 0, 0));
    HOLDS(access == 0);
    OK(cudaInitDevice(0, 0, 0));
    OK(cudaSetDevice(0));
    unsigned flags = 0;
    OK(cudaSetDeviceFlags(cudaDeviceScheduleAuto | cudaDeviceMapHost));
    OK(cudaGetDeviceFlags(&flags));
    HOLDS(flags & cudaDeviceMapHost);
    (void)cudaGetLastError();

    // After a reset all starts afresh: kernels, variables, memory; also in another thread.
    int *out;
    for (int round = 0; round < 3; ++round) {
        OK(cudaMalloc(&out, 4));
        store<<<1, 1>>>(out, round);
        OK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
        HOLDS(value == round);
        OK(cudaMemcpyFromSymbol(&value, variable, 4));
        HOLDS(value == 3);
        value = 99;
        OK(cudaMemcpyToSymbol(variable, &value, 4));
        std::thread([&] {
            int *mine;
            OK(cudaMalloc(&mine, 4));
            store<<<1, 1>>>(mine, 5);
            OK(cudaDeviceSynchronize());
            OK(cudaDeviceReset());
        }).join();
    }
    OK(cudaGetDevice(&device));
    HOLDS(device == 0);
    OK(cudaDeviceSynchronize());

    // A kernel that fails, and the reset after it.
    store<<<1, 1>>>((int *)16, 1);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    (void)cudaGetLastError();
    // What comes then depends on a GPU's driver and its sandbox; the software GPU starts afresh.
    cudaDeviceProp after;
    if (cudaGetDeviceProperties(&after, 0) != cudaSuccess || strncmp(after.name, "cuox", 4)) return report();
    OK(cudaMalloc(&out, 4));
    store<<<1, 1>>>(out, 8);
    OK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
    HOLDS(value == 8);
    return report();
}
