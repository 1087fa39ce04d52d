// The price of a European call for each strike, from random paths: xorshift32, Box-Muller, expf. Years to go: 1.
extern "C" __global__ void options(int n, int paths, float spot, float rate, float volatility, const float *strike, float *price)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned r = (i + 1) * 2654435769u;
    float drift = rate - 0.5f * volatility * volatility, sum = 0;
    for (int p = 0; p < paths; p++) {
        r ^= r << 13, r ^= r >> 17, r ^= r << 5;
        float u = ((r >> 9) + 0.5f) * (1.0f / (1 << 23));
        r ^= r << 13, r ^= r >> 17, r ^= r << 5;
        float v = ((r >> 9) + 0.5f) * (1.0f / (1 << 23));
        float z = sqrtf(-2.0f * logf(u)) * cospif(2.0f * v);
        sum += fmaxf(spot * expf(drift + volatility * z) - strike[i], 0.0f);
    }
    price[i] = expf(-rate) * sum / paths;
}
