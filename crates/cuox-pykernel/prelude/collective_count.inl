namespace py {
namespace collective {
// Counts items by their values in shared memory. Values that are no bin are not counted.
template <class G, int BINS, class C> static __device__ inline void clear_bins(C *bins)
{
    for (int bin = G::rank(); bin < BINS; bin += G::threads) bins[bin] = C(0);
}
template <int N, int BINS, class T, class C, class In> static __device__ inline void count_items(C *bins, In in)
{
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        const T bin = in[i];
        if (bin >= T(0) && uint64(bin) < uint64(BINS)) {
            if constexpr (sizeof(C) == 8 && C(0.5) == C(0)) atomicAdd((unsigned long long *)&bins[bin], 1ull);
            else atomicAdd(&bins[bin], C(1));
        }
    }
}
template <class G, int N, int BINS, class T, class C, class Bins, class In>
static __device__ inline void histogram(Bins bins, In in, bool clears, bool counts)
{
    C *shared = &bins[0];
    if (clears) clear_bins<G, BINS>(shared);
    if (clears && counts) G::sync();
    if (counts) count_items<N, BINS, T>(shared, in);
}
// The same with bins in the storage; each thread gets its share of them, striped, and 0 for bins that there are not.
template <class G, int N, int BINS, int EACH, class T, class C, class In, class Out>
static __device__ inline void histogram_of_threads(unsigned char *storage, In in, Out out)
{
    C *bins = (C *)storage;
    clear_bins<G, BINS>(bins);
    G::sync();
    count_items<N, BINS, T>(bins, in);
    G::sync();
#pragma unroll (unrolled(EACH))
    for (int i = 0; i < EACH; ++i) {
        const int bin = i * G::threads + G::rank();
        out[i] = bin < BINS ? bins[bin] : C(0);
    }
}
// Lengths that are negative, or more than can be counted, are not checked.
struct unchecked {
    __device__ inline void operator()(bool) const {}
};
// Runs with their lengths become items. The table of runs: where each begins, and its value.
template <class G, int RUNS, class T, class O> struct runs {
    static constexpr int count = G::threads * RUNS;
    static constexpr int values = (G::warps + 1) * int(sizeof(O));
    static constexpr int value_place = (values + int(sizeof(O)) * count + 15) / 16 * 16;
    O *begin;
    T *value;
    O total;
    template <class Values, class Lengths, class Wrong>
    __device__ inline runs(unsigned char *storage, Values given, Lengths lengths, Wrong wrong)
        : begin((O *)(storage + values)), value((T *)(storage + value_place))
    {
        O length[RUNS], sum = 0, before;
        const int first = G::rank() * RUNS;
#pragma unroll (unrolled(RUNS))
        for (int i = 0; i < RUNS; ++i) {
            // A negative length is none.
            length[i] = lengths[i] > 0 ? O(lengths[i]) : O(0);
            sum += length[i];
            wrong(lengths[i] < 0 || uint64(lengths[i]) > uint64(O(~O(0))) || sum < length[i]);
        }
        prefixes<G>(storage, sum, before, total, plus{});
        if (G::rank() == 0) before = 0;
        wrong(O(before + sum) < before);
#pragma unroll (unrolled(RUNS))
        for (int i = 0; i < RUNS; ++i) {
            begin[first + i] = before;
            value[first + i] = given[i];
            before += length[i];
        }
        G::sync();
    }
    // The run that an item is of: the last one that begins at it or before.
    __device__ inline int of(O item) const
    {
        int low = 0, high = count;
        while (low < high) {
            const int half = (low + high) / 2;
            if (begin[half] <= item) low = half + 1;
            else high = half;
        }
        return low - 1;
    }
};
template <class G, int RUNS, int N, bool OFFSETS, class T, class O, class Values, class Lengths, class Out, class Relative, class Wrong>
static __device__ inline O run_length_decode(unsigned char *storage, Values values, Lengths lengths, Out out, uint64 window, Relative relative, Wrong wrong)
{
    const runs<G, RUNS, T, O> table(storage, values, lengths, wrong);
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        // In 64 bits: a window may begin behind all items that 32 bits can count.
        const uint64 place = window + uint64(G::rank() * N + i);
        const bool is_there = place < table.total && place >= window;
        const O item = O(place);
        const int run = is_there ? table.of(item) : 0;
        out[i] = is_there ? table.value[run] : T();
        if constexpr (OFFSETS) relative[i] = is_there ? O(item - table.begin[run]) : O(~O(0));
    }
    return table.total;
}
// All items, as far as there are places for them.
template <class G, int RUNS, bool OFFSETS, class T, class O, class Values, class Lengths, class Out, class Relative, class Wrong>
static __device__ inline O run_length_decode_into(unsigned char *storage, Values values, Lengths lengths, Out out, Relative relative, int64 places, Wrong wrong)
{
    const runs<G, RUNS, T, O> table(storage, values, lengths, wrong);
    for (O item = O(G::rank()); item < table.total && int64(item) < places; item += O(G::threads)) {
        const int run = table.of(item);
        out[int64(item)] = table.value[run];
        if constexpr (OFFSETS) relative[int64(item)] = O(item - table.begin[run]);
    }
    return table.total;
}
}
}
