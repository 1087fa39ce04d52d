// What `<<<>>>` costs the host: ns per launch of an empty kernel and of one with four arguments.
//
//     nvcc -cudart shared -O2 nvcc_launch.cu -o nvcc_launch
//     ./nvcc_launch [batches]
//
// Launches come in batches that fit into the driver's queue, with a wait after each that is not counted. Printed is the median of all batches.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void empty() {}

__global__ void four(float *out, const float *in, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] * by;
    }
}

static const int BATCH = 256;

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

template <typename Launch>
static double median_of(int batches, Launch launch)
{
    using clock = std::chrono::steady_clock;
    std::vector<double> each;
    for (int batch = 0; batch < batches + 8; batch++) {
        auto begin = clock::now();
        for (int i = 0; i < BATCH; i++) {
            launch();
        }
        auto end = clock::now();
        check(cudaDeviceSynchronize());
        // The first ones load code and fill caches.
        if (batch >= 8) {
            each.push_back(std::chrono::duration<double, std::nano>(end - begin).count() / BATCH);
        }
    }
    check(cudaGetLastError());
    std::nth_element(each.begin(), each.begin() + each.size() / 2, each.end());
    return each[each.size() / 2];
}

int main(int argc, char **argv)
{
    int batches = argc > 1 ? atoi(argv[1]) : 400;
    float *data;
    check(cudaMalloc(&data, 2 * 32 * sizeof(float)));
    check(cudaMemset(data, 0, 2 * 32 * sizeof(float)));
    printf("empty %.1f\n", median_of(batches, [] { empty<<<1, 32>>>(); }));
    printf("four %.1f\n", median_of(batches, [=] { four<<<1, 32>>>(data, data + 32, 2.0f, 32); }));
    check(cudaFree(data));
    return 0;
}
