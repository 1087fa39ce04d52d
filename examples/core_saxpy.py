"""SAXPY with the objects of cuox.cuda.core, in the short forms that only cuox has (docs/cuda-core.md).

    python examples/core_saxpy.py

It needs NumPy.
"""

import numpy as np
from cuox.cuda.core import Device, LaunchConfig, Program

source = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""

device = Device(0)
device.use()

program = Program(source, "saxpy.cu")
program.compile(["--gpu-architecture=compute_70"])

n = 1 << 16
a = 2.0
x = np.arange(n, dtype=np.float32)
y = np.ones(n, dtype=np.float32)
dx = device.mem_alloc(x.nbytes)
dy = device.mem_alloc(y.nbytes)
dx.copy_from_host(x)
dy.copy_from_host(y)

config = LaunchConfig(grid=n // 256, block=256)
program.saxpy[config](a, dx, dy, n)
device.synchronize()

result = np.empty_like(y)
dy.copy_to_host(result)
assert np.array_equal(result, a * x + y)
print(f"saxpy of {n} floats on {device.name}: correct")
