// # CUB in logical warps of any width and in blocks that are no multiple of a warp, against plain loops.
// run: kernel=warps grid=1 block=96
// inout wrong: s32[1] = 0
// expect wrong = 0
// out done: s32[96]
// expect done = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// expect done = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// run: kernel=odd grid=1 block=33
// inout wrong: s32[1] = 0
// expect wrong = 0
// out done: s32[33]
// expect done = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// run: kernel=cube grid=1 block=8,4,3
// inout wrong: s32[1] = 0
// expect wrong = 0
// out done: s32[96]
// expect done = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// expect done = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#define OK(c) do { if (!(c)) atomicAdd(wrong, 1); } while (0)
__device__ unsigned mix(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; return x; }
template <class T> __device__ T value(int i) { return (T)(int)(mix(i * 13 + 5) % 201) - (T)100; }
__device__ int rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ bool mark(int i) { return mix(i + 7) % 3 == 0; }
struct Max { template <class T> __device__ T operator()(T x, T y) const { return x > y ? x : y; } };
// # Maps from x to a x + b modulo 2^16, one after the other. It matters which comes first.
struct Maps {
    __device__ unsigned operator()(unsigned x, unsigned y) const {
        unsigned a = x & 0xffff, b = x >> 16, c = y & 0xffff, d = y >> 16;
        return (a * c & 0xffff) | (b * c + d) << 16;
    }
};
struct Pair {
    int count; double sum;
    __device__ bool operator==(const Pair &o) const { return count == o.count && sum == o.sum; }
};
struct Add { __device__ Pair operator()(Pair x, Pair y) const { return {x.count + y.count, x.sum + y.sum}; } };
template <> __device__ Pair value<Pair>(int i) { return {(int)(mix(i) % 50), mix(i + 1) % 64 * .25}; }
template <> __device__ unsigned value<unsigned>(int i) { return mix(i); }

