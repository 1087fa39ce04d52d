"""Sums, running sums and extremes of an array, with operators in Python."""

import cuox
import numpy as np
from cuox.cuda import compute

x = np.arange(100_000, dtype=np.float64)

# In short: an array in, a number or an array out.
total = compute.reduce(x, 0.0, lambda a, b: a + b)
running = compute.scan(x, lambda a, b: a + b)
assert total == x.sum() and (running == np.cumsum(x)).all()

# As in programs for NVIDIA's cuda.compute: arrays on the device, results in arrays.
there, result = cuox.to_device(x), cuox.empty((1,), np.float64)
compute.reduce_into(d_in=there, d_out=result, num_items=x.size, op=compute.OpKind.MAXIMUM, h_init=np.array([-np.inf]))
assert result.to_host()[0] == x.max()


# Both extremes at once: a structure as an item, made of each element when it is read.
@compute.gpu_struct
class Extremes:
    least: np.float64
    most: np.float64


def joined(a, b):
    return Extremes(min(a.least, b.least), max(a.most, b.most))


pairs = compute.TransformIterator(there, lambda v: Extremes(v, v))
both = cuox.empty((1,), Extremes.dtype)
compute.reduce_into(d_in=pairs, d_out=both, num_items=x.size, op=joined, h_init=Extremes(np.inf, -np.inf))
least, most = both.to_host()[0]
assert (least, most) == (x.min(), x.max())
print("correct:", total, least, most)
