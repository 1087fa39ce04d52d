kernel void transposition(int w, int h, global const float *in, global float *out)
{
    local float tile[32][33];
    int x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * 32, top = get_group_id(1) * 32;
    for (int r = y; r < 32; r += 8) tile[r][x] = in[(top + r) * w + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = y; r < 32; r += 8) out[(left + r) * h + top + x] = tile[x][r];
}
