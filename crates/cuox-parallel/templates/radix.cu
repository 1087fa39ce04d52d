// A stable sort of keys that are numbers, by digits of 8 bits, the lowest first. One kernel counts all digits; then one for each place moves the keys in
// one pass: a block ranks its tile, learns by look-back how many keys of each digit stand in the tiles before, and writes (Adinets and Merrill, *Onesweep*,
// 2022). Nothing here is the caller's.
typedef long long cuox_index;
typedef unsigned long long cuox_count;
template <int size> struct cuox_unsigned;
template <> struct cuox_unsigned<1> { typedef unsigned char type; };
template <> struct cuox_unsigned<2> { typedef unsigned short type; };
template <> struct cuox_unsigned<4> { typedef unsigned int type; };
template <> struct cuox_unsigned<8> { typedef unsigned long long type; };
typedef cuox_unsigned</*@key_size*/>::type cuox_key;
// The state of a tile's digit: in the two highest bits what is known, below it a count.
typedef cuox_unsigned</*@state_size*/>::type cuox_state;

// 0: unsigned keys. 1: signed ones. 2: floats.
constexpr int cuox_kind = /*@kind*/;
constexpr bool cuox_descends = /*@descends*/;
constexpr bool cuox_has_values = /*@has_values*/;
// On the software GPU each thread goes through keys of its own, with counters of its own: neighbours do so at once, without shuffles.
constexpr bool cuox_serial = /*@serial*/;
constexpr int cuox_threads = /*@threads*/;
constexpr int cuox_each = /*@each*/;
// The blocks that are to run at once on a multiprocessor.
constexpr int cuox_blocks = /*@blocks*/;
constexpr int cuox_tile = cuox_threads * cuox_each;
constexpr int cuox_warps = (cuox_threads + 31) / 32;
constexpr int cuox_digits = 256;
constexpr cuox_key cuox_sign = (cuox_key)((cuox_key)1 << (8 * sizeof(cuox_key) - 1));
constexpr cuox_state cuox_own = (cuox_state)1 << (8 * sizeof(cuox_state) - 2), cuox_all = (cuox_state)cuox_own << 1;

struct alignas(/*@value_unit*/) cuox_value {
    cuox_unsigned</*@value_unit*/>::type word[/*@value_size*/ / /*@value_unit*/];
};
// Larger values go from place to place at once, others together with their neighbours.
constexpr bool cuox_is_large = sizeof(cuox_value) > 16;

struct cuox_plan {
    const cuox_key *from;
    cuox_key *to;
    const cuox_value *from_values;
    cuox_value *to_values;
    // Zeros at first: [0] the blocks that have counted, [1 + place] the next tile.
    unsigned int *counters;
    // For each place the number of keys of each digit, then of smaller ones.
    cuox_count *bins;
    cuox_state *states;
    cuox_index length, tiles;
    cuox_index begin_bit, end_bit, place, places;
};

static __device__ __forceinline__ unsigned int cuox_digit(const cuox_plan &p, cuox_key key, int place) {
    if (cuox_kind == 1)
        key ^= cuox_sign;
    // Zeros of both signs are equal.
    if (cuox_kind == 2)
        key = key == cuox_sign ? cuox_sign : key & cuox_sign ? (cuox_key)~key : (cuox_key)(key | cuox_sign);
    if (cuox_descends)
        key = (cuox_key)~key;
    const int shift = (int)p.begin_bit + 8 * place, left = (int)p.end_bit - shift;
    const unsigned int digit = (unsigned int)(key >> shift);
    return digit & (left >= 8 ? 255u : (1u << left) - 1);
}

// What stands before, for one of 256 threads, or the only one.
static __device__ __forceinline__ cuox_count cuox_before(cuox_count value, int thread) {
    __shared__ cuox_count sums[cuox_digits / 32];
    cuox_count sum = value;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const cuox_count left = __shfl_up_sync(0xffffffffu, sum, distance);
        if (thread % 32 >= distance)
            sum += left;
    }
    __syncthreads();
    if (thread % 32 == 31 && thread < cuox_digits)
        sums[thread / 32] = sum;
    __syncthreads();
    for (int warp = 0; warp < cuox_digits / 32; ++warp)
        if (warp < thread / 32)
            sum += sums[warp];
    return sum - value;
}

// The counters of a digit lie side by side.
constexpr int cuox_columns = cuox_digits * cuox_threads;

