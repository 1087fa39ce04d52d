// A stable merge sort of `length` items: by blocks in shared memory, then by passes that merge runs of twice the length each.
//
// Each block and each thread finds its part of two runs by bisection along a diagonal of the grid of both (Green, McColl and Bader, *GPU merge path*, 2012).
typedef /*@c_type*/ cuox_item;
typedef long long cuox_index;
static_assert(sizeof(cuox_item) == /*@item_size*/, "the items have another size than was said");

// 0: sort tiles. 1: merge runs.
constexpr bool cuox_merges = /*@merges*/;
// True for the pass whose result the caller's statement gets.
constexpr bool cuox_is_last = /*@is_last*/;
constexpr int cuox_threads = /*@threads*/;
constexpr int cuox_each = /*@each*/;
constexpr int cuox_tile = cuox_threads * cuox_each;

struct cuox_plan {
    const cuox_item *from;
    cuox_item *to;
    cuox_index length, width;
};

// How many of the first `diagonal` items of two merged runs come from the first one.
template <class A, class B, class L> static __device__ __forceinline__ cuox_index cuox_split(const A &a, cuox_index a_length, const B &b, cuox_index b_length, cuox_index diagonal, const L &less) {
    cuox_index low = diagonal > b_length ? diagonal - b_length : 0, high = diagonal < a_length ? diagonal : a_length;
    while (low < high) {
        const cuox_index middle = low + (high - low) / 2;
        if (!less(b[diagonal - 1 - middle], a[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

extern "C" __global__ void __launch_bounds__(cuox_threads) /*@name*/(/*@parameters*/const cuox_plan cuox_p) {
    const cuox_index N = cuox_p.length;
    auto cuox_load = [&](cuox_index i) -> cuox_item {
        return (/*@load_expr*/);
    };
    auto cuox_less = [&](const cuox_item &a, const cuox_item &b) -> bool {
        return (/*@less_expr*/);
    };
    auto cuox_store = [&](cuox_index i, const cuox_item &item) {
        /*@store_statement*/;
    };
    alignas(16) alignas(alignof(cuox_item)) __shared__ unsigned char cuox_raw[cuox_tile * sizeof(cuox_item)];
    cuox_item *const items = (cuox_item *)cuox_raw;
    const int thread = threadIdx.x;
    const cuox_index base = (cuox_index)blockIdx.x * cuox_tile;
    const int valid = N - base < cuox_tile ? (int)(N - base) : cuox_tile;
    const int first = thread * cuox_each;
    const int count = valid - first < 0 ? 0 : valid - first < cuox_each ? valid - first : cuox_each;
    alignas(alignof(cuox_item)) unsigned char cuox_raw_own[cuox_each * sizeof(cuox_item)];
    cuox_item *const own = (cuox_item *)cuox_raw_own;

    // The thread's items of two runs in shared memory.
    auto cuox_merged = [&](const cuox_item *a, int a_length, const cuox_item *b, int b_length, int diagonal) {
        int i = (int)cuox_split(a, a_length, b, b_length, diagonal, cuox_less), j = diagonal - i;
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            if (k < count) {
                const bool from_a = j >= b_length || (i < a_length && !cuox_less(b[j], a[i]));
                own[k] = from_a ? a[i] : b[j];
                i += from_a;
                j += !from_a;
            }
    };
    auto cuox_put_back = [&]() {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            if (k < count)
                items[first + k] = own[k];
        __syncthreads();
    };

    if constexpr (!cuox_merges) {
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const int place = k * cuox_threads + thread;
            if (place < valid)
                items[place] = cuox_load(base + place);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            if (k < count)
                own[k] = items[first + k];
        // Neighbours are exchanged only if they must be: stable.
#pragma unroll
        for (int round = 0; round < cuox_each; ++round)
#pragma unroll
            for (int k = round & 1; k + 1 < cuox_each; k += 2)
                if (k + 1 < count && cuox_less(own[k + 1], own[k])) {
                    const cuox_item kept = own[k];
                    own[k] = own[k + 1];
                    own[k + 1] = kept;
                }
        cuox_put_back();
        for (int width = cuox_each; width < cuox_tile; width *= 2) {
            const int start = first / (2 * width) * (2 * width);
            const int middle = start + width < valid ? start + width : valid, end = start + 2 * width < valid ? start + 2 * width : valid;
            if (count > 0)
                cuox_merged(items + start, middle - start, items + middle, end - middle, first - start);
            cuox_put_back();
        }
    } else {
        __shared__ cuox_index cuox_splits[2];
        const cuox_index start = base / (2 * cuox_p.width) * (2 * cuox_p.width);
        const cuox_index middle = start + cuox_p.width < N ? start + cuox_p.width : N, end = start + 2 * cuox_p.width < N ? start + 2 * cuox_p.width : N;
        const cuox_item *const a = cuox_p.from + start, *const b = cuox_p.from + middle;
        if (thread < 2)
            cuox_splits[thread] = cuox_split(a, middle - start, b, end - middle, base - start + (thread == 0 ? 0 : valid), cuox_less);
        __syncthreads();
        const cuox_index a_first = cuox_splits[0], b_first = base - start - a_first;
        const int a_count = (int)(cuox_splits[1] - a_first), b_count = valid - a_count;
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const int place = k * cuox_threads + thread;
            if (place < valid)
                items[place] = place < a_count ? a[a_first + place] : b[b_first + (place - a_count)];
        }
        __syncthreads();
        if (count > 0)
            cuox_merged(items, a_count, items + a_count, b_count, first);
        cuox_put_back();
    }
#pragma unroll
    for (int k = 0; k < cuox_each; ++k) {
        const int place = k * cuox_threads + thread;
        if (place < valid) {
            if constexpr (cuox_is_last)
                cuox_store(base + place, items[place]);
            else
                cuox_p.to[base + place] = items[place];
        }
    }
}
