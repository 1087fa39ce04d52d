"""Errors: a wrong argument is refused at once, a fault of a kernel is found by `Context.synchronize()`, which names the
kernel.

python examples/pycuda/errors.py
"""

import cuox.pycuda.autoinit  # noqa: F401
import cuox.pycuda.driver as cuda
import numpy as np
from cuox.pycuda.compiler import SourceModule

fill = SourceModule("""
__global__ void fill(float *x, float value)
{
    x[threadIdx.x] = value;
}
""").get_function("fill")

x_gpu = cuda.mem_alloc(256)
try:
    fill(np.zeros(64, np.float32), np.float32(1), block=(64, 1, 1))
except TypeError as error:
    assert "fill" in str(error) and "device pointer" in str(error), error

try:
    cuda.mem_alloc(1 << 50)
except cuda.MemoryError as error:
    assert "are free" in str(error), error

# The address is no memory. The launch itself succeeds: the fault comes to light when the kernel has run.
fill(np.intp(64), np.float32(1), block=(64, 1, 1))
try:
    cuda.Context.synchronize()
except (cuda.LaunchError, cuda.LogicError) as error:
    assert "fill" in str(error), error
    print("all three errors were found: correct")
