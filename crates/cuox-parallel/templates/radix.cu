// A stable sort of keys that are numbers, by digits of 8 bits, the lowest first. One kernel counts all digits; then one for each place moves the keys in
// one pass: a block ranks its tile, learns by look-back how many keys of each digit stand in the tiles before, and writes (Adinets and Merrill, *Onesweep*,
// 2022).

// The blocks that are to run at once on a multiprocessor.
constexpr int cuox_blocks = /*@blocks*/;
constexpr int cuox_warps = cuox_threads / 32;
// Larger values go from place to place at once, others together with their neighbours.
constexpr bool cuox_is_large = sizeof(cuox_value) > 16;

// What stands before, for the first 256 threads.
template <class T> static __device__ __forceinline__ T cuox_before(T value, int thread) {
    __shared__ T sums[cuox_digits / 32];
    T sum = value;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const T left = __shfl_up_sync(0xffffffffu, sum, distance);
        if (thread % 32 >= distance)
            sum += left;
    }
    if (thread % 32 == 31 && thread < cuox_digits)
        sums[thread / 32] = sum;
    __syncthreads();
    for (int warp = 0; warp < cuox_digits / 32; ++warp)
        if (warp < thread / 32)
            sum += sums[warp];
    return sum - value;
}

#if !/*@moves*/
// Counts the digits of some keys, which are loaded before the first counter is written.
template <int ahead> static __device__ __forceinline__ void cuox_count_keys(const cuox_plan &p, unsigned int *counts, cuox_index i, cuox_index step) {
    cuox_key keys[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k)
        keys[k] = cuox_ordered(p, p.from[i + k * step]);
#pragma unroll 1
    for (int place = 0; place < p.places; ++place, counts += cuox_digits) {
        const cuox_window window = cuox_window_of(p, place);
#pragma unroll
        for (int k = 0; k < ahead; ++k)
            atomicAdd(counts + cuox_digit(window, keys[k]), 1u);
    }
}

extern "C" __global__ void __launch_bounds__(cuox_threads) radix_count(const __grid_constant__ cuox_plan p) {
    __shared__ unsigned int counts[8 * cuox_digits];
    __shared__ bool is_last;
    const int thread = threadIdx.x, all = (int)p.places * cuox_digits;
    const cuox_index step = (cuox_index)gridDim.x * cuox_threads;
    for (int k = thread; k < all; k += cuox_threads)
        counts[k] = 0;
    __syncthreads();
    cuox_index i = (cuox_index)blockIdx.x * cuox_threads + thread;
    constexpr int ahead = 8;
    for (; i + (ahead - 1) * step < p.length; i += ahead * step)
        cuox_count_keys<ahead>(p, counts, i, step);
    for (; i < p.length; i += step)
        cuox_count_keys<1>(p, counts, i, step);
    __syncthreads();
    for (int k = thread; k < all; k += cuox_threads)
        if (counts[k] != 0)
            atomicAdd(&p.bins[k], (cuox_count)counts[k]);
    __threadfence();
    __syncthreads();
    if (thread == 0)
        is_last = atomicAdd(&p.counters[0], 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    for (int place = 0; place < p.places; ++place) {
        cuox_count *const bins = p.bins + place * cuox_digits;
        const cuox_count before = cuox_before(thread < cuox_digits ? *(volatile cuox_count *)&bins[thread] : 0, thread);
        if (thread < cuox_digits)
            bins[thread] = before;
        __syncthreads();
    }
}

#else
static __device__ __forceinline__ void cuox_set(unsigned int *at, unsigned int bits) {
    asm volatile("red.relaxed.cta.shared.or.b32 [%0], %1;" : : "r"((unsigned int)__cvta_generic_to_shared(at)), "r"(bits) : "memory");
}

// The lanes with the same digit.
static __device__ __forceinline__ unsigned int cuox_vote(unsigned int digit) {
    unsigned int others = 0;
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        // In assembly, or the compiler tests each bit twice. Others are those that vote for the bit where this lane does not, or the other way round.
        asm volatile("{\n\t.reg .pred set;\n\t.reg .b32 votes, own;\n\tand.b32 own, %1, %2;\n\tsetp.ne.u32 set, own, 0;\n\t"
                     "vote.sync.ballot.b32 votes, set, 0xffffffff;\n\tselp.b32 own, 0xffffffff, 0, set;\n\tlop3.b32 %0, %0, votes, own, 0xf6;\n\t}"
                     : "+r"(others)
                     : "r"(digit), "r"(1 << bit));
    }
    return ~others;
}

// A place among all keys. It wraps around while it is made.
typedef cuox_state cuox_place;

