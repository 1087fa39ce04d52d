"""Add two vectors with a kernel in Python: one thread for each element."""

import numpy as np
from cuox.numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


n = 100_000
x = cuda.to_device(np.arange(n, dtype=np.float32))
y = cuda.to_device(np.ones(n, dtype=np.float32))
out = cuda.device_array_like(x)

threads = 256
blocks = (n + threads - 1) // threads
add[blocks, threads](x, y, out)

assert (out.copy_to_host() == np.arange(n, dtype=np.float32) + 1).all()

# The same with a thread for each element counted by cuox.
add.forall(n)(x, out, out)
print("correct:", out.copy_to_host()[:5])
