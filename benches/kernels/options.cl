kernel void options(int n, int paths, float spot, float rate, float volatility, global const float *strike, global float *price)
{
    int i = get_global_id(0);
    if (i >= n) return;
    uint r = (i + 1) * 2654435769u;
    float drift = rate - 0.5f * volatility * volatility, sum = 0;
    for (int p = 0; p < paths; p++) {
        r ^= r << 13, r ^= r >> 17, r ^= r << 5;
        float u = ((r >> 9) + 0.5f) * (1.0f / (1 << 23));
        r ^= r << 13, r ^= r >> 17, r ^= r << 5;
        float v = ((r >> 9) + 0.5f) * (1.0f / (1 << 23));
        float z = sqrt(-2.0f * log(u)) * cospi(2.0f * v);
        sum += fmax(spot * exp(drift + volatility * z) - strike[i], 0.0f);
    }
    price[i] = exp(-rate) * sum / paths;
}
