"""Estimate pi by throwing points at a square: each thread has random numbers of its own, and blocks add up what they counted."""

import math

import numpy as np

from cuox.numba import cuda

MULTIPLIER, INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)


@cuda.jit(device=True)
def following(state):
    """The next state of a linear congruential generator; integers of 64 bits wrap around."""
    return state * MULTIPLIER + INCREMENT


@cuda.jit(device=True)
def uniform(state):
    """A float from 0 to 1 of the upper 53 bits."""
    return (state >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@cuda.jit
def throw(count, inside):
    thread = cuda.grid(1)
    state = following(np.uint64(thread) * np.uint64(0x9E3779B97F4A7C15))
    hits = 0
    for _ in range(count):
        state = following(state)
        x = uniform(state)
        state = following(state)
        y = uniform(state)
        hits += x * x + y * y < 1
    cuda.atomic.add(inside, 0, hits)


threads, points = 64 * 128, 100
inside = cuda.to_device(np.zeros(1, np.int64))
throw[64, 128](points, inside)
pi = 4 * inside.copy_to_host()[0] / (threads * points)
assert abs(pi - math.pi) < 0.02
print("correct:", round(pi, 2))
