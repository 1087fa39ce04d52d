// C = A B, 32 x 32 tiles of A and B in shared memory, 32 x 8 threads with four elements of C each.
extern "C" __global__ void matmul(int n, const float *a, const float *b, float *c)
{
    __shared__ float ta[32][32], tb[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    float s[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int r = 0; r < 32; r += 8) {
            ta[y + r][x] = a[(row + r) * n + k0 + x];
            tb[y + r][x] = b[(k0 + y + r) * n + col];
        }
        __syncthreads();
        for (int k = 0; k < 32; k++) {
            float v = tb[k][x];
            for (int r = 0; r < 4; r++) s[r] += ta[y + 8 * r][k] * v;
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) c[(row + 8 * r) * n + col] = s[r];
}
