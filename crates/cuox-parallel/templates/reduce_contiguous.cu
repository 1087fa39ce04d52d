        // All elements of all vectors, one behind the other: a thread takes neighbours, whether they can be loaded at once or not.
        {
            constexpr int width = /*@width*/;
            constexpr cuox_index step = (cuox_index)cuox_threads * width * cuox_unroll;
            constexpr bool aligned = /*@aligned*/;
            cuox_index start = split * step;
#pragma unroll 1
            for (; start + step <= cuox_p.length; start += cuox_p.splits * step) {
                const cuox_index first = start + (cuox_index)thread * width;
                /*@packs*/
#pragma unroll
                for (int u = 0; u < cuox_unroll; ++u) {
                    const cuox_index at = first + u * (cuox_threads * width);
                    /*@loads*/
                }
#pragma unroll
                for (int u = 0; u < cuox_unroll; ++u)
#pragma unroll
                    for (int j = 0; j < width; ++j) {
                        const cuox_index i = first + u * (cuox_threads * width) + j;
                        sums[u] = cuox_reduce(sums[u], cuox_map(i/*@picks*/));
                    }
            }
            if (start < cuox_p.length) {
#pragma unroll 1
                for (int j = 0; j < width; ++j)
#pragma unroll
                    for (int u = 0; u < cuox_unroll; ++u) {
                        const cuox_index i = start + (cuox_index)(thread + u * cuox_threads) * width + j;
                        if (i < cuox_p.length)
                            sums[u] = cuox_reduce(sums[u], cuox_map(i/*@elements*/));
                    }
            }
        }
