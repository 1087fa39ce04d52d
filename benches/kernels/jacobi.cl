kernel void jacobi(int w, int h, global const float *source, global const float *from, global float *to)
{
    local float tile[10][34];
    int tx = get_local_id(0) + 1, ty = get_local_id(1) + 1;
    int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
    float own = from[i];
    tile[ty][tx] = own;
    if (tx == 1 && x > 0) tile[ty][0] = from[i - 1];
    if (tx == 32 && x < w - 1) tile[ty][33] = from[i + 1];
    if (ty == 1 && y > 0) tile[0][tx] = from[i - w];
    if (ty == 8 && y < h - 1) tile[9][tx] = from[i + w];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        own = 0.25f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + source[i]);
    to[i] = own;
}
