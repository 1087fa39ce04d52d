"""Selections: items that fulfil a condition, in their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _Elementwise, _Scan

from .._calls import Call, Count, remembered
from .._items import Item, item_of
from .._kernels import Parts
from .._overlap import Sharing
from ..iterators import Pointer, iterator_of, output, source
from ._algorithm import Algorithm, checked, maker, number_array

_INDEX = "typedef long long cuox_index;\n"


def _zero(call: Call, d_num_selected_out: Any, count: int, name: str = "d_num_selected_out") -> None:
    """No items: the numbers of selected ones are 0."""
    parts = Parts()
    numbers = _Numbers(parts, d_num_selected_out, call, count, name)
    call.launch(_Elementwise, parts, numbers.put("i", "0"), n=count, name="select_none")


class _Numbers:
    """An array that gets numbers of selected items."""

    def __init__(self, parts: Parts, given: Any, call: Call, count: int = 1, name: str = "d_num_selected_out") -> None:
        number_array(given, name)
        parts.know(given.item)
        call.checked_count(count, given)
        self._name = given.address(parts, read_only=False)

    def put(self, index: Any, text: str) -> str:
        return f"{self._name}[{index}] = {text};"


def _counter(count: Count) -> Item:
    """The type of places and numbers of items. Where 32 bits will do, half as much is kept of each item."""
    return item_of(np.int64 if count.is_long else np.int32)


# The bytes of the largest items whose copies and comparisons are little code.
_MOST_SHORT = 128


def are_large(*inputs: Any) -> bool:
    """Whether a scan's expressions, which read these inputs, are much code."""
    return any(iterator_of(one).item.dtype.itemsize > _MOST_SHORT for one in inputs)


# A scan's items have at most 1024 bytes; those that are kept stand beside counts.
MOST_KEPT = 1000


def _kept_size(*inputs: Any) -> int:
    """The bytes of an item of each input, which are kept until all that they overwrite is read."""
    return sum(iterator_of(one).item.dtype.itemsize for one in inputs)


def _check_kept(algorithm: str, size: int) -> None:
    """Raise ValueError for items that are too large to be kept."""
    if size > MOST_KEPT:
        raise ValueError(
            f"{algorithm}: items of {size} bytes cannot be selected in place, only of up to {MOST_KEPT}: give another array for the output"
        )


def _select(call: Call, d_in: Any, d_out: Any, d_num_selected_out: Any, cond: Any, num_items: Count) -> None:
    count = call.checked_count(num_items, d_in)
    if not count:
        _zero(call, d_num_selected_out, 1)
        return
    call.check_overlap(count, [d_in], [d_num_selected_out], out_count=1, sharing=Sharing.NONE)
    kept_size = _kept_size(d_in)
    for in_place in call.in_place(count, [d_in], [d_out], exists=kept_size <= MOST_KEPT):
        parts = Parts()
        parts.declare(_INDEX)
        read, item = source(d_in, parts)
        write = output(d_out, parts, item)
        condition, _ = parts.call(cond, [item], item_of("?"), call.slots["cond"])
        total, counter = _Numbers(parts, d_num_selected_out, call), _counter(count)
        parts.know(counter)
        if in_place:
            # The scan carries the items: a tile's outputs are written when all tiles before have counted, and so read,
            # theirs.
            _check_kept("select", kept_size)
            parts.know(item)
            parts.declare(f"struct cuox_kept {{ {counter.cxx} count; {item.cxx} value; }};\n")
            statement = f"if (item.count != prev_item.count) {{ {write('prev_item.count', 'item.value')} }} if (i == N - 1) {total.put(0, 'item.count')}"
            prepared = f"([&] {{ const {item.cxx} value = {read('i')}; return cuox_kept{{{condition('value')} ? 1 : 0, value}}; }}())"
            texts = (
                "cuox_kept",
                prepared,
                "cuox_kept{cuox_a.count + cuox_b.count, cuox_b.value}",
                "cuox_kept{}",
                statement,
            )
        else:
            # The condition is asked once for each item.
            statement = (
                f"if (item != prev_item) {{ {write('prev_item', read('i'))} }} if (i == N - 1) {total.put(0, 'item')}"
            )
            texts = (counter.cxx, f"{condition(read('i'))} ? 1 : 0", "a + b", "0", statement)
        call.launch(_Scan, parts, *texts, n=count, name="select", has_long_expressions=are_large(d_in))


