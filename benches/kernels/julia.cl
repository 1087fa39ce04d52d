kernel void julia(int w, int h, int limit, float cx, float cy, global int *out)
{
    int px = get_global_id(0), py = get_global_id(1);
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
