namespace py {
// Comparisons of so many neighbours of one type: of the first ones that differ, or of all.
template <int Count, class T> static __device__ inline int first_difference(const T *a, const T *b)
{
    int i = 0;
#pragma unroll 1
    while (i < Count && a[i] == b[i]) ++i;
    return i;
}
template <int Count, class T> static __device__ inline bool equal_run(const T *a, const T *b) { return first_difference<Count>(a, b) == Count; }
template <int Count, class T> static __device__ inline bool less_run(const T *a, const T *b)
{
    const int i = first_difference<Count>(a, b);
    return i < Count && a[i] < b[i];
}
template <int Count, class T> static __device__ inline bool greater_run(const T *a, const T *b) { return less_run<Count>(b, a); }
}
