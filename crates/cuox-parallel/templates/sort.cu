// A stable merge sort of `length` items: by blocks in shared memory, then by passes that merge runs of twice the length each.
//
// Or of the items of each segment, some of which may be in none. Of many segments of small items, a thread first sorts each that is short, and lists the others.
// A block sorts a segment that fits in its shared memory. It cuts others into tiles and lists these; the passes go through that list, which is mostly
// empty, and a segment's result is stored by the last pass that it needs.
//
// Each block and each thread finds its part of two runs by bisection along a diagonal of the grid of both (Green, McColl and Bader, *GPU merge path*, 2012).
// Loops are rolled up where they can be: the operator stands in few places, and the compiler is done sooner.
typedef /*@c_type*/ cuox_item;
typedef long long cuox_index;
static_assert(sizeof(cuox_item) == /*@item_size*/, "the items have another size than was said");

constexpr int cuox_threads = /*@threads*/;
constexpr int cuox_each = /*@each*/;
// Of large items some threads have none.
constexpr int cuox_tile = /*@tile*/;

constexpr bool cuox_is_segmented = /*@is_segmented*/;

// A tile of a segment that a block cannot sort alone: the segment, and the number of the tile in it.
struct cuox_piece {
    cuox_index start, end, tile;
};

// The items that a thread sorts alone.
constexpr int cuox_short = /*@short*/;
// Threads without items cost less than rounds of merges: those of the software GPU run one after the other.
constexpr bool cuox_is_serial = /*@is_serial*/;

// Full tiles have code of their own where they are merged.
constexpr bool cuox_is_small = sizeof(cuox_item) <= 16;
// Large items stay in memory: the compiler takes those in registers apart, in a time that goes by the square of the number
// of their fields.
constexpr bool cuox_is_large = sizeof(cuox_item) > 64;
constexpr int cuox_copies_at_once = cuox_is_large ? 1 : 4;

struct cuox_plan {
    const cuox_item *from;
    cuox_item *to;
    // For each tile, how many items of the first one of its two runs come before it. None if blocks are to find that themselves.
    cuox_index *splits;
    cuox_index length;
    // The tiles of a run that is merged with the next one: a power of 2.
    cuox_index run;
    // 0: sort tiles. 1: find the splits of all tiles. 2: merge runs, with these known. 3: sort segments, or cut them into tiles. 4: sort short segments, and list
    // the others.
    cuox_index work;
    // True for the pass whose result the caller's statement gets.
    cuox_index is_last;
    // The tiles of long segments, and their number.
    cuox_piece *pieces;
    unsigned int *count;
    // The most tiles of segments that do not overlap.
    cuox_index most_pieces;
    cuox_index segments;
    // The segments that are not short, their number, and the most of those that do not overlap. None if each has a block.
    cuox_index *listed;
    unsigned int *listed_count;
    cuox_index most_listed;
};

// The thread's own items, with nobody's help.
template <class T, class L, class S> static __device__ __forceinline__ void cuox_sort_short(cuox_index start, int count, const T &load, const L &less, const S &store) {
    alignas(alignof(cuox_item)) unsigned char raw[cuox_short * sizeof(cuox_item)];
    cuox_item *const items = (cuox_item *)raw;
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
        const cuox_item item = load(start + k);
        int place = k;
#pragma unroll 1
        for (; place > 0 && less(item, items[place - 1]); --place)
            items[place] = items[place - 1];
        items[place] = item;
    }
#pragma unroll 1
    for (int k = 0; k < count; ++k)
        store(start + k, items[k]);
}

