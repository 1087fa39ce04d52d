"""Transformations of each item."""

from __future__ import annotations

from typing import Any

from cuox._native import _Elementwise

from .._calls import Call, Count, remembered
from .._kernels import Parts
from ..iterators import DiscardIterator, iterator_of, source
from ._algorithm import Algorithm, checked, maker


def _work(call: Call, inputs: list[Any], d_out: Any, op: Any, num_items: Count) -> None:
    parts = Parts()
    reads, items = zip(*(source(given, parts) for given in inputs), strict=True)
    target = iterator_of(d_out)
    write = target.writer(parts)
    result = None if isinstance(target, DiscardIterator) and target.takes_all else target.item
    transform, _ = parts.call(op, items, result, call.slots["op"])
    parts.declare("typedef long long cuox_index;\n")
    operation = write("i", transform(*(read("i") for read in reads)))
    count = call.checked_count(num_items, *inputs, d_out)
    call.check_overlap(count, inputs, [d_out])
    call.launch(_Elementwise, parts, operation, n=count, name="transform", pure=True)


def _unary(call: Call, d_in: Any, d_out: Any, op: Any, num_items: Count) -> None:
    _work(call, [d_in], d_out, op, num_items)


def _binary(call: Call, d_in1: Any, d_in2: Any, d_out: Any, op: Any, num_items: Count) -> None:
    _work(call, [d_in1, d_in2], d_out, op, num_items)


_unary_calls = remembered("aafn", _unary)
_binary_calls = remembered("aaafn", _binary)


class _UnaryTransform(Algorithm):
    def __call__(
        self, *, temp_storage: Any = ..., d_in: Any, d_out: Any, op: Any, num_items: int, stream: Any = None
    ) -> int:
        return self._run(temp_storage, _unary_calls, stream, d_in, d_out, op, num_items)


class _BinaryTransform(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in1: Any,
        d_in2: Any,
        d_out: Any,
        op: Any,
        num_items: int,
        stream: Any = None,
    ) -> int:
        return self._run(temp_storage, _binary_calls, stream, d_in1, d_in2, d_out, op, num_items)


@maker
def make_unary_transform(*, d_in: Any, d_out: Any, op: Any, compute_capability: Any = None) -> _UnaryTransform:
    """A `unary_transform` for arguments of these types, to be called with them or with others: `transform(d_in=…,
    d_out=…, op=…, num_items=…, stream=None)`.
    """
    checked(d_in, d_out)
    return _UnaryTransform()


@maker
def make_binary_transform(
    *, d_in1: Any, d_in2: Any, d_out: Any, op: Any, compute_capability: Any = None
) -> _BinaryTransform:
    """A `binary_transform` for arguments of these types, to be called with them or with others."""
    checked(d_in1, d_in2, d_out)
    return _BinaryTransform()


def unary_transform(*, d_in: Any, d_out: Any, op: Any, num_items: int, stream: Any = None) -> None:
    """Put `op(a)` for each item `a` of `d_in` into `d_out`.

    d_in, d_out: arrays on the device, or iterators. op: an operator. num_items: the number of items. stream: the order;
    None is the null stream.

    Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for items of other types;
    ValueError for too few items, and for an output that begins at another item of an input.
    """
    _unary_calls(stream, d_in, d_out, op, num_items)


def binary_transform(*, d_in1: Any, d_in2: Any, d_out: Any, op: Any, num_items: int, stream: Any = None) -> None:
    """Put `op(a, b)` for the items of `d_in1` and `d_in2` at the same places into `d_out`. The arguments and errors are
    as of `unary_transform`.
    """
    _binary_calls(stream, d_in1, d_in2, d_out, op, num_items)
