"""`cuox.cuda.compute` beside NVIDIA's `cuda.compute`, CuPy and PyTorch on one GPU, in one process.

    CUOX_CACHE=0 python benches/compute_peers.py       # needs CuPy and PyTorch; NVIDIA's columns need `pip
    install cuda-cccl[cu13]`

Operators are `OpKind`s, for which NVIDIA's needs no compiler of Python. Times are the best of five runs by events;
those of whole calls are by the clock.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np

try:
    import cupy
    import torch
except ImportError as missing:
    print(f"nothing is measured: {missing}")
    raise SystemExit(0) from None


def seconds(work: Callable[[], Any], turns: int = 5) -> float:
    """Time of a call on the device."""
    for _ in range(3):
        work()
    best = float("inf")
    for _ in range(5):
        torch.cuda.synchronize()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record(torch.cuda.default_stream())
        for _ in range(turns):
            work()
        end.record(torch.cuda.default_stream())
        end.synchronize()
        best = min(best, begin.elapsed_time(end) / turns)
    return best / 1e3


def microseconds(work: Callable[[], Any], turns: int = 200) -> float:
    """Time of a call by the clock."""
    for _ in range(20):
        work()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(turns):
            work()
        best = min(best, (time.perf_counter() - begin) / turns)
    return best * 1e6


def figures(m: Any, data: dict[str, Any]) -> dict[str, float]:
    """What a module of these names takes."""
    found: dict[str, float] = {}

    def row(name: str, amount: float, unit: str, work: Callable[[], Any]) -> None:
        begin = time.perf_counter()
        try:
            work()
        except RuntimeError as error:
            print(f"{m.__name__}: {name}: {error}")
            return
        cupy.cuda.Device().synchronize()
        found[f"{name}: first call, ms"] = (time.perf_counter() - begin) * 1e3
        found[f"{name}: {unit}"] = amount / seconds(work)

    plus = m.OpKind.PLUS
    x, y, one, zero = data["x"], data["y"], data["one"], np.zeros(1, np.float32)
    n = x.size
    row(
        "sum of 2^28 float32",
        n * 4 / 1e12,
        "TB/s",
        lambda: m.reduce_into(d_in=x, d_out=one, num_items=n, op=plus, h_init=zero),
    )
    row(
        "scan of 2^28 float32",
        n * 8 / 1e12,
        "TB/s",
        lambda: m.inclusive_scan(d_in=x, d_out=y, op=plus, init_value=None, num_items=n),
    )
    row(
        "transform of 2^28 float32",
        n * 8 / 1e12,
        "TB/s",
        lambda: m.unary_transform(d_in=x, d_out=y, op=m.OpKind.NEGATE, num_items=n),
    )
    u, v, p, q = data["u"], data["v"], data["p"], data["q"]
    k = u.size
    up = m.SortOrder.ASCENDING
    row(
        "radix sort of 2^26 uint32",
        k / 1e9,
        "Gkey/s",
        lambda: m.radix_sort(d_in_keys=u, d_out_keys=v, d_in_values=None, d_out_values=None, num_items=k, order=up),
    )
    row(
        "radix sort of 2^26 uint32 pairs",
        k / 1e9,
        "Gkey/s",
        lambda: m.radix_sort(d_in_keys=u, d_out_keys=v, d_in_values=p, d_out_values=q, num_items=k, order=up),
    )
    row(
        "merge sort of 2^26 uint32",
        k / 1e9,
        "Gkey/s",
        lambda: m.merge_sort(
            d_in_keys=u, d_out_keys=v, d_in_values=None, d_out_values=None, num_items=k, op=m.OpKind.LESS
        ),
    )
    bins, part = data["bins"], x[:k]
    low, high = np.float32(0), np.float32(1)
    row(
        "histogram of 2^26 float32, 256 bins",
        k / 1e9,
        "Gitem/s",
        lambda: m.histogram_even(
            d_samples=part, d_histogram=bins, num_output_levels=257, lower_level=low, upper_level=high, num_samples=k
        ),
    )
    # An item is selected if it is 0: half of them are.
    halves, number = data["halves"], data["number"]
    row(
        "select of 2^26 float32",
        k / 1e9,
        "Gitem/s",
        lambda: m.select(d_in=halves, d_out=y, d_num_selected_out=number, cond=m.OpKind.LOGICAL_NOT, num_items=k),
    )
    starts, ends, sums = data["starts"], data["ends"], data["sums"]
    row(
        "sums of 65536 segments of 1024 float32",
        k * 4 / 1e12,
        "TB/s",
        lambda: m.segmented_reduce(
            d_in=part,
            d_out=sums,
            num_segments=starts.size,
            start_offsets_in=starts,
            end_offsets_in=ends,
            op=plus,
            h_init=zero,
        ),
    )
    small = x[: 1 << 20]

    def whole() -> float:
        m.reduce_into(d_in=small, d_out=one, num_items=small.size, op=plus, h_init=zero)
        return float(one[0])

    found["sum of 2^20 float32 and float(out[0]), us"] = microseconds(whole)
    return found


def main() -> None:
    random = cupy.random.default_rng(0)
    n, k = 1 << 28, 1 << 26
    x = random.random(n, dtype=cupy.float32)
    offsets = cupy.arange(0, k + 1, 1024, dtype=cupy.int64)
    data = {
        "x": x,
        "y": cupy.empty_like(x),
        "one": cupy.empty(1, cupy.float32),
        "u": random.integers(0, 1 << 32, k, dtype=cupy.uint32),
        "v": cupy.empty(k, cupy.uint32),
        "p": cupy.arange(k, dtype=cupy.uint32),
        "q": cupy.empty(k, cupy.uint32),
        "bins": cupy.empty(256, cupy.int32),
        "halves": x[:k] * (random.random(k, dtype=cupy.float32) < 0.5),
        "number": cupy.empty(1, cupy.int64),
        "starts": offsets[:-1].copy(),
        "ends": offsets[1:].copy(),
        "sums": cupy.empty(offsets.size - 1, cupy.float32),
    }
    columns: dict[str, dict[str, float]] = {}
    for name in ("cuox.cuda.compute", "cuda.compute"):
        try:
            columns[name] = figures(importlib.import_module(name), data)
        except ImportError as error:
            print(f"{name} is left out: {error}")
    rows = list(columns["cuox.cuda.compute"])
    print(f"{'':55}" + "".join(f"{name:>20}" for name in columns))
    for row in rows:
        print(f"{row:55}" + "".join(f"{column.get(row, float('nan')):20.3f}" for column in columns.values()))
    t, y = torch.as_tensor(x, device="cuda"), data["y"]
    print(
        f"CuPy: sum {n * 4 / seconds(x.sum) / 1e12:.2f} TB/s, scan {n * 8 / seconds(lambda: cupy.cumsum(x, out=y)) / 1e12:.2f}, sort {k / seconds(lambda: cupy.sort(data['u'])) / 1e9:.1f} Gkey/s"
    )
    print(
        f"PyTorch: sum {n * 4 / seconds(t.sum) / 1e12:.2f} TB/s, scan {n * 8 / seconds(lambda: torch.cumsum(t, 0)) / 1e12:.2f}; a copy {n * 8 / seconds(lambda: cupy.copyto(y, x)) / 1e12:.2f}"
    )
    small, tensor = x[: 1 << 20], t[: 1 << 20]
    from cuox.cuda import compute

    own = cuox.as_array(small)
    times = (
        microseconds(lambda: compute.reduce(own, 0.0, lambda a, b: a + b)),
        microseconds(lambda: float(small.sum())),
        microseconds(lambda: float(tensor.sum())),
    )
    print("sum of 2^20 with the result, us: cuox {:.1f}, CuPy {:.1f}, PyTorch {:.1f}".format(*times))


if __name__ == "__main__":
    main()
