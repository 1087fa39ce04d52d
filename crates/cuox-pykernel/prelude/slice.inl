namespace py {
static const int64 unset = -0x7fffffffffffffffll - 1;
struct index { int64 at; __device__ inline index(int64 at) : at(at) {} };
struct all {};
struct newaxis {};
struct slice { int64 lower, upper, step; __device__ inline slice(int64 lower, int64 upper, int64 step) : lower(lower), upper(upper), step(step) {} };
// The bounds of a slice as Python has them: the first index, and how many.
struct span { int64 first, count; };
static __device__ inline span bounded(const slice &s, int64 length)
{
    int64 low = s.step > 0 ? 0 : -1, high = s.step > 0 ? length : length - 1;
    int64 from = s.lower == unset ? (s.step > 0 ? low : high) : s.lower < 0 ? s.lower + length : s.lower;
    int64 to = s.upper == unset ? (s.step > 0 ? high : low) : s.upper < 0 ? s.upper + length : s.upper;
    from = from < low ? low : from > high ? high : from;
    to = to < low ? low : to > high ? high : to;
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
template <class F, class T, int N, char L> static __device__ inline array<F, N, 'A'> field(const array<T, N, L> &x, int64 offset)
{
    array<F, N, 'A'> result;
    result.data = (F *)((char *)x.data + offset);
    for (int axis = 0; axis < N; ++axis) {
        result.shape[axis] = x.shape[axis];
        result.strides[axis] = x.stride(axis);
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
// Elements of another view of the same memory are read before they are overwritten: from the end, where the target lies behind.
template <class T, int N, char L, class S, int M, char K> static __device__ inline void copy(const array<T, N, L> &x, const array<S, M, K> &from)
{
    int64 count = size(x);
    if ((const char *)x.data > (const char *)from.data)
        for (int64 at = count - 1; at >= 0; --at) flat(x, at) = T(spread(x, from, at));
    else
        for (int64 at = 0; at < count; ++at) flat(x, at) = T(spread(x, from, at));
}
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
