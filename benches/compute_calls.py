"""What calls of `cuox.cuda.compute` cost, beside the same number of launches from C: until the work is in the stream,
and
with the result.

    CUOX_DEVICE=gpu python benches/compute_calls.py

One process, one context; nanoseconds per call. C and Python are timed in turn, because the clocks of a shared host
drift: differences are medians over these pairs. The kernels have little to do, so that the stream does not fill.
Operators are lambdas.
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import timeit
from collections.abc import Callable

import cuox
import numpy as np
from _beside import c_library, in_turn
from cuox import _native
from cuox.cuda import compute

COUNT, REPETITIONS = 300, 41
SOURCE = 'extern "C" __global__ void empty4(float a, float *x, float *y, int n) {}'
ITEMS = 1000


def main() -> None:
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    kernel = cuox.Program(SOURCE, code_type="c++").compile("ptx").get_kernel("empty4")
    x = cuox.to_device(np.ones(ITEMS, np.float32))
    names = {
        "launch": cuox.launch, "kernel": kernel, "config": cuox.LaunchConfig(grid=1, block=32), "stream": stream, "compute": compute, "n": ITEMS, "x": x,
        "y": cuox.empty((ITEMS,), np.float32), "one": cuox.empty((1,), np.float32), "number": cuox.empty((1,), np.int64), "zero": np.zeros(1, np.float32),
        "up": lambda a: a + 1, "add": lambda a, b: a + b, "positive": lambda a: a > 0, "large": cuox.to_device(np.ones(1 << 20, np.float32)),
    }  # fmt: skip
    driver = ctypes.CDLL(str(_native.driver_path()))
    floor = c_library("calls.c", ("launch",))
    values = (ctypes.c_float(1), ctypes.c_uint64(x.ptr), ctypes.c_uint64(x.ptr), ctypes.c_int(ITEMS))
    params = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
    entry, handle, queue = (
        ctypes.cast(driver.cuLaunchKernel, ctypes.c_void_p),
        ctypes.c_void_p(kernel.handle),
        ctypes.c_void_p(stream.handle),
    )

    def python(statement: str, count: int = COUNT) -> Callable[[], float]:
        timer = timeit.Timer(statement, globals=names)
        return lambda: timer.timeit(count) / count * 1e9

    calls = [
        "launch(stream, config, kernel, 1.0, x, y, n)",
        "compute.unary_transform(d_in=x, d_out=y, op=up, num_items=n, stream=stream)",
        "compute.reduce_into(d_in=x, d_out=one, num_items=n, op=add, h_init=zero, stream=stream)",
        "compute.inclusive_scan(d_in=x, d_out=y, op=add, num_items=n, stream=stream)",
        "compute.exclusive_scan(d_in=x, d_out=y, op=add, init_value=zero, num_items=n, stream=stream)",
        "compute.select(d_in=x, d_out=y, d_num_selected_out=number, cond=positive, num_items=n, stream=stream)",
    ]
    repeated = in_turn(
        [lambda: floor.launch(entry, handle, queue, params, COUNT), *map(python, calls)], stream.sync, REPETITIONS
    )
    launches = repeated[0]
    print(f"{device.name}, Python {sys.version.split()[0]}, {COUNT} calls a repetition, {REPETITIONS} repetitions, ns")
    print(f"{'a launch from C':<110} {statistics.median(launches):8.0f}")
    for text, costs in zip(calls, repeated[1:], strict=True):
        more = statistics.median(cost - launch for cost, launch in zip(costs, launches, strict=True))
        print(f"{text:<110} {statistics.median(costs):8.0f}   C + {more:5.0f}")
    waited = [
        "launch(stream, config, kernel, 1.0, x, y, n); stream.sync()",
        "compute.reduce(x, 0.0, add)",
        "compute.reduce(large, 0.0, add)",
    ]
    for text, costs in zip(
        waited, in_turn([python(text, 50) for text in waited], device.sync, REPETITIONS), strict=True
    ):
        print(f"{text:<110} {statistics.median(costs):8.0f}")


if __name__ == "__main__":
    main()
