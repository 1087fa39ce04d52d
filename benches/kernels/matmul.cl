kernel void matmul(int n, global const float *a, global const float *b, global float *c)
{
    local float ta[32][32], tb[32][32];
    int x = get_local_id(0), y = get_local_id(1);
    int col = get_group_id(0) * 32 + x, row = get_group_id(1) * 32 + y;
    float s[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int r = 0; r < 32; r += 8) {
            ta[y + r][x] = a[(row + r) * n + k0 + x];
            tb[y + r][x] = b[(k0 + y + r) * n + col];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; k++) {
            float v = tb[k][x];
            for (int r = 0; r < 4; r++) s[r] += ta[y + 8 * r][k] * v;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 4; r++) c[(row + 8 * r) * n + col] = s[r];
}
