"""Copies and kernels in two streams, pinned host memory, and the time between two events."""

import numpy as np
from cuox.numba import cuda


@cuda.jit
def square(values):
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        values[i] *= values[i]


halves = []
start, end = cuda.event(), cuda.event()
start.record()
for half in range(2):
    stream = cuda.stream()
    host = cuda.pinned_array(50_000, np.float32)
    host[:] = np.arange(50_000) + half
    device = cuda.to_device(host, stream=stream)
    square[32, 128, stream](device)
    device.copy_to_host(host, stream=stream)
    halves.append((stream, host))
for half, (stream, host) in enumerate(halves):
    stream.synchronize()
    assert (host == (np.arange(50_000, dtype=np.float32) + half) ** 2).all()
end.record()
end.synchronize()
assert cuda.event_elapsed_time(start, end) > 0
print("correct:", halves[1][1][:4])
