namespace py {
namespace collective {
// A stable sort: each thread sorts its own items, then pairs of sorted runs become one, until there is one run. A thread
// finds by bisection where in the two runs its part of the result begins.
template <class G, int N, class T, class Items, class Less>
static __device__ inline void merge_sort(unsigned char *storage, Items items, Less less)
{
    constexpr int total = G::threads * N;
    T item[N];
    read(item, items);
#pragma unroll
    for (int round = 0; round < N; ++round) {
#pragma unroll
        for (int i = round & 1; i < N - 1; i += 2) {
            if (less(item[i + 1], item[i])) {
                T swapped = item[i];
                item[i] = item[i + 1];
                item[i + 1] = swapped;
            }
        }
    }
    T *shared = (T *)storage;
    const int own = G::rank() * N;
    for (int run = N; run < total; run *= 2) {
        if (run != N) G::sync();
#pragma unroll
        for (int i = 0; i < N; ++i) shared[own + i] = item[i];
        G::sync();
        const int begin = own / (2 * run) * (2 * run);
        const int middle = begin + run < total ? begin + run : total;
        const int end = middle + run < total ? middle + run : total;
        const int before = own - begin;
        int low = before - (end - middle) > 0 ? before - (end - middle) : 0;
        int high = before < middle - begin ? before : middle - begin;
        while (low < high) {
            const int half = (low + high) / 2;
            if (less(shared[middle + before - 1 - half], shared[begin + half])) high = half;
            else low = half + 1;
        }
        int left = begin + low, right = middle + before - low;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const bool from_right = right < end && (left >= middle || less(shared[right], shared[left]));
            item[i] = shared[from_right ? right : left];
            if (from_right) ++right;
            else ++left;
        }
    }
#pragma unroll
    for (int i = 0; i < N; ++i) items[i] = item[i];
}

template <int BYTES> struct word;
template <> struct word<1> { using type = uint8; };
template <> struct word<2> { using type = uint16; };
template <> struct word<4> { using type = uint32; };
template <> struct word<8> { using type = uint64; };
// The bits of a number such that greater numbers have greater ones. KIND: 0 unsigned, 1 signed, 2 a float.
template <int KIND, class T> struct ordered {
    using bits = typename word<sizeof(T)>::type;
    static constexpr bits top = bits(bits(1) << (8 * sizeof(T) - 1));
    union both { T value; bits word; };
    static __device__ inline bits of(T value)
    {
        both all = {};
        all.value = value;
        if (KIND == 0) return all.word;
        if (KIND == 1) return bits(all.word ^ top);
        return all.word & top ? bits(~all.word) : bits(all.word | top);
    }
    static __device__ inline T value(bits word)
    {
        both all = {};
        all.word = KIND == 0 ? word : KIND == 1 || (word & top) ? bits(word ^ top) : bits(~word);
        return all.value;
    }
    // 0.0 and -0.0 are equal.
    static __device__ inline bits compared(bits word) { return KIND == 2 && word == bits(top - 1) ? top : word; }
};
// A stable sort by the bits from `begin` up to `end`, five at a time. Items are counted in the order of their places: a
// warp's lie together, and in one step its lanes have neighbouring ones.
template <class G, int N, int KIND, bool DESCENDING, class T, class Items>
static __device__ inline void radix_sort(unsigned char *storage, Items items, int begin, int end)
{
    using order = ordered<KIND, T>;
    using bits = typename order::bits;
    constexpr int threads = G::threads, warps = G::warps, counters = 32 * warps;
    constexpr int each = (counters + threads - 1) / threads;
    bits *shared = (bits *)storage;
    int32 *count = (int32 *)(storage + (threads * N * int(sizeof(bits)) + 15) / 16 * 16);
    unsigned char *sums = (unsigned char *)(count + counters);
    const int rank = G::rank(), lane = rank % 32, warp = rank / 32;
    const uint32 lanes = G::lanes();
    const int width = threads - warp * 32 < 32 ? threads - warp * 32 : 32;
    bits key[N];
#pragma unroll
    for (int i = 0; i < N; ++i) shared[rank * N + i] = order::of(items[i]);
    G::sync();
    if (end > 8 * int(sizeof(bits))) end = 8 * int(sizeof(bits));
    for (; begin < end; begin += 5) {
        const uint32 mask = (1u << (end - begin < 5 ? end - begin : 5)) - 1;
#pragma unroll
        for (int i = 0; i < N; ++i) key[i] = shared[warp * 32 * N + i * width + lane];
        for (int i = rank; i < counters; i += threads) count[i] = 0;
        G::sync();
        int32 *place[N];
        int32 before[N];
#pragma unroll
        for (int i = 0; i < N; ++i) {
            bits word = order::compared(key[i]);
            if (DESCENDING) word = bits(~word);
            const uint32 digit = uint32(word >> begin) & mask;
            uint32 peers = lanes;
#pragma unroll
            for (int bit = 0; bit < 5; ++bit) {
                const bool is_set = digit >> bit & 1;
                const uint32 votes = __ballot_sync(lanes, is_set);
                peers &= is_set ? votes : ~votes;
            }
            place[i] = count + digit * warps + warp;
            const int32 counted = *place[i];
            const int32 earlier = __popc(peers & ((1u << lane) - 1));
            before[i] = counted + earlier;
            __syncwarp(lanes);
            if (earlier == 0) *place[i] = counted + __popc(peers);
            __syncwarp(lanes);
        }
        G::sync();
        int32 own[each], sum = 0, first, all;
#pragma unroll
        for (int i = 0; i < each; ++i) {
            own[i] = rank * each + i < counters ? count[rank * each + i] : 0;
            sum += own[i];
        }
        prefixes<G>(sums, sum, first, all, plus{});
        if (rank == 0) first = 0;
#pragma unroll
        for (int i = 0; i < each; ++i) {
            if (rank * each + i < counters) count[rank * each + i] = first;
            first += own[i];
        }
        G::sync();
#pragma unroll
        for (int i = 0; i < N; ++i) shared[*place[i] + before[i]] = key[i];
        G::sync();
    }
#pragma unroll
    for (int i = 0; i < N; ++i) items[i] = order::value(shared[rank * N + i]);
}
}
}
