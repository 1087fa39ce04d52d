// How soon z -> z * z + c escapes from each point of a grid. Neighbouring threads leave the loop at different times.
extern "C" __global__ void julia(int w, int h, int limit, float cx, float cy, int *out)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    float x = 3.0f * px / w - 1.5f, y = 2.0f * py / h - 1.0f;
    int k = 0;
    while (k < limit && x * x + y * y <= 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        k++;
    }
    out[py * w + px] = k;
}
