namespace py {
// Comparisons of signed with unsigned numbers, by value.
template <class T> struct is_signed { static const bool value = T(-1) < T(0); };
template <class A, class B> static __device__ inline bool equal(A a, B b)
{
    if (is_signed<A>::value && a < A(0)) return false;
    if (is_signed<B>::value && b < B(0)) return false;
    return uint64(a) == uint64(b);
}
template <class A, class B> static __device__ inline bool less(A a, B b)
{
    if (is_signed<A>::value && a < A(0)) return true;
    if (is_signed<B>::value && b < B(0)) return false;
    return uint64(a) < uint64(b);
}
template <class A, class B> static __device__ inline bool not_equal(A a, B b) { return !equal(a, b); }
template <class A, class B> static __device__ inline bool greater(A a, B b) { return less(b, a); }
template <class A, class B> static __device__ inline bool less_equal(A a, B b) { return !less(b, a); }
template <class A, class B> static __device__ inline bool greater_equal(A a, B b) { return !less(a, b); }
}
