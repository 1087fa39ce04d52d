// CUDA's vectors.
template <class T, int N> struct vec;
template <class T> struct vec<T, 1> { T x; };
template <class T> struct alignas(sizeof(T) * 2 > 16 ? 16 : sizeof(T) * 2) vec<T, 2> { T x, y; };
template <class T> struct vec<T, 3> { T x, y, z; };
template <class T> struct alignas(sizeof(T) * 4 > 16 ? 16 : sizeof(T) * 4) vec<T, 4> { T x, y, z, w; };
