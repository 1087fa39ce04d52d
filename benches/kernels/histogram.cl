kernel void histogram(int n, global const uchar *data, global uint *bins)
{
    local uint own[256];
    own[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++) {
        int i = get_group_id(0) * 16384 + k * 256 + get_local_id(0);
        if (i < n) atomic_inc(&own[data[i]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[get_local_id(0)], own[get_local_id(0)]);
}
