"""Algorithms of `cuox.cuda.compute` beside NumPy's, and on a GPU beside CuPy's: time of a call with arrays on the
device,
and of the first call.

    python benches/compute.py                       # on the device that cuox chooses
    CUOX_DEVICE=gpu python benches/compute.py       # with CuPy, where it is installed
    python benches/compute.py --log 20              # 2**20 items instead of 2**24

Times are medians of 7 calls, each waited for. Where g++ and TBB are installed, the software GPU's are beside the C++
library's with std::execution::par, too (parallel_stl.cpp).
"""

from __future__ import annotations

import argparse
import operator
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import cuox
import numpy as np
from cuox.cuda import compute


class Case(NamedTuple):
    """An algorithm."""

    name: str
    call: Callable[[], Any]
    # The same by NumPy, or by a module with its names.
    peer: Callable[[Any], Any]
    host: Any
    # Not for CuPy, which lacks it or does it in another way.
    only_numpy: bool = False
    # The name in parallel_stl.cpp.
    stl: str = ""


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


def by_parallel_stl(log: int) -> dict[str, float]:
    """Milliseconds of the C++ library's algorithms; none if they cannot be built."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(__file__).with_name("parallel_stl.cpp"), f"{folder}/parallel_stl"
        try:
            subprocess.run(
                ["g++", "-O3", "-march=native", "-std=c++17", str(source), "-ltbb", "-o", program],
                check=True,
                capture_output=True,
            )
            lines = subprocess.run([program, str(log)], check=True, capture_output=True, text=True).stdout.splitlines()
        except (OSError, subprocess.CalledProcessError):
            print("g++ or TBB is not installed: the column of std::execution::par is left out")
            return {}
    return {name: float(milliseconds) for name, milliseconds in (line.rsplit(" ", 1) for line in lines)}


def cases(count: int) -> list[Case]:
    """All algorithms, of so many items."""
    rng = np.random.default_rng(0)
    floats, ints = rng.random(count, np.float32), rng.integers(0, 1 << 32, count, np.uint32)
    keys = np.sort(rng.integers(0, count // 8, count, np.int32))
    rows = floats.reshape(-1, min(1024, count))
    starts = np.arange(0, count, rows.shape[1])
    x, u, k = cuox.to_device(floats), cuox.to_device(ints), cuox.to_device(keys)
    begins, ends = cuox.to_device(starts), cuox.to_device(starts + rows.shape[1])
    one, sums, number, numbers = (
        cuox.empty((1,), np.float32),
        cuox.empty((starts.size,), np.float32),
        cuox.empty((1,), np.int64),
        cuox.empty((2,), np.int64),
    )
    out, second, third = (cuox.empty((count,), np.float32) for _ in range(3))
    out_ints, out_keys, places, bins = (
        cuox.empty((count,), np.uint32),
        cuox.empty((count,), np.int32),
        cuox.empty((count,), np.int64),
        cuox.empty((256,), np.int32),
    )
    zero, up = np.zeros(1, np.float32), compute.SortOrder.ASCENDING
    segments = {"num_segments": starts.size, "start_offsets_in": begins, "end_offsets_in": ends}

    def runs(a: Any) -> Any:
        begin = np.flatnonzero(np.diff(a, prepend=-1))
        return a[begin], np.diff(begin, append=a.size)

    def sums_of_runs(a: Any) -> Any:
        begin = np.flatnonzero(np.diff(a, prepend=-1))
        return a[begin], np.add.reduceat(floats, begin)

    return [
        Case(
            "sum, float32",
            lambda: compute.reduce_into(d_in=x, d_out=one, num_items=count, op=operator.add, h_init=zero),
            lambda m: m.sum,
            floats,
            stl="sum",
        ),
        Case(
            "scan, float32",
            lambda: compute.inclusive_scan(d_in=x, d_out=out, op=operator.add, num_items=count),
            lambda m: m.cumsum,
            floats,
            stl="scan",
        ),
        Case(
            "transform, float32",
            lambda: compute.unary_transform(d_in=x, d_out=out, op=lambda a: a * a + 1, num_items=count),
            lambda m: lambda a: a * a + 1,
            floats,
            stl="transform",
        ),
        Case(
            "select, float32",
            lambda: compute.select(
                d_in=x, d_out=out, d_num_selected_out=number, cond=lambda a: a > 0.5, num_items=count
            ),
            lambda m: lambda a: a[a > 0.5],
            floats,
            stl="select",
        ),
        Case(
            "partition in three",
            lambda: compute.three_way_partition(
                d_in=x,
                d_first_part_out=out,
                d_second_part_out=second,
                d_unselected_out=third,
                d_num_selected_out=numbers,
                select_first_part_op=lambda a: a < 0.3,
                select_second_part_op=lambda a: a > 0.6,
                num_items=count,
            ),
            lambda m: lambda a: (a[a < 0.3], a[a > 0.6], a[(a >= 0.3) & (a <= 0.6)]),
            floats,
        ),
        Case(
            "radix sort, uint32",
            lambda: compute.radix_sort(d_in_keys=u, d_out_keys=out_ints, num_items=count, order=up),
            lambda m: m.sort,
            ints,
            stl="sort of uint32",
        ),
        Case(
            "merge sort, float32",
            lambda: compute.merge_sort(d_in_keys=x, d_out_keys=out, num_items=count, op=operator.lt),
            lambda m: lambda a: m.sort(a, kind="stable"),
            floats,
            stl="stable sort of float32",
        ),
        Case(
            "sorts of segments",
            lambda: compute.segmented_sort(d_in_keys=x, d_out_keys=out, num_items=count, order=up, **segments),
            lambda m: lambda a: m.sort(a, axis=1),
            rows,
            stl="sorts of segments",
        ),
        Case(
            "sums of segments",
            lambda: compute.segmented_reduce(d_in=x, d_out=sums, op=operator.add, h_init=zero, **segments),
            lambda m: lambda a: m.sum(a, axis=1),
            rows,
        ),
        Case(
            "histogram, 256 bins",
            lambda: compute.histogram_even(
                d_samples=x,
                d_histogram=bins,
                num_output_levels=257,
                lower_level=np.float32(0),
                upper_level=np.float32(1),
                num_samples=count,
            ),
            lambda m: lambda a: m.histogram(a, 256, (0, 1)),
            floats,
        ),
        Case(
            "unique by key, int32",
            lambda: compute.unique_by_key(
                d_in_keys=k,
                d_in_items=x,
                d_out_keys=out_keys,
                d_out_items=out,
                d_out_num_selected=number,
                op=operator.eq,
                num_items=count,
            ),
            lambda m: lambda a: m.unique(a, return_index=True),
            keys,
            only_numpy=True,
        ),
        Case(
            "lengths of runs, int32",
            lambda: compute.run_length_encode(
                d_in=k, d_unique_out=out_keys, d_counts_out=places, d_num_runs_out=number, num_items=count
            ),
            lambda m: runs,
            keys,
            only_numpy=True,
        ),
        Case(
            "sums of runs, float32",
            lambda: compute.reduce_by_key(
                d_keys_in=k,
                d_values_in=x,
                d_unique_out=out_keys,
                d_aggregates_out=out,
                d_num_runs_out=number,
                op=operator.add,
                num_items=count,
            ),
            lambda m: sums_of_runs,
            keys,
            only_numpy=True,
        ),
        Case(
            "differences, float32",
            lambda: compute.adjacent_difference(d_in=x, d_out=out, num_items=count),
            lambda m: m.diff,
            floats,
        ),
        Case(
            "lower bound, int32",
            lambda: compute.lower_bound(d_data=k, num_items=count, d_values=k, num_values=count, d_out=places),
            lambda m: lambda a: m.searchsorted(a, a),
            keys,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--log", type=int, default=24, help="the binary logarithm of the number of items")
    log = parser.parse_args().log
    device = cuox.Device()
    device.set_current()
    cupy, stl = None, {}
    if device.is_soft:
        stl = by_parallel_stl(log)
    else:
        try:
            import cupy
        except ImportError:
            print("CuPy is not installed: its column is left out")
    print(f"{device.name}, {1 << log} items; milliseconds")
    print(
        f"{'':22} {'first call':>11} {'cuox':>9} {'NumPy':>9} {'ratio':>7}"
        + (f" {'CuPy':>9}" if cupy else f" {'par':>9} {'ratio':>7}" if stl else "")
    )
    for case in cases(1 << log):
        begin = time.perf_counter()
        case.call()
        device.sync()
        first = (time.perf_counter() - begin) * 1e3
        ours, theirs = timed(case.call, device.sync), timed(lambda: case.peer(np)(case.host), lambda: None)
        line = f"{case.name:22} {first:11.1f} {ours:9.2f} {theirs:9.2f} {ours / theirs:7.2f}"
        if cupy and not case.only_numpy:
            there = cupy.asarray(case.host)
            line += f" {timed(lambda: case.peer(cupy)(there), cupy.cuda.Device().synchronize):9.3f}"
        if case.stl in stl:
            line += f" {stl[case.stl]:9.2f} {ours / stl[case.stl]:7.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
