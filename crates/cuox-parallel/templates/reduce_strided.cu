        // Elements of any strides; the threads of an output take neighbours.
        {
            cuox_index base[cuox_strided] = {};
            cuox_locate<cuox_kept_dims, cuox_dense && cuox_along_outputs>(output, cuox_p.kept_shape, cuox_p.kept_stride, base);
            auto take = [&](cuox_index position, cuox_out &sum) {
                cuox_index offset[cuox_strided];
#pragma unroll
                for (int v = 0; v < cuox_strided; ++v)
                    offset[v] = base[v];
                cuox_locate<cuox_reduced_dims, cuox_dense && !cuox_along_outputs>(position, cuox_p.reduced_shape, cuox_p.reduced_stride, offset);
                const cuox_index i = cuox_p.index_start + offset[cuox_strided - 2];
                sum = cuox_reduce(sum, cuox_map(i/*@elements*/));
            };
            const cuox_index begin = split * cuox_p.chunk;
            const cuox_index end = begin + cuox_p.chunk < cuox_p.length ? begin + cuox_p.chunk : cuox_p.length;
            constexpr cuox_index step = cuox_height * cuox_unroll;
            cuox_index start = begin;
            for (; start + step <= end; start += step)
#pragma unroll
                for (int u = 0; u < cuox_unroll; ++u)
                    take(start + u * cuox_height + row, sums[u]);
#pragma unroll
            for (int u = 0; u < cuox_unroll; ++u)
                if (start + u * cuox_height + row < end)
                    take(start + u * cuox_height + row, sums[u]);
        }
