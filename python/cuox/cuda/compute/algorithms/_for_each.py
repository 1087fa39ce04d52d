"""An operator for each item, called for its effects."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _Elementwise

from .._calls import Call, Count, remembered
from .._items import Item, item_of
from .._kernels import Parts
from .._mode import StoredOperator
from ..iterators import CountingIterator, source
from ..op import CppOp
from ._algorithm import Algorithm, checked, maker

_INDICES = CountingIterator(np.int64(0))


def _with_a_result(op: CppOp, item: Item) -> CppOp:
    """The same in CUDA C++, also if it returns nothing."""
    name = f"{op.name}_for_each"
    return CppOp(
        f"{op.source}\n__device__ inline bool {name}({item.cxx} item) {{ return (void){op.name}(item), true; }}\n", name
    )


def _work(call: Call, d_in: Any, op: Any, num_items: Count) -> None:
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    read, item = source(d_in, parts)
    result = None
    if isinstance(op, CppOp):
        op = _with_a_result(op, item)
    if isinstance(op, StoredOperator) and op.is_cpp:
        op.adapt(lambda given: _with_a_result(given, item))
    if isinstance(op, CppOp) or (isinstance(op, StoredOperator) and op.is_cpp):
        result = item_of("?")
    visit, _ = parts.call(op, [item], result, call.slots["op"])
    call.launch(_Elementwise, parts, f"{visit(read('i'))};", n=call.checked_count(num_items, d_in), name="for_each")


_calls = remembered("afn", _work)


class _ForEach(Algorithm):
    def __call__(
        self, *, temp_storage: Any = ..., op: Any, num_items: int, d_in: Any = None, stream: Any = None
    ) -> int:
        return self._run(temp_storage, _calls, stream, _INDICES if d_in is None else d_in, op, num_items)


@maker
def make_for_each(*, op: Any, d_in: Any = None, compute_capability: Any = None) -> _ForEach:
    """A `for_each` for arguments of these types."""
    if d_in is not None:
        checked(d_in)
    return _ForEach()


def for_each(*, op: Any, num_items: int, d_in: Any = None, stream: Any = None) -> None:
    """Call an operator with each item, for its effects: `DeviceFor::ForEach` of CUB; without `d_in` with each index,
    `DeviceFor::Bulk`.

    op: an operator of an item, in any order and at once. It may write to arrays on the device that it captures, with
    `cuda.atomic` where several calls write to one place; its result is ignored. num_items: the number of calls. d_in:
    an array on the device, or an iterator; None is the numbers from 0 on, in int64. stream: the order; None is the null
    stream.

    Raises KernelTypeError for operators that cannot be translated, with the line; ValueError for too few items.
    """
    _calls(stream, _INDICES if d_in is None else d_in, op, num_items)
