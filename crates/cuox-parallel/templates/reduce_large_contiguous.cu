        // All elements of all vectors, one behind the other: a thread takes neighbours.
        {
            constexpr int width = /*@width*/;
            constexpr cuox_index step = (cuox_index)cuox_threads * width;
#pragma unroll 1
            for (cuox_index start = split * step; start < cuox_p.length; start += cuox_p.splits * step)
#pragma unroll 1
                for (int j = 0; j < width; ++j) {
                    const cuox_index i = start + (cuox_index)thread * width + j;
                    if (i < cuox_p.length)
                        cuox_take(cuox_map(i/*@elements*/));
                }
        }