def _three_way(
    call: Call,
    d_in: Any,
    d_first_part_out: Any,
    d_second_part_out: Any,
    d_unselected_out: Any,
    d_num_selected_out: Any,
    select_first_part_op: Any,
    select_second_part_op: Any,
    num_items: Count,
) -> None:
    count = call.checked_count(num_items, d_in)
    if not count:
        _zero(call, d_num_selected_out, 2)
        return
    call.check_overlap(count, [d_in], [d_first_part_out, d_second_part_out, d_unselected_out], sharing=Sharing.NONE)
    call.check_overlap(count, [d_in], [d_num_selected_out], out_count=2, sharing=Sharing.NONE)
    parts, counter = Parts(), _counter(count)
    parts.know(counter)
    parts.declare(f"{_INDEX}struct cuox_counts {{ {counter.cxx} first, second; }};\n")
    read, item = source(d_in, parts)
    puts = [output(given, parts, item) for given in (d_first_part_out, d_second_part_out, d_unselected_out)]
    conditions = [
        parts.call(op, [item], item_of("?"), call.slots[name])[0]
        for op, name in (
            (select_first_part_op, "select_first_part_op"),
            (select_second_part_op, "select_second_part_op"),
        )
    ]
    total = _Numbers(parts, d_num_selected_out, call, 2)
    given = f"{conditions[0](read('i'))} ? cuox_counts{{1, 0}} : cuox_counts{{0, {conditions[1](read('i'))} ? 1 : 0}}"
    statement = (
        f"if (item.first != prev_item.first) {{ {puts[0]('prev_item.first', read('i'))} }} "
        f"else if (item.second != prev_item.second) {{ {puts[1]('prev_item.second', read('i'))} }} "
        f"else {{ {puts[2]('(i - item.first - item.second)', read('i'))} }} "
        f"if (i == N - 1) {{ {total.put(0, 'item.first')} {total.put(1, 'item.second')} }}"
    )
    texts = (
        "cuox_counts",
        given,
        "cuox_counts{a.first + b.first, a.second + b.second}",
        "cuox_counts{0, 0}",
        statement,
    )
    call.launch(_Scan, parts, *texts, n=count, name="partition", has_long_expressions=are_large(d_in))


def _are_same(one: Any, other: Any) -> bool:
    """True for the same array or iterator."""
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        return one.item == other.item and one.array.ptr == other.array.ptr and one.offset == other.offset
    return one is other


def _unique(
    call: Call,
    d_in_keys: Any,
    d_in_items: Any,
    d_out_keys: Any,
    d_out_items: Any,
    d_out_num_selected: Any,
    op: Any,
    num_items: Count,
) -> None:
    count = call.checked_count(num_items, d_in_keys, d_in_items)
    if not count:
        _zero(call, d_out_num_selected, 1)
        return
    call.check_overlap(count, [d_in_keys, d_in_items], [d_out_num_selected], out_count=1, sharing=Sharing.NONE)
    kept_size = _kept_size(d_in_keys, d_in_items)
    for in_place in call.in_place(
        count, [d_in_keys, d_in_items], [d_out_keys, d_out_items], exists=kept_size <= MOST_KEPT
    ):
        parts = Parts()
        parts.declare(_INDEX)
        (keys, key), (items, item) = source(d_in_keys, parts), source(d_in_items, parts)
        put_key, put_item = output(d_out_keys, parts, key), output(d_out_items, parts, item)
        are_equal, _ = parts.call(op, [key, key], item_of("?"), call.slots["op"])
        total, counter = _Numbers(parts, d_out_num_selected, call), _counter(count)
        parts.know(counter)
        given = f"(i == 0 || !{are_equal(keys('(i - 1)'), keys('i'))}) ? 1 : 0"
        if in_place:
            # As in `_select`. A key that is read from the tile before is overwritten by itself, if by anything so
            # early. That must be the same bits; and an item may be where that key was.
            if not (
                isinstance(d_in_keys, Pointer) and isinstance(d_out_keys, Pointer) and d_in_keys.item == d_out_keys.item
            ):
                call.check_overlap(count, [d_in_keys], [d_out_keys], sharing=Sharing.NONE)
            if _are_same(d_in_keys, d_in_items):
                call.forget()
            else:
                call.check_overlap(count, [d_in_keys], [d_out_items], sharing=Sharing.NONE)
            _check_kept("unique_by_key", kept_size)
            parts.know(key)
            parts.know(item)
            parts.declare(f"struct cuox_kept {{ {counter.cxx} count; {key.cxx} key; {item.cxx} value; }};\n")
            kept = f"cuox_kept{{{given}, {keys('i')}, {items('i')}}}"
            statement = (
                f"if (item.count != prev_item.count) {{ {put_key('prev_item.count', 'item.key')} {put_item('prev_item.count', 'item.value')} }} "
                f"if (i == N - 1) {total.put(0, 'item.count')}"
            )
            texts = (
                "cuox_kept",
                kept,
                "cuox_kept{cuox_a.count + cuox_b.count, cuox_b.key, cuox_b.value}",
                "cuox_kept{}",
                statement,
            )
        else:
            statement = f"if (item != prev_item) {{ {put_key('prev_item', keys('i'))} {put_item('prev_item', items('i'))} }} if (i == N - 1) {total.put(0, 'item')}"
            texts = (counter.cxx, given, "a + b", "0", statement)
        call.launch(_Scan, parts, *texts, n=count, name="unique", has_long_expressions=are_large(d_in_keys, d_in_items))


