// NumPy's strings: characters, filled up with zeros.
template <class T, int N> struct chars {
    T data[N];
    __device__ inline T operator[](int64 i) const { return data[i]; }
};
namespace py {
template <class T, int N> static __device__ inline int64 length(const chars<T, N> &x)
{
    int count = N;
    while (count > 0 && x.data[count - 1] == 0) --count;
    return count;
}
template <class T, int N, int M> static __device__ inline bool same(const chars<T, N> &a, const chars<T, M> &b)
{
    for (int i = 0; i < (N > M ? N : M); ++i)
        if ((i < N ? a.data[i] : T(0)) != (i < M ? b.data[i] : T(0))) return false;
    return true;
}
}
