// Operations of all threads of a block or warp together.
namespace py {
namespace collective {
// The items of a thread, with gaps between them.
template <class T> struct strided {
    char *data;
    int64 stride;
    __device__ inline T &operator[](int64 i) const { return *(T *)(data + i * stride); }
};
template <class T> static __device__ inline T *behind(T *items, int64 count) { return items + count; }
template <class T> static __device__ inline strided<T> behind(strided<T> items, int64 count) { return {items.data + count * items.stride, items.stride}; }
// The turns of a loop over a thread's items that stand side by side: all of them as long as the items may lie in
// registers. The time of compilation grows with the square of more.
static __device__ constexpr int unrolled(int items) { return items <= 64 ? items : 4; }
// Items of a thread's own.
template <int BYTES, int ALIGN> struct items { alignas(ALIGN) unsigned char bytes[BYTES]; };
struct plus { template <class T> __device__ inline T operator()(T a, T b) const { return T(a + b); } };
struct multiplies { template <class T> __device__ inline T operator()(T a, T b) const { return T(a * b); } };
// A NaN wins, as with NumPy, wherever it stands.
struct minimum { template <class T> __device__ inline T operator()(T a, T b) const { return b < a || b != b ? b : a; } };
struct maximum { template <class T> __device__ inline T operator()(T a, T b) const { return a < b || b != b ? b : a; } };
struct bit_and { template <class T> __device__ inline T operator()(T a, T b) const { return T(a & b); } };
struct bit_or { template <class T> __device__ inline T operator()(T a, T b) const { return T(a | b); } };
struct bit_xor { template <class T> __device__ inline T operator()(T a, T b) const { return T(a ^ b); } };
// NaNs are the greatest: an order that did not have them would lose items of a sort.
struct less { template <class T> __device__ inline bool operator()(T a, T b) const { return a < b || (b != b && a == a); } };
struct greater { template <class T> __device__ inline bool operator()(T a, T b) const { return less{}(b, a); } };
struct minus { template <class T> __device__ inline T operator()(T a, T b) const { return T(a - b); } };
struct differs { template <class T> __device__ inline bool operator()(T a, T b) const { return a != b; } };
struct nothing {};

// The threads of a block of this shape. `lanes`: those of the thread's warp.
template <int X, int Y, int Z> struct block {
    static constexpr int threads = X * Y * Z;
    static constexpr int warps = (threads + 31) / 32;
    static __device__ inline int rank() { return int((Z == 1 ? 0 : threadIdx.z * (X * Y)) + (Y == 1 ? 0 : threadIdx.y * X) + threadIdx.x); }
    static __device__ inline void sync() { __syncthreads(); }
    static __device__ inline bool all_are_here() { return __syncthreads_count(1) == threads; }
    static __device__ inline uint32 lanes()
    {
        if constexpr (threads % 32 == 0) return 0xffffffffu;
        else return rank() / 32 == warps - 1 ? (1u << threads % 32) - 1 : 0xffffffffu;
    }
};
static __device__ inline int lane()
{
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
// Neighbouring threads of a warp.
template <int N> struct warp {
    static constexpr int threads = N;
    static constexpr int warps = 1;
    static __device__ inline int rank() { return lane() % N; }
    static __device__ inline void sync() { __syncwarp(lanes()); }
    static __device__ inline bool all_are_here() { return __ballot_sync(lanes(), 1) == lanes(); }
    static __device__ inline uint32 lanes()
    {
        if constexpr (N == 32) return 0xffffffffu;
        else return ((1u << N) - 1) << lane() / N * N;
    }
    // The number of the group in its warp, and of the warp in its block.
    static __device__ inline int number() { return lane() / N; }
    // The number of the group in its block, where all warps are whole.
    static __device__ inline int block_number() { return warp_number() * (32 / N) + number(); }
    static __device__ inline int warp_number() { return int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32; }
};
// Neighbouring warps of a block. Warps at its end that are no whole group are members of none.
template <int X, int Y, int Z, int N> struct group_of_warps {
    using all = block<X, Y, Z>;
    static constexpr int threads = N * 32;
    static constexpr int warps = N;
    static __device__ inline int rank() { return all::rank() % threads; }
    static __device__ inline int number() { return all::rank() / threads; }
    static __device__ inline bool is_member() { return all::warps % N == 0 || number() < all::warps / N; }
    static __device__ inline void sync() { __syncthreads(); }
    static __device__ inline bool all_are_here() { return all::all_are_here(); }
    static __device__ inline uint32 lanes() { return 0xffffffffu; }
};
// A user's storage, from where items are aligned.
static __device__ inline unsigned char *aligned(void *storage, int align)
{
    uint64 place = uint64(storage);
    return (unsigned char *)((place + (align - 1)) & ~uint64(align - 1));
}
template <int N, class T, class In> static __device__ inline void read(T (&item)[N], In in)
{
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) item[i] = in[i];
}
template <int N, class T, class Op> static __device__ inline T combined(const T (&item)[N], Op op)
{
    T all = item[0];
#pragma unroll (unrolled(N))
    for (int i = 1; i < N; ++i) all = op(all, item[i]);
    return all;
}

// Whole warps combine integers of 32 bits by one instruction: PTX ISA, "redux.sync". `neutral` is for lanes without a
// value.
template <class Op, class T> struct instruction { static constexpr bool exists = false; };
#if __CUDA_ARCH__ >= 800
struct by_instruction { static constexpr bool exists = true; };
template <> struct instruction<plus, int32> : by_instruction {
    static __device__ inline int32 of(int32 value) { return __reduce_add_sync(0xffffffffu, value); }
    static __device__ inline int32 neutral(int32) { return 0; }
};
template <> struct instruction<plus, uint32> : by_instruction {
    static __device__ inline uint32 of(uint32 value) { return __reduce_add_sync(0xffffffffu, value); }
    static __device__ inline uint32 neutral(uint32) { return 0; }
};
template <class T> struct same_neutral : by_instruction { static __device__ inline T neutral(T any) { return any; } };
template <> struct instruction<minimum, int32> : same_neutral<int32> {
    static __device__ inline int32 of(int32 value) { return __reduce_min_sync(0xffffffffu, value); }
};
template <> struct instruction<minimum, uint32> : same_neutral<uint32> {
    static __device__ inline uint32 of(uint32 value) { return __reduce_min_sync(0xffffffffu, value); }
};
template <> struct instruction<maximum, int32> : same_neutral<int32> {
    static __device__ inline int32 of(int32 value) { return __reduce_max_sync(0xffffffffu, value); }
};
template <> struct instruction<maximum, uint32> : same_neutral<uint32> {
    static __device__ inline uint32 of(uint32 value) { return __reduce_max_sync(0xffffffffu, value); }
};
#endif

// What members of a group get; others get a value of zeros.
template <class G, class T> static __device__ inline T of_members(T value) { return G::is_member() ? value : T(); }
// The combination of the values of the first `count` of this warp's `WIDTH` lanes, in the first lane.
template <bool ALL, int WIDTH, class T, class Op>
static __device__ inline T reduced_lanes(uint32 lanes, int lane, int count, T value, Op op)
{
#pragma unroll
    for (int delta = 1; delta < WIDTH; delta *= 2) {
        T other = shuffle_down(lanes, value, delta);
        if (ALL || lane + delta < count) value = op(value, other);
    }
    return value;
}
// The same of a group's threads, in the first one. ALL: `given` is all of them.
template <class G, bool ALL, class T, class Op>
static __device__ inline T reduce(unsigned char *storage, T value, int64 given, Op op)
{
    constexpr int threads = G::threads, warps = G::warps;
    const int valid = given < 0 ? 0 : given > threads ? threads : int(given);
    constexpr int width = threads < 32 ? threads : 32;
    constexpr bool whole = ALL && (threads & (width - 1)) == 0 && (width & (width - 1)) == 0;
    int rank = G::rank(), lane = rank % 32, warp = rank / 32;
    using at_once = instruction<Op, T>;
    constexpr bool fast = at_once::exists && whole && threads % 32 == 0;
    if constexpr (fast) value = at_once::of(value);
    else value = reduced_lanes<whole, width>(G::lanes(), lane, valid - warp * 32, value, op);
    if constexpr (warps > 1) {
        T *partial = (T *)storage;
        if (lane == 0) partial[warp] = value;
        G::sync();
        // The first warp is a whole one.
        if (warp == 0) {
            value = partial[lane < warps ? lane : 0];
            if constexpr (fast) value = at_once::of(lane < warps ? value : at_once::neutral(value));
            else value = reduced_lanes<false, warps>(0xffffffffu, lane, ALL ? warps : (valid + 31) / 32, value, op);
        }
    }
    return value;
}

// The value of the first thread, in all of them.
template <class G, class T> static __device__ inline T broadcast(unsigned char *storage, T value)
{
    if constexpr (G::warps > 1) {
        G::sync();
        if (G::rank() == 0) *(T *)storage = value;
        G::sync();
        return *(T *)storage;
    } else {
        return shuffle_from(G::lanes(), value, collective::lane() - G::rank() % 32);
    }
}

// The reductions of all first items of a warp's threads, of all second ones, and so on.
template <class G, int N, bool BLOCKED, class T, class In, class Out, class Op>
static __device__ inline void reduce_batched(unsigned char *storage, In in, Out out, Op op)
{
    constexpr int threads = G::threads, each = (N + threads - 1) / threads;
    T item[N];
    read(item, in);
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        const T made = broadcast<G>(storage, reduce<G, true, T>(storage, item[i], threads, op));
        if (G::rank() == (BLOCKED ? i / each : i % threads)) out[BLOCKED ? i % each : i / threads] = made;
    }
}

// The last one of the first `valid` threads.
template <int THREADS> static __device__ inline int last_of(int64 valid)
{
    return valid < 1 ? 0 : valid > THREADS ? THREADS - 1 : int(valid) - 1;
}
// Sums of integers of 32 bits over warps of all lanes need no selections: what comes before the first value is 0.
template <class G, class Op, class T> struct from_zero { static constexpr bool exists = false; };
template <class G> struct from_zero<G, plus, int32> { static constexpr bool exists = G::threads >= 32; };
template <class G> struct from_zero<G, plus, uint32> { static constexpr bool exists = G::threads >= 32; };
template <class T> static __device__ inline T sum_of_lanes(uint32 lanes, T value)
{
#pragma unroll
    for (int delta = 1; delta < 32; delta *= 2)
        asm volatile("{ .reg .b32 other; .reg .pred inside; shfl.sync.up.b32 other|inside, %0, %1, 0, %2; @inside add.u32 %0, %0, other; }"
                     : "+r"(value) : "r"(delta), "r"(lanes));
    return value;
}
template <class G, class T> static __device__ inline void sums_before(unsigned char *storage, T own, T &before, T &all, int64 valid)
{
    constexpr int threads = G::threads, warps = G::warps;
    const int rank = G::rank(), lane = rank % 32, warp = rank / 32;
    const uint32 lanes = G::lanes();
    const T value = sum_of_lanes(lanes, own);
    before = value - own;
    if constexpr (warps == 1) {
        all = shuffle_from(lanes, value, last_of<threads>(valid));
    } else {
        T *partial = (T *)storage;
        if (lane == 31 || rank == threads - 1) partial[warp] = value;
        G::sync();
        if constexpr (threads % 32 == 0 && warps > 8) {
            const T of_warp = lane < warps ? partial[lane] : 0;
            const T running = sum_of_lanes(lanes, of_warp);
            before += shuffle_from(lanes, T(running - of_warp), warp);
            all = shuffle_from(lanes, running, 31);
        } else {
            all = 0;
#pragma unroll
            for (int w = 0; w < warps; ++w) {
                if (w == warp) before += all;
                all += partial[w];
            }
        }
    }
}
// For each thread the combination of the values before its own (`before`, undefined in the first unless it is
// `from_zero`), and of all: of a group of a warp's threads, of the first `valid` ones.
template <class G, class T, class Op>
static __device__ inline void prefixes(unsigned char *storage, T value, T &before, T &all, Op op, int64 valid = G::threads)
{
    constexpr int threads = G::threads, warps = G::warps;
    constexpr int width = threads < 32 ? threads : 32;
    if constexpr (from_zero<G, Op, T>::exists) return sums_before<G>(storage, value, before, all, valid);
    int rank = G::rank(), lane = rank % 32, warp = rank / 32;
    uint32 lanes = G::lanes();
#pragma unroll
    for (int delta = 1; delta < width; delta *= 2) {
        T other = shuffle_up(lanes, value, delta);
        if (lane >= delta) value = op(other, value);
    }
    before = shuffle_up(lanes, value, 1);
    if constexpr (warps == 1) {
        // Lanes of a logical warp count from its first one.
        all = shuffle_from(lanes, value, collective::lane() - lane + last_of<threads>(valid));
    } else {
        T *partial = (T *)storage;
        if (lane == 31 || rank == threads - 1) partial[warp] = value;
        G::sync();
        T carry = partial[0];
        T running = carry;
        if constexpr (threads % 32 == 0 && warps > 8) {
            running = partial[lane < warps ? lane : 0];
#pragma unroll
            for (int delta = 1; delta < warps; delta *= 2) {
                T other = shuffle_up(lanes, running, delta);
                if (lane >= delta) running = op(other, running);
            }
            carry = shuffle_from(lanes, running, warp == 0 ? 0 : warp - 1);
            all = shuffle_from(lanes, running, warps - 1);
        } else {
#pragma unroll
            for (int w = 1; w < warps; ++w) {
                if (w == warp) carry = running;
                running = op(running, partial[w]);
            }
            all = running;
        }
        if (warp > 0) before = lane == 0 ? carry : op(carry, before);
    }
}
// The same by the first warp alone, each of whose threads goes along the values of a part of the block: less work than
// shuffles in all warps, where these run one after the other.
template <class G> struct raking {
    static constexpr int each = G::threads / 32;
    // An odd step keeps threads that go along their parts in different banks.
    static constexpr int step = each | 1;
    static constexpr int end = 32 * step;
};
template <class G, class T, class Op>
static __device__ inline void raked_prefixes(unsigned char *storage, T value, T &before, T &all, Op op)
{
    using rake = raking<G>;
    T *partial = (T *)storage;
    const int rank = G::rank(), own = rank / rake::each * rake::step + rank % rake::each;
    partial[own] = value;
    G::sync();
    if (rank < 32) {
        T *part = partial + rank * rake::step;
        T sum = part[0];
#pragma unroll
        for (int i = 1; i < rake::each; ++i) sum = op(sum, part[i]);
        constexpr bool zero = from_zero<G, Op, T>::exists;
        T running = sum, next;
        if constexpr (zero) {
            running = sum_of_lanes(0xffffffffu, sum);
            next = running - sum;
        } else {
#pragma unroll
            for (int delta = 1; delta < 32; delta *= 2) {
                T other = shuffle_up(0xffffffffu, running, delta);
                if (rank >= delta) running = op(other, running);
            }
            next = shuffle_up(0xffffffffu, running, 1);
        }
#pragma unroll
        for (int i = 0; i < rake::each; ++i) {
            const T item = part[i];
            part[i] = next;
            next = i > 0 || zero || rank > 0 ? op(next, item) : item;
        }
        if (rank == 31) partial[rake::end] = running;
    }
    G::sync();
    before = partial[own];
    all = partial[rake::end];
}
// HAS: what comes before the first item: 0 nothing, 1 `given`, 2 what the function `given` says of all items.
template <class G, bool RAKES, int N, bool INCLUSIVE, int HAS, class T, class In, class Out, class Op, class Given>
static __device__ inline T scan(unsigned char *storage, In in, Out out, Op op, Given given, int64 valid = G::threads)
{
    T item[N], before, all;
    read(item, in);
    if constexpr (RAKES) raked_prefixes<G>(storage, combined(item, op), before, all, op);
    else prefixes<G>(storage, combined(item, op), before, all, op, valid);
    constexpr bool zero = from_zero<G, Op, T>::exists;
    int rank = G::rank();
    if constexpr (HAS == 1) before = rank == 0 && !zero ? given : op(given, before);
    if constexpr (HAS == 2) {
        T first = T();
        if (rank < 32) first = given(all);
        if constexpr (G::warps > 1) {
            T *shared = (T *)storage + (RAKES ? raking<G>::end + 1 : G::warps);
            if (rank == 0) *shared = first;
            G::sync();
            first = *shared;
        } else {
            first = shuffle_from(G::lanes(), first, collective::lane() - rank);
        }
        before = rank == 0 && !zero ? first : op(first, before);
    }
    const bool has = HAS != 0 || zero || rank > 0;
    T running = has ? op(before, item[0]) : item[0];
    if constexpr (INCLUSIVE) out[0] = running;
    else out[0] = has ? before : T();
#pragma unroll (unrolled(N))
    for (int i = 1; i < N; ++i) {
        if constexpr (!INCLUSIVE) out[i] = running;
        running = op(running, item[i]);
        if constexpr (INCLUSIVE) out[i] = running;
    }
    return all;
}

// HOW: 0 blocked, 1 blocked through shared memory, 2 striped. `valid`: the items that there are. `otherwise`: those
// that there are not; without it they stay what they were.
template <class G, int N, int HOW, bool ALL, class T, class From, class To, class Other>
static __device__ inline void load(unsigned char *storage, From from, To to, int64 valid, Other otherwise)
{
    constexpr int threads = G::threads;
    int rank = G::rank();
    if constexpr (HOW == 1) {
        T *shared = (T *)storage;
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i)
            if (ALL || i * threads + rank < valid) shared[i * threads + rank] = from[i * threads + rank];
        G::sync();
    }
#pragma unroll (unrolled(N))
    for (int i = 0; i < N; ++i) {
        int at = HOW == 2 ? i * threads + rank : rank * N + i;
        if (ALL || at < valid) {
            if constexpr (HOW == 1) to[i] = ((T *)storage)[at];
            else to[i] = from[at];
        } else {
            otherwise(to[i]);
        }
    }
}
template <class G, int N, int HOW, bool ALL, class T, class To, class From>
static __device__ inline void store(unsigned char *storage, To to, From from, int64 valid)
{
    constexpr int threads = G::threads;
    int rank = G::rank();
    if constexpr (HOW == 1) {
        T *shared = (T *)storage;
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) shared[rank * N + i] = from[i];
        G::sync();
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i)
            if (ALL || i * threads + rank < valid) to[i * threads + rank] = shared[i * threads + rank];
    } else {
#pragma unroll (unrolled(N))
        for (int i = 0; i < N; ++i) {
            int at = HOW == 2 ? i * threads + rank : rank * N + i;
            if (ALL || at < valid) to[at] = from[i];
        }
    }
}
}
}
