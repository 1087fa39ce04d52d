// OpenCL C 1.2 has neither shuffles nor atomics on float: a tree in local memory, and compare-and-swap.
kernel void dot_product(int n, global const float *x, global const float *y, volatile global uint *sum)
{
    local float part[256];
    int t = get_local_id(0);
    float s = 0;
    for (int k = 0; k < 16; k++) {
        int i = get_group_id(0) * 4096 + k * 256 + t;
        if (i < n) s += x[i] * y[i];
    }
    part[t] = s;
    for (int d = 128; d; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) part[t] += part[t + d];
    }
    if (t == 0) {
        uint seen = *sum, was;
        do {
            was = seen;
            seen = atomic_cmpxchg(sum, was, as_uint(as_float(was) + part[0]));
        } while (seen != was);
    }
}
