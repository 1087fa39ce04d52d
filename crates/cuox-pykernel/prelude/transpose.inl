namespace py {
template <class T, int N> static __device__ inline array<T, N, 'F'> transpose(const array<T, N, 'C'> &x)
{
    array<T, N, 'F'> result;
    result.data = x.data;
    for (int axis = 0; axis < N; ++axis) result.shape[axis] = x.shape[N - 1 - axis];
    return result;
}
template <class T, int N> static __device__ inline array<T, N, 'C'> transpose(const array<T, N, 'F'> &x)
{
    array<T, N, 'C'> result;
    result.data = x.data;
    for (int axis = 0; axis < N; ++axis) result.shape[axis] = x.shape[N - 1 - axis];
    return result;
}
template <class T, int N> static __device__ inline array<T, N, 'A'> transpose(const array<T, N, 'A'> &x)
{
    array<T, N, 'A'> result;
    result.data = x.data;
    for (int axis = 0; axis < N; ++axis) {
        result.shape[axis] = x.shape[N - 1 - axis];
        result.strides[axis] = x.strides[N - 1 - axis];
    }
    return result;
}
template <class T> static __device__ inline array<T, 1, 'C'> transpose(const array<T, 1, 'C'> &x) { return x; }
template <class T, int N> static __device__ inline array<T, 1, 'C'> ravel(const array<T, N, 'C'> &x) { return {x.data, {size(x)}}; }
// One length may be -1: what is left for it.
template <int M, class T, int N, class... I> static __device__ inline array<T, M, 'C'> reshape(const array<T, N, 'C'> &x, I... length)
{
    array<T, M, 'C'> result = {x.data, {int64(length)...}};
    int64 known = 1;
    for (int axis = 0; axis < M; ++axis)
        if (result.shape[axis] >= 0) known *= result.shape[axis];
    for (int axis = 0; axis < M; ++axis)
        if (result.shape[axis] < 0) result.shape[axis] = known ? size(x) / known : 0;
    return result;
}
template <class T, int N> static __device__ inline array<T, N, 'C'> same_size(const array<T, N, 'C'> &x, int64 count, int number)
{
    if (size(x) != count) raise(number);
    return x;
}
template <class S, class T, int N, char L> static __device__ inline array<S, N, L> reinterpret(const array<T, N, L> &x)
{
    array<S, N, L> result;
    result.data = (S *)x.data;
    for (int axis = 0; axis < N; ++axis) result.shape[axis] = x.shape[axis];
    return result;
}
template <class S, class T, int N> static __device__ inline array<S, N, 'A'> reinterpret(const array<T, N, 'A'> &x)
{
    array<S, N, 'A'> result;
    result.data = (S *)x.data;
    for (int axis = 0; axis < N; ++axis) {
        result.shape[axis] = x.shape[axis];
        result.strides[axis] = x.strides[axis];
    }
    return result;
}
// The same bytes as elements of another size; number: what to raise if they cannot be divided so, or 0.
template <class S, class T, int N, char L>
static __device__ inline array<S, N, L> resized(const array<T, N, L> &x, int number)
{
    array<S, N, L> result;
    result.data = (S *)x.data;
    for (int axis = 0; axis < N; ++axis) result.shape[axis] = x.shape[axis];
    int64 bytes = x.shape[N - 1] * int64(sizeof(T));
    bool fits = bytes % int64(sizeof(S)) == 0;
    if constexpr (L == 'A') {
        for (int axis = 0; axis < N - 1; ++axis) result.strides[axis] = x.strides[axis];
        result.strides[N - 1] = sizeof(S);
        fits = fits && x.strides[N - 1] == int64(sizeof(T));
    }
    if (number && !fits) raise(number);
    result.shape[N - 1] = bytes / int64(sizeof(S));
    return result;
}
}
