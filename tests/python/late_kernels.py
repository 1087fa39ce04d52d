"""Kernels that take a while, so that work which is put into no order overtakes other work."""

from __future__ import annotations

import os

import cuox
import numpy as np

SIZE = 256
# Each kernel takes a while that differs, so that work which is not put in order overtakes other work.
SOURCE = r"""
__device__ int late(int turns) {
    unsigned v = turns;
    for (int i = 0; i < turns; i++) v = (v ^ v >> 3) * 1664525 + 1013904223;
    return v & turns >> 30;  // 0, which the compiler cannot know
}
extern "C" __global__ void step(int *y, int n, int factor, int term, int turns) {
    int late_zero = late(turns);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = y[i] * factor + term + late_zero;
}
extern "C" __global__ void add(int *out, const int *x, const int *y, int n, int turns) {
    int late_zero = late(turns);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = x[i] + y[i] + late_zero;
}
extern "C" __global__ void signal(volatile int *flags) {
    flags[0] = 1;
    for (long long i = 0; i < 2000000000 && flags[1] == 0; i++) { }
    flags[2] = flags[1];
}
extern "C" __global__ void answer(volatile int *flags) {
    for (long long i = 0; i < 2000000000 && flags[0] == 0; i++) { }
    flags[1] = 5;
}
"""
TURNS = 20_000 if os.environ.get("CUOX_DEVICE") == "gpu" else 30_000


def late_kernels(device):
    """The kernels by name, compiled, on an idle device."""
    program = cuox.Program(SOURCE).compile("ptx")
    found = {name: program.get_kernel(name) for name in ("step", "add", "signal", "answer")}
    y = cuox.zeros(SIZE, np.int32)
    found["step"][1, 32](y, SIZE, 1, 0, 0)
    found["add"][1, 32](y, y, y, SIZE, 0)
    device.sync()
    return found


def blocking(device):
    return device.create_stream(options=cuox.StreamOptions(nonblocking=False))