_select_calls = remembered("aaafN", _select)
_three_way_calls = remembered("aaaaaffN", _three_way)
_unique_calls = remembered("aaaaafN", _unique)


class _Select(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_out: Any,
        d_num_selected_out: Any,
        cond: Any,
        num_items: int,
        stream: Any = None,
    ) -> int:
        return self._run(temp_storage, _select_calls, stream, d_in, d_out, d_num_selected_out, cond, num_items)


class _ThreeWayPartition(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_first_part_out: Any,
        d_second_part_out: Any,
        d_unselected_out: Any,
        d_num_selected_out: Any,
        select_first_part_op: Any,
        select_second_part_op: Any,
        num_items: int,
        stream: Any = None,
    ) -> int:
        outputs = (d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out)
        return self._run(
            temp_storage,
            _three_way_calls,
            stream,
            d_in,
            *outputs,
            select_first_part_op,
            select_second_part_op,
            num_items,
        )


class _UniqueByKey(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in_keys: Any,
        d_in_items: Any,
        d_out_keys: Any,
        d_out_items: Any,
        d_out_num_selected: Any,
        op: Any,
        num_items: int,
        stream: Any = None,
    ) -> int:
        return self._run(
            temp_storage,
            _unique_calls,
            stream,
            d_in_keys,
            d_in_items,
            d_out_keys,
            d_out_items,
            d_out_num_selected,
            op,
            num_items,
        )


@maker
def make_select(
    *, d_in: Any, d_out: Any, d_num_selected_out: Any, cond: Any, compute_capability: Any = None
) -> _Select:
    """A `select` for arguments of these types."""
    checked(d_in, d_out, d_num_selected_out)
    return _Select()


def select(*, d_in: Any, d_out: Any, d_num_selected_out: Any, cond: Any, num_items: int, stream: Any = None) -> None:
    """Put the items of `d_in` for which `cond` is true into `d_out`, in their order, and their number into
    `d_num_selected_out`.

    d_in, d_out: arrays on the device, or iterators; they may be the same, and `d_out` may begin before `d_in`.
    d_num_selected_out: an array of one integer. cond: an operator of an item, asked once for each. num_items: the
    number of items. stream: the order; None is the null stream.

    Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for counts that are no
    integers of 32 or 64 bits; ValueError for too few items, and for an output that would overwrite items which are not
    read yet.
    """
    _select_calls(stream, d_in, d_out, d_num_selected_out, cond, num_items)


@maker
def make_three_way_partition(
    *,
    d_in: Any,
    d_first_part_out: Any,
    d_second_part_out: Any,
    d_unselected_out: Any,
    d_num_selected_out: Any,
    select_first_part_op: Any,
    select_second_part_op: Any,
    compute_capability: Any = None,
) -> _ThreeWayPartition:
    """A `three_way_partition` for arguments of these types."""
    checked(d_in, d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out)
    return _ThreeWayPartition()


def three_way_partition(
    *,
    d_in: Any,
    d_first_part_out: Any,
    d_second_part_out: Any,
    d_unselected_out: Any,
    d_num_selected_out: Any,
    select_first_part_op: Any,
    select_second_part_op: Any,
    num_items: int,
    stream: Any = None,
) -> None:
    """Put each item of `d_in` into one of three outputs, in their order: by the first condition, else by the second,
    else
    into `d_unselected_out`.

    d_num_selected_out: an array of two integers, which gets the numbers of the first and of the second part. Outputs
    are other arrays than the input. The rest is as of `select`.

    Raises as `select` does; ValueError for an output in the memory of the input.
    """
    outputs = (d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out)
    _three_way_calls(stream, d_in, *outputs, select_first_part_op, select_second_part_op, num_items)


@maker
def make_unique_by_key(
    *,
    d_in_keys: Any,
    d_in_items: Any,
    d_out_keys: Any,
    d_out_items: Any,
    d_out_num_selected: Any,
    op: Any,
    compute_capability: Any = None,
) -> _UniqueByKey:
    """A `unique_by_key` for arguments of these types."""
    checked(d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected)
    return _UniqueByKey()


def unique_by_key(
    *,
    d_in_keys: Any,
    d_in_items: Any,
    d_out_keys: Any,
    d_out_items: Any,
    d_out_num_selected: Any,
    op: Any,
    num_items: int,
    stream: Any = None,
) -> None:
    """Keep the first of each run of keys that are equal by `op`, with its item.

    d_out_num_selected: an array of one integer, which gets the number of runs. op: an operator of two keys.
    `d_out_keys` may be `d_in_keys`, and `d_out_items` may be `d_in_items`. The others are as of `select`.

    Raises as `select` does.
    """
    _unique_calls(stream, d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected, op, num_items)
