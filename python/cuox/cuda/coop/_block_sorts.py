"""Makers of sorts by a block, and of the places that a sort would give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._arguments import block_of, code_of, size_of
from ._collective import Collective


def make_merge_sort_keys(
    dtype: Any, threads_per_block: Any, items_per_thread: int, compare_op: Callable[..., Any], methods: Any = None
) -> Collective:
    """Make a stable sort: `sort(keys)` sorts the keys of the block, of which each thread has an array.

    compare_op: true if its first argument comes before its second one. methods: taken, without effect.
    """
    return Collective(
        "block.merge_sort_keys", "merge sort", block_of(threads_per_block), dtype, items_per_thread, compare_op
    )


def make_radix_sort_keys(dtype: Any, threads_per_block: Any, items_per_thread: int) -> Collective:
    """Make a sort of integers or floats: `sort(keys)`, or `sort(keys, begin_bit, end_bit)` by these bits alone."""
    return Collective("block.radix_sort_keys", "radix sort", block_of(threads_per_block), dtype, items_per_thread)


def make_radix_sort_keys_descending(dtype: Any, threads_per_block: Any, items_per_thread: int) -> Collective:
    """Make the same with the greatest first."""
    return Collective(
        "block.radix_sort_keys_descending",
        "radix sort descending",
        block_of(threads_per_block),
        dtype,
        items_per_thread,
    )


def make_merge_sort_pairs(
    keys: Any,
    values: Any,
    threads_per_block: Any,
    items_per_thread: int,
    compare_op: Callable[..., Any],
    methods: Any = None,
) -> Collective:
    """Make a stable sort of keys with values: `sort(keys, values)` sorts the thread's arrays of both by the keys.

    keys, values: their types. compare_op: true if its first key comes before its second one. methods: taken, without
    effect.
    """
    return Collective(
        "block.merge_sort_pairs",
        "merge sort",
        block_of(threads_per_block),
        keys,
        items_per_thread,
        compare_op,
        other=values,
    )


def _radix_sort_pairs(
    keys: Any, values: Any, threads_per_block: Any, items_per_thread: int, descending: str
) -> Collective:
    name = f"block.radix_sort_pairs{'_descending' if descending else ''}"
    shape = block_of(threads_per_block)
    return Collective(name, f"radix sort{descending}", shape, keys, items_per_thread, other=values)


def make_radix_sort_pairs(keys: Any, values: Any, threads_per_block: Any, items_per_thread: int) -> Collective:
    """Make a sort of integers or floats with values: `sort(keys, values)`, or `sort(keys, values, begin_bit, end_bit)`.

    keys, values: their types.
    """
    return _radix_sort_pairs(keys, values, threads_per_block, items_per_thread, "")


def make_radix_sort_pairs_descending(
    keys: Any, values: Any, threads_per_block: Any, items_per_thread: int
) -> Collective:
    """Make the same with the greatest first."""
    return _radix_sort_pairs(keys, values, threads_per_block, items_per_thread, " descending")


def make_radix_rank(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    begin_bit: int = 0,
    end_bit: int | None = None,
    descending: bool = False,
) -> Collective:
    """Make ranks: `rank(items, ranks)` gives each integer its place in a stable sort by these bits, an int32.

    begin_bit, end_bit: the first bit, and the one behind the last: all without them. descending: the greatest first.
    `rank(items, ranks, exclusive_digit_prefix)` also tells where the items with each value of the bits begin:
    `coop.radix_rank`.
    """
    bits = 8 * size_of(code_of(dtype))
    end = bits if end_bit is None else end_bit
    if not 0 <= begin_bit < end <= bits:
        raise ValueError(f"begin_bit, end_bit: expected 0 <= begin_bit < end_bit <= {bits}, got {begin_bit} and {end}")
    operation = "radix rank descending" if descending else "radix rank"
    shape = block_of(threads_per_block)
    return Collective("block.radix_rank", operation, shape, dtype, items_per_thread, numbers=(begin_bit, end))
