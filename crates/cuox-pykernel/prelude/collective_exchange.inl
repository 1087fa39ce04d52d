namespace py {
namespace collective {
// The number of a thread's item among all of the group. HOW: 0 blocked, 1 striped, 2 striped in each warp.
template <class G, int N, int HOW> static __device__ inline int place(int i)
{
    const int rank = G::rank();
    if constexpr (HOW == 0) return rank * N + i;
    else if constexpr (HOW == 1) return i * G::threads + rank;
    else return rank / 32 * (32 * N) + i * 32 + rank % 32;
}
template <class G, int N, int FROM, int TO, class T, class In, class Out>
static __device__ inline void exchange(unsigned char *storage, In in, Out out)
{
    T *shared = (T *)storage;
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) shared[place<G, N, FROM>(i)] = in[i];
    G::sync();
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) out[i] = shared[place<G, N, TO>(i)];
}
// True if an item of the thread's is to go to a place that no item of the group has.
template <class G, int N, class Ranks, class Keeps> static __device__ inline bool outside(Ranks ranks, Keeps keeps)
{
    for (int i = 0; i < N; ++i)
        if (keeps(i) && (uint64)ranks[i] >= G::threads * N) return true;
    return false;
}
// Each item goes to the place that `ranks` says, if `keeps` says so.
template <class G, int N, int TO, class T, class In, class Out, class Ranks, class Keeps>
static __device__ inline void scatter(unsigned char *storage, In in, Out out, Ranks ranks, Keeps keeps)
{
    T *shared = (T *)storage;
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i)
        if (keeps(i)) shared[ranks[i]] = in[i];
    G::sync();
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) out[i] = shared[place<G, N, TO>(i)];
}
// The value of the thread that is `distance` behind; of the own thread where there is none, unless it goes round.
template <class G, bool ROUND, class T> static __device__ inline T shuffled(unsigned char *storage, T value, int64 distance)
{
    constexpr int threads = G::threads;
    T *shared = (T *)storage;
    const int rank = G::rank();
    shared[rank] = value;
    G::sync();
    int64 other = rank + distance;
    if constexpr (ROUND) other = (other % threads + threads) % threads;
    return other >= 0 && other < threads ? shared[other] : value;
}
// All items moved by one place, to later or earlier ones; the first or last stays.
template <class G, int N, bool UP, class T, class In, class Out>
static __device__ inline void moved_by_one(unsigned char *storage, In in, Out out)
{
    T item[N];
    read(item, in);
    T *shared = (T *)storage;
    const int rank = G::rank();
    shared[rank] = item[UP ? N - 1 : 0];
    G::sync();
    if constexpr (UP) {
        const T first = rank == 0 ? item[0] : shared[rank - 1];
#pragma unroll (unrolled(N))
        for (int i = N - 1; i > 0; --i) out[i] = item[i - 1];
        out[0] = first;
    } else {
        const T last = rank == G::threads - 1 ? item[N - 1] : shared[rank + 1];
#pragma unroll (unrolled(N))
        for (int i = 0; i < N - 1; ++i) out[i] = item[i + 1];
        out[N - 1] = last;
    }
}
// HAS: what comes before or behind the group's items is known. Items from `valid` on stay what they are, and the last
// one before has nothing behind it.
template <class G, int N, bool RIGHT, bool HAS, bool ALL, class T, class In, class Out, class Op>
static __device__ inline void adjacent_difference(unsigned char *storage, In in, Out out, Op op, T other, int64 valid)
{
    T item[N];
    read(item, in);
    T *shared = (T *)storage;
    const int rank = G::rank();
    shared[rank] = item[RIGHT ? 0 : N - 1];
    G::sync();
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        const int at = rank * N + i;
        if (!ALL && at >= valid) {
            out[i] = item[i];
        } else if constexpr (RIGHT) {
            const bool is_last = at == G::threads * N - 1;
            if (!ALL && at + 1 == valid) out[i] = item[i];
            else if (is_last) out[i] = HAS ? op(item[i], other) : item[i];
            else out[i] = op(item[i], i + 1 < N ? item[i + 1 < N ? i + 1 : 0] : shared[rank + 1]);
        } else {
            if (at == 0) out[i] = HAS ? op(item[i], other) : item[i];
            else out[i] = op(item[i], i > 0 ? item[i > 0 ? i - 1 : 0] : shared[rank - 1]);
        }
    }
}
// Flags of items that differ from the one before (heads) or behind (tails): `op` tells. The first head and the last tail
// are flagged, unless what comes there is given.
template <class G, int N, bool HEADS, bool TAILS, bool HAS_BEFORE, bool HAS_BEHIND, class T, class F, class In, class Heads, class Tails, class Op>
static __device__ inline void discontinuity(unsigned char *storage, In in, Heads heads, Tails tails, Op op, T before, T behind)
{
    T item[N];
    read(item, in);
    const int rank = G::rank();
    T *last = (T *)storage, *first = (T *)storage + (HEADS ? G::threads : 0);
    if constexpr (HEADS) last[rank] = item[N - 1];
    if constexpr (TAILS) first[rank] = item[0];
    G::sync();
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        if constexpr (HEADS) {
            if (i > 0) heads[i] = F(op(item[i > 0 ? i - 1 : 0], item[i]) ? 1 : 0);
            else if (rank > 0) heads[i] = F(op(last[rank - 1], item[i]) ? 1 : 0);
            else heads[i] = HAS_BEFORE ? F(op(before, item[i]) ? 1 : 0) : F(1);
        }
        if constexpr (TAILS) {
            if (i + 1 < N) tails[i] = F(op(item[i], item[i + 1 < N ? i + 1 : 0]) ? 1 : 0);
            else if (rank + 1 < G::threads) tails[i] = F(op(item[i], first[rank + 1]) ? 1 : 0);
            else tails[i] = HAS_BEHIND ? F(op(item[i], behind) ? 1 : 0) : F(1);
        }
    }
}
}
}
