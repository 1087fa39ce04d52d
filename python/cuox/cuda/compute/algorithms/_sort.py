"""Sorts."""

from __future__ import annotations

import enum
from operator import index
from typing import Any

import numpy as np

from cuox._native import _Sort

from .._calls import Call, Count, remembered
from .._items import Item, item_of
from .._kernels import Parts
from .._overlap import Sharing
from ..iterators import Pointer, output, places, source
from ._algorithm import Algorithm, checked, maker

_INDEX = "typedef long long cuox_index;\n"


class SortOrder(enum.Enum):
    """The order of sorted keys."""

    ASCENDING = 0
    DESCENDING = 1


class DoubleBuffer:
    """Two arrays, of which a sort reads the current one and leaves the result in the one that is current then."""

    def __init__(self, d_current: Any, d_alternate: Any) -> None:
        self.d_buffers = [d_current, d_alternate]
        self.selector = 0

    def current(self) -> Any:
        """The array with the keys or values."""
        return self.d_buffers[self.selector]

    def alternate(self) -> Any:
        """The other one."""
        return self.d_buffers[1 - self.selector]


class _Items:
    """Keys, with values or without, as items of one type: their declaration, and how they are read and put."""

    def __init__(self, parts: Parts, keys: Any, values: Any, out_keys: Any, out_values: Any) -> None:
        if (values is None) != (out_values is None):
            raise ValueError("values are sorted if both the input and the output for them are given")
        read_key, self.key = source(keys, parts)
        put_key = output(out_keys, parts, self.key)
        fields = [("key", self.key.cxx, self.key.dtype)]
        reads, puts = [read_key("i")], [put_key("i", "item.key")]
        if values is not None:
            read_value, value = source(values, parts)
            fields.append(("value", value.cxx, value.dtype))
            reads.append(read_value("i"))
            puts.append(output(out_values, parts, value)("i", "item.value"))
        parts.declare(_INDEX + f"struct cuox_sorted {{ {' '.join(f'{cxx} {name};' for name, cxx, _ in fields)} }};\n")
        self.size = np.dtype([(name, dtype) for name, _, dtype in fields], align=True).itemsize
        self.reads, self.store = reads, " ".join(puts)


def _merge_sort(
    call: Call, d_in_keys: Any, d_in_values: Any, d_out_keys: Any, d_out_values: Any, op: Any, num_items: Count
) -> None:
    parts = Parts()
    items = _Items(parts, d_in_keys, d_in_values, d_out_keys, d_out_values)
    less, _ = parts.call(op, [items.key, items.key], item_of("?"), call.slots["op"])
    count = call.checked_count(num_items, d_in_keys, d_in_values, d_out_keys, d_out_values)
    call.launch(
        _Sort,
        parts,
        "cuox_sorted",
        items.size,
        f"cuox_sorted{{{', '.join(items.reads)}}}",
        less("a.key", "b.key"),
        items.store,
        n=count,
        name="merge_sort",
    )


def _bits(parts: Parts, item: Item) -> None:
    """Declare `cuox_bits`: keys as unsigned numbers in the same order. Zeros of both signs are equal, as in CUB's radix
    sort.
    """
    kind, size = item.dtype.kind, item.dtype.itemsize
    if kind not in "iufb":
        raise TypeError(f"radix sort takes keys that are numbers, got {item.dtype}")
    word = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}[size]
    sign = f"((cuox_key_word)1 << {8 * size - 1})"
    turned = {"i": f"w ^ {sign}", "f": f"w == (cuox_key_word){sign} ? {sign} : w & {sign} ? ~w : w | {sign}"}.get(
        kind, "w"
    )
    parts.declare(
        f"typedef {word} cuox_key_word;\nstatic __device__ inline unsigned long long cuox_bits(const {item.cxx} &key)\n"
        f"{{\n    const cuox_key_word w = *(const cuox_key_word *)&key;\n    return (cuox_key_word)({turned});\n}}\n"
    )


