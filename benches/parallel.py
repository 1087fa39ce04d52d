"""Reductions and scans beside CuPy's and NumPy's, where they are installed: `python benches/parallel.py [--small]`.

Times are the best of several; on a GPU they are measured with events around a run of launches.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
from cuox._native import _Reduction, _Scan

try:
    import cupy  # type: ignore[import-not-found,import-untyped,unused-ignore]
except ImportError:
    cupy = None


def seconds(work: Callable[[], object], wait: Callable[[], object], turns: int = 10) -> float:
    """Time of one call: the best of several runs of `turns` calls each."""
    best = float("inf")
    work()
    wait()
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(turns):
            work()
        wait()
        best = min(best, (time.perf_counter() - start) / turns)
    return best


def device_seconds(work: Callable[[], object], turns: int = 10) -> float:
    """The same, by events: without the time until the first launch has begun."""
    device = cuox.Device()
    stream = device.default_stream
    timed = {"timing_enabled": True}
    best = float("inf")
    work()
    stream.sync()
    for _ in range(5):
        start = stream.record(options=timed)
        for _ in range(turns):
            work()
        end = stream.record(options=timed)
        end.sync()
        best = min(best, (end - start) * 1e-3 / turns)
    return best


def show(what: str, time_here: float, unit: str, amount: float, others: dict[str, float]) -> None:
    """One line: the value in `unit`, and how many times as long the others take."""

    def value(one: float) -> str:
        return f"{one * 1e6:10.2f} us" if unit == "us" else f"{amount / one / 1e12:10.3f} TB/s"

    ratios = "   ".join(
        f"{name} {value(one).strip()} ({one / time_here:.2f}x the time)" for name, one in others.items()
    )
    print(f"{what:34} {value(time_here)}   {ratios}", flush=True)


def peers(array: np.ndarray, on_cupy: Callable[[Any], object], on_numpy: Callable[[], object]) -> dict[str, float]:
    """The times of CuPy, where it is installed on a GPU; else NumPy's."""
    if cupy is not None and not cuox.Device().is_soft:
        theirs = cupy.asarray(array)
        return {"CuPy": seconds(lambda: on_cupy(theirs), cupy.cuda.Device().synchronize)}
    return {"NumPy": seconds(on_numpy, lambda: None, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="sixteenths of the sizes, for the software GPU")
    small = parser.parse_args().small
    device = cuox.Device()
    device.set_current()
    print(f"{device.name}; cuox; NumPy {np.__version__}; CuPy {cupy.__version__ if cupy else 'not installed'}")
    random = np.random.default_rng(0)
    shift = 4 if small else 0

    total = _Reduction("float", "0", "a + b", "x[i]", [("const float", "x", True)], name="total")
    dot = _Reduction(
        "float", "0", "a + b", "x[i] * y[i]", [("const float", "x", True), ("const float", "y", True)], name="dot"
    )
    out = cuox.empty((), "f")

    host = random.random(1 << (28 - shift), dtype="f")
    x = cuox.to_device(host)
    others = peers(host, lambda a: a.sum(), lambda: host.sum())
    show(f"sum of {host.size} floats", device_seconds(lambda: total(x, out=out)), "TB/s", host.nbytes, others)
    half = host[: host.size // 2]
    y, z = x[: half.size], x[half.size :]
    others = peers(half, lambda a: cupy.dot(a, a), lambda: half @ half)
    show(f"dot of 2 x {half.size} floats", device_seconds(lambda: dot(y, z, out=out)), "TB/s", host.nbytes, others)
    moved = x[1:]
    show("sum, first element left out", device_seconds(lambda: total(moved, out=out)), "TB/s", host.nbytes, {})
    stepped = x[::2]
    show("sum of every second element", device_seconds(lambda: total(stepped, out=out)), "TB/s", host.nbytes, {})

    for n in (100, 1000, 10_000, 100_000):
        few = host[:n].copy()
        part = cuox.to_device(few)
        others = peers(few, lambda a: a.sum(), few.sum)
        show(f"sum of {n}, one after another", device_seconds(lambda p=part: total(p, out=out), 100), "us", 0, others)  # type: ignore[misc]

        def alone(part: cuox.Array = part) -> None:
            total(part, out=out)
            device.default_stream.sync()

        show(f"sum of {n}, waited for", seconds(alone, lambda: None, 20), "us", 0, {})

    columns = 1 << (13 - shift // 2)
    for shape in ((host.size // 4 // columns, columns), (host.size // 4 // 64, 64), (64, host.size // 4 // 64)):
        table = host[: shape[0] * shape[1]].reshape(shape)
        there = cuox.to_device(table)
        for axis in (0, 1):
            result = cuox.empty(shape[1 - axis], "f")
            others = peers(table, lambda a, axis=axis: a.sum(axis), lambda t=table, axis=axis: t.sum(axis))  # type: ignore[misc]
            here = device_seconds(lambda t=there, r=result, axis=axis: total(t, out=r, axis=axis))  # type: ignore[misc]
            show(f"sum of {shape} along axis {axis}", here, "TB/s", table.nbytes, others)

    line = host[: host.size // 2]
    there = cuox.to_device(line)
    for name, c_type, array in (("floats", "float", line), ("ints", "int", line.view("i"))):
        parameters = [(f"const {c_type}", "x", True), (c_type, "y", True)]
        source, target = there.view(array.dtype), cuox.empty(array.shape, array.dtype)
        for kind, statement in (("inclusive", "y[i] = item"), ("exclusive", "y[i] = prev_item")):
            kernel = _Scan(c_type, parameters, "x[i]", "a + b", "0", statement)
            others = peers(array, lambda a: cupy.cumsum(a), lambda a=array: np.cumsum(a, dtype=a.dtype))  # type: ignore[misc]
            here = device_seconds(lambda k=kernel, s=source, t=target: k(s, t))  # type: ignore[misc]
            show(f"{kind} scan of {line.size} {name}", here, "TB/s", 2 * line.nbytes, others)


if __name__ == "__main__":
    main()
