// CUB's algorithms for one type of keys and one of values, as functions of C: what cuox.cuda.compute is compared with.
// KEY_TYPE, VALUE_TYPE: the types. FEW: exclusive_scan and merge_sort only, as all take nvcc long.
#include <cstdint>
#include <cuda_runtime.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_scan.cuh>
#ifndef FEW
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>
#include <cub/thread/thread_search.cuh>
#endif

typedef long long index_t;
typedef KEY_TYPE item_key;
typedef VALUE_TYPE item_value;

// Operators of one type, so that each algorithm is compiled once.
struct Combine {
    int which;
    __host__ __device__ item_value operator()(item_value a, item_value b) const {
        switch (which) {
        case 0: return item_value(a + b);
        case 1: return a < b ? b : a;
        case 2: return b < a ? b : a;
        // Associative, but not commutative: the last one that is not 0.
        default: return b == item_value(0) ? a : b;
        }
    }
};
struct Less {
    int which;
    __host__ __device__ bool operator()(item_key a, item_key b) const { return which == 0 ? a < b : which == 1 ? b < a : int64_t(a) >> 2 < int64_t(b) >> 2; }
};
struct Equal {
    int which;
    __host__ __device__ bool operator()(item_key a, item_key b) const { return which == 0 ? a == b : int64_t(a) >> 2 == int64_t(b) >> 2; }
};
struct Below {
    item_key bound;
    __host__ __device__ bool operator()(item_key a) const { return a < bound; }
};
struct Minus {
    int which;
    __host__ __device__ item_value operator()(item_value a, item_value b) const { return which == 0 ? item_value(a - b) : item_value(a + b + b); }
};

template <class Call> static int twice(Call call) {
    size_t bytes = 0;
    // An error that another caller of the runtime has left is none of these.
    cudaGetLastError();
    cudaError_t error = call(nullptr, bytes);
    void *memory = nullptr;
    if (!error) error = cudaMalloc(&memory, bytes + 1);
    if (!error) error = call(memory, bytes);
    if (!error) error = cudaDeviceSynchronize();
    cudaFree(memory);
    return int(error);
}

// All numbers that are no items are of 64 bits.
#define API extern "C" int

API cub_exclusive_scan(const item_value *in, item_value *out, index_t count, index_t op, item_value init) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceScan::ExclusiveScan(memory, bytes, in, out, Combine{int(op)}, init, count); });
}
API cub_merge_sort(const item_key *keys, item_key *out_keys, const item_value *values, item_value *out_values, index_t count, index_t less) {
    cudaMemcpy(out_keys, keys, count * sizeof(item_key), cudaMemcpyDeviceToDevice);
    cudaMemcpy(out_values, values, count * sizeof(item_value), cudaMemcpyDeviceToDevice);
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceMergeSort::StableSortPairs(memory, bytes, out_keys, out_values, count, Less{int(less)}); });
}

#ifndef FEW
API cub_reduce(const item_value *in, item_value *out, index_t count, index_t op, item_value init) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceReduce::Reduce(memory, bytes, in, out, count, Combine{int(op)}, init); });
}
API cub_inclusive_scan(const item_value *in, item_value *out, index_t count, index_t op) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, Combine{int(op)}, count); });
}
API cub_segmented_reduce(const item_value *in, item_value *out, index_t segments, const int *starts, const int *ends, index_t op, item_value init) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceSegmentedReduce::Reduce(memory, bytes, in, out, segments, starts, ends, Combine{int(op)}, init); });
}
API cub_adjacent_difference(const item_value *in, item_value *out, index_t count, index_t op, index_t right) {
    return twice([=](void *memory, size_t &bytes) {
        return right ? cub::DeviceAdjacentDifference::SubtractRightCopy(memory, bytes, in, out, count, Minus{int(op)})
                     : cub::DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, in, out, count, Minus{int(op)});
    });
}
static __global__ void search(const item_key *data, index_t count, const item_key *values, index_t number, index_t *out, int upper) {
    const index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < number) out[i] = upper ? cub::UpperBound(data, count, values[i]) : cub::LowerBound(data, count, values[i]);
}
API cub_search(const item_key *data, index_t count, const item_key *values, index_t number, index_t *out, index_t upper) {
    if (number) search<<<int((number + 127) / 128), 128>>>(data, count, values, number, out, int(upper));
    return int(cudaDeviceSynchronize());
}
API cub_reduce_by_key(const item_key *keys, const item_value *values, item_key *unique, item_value *sums, index_t *number, index_t count, index_t op) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceReduce::ReduceByKey(memory, bytes, keys, unique, values, sums, number, Combine{int(op)}, count); });
}
API cub_run_length_encode(const item_key *in, item_key *unique, int *counts, index_t *number, index_t count) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceRunLengthEncode::Encode(memory, bytes, in, unique, counts, number, count); });
}
API cub_non_trivial_runs(const item_key *in, int *offsets, int *lengths, index_t *number, index_t count) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, in, offsets, lengths, number, count); });
}
API cub_select(const item_key *in, item_key *out, index_t *number, index_t count, item_key bound) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceSelect::If(memory, bytes, in, out, number, count, Below{bound}); });
}
API cub_partition(const item_key *in, item_key *first, item_key *second, item_key *rest, int *numbers, index_t count, item_key low, item_key high) {
    return twice([=](void *memory, size_t &bytes) {
        return cub::DevicePartition::If(memory, bytes, in, first, second, rest, numbers, int(count), Below{low}, Below{high});
    });
}
API cub_unique_by_key(const item_key *keys, const item_value *values, item_key *unique, item_value *out, index_t *number, index_t count, index_t equal) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceSelect::UniqueByKey(memory, bytes, keys, values, unique, out, number, count, Equal{int(equal)}); });
}
API cub_histogram(const item_key *in, int *counts, index_t levels, item_key low, item_key high, index_t count) {
    return twice([=](void *memory, size_t &bytes) { return cub::DeviceHistogram::HistogramEven(memory, bytes, in, counts, int(levels), low, high, int(count)); });
}
API cub_radix_sort(const item_key *keys, item_key *out_keys, const item_value *values, item_value *out_values, index_t count, index_t descending, index_t begin, index_t end) {
    return twice([=](void *memory, size_t &bytes) {
        return descending ? cub::DeviceRadixSort::SortPairsDescending(memory, bytes, keys, out_keys, values, out_values, count, int(begin), int(end))
                          : cub::DeviceRadixSort::SortPairs(memory, bytes, keys, out_keys, values, out_values, count, int(begin), int(end));
    });
}
API cub_segmented_sort(const item_key *keys, item_key *out_keys, const item_value *values, item_value *out_values, index_t count, index_t segments, const int *starts, const int *ends, index_t descending) {
    return twice([=](void *memory, size_t &bytes) {
        return descending ? cub::DeviceSegmentedSort::StableSortPairsDescending(memory, bytes, keys, out_keys, values, out_values, count, segments, starts, ends)
                          : cub::DeviceSegmentedSort::StableSortPairs(memory, bytes, keys, out_keys, values, out_values, count, segments, starts, ends);
    });
}
#endif
