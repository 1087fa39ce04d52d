// Elements in memory. 'C': the last index runs fastest, without gaps; 'F': the first; 'A': strides, in bytes.
template <class T, int N, char L> struct array;
template <class T, int N> struct array<T, N, 'C'> {
    T *data;
    int64 shape[N];
    template <class... I> __device__ inline T &operator()(I... index) const
    {
        static_assert(sizeof...(I) == N, "an index for each dimension");
        const int64 at[N] = {int64(index)...};
        int64 offset = at[0];
#pragma unroll
        for (int axis = 1; axis < N; ++axis) offset = offset * shape[axis] + at[axis];
        return data[offset];
    }
    template <class... I> __device__ inline T &at(int number, I... index) const;
    __device__ inline int64 stride(int axis) const
    {
        int64 size = sizeof(T);
        for (int later = N - 1; later > axis; --later) size *= shape[later];
        return size;
    }
};
template <class T, int N> struct array<T, N, 'F'> {
    T *data;
    int64 shape[N];
    template <class... I> __device__ inline T &operator()(I... index) const
    {
        const int64 at[N] = {int64(index)...};
        int64 offset = at[N - 1];
#pragma unroll
        for (int axis = N - 2; axis >= 0; --axis) offset = offset * shape[axis] + at[axis];
        return data[offset];
    }
    template <class... I> __device__ inline T &at(int number, I... index) const;
    __device__ inline int64 stride(int axis) const
    {
        int64 size = sizeof(T);
        for (int earlier = 0; earlier < axis; ++earlier) size *= shape[earlier];
        return size;
    }
};
template <class T, int N> struct array<T, N, 'A'> {
    T *data;
    int64 shape[N];
    int64 strides[N];
    template <class... I> __device__ inline T &operator()(I... index) const
    {
        const int64 at[N] = {int64(index)...};
        int64 offset = 0;
#pragma unroll
        for (int axis = 0; axis < N; ++axis) offset += at[axis] * strides[axis];
        return *(T *)((char *)data + offset);
    }
    template <class... I> __device__ inline T &at(int number, I... index) const;
    __device__ inline int64 stride(int axis) const { return strides[axis]; }
    array() = default;
    __device__ inline array(T *data) : data(data) {}
    template <char L> __device__ inline array(const array<T, N, L> &other) : data(other.data)
    {
        for (int axis = 0; axis < N; ++axis) {
            shape[axis] = other.shape[axis];
            strides[axis] = other.stride(axis);
        }
    }
};
template <class T> struct array<T, 0, 'C'> {
    T *data;
    __device__ inline T &operator()() const { return *data; }
    __device__ inline T &at(int) const { return *data; }
};
namespace py {
template <int N, class A, class... I> static __device__ inline void check(const A &x, int number, I... index)
{
    const int64 at[N] = {int64(index)...};
    for (int axis = 0; axis < N; ++axis)
        if (at[axis] < 0 || at[axis] >= x.shape[axis]) raise(number);
}
static __device__ inline int64 wrapped(int64 i, int64 length) { return i < 0 ? i + length : i; }
template <class T, int N, char L> static __device__ inline int64 size(const array<T, N, L> &x)
{
    int64 count = 1;
    for (int axis = 0; axis < N; ++axis) count *= x.shape[axis];
    return count;
}
template <class T> static __device__ inline int64 size(const array<T, 0, 'C'> &) { return 1; }
}
template <class T, int N> template <class... I> __device__ inline T &array<T, N, 'C'>::at(int number, I... index) const
{
    py::check<N>(*this, number, index...);
    return (*this)(index...);
}
template <class T, int N> template <class... I> __device__ inline T &array<T, N, 'F'>::at(int number, I... index) const
{
    py::check<N>(*this, number, index...);
    return (*this)(index...);
}
template <class T, int N> template <class... I> __device__ inline T &array<T, N, 'A'>::at(int number, I... index) const
{
    py::check<N>(*this, number, index...);
    return (*this)(index...);
}
