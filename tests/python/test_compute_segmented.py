"""Reductions of segments of all lengths, by one thread and by a warp for each."""

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


@pytest.mark.parametrize("lanes", [1, 32])
@pytest.mark.parametrize("op", [latest, lambda a, b: a if a > b else b])
def test_segments_of_all_lengths(op: Callable[..., Any], lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_segmented, "_lanes", lambda: lanes)
    rng = np.random.default_rng(0)
    for lengths in ([0], [1], [3, 4, 5], [127, 128, 129, 0, 1, 2], rng.integers(0, 300, 100), [5000, 0, 17]):
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        for dtype in (np.int64, np.int8):
            x = rng.integers(0, 5, int(offsets[-1]) + 1).astype(dtype)
            starts, ends = offsets[:-1].copy(), offsets[1:].copy()
            assert found(x, starts, ends, op, 3) == expected(x, starts, ends, op, 3)


@pytest.mark.parametrize("lanes", [1, 32])
def test_segments_may_overlap_and_be_out_of_order(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_segmented, "_lanes", lambda: lanes)
    x = np.arange(1000, dtype=np.int32) % 7
    starts, ends = np.array([500, 0, 0, 990, 10]), np.array([700, 1000, 1, 1000, 5])
    assert found(x, starts, ends, latest, 9) == expected(x, starts, ends, latest, 9)
