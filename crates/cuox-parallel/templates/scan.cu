// A scan in one pass over the elements: `item` of i combines the inputs up to i.
//
// A block combines the elements of a tile and publishes the sum; it needs the combination of all tiles before. 32 tiles are a group.
//
// On GPUs one block coordinates: it has no tile, but looks for the sums of all tiles, scans them and publishes the prefix of each. The others look for one value
// each, of their own: two steps from block to block, and no words that all look at. On an H200 a scan of 2^28 floats reached 3.1 TB/s with blocks that look back
// as below, a thousand of which look at the same words, and 3.7 with a coordinator. It waits for blocks that come later, so two blocks must run at once; and
// tiles are taken in the order of blockIdx, in which GPUs start blocks (a ticket cost 7 % there).
//
// Elsewhere (the software GPU runs blocks one after the other; one block cannot scan large items fast enough) blocks take tiles by a ticket and look back: the
// last tile of a group publishes the group's sum. A block combines the sums of the tiles before it in its group; then it looks for the latest group whose prefix
// is known, and combines the groups' sums since then from left to right.
//
// The order of combining hangs on the tiles' numbers only: results do not depend on timing. (Merrill and Garland, *Single-pass Parallel Prefix Scan with
// Decoupled Look-back*, 2016, has one level; with it a prefix comes no further than 32 tiles in the time that a word takes from block to block.)
//
// Blocks tell each other 64-bit words: 32 bits of a value, and a tag that tells that they are from this launch. A word is written and read as a whole, so nothing
// need be ordered. The tag is a number in memory that the last block changes, or the coordinator, when it has seen the sums of all: words of earlier launches need
// not be cleared, and a graph may launch the kernel again.
typedef /*@c_type*/ cuox_value;
typedef long long cuox_index;
typedef unsigned long long cuox_word;

// 0: scan and write. 1: find the prefixes of tiles, and the last item. 2: write, with these known.
constexpr int cuox_pass = /*@pass*/;
constexpr bool cuox_segmented = /*@segmented*/;

struct cuox_plain_item {
    cuox_value value;
    static __device__ __forceinline__ cuox_plain_item of(cuox_value value, bool) { return {value}; }
    static __device__ __forceinline__ cuox_plain_item of(cuox_value value, cuox_plain_item, cuox_plain_item) { return {value}; }
    // True if a segment starts at one of the elements, or at the last one.
    __device__ __forceinline__ bool has_start() const { return false; }
    __device__ __forceinline__ bool is_start() const { return false; }
    static __device__ __forceinline__ int flags_of(bool) { return 0; }
    static __device__ __forceinline__ int flags_of(const cuox_plain_item &, const cuox_plain_item &) { return 0; }
    __device__ __forceinline__ void set_flags(int) {}
};
struct cuox_segment_item {
    cuox_value value;
    int flags;
    static __device__ __forceinline__ cuox_segment_item of(cuox_value value, bool start) { return {value, start ? 3 : 0}; }
    static __device__ __forceinline__ cuox_segment_item of(cuox_value value, cuox_segment_item a, cuox_segment_item b) {
        return {value, (a.flags & 1) | b.flags};
    }
    __device__ __forceinline__ bool has_start() const { return flags & 1; }
    __device__ __forceinline__ bool is_start() const { return flags & 2; }
    static __device__ __forceinline__ int flags_of(bool start) { return start ? 3 : 0; }
    static __device__ __forceinline__ int flags_of(const cuox_segment_item &a, const cuox_segment_item &b) { return (a.flags & 1) | b.flags; }
    __device__ __forceinline__ void set_flags(int given) { flags = given; }
};
template <bool segmented> struct cuox_choice { typedef cuox_plain_item type; };
template <> struct cuox_choice<true> { typedef cuox_segment_item type; };
typedef typename cuox_choice<cuox_segmented>::type cuox_item;

