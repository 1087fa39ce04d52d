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

extern "C" __global__ void __launch_bounds__(cuox_threads) /*@name*/(/*@parameters*/const __grid_constant__ cuox_plan cuox_p) {
    /*@aliases*/
    auto cuox_neutral = [&]() -> cuox_out {
        cuox_out value = /*@neutral*/;
        return value;
    };
    auto cuox_reduce = [&](cuox_out a, cuox_out b) -> cuox_out {
        return (/*@reduce_expr*/);
    };
    auto cuox_map = [&](cuox_index i/*@map_parameters*/) -> cuox_out {
        return (/*@map_expr*/);
    };
    alignas(alignof(cuox_out)) __shared__ unsigned char cuox_raw[cuox_threads * sizeof(cuox_out)];
    __shared__ bool cuox_last;
    cuox_out *const cuox_shared = (cuox_out *)cuox_raw;

    const int thread = threadIdx.x;
    const int lane = cuox_lanes == 1 ? 0 : cuox_height == 1 ? thread : cuox_along_outputs ? thread % cuox_lanes : thread / cuox_height;
    const int row = cuox_lanes == 1 ? thread : cuox_height == 1 ? 0 : cuox_along_outputs ? thread / cuox_lanes : thread % cuox_height;

    // The results of all rows, combined by a tree of sixteen branches: in the threads of row 0.
    auto cuox_combine = [&](cuox_out value) -> cuox_out {
        cuox_out *const own = cuox_shared + row * cuox_lanes + lane;
#pragma unroll(cuox_tree_unroll)
        for (int from = cuox_height; from > 1; from /= 16) {
            const int to = from > 16 ? from / 16 : 1;
            if (row >= to && row < from)
                *own = value;
            __syncthreads();
            if (row < to) {
#pragma unroll(cuox_tree_unroll)
                for (int other = to; other < from; other += to)
                    value = cuox_reduce(value, own[other * cuox_lanes]);
            }
        }
        return value;
    };

    const cuox_index work = cuox_p.tiles * cuox_p.splits;
#pragma unroll 1
    for (cuox_index block = blockIdx.x; block < work; block += gridDim.x) {
        const cuox_index tile = cuox_p.splits == 1 ? block : block / cuox_p.splits;
        const cuox_index split = block - tile * cuox_p.splits;
        // The last tile begins earlier if it were not full, so that no branch parts its threads: some results are computed twice, to the same bits.
        const cuox_index most = cuox_p.outputs - cuox_lanes;
        const cuox_index output = (tile * cuox_lanes < most ? tile * cuox_lanes : most) + lane;
        cuox_out sums[cuox_unroll] = {/*@neutrals*/};
/*@body*/
#pragma unroll
        for (int step = 1; step < cuox_unroll; step *= 2)
#pragma unroll
            for (int u = 0; u + step < cuox_unroll; u += 2 * step)
                sums[u] = cuox_reduce(sums[u], sums[u + step]);
        cuox_out sum = sums[0];
        bool writes = true;
        // First the block's sum, then that of all blocks: one loop, as each copy of the tree costs compile time.
#pragma unroll 1
        for (bool is_last_round = cuox_p.splits == 1;; is_last_round = true) {
            sum = cuox_combine(sum);
            if (is_last_round)
                break;
            cuox_out *const partial = cuox_p.partial + tile * cuox_p.splits * cuox_lanes + lane;
            if (row == 0)
                partial[split * cuox_lanes] = sum;
            __threadfence();
            __syncthreads();
            // The counter goes back to 0 with the last arrival.
            if (thread == 0)
                cuox_last = atomicInc(cuox_p.arrived + tile, (unsigned int)cuox_p.splits - 1) == cuox_p.splits - 1;
            __syncthreads();
            writes = cuox_last;
            if (!writes)
                break;
            __threadfence();
            sum = cuox_neutral();
#pragma unroll 1
            for (cuox_index s = row; s < cuox_p.splits; s += cuox_height)
                sum = cuox_reduce(sum, partial[s * cuox_lanes]);
        }
        if (writes && row == 0) {
            cuox_index offset[cuox_strided] = {};
            cuox_locate<cuox_kept_dims, cuox_dense && cuox_along_outputs>(output, cuox_p.kept_shape, cuox_p.kept_stride, offset);
            cuox_out &out = *(cuox_out *)((char *)cuox_p.out + offset[cuox_strided - 1]);
            (void)out;
            /*@store*/;
        }
        __syncthreads();
    }
}
