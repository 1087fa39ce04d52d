// Elements of arrays of any strides.
//
// The host writes the fields of these structures one after the other, all as numbers of type Index, which is int or long long.
namespace cuox {

// Sizes of dimensions, and the numbers by which 32-bit division is a multiplication and a shift.
template <typename Index, int Rank>
struct shape {
    Index size[Rank];
    Index factor[Rank];
    Index shift[Rank];
};

// Bytes from one element to the next along each dimension.
template <typename Index, int Rank>
struct strides {
    Index stride[Rank];
};

__device__ __forceinline__ int divide(int i, int, int factor, int shift)
{
    // i is at least 0 and less than 2^31, so the sum does not overflow.
    return (int)((__umulhi((unsigned)i, (unsigned)factor) + (unsigned)i) >> shift);
}

__device__ __forceinline__ long long divide(long long i, long long size, long long, long long)
{
    return i / size;
}

// Bytes from the first element to the one with index i in C's order.
template <typename Index, int Rank>
__device__ __forceinline__ Index offset_of(Index i, const shape<Index, Rank> &shape, const strides<Index, Rank> &strides)
{
    Index offset = 0;
#pragma unroll
    for (int axis = Rank - 1; axis > 0; --axis) {
        const Index outer = divide(i, shape.size[axis], shape.factor[axis], shape.shift[axis]);
        offset += (i - outer * shape.size[axis]) * strides.stride[axis];
        i = outer;
    }
    return offset + i * strides.stride[0];
}

// A vector in expressions: x[i] is the element with index i in C's order.
template <typename T, typename Index, int Rank>
class strided {
    T *first;
    const shape<Index, Rank> &sizes;
    const strides<Index, Rank> &steps;

public:
    __device__ __forceinline__ strided(T *first, const shape<Index, Rank> &sizes, const strides<Index, Rank> &steps)
        : first(first), sizes(sizes), steps(steps)
    {
    }

    __device__ __forceinline__ T &operator[](Index i) const
    {
        return *(T *)((char *)first + offset_of(i, sizes, steps));
    }

    __device__ __forceinline__ T &operator*() const
    {
        return *first;
    }
};

template <typename T>
struct without_const {
    typedef T type;
};

template <typename T>
struct without_const<const T> {
    typedef T type;
};

// Elements that are loaded and stored at once.
template <typename T, int Count>
struct alignas(sizeof(T) * Count) pack {
    T element[Count];
};

// A vector in expressions of which one element is there: x[i] is that one.
template <typename T>
class single {
    T &element;

public:
    __device__ __forceinline__ single(T &element) : element(element)
    {
    }

    template <typename Index>
    __device__ __forceinline__ T &operator[](Index) const
    {
        return element;
    }
};

}
