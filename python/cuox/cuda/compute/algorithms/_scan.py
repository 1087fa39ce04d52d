"""Scans."""

from __future__ import annotations

from typing import Any

from cuox._native import _Scan

from .._items import item_of
from .._kernels import Parts, kernel
from ..iterators import array_of, output, source
from ._algorithm import Algorithm, checked, count_of, item_of_value, value_of


def _is_on_device(value: Any) -> bool:
    return hasattr(value, "__cuda_array_interface__")


class _ScanOf(Algorithm):
    def __init__(self, is_exclusive: bool) -> None:
        self.is_exclusive = is_exclusive

    def run(self, *, d_in: Any, d_out: Any, op: Any, num_items: int, init_value: Any = None, stream: Any) -> None:
        parts = Parts()
        parts.declare("typedef long long cuox_index;\n")
        first = None
        if init_value is None:
            read, item = source(d_in, parts)
        elif _is_on_device(init_value):
            array = array_of(init_value)
            item = item_of(array.dtype)
            read, _ = source(d_in, parts, item)
            first = f"{parts.pointer(array.ptr, item, read_only=True)}[0]"
        else:
            item = item_of_value(init_value)
            read, _ = source(d_in, parts, item)
            first = parts.scalar(value_of(init_value), item)
        write = output(d_out, parts, item)
        parts.know(item)
        call, _ = parts.call(op, [item, item], item)
        given = read("i")
        if first is not None:
            given = f"i == 0 ? {call(first, given)} : {given}"
        result = "prev_item" if self.is_exclusive else "item"
        neutral = first if self.is_exclusive else None
        scan = kernel(_Scan, parts, item.cxx, given, call("a", "b"), neutral, write("i", result), name="scan")
        scan(*parts.values, n=count_of(num_items, d_in, d_out), stream=stream)


def make_exclusive_scan(*, d_in: Any, d_out: Any, op: Any, init_value: Any, compute_capability: Any = None) -> _ScanOf:
    """An `exclusive_scan` for arguments of these types: `scanner(temp_storage=…, d_in=…, d_out=…, op=…, init_value=…, num_items=…, stream=None)`."""
    checked(d_in, d_out)
    if init_value is None:
        raise ValueError("Exclusive scan with No init value is not supported")
    return _ScanOf(True)


def make_inclusive_scan(*, d_in: Any, d_out: Any, op: Any, init_value: Any = None, compute_capability: Any = None) -> _ScanOf:
    """An `inclusive_scan` for arguments of these types."""
    checked(d_in, d_out)
    return _ScanOf(False)


def exclusive_scan(*, d_in: Any, d_out: Any, op: Any, init_value: Any, num_items: int, stream: Any = None) -> None:
    """Put at each place of `d_out` what an operator makes of `init_value` and the items of `d_in` before that place.

    d_in, d_out: arrays on the device, or iterators. op: an operator of two items, associative; it need not be commutative. init_value: an array of one
    item, on the host or the device, or a structure, whose type all items are combined in. num_items: the number of items. stream: the order.

    The same input gives the same bits. Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for items of other types.
    """
    scanner = make_exclusive_scan(d_in=d_in, d_out=d_out, op=op, init_value=init_value)
    scanner(d_in=d_in, d_out=d_out, op=op, init_value=init_value, num_items=num_items, stream=stream)


def inclusive_scan(*, d_in: Any, d_out: Any, op: Any, init_value: Any = None, num_items: int, stream: Any = None) -> None:
    """The same with the item at the place itself. Without `init_value` it begins with the first item."""
    scanner = make_inclusive_scan(d_in=d_in, d_out=d_out, op=op, init_value=init_value)
    scanner(d_in=d_in, d_out=d_out, op=op, init_value=init_value, num_items=num_items, stream=stream)
