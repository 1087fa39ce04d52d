kernel void scan_blocks(int n, global const int *x, global int *y, global int *totals)
{
    local int part[256];
    int t = get_local_id(0), at = get_group_id(0) * 2048 + t * 8;
    int v[8], own = 0;
    for (int k = 0; k < 8; k++) {
        v[k] = at + k < n ? x[at + k] : 0;
        own += v[k];
    }
    part[t] = own;
    for (int d = 1; d < 256; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int below = t >= d ? part[t - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[t] += below;
    }
    int s = part[t];
    if (t == 255) totals[get_group_id(0)] = s;
    s -= own;
    for (int k = 0; k < 8; k++) {
        if (at + k < n) y[at + k] = s;
        s += v[k];
    }
}

kernel void add_offsets(int n, global int *y, global const int *offsets)
{
    for (int k = 0; k < 8; k++) {
        int i = get_group_id(0) * 2048 + k * 256 + get_local_id(0);
        if (i < n) y[i] += offsets[get_group_id(0)];
    }
}
