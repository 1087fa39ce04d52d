// One step towards the solution of Poisson's equation; a 32 x 8 tile and its halo in shared memory. The edge stays.
extern "C" __global__ void jacobi(int w, int h, const float *source, const float *from, float *to)
{
    __shared__ float tile[10][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * w + x;
    float own = from[i];
    tile[ty][tx] = own;
    if (tx == 1 && x > 0) tile[ty][0] = from[i - 1];
    if (tx == 32 && x < w - 1) tile[ty][33] = from[i + 1];
    if (ty == 1 && y > 0) tile[0][tx] = from[i - w];
    if (ty == 8 && y < h - 1) tile[9][tx] = from[i + w];
    __syncthreads();
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        own = 0.25f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + source[i]);
    to[i] = own;
}
