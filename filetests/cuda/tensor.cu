// # Matrix products through mma.h, and fp8 through cuda_fp8.h. Small integers, so that every sum is exact.
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>
using namespace nvcuda;

// # C = A * B, 32 x 32 each, in 16 x 16 tiles by one warp each; A[r][k] = (r + 2k) % 5 - 2, B[k][c] = (3k + c) % 7 - 3.
__device__ int a_of(int r, int k) { return (r + 2 * k) % 5 - 2; }
__device__ int b_of(int k, int c) { return (3 * k + c) % 7 - 3; }

template <class T, class S, class B, class Convert>
__device__ void product(int *wrong, T *a, T *b, S *c, Convert convert) {
    for (int n = threadIdx.x; n < 1024; n += blockDim.x) {
        a[n] = convert(a_of(n / 32, n % 32));
        b[n] = convert(b_of(n % 32, n / 32));
    }
    __syncthreads();
    int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, B> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, S> sum;
    wmma::fill_fragment(sum, S(0));
    for (int k = 0; k < 32; k += 16) {
        wmma::load_matrix_sync(x, a + row * 32 + k, 32);
        wmma::load_matrix_sync(y, b + column * 32 + k, 32);
        wmma::mma_sync(sum, x, y, sum);
    }
    for (int n = 0; n < sum.num_elements; n++) sum.x[n] = sum.x[n] * S(2);
    wmma::store_matrix_sync(c + row * 32 + column, sum, 32, wmma::mem_row_major);
    __syncthreads();
    for (int n = threadIdx.x; n < 1024; n += blockDim.x) {
        int want = 0;
        for (int k = 0; k < 32; k++) want += a_of(n / 32, k) * b_of(k, n % 32);
        if (int(c[n]) != 2 * want) atomicAdd(wrong, 1);
    }
}
// run: kernel=halves block=128
// inout wrong: s32[1] = 0
// expect wrong = 0
extern "C" __global__ void halves(int *wrong) {
    __shared__ __half a[1024], b[1024];
    __shared__ float c[1024];
    product<__half, float, wmma::col_major>(wrong, a, b, c, [](int v) { return __int2half_rn(v); });
}
// run: kernel=bytes block=128
// inout wrong: s32[1] = 0
// expect wrong = 0
extern "C" __global__ void bytes(int *wrong) {
    __shared__ signed char a[1024], b[1024];
    __shared__ int c[1024];
    product<signed char, int, wmma::col_major>(wrong, a, b, c, [](int v) { return (signed char)v; });
}
// # Every e4m3 and e5m2 number through half and back; NaNs stay NaNs.
// run: kernel=narrow threads=256 block=64|16,4
// out r: u32[256]
// expect r = 0*256
extern "C" __global__ void narrow(unsigned *r) {
    int n = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __nv_fp8_e4m3 p;
    __nv_fp8_e5m2 q;
    p.__x = q.__x = n;
    __nv_fp8_e4m3 p2{__half(p)};
    __nv_fp8_e5m2 q2{float(q)};
    bool p_nan = (n & 0x7f) == 0x7f, q_nan = (n & 0x7f) > 0x7c, q_infinite = (n & 0x7f) == 0x7c;
    r[n] = (p_nan ? (p2.__x & 0x7f) != 0x7f : p2.__x != n) + 2 * (q_nan ? (q2.__x & 0x7f) != 0x7f : q_infinite ? (q2.__x != (n & 0x80) + 0x7b) : q2.__x != n);
}
