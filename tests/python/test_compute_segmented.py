"""Reductions of segments of all lengths, by threads, warps and blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute.algorithms import _segmented


def latest(a: Any, b: Any) -> Any:
    """Associative; it does not commute."""
    return b if b != 0 else a


def found(x: np.ndarray, starts: np.ndarray, ends: np.ndarray, op: Callable[..., Any], init: int) -> list[int]:
    out = cuox.empty((len(starts),), x.dtype)
    compute.segmented_reduce(
        d_in=cuox.to_device(x),
        d_out=out,
        num_segments=len(starts),
        start_offsets_in=cuox.to_device(starts),
        end_offsets_in=cuox.to_device(ends),
        op=op,
        h_init=np.array([init], x.dtype),
    )
    return out.to_host().tolist()  # type: ignore[no-any-return]


def expected(x: np.ndarray, starts: np.ndarray, ends: np.ndarray, op: Callable[..., Any], init: int) -> list[int]:
    results = []
    for start, end in zip(starts, ends, strict=True):
        value = init
        for one in x[start:end].tolist():
            value = op(value, one)
        results.append(value)
    return results


@pytest.mark.parametrize("spread", [-1, -8, -256, 2, 16, 32, 256])
@pytest.mark.parametrize("op", [latest, lambda a, b: a if a > b else b])
def test_segments_of_all_lengths(op: Callable[..., Any], spread: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_segmented, "_spread", lambda num_segments, stream: spread)
    rng = np.random.default_rng(0)
    for lengths in (
        [0],
        [1],
        [3, 4, 5],
        [127, 128, 129, 0, 1, 2],
        rng.integers(0, 300, 100),
        [5000, 0, 17],
        [16383, 3, 16384, 16385, 0, 100000, 543, 544, 545],
    ):
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        for dtype in (np.int64, np.int8):
            x = rng.integers(0, 5, int(offsets[-1]) + 1).astype(dtype)
            starts, ends = offsets[:-1].copy(), offsets[1:].copy()
            assert found(x, starts, ends, op, 3) == expected(x, starts, ends, op, 3)


@pytest.mark.parametrize("spread", [-1, -8, -256, 2, 16, 32, 256])
def test_segments_may_overlap_and_be_out_of_order(spread: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_segmented, "_spread", lambda num_segments, stream: spread)
    x = np.arange(1000, dtype=np.int32) % 7
    starts, ends = np.array([500, 0, 0, 990, 10]), np.array([700, 1000, 1, 1000, 5])
    assert found(x, starts, ends, latest, 9) == expected(x, starts, ends, latest, 9)


LENGTHS = [0, 1, 7, 40, 135, 136, 137, 544, 545, 2000, 16383, 16384, 40000]


def sums(given: Any, dtype: Any, lengths: list[int], op: Callable[..., Any], init: np.ndarray) -> np.ndarray:
    ends = np.cumsum(lengths)
    out = cuox.empty((len(lengths),), dtype)
    starts = cuox.to_device(ends - lengths)
    compute.segmented_reduce(
        d_in=given,
        d_out=out,
        num_segments=len(lengths),
        start_offsets_in=starts,
        end_offsets_in=cuox.to_device(ends),
        op=op,
        h_init=init,
    )
    return out.to_host()  # type: ignore[no-any-return]


@pytest.mark.parametrize("spread", [-1, -256, 4, 32, 256])
@pytest.mark.parametrize("dtype", [np.int16, np.float32, np.complex64, np.complex128])
def test_items_of_all_sizes_and_iterators(dtype: Any, spread: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_segmented, "_spread", lambda num_segments, stream: spread)
    x = np.random.default_rng(1).integers(-3, 4, sum(LENGTHS)).astype(dtype)
    ends = np.cumsum(LENGTHS)
    exact = np.concatenate([[0], np.cumsum(x.astype(np.complex128))])
    expected = (exact[ends] - exact[ends - LENGTHS] + 2).real.astype(dtype)
    init = np.array([2], dtype)
    for given in (cuox.to_device(x), compute.TransformIterator(cuox.to_device(x), lambda a: a)):
        np.testing.assert_array_equal(sums(given, dtype, LENGTHS, lambda a, b: a + b, init), expected)


@pytest.mark.parametrize("spread", [-4, 8, 256])
def test_structs(spread: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_segmented, "_spread", lambda num_segments, stream: spread)
    for more in (0, 1, 5):
        kind = np.dtype(
            [("low", np.int32), ("high", np.int32), *((f"m{k}", np.int64) for k in range(more))], align=True
        )
        x = np.zeros(sum(LENGTHS), kind)
        x["low"] = x["high"] = np.random.default_rng(2).integers(0, 1 << 30, x.size)
        pair = compute.gpu_struct({"low": np.int32, "high": np.int32, **{f"m{k}": np.int64 for k in range(more)}})

        def both(a: Any, b: Any, pair: Any = pair, more: int = more) -> Any:
            if more == 0:
                return pair(min(a.low, b.low), max(a.high, b.high))
            return (
                pair(min(a.low, b.low), max(a.high, b.high), a.m0)
                if more == 1
                else pair(min(a.low, b.low), max(a.high, b.high), a.m0, a.m1, a.m2, a.m3, a.m4)
            )

        init = np.zeros(1, kind)
        init["low"], init["high"] = 1 << 30, -1
        found = sums(cuox.to_device(x), kind, LENGTHS, both, init)
        ends = np.cumsum(LENGTHS)
        for place, (end, length) in enumerate(zip(ends, LENGTHS, strict=True)):
            part = x[end - length : end]
            assert found["low"][place] == min([1 << 30, *part["low"]])
            assert found["high"][place] == max([-1, *part["high"]])


def test_the_result_follows_from_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    x = cuox.to_device(np.random.default_rng(3).random(sum(LENGTHS), np.float32))
    found = []
    for spread in (2, 8, 32, 256):
        monkeypatch.setattr(_segmented, "_spread", lambda num_segments, stream, spread=spread: spread)
        found.append(sums(x, np.float32, LENGTHS, lambda a, b: a + b, np.zeros(1, np.float32)))
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])