def _bit_range(item: Item, begin_bit: int | None, end_bit: int | None) -> tuple[int, int]:
    size = 8 * item.dtype.itemsize
    begin, end = 0 if begin_bit is None else index(begin_bit), size if end_bit is None else index(end_bit)
    if not 0 <= begin <= end <= size:
        raise ValueError(f"begin_bit and end_bit must be between 0 and {size}, in this order; got {begin} and {end}")
    return begin, end


def _is_sorted_by_digits(
    call: Call,
    keys: Any,
    out_keys: Any,
    values: Any,
    out_values: Any,
    count: Count | int,
    order: SortOrder,
    begin_bit: int | None,
    end_bit: int | None,
) -> bool:
    """Sort arrays of the same types. False, and nothing is done, for iterators and what must be converted."""
    given = [keys, out_keys, *(one for one in (values, out_values) if one is not None)]
    if (values is None) != (out_values is None) or not all(
        isinstance(one, Pointer) and one.slot is not None for one in given
    ):
        return False
    key, out_key, *rest = given
    dtype = key.item.dtype
    if dtype.kind not in "iufb" or any(
        given.item != out.item for given, out in ((key, out_key), *([rest] if rest else []))
    ):
        return False
    begin, end = _bit_range(key.item, begin_bit, end_bit)
    if rest and rest[0].item.dtype.itemsize > 1024:
        return False
    form = (
        dtype.kind.replace("b", "u"),
        dtype.itemsize,
        *((rest[0].item.dtype.itemsize, rest[0].item.dtype.alignment) if rest else (0, 1)),
    )
    call.sort_by_digits(
        form, (keys, out_keys, values, out_values), count, begin, end, descends=order is SortOrder.DESCENDING
    )
    return True


def _less(parts: Parts, item: Item, order: SortOrder, begin_bit: int | None, end_bit: int | None) -> str:
    _bits(parts, item)
    begin, end = _bit_range(item, begin_bit, end_bit)
    shift, mask = (
        parts.value("int", np.int32(begin % 64)),
        parts.value("unsigned long long", np.uint64((1 << (end - begin)) - 1)),
    )
    a, b = (f"(cuox_bits({name}.key) >> {shift} & {mask})" for name in "ab")
    return f"{a} < {b}" if order is SortOrder.ASCENDING else f"{b} < {a}"


def _ends(given: Any, out: Any) -> tuple[Any, Any]:
    """The array that is read, and the one that is written."""
    if isinstance(given, DoubleBuffer):
        current, alternate = given.d_buffers[given.selector], given.d_buffers[1 - given.selector]
        if getattr(current, "dtype", None) != getattr(alternate, "dtype", None):
            raise TypeError(
                f"the arrays of a DoubleBuffer must have the same type, got {current.dtype} and {alternate.dtype}"
            )
        return current, alternate
    return given, out


def _order(given: Any) -> SortOrder:
    if not isinstance(given, SortOrder):
        raise TypeError(f"order must be a SortOrder, got {given!r}")
    return given


def _turn(*given: Any) -> None:
    for one in given:
        if isinstance(one, DoubleBuffer):
            one.selector = 1 - one.selector


def _radix_sort(
    call: Call,
    d_in_keys: Any,
    d_in_values: Any,
    d_out_keys: Any,
    d_out_values: Any,
    order: SortOrder,
    begin_bit: int | None,
    end_bit: int | None,
    num_items: Count,
) -> None:
    count = call.checked_count(num_items, d_in_keys, d_out_keys, d_in_values, d_out_values)
    if _is_sorted_by_digits(call, d_in_keys, d_out_keys, d_in_values, d_out_values, count, order, begin_bit, end_bit):
        return
    parts = Parts()
    items = _Items(parts, d_in_keys, d_in_values, d_out_keys, d_out_values)
    less = _less(parts, items.key, order, begin_bit, end_bit)
    call.launch(
        _Sort,
        parts,
        "cuox_sorted",
        items.size,
        f"cuox_sorted{{{', '.join(items.reads)}}}",
        less,
        items.store,
        n=count,
        name="radix_sort",
    )


