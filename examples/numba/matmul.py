"""Multiply matrices of any shape: blocks of threads load tiles into shared memory."""

import numpy as np
from cuox.numba import cuda
from cuox.numba.cuda import float32

TPB = 16


@cuda.jit
def matmul(A, B, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)

    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y

    total = float32(0.0)
    for i in range((A.shape[1] + TPB - 1) // TPB):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and tx + i * TPB < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and ty + i * TPB < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            total += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = total


rng = np.random.default_rng(1)
a, b = rng.random((5, 37), np.float32), rng.random((37, 43), np.float32)
c = np.zeros((5, 43), np.float32)
blocks = ((c.shape[1] + TPB - 1) // TPB, (c.shape[0] + TPB - 1) // TPB)

d_c = cuda.to_device(c)
matmul[blocks, (TPB, TPB)](cuda.to_device(a), cuda.to_device(b), d_c)
np.testing.assert_allclose(d_c.copy_to_host(), a @ b, rtol=1e-5)
print("correct:", d_c.copy_to_host()[0, :3])
