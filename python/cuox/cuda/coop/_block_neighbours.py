"""Makers of operations of a block that look at neighbouring items."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from ._arguments import block_of
from ._block import _written
from ._collective import Collective


class BlockAdjacentDifferenceType(IntEnum):
    """The neighbour of a difference: the item before (left) or behind (right)."""

    SubtractLeft = 1
    SubtractRight = 2


class BlockDiscontinuityType(IntEnum):
    """The items that are flagged: those that differ from the one before (heads), from the one behind (tails)."""

    HEADS = 1
    TAILS = 2
    HEADS_AND_TAILS = 3


class BlockShuffleType(IntEnum):
    """Where values come from: from the thread that is `distance` behind (`Offset`), the first one being behind the last
    one (`Rotate`); of arrays, from the item before (`Up`) or behind (`Down`).
    """

    Offset = 1
    Rotate = 2
    Up = 3
    Down = 4


def make_adjacent_difference(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    difference_op: Callable[..., Any],
    block_adjacent_difference_type: BlockAdjacentDifferenceType = BlockAdjacentDifferenceType.SubtractLeft,
) -> Collective:
    """Make differences: `difference(items, output_items)` fills the thread's `output_items` with
    `difference_op(item, neighbour)`; the item that has no neighbour stays as it is.

    A call takes `valid_items`, behind which all stay as they are, and what lies outside of the block:
    `tile_predecessor_item`, of those to the right `tile_successor_item`.
    """
    kind = BlockAdjacentDifferenceType(block_adjacent_difference_type)
    side = "left" if kind is BlockAdjacentDifferenceType.SubtractLeft else "right"
    shape = block_of(threads_per_block)
    return Collective(
        "block.adjacent_difference", f"adjacent difference {side}", shape, dtype, items_per_thread, difference_op
    )


def make_discontinuity(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    flag_op: Callable[..., Any],
    block_discontinuity_type: BlockDiscontinuityType = BlockDiscontinuityType.HEADS,
) -> Collective:
    """Make flags: `discontinuity(items, flags)` sets each flag of the thread's array to 1 if `flag_op` of two
    neighbouring items, the former first, is true, else to 0. With `HEADS_AND_TAILS` a call takes two arrays of flags.

    The first head and the last tail are 1, unless a call tells what lies outside of the block: `tile_predecessor_item`,
    `tile_successor_item`.
    """
    kind = BlockDiscontinuityType(block_discontinuity_type)
    shape = block_of(threads_per_block)
    return Collective(
        "block.discontinuity", f"discontinuity {kind.name.lower()}", shape, dtype, items_per_thread, flag_op
    )


def make_shuffle(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int = 1,
    block_shuffle_type: BlockShuffleType = BlockShuffleType.Up,
) -> Collective:
    """Make a shuffle: `shuffle(items, output_items)` (`Up`, `Down`) moves the block's items by one place, and the one
    that has no neighbour stays; `shuffle(item, distance)` (`Offset`, `Rotate`) returns another thread's item, or the
    own one where there is none.
    """
    kind = BlockShuffleType(block_shuffle_type)
    shape = block_of(threads_per_block)
    return Collective("block.shuffle", f"shuffle {_written(kind)}", shape, dtype, items_per_thread)
