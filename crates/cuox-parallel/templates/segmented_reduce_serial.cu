// The same for the software GPU, which has no use for rows in shared memory: its neighbours go through short segments of their own at once, and each warp takes the
// others. 2^20 items in segments of 1024 take it half as long as by a thread each.
constexpr int each = 32, chunk = 32 * each;
__shared__ long long begins[cuox_most], ends[cuox_most];
#pragma unroll 1
for (long long slice = cta_start; slice < n; slice += total_threads) {
    const int place_of_warp = warp * of_warp, own_place = place_of_warp + lane;
    const long long segment = (slice >> cuox_shift) + own_place;
    bool is_other = false;
    if (lane < of_warp && own_place < of_block && segment << cuox_shift < n) {
        const long long begin = cuox_begin(segment), end = cuox_end(segment);
        is_other = end - begin > 128;
        if (is_other) {
            begins[own_place] = begin;
            ends[own_place] = end;
        } else {
            cuox_item sum = /*@first_expr*/;
            const int length = end > begin ? (int)(end - begin) : 0;
#pragma unroll 1
            for (int k = 0; k < length; ++k)
                sum = cuox_combine(sum, cuox_load(begin + k));
            cuox_store(segment, sum);
        }
    }
    __syncwarp();
#pragma unroll 1
    for (unsigned int others = __ballot_sync(0xffffffffu, is_other); others != 0; others &= others - 1) {
        const int place = place_of_warp + __ffs((int)others) - 1;
        const long long end = ends[place];
        cuox_item sum = /*@first_expr*/, part = sum;
        if constexpr (sizeof(cuox_item) > 128)
            asm volatile("" ::"l"(&sum) : "memory");
#pragma unroll 1
        for (long long start = begins[place]; start < end; start += chunk) {
            const int here = end - start < chunk ? (int)(end - start) : chunk, behind = here - lane * each, mine = behind < each ? behind : each;
            const long long own = start + lane * each;
            if (mine > 0) {
                part = cuox_load(own);
#pragma unroll 1
                for (int k = 1; k < mine; ++k)
                    part = cuox_combine(part, cuox_load(own + k));
            }
#pragma unroll 1
            for (int distance = 1; distance < 32; distance *= 2) {
                const cuox_item right = cuox_from_right(part, distance);
                if ((lane + distance) * each < here && lane + distance < 32)
                    part = cuox_combine(part, right);
            }
            if (lane == 0)
                sum = cuox_combine(sum, part);
        }
        if (lane == 0)
            cuox_store((slice >> cuox_shift) + place, sum);
    }
    __syncwarp();
}
