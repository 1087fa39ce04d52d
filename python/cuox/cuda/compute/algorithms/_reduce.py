"""Reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _Reduction

from .._calls import Call, Count, remembered
from .._items import Item
from .._kernels import Parts
from .._operators import identity_text
from ..determinism import Determinism
from ..iterators import IteratorBase, Pointer, array_of, output, source
from ._algorithm import Algorithm, checked, item_of_value, maker, value_of

# The bytes of the largest items that a kernel combines in registers.
_MOST_IN_REGISTERS = 256

# An item that may not be there yet: nothing is said of a neutral element.
_SOME = """
struct cuox_some {{ {cxx} value; bool given; }};
"""


def _partial(item: Item) -> np.dtype[Any]:
    return np.dtype([("value", item.dtype), ("given", "?")], align=True)


def _check_structs(d_in: Any, d_out: Any, item: Item) -> None:
    if item.is_struct:
        for given, name in ((d_in, "input"), (d_out, "output")):
            if (isinstance(given, Pointer) or not isinstance(given, IteratorBase)) and array_of(
                given
            ).dtype != item.dtype:
                raise TypeError(
                    f"reduce_into dtype mismatch: {name} dtype {array_of(given).dtype} != accumulator dtype {item.dtype}"
                )


def _work(call: Call, d_in: Any, d_out: Any, num_items: Count, op: Any, h_init: Any) -> None:
    item = item_of_value(h_init)
    _check_structs(d_in, d_out, item)
    parts = Parts()
    read, _ = source(d_in, parts, item)
    write = output(d_out, parts, item)
    parts.know(item)
    combine, _ = parts.call(op, [item, item], item, call.slots["op"])
    first = parts.scalar(value_of(h_init), item, call.slots["h_init"])
    parts.declare("typedef long long cuox_index;\n")
    identity = identity_text(op, item.dtype)
    size = item.dtype.itemsize
    texts: tuple[str, str | None, str, str]
    if identity is not None:
        texts = (item.cxx, f"{item.cxx}({identity})", combine("a", "b"), read("i"))
        put = write("i", combine(first, "sum"))
    elif size > _MOST_IN_REGISTERS:
        # The kernel knows which threads have a sum.
        texts = (item.cxx, None, combine("cuox_a", "cuox_b"), read("i"))
        put = f"if (has_sum) {{ {write('i', combine(first, 'sum'))} }} else {{ {write('i', first)} }}"
    else:
        parts.declare(_SOME.format(cxx=item.cxx))
        size = _partial(item).itemsize
        either = f"!a.given ? b : !b.given ? a : cuox_some{{{combine('a.value', 'b.value')}, true}}"
        texts = ("cuox_some", "cuox_some{}", either, f"cuox_some{{{read('i')}, true}}")
        put = write("i", f"(sum.given ? {combine(first, 'sum.value')} : {first})")
    call.checked_count(1, d_out)
    store = f"const cuox_index i = 0; {put}"
    call.launch(_Reduction, parts, *texts, n=call.checked_count(num_items, d_in), more=size, store=store, name="reduce")


_calls = remembered("aanfv", _work)


class _Reduce(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_out: Any,
        num_items: int,
        op: Any,
        h_init: Any,
        stream: Any = None,
    ) -> int:
        return self._run(temp_storage, _calls, stream, d_in, d_out, num_items, op, h_init)


@maker
def make_reduce_into(
    *,
    d_in: Any,
    d_out: Any,
    op: Any,
    h_init: Any,
    determinism: Determinism = Determinism.RUN_TO_RUN,
    compute_capability: Any = None,
) -> _Reduce:
    """A `reduce_into` for arguments of these types: `reducer(temp_storage=…, d_in=…, d_out=…, num_items=…, op=…,
    h_init=…, stream=None)`.
    """
    checked(d_in, d_out)
    Determinism(determinism)
    _check_structs(d_in, d_out, item_of_value(h_init))
    return _Reduce()


def reduce_into(
    *,
    d_in: Any,
    d_out: Any,
    num_items: int,
    op: Any,
    h_init: Any,
    stream: Any = None,
    determinism: Determinism = Determinism.RUN_TO_RUN,
) -> None:
    """Combine `h_init` and the items of `d_in` by an operator, and put the result into `d_out`.

    d_in: an array on the device, or an iterator. d_out: an array or iterator for one item. num_items: the number of
    items. op: an operator of two items, associative and commutative. h_init: the initial value, an array of one item or
    a structure, whose type all items are combined in. stream: the order; None is the null stream.

    The same input gives the same bits. Raises KernelTypeError for operators that cannot be translated, with the line;
    TypeError for items of other types.
    """
    if determinism is not Determinism.RUN_TO_RUN:
        Determinism(determinism)
    _calls(stream, d_in, d_out, num_items, op, h_init)
