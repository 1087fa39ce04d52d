"""What goes wrong in a kernel arrives in Python: with the thread, the block and the line."""

import numpy as np
from cuox.numba import cuda


@cuda.jit(debug=True)
def check(values, limit):
    i = cuda.grid(1)
    if values[i] > limit:
        raise ValueError("a value is too large")


data = cuda.to_device(np.array([1.0, 2.0, 30.0]))
try:
    check[1, 3](data, 10.0)
except ValueError as error:
    print(error)
else:
    raise AssertionError("nothing was raised")

try:
    check[1, 4](data, 100.0)
except IndexError as error:
    print(error)
else:
    raise AssertionError("nothing was raised")
print("correct")
