"""Binary search."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _search

from .._calls import Call, Count, remembered
from .._items import Item, item_of
from .._kernels import Parts
from .._overlap import Sharing
from ..iterators import array_of, source
from ..op import OpKind
from ._algorithm import Algorithm, checked, maker


def _work(
    call: Call, d_data: Any, num_items: Count, d_values: Any, num_values: Count, d_out: Any, comp: Any, is_upper: bool
) -> None:
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    item: Item = d_data.item
    read, _ = source(d_data, parts)
    values, value = source(d_values, parts)
    parts.know(value)
    out = array_of(d_out)
    if out.dtype.kind not in "iu" or out.dtype.itemsize < 4:
        raise TypeError(f"d_out must be an array of integers of 32 or 64 bits, got {out.dtype}")
    target = item_of(out.dtype)
    call.check_most(num_items, int(np.iinfo(out.dtype).max), f"places in d_out, which has {out.dtype}")
    write = d_out.writer(parts)
    order, _ = parts.call(
        OpKind.LESS if comp is None else comp,
        [value, item] if is_upper else [item, value],
        item_of("?"),
        call.slots["comp"],
    )
    count = parts.scalar(
        np.int64(int(call.checked_count(num_items, d_data))), item_of(np.int64), call.slots["num_items"]
    )
    # Below the place: items in front of the value; for the upper bound, also those that it is not in front of.
    ahead = f"!{order('value', read('middle'))}" if is_upper else order(read("middle"), "value")
    texts = (value.cxx, values("i"), count, ahead, write("i", f"{target.cxx}(place)"))
    number = call.checked_count(num_values, d_values, d_out)
    call.check_overlap(call.checked_count(num_items, d_data), [d_data], [d_out], out_count=number, sharing=Sharing.NONE)
    call.check_overlap(number, [d_values], [d_out])
    call.launch(_search, parts, *texts, n=number, name="search")


_calls = remembered("ananafk", _work)


class _Search(Algorithm):
    def __init__(self, is_upper: bool) -> None:
        self.is_upper = is_upper

    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_data: Any,
        num_items: int,
        d_values: Any,
        num_values: int,
        d_out: Any,
        comp: Any = None,
        stream: Any = None,
    ) -> int:
        return self._run(
            temp_storage, _calls, stream, d_data, num_items, d_values, num_values, d_out, comp, self.is_upper
        )


@maker
def make_lower_bound(
    *, d_data: Any, d_values: Any, d_out: Any, comp: Any = None, compute_capability: Any = None
) -> _Search:
    """A `lower_bound` for arguments of these types."""
    checked(d_data, d_values, d_out)
    return _Search(False)


@maker
def make_upper_bound(
    *, d_data: Any, d_values: Any, d_out: Any, comp: Any = None, compute_capability: Any = None
) -> _Search:
    """An `upper_bound` for arguments of these types."""
    checked(d_data, d_values, d_out)
    return _Search(True)


def lower_bound(
    *, d_data: Any, num_items: int, d_values: Any, num_values: int, d_out: Any, comp: Any = None, stream: Any = None
) -> None:
    """Put into `d_out` for each value the first place of the sorted `d_data` where it could be inserted.

    d_data, d_values: arrays on the device, or iterators. num_items, num_values: their numbers of items. d_out: an array
    of integers of 32 or 64 bits. comp: the operator by which the data is sorted, true if its first item comes first;
    None is `<`. stream: the order.

    Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for a `d_out` of other
    types; ValueError for too few items, and for an output in the memory of the data.
    """
    _calls(stream, d_data, num_items, d_values, num_values, d_out, comp, False)


def upper_bound(
    *, d_data: Any, num_items: int, d_values: Any, num_values: int, d_out: Any, comp: Any = None, stream: Any = None
) -> None:
    """The same with the last such place."""
    _calls(stream, d_data, num_items, d_values, num_values, d_out, comp, True)
