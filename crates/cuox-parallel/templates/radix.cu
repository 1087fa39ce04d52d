// A stable sort of keys that are numbers, by digits of 8 bits, the lowest first. One kernel counts all digits; then one for each place moves the keys in
// one pass: a block ranks its tile, learns by look-back how many keys of each digit stand in the tiles before, and writes (Adinets and Merrill, *Onesweep*,
// 2022).

// The blocks that are to run at once on a multiprocessor.
constexpr int cuox_blocks = /*@blocks*/;
constexpr int cuox_warps = cuox_threads / 32;

// Where a digit's entry lies in a table with 1 << log bytes for each. For keys of up to 4 bytes that is a rotation and an `and`.
static __device__ __forceinline__ unsigned int cuox_entry(const cuox_window &w, int log, cuox_key ordered) {
    if (cuox_is_float)
        ordered = ordered == w.zero ? w.other_zero : ordered;
    if constexpr (sizeof(cuox_key) <= 4)
        return __funnelshift_r((unsigned int)ordered, (unsigned int)ordered, w.shift - log) & (w.mask << log);
    else
        return ((unsigned int)(ordered >> w.shift) & w.mask) << log;
}

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
// So many keys are loaded at once.
constexpr int cuox_pack_size = 16 / sizeof(cuox_key);
struct alignas(16) cuox_pack {
    cuox_key key[cuox_pack_size];
};

// Counts the digits of some keys. `counts` is the address in shared memory of the thread's own copy of the first counter.
template <int number> static __device__ __forceinline__ void cuox_count_keys(const cuox_plan &p, unsigned int counts, const cuox_key (&keys)[number]) {
    const int log = (int)p.log_copies + 2;
#pragma unroll 1
    for (int place = 0; place < (int)p.places; ++place, counts += cuox_digits << log) {
        const cuox_window window = cuox_window_of(p, place);
#pragma unroll
        for (int k = 0; k < number; ++k)
            asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;" : : "r"(counts + cuox_entry(window, log, keys[k])) : "memory");
    }
}

// Counts the keys of some packs that are `step` apart.
template <int number> static __device__ __forceinline__ void cuox_count_packs(const cuox_plan &p, unsigned int counts, const cuox_pack *from, cuox_index step) {
    cuox_pack packs[number];
#pragma unroll
    for (int k = 0; k < number; ++k)
        packs[k] = from[k * step];
    cuox_key keys[number * cuox_pack_size];
#pragma unroll
    for (int k = 0; k < number * cuox_pack_size; ++k)
        keys[k] = cuox_ordered(p, packs[k / cuox_pack_size].key[k % cuox_pack_size]);
    cuox_count_keys(p, counts, keys);
}

