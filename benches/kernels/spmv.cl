// 128 work-items, four rows; `rows` is a multiple of four.
kernel void spmv(int rows, global const int *start, global const int *column, global const float *value, global const float *x, global float *y)
{
    local float part[128];
    int t = get_local_id(0), row = get_global_id(0) / 32, lane = t % 32;
    float s = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) s += value[k] * x[column[k]];
    part[t] = s;
    for (int d = 16; d; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < d) part[t] += part[t + d];
    }
    if (lane == 0) y[row] = part[t];
}
