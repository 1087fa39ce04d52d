namespace py {
namespace collective {
// The values of the keys of a sort, if there are any.
template <class V> struct values_of {
    static constexpr bool exist = true;
    static constexpr int bytes = sizeof(V);
    using type = V;
};
template <> struct values_of<nothing> {
    static constexpr bool exist = false;
    static constexpr int bytes = 0;
    using type = uint8;
};
template <int N, class T, class In, class Out> static __device__ inline void copied(In in, Out out)
{
    T item[N];
    read(item, in);
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) out[i] = item[i];
}
// A stable sort: each thread sorts its own items, then pairs of sorted runs become one, until there is one run. A thread
// finds by bisection where in the two runs its part of the result begins. Keys from `valid` on are taken as `otherwise`.
template <class G, int N, bool ALL, class T, class V, class Items, class Values, class Less, class Other>
static __device__ inline void merge_sort(unsigned char *storage, Items items, Values values, Less less, int64 valid, Other otherwise)
{
    constexpr int total = G::threads * N;
    using of_values = values_of<V>;
    using value_type = typename of_values::type;
    T item[N];
    value_type value[N];
    read(item, items);
    if constexpr (of_values::exist) read(value, values);
    const int own = G::rank() * N;
    if constexpr (!ALL) {
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i)
            if (own + i >= valid) item[i] = otherwise;
    }
#pragma unroll (N <= 32 ? N : 1)
    for (int round = 0; round < N; ++round) {
#pragma unroll (N <= 32 ? N : 1)
        for (int i = round & 1; i < N - 1; i += 2) {
            if (less(item[i + 1], item[i])) {
                T swapped = item[i];
                item[i] = item[i + 1];
                item[i + 1] = swapped;
                if constexpr (of_values::exist) {
                    value_type moved = value[i];
                    value[i] = value[i + 1];
                    value[i + 1] = moved;
                }
            }
        }
    }
    T *shared = (T *)storage;
    for (int run = N; run < total; run *= 2) {
        if (run != N) G::sync();
#pragma unroll (unrolled(N))
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
        int from[N];
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) {
            const bool from_right = right < end && (left >= middle || less(shared[right], shared[left]));
            from[i] = from_right ? right : left;
            item[i] = shared[from[i]];
            if (from_right) ++right;
            else ++left;
        }
        if constexpr (of_values::exist) {
            value_type *shared_values = (value_type *)storage;
            G::sync();
#pragma unroll (unrolled(N))
            for (int i = 0; i < N; ++i) shared_values[own + i] = value[i];
            G::sync();
#pragma unroll (unrolled(N))
            for (int i = 0; i < N; ++i) value[i] = shared_values[from[i]];
        }
    }
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        items[i] = item[i];
        if constexpr (of_values::exist) values[i] = value[i];
    }
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
// The bytes of the keys and of the counters of a radix sort by a block. Both lie apart where that takes little memory;
// otherwise at one place, and more barriers stand between their uses.
template <int THREADS, int KEYS> struct radix_storage {
    static constexpr int keys = (KEYS + 15) / 16 * 16, counters = 32 * THREADS;
    static constexpr bool apart = keys + counters <= 24576;
    static constexpr int sums = apart ? keys + counters : keys > counters ? keys : counters;
};
// True, in all threads of a block, if they do not have a number in common.
template <class G> static __device__ inline bool varies(unsigned char *storage, int value)
{
    return __syncthreads_or(value != broadcast<G>(storage, value));
}
// A stable sort by the bits from `begin` up to `end`, four at a time. Each thread counts its own items in words of two
// digits; the sums of all words before, and for the greater digits of all words, are where its items go. Keys from
// `valid` on come last, and are no longer what they were.
template <class G, int N, int KIND, bool DESCENDING, bool ALL, class T, class V, class Items, class Values>
static __device__ inline void radix_sort(unsigned char *storage, Items items, Values values, int begin, int end, int64 valid)
{
    using order = ordered<KIND, T>;
    using bits = typename order::bits;
    using of_values = values_of<V>;
    using value_type = typename of_values::type;
    constexpr int threads = G::threads;
    constexpr int each = int(sizeof(bits)) > of_values::bytes ? int(sizeof(bits)) : of_values::bytes;
    using places = radix_storage<threads, threads * N * each>;
    bits *shared = (bits *)storage;
    uint32 *count = (uint32 *)(storage + (places::apart ? places::keys : 0));
    const int rank = G::rank();
    bits key[N];
    value_type value[N];
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) key[i] = order::of(items[i]);
    if constexpr (!ALL) {
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i)
            if (rank * N + i >= valid) key[i] = DESCENDING ? bits(0) : bits(~bits(0));
    }
    if constexpr (of_values::exist) read(value, values);
    if (end > 8 * int(sizeof(bits))) end = 8 * int(sizeof(bits));
    for (; begin < end; begin += 4) {
        const uint32 mask = (1u << (end - begin < 4 ? end - begin : 4)) - 1;
#pragma unroll
        for (int word = 0; word < 8; ++word) count[word * threads + rank] = 0;
        uint32 *place[N];
        uint32 half[N], at[N];
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) {
            bits word = order::compared(key[i]);
            if (DESCENDING) word = bits(~word);
            const uint32 digit = uint32(word >> begin) & mask;
            place[i] = count + (digit & 7) * threads + rank;
            half[i] = digit >> 3 << 4;
            const uint32 counted = *place[i];
            at[i] = counted >> half[i] & 0xffff;
            *place[i] = counted + (1u << half[i]);
        }
        G::sync();
        uint4 *mine = (uint4 *)count + 2 * rank;
        // Eight neighbours read from all banks at once if four of them begin with the second half.
        const int half_first = rank >> 2 & 1;
        const uint4 one = mine[half_first], other = mine[1 - half_first];
        const uint4 low = half_first ? other : one, high = half_first ? one : other;
        const uint32 own[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        uint32 sum = 0, first, all, before[8];
#pragma unroll
        for (int word = 0; word < 8; ++word) sum += own[word];
        prefixes<G>(storage + places::sums, sum, first, all, plus{});
        if (rank == 0) first = 0;
        first += all << 16;
#pragma unroll
        for (int word = 0; word < 8; ++word) {
            before[word] = first;
            first += own[word];
        }
        const uint4 first_half = make_uint4(before[0], before[1], before[2], before[3]);
        const uint4 second_half = make_uint4(before[4], before[5], before[6], before[7]);
        mine[half_first] = half_first ? second_half : first_half;
        mine[1 - half_first] = half_first ? first_half : second_half;
        G::sync();
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) at[i] += *place[i] >> half[i] & 0xffff;
        if (!places::apart) G::sync();
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) shared[at[i]] = key[i];
        G::sync();
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) key[i] = shared[rank * N + i];
        if constexpr (of_values::exist) {
            value_type *shared_values = (value_type *)storage;
            G::sync();
#pragma unroll (unrolled(N))
            for (int i = 0; i < N; ++i) shared_values[at[i]] = value[i];
            G::sync();
#pragma unroll (unrolled(N))
            for (int i = 0; i < N; ++i) value[i] = shared_values[rank * N + i];
        }
        if (!places::apart) G::sync();
    }
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        items[i] = order::value(key[i]);
        if constexpr (of_values::exist) values[i] = value[i];
    }
}
// The places that keys have in the order of their bits from BEGIN up to END, and those at which the keys with each
// thread's DIGITS begin.
template <class G, int N, int KIND, bool DESCENDING, int BEGIN, int END, int DIGITS, class T, class Items, class Ranks, class Begins>
static __device__ inline void radix_rank(unsigned char *storage, Items items, Ranks ranks, Begins begins)
{
    T key[N];
    uint32 from[N];
    read(key, items);
    const int own = G::rank() * N;
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) from[i] = uint32(own + i);
    radix_sort<G, N, KIND, DESCENDING, true, T, uint32>(storage, key, from, BEGIN, END, 0);
    uint32 *shared = (uint32 *)storage;
    G::sync();
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) shared[from[i]] = uint32(own + i);
    G::sync();
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) ranks[i] = int32(shared[own + i]);
    if constexpr (DIGITS > 0) {
        constexpr uint32 digits = 1u << (END - BEGIN);
        G::sync();
#pragma unroll
        for (int i = 0; i < N; ++i) shared[own + i] = uint32(ordered<KIND, T>::of(key[i]) >> BEGIN) & (digits - 1);
        G::sync();
#pragma unroll
        for (int i = 0; i < DIGITS; ++i) {
            const uint32 digit = uint32(G::rank() * DIGITS + i);
            int low = 0, high = digit < digits ? G::threads * N : 0;
            while (low < high) {
                const int half = (low + high) / 2;
                if (DESCENDING ? shared[half] > digit : shared[half] < digit) low = half + 1;
                else high = half;
            }
            if (digit < digits) begins[i] = int32(low);
        }
    }
}
}
}
