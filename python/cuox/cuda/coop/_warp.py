"""Makers of operations of a warp."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ._arguments import ScanOp
from ._collective import Collective


def _warp(threads_in_warp: Any) -> int:
    threads = operator.index(threads_in_warp)
    if not 1 <= threads <= 32:
        raise ValueError(f"threads_in_warp must be an int from 1 to 32, got {threads}")
    return threads


def make_reduce(
    dtype: Any, binary_op: Callable[..., Any], threads_in_warp: int = 32, methods: Any = None
) -> Collective:
    """Make a reduction: `reduce(item)` returns the combination of all items of the warp to its first thread.

    binary_op: an associative function of two items. threads_in_warp: 1 to 32 neighbouring threads. methods: taken,
    without effect.
    """
    op = ScanOp(binary_op)
    return Collective("warp.reduce", "reduce", _warp(threads_in_warp), dtype, 1, op.name or op.function)


def make_sum(dtype: Any, threads_in_warp: int = 32) -> Collective:
    """Make a sum: a reduction by addition."""
    return Collective("warp.sum", "reduce", _warp(threads_in_warp), dtype, 1, "plus")


def make_exclusive_sum(dtype: Any, threads_in_warp: int = 32) -> Collective:
    """Make a scan: `exclusive_sum(item)` returns the sum of the items of the threads before."""
    return Collective("warp.exclusive_sum", "exclusive scan", _warp(threads_in_warp), dtype, 1, "plus")


def make_merge_sort_keys(
    dtype: Any, items_per_thread: int, compare_op: Callable[..., Any], threads_in_warp: int = 32, methods: Any = None
) -> Collective:
    """Make a stable sort: `sort(keys)` sorts the keys of the warp, of which each thread has an array."""
    return Collective("warp.merge_sort_keys", "merge sort", _warp(threads_in_warp), dtype, items_per_thread, compare_op)
