// # Library functions: what they come to is the same in both engines, and near the truth where that is known.
// in x: f32[64] = special 0.1 0.5 0.7 1 1.5 2 3 -0.1 -0.5 -2 -7.5 10 100 1e-5 1e10 -1e-30 20 -20 80 -80 0.25 4 9 16 25 36 49 64 3.5 4.5 5.5 -3.5 -4.5 -5.5 6.5 7.5 8.5 9.5
// run: kernel=singles grid=1 block=64|33|8,8
// out r: f32[640]
// agree r
// run: kernel=doubles grid=1 block=64|33|8,8
// out r: f64[512]
// agree r
// run: kernel=exact grid=1 block=64|8,8
// out r: f32[6]
// expect r = 3 2 0.5 -2 1024 8
#include <cuda_fp16.h>
#define AT(k) r[(k) * 64 + i]
extern "C" __global__ void singles(const float *x, float *r) {
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    float v = x[i];
    AT(0) = sinf(v);
    AT(1) = expf(v);
    AT(2) = logf(v);
    AT(3) = powf(v, 2.5f);
    AT(4) = tanhf(v);
    AT(5) = rsqrtf(v);
    AT(6) = fmodf(v, 0.3f);
    AT(7) = roundf(v) + rintf(v) * 3 + floorf(v) * 5 + ceilf(v) * 7;
    AT(8) = erff(v);
    AT(9) = __half2float(__float2half(v)) + __half2float(__hadd(__float2half(v), __float2half(1.f)));
}
extern "C" __global__ void doubles(const float *x, double *r) {
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    double v = x[i];
    AT(0) = sin(v);
    AT(1) = exp(v);
    AT(2) = log(v);
    AT(3) = pow(v, -1.5);
    AT(4) = cbrt(v);
    AT(5) = sqrt(v) / (v + 3);
    AT(6) = fmod(v, 0.3);
    AT(7) = atan2(v, 2.0);
}
extern "C" __global__ void exact(const float *x, float *r) {
    float one = x[8];
    r[0] = sqrtf(9 * one);
    r[1] = log2f(4 * one);
    r[2] = fminf(0.5f * one, nanf(""));
    r[3] = copysignf(2 * one, -0.f);
    r[4] = exp2f(10 * one);
    r[5] = truncf(8.99f * one);
}
