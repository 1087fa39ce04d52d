"""Binary search."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _Elementwise

from .._items import Item, item_of
from .._kernels import Parts, kernel
from ..iterators import array_of, iterator_of, source
from ..op import OpKind
from ._algorithm import Algorithm, checked, count_of, maker


class _Search(Algorithm):
    def __init__(self, is_upper: bool) -> None:
        self.is_upper = is_upper

    def run(self, *, d_data: Any, num_items: int, d_values: Any, num_values: int, d_out: Any, comp: Any = None, stream: Any) -> None:
        parts = Parts()
        parts.declare("typedef long long cuox_index;\n")
        item: Item = iterator_of(d_data).item
        read, _ = source(d_data, parts)
        values, _ = source(d_values, parts, item)
        out = array_of(d_out)
        if out.dtype.kind not in "iu" or out.dtype.itemsize < 4:
            raise TypeError(f"d_out must be an array of integers of 32 or 64 bits, got {out.dtype}")
        target = item_of(out.dtype)
        write = iterator_of(d_out).writer(parts)
        call, _ = parts.call(OpKind.LESS if comp is None else comp, [item, item], item_of("?"))
        count = parts.value("long long", np.int64(count_of(num_items, d_data)))
        # Below the place: items in front of the value; for the upper bound, also those that it is not in front of.
        ahead = f"!{call('value', read('middle'))}" if self.is_upper else call(read("middle"), "value")
        operation = (
            f"const {item.cxx} value = {values('i')}; long long low = 0, high = {count}; "
            f"while (low < high) {{ const long long middle = low + (high - low) / 2; if ({ahead}) low = middle + 1; else high = middle; }} "
            f"{write('i', f'{target.cxx}(low)')}"
        )
        kernel(_Elementwise, parts, operation, name="search")(*parts.values, n=count_of(num_values, d_values, d_out), stream=stream)


@maker
def make_lower_bound(*, d_data: Any, d_values: Any, d_out: Any, comp: Any = None, compute_capability: Any = None) -> _Search:
    """A `lower_bound` for arguments of these types."""
    checked(d_data, d_values, d_out)
    return _Search(False)


@maker
def make_upper_bound(*, d_data: Any, d_values: Any, d_out: Any, comp: Any = None, compute_capability: Any = None) -> _Search:
    """An `upper_bound` for arguments of these types."""
    checked(d_data, d_values, d_out)
    return _Search(True)


def lower_bound(*, d_data: Any, num_items: int, d_values: Any, num_values: int, d_out: Any, comp: Any = None, stream: Any = None) -> None:
    """Put into `d_out` for each value the first place of the sorted `d_data` where it could be inserted.

    d_data, d_values: arrays on the device, or iterators. num_items, num_values: their numbers of items. d_out: an array of integers of 32 or 64 bits.
    comp: the operator by which the data is sorted, true if its first item comes first; None is `<`. stream: the order.
    """
    _Search(False)(d_data=d_data, num_items=num_items, d_values=d_values, num_values=num_values, d_out=d_out, comp=comp, stream=stream)


def upper_bound(*, d_data: Any, num_items: int, d_values: Any, num_values: int, d_out: Any, comp: Any = None, stream: Any = None) -> None:
    """The same with the last such place."""
    _Search(True)(d_data=d_data, num_items=num_items, d_values=d_values, num_values=num_values, d_out=d_out, comp=comp, stream=stream)
