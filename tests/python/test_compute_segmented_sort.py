"""Sorts of segments: short ones, each by a block, and long ones, in tiles."""

from __future__ import annotations

from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute import DoubleBuffer, SortOrder

RNG = np.random.default_rng(8)


def check(
    lengths: Any,
    dtype: Any = np.int32,
    *,
    order: SortOrder = SortOrder.ASCENDING,
    gap: int = 0,
    in_place: bool = False,
    shuffled: bool = False,
    few: bool = False,
) -> None:
    """Sort segments of these lengths, with items of none between them."""
    lengths = np.asarray(lengths)
    starts = np.cumsum(lengths + gap) - lengths
    ends = starts + lengths
    count = int(ends[-1]) + gap
    keys = RNG.integers(0, 5 if few else 1 << 30, count).astype(dtype)
    values = np.arange(count, dtype=np.int32)
    expected, moved = keys.copy(), values.copy()
    for start, end in zip(starts, ends, strict=True):
        part = keys[start:end]
        places = np.argsort(part if order is SortOrder.ASCENDING else -part.astype(np.float64), kind="stable")
        expected[start:end], moved[start:end] = part[places], values[start:end][places]
    if shuffled:
        places = RNG.permutation(len(lengths))
        starts, ends = starts[places], ends[places]
    d_keys, d_values = cuox.to_device(keys), cuox.to_device(values)
    out_keys, out_values = (d_keys, d_values) if in_place else (d_keys.copy(), d_values.copy())
    for _ in range(2):  # the second call is a remembered one
        compute.segmented_sort(
            d_in_keys=d_keys,
            d_out_keys=out_keys,
            d_in_values=d_values,
            d_out_values=out_values,
            num_items=count,
            num_segments=len(lengths),
            start_offsets_in=cuox.to_device(starts),
            end_offsets_in=cuox.to_device(ends),
            order=order,
        )
    np.testing.assert_array_equal(out_keys.to_host(), expected)
    np.testing.assert_array_equal(out_values.to_host(), moved)


@pytest.mark.parametrize(
    "lengths",
    [[1], [0, 0, 3], [300], [1, 2, 3, 0, 255, 256, 257, 1000], [4000], [4352, 4353], [9000, 3, 0, 20000, 4352, 70000]],
)
@pytest.mark.parametrize("few", [False, True])
def test_lengths(lengths: list[int], few: bool) -> None:
    check(lengths, few=few)


@pytest.mark.parametrize(
    "dtype", exhaustive.some([np.uint8, np.int16, np.float32, np.int64, np.float64], [np.int16, np.float64])
)
def test_types(dtype: Any) -> None:
    for order in SortOrder:
        check([100, 5000, 1, 12000], dtype, order=order, few=True)


def test_items_of_no_segment_and_segments_out_of_order() -> None:
    check([10, 5000, 0, 30000, 2, 700], gap=3)
    check(RNG.integers(0, 50, 500), gap=1, shuffled=True)
    check([6000, 10, 9000, 0, 15000, 4353], gap=2, shuffled=True)


def test_in_place() -> None:
    check([100, 5000, 1, 40000, 17], in_place=True)
    check([100, 5000, 1, 40000, 17], in_place=True, gap=1, order=SortOrder.DESCENDING)


def test_double_buffers_of_long_segments() -> None:
    keys = RNG.random(20000).astype(np.float32)
    buffer = DoubleBuffer(cuox.to_device(keys), cuox.empty(20000, np.float32))
    compute.segmented_sort(
        d_in_keys=buffer,
        num_items=20000,
        num_segments=2,
        start_offsets_in=cuox.to_device(np.array([0, 5])),
        end_offsets_in=cuox.to_device(np.array([5, 20000])),
        order=SortOrder.ASCENDING,
    )
    np.testing.assert_array_equal(buffer.current().to_host(), np.concatenate([np.sort(keys[:5]), np.sort(keys[5:])]))


def test_segments_end_with_the_items() -> None:
    keys = np.arange(10, 0, -1)
    out = cuox.zeros(10, np.int64)

    def sort(starts: list[int], ends: list[int], count: int = 10) -> list[int]:
        out.fill(0)
        compute.segmented_sort(
            d_in_keys=cuox.to_device(keys),
            d_out_keys=out,
            num_items=count,
            num_segments=len(starts),
            start_offsets_in=cuox.to_device(np.array(starts, np.int64)),
            end_offsets_in=cuox.to_device(np.array(ends, np.int64)),
            order=SortOrder.ASCENDING,
        )
        return list(out.to_host())

    assert sort([6, 0, -3, 20], [100, 3, 2, 30]) == [8, 9, 10, 0, 0, 0, 1, 2, 3, 4]
    assert sort([0], [10], 4) == [7, 8, 9, 10, 0, 0, 0, 0, 0, 0]
    assert sort([], []) == [0] * 10
