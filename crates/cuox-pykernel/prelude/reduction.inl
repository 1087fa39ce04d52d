namespace py {
template <class T, int N, char L> static __device__ inline const array<T, N, L> &not_empty(const array<T, N, L> &x, int number)
{
    if (!size(x)) raise(number);
    return x;
}
template <class R, class A> static __device__ inline R array_sum(const A &x)
{
    R total = R(0);
    for (int64 at = 0, count = size(x); at < count; ++at) total = total + R(flat(x, at));
    return total;
}
template <class R, class A> static __device__ inline R array_prod(const A &x)
{
    R total = R(1);
    for (int64 at = 0, count = size(x); at < count; ++at) total = total * R(flat(x, at));
    return total;
}
template <class R, class A> static __device__ inline R array_count_nonzero(const A &x)
{
    R found = 0;
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (flat(x, at) != 0) ++found;
    return found;
}
template <class T> static __device__ inline bool is_nan(T x) { return !(x == x); }
template <class R, class A> static __device__ inline R array_nansum(const A &x)
{
    R total = R(0);
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (!is_nan(flat(x, at))) total = total + R(flat(x, at));
    return total;
}
template <class R, class A> static __device__ inline R array_nanprod(const A &x)
{
    R total = R(1);
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (!is_nan(flat(x, at))) total = total * R(flat(x, at));
    return total;
}
template <class R, class A> static __device__ inline R array_nanmean(const A &x)
{
    R total = R(0);
    int64 used = 0;
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (!is_nan(flat(x, at))) {
            total = total + R(flat(x, at));
            ++used;
        }
    return total / R(float64(used));
}
template <class R, class A> static __device__ inline R array_mean(const A &x) { return array_sum<R>(x) / R(float64(size(x))); }
template <class R, class A> static __device__ inline R array_var(const A &x)
{
    R mean = array_mean<R>(x), total = R(0);
    int64 count = size(x);
    for (int64 at = 0; at < count; ++at) {
        R d = R(flat(x, at)) - mean;
        total = total + d * d;
    }
    return total / R(count);
}
template <class R, class A> static __device__ inline R array_std(const A &x) { return R(::sqrt(float64(array_var<R>(x)))); }
// The first NaN wins, as in NumPy.
template <class A> static __device__ inline int64 best(const A &x, bool greatest)
{
    int64 found = 0;
    for (int64 at = 1, count = size(x); at < count; ++at) {
        auto value = flat(x, at), known = flat(x, found);
        if (is_nan(known)) break;
        if (is_nan(value) || (greatest ? value > known : value < known)) found = at;
    }
    return found;
}
template <class R, class A> static __device__ inline R array_argmax(const A &x) { return best(x, true); }
template <class R, class A> static __device__ inline R array_argmin(const A &x) { return best(x, false); }
template <class R, class A> static __device__ inline R array_max(const A &x) { return flat(x, best(x, true)); }
template <class R, class A> static __device__ inline R array_min(const A &x) { return flat(x, best(x, false)); }
template <class R, class A> static __device__ inline R array_nanmax(const A &x)
{
    R found = flat(x, 0);
    for (int64 at = 1, count = size(x); at < count; ++at)
        if (is_nan(found) || flat(x, at) > found) found = flat(x, at);
    return found;
}
template <class R, class A> static __device__ inline R array_nanmin(const A &x)
{
    R found = flat(x, 0);
    for (int64 at = 1, count = size(x); at < count; ++at)
        if (is_nan(found) || flat(x, at) < found) found = flat(x, at);
    return found;
}
template <class R, class A> static __device__ inline bool array_all(const A &x)
{
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (flat(x, at) == 0) return false;
    return true;
}
template <class R, class A> static __device__ inline bool array_any(const A &x)
{
    for (int64 at = 0, count = size(x); at < count; ++at)
        if (flat(x, at) != 0) return true;
    return false;
}
template <class R, class A, class B> static __device__ inline R dot(const A &x, const B &y)
{
    R total = R(0);
    for (int64 at = 0, count = size(x); at < count; ++at) total = total + flat(x, at) * flat(y, at);
    return total;
}
}
