"""Runs: consecutive items that are equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _Scan

from .._calls import Call, Count, remembered
from .._items import Item, item_of
from .._kernels import Parts, Write
from .._overlap import Sharing
from ..iterators import DiscardIterator, iterator_of, output, source
from ..op import OpKind
from ._algorithm import Algorithm, checked, maker
from ._select import _INDEX, MOST_KEPT, _counter, _Numbers, _zero, are_large


def _sum_item(values: Any, aggregates: Any) -> Item:
    """The type that aggregates are computed in: that of the values, or of the results where it has room for all
    values."""
    item, target = iterator_of(values).item, iterator_of(aggregates)
    if isinstance(target, DiscardIterator) or item.dtype.kind not in "biuf" or target.item.dtype.kind not in "biuf":
        return item
    return target.item if np.can_cast(item.dtype, target.item.dtype, "safe") else item


def _reduce_runs(
    call: Call,
    parts: Parts,
    count: Count,
    keys: Any,
    unique: Any,
    equal: Any,
    number: Any,
    item: Item,
    value: str,
    join: str,
    put: Write,
    name: str,
) -> None:
    """Combine the values of each run of keys in one scan.

    An item of the scan is the number of runs that start among some elements, with what the values since the last start
    make. A run is put out where the next one starts. Its key is then the one before: CUB's too is a run's last one.
    """
    counter = _counter(count)
    read, key = source(keys, parts)
    put_key = output(unique, parts, key)
    are_equal, _ = parts.call(equal, [key, key], item_of("?"), call.slots["equality_op"])
    total = _Numbers(parts, number, call, name="d_num_runs_out")
    parts.know(counter)
    parts.declare(f"struct cuox_run {{ {counter.cxx} runs; {item.cxx} sum; }};\n")
    given = f"cuox_run{{i == 0 || !{are_equal(read('(i - 1)'), read('i'))}, {value}}}"
    joined = f"cuox_b.runs ? cuox_run{{cuox_a.runs + cuox_b.runs, cuox_b.sum}} : cuox_run{{cuox_a.runs, {join}}}"
    statement = (
        f"if (i > 0 && item.runs != prev_item.runs) {{ {put_key('(prev_item.runs - 1)', read('(i - 1)'))} {put('(prev_item.runs - 1)', 'prev_item.sum')} }} "
        f"if (i == N - 1) {{ {put_key('(item.runs - 1)', read('i'))} {put('(item.runs - 1)', 'item.sum')} {total.put(0, 'item.runs')} }}"
    )
    texts = ("cuox_run", given, joined, "cuox_run{}", statement)
    call.launch(_Scan, parts, *texts, n=count, name=name, has_long_expressions=are_large(keys))


def _reduce(
    call: Call,
    d_keys_in: Any,
    d_values_in: Any,
    d_unique_out: Any,
    d_aggregates_out: Any,
    d_num_runs_out: Any,
    op: Any,
    equality_op: Any,
    num_items: Count,
) -> None:
    count = call.checked_count(num_items, d_keys_in, d_values_in)
    if not count:
        _zero(call, d_num_runs_out, 1, "d_num_runs_out")
        return
    call.check_overlap(count, [d_keys_in, d_values_in], [d_unique_out, d_aggregates_out], sharing=Sharing.NONE)
    call.check_overlap(count, [d_keys_in, d_values_in], [d_num_runs_out], out_count=1, sharing=Sharing.NONE)
    item = _sum_item(d_values_in, d_aggregates_out)
    if item.dtype.itemsize > MOST_KEPT:
        raise ValueError(
            f"reduce_by_key: values of {item.dtype.itemsize} bytes cannot be combined, only of up to {MOST_KEPT}"
        )
    parts = Parts()
    parts.declare(_INDEX)
    values, _ = source(d_values_in, parts, item)
    put = output(d_aggregates_out, parts, item)
    parts.know(item)
    combine, _ = parts.call(op, [item, item], item, call.slots["op"])
    texts = (item, values("i"), combine("cuox_a.sum", "cuox_b.sum"), put, "reduce_by_key")
    _reduce_runs(call, parts, count, d_keys_in, d_unique_out, equality_op, d_num_runs_out, *texts)


def _encode(
    call: Call, d_in: Any, d_unique_out: Any, d_counts_out: Any, d_num_runs_out: Any, equality_op: Any, num_items: Count
) -> None:
    count = call.checked_count(num_items, d_in)
    if not count:
        _zero(call, d_num_runs_out, 1, "d_num_runs_out")
        return
    call.check_overlap(count, [d_in], [d_unique_out, d_counts_out], sharing=Sharing.NONE)
    call.check_overlap(count, [d_in], [d_num_runs_out], out_count=1, sharing=Sharing.NONE)
    parts = Parts()
    parts.declare(_INDEX)
    item = _counter(count)
    put = output(d_counts_out, parts, item)
    _reduce_runs(
        call,
        parts,
        count,
        d_in,
        d_unique_out,
        equality_op,
        d_num_runs_out,
        item,
        "1",
        "cuox_a.sum + cuox_b.sum",
        put,
        "run_length_encode",
    )


def _non_trivial(
    call: Call,
    d_in: Any,
    d_offsets_out: Any,
    d_lengths_out: Any,
    d_num_runs_out: Any,
    equality_op: Any,
    num_items: Count,
) -> None:
    count = call.checked_count(num_items, d_in)
    if not count:
        _zero(call, d_num_runs_out, 1, "d_num_runs_out")
        return
    call.check_overlap(count, [d_in], [d_offsets_out, d_lengths_out], sharing=Sharing.NONE)
    call.check_overlap(count, [d_in], [d_num_runs_out], out_count=1, sharing=Sharing.NONE)
    parts = Parts()
    parts.declare(_INDEX)
    item = _counter(count)
    read, key = source(d_in, parts)
    parts.know(item)
    offset, length = output(d_offsets_out, parts, item), output(d_lengths_out, parts, item)
    are_equal, _ = parts.call(equality_op, [key, key], item_of("?"), call.slots["equality_op"])
    total = _Numbers(parts, d_num_runs_out, call, name="d_num_runs_out")
    # `runs`: the starts of runs of several items; `length`: the items since the last start of any run, `starts`: if
    # there is one.
    parts.declare(f"struct cuox_run {{ {item.cxx} runs, length; bool starts; }};\n")
    start = f"(i == 0 || !{are_equal(read('(i - 1)'), read('i'))})"
    again = f"(i < N - 1 && {are_equal(read('i'), read('(i + 1)'))})"
    given = f"{start} ? cuox_run{{{again}, 1, true}} : cuox_run{{0, 1, false}}"
    joined = "cuox_run{a.runs + b.runs, b.starts ? b.length : a.length + b.length, a.starts || b.starts}"

    def put(run: str, end: str) -> str:
        place = f"({run}.runs - 1)"
        return f"if ({run}.length > 1) {{ {offset(place, f'{item.cxx}({end} - {run}.length)')} {length(place, f'{run}.length')} }}"

    statement = f"if (i > 0 && item.length == 1) {{ {put('prev_item', 'i')} }} if (i == N - 1) {{ {put('item', 'N')} {total.put(0, 'item.runs')} }}"
    texts = ("cuox_run", given, joined, "cuox_run{}", statement)
    call.launch(_Scan, parts, *texts, n=count, name="non_trivial_runs", has_long_expressions=are_large(d_in))


_reduce_calls = remembered("aaaaaffN", _reduce)
_encode_calls = remembered("aaaafN", _encode)
_non_trivial_calls = remembered("aaaafN", _non_trivial)


class _ReduceByKey(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_keys_in: Any,
        d_values_in: Any,
        d_unique_out: Any,
        d_aggregates_out: Any,
        d_num_runs_out: Any,
        op: Any,
        num_items: int,
        equality_op: Any = OpKind.EQUAL_TO,
        stream: Any = None,
    ) -> int:
        outputs = (d_unique_out, d_aggregates_out, d_num_runs_out)
        return self._run(
            temp_storage, _reduce_calls, stream, d_keys_in, d_values_in, *outputs, op, equality_op, num_items
        )


class _RunLengthEncode(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_unique_out: Any,
        d_counts_out: Any,
        d_num_runs_out: Any,
        num_items: int,
        equality_op: Any = OpKind.EQUAL_TO,
        stream: Any = None,
    ) -> int:
        return self._run(
            temp_storage,
            _encode_calls,
            stream,
            d_in,
            d_unique_out,
            d_counts_out,
            d_num_runs_out,
            equality_op,
            num_items,
        )


class _NonTrivialRuns(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_offsets_out: Any,
        d_lengths_out: Any,
        d_num_runs_out: Any,
        num_items: int,
        equality_op: Any = OpKind.EQUAL_TO,
        stream: Any = None,
    ) -> int:
        return self._run(
            temp_storage,
            _non_trivial_calls,
            stream,
            d_in,
            d_offsets_out,
            d_lengths_out,
            d_num_runs_out,
            equality_op,
            num_items,
        )


@maker
def make_reduce_by_key(
    *,
    d_keys_in: Any,
    d_values_in: Any,
    d_unique_out: Any,
    d_aggregates_out: Any,
    d_num_runs_out: Any,
    op: Any,
    equality_op: Any = OpKind.EQUAL_TO,
    compute_capability: Any = None,
) -> _ReduceByKey:
    """A `reduce_by_key` for arguments of these types."""
    checked(d_keys_in, d_values_in, d_unique_out, d_aggregates_out, d_num_runs_out)
    return _ReduceByKey()


def reduce_by_key(
    *,
    d_keys_in: Any,
    d_values_in: Any,
    d_unique_out: Any,
    d_aggregates_out: Any,
    d_num_runs_out: Any,
    op: Any,
    num_items: int,
    equality_op: Any = OpKind.EQUAL_TO,
    stream: Any = None,
) -> None:
    """Combine the values of each run of equal keys by an operator: `DeviceReduce::ReduceByKey` of CUB.

    d_keys_in, d_values_in: arrays on the device, or iterators. d_unique_out: gets the last key of each run.
    d_aggregates_out: gets what the run's values make. Both have room for as many items as there are runs, and are not
    the inputs. d_num_runs_out: an array of one integer, which gets the number of runs. op: an operator of two values,
    associative; it need not be commutative. Aggregates are computed in the type of the values, or in that of
    `d_aggregates_out` where it can hold all of these. num_items: the number of items. equality_op: an operator of two
    keys. stream: the order; None is the null stream.

    Runs are of neighbours: sort first to combine all values of a key. The same input gives the same bits.

    Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for a number of runs that
    is no integer of 32 or 64 bits; ValueError for too few items, and for an output in the memory of an input.
    """
    outputs = (d_unique_out, d_aggregates_out, d_num_runs_out)
    _reduce_calls(stream, d_keys_in, d_values_in, *outputs, op, equality_op, num_items)


@maker
def make_run_length_encode(
    *,
    d_in: Any,
    d_unique_out: Any,
    d_counts_out: Any,
    d_num_runs_out: Any,
    equality_op: Any = OpKind.EQUAL_TO,
    compute_capability: Any = None,
) -> _RunLengthEncode:
    """A `run_length_encode` for arguments of these types."""
    checked(d_in, d_unique_out, d_counts_out, d_num_runs_out)
    return _RunLengthEncode()


def run_length_encode(
    *,
    d_in: Any,
    d_unique_out: Any,
    d_counts_out: Any,
    d_num_runs_out: Any,
    num_items: int,
    equality_op: Any = OpKind.EQUAL_TO,
    stream: Any = None,
) -> None:
    """Put each run of equal items into `d_unique_out` and its length into `d_counts_out`:
    `DeviceRunLengthEncode::Encode`
    of CUB.

    d_in: an array on the device, or an iterator. d_unique_out: gets the last item of each run. d_counts_out: gets the
    numbers of items. Both have room for as many items as there are runs, and are not the input. The others, and errors,
    are as of `reduce_by_key`.
    """
    _encode_calls(stream, d_in, d_unique_out, d_counts_out, d_num_runs_out, equality_op, num_items)


@maker
def make_non_trivial_runs(
    *,
    d_in: Any,
    d_offsets_out: Any,
    d_lengths_out: Any,
    d_num_runs_out: Any,
    equality_op: Any = OpKind.EQUAL_TO,
    compute_capability: Any = None,
) -> _NonTrivialRuns:
    """A `non_trivial_runs` for arguments of these types."""
    checked(d_in, d_offsets_out, d_lengths_out, d_num_runs_out)
    return _NonTrivialRuns()


def non_trivial_runs(
    *,
    d_in: Any,
    d_offsets_out: Any,
    d_lengths_out: Any,
    d_num_runs_out: Any,
    num_items: int,
    equality_op: Any = OpKind.EQUAL_TO,
    stream: Any = None,
) -> None:
    """Put the places and the lengths of the runs of two or more equal items out:
    `DeviceRunLengthEncode::NonTrivialRuns`
    of CUB.

    d_offsets_out: gets the place of each such run's first item. d_lengths_out: gets its number of items. The others,
    and errors, are as of `run_length_encode`.
    """
    _non_trivial_calls(stream, d_in, d_offsets_out, d_lengths_out, d_num_runs_out, equality_op, num_items)
