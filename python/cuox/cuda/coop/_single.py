"""Operations that kernels call without having made them: their threads are the first argument.

The compiler of kernels knows these functions; called elsewhere they raise RuntimeError.
"""

from __future__ import annotations

from typing import Any


def _outside(name: str) -> RuntimeError:
    return RuntimeError(f"coop.{name}() can be called by kernels only, by all threads of a block or warp")


def this_block() -> Any:
    """Return the group of all threads of the block, of the shape that the launch gives it.

    Groups have `rank()`, the number of the calling thread in the group, `count()`, the number of its threads, and
    `sync()`; both counts take the level, `"thread"`, `"warp"` or `"block"`.
    """
    raise _outside("this_block")


def this_warp() -> Any:
    """Return the group of the 32 threads of the warp. `this_warp().group_by(n)` is the group of n neighbouring threads
    of a warp, 1 to 32; where n does not divide 32, `exhaustive=False` leaves the last ones out, and `is_member()`
    tells.

    The block must have whole warps.
    """
    raise _outside("this_warp")


def ThreadData(items_per_thread: int, dtype: Any = None, *, alignment: int | None = None) -> Any:
    """Make an array of the calling thread's own items, without a value yet.

    items_per_thread: how many, known when the kernel is compiled; an argument of the kernel may say it, for whose
    values the kernel is compiled. dtype: their type; without it that of the first `load` into it, or of the first value
    that is assigned. alignment: in bytes, a power of two.
    """
    raise _outside("ThreadData")


def TempStorage(
    size_in_bytes: int | None = None,
    *,
    alignment: int | None = None,
    auto_sync: bool | None = False,
    sharing: str = "shared",
) -> Any:
    """Make storage in shared memory for operations of a block, to be given as `temp_storage`.

    size_in_bytes: None makes it as large as they need. auto_sync: True puts the barriers between its uses; without it
    the kernel does that. sharing: `"exclusive"` gives each call a part of its own.
    """
    raise _outside("TempStorage")


def load(
    group: Any,
    source: Any,
    output: Any,
    /,
    *,
    algorithm: str = "direct",
    valid_items: Any = None,
    oob_default: Any = None,
    offset: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Fill each thread's `output` with its items of `source`, and return it.

    source: an array of one dimension. output: `ThreadData`, or a local array. algorithm: `"direct"`, `"vectorize"`,
    `"transpose"`, and for blocks `"warp_transpose"` and `"warp_transpose_timesliced"` give each thread neighbouring
    items; `"striped"` items that are as far apart as the group has threads. valid_items: how many items the group has.
    oob_default: what the others become; without it they are undefined. offset: the group's first item. Warps begin
    where the warps before end.
    """
    raise _outside("load")


def store(
    group: Any,
    destination: Any,
    value: Any,
    /,
    *,
    algorithm: str = "direct",
    valid_items: Any = None,
    offset: Any = None,
    temp_storage: Any = None,
) -> None:
    """Put each thread's items into `destination`: the reverse of `load`. value: one item, or an array of them."""
    raise _outside("store")


def reduce(
    group: Any,
    value: Any,
    /,
    *,
    binary_op: Any = None,
    valid_items: Any = None,
    algorithm: str | None = None,
    temp_storage: Any = None,
    broadcast: bool = False,
) -> Any:
    """Return the combination of all items of the group to its first thread. What others get is undefined.

    value: one item, or an array of them. binary_op: a name such as `"max"`, a function such as `numpy.maximum`, or a
    function of two items; a sum without it. valid_items: the number of threads whose items count, of one item each.
    algorithm: of blocks; each gives the same. broadcast: all threads get the result.
    """
    raise _outside("reduce")


def sum(
    group: Any,
    value: Any,
    /,
    *,
    valid_items: Any = None,
    algorithm: str | None = None,
    temp_storage: Any = None,
    broadcast: bool = False,
) -> Any:
    """Return the sum of all items of the group to its first thread: see `reduce`."""
    raise _outside("sum")


def scan(
    group: Any,
    value: Any,
    prefix_state: Any = None,
    /,
    *,
    mode: str = "exclusive",
    scan_op: Any = None,
    initial_value: Any = None,
    algorithm: str | None = None,
    temp_storage: Any = None,
    valid_items: Any = None,
    aggregate_output: Any = None,
    prefix_op: Any = None,
) -> Any:
    """Return for each item the combination of those before it (`mode="exclusive"`), or of these and itself
    (`"inclusive"`): one item, or new `ThreadData` where `value` is an array.

    scan_op: as `reduce` takes them. initial_value: what comes before the first item; exclusive scans need it unless
    they are sums. aggregate_output: an array of one, which gets the combination of all items. prefix_op: of blocks, a
    function that is called with this combination and returns what comes before the block's items, or a
    `StatefulFunction` with its state, an array of one, as `prefix_state`. valid_items: of warps, how many results are
    needed.
    """
    raise _outside("scan")


def exclusive_scan(
    group: Any,
    value: Any,
    prefix_state: Any = None,
    /,
    *,
    scan_op: Any = None,
    initial_value: Any = None,
    algorithm: str | None = None,
    temp_storage: Any = None,
    valid_items: Any = None,
    aggregate_output: Any = None,
    prefix_op: Any = None,
) -> Any:
    """Return for each item the combination of those before it: see `scan`."""
    raise _outside("exclusive_scan")


def inclusive_scan(
    group: Any,
    value: Any,
    prefix_state: Any = None,
    /,
    *,
    scan_op: Any = None,
    algorithm: str | None = None,
    temp_storage: Any = None,
    valid_items: Any = None,
    aggregate_output: Any = None,
    prefix_op: Any = None,
) -> Any:
    """Return for each item the combination of those before it and itself: see `scan`."""
    raise _outside("inclusive_scan")


def exclusive_sum(
    group: Any,
    value: Any,
    prefix_state: Any = None,
    /,
    *,
    algorithm: str | None = None,
    temp_storage: Any = None,
    valid_items: Any = None,
    aggregate_output: Any = None,
    prefix_op: Any = None,
) -> Any:
    """Return for each item the sum of those before it: see `scan`."""
    raise _outside("exclusive_sum")


def inclusive_sum(
    group: Any,
    value: Any,
    prefix_state: Any = None,
    /,
    *,
    algorithm: str | None = None,
    temp_storage: Any = None,
    valid_items: Any = None,
    aggregate_output: Any = None,
    prefix_op: Any = None,
) -> Any:
    """Return for each item the sum of those before it and itself: see `scan`."""
    raise _outside("inclusive_sum")


_KNOWN: tuple[Any, ...] = (
    this_block,
    this_warp,
    ThreadData,
    TempStorage,
    load,
    store,
    reduce,
    sum,
    scan,
    exclusive_scan,
    inclusive_scan,
    exclusive_sum,
    inclusive_sum,
)
for _function in _KNOWN:
    # By this name the compiler of kernels knows it.
    _function._kernel_path = f"cuda.coop.{_function.__name__}"


def register(backend: str) -> None:
    """Accepted for programs that choose their compiler of kernels: there is one, and nothing to register.

    backend: `"numba-cuda-mlir"` or `"numba_cuda_mlir"`, whose kernels cuox compiles under `cuox.numba.cuda`. Raises
    ValueError for others.
    """
    if backend.replace("_", "-") != "numba-cuda-mlir":
        raise ValueError(f'coop.register: expected "numba-cuda-mlir", got {backend!r}')