// Lanes count in copies of the counters, one beside the other in another bank: keys of few digits do not wait for each other. On an H200 32 copies count
// 2^26 random keys of 4 bytes in 0.086 ms, 16 in 0.092 ms, and counters without copies in 0.131 ms.
extern "C" __global__ void __launch_bounds__(cuox_threads) radix_count(const __grid_constant__ cuox_plan p) {
    extern __shared__ uint4 quads[];
    __shared__ bool is_last;
    unsigned int *const counts = (unsigned int *)quads;
    const int thread = threadIdx.x, all = (int)p.places * cuox_digits, copies = 1 << p.log_copies;
    for (int k = thread; k < all * copies / 4; k += cuox_threads)
        quads[k] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    const unsigned int own = (unsigned int)__cvta_generic_to_shared(counts) + thread % copies * 4;
    // Keys before the first multiple of 16 bytes, and those behind the last pack, go one by one.
    const cuox_index unaligned = (cuox_index)((0 - (cuox_count)p.from) % 16 / sizeof(cuox_key)), head = unaligned < p.length ? unaligned : p.length;
    const cuox_index packs = (p.length - head) / cuox_pack_size, loose = p.length - packs * cuox_pack_size, step = (cuox_index)gridDim.x * cuox_threads;
    const cuox_pack *const from = (const cuox_pack *)(p.from + head);
    const cuox_index begin = (cuox_index)blockIdx.x * cuox_threads + thread;
    constexpr int ahead = 2;
    cuox_index i = begin;
    for (; i + (ahead - 1) * step < packs; i += ahead * step)
        cuox_count_packs<ahead>(p, own, from + i, step);
    for (; i < packs; i += step)
        cuox_count_packs<1>(p, own, from + i, step);
    for (i = begin; i < loose; i += step) {
        const cuox_key keys[] = {cuox_ordered(p, p.from[i < head ? i : i + packs * cuox_pack_size])};
        cuox_count_keys(p, own, keys);
    }
    __syncthreads();
    for (int k = thread; k < all; k += cuox_threads) {
        unsigned int sum = 0;
        // Each thread begins with another copy, in another bank.
#pragma unroll 4
        for (int copy = 0; copy < copies; ++copy)
            sum += counts[k * copies + (copy + thread) % copies];
        if (sum != 0)
            atomicAdd(&p.bins[k], (cuox_count)sum);
    }
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
// Larger values go from place to place at once, others together with their neighbours.
constexpr bool cuox_is_large = sizeof(cuox_value) > 16;
// The latter are loaded into registers before keys are written, if they fit there: an H200 then sorts 37.2 Gkey/s with values, else 36.3.
constexpr bool cuox_is_loaded_early =
    cuox_has_values && !cuox_is_large && cuox_each * (/*@value_size*/ / /*@value_unit*/) * (/*@value_unit*/ == 8 ? 2 : 1) <= 32;

// A place among all keys. It wraps around while it is made.
typedef cuox_state cuox_place;
constexpr int cuox_log_place = sizeof(cuox_place) == 8 ? 3 : 2;

// From an address in shared memory: an `or` makes those of entries, while of a pointer and an offset the compiler makes a sum.
static __device__ __forceinline__ void cuox_fetch(unsigned int at, unsigned int &word) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
}

static __device__ __forceinline__ void cuox_fetch(unsigned int at, unsigned long long &word) {
    asm volatile("ld.shared.u64 %0, [%1];" : "=l"(word) : "r"(at) : "memory");
}

// The lanes with the same digit, whose entry of 8 bytes is given.
static __device__ __forceinline__ unsigned int cuox_vote(unsigned int entry) {
    unsigned int others = 0;
#pragma unroll
    for (int bit = 3; bit < 11; ++bit) {
        // In assembly, or the compiler tests each bit twice. Others are those that vote for the bit where this lane does not, or the other way round.
        asm volatile("{\n\t.reg .pred set;\n\t.reg .b32 votes, own;\n\tand.b32 own, %1, %2;\n\tsetp.ne.u32 set, own, 0;\n\t"
                     "vote.sync.ballot.b32 votes, set, 0xffffffff;\n\tselp.b32 own, 0xffffffff, 0, set;\n\tlop3.b32 %0, %0, votes, own, 0xf6;\n\t}"
                     : "+r"(others)
                     : "r"(entry), "r"(1 << bit));
    }
    return ~others;
}

// The place of a lane's key among the warp's keys of its digit, in bytes. `entry` is the address in shared memory of the digit's entry in the warp's
// table: the lanes that have it in this row, which are zeros before and after, and the bytes of the keys in the rows before.
template <bool votes> static __device__ __forceinline__ unsigned int cuox_rank(unsigned int entry, unsigned int own) {
    unsigned int peers, before;
    if constexpr (votes) {
        cuox_fetch(entry + 4, before);
        peers = cuox_vote(entry);
    } else {
        asm volatile("red.relaxed.cta.shared.or.b32 [%0], %1;" : : "r"(entry), "r"(own) : "memory");
        __syncwarp();
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(peers), "=r"(before) : "r"(entry) : "memory");
    }
    constexpr unsigned int unit = sizeof(cuox_key);
    const unsigned int rank = before + __popc(peers & (own - 1)) * unit;
    __syncwarp();
    // The highest lane with the digit knows the sum: its peers have no bit above its own.
    if constexpr (votes)
        asm volatile("{\n\t.reg .pred last;\n\tsetp.le.u32 last, %0, %1;\n\t@last st.shared.u32 [%2 + 4], %3;\n\t}"
                     :
                     : "r"(peers), "r"(own | (own - 1)), "r"(entry), "r"(rank + unit)
                     : "memory");
    else
        asm volatile("{\n\t.reg .pred last;\n\tsetp.le.u32 last, %0, %1;\n\t@last st.shared.v2.u32 [%2], {%4, %3};\n\t}"
                     :
                     : "r"(peers), "r"(own | (own - 1)), "r"(entry), "r"(rank + unit), "r"(0)
                     : "memory");
    __syncwarp();
    return rank;
}

