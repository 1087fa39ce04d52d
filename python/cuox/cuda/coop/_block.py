"""Makers of operations of a block."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from ._arguments import ScanOp, block_of
from ._collective import Collective

_REDUCTIONS = ("raking", "raking_commutative_only", "warp_reductions")
_SCANS = ("raking", "raking_memoize", "warp_scans")
_MOVES = ("direct", "striped", "vectorize", "transpose", "warp_transpose", "warp_transpose_timesliced")


class BlockExchangeType(IntEnum):
    """Kinds of exchanges. Blocked: a thread's items are neighbours. Striped: neighbours are items of neighbouring
    threads; warp-striped: within each warp. Scatter: each item goes to the place that `ranks` says; guarded: if that is
    not negative; flagged: if `valid_flags` says so.
    """

    StripedToBlocked = 1
    BlockedToStriped = 2
    WarpStripedToBlocked = 3
    BlockedToWarpStriped = 4
    ScatterToBlocked = 5
    ScatterToStriped = 6
    ScatterToStripedGuarded = 7
    ScatterToStripedFlagged = 8


def _written(kind: IntEnum) -> str:
    """As the compiler of kernels names it: `striped_to_blocked`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.name).lstrip("_")


def _check_algorithm(algorithm: Any, known: Any) -> None:
    if algorithm not in known:
        raise ValueError(f"Unsupported algorithm: {algorithm!r}: expected one of {', '.join(known)}")


def make_load(dtype: Any, threads_per_block: Any, items_per_thread: int = 1, algorithm: str = "direct") -> Collective:
    """Make a load: `load(src, dest)` fills each thread's `dest` with its items of `src`.

    dtype: the type of an item. threads_per_block: an int, or a tuple of two or three. items_per_thread: the length of
    `dest`. algorithm: `"direct"`, `"vectorize"`; `"transpose"`, `"warp_transpose"` (through shared memory, such that
    neighbouring threads read neighbouring items) and `"warp_transpose_timesliced"` give the same; with `"striped"` a
    thread's items are a block's number of threads apart.

    A call takes two more arguments: `num_valid_items`, how many items there are, and `oob_default`, what the others
    become; without it they stay what they were.
    """
    _check_algorithm(algorithm, _MOVES)
    return Collective("block.load", f"load {algorithm}", block_of(threads_per_block), dtype, items_per_thread)


def make_store(dtype: Any, threads_per_block: Any, items_per_thread: int = 1, algorithm: str = "direct") -> Collective:
    """Make a store: `store(dest, src)` puts each thread's items `src` into `dest`.

    The arguments are those of a load; a call takes `num_valid_items`, too.
    """
    _check_algorithm(algorithm, _MOVES)
    return Collective("block.store", f"store {algorithm}", block_of(threads_per_block), dtype, items_per_thread)


def make_exchange(
    block_exchange_type: BlockExchangeType,
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    warp_time_slicing: bool = False,
    methods: Any = None,
) -> Collective:
    """Make an exchange: `exchange(items)`, or `exchange(items, output_items)`, gives the items of the block to other
    threads. Scatters take `ranks`, an array of the thread's places, and `ScatterToStripedFlagged` `valid_flags`.

    block_exchange_type: a `BlockExchangeType`; those of warps need whole ones. warp_time_slicing, methods: taken,
    without effect.
    """
    if not isinstance(block_exchange_type, BlockExchangeType):
        raise ValueError(f"block_exchange_type must be a BlockExchangeType; got: {block_exchange_type!r}")
    shape, how = block_of(threads_per_block), _written(block_exchange_type)
    if "warp" in how and shape.x * shape.y * shape.z % 32:
        raise ValueError(f"block_exchange_type: {block_exchange_type.name} needs blocks of whole warps, got {shape}")
    return Collective("block.exchange", f"exchange {how}", shape, dtype, items_per_thread)


def make_reduce(
    dtype: Any,
    threads_per_block: Any,
    binary_op: Callable[..., Any],
    items_per_thread: int = 1,
    algorithm: str = "warp_reductions",
    methods: Any = None,
) -> Collective:
    """Make a reduction: `reduce(item)`, or `reduce(items)` of an array, returns the combination of all items of the
    block to its first thread. What other threads get is undefined.

    binary_op: an associative function of two items. algorithm: `"raking"`, `"raking_commutative_only"` or
    `"warp_reductions"`, which give the same. methods: taken, without effect.

    A call with one item takes `num_valid`, the number of threads whose items count.
    """
    _check_algorithm(algorithm, _REDUCTIONS)
    op = ScanOp(binary_op)
    return Collective(
        "block.reduce", "reduce", block_of(threads_per_block), dtype, items_per_thread, op.name or op.function
    )


