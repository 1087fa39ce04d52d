#line 7 "matmul.py"
extern "C" __global__ void kernel(array<float32, 2, 'C'> a, array<float32, 2, 'C'> b, array<float32, 2, 'C'> c) {
    __shared__ alignas(4) unsigned char shared[1024]; array<float32, 2, 'C'> tile_a = array<float32, 2, 'C'>{(float32 *)shared, {16, 16}};
    __shared__ alignas(4) unsigned char shared_2[1024]; array<float32, 2, 'C'> tile_b = array<float32, 2, 'C'>{(float32 *)shared_2, {16, 16}};
    int64 row = py::grid_x(); int64 column = py::grid_y();
    int32 i = int32(threadIdx.x); int32 j = int32(threadIdx.y);
    float32 total = 0.0f;
    for (int64 start = 0ll; start < a.shape[1]; start += 16ll) {
        tile_a(i, j) = float32(row < a.shape[0] && start + int64(j) < a.shape[1] ? float64(a(row, start + int64(j))) : 0.0);
        tile_b(i, j) = float32(start + int64(i) < b.shape[0] && column < b.shape[1] ? float64(b(start + int64(i), column)) : 0.0);
        __syncthreads();
        for (int64 k = 0ll; k < 16ll; ++k) {
            total = total + tile_a(i, k) * tile_b(k, j);
        }
#line 19 "matmul.py"
        __syncthreads();
    }
#line 20 "matmul.py"
    if (row < c.shape[0] && column < c.shape[1]) {
        c(row, column) = total;
    }
}
