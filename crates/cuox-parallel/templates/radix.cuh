// What the kernels of the radix sort share. Nothing here is the caller's.
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

constexpr bool cuox_is_float = /*@is_float*/;
constexpr bool cuox_has_values = /*@has_values*/;
constexpr int cuox_threads = /*@threads*/;
constexpr int cuox_each = /*@each*/;
constexpr int cuox_tile = cuox_threads * cuox_each;
constexpr int cuox_digits = 256;
constexpr cuox_key cuox_sign = (cuox_key)((cuox_key)1 << (8 * sizeof(cuox_key) - 1));
constexpr cuox_state cuox_own = (cuox_state)1 << (8 * sizeof(cuox_state) - 2), cuox_all = (cuox_state)cuox_own << 1;

struct alignas(/*@value_unit*/) cuox_value {
    cuox_unsigned</*@value_unit*/>::type word[/*@value_size*/ / /*@value_unit*/];
};

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
    // The bits that are the other way round in the order: the sign's, or all for the greatest first, or all but it.
    cuox_count flipped;
    // On GPUs a block that counts has 1 << log_copies counters for each digit.
    cuox_index log_copies;
};

// A key as a number whose order is that of the sort.
static __device__ __forceinline__ cuox_key cuox_ordered(const cuox_plan &p, cuox_key key) {
    if (cuox_is_float)
        key ^= key & cuox_sign ? (cuox_key)~cuox_sign : (cuox_key)0;
    return key ^ (cuox_key)p.flipped;
}

static __device__ __forceinline__ cuox_key cuox_plain(const cuox_plan &p, cuox_key ordered) {
    const cuox_key key = ordered ^ (cuox_key)p.flipped;
    return cuox_is_float ? key ^ (key & cuox_sign ? (cuox_key)~cuox_sign : (cuox_key)0) : key;
}

// Where a place's digit lies.
struct cuox_window {
    int shift;
    unsigned int mask;
    // Zeros of both signs are equal: this key counts as the one beside it.
    cuox_key zero, other_zero;
};

static __device__ __forceinline__ cuox_window cuox_window_of(const cuox_plan &p, int place) {
    const int shift = (int)p.begin_bit + 8 * place, left = (int)p.end_bit - shift;
    return {shift, left >= 8 ? 255u : (1u << left) - 1, cuox_ordered(p, cuox_sign), cuox_ordered(p, 0)};
}

static __device__ __forceinline__ unsigned int cuox_digit(const cuox_window &w, cuox_key ordered) {
    if (cuox_is_float)
        ordered = ordered == w.zero ? w.other_zero : ordered;
    return (unsigned int)(ordered >> w.shift) & w.mask;
}

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
    constexpr int ahead = 2;
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
