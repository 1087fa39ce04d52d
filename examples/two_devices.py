"""One kernel runs on a GPU and on the software GPU; the results are compared bit by bit. It needs a GPU.

python examples/two_devices.py
"""

import struct
from array import array

import cuox

SOURCE = r"""
extern "C" __global__ void blend(const float *x, const float *y, float *z, float t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = sqrtf(x[i] * x[i] + y[i] * y[i]) * t + x[i] / (1.0f + y[i]);
}
"""
N = 100_000


def run(device: cuox.Device) -> array:
    device.set_current()
    stream = device.create_stream()
    kernel = cuox.Program(SOURCE, code_type="c++").compile("ptx").get_kernel("blend")
    x = array("f", (i * 0.37 % 11 for i in range(N)))
    y = array("f", (i * 0.61 % 7 for i in range(N)))
    z = array("f", bytes(4 * N))
    dx, dy, dz = (device.allocate(4 * N, stream=stream) for _ in range(3))
    dx.copy_from_host(x, stream=stream)
    dy.copy_from_host(y, stream=stream)
    cuox.launch(stream, cuox.LaunchConfig(grid=(N + 127) // 128, block=128), kernel, dx, dy, dz, 0.75, N)
    dz.copy_to_host(z, stream=stream)
    stream.sync()
    return z


soft = cuox.Device(0, kind="soft")
try:
    gpu = cuox.Device(0, kind="gpu")
except (cuox.NotFoundError, cuox.CUDAError) as error:
    raise SystemExit(f"there is no GPU to compare with: {str(error).splitlines()[0]}") from None
different = [
    i for i, (a, b) in enumerate(zip(run(soft), run(gpu), strict=True)) if struct.pack("f", a) != struct.pack("f", b)
]
print(f"{N - len(different)} of {N} results are the same bits on {soft.name} and {gpu.name}")
raise SystemExit(bool(different))
