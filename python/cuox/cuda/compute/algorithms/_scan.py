"""Scans."""

from __future__ import annotations

from typing import Any

from cuox._native import _Scan

from .._calls import Call, Count, remembered
from .._items import item_of
from .._kernels import Parts
from ..iterators import Pointer, array_of, output, source
from ._algorithm import Algorithm, checked, item_of_value, maker, value_of

# The bytes of the largest item of a scan: a few fit in shared memory.
MOST_SCANNED = 1024


def _is_on_device(value: Any) -> bool:
    return hasattr(value, "__cuda_array_interface__")


def _work(call: Call, is_exclusive: bool, d_in: Any, d_out: Any, op: Any, num_items: Count, init_value: Any) -> None:
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    first = None
    if init_value is None:
        read, item = source(d_in, parts)
    elif _is_on_device(init_value):
        array = array_of(init_value)
        if not array.size:
            raise ValueError("init_value is an array without items")
        call.checked_count(1, Pointer(array, call.slots["init_value"]))
        item = item_of(array.dtype)
        read, _ = source(d_in, parts, item)
        first = f"{parts.pointer(array, item, read_only=True, slot=call.slots['init_value'])}[0]"
    else:
        item = item_of_value(init_value, "init_value")
        read, _ = source(d_in, parts, item)
        first = parts.scalar(value_of(init_value), item, call.slots["init_value"])
    if item.dtype.itemsize > MOST_SCANNED:
        raise ValueError(f"items of {item.dtype.itemsize} bytes cannot be scanned, only of up to {MOST_SCANNED}")
    write = output(d_out, parts, item)
    parts.know(item)
    combine, _ = parts.call(op, [item, item], item, call.slots["op"])
    given = read("i")
    if first is not None:
        given = f"i == 0 ? {combine(first, given)} : {given}"
    result = "prev_item" if is_exclusive else "item"
    neutral = first if is_exclusive else None
    texts = (item.cxx, given, combine("cuox_a", "cuox_b"), neutral, write("i", result))
    count = call.checked_count(num_items, d_in, d_out)
    call.check_overlap(count, [d_in], [d_out])
    call.launch(_Scan, parts, *texts, n=count, name="scan")


def _exclusive(call: Call, d_in: Any, d_out: Any, op: Any, num_items: Count, init_value: Any) -> None:
    _work(call, True, d_in, d_out, op, num_items, init_value)


def _inclusive(call: Call, d_in: Any, d_out: Any, op: Any, num_items: Count, init_value: Any) -> None:
    _work(call, False, d_in, d_out, op, num_items, init_value)


_exclusive_calls = remembered("aafnv", _exclusive)
_inclusive_calls = remembered("aafnv", _inclusive)


class _ScanOf(Algorithm):
    def __init__(self, calls: Any) -> None:
        self._calls = calls

    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_out: Any,
        op: Any,
        num_items: int,
        init_value: Any = None,
        stream: Any = None,
    ) -> int:
        return self._run(temp_storage, self._calls, stream, d_in, d_out, op, num_items, init_value)


@maker
def make_exclusive_scan(*, d_in: Any, d_out: Any, op: Any, init_value: Any, compute_capability: Any = None) -> _ScanOf:
    """An `exclusive_scan` for arguments of these types: `scanner(temp_storage=…, d_in=…, d_out=…, op=…, init_value=…,
    num_items=…, stream=None)`.
    """
    checked(d_in, d_out)
    if init_value is None:
        raise ValueError("Exclusive scan with No init value is not supported")
    return _ScanOf(_exclusive_calls)


@maker
def make_inclusive_scan(
    *, d_in: Any, d_out: Any, op: Any, init_value: Any = None, compute_capability: Any = None
) -> _ScanOf:
    """An `inclusive_scan` for arguments of these types."""
    checked(d_in, d_out)
    return _ScanOf(_inclusive_calls)


def exclusive_scan(*, d_in: Any, d_out: Any, op: Any, init_value: Any, num_items: int, stream: Any = None) -> None:
    """Put at each place of `d_out` what an operator makes of `init_value` and the items of `d_in` before that place.

    d_in, d_out: arrays on the device, or iterators. op: an operator of two items, associative; it need not be
    commutative. init_value: an array of one item, on the host or the device, or a structure, whose type all items are
    combined in. num_items: the number of items. stream: the order.

    The same input gives the same bits. Raises KernelTypeError for operators that cannot be translated, with the line;
    TypeError for items of other types.
    """
    if init_value is None:
        raise ValueError("Exclusive scan with No init value is not supported")
    _exclusive_calls(stream, d_in, d_out, op, num_items, init_value)


def inclusive_scan(
    *, d_in: Any, d_out: Any, op: Any, init_value: Any = None, num_items: int, stream: Any = None
) -> None:
    """The same with the item at the place itself. Without `init_value` it begins with the first item."""
    _inclusive_calls(stream, d_in, d_out, op, num_items, init_value)
