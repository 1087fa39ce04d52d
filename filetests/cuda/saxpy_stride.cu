// # Grid-stride loop.
// arg n: u32 = 1000
// arg a: f32 = 2.5
// in x: f32[1000] = iota*3+-500
// inout y: f32[1000] = iota*2+1
// run: kernel=saxpy grid=3 block=64|33|16,4
// agree y
// run: kernel=saxpy grid=1 block=1
// agree y
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
    int threads = blockDim.x * blockDim.y * gridDim.x;
    int first = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += threads) y[i] = a * x[i] + y[i];
}
