"""Makers of histograms and of decoders of runs."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._arguments import block_of, code_of
from ._block import _check_algorithm
from ._collective import Collective

_COUNTERS = ("int32", "uint32", "int64", "uint64", "float32", "float64")


def make_histogram(
    item_dtype: Any,
    counter_dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    bins: int = 256,
    algorithm: str = "atomic",
) -> Collective:
    """Make a histogram: `histogram(items, counters)` sets the counters, an array of `bins` in shared memory, to how
    often the block's items have each value from 0 up; others are not counted. `histogram.init(counters)` sets them to
    0, and `histogram.composite(items, counters)` counts on: a kernel puts `cuda.syncthreads()` between, and before it
    reads.

    item_dtype: a type of integers. counter_dtype: an integer or float of 32 or 64 bits. algorithm: `"atomic"` or
    `"sort"`, which give the same.
    """
    _check_algorithm(algorithm, ("atomic", "sort"))
    bins = operator.index(bins)
    if bins < 1:
        raise ValueError(f"bins must be greater than or equal to 1, got {bins}")
    if not code_of(item_dtype).startswith(("int", "uint")):
        raise TypeError(f"item_dtype: a histogram counts integers, got {code_of(item_dtype)}")
    if code_of(counter_dtype) not in _COUNTERS:
        raise TypeError(f"counter_dtype must be one of {', '.join(_COUNTERS)}, got {code_of(counter_dtype)}")
    shape = block_of(threads_per_block)
    return Collective(
        "block.histogram", "histogram", shape, item_dtype, items_per_thread, other=counter_dtype, numbers=(bins,)
    )


def make_run_length(
    item_dtype: Any,
    threads_per_block: Any,
    runs_per_thread: int,
    decoded_items_per_thread: int,
    decoded_offset_dtype: Any = np.uint32,
) -> Collective:
    """Make a decoder: `decode(run_values, run_lengths, decoded_items)` makes items of the block's runs, each value as
    often as its length says, and returns the number of all to all threads. A call fills the thread's `decoded_items`
    with its part of a window of the items, which begins at `offset` (0); behind the last one they are 0.

    A call takes `relative_offsets`, an array, which gets the items' places in their runs.
    decoded_offset_dtype: the type of both numbers, uint32 or uint64.
    """
    if code_of(decoded_offset_dtype) not in ("uint32", "uint64"):
        raise ValueError(f"decoded_offset_dtype: offsets are uint32 or uint64, got {code_of(decoded_offset_dtype)}")
    decoded = operator.index(decoded_items_per_thread)
    if decoded < 1:
        raise ValueError(f"decoded_items_per_thread must be greater than or equal to 1, got {decoded}")
    shape = block_of(threads_per_block)
    return Collective(
        "block.run_length",
        "run length decode",
        shape,
        item_dtype,
        runs_per_thread,
        other=decoded_offset_dtype,
        numbers=(decoded,),
    )