// The host computes the same, from the size of this parameter.
struct cuox_item_bytes { unsigned char byte[sizeof(cuox_item)]; };
constexpr int cuox_size = (int)sizeof(cuox_item);
constexpr int cuox_threads = cuox_size <= 120 ? /*@threads*/ : cuox_size <= 240 ? 128 : cuox_size <= 480 ? 64 : 32;
constexpr int cuox_room = 30720 / (cuox_threads * cuox_size);
// The elements of a thread: an odd number, so that threads that go through their own ones use different banks of shared memory.
constexpr int cuox_each = cuox_room < 3 ? 1 : cuox_room > /*@each*/ ? /*@each*/ : (cuox_room - 1) / 2 * 2 + 1;
constexpr int cuox_tile = cuox_threads * cuox_each;
constexpr int cuox_warps = (cuox_threads + 31) / 32;
// Large items stay in memory: see cuox_scan_in_memory.
constexpr bool cuox_is_large = cuox_size > 64;
static_assert(!cuox_is_large || cuox_each == 1, "a thread has one large item");
// The unrolling of loops.
constexpr int cuox_whole = 32;
// The items that a thread loads at once.
constexpr int cuox_loads = 8;
// Full tiles have code of their own. That of others is short: it takes the compiler less time.
constexpr bool cuox_is_small = cuox_size <= 16;
constexpr bool cuox_unrolls_expressions = cuox_is_small && !/*@has_long_expressions*/;
// The items that a warp shuffles before it combines them.
constexpr int cuox_ahead = cuox_size <= 16 ? 8 : 1;
static_assert(cuox_size <= 1024, "items of more than 1024 bytes do not fit in shared memory");
// The host computes the same. Of larger items a lane would read the words one after the other.
constexpr bool cuox_coordinates = /*@coordinates*/ && !cuox_is_large;
// The operands of expressions. Large ones are not copied.
template <bool is_large> struct cuox_passed { typedef cuox_value type; };
template <> struct cuox_passed<true> { typedef const cuox_value &type; };
typedef typename cuox_passed<cuox_is_large>::type cuox_operand;
// The tile's items are those of a vector as they are: they are copied, 16 bytes at a time, with fewer instructions than there are items. (On an H200 a scan of
// floats went from 3.7 to 3.9 TB/s when a tile was copied as a whole.)
constexpr bool cuox_copies_in = /*@copies_in*/ && __CUDA_ARCH__ >= 800;
constexpr bool cuox_copies_out = /*@copies_out*/;
constexpr int cuox_tile_bytes = cuox_tile * cuox_size;
static_assert(cuox_tile_bytes % 16 == 0, "all tiles begin like the first one");
// The copies of a thread.
constexpr int cuox_copies = (cuox_tile_bytes / 16 + cuox_threads - 1) / cuox_threads;

// Any value as 32-bit words.
template <class cuox_type> struct cuox_words {
    static constexpr int count = (sizeof(cuox_type) + 3) / 4;
    static constexpr int at_once = count <= 16 ? count : 1;
    alignas(alignof(cuox_type) > 4 ? alignof(cuox_type) : 4) unsigned int word[count];
    __device__ __forceinline__ cuox_type &value() { return *(cuox_type *)word; }
};

struct cuox_header {
    unsigned int ticket, finished, tag, unused;
};

// Words of elements that a tile keeps for the next one, of which the host needs the number.
struct cuox_end_words { unsigned char byte[/*@end_words*/]; };

struct cuox_plan {
    cuox_header *header;
    // For each tile the words of its sum, of the combination of all up to it (with a coordinator, and in passes 1 and 2) and of elements at its end that the next
    // tile needs; for each group of tiles those of its sum and of the combination up to it (without a coordinator).
    cuox_word *sums, *prefixes, *ends, *group_sums, *group_prefixes;
    cuox_index length, tiles, groups;
    /*@fields*/
};

__device__ __forceinline__ cuox_word cuox_look(const cuox_word *at) {
    cuox_word word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
}

__device__ __forceinline__ void cuox_tell(cuox_word *at, cuox_word word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(at), "l"(word) : "memory");
}

// Words of a value lie `stride` apart, so that threads that look at neighbouring tiles read neighbouring words.
template <class cuox_type> __device__ __forceinline__ void cuox_publish(cuox_word *at, cuox_index stride, const cuox_type &value, unsigned int tag) {
    cuox_words<cuox_type> words = {};
    words.value() = value;
#pragma unroll(cuox_words<cuox_type>::at_once)
    for (int w = 0; w < cuox_words<cuox_type>::count; ++w)
        cuox_tell(at + w * stride, (cuox_word)tag << 32 | words.word[w]);
}

// True if a value is there.
template <class cuox_type> __device__ __forceinline__ bool cuox_found(const cuox_word *at, cuox_index stride, cuox_words<cuox_type> &words, unsigned int tag) {
    bool there = true;
#pragma unroll(cuox_words<cuox_type>::at_once)
    for (int w = 0; w < cuox_words<cuox_type>::count; ++w) {
        const cuox_word word = cuox_look(at + w * stride);
        words.word[w] = (unsigned int)word;
        there &= (unsigned int)(word >> 32) == tag;
    }
    return there;
}

template <class cuox_type> __device__ __forceinline__ cuox_type cuox_shuffle(cuox_type value, int source) {
    cuox_words<cuox_type> words = {};
    words.value() = value;
#pragma unroll(cuox_words<cuox_type>::at_once)
    for (int w = 0; w < cuox_words<cuox_type>::count; ++w)
        words.word[w] = __shfl_sync(0xffffffffu, words.word[w], source);
    return words.value();
}