#if !/*@moves*/
extern "C" __global__ void __launch_bounds__(cuox_threads) radix_count(const __grid_constant__ cuox_plan p) {
    __shared__ unsigned int counts[cuox_serial ? cuox_columns : 8 * cuox_digits];
    __shared__ bool is_last;
    const int thread = threadIdx.x, all = (int)p.places * cuox_digits;
    const cuox_index step = (cuox_index)gridDim.x * cuox_threads;
    if constexpr (cuox_serial) {
        const cuox_index share = (p.length + step - 1) / step, begin = share * ((cuox_index)blockIdx.x * cuox_threads + thread);
        const int own = begin >= p.length ? 0 : (int)(begin + share < p.length ? share : p.length - begin);
        for (int place = 0; place < p.places; ++place) {
            for (int digit = 0; digit < cuox_digits; ++digit)
                counts[digit * cuox_threads + thread] = 0;
            for (int k = 0; k < own; ++k)
                ++counts[cuox_digit(p, p.from[begin + k], place) * cuox_threads + thread];
            __syncthreads();
            for (int digit = thread; digit < cuox_digits; digit += cuox_threads) {
                cuox_count sum = 0;
                for (int other = 0; other < cuox_threads; ++other)
                    sum += counts[digit * cuox_threads + other];
                atomicAdd(&p.bins[place * cuox_digits + digit], sum);
            }
            __syncthreads();
        }
    } else {
        for (int k = thread; k < all; k += cuox_threads)
            counts[k] = 0;
        __syncthreads();
#pragma unroll 4
        for (cuox_index i = (cuox_index)blockIdx.x * cuox_threads + thread; i < p.length; i += step) {
            const cuox_key key = p.from[i];
#pragma unroll
            for (int place = 0; place < (int)sizeof(cuox_key); ++place)
                if (place < p.places)
                    atomicAdd(&counts[place * cuox_digits + cuox_digit(p, key, place)], 1u);
        }
        __syncthreads();
        for (int k = thread; k < all; k += cuox_threads)
            if (counts[k] != 0)
                atomicAdd(&p.bins[k], (cuox_count)counts[k]);
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
        if (cuox_serial) {
            cuox_count sum = 0;
            for (int digit = 0; thread == 0 && digit < cuox_digits; ++digit) {
                const cuox_count own = *(volatile cuox_count *)&bins[digit];
                bins[digit] = sum;
                sum += own;
            }
        } else {
            const cuox_count before = cuox_before(thread < cuox_digits ? *(volatile cuox_count *)&bins[thread] : 0, thread);
            if (thread < cuox_digits)
                bins[thread] = before;
        }
    }
}

#else
static __device__ __forceinline__ unsigned int cuox_look(const unsigned int *at) {
    unsigned int state;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(state) : "l"(at) : "memory");
    return state;
}

static __device__ __forceinline__ unsigned long long cuox_look(const unsigned long long *at) {
    unsigned long long state;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(state) : "l"(at) : "memory");
    return state;
}

static __device__ __forceinline__ void cuox_tell(unsigned int *at, unsigned int state) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(at), "r"(state) : "memory");
}

static __device__ __forceinline__ void cuox_tell(unsigned long long *at, unsigned long long state) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(at), "l"(state) : "memory");
}

// The keys of a digit in the tiles before; `own` are in this one.
static __device__ __forceinline__ cuox_state cuox_look_back(cuox_state *states, cuox_index tile, int digit, cuox_state own) {
    constexpr int ahead = 4;
    cuox_state sum = 0;
    cuox_index at = tile - 1;
    bool is_done = tile == 0;
    while (!is_done) {
        cuox_state seen[ahead];
#pragma unroll
        for (int k = 0; k < ahead; ++k)
            seen[k] = at - k >= 0 ? cuox_look(states + (at - k) * cuox_digits + digit) : cuox_all;
        int used = 0;
#pragma unroll
        for (int k = 0; k < ahead; ++k)
            if (!is_done && used == k && seen[k] != 0) {
                sum += seen[k] & (cuox_own - 1);
                is_done = (seen[k] & cuox_all) != 0;
                ++used;
            }
        at -= used;
        if (used == 0)
            __nanosleep(20);
    }
    cuox_tell(states + tile * cuox_digits + digit, cuox_all | (sum + own));
    return sum;
}