def make_sum(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int = 1,
    algorithm: str = "warp_reductions",
    methods: Any = None,
) -> Collective:
    """Make a sum: a reduction by addition."""
    _check_algorithm(algorithm, _REDUCTIONS)
    return Collective("block.sum", "reduce", block_of(threads_per_block), dtype, items_per_thread, "plus")


def _scan(
    name: str,
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    initial_value: Any,
    mode: str,
    scan_op: Any,
    prefix: Any,
    algorithm: str,
) -> Collective:
    _check_algorithm(algorithm, _SCANS)
    if mode not in ("exclusive", "inclusive"):
        raise ValueError(f"Unsupported mode: {mode!r}: expected 'exclusive' or 'inclusive'")
    op = ScanOp(scan_op)
    made = Collective(
        name,
        f"{mode} scan",
        block_of(threads_per_block),
        dtype,
        items_per_thread,
        op.name or op.function,
        prefix,
        initial_value,
    )
    if initial_value is not None:
        _check_initial(op, mode, items_per_thread, prefix)
    elif items_per_thread > 1 and prefix is None and not op.is_sum and made._code.startswith("record("):
        raise ValueError(
            "initial_value is required for both inclusive and exclusive scans when items_per_thread > 1 and no block "
            "prefix callback operator has been supplied, where the items are records"
        )
    return made


def _check_initial(op: ScanOp, mode: str, items_per_thread: int, prefix: Any) -> None:
    if op.is_sum:
        raise ValueError("initial_value is not supported for inclusive and exclusive sums")
    if items_per_thread == 1 and mode == "inclusive":
        raise ValueError("initial_value is not supported for inclusive scans with items_per_thread == 1")
    if prefix is not None:
        several = "" if items_per_thread > 1 else "items_per_thread == 1 and "
        raise ValueError(
            f"initial_value is not supported for {mode} scans with {several}a block prefix callback operator"
        )


def make_scan(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    initial_value: Any = None,
    mode: str = "exclusive",
    scan_op: Any = "+",
    block_prefix_callback_op: Any = None,
    algorithm: str = "raking",
    methods: Any = None,
) -> Collective:
    """Make a scan: with one item per thread `scan(item)` returns the combination of the items before the thread's own
    (`mode="exclusive"`), or of these and its own (`"inclusive"`); with several, `scan(items, output_items)`.

    initial_value: what comes before the first item. Without it the first result of an exclusive scan is 0. scan_op: an
    associative function of two items, or the name of one: `"+"`, `"*"`, `"min"`, `"max"`, `"&"`, `"|"`, `"^"`.
    block_prefix_callback_op: a function that is called with the combination of all items of the block and returns what
    comes before them, or a `StatefulFunction`, whose state is the call's next argument. algorithm: `"raking"`,
    `"raking_memoize"` or `"warp_scans"`, which give the same. methods: taken, without effect.

    A call takes an initial value behind the items, and `block_aggregate`: an array of one, which gets the combination
    of all items.
    """
    return _scan(
        "block.scan", dtype, threads_per_block, items_per_thread, initial_value, mode, scan_op,
        block_prefix_callback_op, algorithm,
    )  # fmt: skip


def make_exclusive_sum(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    prefix_op: Any = None,
    algorithm: str = "raking",
    methods: Any = None,
) -> Collective:
    """Make an exclusive scan by addition."""
    return _scan(
        "block.exclusive_sum", dtype, threads_per_block, items_per_thread, None, "exclusive", "+", prefix_op, algorithm
    )


def make_inclusive_sum(
    dtype: Any,
    threads_per_block: Any,
    items_per_thread: int,
    prefix_op: Any = None,
    algorithm: str = "raking",
    methods: Any = None,
) -> Collective:
    """Make an inclusive scan by addition."""
    return _scan(
        "block.inclusive_sum", dtype, threads_per_block, items_per_thread, None, "inclusive", "+", prefix_op, algorithm
    )


def make_exclusive_scan(
    dtype: Any,
    threads_per_block: Any,
    scan_op: Any,
    items_per_thread: int,
    initial_value: Any = None,
    prefix_op: Any = None,
    algorithm: str = "raking",
    methods: Any = None,
) -> Collective:
    """Make an exclusive scan: see `make_scan`."""
    return _scan(
        "block.exclusive_scan", dtype, threads_per_block, items_per_thread, initial_value, "exclusive", scan_op,
        prefix_op, algorithm,
    )  # fmt: skip


def make_inclusive_scan(
    dtype: Any,
    threads_per_block: Any,
    scan_op: Any,
    items_per_thread: int,
    initial_value: Any = None,
    prefix_op: Any = None,
    algorithm: str = "raking",
    methods: Any = None,
) -> Collective:
    """Make an inclusive scan: see `make_scan`."""
    return _scan(
        "block.inclusive_scan", dtype, threads_per_block, items_per_thread, initial_value, "inclusive", scan_op,
        prefix_op, algorithm,
    )  # fmt: skip
