// The radix sort for the software GPU: a thread goes through keys of its own, with counters of its own, and neighbours do so at once; nothing is exchanged
// between them but sums. Loops are not unrolled: that gains nothing there, and each instruction costs the first call a tenth of a millisecond.

// The counters of a digit lie side by side.
constexpr int cuox_columns = cuox_digits * cuox_threads;

#if !/*@moves*/
extern "C" __global__ void __launch_bounds__(cuox_threads) radix_count(const __grid_constant__ cuox_plan p) {
    __shared__ unsigned int counts[cuox_columns];
    __shared__ bool is_last;
    const int thread = threadIdx.x;
    const cuox_index step = (cuox_index)gridDim.x * cuox_threads;
    const cuox_index share = (p.length + step - 1) / step, begin = share * ((cuox_index)blockIdx.x * cuox_threads + thread);
    const int own = begin >= p.length ? 0 : (int)(begin + share < p.length ? share : p.length - begin);
#pragma unroll 1
    for (int place = 0; place < p.places; ++place) {
        const cuox_window window = cuox_window_of(p, place);
#pragma unroll 1
        for (int digit = 0; digit < cuox_digits; ++digit)
            counts[digit * cuox_threads + thread] = 0;
#pragma unroll 1
        for (int k = 0; k < own; ++k)
            ++counts[cuox_digit(window, cuox_ordered(p, p.from[begin + k])) * cuox_threads + thread];
        __syncthreads();
#pragma unroll 1
        for (int digit = thread; digit < cuox_digits; digit += cuox_threads) {
            cuox_count sum = 0;
#pragma unroll 1
            for (int other = 0; other < cuox_threads; ++other)
                sum += counts[digit * cuox_threads + other];
            atomicAdd(&p.bins[place * cuox_digits + digit], sum);
        }
        __syncthreads();
    }
    __threadfence();
    __syncthreads();
    if (thread == 0)
        is_last = atomicAdd(&p.counters[0], 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last || thread != 0)
        return;
    __threadfence();
#pragma unroll 1
    for (int place = 0; place < p.places; ++place) {
        cuox_count *const bins = p.bins + place * cuox_digits;
        cuox_count sum = 0;
#pragma unroll 1
        for (int digit = 0; digit < cuox_digits; ++digit) {
            const cuox_count own = *(volatile cuox_count *)&bins[digit];
            bins[digit] = sum;
            sum += own;
        }
    }
}

#else
extern "C" __global__ void __launch_bounds__(cuox_threads) radix_move(const __grid_constant__ cuox_plan p) {
    __shared__ cuox_state sums[cuox_digits];
    // Of each thread's next key of a digit: first how many there are, then the place.
    __shared__ cuox_state columns[cuox_columns];
    __shared__ unsigned int ticket;
    const int thread = threadIdx.x, place = (int)p.place;
    if (thread == 0)
        ticket = atomicAdd(&p.counters[1 + place], 1u);
    __syncthreads();
    const cuox_window window = cuox_window_of(p, place);
    const cuox_index tile = ticket, base = tile * cuox_tile, begin = base + thread * cuox_each;
    const int own = p.length - begin < 0 ? 0 : p.length - begin < cuox_each ? (int)(p.length - begin) : cuox_each;
    cuox_state *const states = p.states + place * p.tiles * cuox_digits;
#pragma unroll 1
    for (int digit = 0; digit < cuox_digits; ++digit)
        columns[digit * cuox_threads + thread] = 0;
#pragma unroll 1
    for (int k = 0; k < own; ++k)
        ++columns[cuox_digit(window, cuox_ordered(p, p.from[begin + k])) * cuox_threads + thread];
    __syncthreads();
#pragma unroll 1
    for (int digit = thread; digit < cuox_digits; digit += cuox_threads) {
        cuox_state sum = 0;
#pragma unroll 1
        for (int other = 0; other < cuox_threads; ++other)
            sum += columns[digit * cuox_threads + other];
        sums[digit] = sum;
        cuox_tell(states + tile * cuox_digits + digit, (tile == 0 ? cuox_all : cuox_own) | sum);
    }
#pragma unroll 1
    for (int digit = thread; digit < cuox_digits; digit += cuox_threads) {
        cuox_state to = (cuox_state)p.bins[place * cuox_digits + digit] + cuox_look_back(states, tile, digit, sums[digit]);
#pragma unroll 1
        for (int other = 0; other < cuox_threads; ++other) {
            const cuox_state count = columns[digit * cuox_threads + other];
            columns[digit * cuox_threads + other] = to;
            to += count;
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < own; ++k) {
        const cuox_key key = p.from[begin + k];
        const cuox_index to = columns[cuox_digit(window, cuox_ordered(p, key)) * cuox_threads + thread]++;
        p.to[to] = key;
        if (cuox_has_values)
            p.to_values[to] = p.from_values[begin + k];
    }
}
#endif
