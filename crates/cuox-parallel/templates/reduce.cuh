// A reduction of `outputs` results, each over `length` elements.
//
// A block has `threads` threads: `lanes` outputs, and THREADS / lanes threads for each of them. With `splits` > 1, so many blocks
// share an output: each writes a partial result, and the last one to arrive combines them. Every result is combined in an order
// that depends on sizes only: strided by thread, `unroll` accumulators for each thread, then trees.
typedef /*@out_type*/ cuox_out;
typedef long long cuox_index;
static_assert(sizeof(cuox_out) == /*@out_size*/, "the elements of out have another size than out_type");

constexpr int cuox_threads = /*@threads*/;
// The outputs of a block, and whether neighbouring threads have neighbouring outputs.
constexpr int cuox_lanes = /*@lanes*/;
constexpr bool cuox_along_outputs = /*@along_outputs*/;
constexpr int cuox_height = cuox_threads / cuox_lanes;
constexpr int cuox_unroll = /*@unroll*/;
// An operator on large structures is too much code to repeat.
constexpr int cuox_tree_unroll = sizeof(cuox_out) <= 16 ? 16 : 1;
// The bytes of a vectorised load.
constexpr int cuox_wide = /*@wide*/;
constexpr int cuox_kept_dims = /*@kept_dims*/;
constexpr int cuox_reduced_dims = /*@reduced_dims*/;
// Vectors with strides: those that are indexed by [i] only, the index itself, and the output.
constexpr int cuox_strided = /*@strided*/;

// True if the elements of every vector lie one behind the other along the dimension that neighbouring threads go along.
constexpr bool cuox_dense = /*@dense*/;
// The bytes of an element of each of these.
__device__ constexpr int cuox_sizes[cuox_strided] = {/*@sizes*/0, 0};

template <class cuox_type> struct cuox_bare { typedef cuox_type type; };
template <class cuox_type> struct cuox_bare<const cuox_type> { typedef cuox_type type; };
template <class cuox_type> struct cuox_bare<volatile cuox_type> { typedef cuox_type type; };
template <class cuox_type> struct cuox_bare<const volatile cuox_type> { typedef cuox_type type; };

// The element that x[i] stands for, wherever it was found.
template <class cuox_type> struct cuox_element {
    cuox_type *at;
    __device__ __forceinline__ cuox_type &operator[](cuox_index) const { return *at; }
};

template <int bytes> struct cuox_word { typedef unsigned char type; };
template <> struct cuox_word<2> { typedef unsigned short type; };
template <> struct cuox_word<4> { typedef unsigned int type; };
template <> struct cuox_word<8> { typedef uint2 type; };
template <> struct cuox_word<16> { typedef uint4 type; };

constexpr int cuox_width_of(int width, int size) {
    return size > cuox_wide || (size & (size - 1)) != 0 ? 1 : width * size > cuox_wide ? cuox_wide / size : width;
}

// Neighbouring elements, loaded at once.
template <class cuox_type, int width> struct cuox_pack {
    typedef typename cuox_bare<cuox_type>::type bare;
    static constexpr int bytes = width * (int)sizeof(bare);
    alignas(width == 1 ? alignof(bare) : bytes) unsigned char raw[bytes];

    template <bool aligned> __device__ __forceinline__ void load(cuox_type *from) {
        if constexpr (width > 1 && aligned) {
            typedef typename cuox_word<bytes>::type word;
            *(word *)raw = *(const word *)from;
        } else {
#pragma unroll
            for (int j = 0; j < width; ++j)
                *(bare *)(raw + j * sizeof(bare)) = from[j];
        }
    }
    __device__ __forceinline__ cuox_element<cuox_type> at(int j) { return {(cuox_type *)(raw + j * sizeof(bare))}; }
};

struct cuox_plan {
    cuox_out *out;
    cuox_out *partial;
    unsigned int *arrived;
    cuox_index outputs, length;
    cuox_index tiles, splits;
    // The elements of each split, of a strided reduction.
    cuox_index chunk;
    cuox_index index_start;
    cuox_index kept_shape[cuox_kept_dims + 1], reduced_shape[cuox_reduced_dims + 1];
    cuox_index kept_stride[cuox_strided][cuox_kept_dims + 1], reduced_stride[cuox_strided][cuox_reduced_dims + 1];
    /*@fields*/
};

// Adds the strides of the position-th element of a shape to offsets.
template <int dims, bool dense>
__device__ __forceinline__ void cuox_locate(cuox_index position, const cuox_index (&shape)[dims + 1],
                                            const cuox_index (&stride)[cuox_strided][dims + 1], cuox_index (&offset)[cuox_strided]) {
#pragma unroll
    for (int d = dims - 1; d >= 0; --d) {
        cuox_index coordinate = position;
        if (d > 0) {
            if ((position | shape[d]) >> 32) {
                position = coordinate / shape[d];
            } else {
                position = (unsigned int)coordinate / (unsigned int)shape[d];
            }
            coordinate -= position * shape[d];
        }
#pragma unroll
        for (int v = 0; v < cuox_strided; ++v)
            offset[v] += coordinate * (dense && d == dims - 1 && v < cuox_strided - 2 ? cuox_sizes[v] : stride[v][d]);
    }
}