template <class T, int W> __device__ void warp(int *wrong) {
    using R = cub::WarpReduce<T, W>; using S = cub::WarpScan<T, W>;
    __shared__ typename R::TempStorage reduce[96 / W]; __shared__ typename S::TempStorage scan[96 / W];
    // # Of other widths than powers of two there is one logical warp in each warp.
    bool power = (W & (W - 1)) == 0;
    int r = rank(), w = power ? r / W : r / 32, lane = power ? r % W : r % 32, base = r - lane, end = base + W;
    if (lane >= W) return;
    unsigned members = (W == 32 ? ~0u : (1u << W % 32) - 1) << (r % 32 - lane);
    T v = value<T>(r), sum = 0, upto = 0, most = v, half = value<T>(base), out, before;
    for (int i = base; i < end; i++) {
        T x = value<T>(i);
        sum += x; most = Max()(most, x);
        if (i <= r) upto += x;
        if (i < base + W / 2) half = Max()(half, x);
    }
    out = R(reduce[w]).Sum(v); if (lane == 0) OK(out == sum); __syncwarp(members);
    out = R(reduce[w]).Reduce(v, Max()); if (lane == 0) OK(out == most); __syncwarp(members);
    out = R(reduce[w]).Reduce(v, Max(), W / 2); if (lane == 0) OK(out == half); __syncwarp(members);
    bool head = lane == 0 || mark(r);
    out = R(reduce[w]).HeadSegmentedSum(v, head);
    if (head) { T s = v; for (int i = r + 1; i < end && !mark(i); i++) s += value<T>(i); OK(out == s); }
    __syncwarp(members);
    out = R(reduce[w]).TailSegmentedSum(v, lane == W - 1 || mark(r));
    if (lane == 0 || mark(r - 1)) { T s = v; for (int i = r; i < end - 1 && !mark(i); i++) s += value<T>(i + 1); OK(out == s); }
    __syncwarp(members);
    S(scan[w]).InclusiveSum(v, out); OK(out == upto); __syncwarp(members);
    S(scan[w]).Scan(v, out, before, T(3), cuda::std::plus<>()); OK(before == (T)(3 + upto - v)); OK(out == (T)(3 + upto)); __syncwarp(members);
    S(scan[w]).ExclusiveScan(v, before, T(3), cuda::std::plus<>(), out); OK(before == (T)(3 + upto - v)); OK(out == sum); __syncwarp(members);
    OK(S(scan[w]).Broadcast(v, W / 3) == value<T>(base + W / 3)); __syncwarp(members);
}
extern "C" __global__ void warps(int *wrong, int *done) {
    warp<int, 16>(wrong); warp<short, 4>(wrong); warp<int, 12>(wrong);
    warp<long long, 24>(wrong); warp<double, 8>(wrong); warp<signed char, 32>(wrong);
    done[rank()] = 1;
}
template <class T, int X, int Y, int Z, cub::BlockReduceAlgorithm A, class Op> __device__ void reduce(int *wrong, Op op) {
    constexpr int N = X * Y * Z; using B = cub::BlockReduce<T, X, A, Y, Z>;
    __shared__ typename B::TempStorage temp;
    int r = rank(); T two[2] = {value<T>(2 * r), value<T>(2 * r + 1)};
    T out = B(temp).Reduce(two, op); __syncthreads();
    T all = value<T>(0); for (int i = 1; i < 2 * N; i++) all = op(all, value<T>(i));
    if (r == 0) OK(out == all);
    out = B(temp).Reduce(two[0], op, N - 5); __syncthreads();
    all = value<T>(0); for (int i = 1; i < N - 5; i++) all = op(all, value<T>(2 * i));
    if (r == 0) OK(out == all);
}
template <class T, int X, int Y, int Z, cub::BlockScanAlgorithm A, class Op> __device__ void scan(int *wrong, Op op, T first) {
    constexpr int N = X * Y * Z; using B = cub::BlockScan<T, X, A, Y, Z>;
    __shared__ typename B::TempStorage temp;
    int r = rank(); T in[3], out[3], upto[3], before[3], all = value<T>(0), total;
    for (int i = 0; i < 3 * N; i++) {
        if (i / 3 == r) { in[i % 3] = value<T>(i); before[i % 3] = i ? op(first, all) : first; }
        if (i) all = op(all, value<T>(i));
        if (i / 3 == r) upto[i % 3] = all;
    }
    B(temp).InclusiveScan(in, out, op, total); __syncthreads();
    for (int i = 0; i < 3; i++) OK(out[i] == upto[i]);
    OK(total == all);
    B(temp).ExclusiveScan(in, out, first, op); __syncthreads();
    for (int i = 0; i < 3; i++) OK(out[i] == before[i]);
}
template <int X, int Y, int Z> __device__ void sort(int *wrong) {
    constexpr int N = X * Y * Z; using B = cub::BlockRadixSort<double, X, 2, int, 4, true, cub::BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, Y, Z>;
    __shared__ typename B::TempStorage temp;
    int r = rank(); double keys[2]; int from[2];
    for (int i = 0; i < 2; i++) { from[i] = 2 * r + i; keys[i] = value<double>(from[i] / 3) / 8; }
    B(temp).SortDescendingBlockedToStriped(keys, from); __syncthreads();
    for (int i = 0; i < 2; i++) {
        int ahead = 0;
        for (int e = 0; e < 2 * N; e++) { double k = value<double>(e / 3) / 8; ahead += k > keys[i] || (k == keys[i] && e < from[i]); }
        OK(ahead == i * N + r); OK(keys[i] == value<double>(from[i] / 3) / 8);
    }
}
template <int X, int Y, int Z> __device__ void block(int *wrong, int *done) {
    if constexpr (Y == 1) {
        reduce<int, X, Y, Z, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(wrong, cuda::std::plus<>());
        scan<unsigned, X, Y, Z, cub::BLOCK_SCAN_RAKING>(wrong, Maps(), 1u);
        reduce<Pair, X, Y, Z, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(wrong, Add());
    } else {
        reduce<unsigned, X, Y, Z, cub::BLOCK_REDUCE_RAKING>(wrong, Maps());
        scan<int, X, Y, Z, cub::BLOCK_SCAN_RAKING_MEMOIZE>(wrong, Max(), -200);
        scan<Pair, X, Y, Z, cub::BLOCK_SCAN_WARP_SCANS>(wrong, Add(), Pair{0, .5});
    }
    sort<X, Y, Z>(wrong);
    done[rank()] = 1;
}
extern "C" __global__ void __launch_bounds__(33) odd(int *wrong, int *done) { block<33, 1, 1>(wrong, done); }
extern "C" __global__ void __launch_bounds__(96) cube(int *wrong, int *done) { block<8, 4, 3>(wrong, done); }
