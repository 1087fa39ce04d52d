"""Reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuox
from cuox._native import _Reduction

from .._items import Item
from .._kernels import Parts, kernel
from ..determinism import Determinism
from ..iterators import IteratorBase, array_of, output, source
from ._algorithm import Algorithm, checked, count_of, item_of_value, value_of

# An item that may not be there yet: nothing is said of a neutral element.
_SOME = """
struct cuox_some {{ {cxx} value; bool given; }};
"""


def _partial(item: Item) -> np.dtype[Any]:
    return np.dtype([("value", item.dtype), ("given", "?")], align=True)


class _Reduce(Algorithm):
    def run(self, *, d_in: Any, d_out: Any, num_items: int, op: Any, h_init: Any, stream: Any) -> None:
        item = item_of_value(h_init)
        parts = Parts()
        read, _ = source(d_in, parts, item)
        write = output(d_out, parts, item)
        parts.know(item)
        call, _ = parts.call(op, [item, item], item)
        first = parts.scalar(value_of(h_init), item)
        parts.declare("typedef long long cuox_index;\n" + _SOME.format(cxx=item.cxx))
        either = f"!a.given ? b : !b.given ? a : cuox_some{{{call('a.value', 'b.value')}, true}}"
        joined = call(first, "sum.value")
        store = f"const cuox_index i = 0; {write('i', f'(sum.given ? {joined} : {first})')}"
        reduction = kernel(_Reduction, parts, "cuox_some", "cuox_some{}", either, f"cuox_some{{{read('i')}, true}}", store=store, name="reduce")
        # The kernel's own result is not used.
        unused = cuox.empty((1,), _partial(item), stream=stream).reshape(())
        reduction(*parts.values, out=unused, n=count_of(num_items, d_in), stream=stream)


def make_reduce_into(*, d_in: Any, d_out: Any, op: Any, h_init: Any, determinism: Determinism = Determinism.RUN_TO_RUN, compute_capability: Any = None) -> _Reduce:
    """A `reduce_into` for arguments of these types: `reducer(temp_storage=…, d_in=…, d_out=…, num_items=…, op=…, h_init=…, stream=None)`."""
    checked(d_in, d_out)
    item = item_of_value(h_init)
    if item.is_struct:
        for given, name in ((d_in, "input"), (d_out, "output")):
            if not isinstance(given, IteratorBase) and array_of(given).dtype != item.dtype:
                raise TypeError(f"reduce_into dtype mismatch: {name} dtype {array_of(given).dtype} != accumulator dtype {item.dtype}")
    return _Reduce()


def reduce_into(*, d_in: Any, d_out: Any, num_items: int, op: Any, h_init: Any, stream: Any = None, determinism: Determinism = Determinism.RUN_TO_RUN) -> None:
    """Combine `h_init` and the items of `d_in` by an operator, and put the result into `d_out`.

    d_in: an array on the device, or an iterator. d_out: an array or iterator for one item. num_items: the number of items.
    op: an operator of two items, associative and commutative. h_init: the initial value, an array of one item or a structure, whose type all items are
    combined in. stream: the order; None is the null stream.

    The same input gives the same bits. Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for items of other types.
    """
    reducer = make_reduce_into(d_in=d_in, d_out=d_out, op=op, h_init=h_init, determinism=determinism)
    reducer(d_in=d_in, d_out=d_out, num_items=num_items, op=op, h_init=h_init, stream=stream)
