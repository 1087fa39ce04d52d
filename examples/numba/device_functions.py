"""Functions that kernels call: in Python, nested, as lambdas, and in CUDA C++."""

import numpy as np
from cuox.numba import cuda


@cuda.jit(device=True)
def clamp(value, low=0.0, high=1.0):
    return min(max(value, low), high)


def apply(function, value):
    return function(value)


SOURCE = cuda.CUSource(r"""
extern "C" __device__ int twice(float *result, float x)
{
    *result = 2 * x;
    return 0;
}
""")
twice = cuda.declare_device("twice", "float32(float32)", link=SOURCE)


@cuda.jit
def work(values, scale):
    i = cuda.grid(1)
    if i < values.size:
        scaled = apply(lambda value: value * scale, values[i])
        values[i] = twice(clamp(scaled, high=0.5))


values = cuda.to_device(np.array([-1.0, 0.1, 0.2, 9.0], np.float32))
work[1, 32](values, 2)
np.testing.assert_allclose(values.copy_to_host(), [0.0, 0.4, 0.8, 1.0], rtol=1e-6)
print("correct:", values.copy_to_host())
