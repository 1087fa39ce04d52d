// A 3 x 3 filter over an image; beyond an edge, the edge's pixels go on.
__constant__ float filter[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};

extern "C" __global__ void convolution(int w, int h, const float *image, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float s = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
            s += filter[(dy + 1) * 3 + dx + 1] * image[py * w + px];
        }
    out[y * w + x] = s;
}