extern "C" __global__ void __launch_bounds__(cuox_threads, cuox_blocks) radix_move(const __grid_constant__ cuox_plan p) {
    __shared__ cuox_index offsets[cuox_digits];
    __shared__ unsigned int counts[cuox_serial ? 1 : cuox_warps * cuox_digits];
    // Of each thread's next key of a digit: first how many there are, then the place.
    __shared__ cuox_state columns[cuox_serial ? cuox_columns : 1];
    __shared__ unsigned int ticket;
    constexpr int size = !cuox_has_values || cuox_is_large || sizeof(cuox_key) > sizeof(cuox_value) ? sizeof(cuox_key) : sizeof(cuox_value);
    alignas(16) __shared__ unsigned char raw[cuox_serial ? 16 : cuox_tile * size];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, place = (int)p.place;
    if (thread == 0)
        ticket = atomicAdd(&p.counters[1 + place], 1u);
    __syncthreads();
    const cuox_index tile = ticket, base = tile * cuox_tile;
    const int valid = p.length - base < cuox_tile ? (int)(p.length - base) : cuox_tile;
    cuox_state *const states = p.states + place * p.tiles * cuox_digits;
    const cuox_count *const bins = p.bins + place * cuox_digits;
    if constexpr (cuox_serial) {
        const cuox_index begin = base + thread * cuox_each;
        const int own = valid - thread * cuox_each < 0 ? 0 : valid - thread * cuox_each < cuox_each ? valid - thread * cuox_each : cuox_each;
        for (int digit = 0; digit < cuox_digits; ++digit)
            columns[digit * cuox_threads + thread] = 0;
        for (int k = 0; k < own; ++k)
            ++columns[cuox_digit(p, p.from[begin + k], place) * cuox_threads + thread];
        __syncthreads();
        for (int digit = thread; digit < cuox_digits; digit += cuox_threads) {
            cuox_state sum = 0;
            for (int other = 0; other < cuox_threads; ++other)
                sum += columns[digit * cuox_threads + other];
            offsets[digit] = sum;
            cuox_tell(states + tile * cuox_digits + digit, (tile == 0 ? cuox_all : cuox_own) | sum);
        }
        for (int digit = thread; digit < cuox_digits; digit += cuox_threads) {
            cuox_state to = (cuox_state)bins[digit] + cuox_look_back(states, tile, digit, (cuox_state)offsets[digit]);
            for (int other = 0; other < cuox_threads; ++other) {
                const cuox_state count = columns[digit * cuox_threads + other];
                columns[digit * cuox_threads + other] = to;
                to += count;
            }
        }
        __syncthreads();
        for (int k = 0; k < own; ++k) {
            const cuox_key key = p.from[begin + k];
            const cuox_index to = columns[cuox_digit(p, key, place) * cuox_threads + thread]++;
            p.to[to] = key;
            if (cuox_has_values)
                p.to_values[to] = p.from_values[begin + k];
        }
    } else {
        for (int k = thread; k < cuox_warps * cuox_digits; k += cuox_threads)
            counts[k] = 0;
        __syncthreads();
        cuox_key keys[cuox_each];
        unsigned int ranks[cuox_each];
        const int first = warp * 32 * cuox_each + lane;
#pragma unroll
        for (int k = 0; k < cuox_each; ++k)
            keys[k] = first + k * 32 < valid ? p.from[base + first + k * 32] : (cuox_key)0;
        // Keys that are not there come last.
        unsigned int *const own = counts + warp * cuox_digits;
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const unsigned int digit = first + k * 32 < valid ? cuox_digit(p, keys[k], place) : cuox_digits - 1;
            // By eight votes: `__match_any_sync` takes longer, on an H200.
            unsigned int peers = 0xffffffffu;
#pragma unroll
            for (int bit = 0; bit < 8; ++bit) {
                const bool is_set = digit >> bit & 1;
                const unsigned int set = __ballot_sync(0xffffffffu, is_set);
                peers &= is_set ? set : ~set;
            }
            const int lower = __popc(peers & ((1u << lane) - 1));
            const unsigned int before = own[digit];
            __syncwarp();
            if (lower == 0)
                own[digit] = before + __popc(peers);
            __syncwarp();
            ranks[k] = before + lower;
        }
        __syncthreads();
        unsigned int sum = 0;
        if (thread < cuox_digits) {
#pragma unroll
            for (int w = 0; w < cuox_warps; ++w) {
                const unsigned int own = counts[w * cuox_digits + thread];
                counts[w * cuox_digits + thread] = sum;
                sum += own;
            }
            cuox_tell(states + tile * cuox_digits + thread, (tile == 0 ? cuox_all : cuox_own) | sum);
        }
        const unsigned int start = (unsigned int)cuox_before(sum, thread);
        if (thread < cuox_digits) {
#pragma unroll
            for (int w = 0; w < cuox_warps; ++w)
                counts[w * cuox_digits + thread] += start;
        }
        __syncthreads();
        cuox_key *const sorted = (cuox_key *)raw;
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const unsigned int digit = first + k * 32 < valid ? cuox_digit(p, keys[k], place) : cuox_digits - 1;
            ranks[k] += own[digit];
            sorted[ranks[k]] = keys[k];
        }
        if (thread < cuox_digits)
            offsets[thread] = (cuox_index)bins[thread] + cuox_look_back(states, tile, thread, sum) - start;
        __syncthreads();
        unsigned char digits[cuox_each];
#pragma unroll
        for (int k = 0; k < cuox_each; ++k) {
            const int at = k * cuox_threads + thread;
            if (at < valid) {
                const cuox_key key = sorted[at];
                digits[k] = (unsigned char)cuox_digit(p, key, place);
                p.to[offsets[digits[k]] + at] = key;
            }
        }
        if constexpr (cuox_has_values && cuox_is_large) {
#pragma unroll 1
            for (int k = 0; k < cuox_each; ++k)
                if (first + k * 32 < valid)
                    p.to_values[offsets[cuox_digit(p, keys[k], place)] + ranks[k]] = p.from_values[base + first + k * 32];
        } else if constexpr (cuox_has_values) {
            cuox_value *const moved = (cuox_value *)raw;
            __syncthreads();
#pragma unroll
            for (int k = 0; k < cuox_each; ++k)
                if (first + k * 32 < valid)
                    moved[ranks[k]] = p.from_values[base + first + k * 32];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < cuox_each; ++k) {
                const int at = k * cuox_threads + thread;
                if (at < valid)
                    p.to_values[offsets[digits[k]] + at] = moved[at];
            }
        }
    }
}
#endif