// Copies up to 16 bytes of global memory to shared memory without waiting; both addresses are multiples of 16.
__device__ __forceinline__ void cuox_copy_in(unsigned int to, const unsigned char *from, int bytes) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
}

__device__ __forceinline__ void cuox_wait_for_copies() {
    asm volatile("cp.async.wait_all;" : : : "memory");
}

__device__ __forceinline__ bool cuox_is_aligned(const void *at) {
    return (cuox_word)at % 16 == 0;
}

// True if the thread's copy k is one of the tile's.
__device__ __forceinline__ bool cuox_has_copy(int k, int thread) {
    constexpr int all = cuox_tile_bytes / 16;
    return (k + 1) * cuox_threads <= all || k * cuox_threads + thread < all;
}

// Ways for blocks to find the items before their tiles: with a coordinator or without.
template <bool coordinates> struct cuox_look_back {
    // By the first block. Its warps take groups in turn; each gets what comes before its group from the warp of the group before, by way of `handed` in shared
    // memory, and hands on what comes before the next. A place is used again when all groups until then have been handed on, so it has been read.
    template <class cuox_function> static __device__ __forceinline__ void coordinate(const cuox_plan &p, unsigned int tag, cuox_word *handed_words, cuox_function join) {
        constexpr int count = cuox_words<cuox_item>::count;
        // A grid has fewer than 2^31 blocks.
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = (int)p.tiles;
        // As of sums, with the group's number for a tag: 1 for the first one.
        volatile cuox_word *const handed = handed_words;
        const int from = (warp + cuox_warps - 1) % cuox_warps * count, to = warp * count;
#pragma unroll 1
        for (int w = threadIdx.x; w < cuox_warps * count; w += cuox_threads)
            handed[w] = 0;
        __syncthreads();
        // The sums of the warp's next group are looked for with those of this one.
        cuox_words<cuox_item> coming = {};
        bool has_coming = false;
#pragma unroll 1
        for (int first = warp * 32; first < tiles; first += cuox_warps * 32) {
            const int group = first / 32, number = tiles - first < 32 ? tiles - first : 32;
            const int mine = first + lane < tiles ? first + lane : tiles - 1;
            const int next = mine < tiles - 32 * cuox_warps ? mine + 32 * cuox_warps : tiles - 1;
            cuox_words<cuox_item> sum = coming, before = {};
            unsigned int missing = __ballot_sync(0xffffffffu, lane < number && !has_coming);
            has_coming = false;
            bool knows_before = group == 0;
            cuox_item through = sum.value();
            // The numbers of tiles from the first one on whose sums are there, that are scanned, and that have been told their prefixes.
            int ready = 0, scanned = 0, told = 0;
#pragma unroll 1
            while (told < number) {
                if (missing != 0) {
                    const bool has_sum = cuox_found(p.sums + mine, p.tiles, sum, tag);
                    has_coming = cuox_found(p.sums + next, p.tiles, coming, tag);
                    missing = __ballot_sync(0xffffffffu, lane < number && !has_sum);
                }
                ready = missing != 0 ? __ffs(missing) - 1 : number;
                if (!knows_before) {
                    bool there = true;
#pragma unroll(cuox_words<cuox_item>::at_once)
                    for (int w = 0; w < count; ++w) {
                        const cuox_word word = handed[from + w];
                        before.word[w] = (unsigned int)word;
                        there &= (unsigned int)(word >> 32) == (unsigned int)group;
                    }
                    knows_before = __all_sync(0xffffffffu, there);
                }
                if (scanned < ready) {
                    // Again from the sums: a lane's part is the same, however many lanes right of it are ready.
                    scanned = ready;
                    through = sum.value();
#pragma unroll(cuox_ahead)
                    for (int distance = 1; distance < 32; distance *= 2) {
                        const cuox_item left = cuox_shuffle(through, lane - distance < 0 ? lane : lane - distance);
                        if (lane >= distance && lane < ready)
                            through = join(left, through);
                    }
                }
                if (knows_before && told < ready) {
                    if (lane >= told && lane < ready) {
                        cuox_words<cuox_item> words = {};
                        words.value() = group > 0 ? join(before.value(), through) : through;
                        if (lane == number - 1)
#pragma unroll(cuox_words<cuox_item>::at_once)
                            for (int w = 0; w < count; ++w)
                                handed[to + w] = (cuox_word)(group + 1) << 32 | words.word[w];
                        cuox_publish(p.prefixes + mine, p.tiles, words.value(), tag);
                    }
                    told = ready;
                }
            }
        }
        __syncthreads();
        // All have told their sums: they have read the tag.
        if (threadIdx.x == 0)
            p.header->tag = tag;
    }

    // By the first warp of a block.
    template <class cuox_function> static __device__ __forceinline__ unsigned int find(const cuox_plan &p, cuox_index tile, const cuox_item &total, unsigned int tag, cuox_item *found, cuox_function) {
        if (threadIdx.x != 0)
            return 0;
        if (p.tiles == 1) {
            // There is no coordinator.
            if (cuox_pass == 1)
                cuox_publish(p.prefixes, p.tiles, total, tag);
            p.header->tag = tag;
            return 0;
        }
        cuox_publish(p.sums + tile, p.tiles, total, tag);
        if (cuox_pass == 0 && tile > 0) {
            cuox_words<cuox_item> before = {};
            while (!cuox_found(p.prefixes + (tile - 1), p.tiles, before, tag)) {
            }
            *found = before.value();
        }
        return 0;
    }
};

