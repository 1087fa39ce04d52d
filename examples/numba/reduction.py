"""Sum an array: a tree in the shared memory of each block, and an atomic addition of the blocks' sums."""

import numpy as np
from cuox.numba import cuda

THREADS = 128


@cuda.jit
def block_sums(values, total):
    part = cuda.shared.array(THREADS, np.int64)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    part[thread] = values[i] if i < values.size else 0
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            part[thread] += part[thread + step]
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        cuda.atomic.add(total, 0, part[0])


values = np.arange(10_000)
total = cuda.to_device(np.zeros(1, np.int64))
block_sums[(values.size + THREADS - 1) // THREADS, THREADS](cuda.to_device(values), total)
assert total.copy_to_host()[0] == values.sum()
print("correct:", total.copy_to_host()[0])
