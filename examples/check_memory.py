"""The software GPU finds a kernel that writes past the end of its memory, and names the thread and the line.

python examples/check_memory.py
"""

import sys

import cuox

SOURCE = r"""
__global__ void smooth(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)   // should be <
        y[i] = 0.5f * x[i];
}
"""

device = cuox.Device()
if not device.is_soft:
    print(
        "On a GPU, NVIDIA's compute-sanitizer finds it: compute-sanitizer python program.py. The correct guard is i < n."
    )
    sys.exit(0)
device.set_current()
device.check = "memory"
stream = device.create_stream()
options = cuox.ProgramOptions(name="smooth.cu", lineinfo=True)
smooth = cuox.Program(SOURCE, options=options).compile("ptx", name_expressions=["smooth"]).get_kernel("smooth")

n = 1000
x = device.allocate(4 * n + 4, stream=stream)
y = device.allocate(4 * n, stream=stream)
x.fill(0, stream=stream)
try:
    cuox.launch(stream, cuox.LaunchConfig(grid=4, block=256), smooth, x, y, n)
    stream.sync()
except cuox.CUDAError as error:
    print(error)
    print("The correct guard is i < n.")
else:
    sys.exit("the access went unnoticed")
