"""Count letters: each block counts in its shared memory with atomic additions, then adds its counts to those of all."""

import numpy as np
from cuox.numba import cuda

BINS = 256


@cuda.jit
def count(text, total):
    mine = cuda.shared.array(BINS, np.int32)
    for i in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        mine[i] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), text.size, cuda.gridsize(1)):
        cuda.atomic.add(mine, text[i], 1)
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        if mine[i]:
            cuda.atomic.add(total, i, mine[i])


text = np.frombuffer(b"the quick brown fox jumps over the lazy dog " * 500, np.uint8)
total = cuda.to_device(np.zeros(BINS, np.int32))
count[16, 128](cuda.to_device(text), total)
assert (total.copy_to_host() == np.bincount(text, minlength=BINS)).all()
print("correct:", {letter: int(total.copy_to_host()[ord(letter)]) for letter in "aeiou"})
