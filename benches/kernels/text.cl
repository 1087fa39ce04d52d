int is_letter(uchar c)
{
    return (uchar)((c | 32) - 'a') < 26;
}

kernel void text(int n, global const uchar *in, global uchar *out, global uint *words)
{
    local uint count;
    int i = get_global_id(0);
    if (get_local_id(0) == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        uchar c = in[i];
        if (is_letter(c) && (i == 0 || !is_letter(in[i - 1]))) atomic_inc(&count);
        out[i] = is_letter(c) ? c & ~32 : c;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_add(words, count);
}
