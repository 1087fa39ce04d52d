"""Operations that kernels call without having made them: their threads are the first argument.

The compiler of kernels knows these functions; called elsewhere they raise RuntimeError.
"""

from __future__ import annotations

from typing import Any


def _outside(name: str) -> RuntimeError:
    return RuntimeError(f"coop.{name}() can be called by kernels only, by all threads of a block or warp")


def this_thread() -> Any:
    """Return the calling thread: to ask for its place, `this_thread().rank("block")`, and to sum its own items."""
    raise _outside("this_thread")


def this_grid() -> Any:
    """Return all threads of the launch, to ask for places in them: `this_grid().rank()`."""
    raise _outside("this_grid")


def this_block() -> Any:
    """Return the group of all threads of the block, of the shape that the launch gives it.

    Groups have `rank()`, the number of the calling thread in the group, `count()`, the number of its threads, and
    `sync()`. Both numbers take a level, `"thread"`, `"warp"`, `"block"` or `"grid"`: the smaller one of it and the
    group is counted in the larger one; `rank_as(dtype, level)` and `count_as` take the type of the number, too.

    `this_block().group_by(n)` is the group of n neighbouring warps, for `sum` and `reduce`; where n does not divide the
    block's warps, `exhaustive=False` leaves the last ones out, and `is_member()` tells.
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
    the kernel does that. sharing: `"exclusive"` gives each call a part of its own. `reserve(n, dtype)` returns
    an array of the kernel's own in shared memory.
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
    broadcast: bool = True,
) -> Any:
    """Return the combination of all items of the group to all its threads.

    value: one item, or an array of them. binary_op: a name such as `"max"`, a function such as `numpy.maximum`, or a
    function of two items; a sum without it. valid_items: the number of threads whose items count, of one item each.
    algorithm: of blocks; each gives the same. broadcast: with False, only the first thread gets the result, which is
    faster; what others get is undefined.
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
    broadcast: bool = True,
) -> Any:
    """Return the sum of all items of the group to all its threads: see `reduce`."""
    raise _outside("sum")


def reduce_batched(group: Any, values: Any, /, *, binary_op: Any = None, output_layout: str = "striped") -> Any:
    """Return the combinations of the first items of a warp's threads, of the second ones, and so on: each thread gets
    its share of them.

    output_layout: `"striped"`, the results of neighbouring threads are neighbours; or `"blocked"`, those of a thread.
    """
    raise _outside("reduce_batched")


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


def exchange(
    group: Any,
    value: Any,
    /,
    *,
    mode: str = "striped_to_blocked",
    ranks: Any = None,
    valid_flags: Any = None,
    warp_time_slicing: bool = False,
    temp_storage: Any = None,
) -> Any:
    """Return the group's items in another order by their threads, as new `ThreadData`.

    mode: `"striped_to_blocked"`, `"blocked_to_striped"`; of blocks, too, `"warp_striped_to_blocked"`,
    `"blocked_to_warp_striped"`, and `"scatter_to_blocked"`, `"scatter_to_striped"`, `"scatter_to_striped_guarded"`,
    `"scatter_to_striped_flagged"`, which take `ranks`, the places where the thread's items go; guarded: if they are not
    negative; flagged: if `valid_flags` says so. Places without an item are undefined. warp_time_slicing: without
    effect.
    """
    raise _outside("exchange")


def shuffle(group: Any, value: Any, /, *, mode: str = "down", distance: Any = 1, temp_storage: Any = None) -> Any:
    """Return items of other threads of the block.

    mode: `"up"` and `"down"` move the items of all threads by one place, to the later or earlier one, and the first or
    last stays; `"offset"` returns the one value of the thread that is `distance` behind, or the own one where there is
    none; with `"rotate"` the first thread is behind the last one.
    """
    raise _outside("shuffle")


def adjacent_difference(
    group: Any,
    value: Any,
    /,
    *,
    direction: str = "left",
    valid_items: Any = None,
    tile_predecessor_item: Any = None,
    tile_successor_item: Any = None,
    temp_storage: Any = None,
    difference_op: Any = None,
) -> Any:
    """Return each item less the one before it (`direction="left"`) or behind it (`"right"`), by a block.

    The item that has no such neighbour stays as it is, unless `tile_predecessor_item`, or to the right
    `tile_successor_item`, tells it. difference_op: a function of an item and its neighbour. valid_items: the items from
    there on stay as they are.
    """
    raise _outside("adjacent_difference")


def discontinuity(
    group: Any,
    value: Any,
    /,
    *,
    mode: str = "heads",
    tile_predecessor_item: Any = None,
    tile_successor_item: Any = None,
    temp_storage: Any = None,
    flag_op: Any = None,
) -> Any:
    """Return a flag for each item of a block, an int32: 1 if it differs from the one before (`mode="heads"`) or behind
    (`"tails"`), else 0; for `"heads_and_tails"` both.

    The first head and the last tail are 1, unless what lies outside of the block is told. flag_op: a function of two
    neighbouring items, the former first.
    """
    raise _outside("discontinuity")


def merge_sort_keys(
    group: Any,
    keys: Any,
    /,
    *,
    descending: bool = False,
    valid_items: Any = None,
    oob_default: Any = None,
    temp_storage: Any = None,
    compare_op: Any = None,
) -> Any:
    """Return the group's keys in order, as new `ThreadData`. The sort is stable.

    compare_op: true if its first key comes before its second one; without it the least comes first, or the greatest
    with `descending`. valid_items: how many keys there are; the others become `oob_default`, which comes behind all of
    them.
    """
    raise _outside("merge_sort_keys")