// Writes a tile's keys, which lie in order in shared memory. What is needed again for their values goes to `kept`, if there is any: the places, or the
// addresses of the digits' offsets where places have 8 bytes, as registers are few.
template <bool is_full>
static __device__ __forceinline__ void cuox_write(const cuox_plan &p, const cuox_window &window, const cuox_key *sorted, unsigned int offsets, int valid, unsigned int *kept) {
#pragma unroll
    for (int k = 0; k < cuox_each; ++k) {
        const int at = k * cuox_threads + threadIdx.x;
        if (is_full || at < valid) {
            const cuox_key key = sorted[at];
            const unsigned int entry = offsets | cuox_entry(window, cuox_log_place, key);
            cuox_place to;
            cuox_fetch(entry, to);
            to += at;
            p.to[to] = cuox_plain(p, key);
            if (kept != nullptr)
                kept[k] = sizeof(cuox_place) == 8 ? entry : (unsigned int)to;
        }
    }
}

extern "C" __global__ void __launch_bounds__(cuox_threads, cuox_blocks) radix_move(const __grid_constant__ cuox_plan p) {
    constexpr int unit = sizeof(cuox_key), table = 8 * cuox_digits;
    constexpr int size = !cuox_has_values || cuox_is_large || unit > (int)sizeof(cuox_value) ? unit : sizeof(cuox_value);
    constexpr int offsets_size = sizeof(cuox_place) * cuox_digits;
    // The offsets of digits; behind them first each warp's table, then the keys by digits, then the values. Tables lie at multiples of their size, so that an
    // `or` makes the address of an entry. That is done here: on an H200 what is aligned to 2048 lies at 1024, behind what is the system's.
    alignas(1024) __shared__ unsigned char shared[offsets_size + 1024 + (cuox_tile * size > cuox_warps * table ? cuox_tile * size : cuox_warps * table)];
    const unsigned int shared_at = (unsigned int)__cvta_generic_to_shared(shared), raw_at = (shared_at + offsets_size + table - 1) & ~(table - 1);
    unsigned char *const raw = shared + (raw_at - shared_at);
    cuox_place *const offsets = (cuox_place *)(raw - offsets_size);
    __shared__ unsigned int ticket;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, place = (int)p.place;
    if (thread == 0)
        ticket = atomicAdd(&p.counters[1 + place], 1u);
    uint4 *const zeros = (uint4 *)(raw + warp * table) + lane;
#pragma unroll
    for (int k = 0; k < table / 16; k += 32)
        zeros[k] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    const cuox_window window = cuox_window_of(p, place);
    const cuox_index tile = ticket, base = tile * cuox_tile;
    const bool is_full = p.length - base >= cuox_tile;
    const int valid = is_full ? cuox_tile : (int)(p.length - base);
    cuox_state *const states = p.states + place * p.tiles * cuox_digits;
    const int first = warp * 32 * cuox_each + lane;
    cuox_key keys[cuox_each];
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
    if constexpr (cuox_has_values && !cuox_is_large) {
        // The warp's values come into the cache meanwhile.
        constexpr int lines = (32 * cuox_each * (int)sizeof(cuox_value) + 127) / 128;
        const char *const at = (const char *)(p.from_values + base + warp * 32 * cuox_each);
#pragma unroll
        for (int k = 0; k < lines; k += 32)
            if (is_full && k + lane < lines)
                asm volatile("prefetch.global.L2 [%0];" : : "l"(at + (k + lane) * 128));
    }
    // The next place's states are cleared here: on an H200 51.7 Gkey/s, where all are cleared at first 50.7.
    if (thread < cuox_digits && place + 1 < p.places)
        states[(p.tiles + tile) * cuox_digits + thread] = 0;
    // Equal digits of all the warp's keys, as of numbers that are small, are found at once.
    const cuox_key some = __shfl_sync(0xffffffffu, cuox_is_float && keys[0] == window.zero ? window.other_zero : keys[0], 0);
    cuox_key differences = 0;
#pragma unroll
    for (int k = 0; k < cuox_each; ++k)
        differences |= (cuox_is_float && keys[k] == window.zero ? window.other_zero : keys[k]) ^ some;
    const bool is_uniform = __all_sync(0xffffffffu, ((unsigned int)(differences >> window.shift) & window.mask) == 0);
    const unsigned int own_table = raw_at + warp * table;
    // Where keys go in the tile, in bytes.
    unsigned int ranks[cuox_each];
    if (is_uniform) {
        if (lane == 0)
            asm volatile("st.shared.u32 [%0 + 4], %1;" : : "r"(own_table | cuox_entry(window, 3, keys[0])), "r"(unit * 32 * cuox_each) : "memory");
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            ranks[k] = (k * 32 + lane) * unit;
    } else {
        // The lanes with the same digit are found in turn by shared memory and by votes, as both at once have more throughput than either: on an H200 51.3
        // Gkey/s of 4 bytes, by shared memory alone 48.0, by votes alone 47.5, and 36.6 with `__match_any_sync` for every other row.
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const unsigned int entry = own_table | cuox_entry(window, 3, keys[k]);
            ranks[k] = k % 2 == 0 ? cuox_rank<true>(entry, 1u << lane) : cuox_rank<false>(entry, 1u << lane);
        }
    }
    __syncthreads();
    uint2 *const column = (uint2 *)raw + thread;
    unsigned int sum = 0;
    if (thread < cuox_digits) {
#pragma unroll
        for (int w = 0; w < cuox_warps; ++w)
            sum += column[w * cuox_digits].y;
        sum /= unit;
        cuox_tell(states + tile * cuox_digits + thread, (tile == 0 ? cuox_all : cuox_own) | sum);
    }
    const unsigned int start = cuox_before(sum, thread);
    if (thread < cuox_digits) {
        unsigned int at = start * unit;
#pragma unroll
        for (int w = 0; w < cuox_warps; ++w) {
            const unsigned int count = column[w * cuox_digits].y;
            column[w * cuox_digits].y = at;
            at += count;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < cuox_each; ++k) {
        unsigned int before;
        cuox_fetch((own_table | cuox_entry(window, 3, keys[k])) + 4, before);
        ranks[k] += before;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < cuox_each; ++k)
        *(cuox_key *)(raw + ranks[k]) = keys[k];
    if (thread < cuox_digits)
        offsets[thread] = (cuox_place)p.bins[place * cuox_digits + thread] + cuox_look_back(states, tile, thread, sum) - start;
    __syncthreads();
    const cuox_key *const sorted = (const cuox_key *)raw;
    const cuox_value *const from_values = p.from_values + base + first;
    if constexpr (!cuox_has_values || cuox_is_large) {
        if (is_full)
            cuox_write<true>(p, window, sorted, raw_at - offsets_size, valid, nullptr);
        else
            cuox_write<false>(p, window, sorted, raw_at - offsets_size, valid, nullptr);
        if constexpr (cuox_has_values) {
#pragma unroll 1
            for (int k = 0; k < cuox_each; ++k)
                if (first + k * 32 < valid)
                    p.to_values[(cuox_place)(offsets[cuox_digit(window, keys[k])] + ranks[k] / unit)] = from_values[k * 32];
        }
    } else {
        cuox_value *const moved = (cuox_value *)raw;
        cuox_value values[cuox_is_loaded_early ? cuox_each : 1];
        unsigned int kept[cuox_each];
        if constexpr (cuox_is_loaded_early) {
#pragma unroll
            for (int k = 0; k < cuox_each; ++k)
                if (is_full || first + k * 32 < valid)
                    values[k] = from_values[k * 32];
        }
        if (is_full)
            cuox_write<true>(p, window, sorted, raw_at - offsets_size, valid, kept);
        else
            cuox_write<false>(p, window, sorted, raw_at - offsets_size, valid, kept);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            if constexpr (cuox_is_loaded_early)
                moved[ranks[k] / unit] = values[k];
            else if (is_full || first + k * 32 < valid)
                moved[ranks[k] / unit] = from_values[k * 32];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const int at = k * cuox_threads + thread;
            if (is_full || at < valid) {
                cuox_place to = kept[k];
                if constexpr (sizeof(cuox_place) == 8) {
                    cuox_fetch(kept[k], to);
                    to += at;
                }
                p.to_values[to] = moved[at];
            }
        }
    }
}
#endif
