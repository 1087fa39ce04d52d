"""Algorithms of `cuox.cuda.compute` beside NumPy's, and on a GPU beside CuPy's: time of a call with arrays on the device, and of the first call.

    python benches/compute.py                       # on the device that cuox chooses
    CUOX_DEVICE=gpu python benches/compute.py       # with CuPy, where it is installed
    python benches/compute.py --log 20              # 2**20 items instead of 2**24

Times are medians of 7 calls, each waited for.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np

from cuox.cuda import compute


def timed(call: Callable[[], Any], wait: Callable[[], Any]) -> float:
    """Milliseconds of a call."""
    call()
    wait()
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--log", type=int, default=24, help="the binary logarithm of the number of items")
    count = 1 << parser.parse_args().log
    device = cuox.Device()
    device.set_current()
    rng = np.random.default_rng(0)
    floats, ints = rng.random(count, np.float32), rng.integers(0, 1 << 32, count, np.uint32)
    x, u = cuox.to_device(floats), cuox.to_device(ints)
    one, out, other = cuox.empty((1,), np.float32), cuox.empty((count,), np.float32), cuox.empty((count,), np.uint32)
    number, bins = cuox.empty((1,), np.int64), cuox.empty((256,), np.int32)
    zero = np.zeros(1, np.float32)
    order = compute.SortOrder.ASCENDING
    cases: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
        "sum": (lambda: compute.reduce_into(d_in=x, d_out=one, num_items=count, op=lambda a, b: a + b, h_init=zero), lambda m: m.sum),
        "scan": (lambda: compute.inclusive_scan(d_in=x, d_out=out, op=lambda a, b: a + b, num_items=count), lambda m: m.cumsum),
        "transform": (lambda: compute.unary_transform(d_in=x, d_out=out, op=lambda a: a * a + 1, num_items=count), lambda m: lambda a: a * a + 1),
        "select": (lambda: compute.select(d_in=x, d_out=out, d_num_selected_out=number, cond=lambda a: a > 0.5, num_items=count), lambda m: lambda a: a[a > 0.5]),
        "radix sort, uint32": (lambda: compute.radix_sort(d_in_keys=u, d_out_keys=other, num_items=count, order=order), lambda m: m.sort),
        "merge sort, float32": (lambda: compute.merge_sort(d_in_keys=x, d_out_keys=out, num_items=count, op=lambda a, b: a < b), lambda m: m.sort),
        "histogram, 256 bins": (
            lambda: compute.histogram_even(d_samples=x, d_histogram=bins, num_output_levels=257, lower_level=np.float32(0), upper_level=np.float32(1), num_samples=count),
            lambda m: lambda a: m.histogram(a, 256, (0, 1)),
        ),
    }
    cupy = None
    if not device.is_soft:
        try:
            import cupy
        except ImportError:
            print("CuPy is not installed: its column is left out")
    print(f"{device.name}, {count} items; milliseconds")
    print(f"{'':22} {'first call':>11} {'cuox':>9} {'NumPy':>9} {'ratio':>7}" + (f" {'CuPy':>9}" if cupy else ""))
    for name, (call, peer) in cases.items():
        begin = time.perf_counter()
        call()
        device.sync()
        first = (time.perf_counter() - begin) * 1e3
        ours = timed(call, device.sync)
        host = ints if "uint32" in name else floats
        theirs = timed(lambda: peer(np)(host), lambda: None)  # noqa: B023
        line = f"{name:22} {first:11.1f} {ours:9.2f} {theirs:9.2f} {ours / theirs:7.2f}"
        if cupy:
            there = cupy.asarray(host)
            line += f" {timed(lambda: peer(cupy)(there), cupy.cuda.Device().synchronize):9.3f}"  # noqa: B023
        print(line)


if __name__ == "__main__":
    main()
