// The items lie as those of a structure in C do, as far as there are twelve; more are a structure behind these.
template <class... T> struct tuple;
template <> struct tuple<> {};
template <class A> struct tuple<A> { A item0; };
template <class A, class B> struct tuple<A, B> { A item0; B item1; };
template <class A, class B, class C> struct tuple<A, B, C> { A item0; B item1; C item2; };
template <class A, class B, class C, class D> struct tuple<A, B, C, D> { A item0; B item1; C item2; D item3; };
template <class A, class B, class C, class D, class E> struct tuple<A, B, C, D, E> { A item0; B item1; C item2; D item3; E item4; };
template <class A, class B, class C, class D, class E, class F> struct tuple<A, B, C, D, E, F> { A item0; B item1; C item2; D item3; E item4; F item5; };
template <class A, class B, class C, class D, class E, class F, class G> struct tuple<A, B, C, D, E, F, G> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; };
template <class A, class B, class C, class D, class E, class F, class G, class H> struct tuple<A, B, C, D, E, F, G, H> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; H item7; };
template <class A, class B, class C, class D, class E, class F, class G, class H, class I> struct tuple<A, B, C, D, E, F, G, H, I> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; H item7; I item8; };
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J> struct tuple<A, B, C, D, E, F, G, H, I, J> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; H item7; I item8; J item9; };
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K> struct tuple<A, B, C, D, E, F, G, H, I, J, K> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; H item7; I item8; J item9; K item10; };
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K, class L> struct tuple<A, B, C, D, E, F, G, H, I, J, K, L> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; H item7; I item8; J item9; K item10; L item11; };
template <class A, class B, class C, class D, class E, class F, class G, class H, class I, class J, class K, class L, class M, class... T>
struct tuple<A, B, C, D, E, F, G, H, I, J, K, L, M, T...> { A item0; B item1; C item2; D item3; E item4; F item5; G item6; H item7; I item8; J item9; K item10; L item11; tuple<M, T...> rest; };
namespace py {
template <int I, class... T> static __device__ inline const auto &get(const tuple<T...> &t)
{
    if constexpr (I == 0) return t.item0;
    else if constexpr (I == 1) return t.item1;
    else if constexpr (I == 2) return t.item2;
    else if constexpr (I == 3) return t.item3;
    else if constexpr (I == 4) return t.item4;
    else if constexpr (I == 5) return t.item5;
    else if constexpr (I == 6) return t.item6;
    else if constexpr (I == 7) return t.item7;
    else if constexpr (I == 8) return t.item8;
    else if constexpr (I == 9) return t.item9;
    else if constexpr (I == 10) return t.item10;
    else if constexpr (I == 11) return t.item11;
    else return get<I - 12>(t.rest);
}
// By a number that is known at run time only: all items have one type.
template <int I, class A, class... T> static __device__ inline A pick(const tuple<A, T...> &t, int64 i)
{
    if constexpr (I == sizeof...(T)) return get<I>(t);
    else return i == I ? get<I>(t) : pick<I + 1>(t, i);
}
template <class A, class... T> static __device__ inline A item(const tuple<A, T...> &t, int64 i) { return pick<0>(t, i < 0 ? i + 1 + int64(sizeof...(T)) : i); }
template <class A, class... T> static __device__ inline A item_at(const tuple<A, T...> &t, int64 i, int number)
{
    int64 count = 1 + int64(sizeof...(T));
    if (i < -count || i >= count) raise(number);
    return item(t, i);
}
}
