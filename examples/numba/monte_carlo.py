"""Estimate pi by throwing points at a square: each thread has random numbers of its own, and counts into its own
element.
"""

import math

import numpy as np
from cuox.numba import cuda
from cuox.numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

THREADS, POINTS = 64 * 128, 100


@cuda.jit
def throw(states, count, inside):
    thread = cuda.grid(1)
    hits = 0
    for _ in range(count):
        x = xoroshiro128p_uniform_float64(states, thread)
        y = xoroshiro128p_uniform_float64(states, thread)
        hits += x * x + y * y < 1
    inside[thread] = hits


states = create_xoroshiro128p_states(THREADS, seed=1)
inside = cuda.device_array(THREADS, np.int32)
throw[THREADS // 128, 128](states, POINTS, inside)
pi = 4 * inside.copy_to_host().mean() / POINTS
assert abs(pi - math.pi) < 0.02
print("correct:", round(float(pi), 2))