template <> struct cuox_look_back<false> {
    template <class cuox_function> static __device__ __forceinline__ void coordinate(const cuox_plan &, unsigned int, cuox_word *, cuox_function) {}

    // By the first warp of a block. Returns the number of blocks that have finished before.
    template <class cuox_function> static __device__ __forceinline__ unsigned int find(const cuox_plan &p, cuox_index tile, const cuox_item &total, unsigned int tag, cuox_item *found, cuox_function join) {
        const int lane = threadIdx.x % 32;
        if (lane == 0)
            cuox_publish(p.sums + tile, p.tiles, total, tag);
        const cuox_index group = tile / 32;
        const int number = (int)(tile % 32);
        const bool is_last = number == 31;
        // The combined items are the same in all lanes, which stay together: the software GPU is slow otherwise.
        cuox_item before = total, group_sum = total, through = total;
        cuox_words<cuox_item> inner = {}, outer = {}, prefix = {};
        bool knows_group = number == 0, knows_prefix = group == 0;
        int at = 0;
        if (!knows_group || !knows_prefix)
            // Both are looked for at once.
            for (;;) {
                const cuox_index mine = group - 32 + lane < 0 ? 0 : group - 32 + lane;
                const bool has_inner = knows_group || cuox_found(p.sums + (group * 32 + (lane < number ? lane : 0)), p.tiles, inner, tag);
                const bool has_prefix = knows_prefix || (cuox_found(p.group_prefixes + mine, p.groups, prefix, tag) && group + lane >= 32);
                const bool has_outer = knows_prefix || cuox_found(p.group_sums + mine, p.groups, outer, tag);
                if (!knows_group && __ballot_sync(0xffffffffu, !has_inner) == 0) {
                    knows_group = true;
                    before = cuox_shuffle(inner.value(), 0);
                    // Several, so that one does not wait for the other's shuffle.
#pragma unroll(cuox_ahead)
                    for (int source = 1; source < number; ++source)
                        before = join(before, cuox_shuffle(inner.value(), source));
                    group_sum = join(before, total);
                    if (is_last && lane == 0)
                        cuox_publish(p.group_sums + group, p.groups, group_sum, tag);
                }
                if (!knows_prefix) {
                    // A prefix, and the sums of all groups since: those who owe them came earlier. The highest bit is that of the group before this one.
                    const unsigned int prefixes = __ballot_sync(0xffffffffu, has_prefix), missing = __ballot_sync(0xffffffffu, !has_outer);
                    at = 31 - __clz(prefixes);
                    knows_prefix = prefixes != 0 && (missing >> at >> 1) == 0;
                }
                if (knows_group && knows_prefix)
                    break;
                __nanosleep(20);
            }
        through = group_sum;
        if (group > 0) {
            cuox_item before_group = cuox_shuffle(prefix.value(), at);
#pragma unroll(cuox_ahead)
            for (int source = at + 1; source < 32; ++source)
                before_group = join(before_group, cuox_shuffle(outer.value(), source));
            before = number > 0 ? join(before_group, before) : before_group;
            through = join(before_group, group_sum);
        }
        if (lane == 0) {
            if (is_last)
                cuox_publish(p.group_prefixes + group, p.groups, through, tag);
            *found = before;
            if (cuox_pass == 1)
                cuox_publish(p.prefixes + tile, p.tiles, tile > 0 ? join(before, total) : total, tag);
            // This block looks at no more words. What the counter was is known by the time the items are written.
            return atomicAdd(&p.header->finished, 1u);
        }
        return 0;
    }
};

// The 32-bit words of an item at an address that is a multiple of 4 if the item's size is one.
template <class cuox_type> __device__ __forceinline__ unsigned int cuox_word_of(const cuox_type *item, int w) {
    if constexpr (sizeof(cuox_type) % 4 == 0)
        return ((const unsigned int *)item)[w];
    unsigned int word = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (w * 4 + k < (int)sizeof(cuox_type))
            word |= (unsigned int)((const unsigned char *)item)[w * 4 + k] << k * 8;
    return word;
}

