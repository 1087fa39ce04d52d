// # Indices that are clamped at the edges of an image: signed, unsigned, of 64 bits, backwards, and beyond what an int holds.
// arg w: s32 = 70
// arg h: s32 = 9
// in image: s32[630] = iota*3+-500
// run: kernel=blur grid=3,2 block=32,8|16,16|96,4|24,8
// out blurred: s32[630]
// agree blurred
// run: kernel=ends grid=3 block=64|32|100
// inout found: s32[1200] = iota
// agree found
extern "C" __global__ void blur(int w, int h, const int *image, int *blurred) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int s = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            s += image[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)] * (dy * 5 + dx + 13);
    blurred[y * w + x] = s;
}
extern "C" __global__ void ends(int w, int h, const int *image, int *found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = w * h;
    unsigned u = i;
    long long l = i;
    found[4 * i] = image[min(u + 600u, (unsigned)n - 1)] + image[max(u, 20u)];
    found[4 * i + 1] = image[min(max(l * 2 - 50, 0LL), (long long)n - 1)];
    found[4 * i + 2] = image[max(n - 200 - i, 0)] - image[min(500 - i, n - 1)];
    // Some of a warp's sums are more than an int holds.
    found[4 * i + 3] = image[max(0x7fffffff - 70 + (i & 63), 0x7ffffe00) - 0x7ffffe00];
}
