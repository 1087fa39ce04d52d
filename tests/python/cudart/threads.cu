// Many threads whose first call is a launch of the same kernels.
#include "check.h"
#include <atomic>
#include <thread>
#include <vector>

__managed__ int total;

template <int N>
__global__ void add(int *sum)
{
    atomicAdd(sum, N);
}

int main()
{
    std::vector<std::thread> threads;
    std::atomic<bool> go{false};
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([&] {
            while (!go)
                ;
            for (int round = 0; round < 20; ++round) {
                add<1><<<1, 32>>>(&total);
                add<2><<<1, 32>>>(&total);
                add<3><<<1, 32>>>(&total);
                OK(cudaGetLastError());
            }
            OK(cudaDeviceSynchronize());
        });
    go = true;
    for (std::thread &thread : threads)
        thread.join();
    HOLDS(total == 16 * 20 * 32 * 6);
    return report();
}
