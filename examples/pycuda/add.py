"""Two arrays of any length are added, with a grid of blocks.

python examples/pycuda/add.py
"""

import cuox.pycuda.autoinit  # noqa: F401
import cuox.pycuda.driver as cuda
import numpy as np
from cuox.pycuda.compiler import SourceModule

add = SourceModule("""
__global__ void add(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}
""").get_function("add")

n = 1_000_000
x, y = np.random.rand(2, n).astype(np.float32)
x_gpu, y_gpu = cuda.to_device(x), cuda.to_device(y)
z_gpu = cuda.mem_alloc(x.nbytes)

threads = 256
add(x_gpu, y_gpu, z_gpu, np.int32(n), block=(threads, 1, 1), grid=((n + threads - 1) // threads, 1))

z = cuda.from_device_like(z_gpu, x)
assert (z == x + y).all()
print(f"{n} sums with {add.num_regs} registers a thread: correct")
