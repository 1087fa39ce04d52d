"""Kernels written in Python beside the same kernels in CUDA C++: time of the GPU, of a launch, of the first call.

    python benches/python_kernels.py            # on the device that cuox chooses
    python benches/python_kernels.py --numba    # with Numba's, where it is installed

GPU times are medians of 20 launches between events; a launch is the median of 7 rounds of 2000 calls.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from typing import Any

import cuox
import numpy as np
from cuox.numba import cuda

N = 1 << 22
SIDE = 1024


def copy(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


def saxpy(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = np.float32(2.5) * x[i] + y[i]


def stride_loop(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = x[i] + np.float32(1)


def transcendental(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = math.exp(-x[i] * x[i]) * math.sin(x[i]) + math.sqrt(x[i])


def transpose(x, y):
    tile = cuda.shared.array((32, 33), np.float32)
    column = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.y * 32 + cuda.threadIdx.y
    for k in range(0, 32, 8):
        tile[cuda.threadIdx.y + k, cuda.threadIdx.x] = x[row + k, column]
    cuda.syncthreads()
    column = cuda.blockIdx.y * 32 + cuda.threadIdx.x
    row = cuda.blockIdx.x * 32 + cuda.threadIdx.y
    for k in range(0, 32, 8):
        y[row + k, column] = tile[cuda.threadIdx.x, cuda.threadIdx.y + k]


def matmul(a, b, c):
    left = cuda.shared.array((16, 16), np.float32)
    right = cuda.shared.array((16, 16), np.float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = np.float32(0)
    for tile in range(a.shape[1] // 16):
        left[ty, tx] = a[row, tile * 16 + tx]
        right[ty, tx] = b[tile * 16 + ty, column]
        cuda.syncthreads()
        for k in range(16):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    c[row, column] = total


def block_sum(x, out):
    part = cuda.shared.array(256, np.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    part[t] = x[i]
    cuda.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])


def stencil(x, y):
    j, i = cuda.grid(2)
    if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
        y[i, j] = np.float32(0.25) * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


def histogram(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, int(x[i] * np.float32(64)) & 63, 1)


def mandelbrot(image, limit):
    column, row = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        cr = np.float32(-2) + np.float32(3) * np.float32(column) / np.float32(image.shape[1])
        ci = np.float32(-1.5) + np.float32(3) * np.float32(row) / np.float32(image.shape[0])
        zr = zi = np.float32(0)
        turns = np.int32(0)
        while turns < limit and zr * zr + zi * zi < np.float32(4):
            zr, zi = zr * zr - zi * zi + cr, np.float32(2) * zr * zi + ci
            turns = np.int32(turns + 1)
        image[row, column] = turns


SOURCE = r"""
extern "C" {
__global__ void copy(const float *x, float *y, long long n) { long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void saxpy(const float *x, float *y, long long n) { long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; if (i < n) y[i] = 2.5f * x[i] + y[i]; }
__global__ void stride_loop(const float *x, float *y, long long n) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) y[i] = x[i] + 1.0f;
}
__global__ void transcendental(const float *x, float *y, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = expf(-x[i] * x[i]) * sinf(x[i]) + sqrtf(x[i]);
}
__global__ void transpose(const float *x, float *y, int side) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * side + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x; row = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) y[(row + k) * side + column] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void matmul(const float *a, const float *b, float *c, int side) {
    __shared__ float left[16][16], right[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
    float total = 0;
    for (int tile = 0; tile < side / 16; ++tile) {
        left[ty][tx] = a[row * side + tile * 16 + tx];
        right[ty][tx] = b[(tile * 16 + ty) * side + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) total += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[row * side + column] = total;
}
__global__ void block_sum(const float *x, float *out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * (long long)blockDim.x + t];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, part[0]);
}
__global__ void stencil(const float *x, float *y, int side) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (0 < i && i < side - 1 && 0 < j && j < side - 1)
        y[i * side + j] = 0.25f * (x[(i - 1) * side + j] + x[(i + 1) * side + j] + x[i * side + j - 1] + x[i * side + j + 1]);
}
__global__ void histogram(const float *x, int *bins, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[int(x[i] * 64.0f) & 63], 1);
}
__global__ void mandelbrot(int *image, int side, int limit) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < side && column < side) {
        float cr = -2.0f + 3.0f * column / side, ci = -1.5f + 3.0f * row / side, zr = 0, zi = 0;
        int turns = 0;
        while (turns < limit && zr * zr + zi * zi < 4.0f) {
            float next = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = next;
            ++turns;
        }
        image[row * side + column] = turns;
    }
}
}
"""


def gpu_times(*calls: Any) -> list[float]:
    """Median milliseconds of the device for each call, taken in turns. A sample is ten launches, since events have a
    resolution of half a microsecond.
    """
    options = cuox.EventOptions(timing_enabled=True)
    device = cuox.Device()
    begin, end = device.create_event(options), device.create_event(options)
    stream = cuox.LEGACY_DEFAULT_STREAM
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(23):
        for call, samples in zip(calls, times, strict=True):
            call()
            begin.record(stream)
            for _ in range(10):
                call()
            end.record(stream)
            end.sync()
            samples.append((end - begin) / 10)
    return [statistics.median(samples[3:]) for samples in times]


def launch_time(call: Any) -> float:
    """Median nanoseconds of a call."""
    rounds = []
    for _ in range(7):
        start = time.perf_counter_ns()
        for _ in range(2000):
            call()
        rounds.append((time.perf_counter_ns() - start) / 2000)
        cuox.Device().sync()
    return statistics.median(rounds)


def cases(jit: Any) -> list[tuple[str, Any, tuple[Any, ...], Any]]:
    """Name, call of the kernel in Python, that in CUDA C++."""
    x = cuox.to_device(np.random.default_rng(1).random(N, np.float32))
    y = cuox.empty(N, np.float32)
    a, b, c = (cuox.to_device(np.random.default_rng(k).random((SIDE, SIDE), np.float32)) for k in range(3))
    one, bins, image = cuox.zeros(1, np.float32), cuox.zeros(64, np.int32), cuox.zeros((SIDE, SIDE), np.int32)
    code = cuox.Program(SOURCE, "beside.cu").compile()
    blocks, square, tiles = N // 256, (SIDE // 16, SIDE // 16), (SIDE // 32, SIDE // 32)
    flat = lambda array: array.reshape(-1)
    listed = [
        (copy, blocks, 256, (x, y), (x, y, N)), (saxpy, blocks, 256, (x, y), (x, y, N)), (stride_loop, 1056, 256, (x, y), (x, y, N)),
        (transcendental, blocks, 256, (x, y), (x, y, N)), (transpose, tiles, (32, 8), (a, b), (flat(a), flat(b), SIDE)),
        (matmul, square, (16, 16), (a, b, c), (flat(a), flat(b), flat(c), SIDE)), (block_sum, blocks, 256, (x, one), (x, one)),
        (stencil, square, (16, 16), (a, c), (flat(a), flat(c), SIDE)), (histogram, blocks, 256, (x, bins), (x, bins, N)),
        (mandelbrot, square, (16, 16), (image, np.int32(100)), (flat(image), SIDE, 100)),
    ]  # fmt: skip
    made = []
    for function, grid, block, ours, theirs in listed:
        python = jit(function)[grid, block]
        plain = code.get_kernel(function.__name__)[grid, block]
        made.append((function.__name__, lambda k=python, v=ours: k(*v), ours, lambda k=plain, v=theirs: k(*v)))
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numba", action="store_true", help="measure numba-cuda, too")
    options = parser.parse_args()
    print(cuox.Device().name, "cuox", cuox.__version__)
    print(f"{'kernel':<16}{'Python, us':>12}{'CUDA C++, us':>14}{'ratio':>8}")
    for name, python, _, plain in cases(cuda.jit):
        ours, theirs = gpu_times(python, plain)
        print(f"{name:<16}{ours * 1e3:>12.1f}{theirs * 1e3:>14.1f}{ours / theirs:>8.3f}")

    def four(a, b, n, s):
        i = cuda.grid(1)
        if i < n:
            b[i] = a[i] * s

    a, b = cuox.zeros(32, np.float32), cuox.zeros(32, np.float32)
    begin = time.perf_counter()
    kernel = cuda.jit(four)
    kernel[1, 32](a, b, 32, 2.5)
    cuox.Device().sync()
    print(
        f"first call {1e3 * (time.perf_counter() - begin):.1f} ms (again from the disk cache, unless CUOX_CACHE_DIR is new)"
    )
    configured = kernel[1, 32]
    print(
        f"launch of 4 arguments: {launch_time(lambda: configured(a, b, 32, 2.5)):.0f} ns; kernel[1, 32](...): {launch_time(lambda: kernel[1, 32](a, b, 32, 2.5)):.0f} ns"
    )
    plain = (
        cuox.Program(
            'extern "C" __global__ void four(float *a, float *b, long long n, double s) { int i = threadIdx.x; if (i < n) b[i] = a[i] * s; }',
            "four.cu",
        )
        .compile()
        .get_kernel("four")
    )
    set_up = plain[1, 32]
    print(f"the same kernel in CUDA C++ by cuox: {launch_time(lambda: set_up(a, b, 32, 2.5)):.0f} ns")
    if options.numba:
        from numba import cuda as numba_cuda

        theirs = numba_cuda.jit(four.__class__(four.__code__, {**four.__globals__, "cuda": numba_cuda}, "four"))
        begin = time.perf_counter()
        na, nb = numba_cuda.to_device(np.zeros(32, np.float32)), numba_cuda.to_device(np.zeros(32, np.float32))
        theirs[1, 32](na, nb, 32, 2.5)
        numba_cuda.synchronize()
        print(f"Numba: first call {1e3 * (time.perf_counter() - begin):.0f} ms")
        other = theirs[1, 32]
        print(f"Numba: launch {launch_time(lambda: other(na, nb, 32, 2.5)):.0f} ns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
