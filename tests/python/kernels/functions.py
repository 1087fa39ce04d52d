import math

from cuox.numba import cuda

SCALE = 2.5


@cuda.jit(device=True)
def length(x, y, *, scale=SCALE):
    """The length of a vector."""
    return scale * math.sqrt(x * x + y * y)


@cuda.jit(device=True)
def both(x, y):
    return y, x


# (array(float64,1,C), array(float32,1,C), int32)
def kernel(found, x, n):
    offset = 3

    def shifted(value, by=offset):
        return value + by

    square = lambda value: value * value
    for i in range(n):
        found[i] = length(x[i], shifted(i)) + length(x[i], x[i], scale=1.0)
        found[i] += square(found[i]) + square(i)
        first, second = both(i, x[i])
        found[i] -= first + second
