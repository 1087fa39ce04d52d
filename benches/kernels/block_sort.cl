kernel void block_sort(global const uint *keys, global uint *sorted)
{
    local uint s[1024];
    int t = get_local_id(0), at = get_group_id(0) * 1024;
    s[t] = keys[at + t];
    s[t + 512] = keys[at + t + 512];
    for (int k = 2; k <= 1024; k <<= 1)
        for (int j = k / 2; j; j >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int i = 2 * t - (t & (j - 1));
            uint a = s[i], b = s[i + j];
            if ((a > b) == ((i & k) == 0)) {
                s[i] = b;
                s[i + j] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    sorted[at + t] = s[t];
    sorted[at + t + 512] = s[t + 512];
}
