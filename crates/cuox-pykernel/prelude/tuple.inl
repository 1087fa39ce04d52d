template <class... T> struct tuple;
template <> struct tuple<> {};
template <class A, class... T> struct tuple<A, T...> { A first; tuple<T...> rest; };
template <class A> struct tuple<A> { A first; };
namespace py {
template <int I> struct getter {
    template <class A, class... T> static __device__ inline const auto &of(const tuple<A, T...> &t) { return getter<I - 1>::of(t.rest); }
};
template <> struct getter<0> {
    template <class A, class... T> static __device__ inline const A &of(const tuple<A, T...> &t) { return t.first; }
};
template <int I, class... T> static __device__ inline const auto &get(const tuple<T...> &t) { return getter<I>::of(t); }
// By a number that is known at run time only: all items have one type.
template <class A> static __device__ inline A pick(const tuple<A> &t, int64) { return t.first; }
template <class A, class B, class... T> static __device__ inline A pick(const tuple<A, B, T...> &t, int64 i) { return i == 0 ? t.first : pick(t.rest, i - 1); }
template <class A, class... T> static __device__ inline A item(const tuple<A, T...> &t, int64 i) { return pick(t, i < 0 ? i + 1 + int64(sizeof...(T)) : i); }
template <class A, class... T> static __device__ inline A item_at(const tuple<A, T...> &t, int64 i, int number)
{
    int64 count = 1 + int64(sizeof...(T));
    if (i < -count || i >= count) raise(number);
    return item(t, i);
}
}
