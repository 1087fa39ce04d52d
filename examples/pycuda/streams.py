"""Streams: copies and kernels of four parts of an array overlap; events time them.

python examples/pycuda/streams.py
"""

import cuox.pycuda.autoinit  # noqa: F401
import cuox.pycuda.driver as cuda
import numpy as np
from cuox.pycuda.compiler import SourceModule

scale = SourceModule("""
__global__ void scale(float *x, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}
""").get_function("scale")

parts, n = 4, 1 << 16
# Asynchronous copies need memory that stays where it is.
host = cuda.pagelocked_empty((parts, n), np.float32)
host[:] = np.arange(n)
streams = [cuda.Stream() for _ in range(parts)]
memory = [cuda.mem_alloc(host[0].nbytes) for _ in range(parts)]

start, end = cuda.Event(), cuda.Event()
start.record()
for part, stream, x_gpu in zip(host, streams, memory):
    cuda.memcpy_htod_async(x_gpu, part, stream)
    scale(x_gpu, np.float32(3), np.int32(n), block=(256, 1, 1), grid=(n // 256, 1), stream=stream)
    cuda.memcpy_dtoh_async(part, x_gpu, stream)
for stream in streams:
    stream.synchronize()
end.record().synchronize()

assert (host == 3 * np.arange(n, dtype=np.float32)).all()
assert all(stream.is_done() for stream in streams) and end.time_since(start) > 0
print(f"{parts} parts in {parts} streams: correct")
