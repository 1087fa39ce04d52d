// y = A x with a sparse A in CSR form: one warp a row.
extern "C" __global__ void spmv(int rows, const int *start, const int *column, const float *value, const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float s = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) s += value[k] * x[column[k]];
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
    if (lane == 0) y[row] = s;
}
