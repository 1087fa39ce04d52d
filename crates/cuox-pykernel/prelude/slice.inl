namespace py {
static const int64 unset = -0x7fffffffffffffffll - 1;
struct index { int64 at; __device__ inline index(int64 at) : at(at) {} };
struct all {};
struct newaxis {};
struct slice { int64 lower, upper, step; __device__ inline slice(int64 lower, int64 upper, int64 step) : lower(lower), upper(upper), step(step) {} };
// The bounds of a slice as Python has them, and the first index with the number of indices.
struct span { int64 first, count; };
struct two_ends { int64 from, to; };
static __device__ inline two_ends ends(const slice &s, int64 length)
{
    int64 low = s.step > 0 ? 0 : -1, high = s.step > 0 ? length : length - 1;
    int64 from = s.lower == unset ? (s.step > 0 ? low : high) : s.lower < 0 ? s.lower + length : s.lower;
    int64 to = s.upper == unset ? (s.step > 0 ? high : low) : s.upper < 0 ? s.upper + length : s.upper;
    from = from < low ? low : from > high ? high : from;
    to = to < low ? low : to > high ? high : to;
    return {from, to};
}
static __device__ inline span bounded(const slice &s, int64 length)
{
    const two_ends e = ends(s, length);
    const int64 from = e.from, to = e.to;
    int64 count = s.step > 0 ? (to - from + s.step - 1) / s.step : (from - to - s.step - 1) / -s.step;
    return {from, count > 0 ? count : 0};
}
template <class R> struct viewer {
    R result;
    char *data;
    int in = 0, out = 0;
    template <class A> __device__ inline void put(const A &x, const index &i) { data += (i.at < 0 ? i.at + x.shape[in] : i.at) * x.stride(in); ++in; }
    template <class A> __device__ inline void put(const A &x, const all &) { set(x.shape[in], x.stride(in)); ++in; }
    template <class A> __device__ inline void put(const A &, const newaxis &) { set(1, 0); }
    template <class A> __device__ inline void put(const A &x, const slice &s)
    {
        span b = bounded(s, x.shape[in]);
        data += b.first * x.stride(in);
        set(b.count, s.step * x.stride(in));
        ++in;
    }
    __device__ inline void set(int64 length, int64 stride) { place(result, length, stride); ++out; }
    template <class T, int N> __device__ inline void place(array<T, N, 'A'> &r, int64 length, int64 stride) { r.shape[out] = length; r.strides[out] = stride; }
    template <class T, int N> __device__ inline void place(array<T, N, 'C'> &r, int64 length, int64) { r.shape[out] = length; }
    template <class T> __device__ inline void place(array<T, 0, 'C'> &, int64, int64) {}
};
template <int M, char K, class T, int N, char L, class... P> static __device__ inline array<T, M, K> view(const array<T, N, L> &x, const P &...parts)
{
    viewer<array<T, M, K>> v;
    v.data = (char *)x.data;
    (v.put(x, parts), ...);
    v.result.data = (T *)v.data;
    return v.result;
}
template <class T, int N> static __device__ inline array<T, N, 'A'> strided(T *data, const int64 (&shape)[N], const int64 (&strides)[N])
{
    array<T, N, 'A'> result;
    result.data = data;
    for (int axis = 0; axis < N; ++axis) {
        result.shape[axis] = shape[axis];
        result.strides[axis] = strides[axis];
    }
    return result;
}
// A field of each record; lengths are those of an array field.
template <class F, int... lengths, class T, int N, char L> static __device__ inline array<F, N + int(sizeof...(lengths)), 'A'> field(const array<T, N, L> &x, int64 offset)
{
    array<F, N + int(sizeof...(lengths)), 'A'> result;
    result.data = (F *)((char *)x.data + offset);
    for (int axis = 0; axis < N; ++axis) {
        result.shape[axis] = x.shape[axis];
        result.strides[axis] = x.stride(axis);
    }
    constexpr int count = sizeof...(lengths);
    const int64 inner[] = {lengths..., 0};
    int64 stride = sizeof(F);
    for (int axis = count - 1; axis >= 0; --axis) {
        result.shape[N + axis] = inner[axis];
        result.strides[N + axis] = stride;
        stride *= inner[axis];
    }
    return result;
}
// The element of a flat index, the last dimension fastest.
template <class T, int N, char L> static __device__ inline T &flat(const array<T, N, L> &x, int64 at)
{
    char *data = (char *)x.data;
    for (int axis = N - 1; axis >= 0; --axis) {
        data += at % x.shape[axis] * x.stride(axis);
        at /= x.shape[axis];
    }
    return *(T *)data;
}
template <class T> static __device__ inline T &flat(const array<T, 0, 'C'> &x, int64) { return *x.data; }
template <class T, int N, char L, class V> static __device__ inline void fill(const array<T, N, L> &x, V value)
{
    for (int64 at = 0, count = size(x); at < count; ++at) flat(x, at) = value;
}
// The element of the source for a flat index of x, with the dimensions of the source repeated as NumPy's broadcasting does.
template <class T, int N, char L, class S, int M, char K> static __device__ inline S &spread(const array<T, N, L> &x, const array<S, M, K> &from, int64 at)
{
    char *data = (char *)from.data;
    for (int axis = N - 1; axis >= 0; --axis) {
        int64 own = at % x.shape[axis], other = axis - (N - M);
        at /= x.shape[axis];
        if (other >= 0 && from.shape[other] != 1) data += own * from.stride(other);
    }
    return *(S *)data;
}
template <class T, int N, char L, class S> static __device__ inline S &spread(const array<T, N, L> &, const array<S, 0, 'C'> &from, int64) { return *from.data; }
// The places of elements, without their type.
template <int N> struct lattice {
    char *data;
    int64 shape[N], strides[N];
    __device__ inline char *at(const int64 *index) const
    {
        char *place = data;
        for (int axis = 0; axis < N; ++axis) place += index[axis] * strides[axis];
        return place;
    }
    // The index of the element at a place, 0 along axes that it does not depend on. False: none is there.
    __device__ inline bool find(const char *place, int64 *index) const
    {
        int64 offset = place - data, size[N];
        for (int axis = 0; axis < N; ++axis) {
            size[axis] = shape[axis] < 2 ? 0 : strides[axis] < 0 ? -strides[axis] : strides[axis];
            if (size[axis] && strides[axis] < 0) offset += size[axis] * (shape[axis] - 1);
            index[axis] = 0;
        }
        if (offset < 0) return false;
        for (int turn = 0; turn < N; ++turn) {
            int widest = 0;
            for (int axis = 1; axis < N; ++axis)
                if (size[axis] > size[widest]) widest = axis;
            if (!size[widest]) break;
            int64 at = offset / size[widest];
            if (at >= shape[widest]) at = shape[widest] - 1;
            offset -= at * size[widest];
            index[widest] = strides[widest] < 0 ? shape[widest] - 1 - at : at;
            size[widest] = 0;
        }
        return !offset;
    }
    __device__ inline bool step(int64 *index) const
    {
        for (int axis = N - 1; axis >= 0; --axis) {
            if (++index[axis] < shape[axis]) return true;
            index[axis] = 0;
        }
        return false;
    }
    __device__ inline int compare(const int64 *a, const int64 *b) const
    {
        for (int axis = 0; axis < N; ++axis)
            if (a[axis] != b[axis]) return a[axis] < b[axis] ? -1 : 1;
        return 0;
    }
};
// Puts elements into places some of which elements are read from. Each place is written after all that read it: they are
// the branches of a tree, whose root reads a place that is not written, or one of a circle, which is turned at the end.
template <class T, class S, int N> struct rearranged {
    lattice<N> to, from;
    int64 here[N], next[N];
    __device__ inline void set(int64 *a, const int64 *b) const
    {
        for (int axis = 0; axis < N; ++axis) a[axis] = b[axis];
    }
    __device__ inline void move(const int64 *index) const { *(T *)to.at(index) = T(*(S *)from.at(index)); }
    // The next one that reads the same place.
    __device__ inline bool sibling(int64 *index) const
    {
        for (int axis = N - 1; axis >= 0; --axis) {
            if (from.strides[axis]) continue;
            if (++index[axis] < from.shape[axis]) return true;
            index[axis] = 0;
        }
        return false;
    }
    // A tree, from its leaves.
    __device__ void tree(const int64 *root)
    {
        set(here, root);
        for (;;) {
            while (from.find(to.at(here), next)) set(here, next);
            for (;;) {
                move(here);
                if (!to.compare(here, root)) return;
                set(next, here);
                if (sibling(next)) break;
                to.find(from.at(here), next);
                set(here, next);
            }
            set(here, next);
        }
    }
    // True for the first element of a circle; the last one is then here.
    __device__ bool leads(const int64 *first)
    {
        int64 seen[N];
        set(here, first);
        for (int64 turn = 0, limit = 1; to.find(from.at(here), next); ++turn) {
            int order = to.compare(next, first);
            if (order <= 0) return !order;
            // Another circle, which this one leads to.
            if (turn && !to.compare(next, seen)) return false;
            if (turn + 1 == limit || !turn) {
                set(seen, next);
                limit *= 2;
            }
            set(here, next);
        }
        return false;
    }
    __device__ __noinline__ void run()
    {
        int64 first[N] = {}, child[N], last[N], node[N];
        do {
            if (!to.find(from.at(first), next)) tree(first);
        } while (to.step(first));
        do {
            if (!leads(first)) continue;
            set(last, here);
            set(node, first);
            do {
                if (from.find(to.at(node), child)) {
                    do {
                        if (to.compare(child, last)) tree(child);
                    } while (sibling(child));
                }
                set(last, node);
                to.find(from.at(node), next);
                set(node, next);
            } while (to.compare(node, first));
            S kept = *(S *)to.at(first);
            set(here, first);
            while (to.find(from.at(here), next) && to.compare(next, first)) {
                move(here);
                set(here, next);
            }
            *(T *)to.at(here) = T(kept);
        } while (to.step(first));
    }
};
// How the elements of two arrays lie to each other, where each of the first has one of the second.
template <int N> struct overlap {
    lattice<N> to, from;
    // They share no bytes; they lie alike; the first one's come by their addresses.
    bool is_apart, is_same, is_sorted;
    template <class T, char L, class S, int M, char K> __device__ inline overlap(const array<T, N, L> &x, const array<S, M, K> &other)
    {
        to.data = (char *)x.data, from.data = (char *)other.data;
        const char *low[2] = {to.data, from.data}, *high[2] = {to.data, from.data};
        is_same = is_sorted = true;
        for (int axis = 0; axis < N; ++axis) {
            int64 length = x.shape[axis], own = axis - (N - M);
            to.shape[axis] = from.shape[axis] = length;
            to.strides[axis] = x.stride(axis);
            from.strides[axis] = 0;
            if constexpr (M > 0)
                if (own >= 0 && other.shape[own] != 1) from.strides[axis] = other.stride(own);
            if (length < 2) continue;
            for (int side = 0; side < 2; ++side) {
                int64 reach = (side ? from : to).strides[axis] * (length - 1);
                (reach < 0 ? low : high)[side] += reach;
            }
            is_same &= to.strides[axis] == from.strides[axis];
            is_sorted &= to.strides[axis] > 0;
            for (int later = axis + 1; later < N; ++later) is_sorted &= to.strides[axis] >= x.stride(later) * x.shape[later];
        }
        is_apart = high[0] + sizeof(T) <= low[1] || high[1] + sizeof(S) <= low[0];
    }
};
// The orders in which the elements of an array can be written, if each is made of one of another array as it was before:
// 1 upwards, 2 downwards.
template <class T, int N, char L, class S, int M, char K> static __device__ inline int orders(const array<T, N, L> &x, const array<S, M, K> &from)
{
    const overlap<N> both(x, from);
    if (both.is_apart || size(x) < 2) return 3;
    if (!both.is_same || !both.is_sorted) return 0;
    return both.to.data == both.from.data ? 3 : both.to.data < both.from.data ? 1 : 2;
}
template <class T, class S, int M, char K> static __device__ inline int orders(const array<T, 0, 'C'> &, const array<S, M, K> &) { return 3; }
// The elements of another array, as they are before the first is overwritten.
template <class T, int N, char L, class S, int M, char K> static __device__ inline void copy(const array<T, N, L> &x, const array<S, M, K> &from)
{
    int64 count = size(x);
    if constexpr (M == 0) {
        S value = *from.data;
        for (int64 at = 0; at < count; ++at) flat(x, at) = T(value);
    } else {
        const overlap<N> both(x, from);
        if (count > 0 && !both.is_apart && !(both.is_same && both.is_sorted) && sizeof(T) == sizeof(S))
            rearranged<T, S, N>{both.to, both.from}.run();
        else if (!both.is_apart && both.to.data > both.from.data)
            for (int64 at = count - 1; at >= 0; --at) flat(x, at) = T(spread(x, from, at));
        else
            for (int64 at = 0; at < count; ++at) flat(x, at) = T(spread(x, from, at));
    }
}
template <class T, class S, int M, char K> static __device__ inline void copy(const array<T, 0, 'C'> &x, const array<S, M, K> &from) { *x.data = T(flat(from, 0)); }
template <class A, class B> static __device__ inline const B &fitting(const A &, const B &from, int) { return from; }
template <class T, int N, char L, class S, int M, char K> static __device__ inline const array<S, M, K> &fitting(const array<T, N, L> &x, const array<S, M, K> &from, int number)
{
    for (int axis = 0; axis < M; ++axis)
        if (from.shape[axis] != 1 && from.shape[axis] != x.shape[axis + N - M]) raise(number);
    return from;
}
template <class T, int N, char L, class V> static __device__ inline bool contains(const array<T, N, L> &x, V value)
{
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (flat(x, at) == value) return true;
    return false;
}
}