def merge_sort_pairs(
    group: Any,
    keys: Any,
    values: Any,
    /,
    *,
    descending: bool = False,
    valid_items: Any = None,
    oob_default: Any = None,
    temp_storage: Any = None,
    compare_op: Any = None,
) -> Any:
    """Return the group's keys in order, and the values that belong to them: see `merge_sort_keys`."""
    raise _outside("merge_sort_pairs")


def radix_sort_keys(
    group: Any,
    keys: Any,
    /,
    *,
    begin_bit: Any = 0,
    end_bit: Any = None,
    descending: bool = False,
    temp_storage: Any = None,
    blocked_to_striped: bool = False,
) -> Any:
    """Return the block's keys, integers or floats, in the order of their bits from `begin_bit` up to `end_bit`. The
    sort is stable.

    blocked_to_striped: neighbours are the results of neighbouring threads.
    """
    raise _outside("radix_sort_keys")


def radix_sort_pairs(
    group: Any,
    keys: Any,
    values: Any,
    /,
    *,
    begin_bit: Any = 0,
    end_bit: Any = None,
    descending: bool = False,
    temp_storage: Any = None,
    blocked_to_striped: bool = False,
) -> Any:
    """Return the block's keys in order, and the values that belong to them: see `radix_sort_keys`."""
    raise _outside("radix_sort_pairs")


def radix_rank(
    group: Any,
    keys: Any,
    /,
    *,
    begin_bit: int = 0,
    end_bit: int | None = None,
    radix_bits: int | None = None,
    descending: bool = False,
    exclusive_digit_prefix: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Return the places of the block's integers in a stable sort by these bits, int32.

    radix_bits: the number of bits, in place of `end_bit`; four without either. exclusive_digit_prefix: an array of n
    int32, which gets how many keys come before those with each value of these bits, which are at most 16. A thread gets
    n values, from its rank times n on: n is the number of all values over that of the threads, rounded up.
    """
    raise _outside("radix_rank")


def topk_min_keys(
    group: Any,
    keys: Any,
    /,
    k: Any,
    *,
    valid_items: Any = None,
    begin_bit: Any = None,
    end_bit: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Return the block's keys with the k least ones first. valid_items: how many keys there are.

    begin_bit, end_bit: the bits that keys are compared by, from this one to before that one.
    """
    raise _outside("topk_min_keys")


def topk_max_keys(
    group: Any,
    keys: Any,
    /,
    k: Any,
    *,
    valid_items: Any = None,
    begin_bit: Any = None,
    end_bit: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Return the block's keys with the k greatest ones first. valid_items: how many keys there are.

    begin_bit, end_bit: the bits that keys are compared by, from this one to before that one.
    """
    raise _outside("topk_max_keys")


def topk_min_pairs(
    group: Any,
    keys: Any,
    values: Any,
    /,
    k: Any,
    *,
    valid_items: Any = None,
    begin_bit: Any = None,
    end_bit: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Return the block's keys with the k least ones first, and the values that belong to them: `topk_min_keys`."""
    raise _outside("topk_min_pairs")


def topk_max_pairs(
    group: Any,
    keys: Any,
    values: Any,
    /,
    k: Any,
    *,
    valid_items: Any = None,
    begin_bit: Any = None,
    end_bit: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Return the block's keys with the k greatest ones first, and the values that belong to them: `topk_max_keys`."""
    raise _outside("topk_max_pairs")


def histogram(
    group: Any,
    samples: Any,
    /,
    *,
    bins: int,
    bins_per_thread: int = 1,
    counter_dtype: Any = None,
    algorithm: str = "atomic",
    temp_storage: Any = None,
) -> Any:
    """Return how often the block's samples, integers, have each value from 0 to below `bins`, striped: item i of a
    thread is the count of the value i times the number of threads plus its rank. Other samples are not counted.

    bins_per_thread: the number of results of each thread. counter_dtype: int32 without it. algorithm: `"atomic"` or
    `"sort"`, which give the same.
    """
    raise _outside("histogram")


def run_length_decode(
    group: Any,
    run_values: Any,
    run_lengths: Any,
    /,
    *,
    decoded_items_per_thread: int,
    decoded_window_offset: Any = 0,
    total_decoded_size: Any = None,
    relative_offsets: Any = None,
    decoded_offset_dtype: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Return the items that the block's runs stand for, each value as often as its length says: those of a window that
    begins at `decoded_window_offset`, and 0 behind the last one.

    total_decoded_size: an array of one, which gets the number of all items. relative_offsets: an array, which gets the
    items' places in their runs. decoded_offset_dtype: the type of both, uint32 or uint64.
    """
    raise _outside("run_length_decode")


def run_length_decode_into(
    group: Any,
    run_values: Any,
    run_lengths: Any,
    destination: Any,
    /,
    *,
    decoded_items_per_thread: int,
    destination_offset: Any = 0,
    relative_offsets: Any = None,
    decoded_offset_dtype: Any = None,
    temp_storage: Any = None,
) -> Any:
    """Put all items that the block's runs stand for into `destination`, as far as it has places for them, and return
    their number to all threads.

    decoded_items_per_thread: without effect. relative_offsets: an array as `destination`, which gets the items' places
    in their runs. decoded_offset_dtype: uint32 or uint64.
    """
    raise _outside("run_length_decode_into")


_KNOWN: tuple[Any, ...] = (
    this_thread,
    this_grid,
    reduce_batched,
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
    exchange,
    shuffle,
    adjacent_difference,
    discontinuity,
    merge_sort_keys,
    merge_sort_pairs,
    radix_sort_keys,
    radix_sort_pairs,
    radix_rank,
    topk_min_keys,
    topk_max_keys,
    topk_min_pairs,
    topk_max_pairs,
    histogram,
    run_length_decode,
    run_length_decode_into,
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
