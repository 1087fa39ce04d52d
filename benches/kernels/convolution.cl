constant float filter[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};

kernel void convolution(int w, int h, global const float *image, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    float s = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int px = min(max(x + dx, 0), w - 1), py = min(max(y + dy, 0), h - 1);
            s += filter[(dy + 1) * 3 + dx + 1] * image[py * w + px];
        }
    out[y * w + x] = s;
}
