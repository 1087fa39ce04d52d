// Rows become columns, through a tile of shared memory with a column to spare; 32 x 8 threads, four elements each.
extern "C" __global__ void transposition(int w, int h, const float *in, float *out)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
    for (int r = y; r < 32; r += 8) tile[r][x] = in[(top + r) * w + left + x];
    __syncthreads();
    for (int r = y; r < 32; r += 8) out[(left + r) * h + top + x] = tile[x][r];
}
