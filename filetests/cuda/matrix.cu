// # Tiled matrix product, 48 x 48.
// in a: f32[2304] = random(11)
// in b: f32[2304] = random(12)
// run: kernel=product grid=3,3 block=16,16
// out c: f32[2304]
// agree c
// run: kernel=identity grid=3,3 block=16,16
// out c: f32[2304]
// expect c = 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48
// expect c = 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48
// expect c = 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48
// expect c = 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1 0*48 1
template <class A, class B> __device__ float entry(A a, B b, int n) {
    __shared__ float s[16][17], t[16][17];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a(row, k + x);
        t[y][x] = b(k + y, col);
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    return sum;
}
extern "C" __global__ void product(const float *a, const float *b, float *c) {
    float v = entry([=](int r, int k) { return a[r * 48 + k]; }, [=](int k, int q) { return b[k * 48 + q]; }, 48);
    c[(blockIdx.y * 16 + threadIdx.y) * 48 + blockIdx.x * 16 + threadIdx.x] = v;
}
// # The 48 x 48 matrix of a permutation times its transpose.
extern "C" __global__ void identity(const float *, const float *, float *c) {
    float v = entry([](int r, int k) { return k == (r * 5 + 3) % 48 ? 1.f : 0.f; },
                    [](int k, int q) { return k == (q * 5 + 3) % 48 ? 1.f : 0.f; }, 48);
    c[(blockIdx.y * 16 + threadIdx.y) * 48 + blockIdx.x * 16 + threadIdx.x] = v;
}
