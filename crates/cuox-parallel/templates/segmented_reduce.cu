// Combines the items of each segment, from left to right. The result follows from the segment's length, not from who does the work.
//
// A warp takes its short segments by 8 lanes each, and the others by all lanes; all warps take a part each of those of 16384 items or more: an H200 read segments
// of a million float32 at 0.06 TB/s by a warp each. Rows, which are read one behind the other, are on their way to shared memory while those before them are
// combined: each lane combines neighbours, then the lanes combine theirs. 16-byte loads that each lane keeps in registers take NVRTC twice as long.
constexpr int each = /*@each*/, long_from = 16384;
// True if each lane loads its own item: two buffers of large ones would not fit in shared memory.
constexpr bool cuox_is_direct = /*@is_direct*/;
constexpr int held = cuox_is_direct ? 1 : 2 * cuox_most * each;
__shared__ long long begins[cuox_most], lengths[cuox_most];
__shared__ int longs[cuox_most], long_count;
// Bytes, as items may have constructors.
alignas(16) alignas(alignof(cuox_item)) __shared__ unsigned char raw_items[held * sizeof(cuox_item)], raw_sums[8 * sizeof(cuox_item)];
cuox_item *const items = (cuox_item *)raw_items, *const sums = (cuox_item *)raw_sums;
#pragma unroll 1
for (long long slice = cta_start; slice < n; slice += total_threads) {
    if (tid == 0)
        long_count = 0;
    __syncthreads();
    const int place_of_warp = warp * of_warp, own_place = place_of_warp + lane;
    const long long segment = (slice >> cuox_shift) + own_place;
    long long length = -1;
    if (lane < of_warp && own_place < of_block && segment << cuox_shift < n) {
        const long long begin = cuox_begin(segment);
        length = cuox_end(segment) - begin;
        length = length > 0 ? length : 0;
        begins[own_place] = begin;
        lengths[own_place] = length;
        if (length >= long_from)
            longs[atomicAdd(&long_count, 1)] = own_place;
    }
    unsigned int shorts = __ballot_sync(0xffffffffu, length >= 0 && length <= 8 * each), others = __ballot_sync(0xffffffffu, length > 8 * each && length < long_from);
    __syncwarp();
    int at_long = -1;
#pragma unroll 1
    while (true) {
        // The segment's place in the block, and the lanes that take it.
        int place_of_one = place_of_warp, width = 32;
        bool is_one = true;
        if (shorts != 0) {
            const int group = (__ffs((int)shorts) - 1) & ~3, which = group + (lane >> 3);
            is_one = shorts >> which & 1;
            shorts &= ~(15u << group);
            place_of_one += which;
            width = 8;
        } else if (others != 0) {
            place_of_one += __ffs((int)others) - 1;
            others &= others - 1;
        } else {
            __syncthreads();
            if (++at_long >= long_count)
                break;
            place_of_one = longs[at_long];
        }
        const int at = lane & (width - 1), chunk = width * each;
        long long row = is_one ? begins[place_of_one] : 0, left = is_one ? lengths[place_of_one] : 0;
        // A part of a long one has whole cache lines.
        const long long all = left, part_length = (all + cuox_most - 1) / cuox_most * 32;
        if (at_long >= 0) {
            row += part_length * warp;
            left -= part_length * warp;
            left = left < part_length ? left : part_length;
        }
        bool has_sum = at_long < 0 || warp == 0;
        cuox_item sum = /*@first_expr*/, part = sum;
        // NVRTC 13.0 otherwise stores a kernel's parameter of more than 128 bytes in place of the sum that began as its copy.
        if constexpr (sizeof(cuox_item) > 128)
            asm volatile("" ::"l"(&sum) : "memory");
        cuox_item *coming_items = items + (tid - at) * each, *here_items = coming_items + held / 2;
        int here = 0;
#pragma unroll 1
        for (bool has_rows = false;; has_rows = true) {
            const int coming = left < chunk ? (int)left : chunk;
#if /*@unit*/ > 0 && __CUDA_ARCH__ >= 800
            // By copies that no register waits for.
#pragma unroll 1
            for (int place = at; place < coming; place += width) {
                const unsigned int to = (unsigned int)__cvta_generic_to_shared(coming_items + place);
                const long long i = row + place;
                const char *const from = (const char *)&(/*@load_expr*/);
#pragma unroll
                for (int k = 0; k < (int)sizeof(cuox_item); k += /*@unit*/)
                    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to + k), "l"(from + k), "n"(/*@unit*/) : "memory");
            }
            asm volatile("cp.async.commit_group;" ::: "memory");
#else
            if (!cuox_is_direct) {
#pragma unroll 4
                for (int place = at; place < coming; place += width)
                    coming_items[place] = cuox_load(row + place);
            }
#endif
            if (has_rows) {
#if /*@unit*/ > 0 && __CUDA_ARCH__ >= 800
                asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
                __syncwarp();
                const int behind = here - at * each, mine = behind < each ? behind : each;
                if (mine > 0) {
                    if (cuox_is_direct) {
                        part = cuox_load(row - chunk + at);
                    } else {
                        part = here_items[at * each];
#pragma unroll 1
                        for (int k = 1; k < mine; ++k)
                            part = cuox_combine(part, here_items[at * each + k]);
                    }
                }
#pragma unroll 1
                for (int distance = 1; distance < width; distance *= 2) {
                    const cuox_item right = cuox_from_right(part, distance);
                    if ((at + distance) * each < here && at + distance < width)
                        part = cuox_combine(part, right);
                }
                if (at == 0 && here > 0) {
                    sum = has_sum ? cuox_combine(sum, part) : part;
                    has_sum = true;
                }
                __syncwarp();
            }
            // Short segments have no more than one chunk.
            if (width == 32 ? coming <= 0 : has_rows)
                break;
            here = coming;
            row += chunk;
            left -= chunk;
            cuox_item *const free = here_items;
            here_items = coming_items;
            coming_items = free;
        }
        bool is_last = at == 0 && is_one;
        if (at_long >= 0) {
            if (lane == 0)
                sums[warp] = sum;
            __syncthreads();
            is_last = tid == 0;
            if (is_last)
#pragma unroll 1
                for (int other = 1; other < 8 && other * part_length < all; ++other)
                    sum = cuox_combine(sum, sums[other]);
        }
        if (is_last)
            cuox_store((slice >> cuox_shift) + place_of_one, sum);
    }
}
