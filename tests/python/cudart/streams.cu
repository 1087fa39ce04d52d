// Streams, events, callbacks and the kinds of default stream. Also compiled with --default-stream per-thread.
#include "check.h"
#include <atomic>
#include <thread>
#include <vector>

__global__ void spin(long long clocks, int *out, int value)
{
    long long start = clock64();
    while (clock64() - start < clocks)
        ;
    *out = value;
}

static std::atomic<int> called{0};

static void callback(cudaStream_t, cudaError_t status, void *data)
{
    if (status == cudaSuccess)
        called += *(int *)data;
}

int main()
{
    int low = 0, high = 0;
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    HOLDS(low >= high);
    cudaStream_t one, two, urgent;
    OK(cudaStreamCreate(&one));
    OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, high));
    unsigned flags = 9;
    OK(cudaStreamGetFlags(two, &flags));
    HOLDS(flags == cudaStreamNonBlocking);
    int priority = 99;
    OK(cudaStreamGetPriority(urgent, &priority));
    HOLDS(priority == high);
    unsigned long long first = 0, second = 0;
    OK(cudaStreamGetId(one, &first));
    OK(cudaStreamGetId(two, &second));
    HOLDS(first != second);
    int device = -1;
    OK(cudaStreamGetDevice(one, &device));
    HOLDS(device == 0);

    int *memory;
    OK(cudaMallocManaged(&memory, 64));
    cudaEvent_t begin, end;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(begin, one));
    spin<<<1, 1, 0, one>>>(100000, memory, 5);
    OK(cudaEventRecord(end, one));
    OK(cudaStreamWaitEvent(two, end, 0));
    spin<<<1, 1, 0, two>>>(0, memory, 6);
    OK(cudaStreamSynchronize(two));
    HOLDS(*memory == 6);
    OK(cudaEventSynchronize(end));
    OK(cudaEventQuery(end));
    float ms = -1;
    OK(cudaEventElapsedTime(&ms, begin, end));
    HOLDS(ms > 0);

    int five = 5;
    OK(cudaStreamAddCallback(one, callback, &five, 0));
    OK(cudaLaunchHostFunc(one, [](void *data) { called += 10 * *(int *)data; }, &five));
    OK(cudaStreamSynchronize(one));
    HOLDS(called == 55);

    // Work in the default stream, of several threads.
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([=] {
            spin<<<1, 1>>>(1000, memory + i, i + 1);
            OK(cudaGetLastError());
            OK(cudaStreamSynchronize(0));
            int seen = 0;
            OK(cudaMemcpy(&seen, memory + i, 4, cudaMemcpyDefault));
            HOLDS(seen == i + 1);
            spin<<<1, 1, 0, cudaStreamPerThread>>>(0, memory + i, 7);
            OK(cudaStreamSynchronize(cudaStreamPerThread));
        });
    for (std::thread &thread : threads)
        thread.join();
    OK(cudaStreamSynchronize(cudaStreamLegacy));
    OK(cudaStreamQuery(cudaStreamLegacy));
    HOLDS(memory[3] == 7);
    unsigned long long mine = 0, per_thread = 1, legacy = 0;
    OK(cudaStreamGetId(0, &mine));
    OK(cudaStreamGetId(cudaStreamPerThread, &per_thread));
    OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    HOLDS(mine == per_thread);
#else
    HOLDS(mine == legacy);
#endif
    OK(cudaStreamDestroy(one));
    OK(cudaStreamDestroy(two));
    OK(cudaStreamDestroy(urgent));
    OK(cudaDeviceSynchronize());
    return report();
}
