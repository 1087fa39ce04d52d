// For large results, which stay in shared memory. The operator stands in two places: a compiler needs more than twice as
// long for twice as many, and seconds for one of a structure of 1000 bytes in registers.
extern "C" __global__ void __launch_bounds__(cuox_threads) /*@name*/(/*@parameters*/const __grid_constant__ cuox_plan cuox_p) {
    /*@aliases*/
    auto cuox_neutral = [&]() -> cuox_out {
        cuox_out value = /*@neutral*/;
        return value;
    };
    auto cuox_reduce = [&](const cuox_out &cuox_left, const cuox_out &cuox_right) -> cuox_out {
        // A result that is one of two operands in different memories, shared and global, would be copied field by field.
        const cuox_out *cuox_at_left = &cuox_left, *cuox_at_right = &cuox_right;
        asm("" : "+l"(cuox_at_left), "+l"(cuox_at_right));
        const cuox_out &cuox_a = *cuox_at_left, &cuox_b = *cuox_at_right;
        cuox_out a = cuox_a, b = cuox_b;
        (void)a, (void)b;
        return (/*@reduce_expr*/);
    };
    // An element that is in memory is not copied.
    auto cuox_map = [&](cuox_index i/*@map_parameters*/) -> decltype(auto) {
        return (/*@map_expr*/);
    };
    alignas(16) alignas(alignof(cuox_out)) __shared__ unsigned char cuox_raw[cuox_threads * sizeof(cuox_out)];
    // True for threads that have a sum: those without elements have none.
    __shared__ bool cuox_given[cuox_threads];
    __shared__ bool cuox_last;

    const int thread = threadIdx.x;
    const int lane = cuox_lanes == 1 ? 0 : cuox_height == 1 ? thread : cuox_along_outputs ? thread % cuox_lanes : thread / cuox_height;
    const int row = cuox_lanes == 1 ? thread : cuox_height == 1 ? 0 : cuox_along_outputs ? thread / cuox_lanes : thread % cuox_height;
    const int place = row * cuox_lanes + lane;
    cuox_out *const own = (cuox_out *)cuox_raw + place;

    const cuox_index work = cuox_p.tiles * cuox_p.splits;
#pragma unroll 1
    for (cuox_index block = blockIdx.x; block < work; block += gridDim.x) {
        const cuox_index tile = cuox_p.splits == 1 ? block : block / cuox_p.splits;
        const cuox_index split = block - tile * cuox_p.splits;
        // The last tile begins earlier if it were not full, so that no branch parts its threads: some results are computed twice, to the same bits.
        const cuox_index most = cuox_p.outputs - cuox_lanes;
        const cuox_index output = (tile * cuox_lanes < most ? tile * cuox_lanes : most) + lane;
        bool has_sum = false;
        auto cuox_take = [&](const cuox_out &element) {
            if (has_sum) {
                *own = cuox_reduce(*own, element);
            } else {
                *own = element;
                // Else the compiler makes one copy of all these, field by field.
                asm volatile("" ::: "memory");
            }
            has_sum = true;
        };
/*@body*/
        bool writes = true;
        cuox_out *const partial = cuox_p.partial + tile * cuox_p.splits * cuox_lanes + lane;
        // First the block's sum by a tree of sixteen branches, then that of all blocks, whose partial results the rows take in turn before.
        bool takes_partial = false, is_last_round = cuox_p.splits == 1;
        int from = cuox_height;
        cuox_given[place] = has_sum;
        __syncthreads();
#pragma unroll 1
        for (;;) {
            if (from > 1 || takes_partial) {
                const int to = from > 16 ? from / 16 : 1;
                const cuox_out *next = takes_partial ? partial + row * cuox_lanes : own + to * cuox_lanes;
                // Partial results are there, as is this thread's own.
                const bool *given = cuox_given + place + (takes_partial ? 0 : to * cuox_lanes);
                const int step = takes_partial ? cuox_height : to, end = takes_partial ? (int)cuox_p.splits : row < to ? from : 0;
                const int flags = takes_partial ? 0 : step * cuox_lanes;
#pragma unroll 1
                for (int other = takes_partial ? row : to; other < end; other += step) {
                    if (*given) {
                        if (has_sum) {
                            *own = cuox_reduce(*own, *next);
                        } else {
                            *own = *next;
                            asm volatile("" ::: "memory");
                        }
                        has_sum = true;
                    }
                    next += step * cuox_lanes;
                    given += flags;
                }
                // Others read the flags of those that had nothing to do.
                if (takes_partial || row < to)
                    cuox_given[place] = has_sum;
                from = takes_partial ? cuox_height : to;
                takes_partial = false;
                __syncthreads();
                continue;
            }
            if (is_last_round)
                break;
            is_last_round = true;
            if (row == 0)
                partial[split * cuox_lanes] = *own;
            __threadfence();
            __syncthreads();
            // The counter goes back to 0 with the last arrival.
            if (thread == 0)
                cuox_last = atomicInc(cuox_p.arrived + tile, (unsigned int)cuox_p.splits - 1) == cuox_p.splits - 1;
            __syncthreads();
            writes = cuox_last;
            if (!writes)
                break;
            __threadfence();
            takes_partial = true;
            cuox_given[place] = true;
            has_sum = false;
        }
        if (writes && row == 0) {
            cuox_index offset[cuox_strided] = {};
            cuox_locate<cuox_kept_dims, cuox_dense && cuox_along_outputs>(output, cuox_p.kept_shape, cuox_p.kept_stride, offset);
            cuox_out &out = *(cuox_out *)((char *)cuox_p.out + offset[cuox_strided - 1]);
            (void)out;
            if (/*@has_neutral*/ && !has_sum)
                *own = cuox_neutral();
            cuox_out &sum = *own;
            /*@store*/;
        }
        __syncthreads();
    }
}