def _segmented_sort(
    call: Call,
    d_in_keys: Any,
    d_in_values: Any,
    d_out_keys: Any,
    d_out_values: Any,
    order: SortOrder,
    num_items: Count,
    num_segments: Count,
    start_offsets_in: Any,
    end_offsets_in: Any,
) -> None:
    count = call.checked_count(num_items, d_in_keys, d_out_keys, d_in_values, d_out_values)
    segments = call.checked_count(num_segments, start_offsets_in, end_offsets_in)
    # A segment is stored while others are read.
    call.check_overlap(count, [d_in_keys, d_in_values], [d_out_keys, d_out_values])
    call.check_overlap(
        segments, [start_offsets_in, end_offsets_in], [d_out_keys, d_out_values], out_count=count, sharing=Sharing.NONE
    )
    parts = Parts()
    items = _Items(parts, d_in_keys, d_in_values, d_out_keys, d_out_values)
    ends = (
        places(start_offsets_in, parts, "start_offsets_in")("i"),
        places(end_offsets_in, parts, "end_offsets_in")("i"),
    )
    load, less = f"cuox_sorted{{{', '.join(items.reads)}}}", _less(parts, items.key, order, None, None)
    call.launch(
        _Sort,
        parts,
        "cuox_sorted",
        items.size,
        load,
        less,
        items.store,
        n=count,
        more=segments,
        segments=ends,
        name="segmented_sort",
    )


_merge_calls = remembered("aaaafn", _merge_sort)
_radix_calls = remembered("aaaakkkn", _radix_sort)
_segmented_calls = remembered("aaaaknnaa", _segmented_sort)


class _MergeSort(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in_keys: Any,
        d_in_values: Any = None,
        d_out_keys: Any,
        d_out_values: Any = None,
        op: Any,
        num_items: int,
        stream: Any = None,
    ) -> int:
        return self._run(
            temp_storage, _merge_calls, stream, d_in_keys, d_in_values, d_out_keys, d_out_values, op, num_items
        )


class _SortOfNumbers(Algorithm):
    def __init__(self, order: SortOrder) -> None:
        self.order = _order(order)

    def _sort(
        self, temp_storage: Any, calls: Any, stream: Any, keys: tuple[Any, Any], values: tuple[Any, Any], *more: Any
    ) -> int:
        """keys, values: inputs and outputs, or a DoubleBuffer and None."""
        (in_keys, out_keys), (in_values, out_values) = _ends(*keys), _ends(*values)
        size = self._run(temp_storage, calls, stream, in_keys, in_values, out_keys, out_values, self.order, *more)
        if temp_storage is not None:
            _turn(keys[0], values[0])
        return size


class _RadixSort(_SortOfNumbers):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in_keys: Any,
        d_out_keys: Any = None,
        d_in_values: Any = None,
        d_out_values: Any = None,
        num_items: int,
        begin_bit: int | None = None,
        end_bit: int | None = None,
        stream: Any = None,
    ) -> int:
        keys, values = (d_in_keys, d_out_keys), (d_in_values, d_out_values)
        return self._sort(temp_storage, _radix_calls, stream, keys, values, begin_bit, end_bit, num_items)


class _SegmentedSort(_SortOfNumbers):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in_keys: Any,
        d_out_keys: Any = None,
        d_in_values: Any = None,
        d_out_values: Any = None,
        num_items: int,
        num_segments: int,
        start_offsets_in: Any,
        end_offsets_in: Any,
        stream: Any = None,
    ) -> int:
        keys, values = (d_in_keys, d_out_keys), (d_in_values, d_out_values)
        return self._sort(
            temp_storage,
            _segmented_calls,
            stream,
            keys,
            values,
            num_items,
            num_segments,
            start_offsets_in,
            end_offsets_in,
        )


@maker
def make_merge_sort(
    *,
    d_in_keys: Any,
    d_in_values: Any = None,
    d_out_keys: Any,
    d_out_values: Any = None,
    op: Any,
    compute_capability: Any = None,
) -> _MergeSort:
    """A `merge_sort` for arguments of these types."""
    checked(d_in_keys, d_out_keys, *(one for one in (d_in_values, d_out_values) if one is not None))
    return _MergeSort()