extern "C" __global__ void __launch_bounds__(cuox_threads, cuox_blocks) radix_move(const __grid_constant__ cuox_plan p) {
    __shared__ cuox_place offsets[cuox_digits];
    __shared__ unsigned int counts[cuox_warps * cuox_digits];
    __shared__ unsigned int ticket;
    constexpr int size = !cuox_has_values || cuox_is_large || sizeof(cuox_key) > sizeof(cuox_value) ? sizeof(cuox_key) : sizeof(cuox_value);
    // First each warp's masks, then the keys by digits, then the values.
    alignas(16) __shared__ unsigned char raw[cuox_tile * size > (int)sizeof(counts) ? cuox_tile * size : sizeof(counts)];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, place = (int)p.place;
    if (thread == 0)
        ticket = atomicAdd(&p.counters[1 + place], 1u);
    __syncthreads();
    const cuox_window window = cuox_window_of(p, place);
    const cuox_index tile = ticket, base = tile * cuox_tile;
    const bool is_full = p.length - base >= cuox_tile;
    const int valid = is_full ? cuox_tile : (int)(p.length - base);
    cuox_state *const states = p.states + place * p.tiles * cuox_digits;
    cuox_key keys[cuox_each];
    const int first = warp * 32 * cuox_each + lane;
    if (is_full) {
        const cuox_key *const from = p.from + base + first;
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            keys[k] = cuox_ordered(p, from[k * 32]);
    } else {
        // Keys that are not there are the greatest, and last among these.
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            keys[k] = first + k * 32 < valid ? cuox_ordered(p, p.from[base + first + k * 32]) : (cuox_key)~(cuox_key)0;
    }
    unsigned int ranks[cuox_each];
    unsigned int *const own = counts + warp * cuox_digits, *const masks = (unsigned int *)raw + warp * cuox_digits;
    for (int k = lane; k < cuox_digits; k += 32)
        own[k] = masks[k] = 0;
    __syncwarp();
    // One after the other, on an H200: neither `__match_any_sync` nor many keys' votes at once are faster.
#pragma unroll
    for (int k = 0; k < cuox_each; ++k) {
        const unsigned int digit = cuox_digit(window, keys[k]);
        if (__all_sync(0xffffffffu, digit == __shfl_sync(0xffffffffu, digit, 0))) {
            const unsigned int before = own[digit];
            __syncwarp();
            if (lane == 0)
                own[digit] = before + 32;
            __syncwarp();
            ranks[k] = before + lane;
            continue;
        }
        // The lanes with the same digit: in turn by shared memory and by votes, as both at once have more throughput than either.
        unsigned int peers;
        if (k % 2 == 1) {
            cuox_set(masks + digit, 1u << lane);
            __syncwarp();
            peers = *(volatile unsigned int *)(masks + digit);
        } else {
            peers = cuox_vote(digit);
        }
        const unsigned int lower = __popc(peers & ((1u << lane) - 1)), before = own[digit];
        __syncwarp();
        if (lower == 0) {
            own[digit] = before + __popc(peers);
            if (k % 2 == 1)
                masks[digit] = 0;
        }
        __syncwarp();
        ranks[k] = before + lower;
    }
    __syncthreads();
    unsigned int sum = 0;
    if (thread < cuox_digits) {
#pragma unroll
        for (int w = 0; w < cuox_warps; ++w)
            sum += counts[w * cuox_digits + thread];
        cuox_tell(states + tile * cuox_digits + thread, (tile == 0 ? cuox_all : cuox_own) | sum);
    }
    const unsigned int start = cuox_before(sum, thread);
    if (thread < cuox_digits) {
        unsigned int at = start;
#pragma unroll
        for (int w = 0; w < cuox_warps; ++w) {
            const unsigned int count = counts[w * cuox_digits + thread];
            counts[w * cuox_digits + thread] = at;
            at += count;
        }
    }
    __syncthreads();
    cuox_key *const sorted = (cuox_key *)raw;
#pragma unroll
    for (int k = 0; k < cuox_each; ++k) {
        ranks[k] += own[cuox_digit(window, keys[k])];
        sorted[ranks[k]] = keys[k];
    }
    if (thread < cuox_digits)
        offsets[thread] = (cuox_place)p.bins[place * cuox_digits + thread] + cuox_look_back(states, tile, thread, sum) - start;
    __syncthreads();
    unsigned char digits[cuox_each];
#pragma unroll
    for (int k = 0; k < cuox_each; ++k) {
        const int at = k * cuox_threads + thread;
        if (is_full || at < valid) {
            const cuox_key key = sorted[at];
            digits[k] = (unsigned char)cuox_digit(window, key);
            p.to[(cuox_place)(offsets[digits[k]] + at)] = cuox_plain(p, key);
        }
    }
    if constexpr (cuox_has_values && cuox_is_large) {
#pragma unroll 1
        for (int k = 0; k < cuox_each; ++k)
            if (first + k * 32 < valid)
                p.to_values[(cuox_place)(offsets[cuox_digit(window, keys[k])] + ranks[k])] = p.from_values[base + first + k * 32];
    } else if constexpr (cuox_has_values) {
        cuox_value *const moved = (cuox_value *)raw;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            if (is_full || first + k * 32 < valid)
                moved[ranks[k]] = p.from_values[base + first + k * 32];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const int at = k * cuox_threads + thread;
            if (is_full || at < valid)
                p.to_values[(cuox_place)(offsets[digits[k]] + at)] = moved[at];
        }
    }
}
#endif
