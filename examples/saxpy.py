"""SAXPY on a GPU, or on the software GPU if there is none. It needs no NumPy.

python examples/saxpy.py
"""

from array import array

import cuox

SOURCE = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""

device = cuox.Device()
device.set_current()
stream = device.create_stream()
kernel = cuox.Program(SOURCE, code_type="c++").compile("cubin").get_kernel("saxpy")

n = 1 << 16
x = array("f", range(n))
y = array("f", [1.0]) * n
dx = device.allocate(4 * n, stream=stream)
dy = device.allocate(4 * n, stream=stream)
dx.copy_from_host(x, stream=stream)
dy.copy_from_host(y, stream=stream)

cuox.launch(stream, cuox.LaunchConfig(grid=n // 256, block=256), kernel, 2.0, dx, dy, n)

dy.copy_to_host(y, stream=stream)
stream.sync()
assert all(y[i] == 2.0 * i + 1.0 for i in range(n))
print(f"{kernel.signature} on {device.name}: correct")
