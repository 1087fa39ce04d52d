// Two devices: code, variables, memory and order of each.
#include "check.h"
#include <cstring>

__device__ int variable = 3;
__managed__ int shared_by_all = 3;

__global__ void count()
{
    ++variable;
    ++shared_by_all;
}

__global__ void add(int *data, int value)
{
    data[threadIdx.x] += value;
}

__global__ void through_shared(int *out, int last)
{
    extern __shared__ int words[];
    words[last] = 7;
    *out = words[last];
}

int main()
{
    int devices = 0;
    OK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("one device\n");
        return report();
    }
    int *data[2], values[4] = {1, 2, 3, 4}, got[4];
    cudaStream_t stream[2];
    cudaEvent_t event[2];
    const int large = 64 << 10;
    for (int i = 0; i < 2; ++i) {
        OK(cudaSetDevice(i));
        int device = -1;
        OK(cudaGetDevice(&device));
        HOLDS(device == i);
        cudaDeviceProp properties;
        OK(cudaGetDeviceProperties(&properties, i));
        char bus[32], text[32];
        OK(cudaDeviceGetPCIBusId(bus, sizeof bus, i));
        snprintf(text, sizeof text, "%04x:%02x:", properties.pciDomainID, properties.pciBusID);
        HOLDS(!strncmp(bus, text, strlen(text)));
        OK(cudaMalloc(&data[i], sizeof values));
        cudaPointerAttributes attributes;
        OK(cudaPointerGetAttributes(&attributes, data[i]));
        HOLDS(attributes.type == cudaMemoryTypeDevice && attributes.device == i);
        OK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
        OK(cudaEventCreate(&event[i]));
        OK(cudaMemcpy(data[i], values, sizeof values, cudaMemcpyHostToDevice));

        // A variable is each device's own, a managed one is not.
        int value = -1;
        for (int n = 0; n <= i; ++n)
            count<<<1, 1>>>();
        OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
        HOLDS(value == 4 + i);
        OK(cudaDeviceSynchronize());
        HOLDS(shared_by_all == (i ? 6 : 4));
    }

    // So is a function's attribute.
    OK(cudaFuncSetAttribute(through_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, large));
    through_shared<<<1, 1, large>>>(data[1], large / 4 - 1);
    OK(cudaGetLastError());
    OK(cudaMemcpy(got, data[1], sizeof(int), cudaMemcpyDeviceToHost));
    HOLDS(got[0] == 7);
    OK(cudaSetDevice(0));
    through_shared<<<1, 1, large>>>(data[0], large / 4 - 1);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());

    int access = -1;
    OK(cudaDeviceCanAccessPeer(&access, 0, 1));
    if (access) {
        OK(cudaDeviceEnablePeerAccess(1, 0));
        GIVES(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
        (void)cudaGetLastError();
        add<<<1, 4>>>(data[1], 0);
        OK(cudaDeviceSynchronize());
        OK(cudaDeviceDisablePeerAccess(1));
        GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
        (void)cudaGetLastError();
    }

    // Each device adds, then hands on to the other.
    for (int step = 0; step < 20; ++step) {
        int here = step % 2, there = 1 - here;
        OK(cudaSetDevice(here));
        add<<<1, 4, 0, stream[here]>>>(data[here], 1);
        OK(cudaMemcpyPeerAsync(data[there], there, data[here], here, sizeof values, stream[here]));
        OK(cudaEventRecord(event[here], stream[here]));
        OK(cudaStreamWaitEvent(stream[there], event[here], 0));
    }
    OK(cudaStreamSynchronize(stream[0]));
    OK(cudaMemcpy(got, data[0], sizeof got, cudaMemcpyDeviceToHost));
    HOLDS(got[0] == 21 && got[3] == 24);
    OK(cudaMemcpy(got, data[1], sizeof got, cudaMemcpyDefault));
    HOLDS(got[0] == 21 && got[3] == 24);
    GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(event[0], stream[1]));
    (void)cudaGetLastError();

    // A reset ends what is on one device.
    OK(cudaSetDevice(1));
    OK(cudaDeviceReset());
    OK(cudaSetDevice(0));
    OK(cudaMemcpy(got, data[0], sizeof got, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(got, data[1], sizeof got, cudaMemcpyDeviceToHost));
    (void)cudaGetLastError();
    int value = -1;
    OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
    HOLDS(value == 4);
    OK(cudaSetDevice(1));
    OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
    HOLDS(value == 3);
    return report();
}
