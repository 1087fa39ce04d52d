"""Streaming kernels on the software GPU beside the same loops in C on as many threads, and what starting costs.

One process, in turn: C, kernel, C, kernel, ...; the ratio is taken pair by pair and its median printed, because the
speed of a shared machine drifts. `CC` names the compiler (it must know -fopenmp).
"""

from __future__ import annotations

import ctypes
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("CUOX_DEVICE", "soft")
import cuox
import numpy as np
from _beside import c_library

SOURCE = r"""
extern "C" __global__ void copy(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void saxpy_stride(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
extern "C" __global__ void vecadd(int n, const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
extern "C" __global__ void triad(int n, double a, const double *x, const double *y, double *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + a * y[i];
}
extern "C" __global__ void empty(float a, float *x, float *y, int n) {}
"""
N, PAIRS = 1 << 24, 15


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def on_device(device: cuox.Device, values: np.ndarray) -> tuple[cuox.Buffer, np.ndarray]:
    """A buffer of the software GPU and NumPy's view of it: its addresses are the host's."""
    buffer = device.mem_alloc(values.nbytes)
    buffer.copy_from_host(values)
    return buffer, values


def main() -> int:
    device = cuox.Device()
    device.set_current()
    if not device.is_soft:
        raise SystemExit("this benchmark is about the software GPU: CUOX_DEVICE=soft")
    stream = device.create_stream()
    print(
        f"{device.name}; {platform.processor() or platform.machine()}, {os.cpu_count()} processors; Python {sys.version.split()[0]}"
    )

    ptx = cuox.Program(SOURCE, code_type="c++").compile("ptx")
    one = cuox.Program(
        SOURCE[
            SOURCE.index('extern "C" __global__ void saxpy(') : SOURCE.index('extern "C" __global__ void saxpy_stride')
        ]
    )
    text = bytes(one.compile("ptx").code)
    native = c_library("streams.c", (), ("-O3", "-march=native", "-fopenmp"))
    config = cuox.LaunchConfig(grid=N // 256, block=256)
    single = {
        name: on_device(device, np.random.default_rng(i).random(N, dtype=np.float32)) for i, name in enumerate("xyz")
    }
    double = {name: on_device(device, np.random.default_rng(i).random(N // 2)) for i, name in enumerate("xyz")}

    small = single["x"][0], single["y"][0]

    def first_launch() -> None:
        kernel = cuox.ObjectCode.from_ptx(text).get_kernel("saxpy")
        cuox.launch(stream, cuox.LaunchConfig(grid=1, block=256), kernel, 256, 2.0, *small)
        stream.sync()

    first = [seconds(first_launch) * 1e3 for _ in range(11)]
    print(
        f"SAXPY, PTX text to the end of its first launch: {first[0]:.2f} ms at first, then {statistics.median(first[1:]):.2f} ms (median)"
    )

    empty = ptx.get_kernel("empty")
    tiny = cuox.LaunchConfig(grid=1, block=32)

    def launches(count: int) -> None:
        for _ in range(count):
            cuox.launch(stream, tiny, empty, 1.0, *small, 1)
        stream.sync()

    def round_trips(count: int) -> None:
        for _ in range(count):
            cuox.launch(stream, tiny, empty, 1.0, *small, 1)
            stream.sync()

    launches(100)
    sustained = statistics.median(seconds(lambda: launches(500)) / 500 for _ in range(9))
    trip = statistics.median(seconds(lambda: round_trips(200)) / 200 for _ in range(9))
    print(
        f"an empty kernel: {sustained * 1e6:.2f} us each, submitted and run; {trip * 1e6:.2f} us with a wait after each"
    )

    f, d = ctypes.c_float, ctypes.c_double
    pointer = {id(group): {k: ctypes.c_void_p(int(v[0])) for k, v in group.items()} for group in (single, double)}
    rows = [
        ("copy", "copy", single, N, None, "xy", 2),
        ("saxpy", "saxpy", single, N, 1.5, "xy", 3),
        ("saxpy, grid-stride", "saxpy_stride", single, N, 1.5, "xy", 3),
        ("vecadd", "vecadd", single, N, None, "xyz", 3),
        ("triad, f64", "triad", double, N // 2, 1.5, "xyz", 3),
    ]
    print(f"{'kernel':<20} {'C, GB/s':>9} {'cuox, GB/s':>11} {'cuox / C':>9}")
    for title, name, group, n, scale, names, streams in rows:
        kernel = ptx.get_kernel(name)
        shape = (
            cuox.LaunchConfig(grid=64, block=256)
            if "stride" in name
            else config
            if group is single
            else cuox.LaunchConfig(grid=n // 256, block=256)
        )
        scalar = [] if scale is None else [scale]
        buffers = [group[k][0] for k in names]
        c_function = getattr(native, name.removesuffix("_stride"))
        c_scalar = [] if scale is None else [(f if group is single else d)(scale)]
        c_args = [ctypes.c_int(n), *c_scalar, *(pointer[id(group)][k] for k in names)]

        def run_kernel(kernel=kernel, shape=shape, n=n, scalar=scalar, buffers=buffers) -> None:
            cuox.launch(stream, shape, kernel, n, *scalar, *buffers)
            stream.sync()

        def run_c(c_function=c_function, c_args=c_args) -> None:
            c_function(*c_args)

        run_kernel(), run_c()
        pairs = [(seconds(run_c), seconds(run_kernel)) for _ in range(PAIRS)]
        amount = streams * n * (4 if group is single else 8) / 1e9
        c_rate = statistics.median(amount / c for c, _ in pairs)
        rate = statistics.median(amount / k for _, k in pairs)
        ratio = statistics.median(c / k for c, k in pairs)
        print(f"{title:<20} {c_rate:9.1f} {rate:11.1f} {ratio:9.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