// The number of items among the first `diagonal` ones of two merged runs that come from the first run.
template <class I, class L> static __device__ __forceinline__ I cuox_split(const cuox_item *a, I a_length, const cuox_item *b, I b_length, I diagonal, const L &less) {
    I low = diagonal > b_length ? diagonal - b_length : 0, high = diagonal < a_length ? diagonal : a_length;
#pragma unroll 1
    while (low < high) {
        const I middle = low + (high - low) / 2;
        if (!less(b[diagonal - 1 - middle], a[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The same by a warp, which compares in 32 places at once: sooner done, but more is read.
template <class L> static __device__ __forceinline__ cuox_index cuox_far_split(const cuox_item *a, cuox_index a_length, const cuox_item *b, cuox_index b_length, cuox_index diagonal, int lane, const L &less) {
    cuox_index low = diagonal > b_length ? diagonal - b_length : 0, high = diagonal < a_length ? diagonal : a_length;
#pragma unroll 1
    while (low < high) {
        const cuox_index length = high - low, place = low + length * lane / 32;
        const int before = __popc(__ballot_sync(0xffffffffu, !less(b[diagonal - 1 - place], a[place])));
        if (before < 32)
            high = low + length * before / 32;
        if (before > 0)
            low += length * (before - 1) / 32 + 1;
    }
    return low;
}

extern "C" __global__ void __launch_bounds__(cuox_threads, /*@blocks*/) /*@name*/(/*@parameters*/const __grid_constant__ cuox_plan cuox_p) {
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
    // Items go from one half to the other. Behind them is one that is read and not used.
    alignas(16) alignas(alignof(cuox_item)) __shared__ unsigned char cuox_raw[(2 * cuox_tile + 1) * sizeof(cuox_item)];
    cuox_item *items = (cuox_item *)cuox_raw, *others = items + cuox_tile;
    const int thread = threadIdx.x;
    // The segment, which is all items if there are none.
    cuox_index segment_start = 0, segment_end = N;
    unsigned int tile = cuox_p.work == 1 ? blockIdx.x * cuox_threads + thread : blockIdx.x;
    bool is_last = cuox_p.is_last;
    if constexpr (cuox_is_segmented) {
        if (cuox_p.work >= 3) {
            cuox_index i = blockIdx.x;
            if (cuox_p.work == 4) {
                i = i * cuox_threads + thread;
                if (i >= cuox_p.segments)
                    return;
            } else if (cuox_p.listed != nullptr) {
                if (i >= *cuox_p.listed_count)
                    return;
                i = cuox_p.listed[i];
            }
            segment_start = (cuox_index)(/*@begin_expr*/);
            segment_end = (cuox_index)(/*@end_expr*/);
            segment_end = segment_end < N ? segment_end : N;
            if (segment_start < 0 || segment_start >= segment_end)
                return;
            if (cuox_p.work == 4) {
                if (segment_end - segment_start <= cuox_short) {
                    if constexpr (cuox_short > 1)
                        cuox_sort_short(segment_start, (int)(segment_end - segment_start), cuox_load, cuox_less, cuox_store);
                } else {
                    const unsigned int place = atomicAdd(cuox_p.listed_count, 1u);
                    if (place < cuox_p.most_listed)
                        cuox_p.listed[place] = i;
                }
                return;
            }
            if (segment_end - segment_start > cuox_tile) {
                __shared__ unsigned int cuox_place;
                const unsigned int tiles = (unsigned int)((segment_end - segment_start + cuox_tile - 1) / cuox_tile);
                if (thread == 0) {
                    unsigned int seen = *(volatile unsigned int *)cuox_p.count, place;
                    do {
                        place = seen;
                        // Of segments that overlap, some may stay out.
                        if (tiles > cuox_p.most_pieces - place)
                            break;
                        seen = atomicCAS(cuox_p.count, place, place + tiles);
                    } while (seen != place);
                    cuox_place = place;
                }
                __syncthreads();
                if (tiles > cuox_p.most_pieces - cuox_place)
                    return;
                for (unsigned int k = thread; k < tiles; k += cuox_threads)
                    cuox_p.pieces[cuox_place + k] = {segment_start, segment_end, k};
                return;
            }
            if (segment_end - segment_start == 1) {
                if (thread == 0)
                    cuox_store(segment_start, cuox_load(segment_start));
                return;
            }
            tile = 0;
            is_last = true;
        } else {
            if (tile >= *cuox_p.count)
                return;
            const cuox_piece piece = cuox_p.pieces[tile];
            segment_start = piece.start;
            segment_end = piece.end;
            tile = (unsigned int)piece.tile;
            const cuox_index width = cuox_p.run * cuox_tile, length = segment_end - segment_start;
            if (cuox_p.work != 0 && width >= length)
                return;
            is_last = cuox_p.work != 0 && 2 * width >= length;
        }
    }
    const cuox_index base = segment_start + (cuox_index)tile * cuox_tile;
    const int valid = segment_end - base < cuox_tile ? (int)(segment_end - base) : cuox_tile;
    // All threads have some items of a short segment: an odd number, too.
    const int each = cuox_is_segmented && !cuox_is_serial && cuox_p.work == 3 ? (valid + cuox_threads - 1) / cuox_threads | 1 : cuox_each;
    const int first = thread * each;
    const int count = valid - first < 0 ? 0 : valid - first < each ? valid - first : each;

    // Of two runs in `items`, one behind the other, the thread's part in their order.
    auto cuox_merge = [&](int start, int middle, int end) {
        if (count > 0) {
            const int diagonal = first - start, from_first = cuox_split(items + start, middle - start, items + middle, end - middle, diagonal, cuox_less);
            int i = start + from_first, j = middle + diagonal - from_first;
            if constexpr (cuox_is_large) {
#pragma unroll 1
                for (int k = 0; k < count; ++k) {
                    const bool is_first = j >= end || (i < middle && !cuox_less(items[j], items[i]));
                    others[first + k] = items[is_first ? i : j];
                    i += is_first;
                    j += !is_first;
                }
            } else {
                cuox_item a = items[i], b = items[j];
#pragma unroll 1
                for (int k = 0; k < count; ++k) {
                    const bool is_first = j >= end || (i < middle && !cuox_less(b, a));
                    others[first + k] = is_first ? a : b;
                    const cuox_item next = items[is_first ? ++i : ++j];
                    if (is_first)
                        a = next;
                    else
                        b = next;
                }
            }
        }
        __syncthreads();
        cuox_item *const merged = others;
        others = items;
        items = merged;
    };

    // The two runs that a tile is of: where they begin, and the second one's end.
    struct cuox_runs {
        cuox_index start, middle, end;
    };
    auto cuox_runs_of = [&]() -> cuox_runs {
        const cuox_index start = segment_start + (cuox_index)(tile & ~(unsigned int)(2 * cuox_p.run - 1)) * cuox_tile, width = cuox_p.run * cuox_tile;
        return {start, start + width < segment_end ? start + width : segment_end, start + 2 * width < segment_end ? start + 2 * width : segment_end};
    };

    if (cuox_p.work == 1) {
        if (base < segment_end) {
            const cuox_runs runs = cuox_runs_of();
            cuox_p.splits[blockIdx.x * cuox_threads + thread] =
                cuox_split<cuox_index>(cuox_p.from + runs.start, runs.middle - runs.start, cuox_p.from + runs.middle, runs.end - runs.middle, base - runs.start, cuox_less);
        }
        return;
    }
    // The end of the first of two runs in shared memory, if they are those of two tiles.
    int large_middle = -1;
    if (cuox_p.work != 2) {
#pragma unroll(cuox_copies_at_once)
        for (int place = thread; place < valid; place += cuox_threads)
            items[place] = cuox_load(base + place);
        __syncthreads();
        if constexpr (cuox_is_large) {
            // To their places among those before them, one after the other: stable.
#pragma unroll 1
            for (int k = 0; k < count; ++k) {
                int place = k;
#pragma unroll 1
                while (place > 0 && cuox_less(items[first + k], others[first + place - 1])) {
                    others[first + place] = others[first + place - 1];
                    --place;
                }
                others[first + place] = items[first + k];
            }
            cuox_item *const sorted = others;
            others = items;
            items = sorted;
        } else {
            alignas(alignof(cuox_item)) unsigned char cuox_raw_own[cuox_each * sizeof(cuox_item)];
            cuox_item *const own = (cuox_item *)cuox_raw_own;
#pragma unroll
            for (int k = 0; k < cuox_each; ++k)
                if (k < count)
                    own[k] = items[first + k];
            // Neighbours are exchanged only if they must be: stable.
#pragma unroll 1
            for (int round = 0; round < each; round += 2)
#pragma unroll
                for (int odd = 0; odd < 2; ++odd)
#pragma unroll
                    for (int k = odd; k + 1 < cuox_each; k += 2)
                        if (k + 1 < count && cuox_less(own[k + 1], own[k])) {
                            const cuox_item kept = own[k];
                            own[k] = own[k + 1];
                            own[k + 1] = kept;
                        }
#pragma unroll
            for (int k = 0; k < cuox_each; ++k)
                if (k < count)
                    items[first + k] = own[k];
        }
        __syncthreads();
        if constexpr (!cuox_is_large) {
#pragma unroll 1
            for (int width = each; width < valid; width *= 2) {
                const int start = first / (2 * width) * (2 * width);
                cuox_merge(start, start + width < valid ? start + width : valid, start + 2 * width < valid ? start + 2 * width : valid);
            }
        }
    } else {
        const cuox_runs runs = cuox_runs_of();
        cuox_index split, next;
        if (cuox_is_large || cuox_p.splits != nullptr) {
            split = cuox_p.splits[blockIdx.x];
            next = base + valid < runs.end ? cuox_p.splits[blockIdx.x + 1] : runs.middle - runs.start;
        } else {
            __shared__ cuox_index cuox_splits[2];
#pragma unroll 1
            for (int which = thread / 32; which < 2; which += cuox_threads / 32) {
                const cuox_index diagonal = base - runs.start + (which == 0 ? 0 : valid);
                const cuox_index found =
                    cuox_far_split(cuox_p.from + runs.start, runs.middle - runs.start, cuox_p.from + runs.middle, runs.end - runs.middle, diagonal, thread % 32, cuox_less);
                if (thread % 32 == 0)
                    cuox_splits[which] = found;
            }
            __syncthreads();
            split = cuox_splits[0];
            next = cuox_splits[1];
        }
        // By a comparison that is none (of NaN, say) the splits need not go with each other: what is read stays within both runs.
        const int a_count = next < split ? 0 : next - split < valid ? (int)(next - split) : valid;
        large_middle = a_count;
        // An index counts through both parts.
        const cuox_item *const from_a = cuox_p.from + runs.start + split, *const from_b = cuox_p.from + runs.middle + (base - runs.start - split) - a_count;
        if (cuox_is_small && valid == cuox_tile) {
            alignas(alignof(cuox_item)) unsigned char cuox_raw_own[cuox_each * sizeof(cuox_item)];
            cuox_item *const own = (cuox_item *)cuox_raw_own;
#pragma unroll
            for (int k = 0; k < cuox_each; ++k) {
                const int place = k * cuox_threads + thread;
                own[k] = (place < a_count ? from_a : from_b)[place];
            }
#pragma unroll
            for (int k = 0; k < cuox_each; ++k)
                items[k * cuox_threads + thread] = own[k];
        } else {
#pragma unroll 1
            for (int place = thread; place < valid; place += cuox_threads)
                items[place] = (place < a_count ? from_a : from_b)[place];
        }
        __syncthreads();
        if constexpr (!cuox_is_large)
            cuox_merge(0, a_count, valid);
    }
    // The only place of the operator on large items in memory, whether runs are merged in a tile or from others.
    if constexpr (cuox_is_large) {
#pragma unroll 1
        for (int width = large_middle < 0 ? each : valid; large_middle >= 0 || width < valid; width *= 2) {
            const int start = first / (2 * width) * (2 * width), middle = large_middle < 0 ? start + width : large_middle, end = start + 2 * width;
            large_middle = -1;
            cuox_merge(start, middle < valid ? middle : valid, end < valid ? end : valid);
        }
    }
    if (is_last) {
#pragma unroll 1
        for (int place = thread; place < valid; place += cuox_threads)
            cuox_store(base + place, items[place]);
    } else {
        cuox_item *const to = cuox_p.to + base;
#pragma unroll(cuox_copies_at_once)
        for (int place = thread; place < valid; place += cuox_threads)
            to[place] = items[place];
    }
}
