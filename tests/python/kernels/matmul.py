from cuox.numba import cuda, float32

TILE = 16


# (array(float32,2,C), array(float32,2,C), array(float32,2,C))
def kernel(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    row, column = cuda.grid(2)
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[i, j] = a[row, start + j] if row < a.shape[0] and start + j < a.shape[1] else 0
        tile_b[i, j] = b[start + i, column] if start + i < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[i, k] * tile_b[k, j]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total
