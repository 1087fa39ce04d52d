// Results are in registers while they are combined.
extern "C" __global__ void __launch_bounds__(cuox_threads) /*@name*/(/*@parameters*/const __grid_constant__ cuox_plan cuox_p) {
    /*@aliases*/
    auto cuox_neutral = [&]() -> cuox_out {
        cuox_out value = /*@neutral*/;
        return value;
    };
    auto cuox_reduce = [&](cuox_out a, cuox_out b) -> cuox_out {
        return (/*@reduce_expr*/);
    };
    auto cuox_map = [&](cuox_index i/*@map_parameters*/) -> cuox_out {
        return (/*@map_expr*/);
    };
    alignas(alignof(cuox_out)) __shared__ unsigned char cuox_raw[cuox_threads * sizeof(cuox_out)];
    __shared__ bool cuox_last;
    cuox_out *const cuox_shared = (cuox_out *)cuox_raw;

    const int thread = threadIdx.x;
    const int lane = cuox_lanes == 1 ? 0 : cuox_height == 1 ? thread : cuox_along_outputs ? thread % cuox_lanes : thread / cuox_height;
    const int row = cuox_lanes == 1 ? thread : cuox_height == 1 ? 0 : cuox_along_outputs ? thread / cuox_lanes : thread % cuox_height;

    // The results of all rows, combined by a tree of sixteen branches: in the threads of row 0.
    auto cuox_combine = [&](cuox_out value) -> cuox_out {
        cuox_out *const own = cuox_shared + row * cuox_lanes + lane;
#pragma unroll(cuox_tree_unroll)
        for (int from = cuox_height; from > 1; from /= 16) {
            const int to = from > 16 ? from / 16 : 1;
            if (row >= to && row < from)
                *own = value;
            __syncthreads();
            if (row < to) {
#pragma unroll(cuox_tree_unroll)
                for (int other = to; other < from; other += to)
                    value = cuox_reduce(value, own[other * cuox_lanes]);
            }
        }
        return value;
    };

    const cuox_index work = cuox_p.tiles * cuox_p.splits;
#pragma unroll 1
    for (cuox_index block = blockIdx.x; block < work; block += gridDim.x) {
        const cuox_index tile = cuox_p.splits == 1 ? block : block / cuox_p.splits;
        const cuox_index split = block - tile * cuox_p.splits;
        // The last tile begins earlier if it were not full, so that no branch parts its threads: some results are computed twice, to the same bits.
        const cuox_index most = cuox_p.outputs - cuox_lanes;
        const cuox_index output = (tile * cuox_lanes < most ? tile * cuox_lanes : most) + lane;
        cuox_out sums[cuox_unroll] = {/*@neutrals*/};
/*@body*/
#pragma unroll
        for (int step = 1; step < cuox_unroll; step *= 2)
#pragma unroll
            for (int u = 0; u + step < cuox_unroll; u += 2 * step)
                sums[u] = cuox_reduce(sums[u], sums[u + step]);
        cuox_out sum = sums[0];
        bool writes = true;
        // First the block's sum, then that of all blocks: one loop, as each copy of the tree costs compile time.
#pragma unroll 1
        for (bool is_last_round = cuox_p.splits == 1;; is_last_round = true) {
            sum = cuox_combine(sum);
            if (is_last_round)
                break;
            cuox_out *const partial = cuox_p.partial + tile * cuox_p.splits * cuox_lanes + lane;
            if (row == 0)
                partial[split * cuox_lanes] = sum;
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
            sum = cuox_neutral();
#pragma unroll 1
            for (cuox_index s = row; s < cuox_p.splits; s += cuox_height)
                sum = cuox_reduce(sum, partial[s * cuox_lanes]);
        }
        if (writes && row == 0) {
            cuox_index offset[cuox_strided] = {};
            cuox_locate<cuox_kept_dims, cuox_dense && cuox_along_outputs>(output, cuox_p.kept_shape, cuox_p.kept_stride, offset);
            cuox_out &out = *(cuox_out *)((char *)cuox_p.out + offset[cuox_strided - 1]);
            (void)out;
            /*@store*/;
        }
        __syncthreads();
    }
}