def merge_sort(
    *,
    d_in_keys: Any,
    d_in_values: Any = None,
    d_out_keys: Any,
    d_out_values: Any = None,
    num_items: int,
    op: Any,
    stream: Any = None,
) -> None:
    """Sort keys by a comparison, and values with them. Keys that are equal keep their order.

    d_in_keys, d_in_values: arrays on the device, or iterators. d_out_keys, d_out_values: arrays or iterators, which may
    be the same. num_items: the number of keys. op: an operator of two keys, true if the first one comes first. stream:
    the order; None is the null stream.

    Raises KernelTypeError for operators that cannot be translated, with the line; ValueError for too few items, and for
    values without an output for them.
    """
    _merge_calls(stream, d_in_keys, d_in_values, d_out_keys, d_out_values, op, num_items)


def _checked_ends(*pairs: tuple[Any, Any]) -> None:
    for given, out in pairs:
        checked(*(one for one in _ends(given, out) if one is not None))


@maker
def make_radix_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any = None,
    d_in_values: Any = None,
    d_out_values: Any = None,
    order: SortOrder,
    compute_capability: Any = None,
) -> _RadixSort:
    """A `radix_sort` for arguments of these types."""
    _checked_ends((d_in_keys, d_out_keys), (d_in_values, d_out_values))
    return _RadixSort(order)


def radix_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any = None,
    d_in_values: Any = None,
    d_out_values: Any = None,
    num_items: int,
    order: SortOrder,
    begin_bit: int | None = None,
    end_bit: int | None = None,
    stream: Any = None,
) -> None:
    """Sort keys that are numbers, and values with them. Keys that are equal keep their order.

    d_in_keys, d_in_values: arrays on the device, or DoubleBuffers. d_out_keys, d_out_values: arrays; None with
    DoubleBuffers. num_items: the number of keys. order: a SortOrder. begin_bit, end_bit: only these bits of the keys
    are compared. stream: the order; None is the null stream.

    Raises TypeError for keys that are no numbers, an `order` of another type, and a DoubleBuffer of unequal arrays;
    ValueError for too few items, and for bits that keys do not have.
    """
    sort = _RadixSort(order)
    sort(
        d_in_keys=d_in_keys,
        d_out_keys=d_out_keys,
        d_in_values=d_in_values,
        d_out_values=d_out_values,
        num_items=num_items,
        begin_bit=begin_bit,
        end_bit=end_bit,
        stream=stream,
    )


@maker
def make_segmented_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any = None,
    d_in_values: Any = None,
    d_out_values: Any = None,
    start_offsets_in: Any,
    end_offsets_in: Any,
    order: SortOrder,
    compute_capability: Any = None,
) -> _SegmentedSort:
    """A `segmented_sort` for arguments of these types."""
    _checked_ends((d_in_keys, d_out_keys), (d_in_values, d_out_values))
    checked(start_offsets_in, end_offsets_in)
    return _SegmentedSort(order)


def segmented_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any = None,
    d_in_values: Any = None,
    d_out_values: Any = None,
    num_items: int,
    num_segments: int,
    start_offsets_in: Any,
    end_offsets_in: Any,
    order: SortOrder,
    stream: Any = None,
) -> None:
    """Sort the keys of each segment, and values with them. What is in no segment is left out.

    start_offsets_in, end_offsets_in: arrays or iterators with the places of each segment's first item, and behind its
    last; segments do not overlap. num_items: the number of items of the arrays. num_segments: that of segments. The
    others are as of `radix_sort`.

    Raises as `radix_sort` does; TypeError for places that are no integers; ValueError for an output in the memory of
    the input, but for the same array.
    """
    sort = _SegmentedSort(order)
    sort(
        d_in_keys=d_in_keys,
        d_out_keys=d_out_keys,
        d_in_values=d_in_values,
        d_out_values=d_out_values,
        num_items=num_items,
        num_segments=num_segments,
        start_offsets_in=start_offsets_in,
        end_offsets_in=end_offsets_in,
        stream=stream,
    )
