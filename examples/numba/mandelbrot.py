"""Mandelbrot's set as text: complex numbers, a function that returns early, and a grid of two dimensions."""

import numpy as np
from cuox.numba import cuda


@cuda.jit(device=True)
def steps(c, most=50):
    """How many steps of z = z * z + c stay near 0."""
    z = 0j
    for step in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4:
            return step
    return most


@cuda.jit
def mandelbrot(image, left, top, width, height):
    row, column = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        c = complex(left + width * column / image.shape[1], top - height * row / image.shape[0])
        image[row, column] = steps(c)


image = cuda.to_device(np.zeros((24, 64), np.uint8))
mandelbrot[(2, 4), (16, 16)](image, -2.0, 1.2, 3.0, 2.4)
found = image.copy_to_host()
for row in found[2:22:3]:
    print("".join(" .:-=+*#@"[value * 8 // 50] for value in row.tolist()))

for row, column in ((12, 20), (3, 40), (12, 30), (20, 50)):
    assert found[row, column] == steps.py_func(complex(-2.0 + 3.0 * column / 64, 1.2 - 2.4 * row / 24))
print("correct")
