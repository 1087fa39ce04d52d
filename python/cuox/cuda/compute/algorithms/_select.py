"""Selections: items that fulfil a condition, in their order."""

from __future__ import annotations

from typing import Any

from cuox._native import _Elementwise, _Scan

from .._items import item_of
from .._kernels import Parts, kernel
from ..iterators import output, source
from ._algorithm import Algorithm, checked, count_of, number_array

_INDEX = "typedef long long cuox_index;\n"


def _zero(numbers: Any, stream: Any, count: int) -> None:
    """No items: the numbers of selected ones are 0."""
    parts = Parts()
    item = item_of(numbers.dtype)
    parts.know(item)
    name = parts.pointer(numbers.ptr, item, read_only=False)
    kernel(_Elementwise, parts, f"{name}[i] = 0;", name="select_none")(*parts.values, n=count, stream=stream)


class _Select(Algorithm):
    def run(self, *, d_in: Any, d_out: Any, d_num_selected_out: Any, cond: Any, num_items: int, stream: Any) -> None:
        count, numbers = count_of(num_items, d_in), number_array(d_num_selected_out)
        if not count:
            _zero(numbers, stream, 1)
            return
        parts = Parts()
        parts.declare(_INDEX)
        read, item = source(d_in, parts)
        write = output(d_out, parts, item)
        call, _ = parts.call(cond, [item], item_of("?"))
        total = parts.pointer(numbers.ptr, item_of(numbers.dtype), read_only=False)
        # The condition is asked once for each item.
        statement = f"if (item != prev_item) {{ {write('prev_item', read('i'))} }} if (i == N - 1) {total}[0] = item;"
        scan = kernel(_Scan, parts, "long long", f"{call(read('i'))} ? 1ll : 0ll", "a + b", "0", statement, name="select")
        scan(*parts.values, n=count, stream=stream)


class _ThreeWayPartition(Algorithm):
    def run(
        self,
        *,
        d_in: Any,
        d_first_part_out: Any,
        d_second_part_out: Any,
        d_unselected_out: Any,
        d_num_selected_out: Any,
        select_first_part_op: Any,
        select_second_part_op: Any,
        num_items: int,
        stream: Any,
    ) -> None:
        count, numbers = count_of(num_items, d_in), number_array(d_num_selected_out)
        if not count:
            _zero(numbers, stream, 2)
            return
        parts = Parts()
        parts.declare(_INDEX + "struct cuox_counts { long long first, second; };\n")
        read, item = source(d_in, parts)
        puts = [output(given, parts, item) for given in (d_first_part_out, d_second_part_out, d_unselected_out)]
        conditions = [parts.call(op, [item], item_of("?"))[0] for op in (select_first_part_op, select_second_part_op)]
        total = parts.pointer(numbers.ptr, item_of(numbers.dtype), read_only=False)
        given = f"{conditions[0](read('i'))} ? cuox_counts{{1, 0}} : cuox_counts{{0, {conditions[1](read('i'))} ? 1 : 0}}"
        statement = (
            f"if (item.first != prev_item.first) {{ {puts[0]('prev_item.first', read('i'))} }} "
            f"else if (item.second != prev_item.second) {{ {puts[1]('prev_item.second', read('i'))} }} "
            f"else {{ {puts[2]('(i - item.first - item.second)', read('i'))} }} "
            f"if (i == N - 1) {{ {total}[0] = item.first; {total}[1] = item.second; }}"
        )
        scan = kernel(_Scan, parts, "cuox_counts", given, "cuox_counts{a.first + b.first, a.second + b.second}", "cuox_counts{0, 0}", statement, name="partition")
        scan(*parts.values, n=count, stream=stream)


class _UniqueByKey(Algorithm):
    def run(self, *, d_in_keys: Any, d_in_items: Any, d_out_keys: Any, d_out_items: Any, d_out_num_selected: Any, op: Any, num_items: int, stream: Any) -> None:
        count, numbers = count_of(num_items, d_in_keys, d_in_items), number_array(d_out_num_selected)
        if not count:
            _zero(numbers, stream, 1)
            return
        parts = Parts()
        parts.declare(_INDEX)
        (keys, key), (items, item) = source(d_in_keys, parts), source(d_in_items, parts)
        put_key, put_item = output(d_out_keys, parts, key), output(d_out_items, parts, item)
        call, _ = parts.call(op, [key, key], item_of("?"))
        total = parts.pointer(numbers.ptr, item_of(numbers.dtype), read_only=False)
        given = f"(i == 0 || !{call(keys('(i - 1)'), keys('i'))}) ? 1ll : 0ll"
        statement = (
            f"if (item != prev_item) {{ {put_key('prev_item', keys('i'))} {put_item('prev_item', items('i'))} }} if (i == N - 1) {total}[0] = item;"
        )
        kernel(_Scan, parts, "long long", given, "a + b", "0", statement, name="unique")(*parts.values, n=count, stream=stream)


def make_select(*, d_in: Any, d_out: Any, d_num_selected_out: Any, cond: Any, compute_capability: Any = None) -> _Select:
    """A `select` for arguments of these types."""
    checked(d_in, d_out, d_num_selected_out)
    return _Select()


def select(*, d_in: Any, d_out: Any, d_num_selected_out: Any, cond: Any, num_items: int, stream: Any = None) -> None:
    """Put the items of `d_in` for which `cond` is true into `d_out`, in their order, and their number into `d_num_selected_out`.

    d_in, d_out: arrays on the device, or iterators. d_num_selected_out: an array of one integer. cond: an operator of an item, asked once for each.
    num_items: the number of items. stream: the order; None is the null stream.
    """
    make_select(d_in=d_in, d_out=d_out, d_num_selected_out=d_num_selected_out, cond=cond)(
        d_in=d_in, d_out=d_out, d_num_selected_out=d_num_selected_out, cond=cond, num_items=num_items, stream=stream
    )


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
    """Put each item of `d_in` into one of three outputs, in their order: by the first condition, else by the second, else into `d_unselected_out`.

    d_num_selected_out: an array of two integers, which gets the numbers of the first and of the second part. The others are as of `select`.
    """
    _ThreeWayPartition()(
        d_in=d_in,
        d_first_part_out=d_first_part_out,
        d_second_part_out=d_second_part_out,
        d_unselected_out=d_unselected_out,
        d_num_selected_out=d_num_selected_out,
        select_first_part_op=select_first_part_op,
        select_second_part_op=select_second_part_op,
        num_items=num_items,
        stream=stream,
    )


def make_unique_by_key(*, d_in_keys: Any, d_in_items: Any, d_out_keys: Any, d_out_items: Any, d_out_num_selected: Any, op: Any, compute_capability: Any = None) -> _UniqueByKey:
    """A `unique_by_key` for arguments of these types."""
    checked(d_in_keys, d_in_items, d_out_keys, d_out_items, d_out_num_selected)
    return _UniqueByKey()


def unique_by_key(
    *, d_in_keys: Any, d_in_items: Any, d_out_keys: Any, d_out_items: Any, d_out_num_selected: Any, op: Any, num_items: int, stream: Any = None
) -> None:
    """Keep the first of each run of keys that are equal by `op`, with its item.

    d_out_num_selected: an array of one integer, which gets the number of runs. op: an operator of two keys. The others are as of `select`.
    """
    _UniqueByKey()(
        d_in_keys=d_in_keys,
        d_in_items=d_in_items,
        d_out_keys=d_out_keys,
        d_out_items=d_out_items,
        d_out_num_selected=d_out_num_selected,
        op=op,
        num_items=num_items,
        stream=stream,
    )
