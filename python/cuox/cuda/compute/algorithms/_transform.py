"""Transformations of each item."""

from __future__ import annotations

from typing import Any

from cuox._native import _Elementwise

from .._kernels import Parts, kernel
from ..iterators import DiscardIterator, iterator_of, source
from ._algorithm import Algorithm, checked, count_of


def _run(inputs: list[Any], d_out: Any, op: Any, num_items: int, stream: Any) -> None:
    parts = Parts()
    reads, items = zip(*(source(given, parts) for given in inputs), strict=True)
    target = iterator_of(d_out)
    write = target.writer(parts)
    call, _ = parts.call(op, items, None if isinstance(target, DiscardIterator) and target.takes_all else target.item)
    parts.declare("typedef long long cuox_index;\n")
    operation = write("i", call(*(read("i") for read in reads)))
    kernel(_Elementwise, parts, operation, name="transform")(*parts.values, n=count_of(num_items, *inputs, d_out), stream=stream)


class _UnaryTransform(Algorithm):
    def run(self, *, d_in: Any, d_out: Any, op: Any, num_items: int, stream: Any) -> None:
        _run([d_in], d_out, op, num_items, stream)


class _BinaryTransform(Algorithm):
    def run(self, *, d_in1: Any, d_in2: Any, d_out: Any, op: Any, num_items: int, stream: Any) -> None:
        _run([d_in1, d_in2], d_out, op, num_items, stream)


def make_unary_transform(*, d_in: Any, d_out: Any, op: Any, compute_capability: Any = None) -> _UnaryTransform:
    """A `unary_transform` for arguments of these types, to be called with them or with others: `transform(d_in=…, d_out=…, op=…, num_items=…, stream=None)`."""
    checked(d_in, d_out)
    return _UnaryTransform()


def make_binary_transform(*, d_in1: Any, d_in2: Any, d_out: Any, op: Any, compute_capability: Any = None) -> _BinaryTransform:
    """A `binary_transform` for arguments of these types, to be called with them or with others."""
    checked(d_in1, d_in2, d_out)
    return _BinaryTransform()


def unary_transform(*, d_in: Any, d_out: Any, op: Any, num_items: int, stream: Any = None) -> None:
    """Put `op(a)` for each item `a` of `d_in` into `d_out`.

    d_in, d_out: arrays on the device, or iterators. op: an operator. num_items: the number of items. stream: the order; None is the null stream.

    Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for items of other types.
    """
    make_unary_transform(d_in=d_in, d_out=d_out, op=op)(d_in=d_in, d_out=d_out, op=op, num_items=num_items, stream=stream)


def binary_transform(*, d_in1: Any, d_in2: Any, d_out: Any, op: Any, num_items: int, stream: Any = None) -> None:
    """Put `op(a, b)` for the items of `d_in1` and `d_in2` at the same places into `d_out`. The arguments are as of `unary_transform`."""
    make_binary_transform(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=op)(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=op, num_items=num_items, stream=stream)
