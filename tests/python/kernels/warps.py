from cuox.numba import cuda


# launch_bounds=256
# (array(int32,1,C), array(int32,1,C))
def kernel(total, x):
    i = cuda.grid(1)
    value = x[i] if i < x.size else 0
    distance = 16
    while distance:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, distance)
        distance //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(total, 0, value)
    if cuda.syncthreads_or(value > 5):
        print("block", cuda.blockIdx.x, f"has {value:5d}")
