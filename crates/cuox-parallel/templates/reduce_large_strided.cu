        // Elements of any strides; the threads of an output take neighbours.
        {
            const cuox_index begin = split * cuox_p.chunk;
            const cuox_index end = begin + cuox_p.chunk < cuox_p.length ? begin + cuox_p.chunk : cuox_p.length;
#pragma unroll 1
            for (cuox_index position = begin + row; position < end; position += cuox_height) {
                cuox_index offset[cuox_strided] = {};
                cuox_locate<cuox_kept_dims, cuox_dense && cuox_along_outputs>(output, cuox_p.kept_shape, cuox_p.kept_stride, offset);
                cuox_locate<cuox_reduced_dims, cuox_dense && !cuox_along_outputs>(position, cuox_p.reduced_shape, cuox_p.reduced_stride, offset);
                const cuox_index i = cuox_p.index_start + offset[cuox_strided - 2];
                cuox_take(cuox_map(i/*@elements*/));
            }
        }
