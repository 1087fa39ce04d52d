// Counts values in bins of equal widths. A block counts in shared memory, where that has room for all bins, and adds its counts up in the end.
typedef /*@c_type*/ cuox_level;
typedef /*@count_type*/ cuox_count;
// Values that a thread loads before it counts the first of them: no load passes an atomic operation.
constexpr int cuox_ahead = /*@ahead*/;
// The most bins in shared memory; 0 if there are more than have room.
constexpr unsigned int cuox_room = /*@room*/;
// True if float32 tells most bins. Some GPUs convert from and to float64 at a 64th of the speed.
constexpr bool cuox_is_fast = sizeof(cuox_level) <= 4;
const cuox_level cuox_low = /*@low_expr*/, cuox_high = /*@high_expr*/;
const unsigned int cuox_bins = /*@bins_expr*/, cuox_last = cuox_bins - 1;
cuox_count *const cuox_counts = (cuox_count *)(/*@counts_expr*/);
const auto cuox_load = [&](const cuox_index i) -> cuox_level { return /*@load_expr*/; };

// `cuox_scale`, `cuox_whole`: the bin of a value between both levels, perhaps the one behind the last, and `cuox_distance` from the lower level.
/*@find*/

// The bin of a value; the number of bins for one that is in none.
const auto cuox_find = [&](const cuox_level value) -> unsigned int {
    if (!(value >= cuox_low && value < cuox_high))
        return cuox_bins;
    const unsigned int bin = cuox_whole(value);
    return bin < cuox_last ? bin : cuox_last;
};

// The same by float32, perhaps a greater number for a value that is in no bin; `unsure` becomes true if it may be another bin: a difference, a scale and a
// product are rounded. A value in no bin is unsure, or far behind the last.
const float cuox_narrow_scale = (float)cuox_scale, cuox_slack = (float)cuox_bins * 0x1p-22f;
const auto cuox_guess = [&](const cuox_level value, bool &unsure) -> unsigned int {
    const float found = cuox_distance(value) * cuox_narrow_scale;
    const int whole = (int)found;
    const float rest = found - (float)whole;
    unsure |= !(rest > cuox_slack && rest < 1.0f - cuox_slack);
    return (unsigned int)whole;
};

// One more counts what is in no bin: to leave that out would take a branch for each value.
__shared__ unsigned int cuox_own[cuox_room + 1];
if (cuox_room > 0) {
    for (unsigned int k = tid; k <= cuox_bins; k += blockDim.x)
        cuox_own[k] = 0;
    __syncthreads();
}
const auto cuox_add = [&](const unsigned int bin) {
    if (cuox_room > 0)
        atomicAdd(&cuox_own[bin < cuox_bins ? bin : cuox_bins], 1u);
    else if (bin < cuox_bins)
        atomicAdd(&cuox_counts[bin], (cuox_count)1);
};

const cuox_index cuox_all = total_threads;
cuox_index cuox_first = cta_start + tid;
// No sum is beyond n: it might not be a number of this type.
for (; cuox_first < n && n - cuox_first > (cuox_ahead - 1) * cuox_all; cuox_first += cuox_ahead * cuox_all) {
    cuox_level values[cuox_ahead];
    unsigned int bins[cuox_ahead];
#pragma unroll
    for (int k = 0; k < cuox_ahead; ++k)
        values[k] = cuox_load(cuox_first + k * cuox_all);
    // If one bin is unsure, all are found again: one branch for all of them.
    bool unsure = !cuox_is_fast;
    if (cuox_is_fast) {
#pragma unroll
        for (int k = 0; k < cuox_ahead; ++k)
            bins[k] = cuox_guess(values[k], unsure);
    }
    if (unsure) {
#pragma unroll
        for (int k = 0; k < cuox_ahead; ++k)
            bins[k] = cuox_find(values[k]);
    }
#pragma unroll
    for (int k = 0; k < cuox_ahead; ++k)
        cuox_add(bins[k]);
    if (n - cuox_first <= cuox_ahead * cuox_all) {
        cuox_first = n;
        break;
    }
}
#pragma unroll 1
while (cuox_first < n) {
    cuox_add(cuox_find(cuox_load(cuox_first)));
    if (n - cuox_first <= cuox_all)
        break;
    cuox_first += cuox_all;
}
if (cuox_room > 0) {
    __syncthreads();
    for (unsigned int k = tid; k < cuox_bins; k += blockDim.x)
        if (cuox_own[k] != 0)
            atomicAdd(&cuox_counts[k], (cuox_count)cuox_own[k]);
}