template <class cuox_type> __device__ __forceinline__ void cuox_set_word(cuox_type *item, int w, unsigned int word) {
    if constexpr (sizeof(cuox_type) % 4 == 0) {
        ((unsigned int *)item)[w] = word;
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (w * 4 + k < (int)sizeof(cuox_type))
            ((unsigned char *)item)[w * 4 + k] = (unsigned char)(word >> k * 8);
}

// As cuox_publish and cuox_found, by all threads of a block and with the words of a value side by side: it waits until
// the value is there.
__device__ __forceinline__ void cuox_publish_by_all(cuox_word *at, const cuox_item *item, unsigned int tag) {
#pragma unroll 1
    for (int w = threadIdx.x; w < cuox_words<cuox_item>::count; w += cuox_threads)
        cuox_tell(at + w, (cuox_word)tag << 32 | cuox_word_of(item, w));
}

__device__ __forceinline__ void cuox_find_by_all(const cuox_word *at, cuox_item *item, unsigned int tag) {
#pragma unroll 1
    for (;;) {
        bool there = true;
#pragma unroll 1
        for (int w = threadIdx.x; w < cuox_words<cuox_item>::count; w += cuox_threads) {
            const cuox_word word = cuox_look(at + w);
            cuox_set_word(item, w, (unsigned int)word);
            there &= (unsigned int)(word >> 32) == tag;
        }
        if (__syncthreads_and(there))
            return;
        __nanosleep(20);
    }
}

// The places of items besides those of the tile: the combination of the tiles before this one in its group, then of all
// before this one; that of the groups before; one that is read; the combination of the group.
enum { cuox_before_place, cuox_outer_place, cuox_coming_place, cuox_through_place, cuox_places };

// Scans a tile of large items, which all are in shared memory, as are those at the places above. The operator stands
// once: a compiler needs more than twice as long for twice as many uses, and a minute for ten of a structure of 1000
// bytes in registers. So all combinations are made by one loop in a loop, some by the first thread alone. Their order
// hangs on the tiles' numbers only.
//
// Returns the combination of all tiles before. The threads may read the items.
template <class cuox_function> __device__ __forceinline__ const cuox_item *cuox_scan_in_memory(const cuox_plan &p, cuox_index tile, int valid, unsigned int tag, cuox_item *items, cuox_item *places, unsigned int *finished, cuox_function join) {
    constexpr int count = cuox_words<cuox_item>::count;
    enum { in_tile, in_group, of_group, of_groups, before, through, complete };
    __shared__ int latest;
    const int thread = threadIdx.x, number = (int)(tile % 32);
    const cuox_index group = tile / 32;
    const bool is_last = number == 31;
    cuox_item *const total = items + valid - 1;
    const cuox_item *all_before = places + cuox_before_place;
#pragma unroll 1
    for (int phase = in_tile; phase <= complete; phase += cuox_pass == 2 ? complete - in_tile : 1) {
        // The combinations, and the words of the right operands if other blocks have published these.
        int joins = 0;
        const cuox_word *from = nullptr;
        cuox_item *to = places + cuox_before_place;
        const cuox_item *a = to, *b = places + cuox_coming_place;
        if (phase == in_tile) {
            joins = 32 - __clz(valid - 1);
        } else if (phase == in_group) {
            // From left to right.
            if (number > 0) {
                from = p.sums + (tile - number) * count;
                cuox_find_by_all(from, to, tag);
                from += count;
                joins = number - 1;
            }
        } else if (phase == of_group) {
            joins = is_last;
            to = places + cuox_through_place;
            b = total;
        } else if (phase == of_groups) {
            // From the latest prefix on: those who owe the sums of the groups since came earlier.
            to = places + cuox_outer_place;
            a = to;
            if (group > 0) {
#pragma unroll 1
                for (;;) {
                    latest = -1;
                    __syncthreads();
                    const cuox_index mine = group - 32 + thread;
                    if (thread < 32 && mine >= 0 && (unsigned int)(cuox_look(p.group_prefixes + mine * count) >> 32) == tag)
                        atomicMax(&latest, thread);
                    __syncthreads();
                    if (latest >= 0)
                        break;
                    __syncthreads();
                    __nanosleep(20);
                }
                const cuox_index at = group - 32 + latest;
                cuox_find_by_all(p.group_prefixes + at * count, to, tag);
                from = p.group_sums + (at + 1) * count;
                joins = (int)(group - 1 - at);
            }
        } else if (phase == before) {
            joins = group > 0 && number > 0;
            a = places + cuox_outer_place;
            b = to;
        } else if (phase == through) {
            joins = group > 0 && is_last;
            to = places + cuox_through_place;
            a = places + cuox_outer_place;
            b = to;
        } else {
            joins = tile > 0;
            if (cuox_pass == 2) {
                if (tile > 0)
                    cuox_find_by_all(p.prefixes + (tile - 1) * count, to, tag);
            } else {
                if (number == 0)
                    all_before = places + cuox_outer_place;
                // This block looks at no more words. What the counter was is known by the time the items are written.
                if (thread == 0)
                    *finished = atomicAdd(&p.header->finished, 1u);
            }
            a = all_before;
            to = items + thread;
            b = to;
        }
#pragma unroll 1
        for (int k = 0; k < joins; ++k) {
            bool combines = thread == 0;
            if (from != nullptr)
                cuox_find_by_all(from + k * count, places + cuox_coming_place, tag);
            if (phase == in_tile) {
                // Items in the right half of 2 << k get the last one of the left half: half of the threads have one.
                const int half = 1 << k, place = (thread & -half) << 1 | half | (thread & half - 1);
                combines = place < valid;
                to = items + place;
                b = to;
                a = items + (place & -half) - 1;
            }
            if (phase == complete)
                combines = thread < valid;
            if (combines)
                join(to, *a, *b);
            __syncthreads();
        }
        if (cuox_pass != 2) {
            if (phase == in_tile)
                cuox_publish_by_all(p.sums + tile * count, total, tag);
            if (phase == of_group && is_last)
                cuox_publish_by_all(p.group_sums + group * count, to, tag);
            if (phase == through && is_last)
                cuox_publish_by_all(p.group_prefixes + group * count, to, tag);
            if (phase == complete && cuox_pass == 1)
                cuox_publish_by_all(p.prefixes + tile * count, total, tag);
        }
    }
    return all_before;
}

extern "C" __global__ void __launch_bounds__(cuox_threads, cuox_size <= 8 ? /*@blocks*/ : 1) /*@name*/(/*@parameters*/const cuox_item_bytes cuox_size_of_items, const cuox_end_words cuox_number_of_ends, const __grid_constant__ cuox_plan cuox_p) {
    const cuox_index N = cuox_p.length;
    /*@hide*/
    {
    /*@bind*/
    /*@aliases*/
    auto cuox_input = [&](cuox_index i/*@fetched_parameters*/) -> cuox_value {
        return (/*@input_expr*/);
    };
    auto cuox_starts = [&](cuox_index i/*@fetched_parameters*/) -> bool {
        return (/*@is_segment_start*/);
    };
    auto cuox_output = [&](cuox_index i, cuox_operand cuox_now/*@output_parameters*/) {
        cuox_value item = cuox_now;
        (void)item;
        /*@output_copies*/
        /*@output_statement*/;
    };
    auto cuox_neutral = [&]() -> cuox_value {
        cuox_value value = /*@neutral*/;
        return value;
    };
    auto cuox_scan = [&](cuox_operand cuox_a, cuox_operand cuox_b, bool across_seg_boundary) -> cuox_value {
        cuox_value a = cuox_a, b = cuox_b;
        (void)a, (void)b;
        return (/*@scan_expr*/);
    };
    auto cuox_join = [&](const cuox_item &a, const cuox_item &b) -> cuox_item {
        return cuox_item::of(cuox_scan(a.value, b.value, b.has_start()), a, b);
    };
    alignas(16) alignas(alignof(cuox_item)) __shared__ unsigned char cuox_raw[cuox_tile * sizeof(cuox_item)];
    alignas(16) alignas(alignof(cuox_item)) __shared__ unsigned char cuox_raw_warps[(cuox_is_large ? cuox_places : cuox_warps + 1) * sizeof(cuox_item)];
    __shared__ unsigned int cuox_ticket, cuox_tag_shared;
    cuox_item *const cuox_items = (cuox_item *)cuox_raw;
    cuox_item *const cuox_warp_sums = (cuox_item *)cuox_raw_warps;
    cuox_item *const cuox_before = cuox_warp_sums + cuox_warps;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    const cuox_index tiles = cuox_p.tiles;
    cuox_index tile = blockIdx.x;
    // A pass that only writes comes after the one that has changed the tag. Its first threads look for the ends of tiles.
    unsigned int tag = cuox_pass == 2 && (cuox_is_large || thread == 0) ? *(volatile unsigned int *)&cuox_p.header->tag : 0;
    if (cuox_coordinates && cuox_pass != 2) {
        // Whoever tells and looks: the first thread of a tile, and all that coordinate. The others do not wait for it to load their items.
        if (thread == 0 || blockIdx.x == 0)
            tag = *(volatile unsigned int *)&cuox_p.header->tag + 1;
        if (tiles > 1) {
            if (blockIdx.x == 0) {
                cuox_look_back<cuox_coordinates>::coordinate(cuox_p, tag, (cuox_word *)cuox_raw, cuox_join);
                return;
            }
            --tile;
        }
    } else if (cuox_pass != 2) {
        if (thread == 0) {
            cuox_ticket = atomicAdd(&cuox_p.header->ticket, 1u);
            cuox_tag_shared = *(volatile unsigned int *)&cuox_p.header->tag + 1;
        }
        __syncthreads();
        tile = cuox_ticket;
        tag = cuox_tag_shared;
    }
    const cuox_index base = tile * cuox_tile;
    const int valid = N - base < cuox_tile ? (int)(N - base) : cuox_tile;

    // Elements at a tile's end may be overwritten by this block before the next one reads them.
    if (cuox_pass != 2 && thread == 0) {
        const cuox_index end = base + valid - 1;
        /*@publish_ends*/
    }
    const int first = thread * cuox_each;
    const int count = valid - first < 0 ? 0 : valid - first < cuox_each ? valid - first : cuox_each;
    // The thread's own items stay in shared memory: with fewer registers more blocks wait for each other at once.
    cuox_item *const own = cuox_items + first;
    auto cuox_fetch = [&](int place) -> cuox_item {
        const cuox_index i = base + place;
        /*@fetch*/
        return cuox_item::of(cuox_input(i/*@fetched*/), cuox_starts(i/*@fetched*/));
    };
    const bool is_whole = valid == cuox_tile;
    auto cuox_copy_out = [&](cuox_value *out) {
        typedef cuox::pack<unsigned int, 4> cuox_pack;
        cuox_pack *const to = (cuox_pack *)out;
#pragma unroll(8)
        for (int k = 0; k < cuox_copies; ++k)
            if (cuox_has_copy(k, thread))
                to[k * cuox_threads + thread] = ((const cuox_pack *)cuox_raw)[k * cuox_threads + thread];
    };
    // A large item is put where it belongs at once.
    auto cuox_fetch_to = [&](int place) {
        const cuox_index i = base + place;
        /*@fetch*/
        cuox_item *const to = cuox_items + place;
        to->value = cuox_input(i/*@fetched*/);
        to->set_flags(cuox_item::flags_of(cuox_starts(i/*@fetched*/)));
    };
    if (cuox_copies_in && cuox_is_aligned(/*@plain_input*/ + base)) {
        const unsigned char *const from = (const unsigned char *)(/*@plain_input*/ + base);
        const unsigned int to = (unsigned int)__cvta_generic_to_shared(cuox_raw);
        if (is_whole) {
#pragma unroll(8)
            for (int k = 0; k < cuox_copies; ++k)
                if (cuox_has_copy(k, thread))
                    cuox_copy_in(to + (k * cuox_threads + thread) * 16, from + (k * cuox_threads + thread) * 16, 16);
        } else {
            const int bytes = valid * cuox_size;
#pragma unroll 1
            for (int at = thread * 16; at < bytes; at += cuox_threads * 16)
                cuox_copy_in(to + at, from + at, bytes - at < 16 ? bytes - at : 16);
        }
        cuox_wait_for_copies();
    } else if (cuox_unrolls_expressions && is_whole) {
        // Several loads before the first store.
#pragma unroll(cuox_copies_in ? 1 : cuox_whole)
        for (int begin = 0; begin < cuox_each; begin += cuox_loads) {
            alignas(alignof(cuox_item)) unsigned char raw[cuox_loads * sizeof(cuox_item)];
            cuox_item *const loaded = (cuox_item *)raw;
#pragma unroll
            for (int k = 0; k < cuox_loads; ++k)
                if (begin + k < cuox_each)
                    loaded[k] = cuox_fetch((begin + k) * cuox_threads + thread);
#pragma unroll
            for (int k = 0; k < cuox_loads; ++k)
                if (begin + k < cuox_each)
                    cuox_items[(begin + k) * cuox_threads + thread] = loaded[k];
        }
    } else if constexpr (cuox_is_large) {
        if (thread < valid)
            cuox_fetch_to(thread);
    } else {
#pragma unroll 1
        for (int k = 0; k < cuox_each; ++k)
            if (k * cuox_threads + thread < valid)
                cuox_items[k * cuox_threads + thread] = cuox_fetch(k * cuox_threads + thread);
    }
    __syncthreads();
    unsigned int finished = 0;
    if constexpr (cuox_is_large) {
        cuox_item *const cuox_others = (cuox_item *)cuox_raw_warps;
        const cuox_item *const cuox_all_before = cuox_scan_in_memory(cuox_p, tile, valid, tag, cuox_items, cuox_others, &finished, [&](cuox_item *to, const cuox_item &a, const cuox_item &b) {
            const int flags = cuox_item::flags_of(a, b);
            to->value = cuox_scan(a.value, b.value, b.has_start());
            to->set_flags(flags);
        });
        if (cuox_pass != 1) {
            /*@large_last_item*/
            /*@large_neutral*/
            if (cuox_copies_out && is_whole && cuox_is_aligned(/*@plain_output*/ + base)) {
                cuox_copy_out(/*@plain_output*/ + base);
            } else if (thread < valid) {
                const int place = thread;
                /*@large_prev_item*/
                cuox_output(base + place, cuox_items[place].value/*@large_output_arguments*/);
            }
        }
    } else {
        // Each thread combines its neighbours, then warps and the block combine these sums.
        cuox_item sum = cuox_items[count > 0 ? first : 0];
        if (cuox_is_small && is_whole) {
#pragma unroll
            for (int k = 1; k < cuox_each; ++k)
                sum = cuox_join(sum, own[k]);
        } else {
#pragma unroll 1
            for (int k = 1; k < cuox_each; ++k)
                if (k < count)
                    sum = cuox_join(sum, own[k]);
        }
        // The threads with elements are the first ones: no other is combined with anything.
        const int active = (valid + cuox_each - 1) / cuox_each;
#pragma unroll(cuox_whole)
        for (int distance = 1; distance < 32; distance *= 2) {
            const cuox_item left = cuox_shuffle(sum, lane - distance < 0 ? lane : lane - distance);
            if (lane >= distance && thread < active)
                sum = cuox_join(left, sum);
        }
        if (thread < active && (lane == 31 || thread == active - 1))
            cuox_warp_sums[warp] = sum;
        cuox_item left = cuox_shuffle(sum, lane == 0 ? 0 : lane - 1);
        __syncthreads();
        const int active_warps = (active + 31) / 32;
        // The combination of all threads before this one in the block; there is none for the first.
        cuox_item before_warp = cuox_warp_sums[0];
        cuox_item total = before_warp;
#pragma unroll(cuox_whole)
        for (int w = 1; w < cuox_warps; ++w)
            if (w < active_warps) {
                if (w == warp)
                    before_warp = total;
                total = cuox_join(total, cuox_warp_sums[w]);
            }
        if (warp > 0)
            left = lane > 0 ? cuox_join(before_warp, left) : before_warp;

        // The combination of all tiles before.
        if (cuox_pass != 2) {
            if (warp == 0)
                finished = cuox_look_back<cuox_coordinates>::find(cuox_p, tile, total, tag, cuox_before, cuox_join);
        } else if (thread == 0 && tile > 0) {
            cuox_words<cuox_item> found = {};
            cuox_found(cuox_p.prefixes + (tile - 1), tiles, found, tag);
            *cuox_before = found.value();
        }
        __syncthreads();

        if (cuox_pass != 1) {
            // Each thread completes its items.
            const bool has_before = tile > 0;
            if (has_before)
                left = thread > 0 ? cuox_join(*cuox_before, left) : *cuox_before;
            auto cuox_complete = [&](int k) {
                if (k > 0 || has_before || thread > 0)
                    left = cuox_join(left, own[k]);
                else
                    left = own[k];
                own[k] = left;
            };
            /*@last_item*/
            auto cuox_put = [&](int place) {
                const cuox_index i = base + place;
                const cuox_item now = cuox_items[place];
                /*@prev_item*/
                cuox_output(i, now.value/*@output_arguments*/);
            };
            if (cuox_is_small && is_whole) {
#pragma unroll
                for (int k = 0; k < cuox_each; ++k)
                    cuox_complete(k);
            } else {
#pragma unroll 1
                for (int k = 0; k < cuox_each; ++k)
                    if (k < count)
                        cuox_complete(k);
            }
            __syncthreads();
            if (cuox_copies_out && is_whole && cuox_is_aligned(/*@plain_output*/ + base)) {
                cuox_copy_out(/*@plain_output*/ + base);
            } else if (cuox_unrolls_expressions && is_whole) {
#pragma unroll(cuox_copies_out ? 4 : cuox_whole)
                for (int k = 0; k < cuox_each; ++k)
                    cuox_put(k * cuox_threads + thread);
            } else {
#pragma unroll 1
                for (int k = 0; k < cuox_each; ++k)
                    if (k * cuox_threads + thread < valid)
                        cuox_put(k * cuox_threads + thread);
            }
        }
    }

    // The last block makes all ready for the next launch.
    if (!cuox_coordinates && cuox_pass != 2 && thread == 0 && finished == (unsigned int)(tiles - 1)) {
        cuox_p.header->ticket = 0;
        cuox_p.header->finished = 0;
        cuox_p.header->tag = tag;
    }
    }
}
