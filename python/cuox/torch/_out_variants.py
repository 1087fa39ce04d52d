"""Results that are written where they belong.

A kernel for the CPU allocates its results in memory that the software GPU's kernels do not reach. So what the results
of an operation look like is remembered for the operands' dtypes, shapes and strides: from the second such call on,
tensors are allocated on the device and handed to the operation's variant with `out=`. A first call's results are
copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ._host import host, to_device
from ._order import wait
from ._schemas import Schema

_MOST = 2048  # kinds of operands that are remembered for an operator
_Tensor = torch.Tensor
_strided = torch.strided
_empty = torch.empty_strided


def _key(value: Any, with_values: bool) -> Any:
    if isinstance(value, _Tensor):
        return (value.dtype, value.shape, value.stride(), value.is_conj())
    if value.__class__ is list:
        return tuple([_key(one, with_values) for one in value])
    return (value.__class__, value)


class Variants:
    """What an operator's results look like, and its variant with `out=`."""

    def __init__(self, name: str, schema: Schema, quick: Callable[..., Any] | None) -> None:
        self.name = name
        variant: Any = schema.out_variant
        self.outs = [one.name for one in variant._schema.arguments if one.is_out]
        self.call = quick if quick is not None and self.outs == ["out"] else variant._op
        self.single = len(self.outs) == 1
        # Of a factor only the type has to do with what results look like, not its value.
        self.by_type = frozenset(
            place for place, one in enumerate(schema.positional) if str(one.type) in ("number", "float")
        )
        self.known: dict[Any, Any] = {}

    def run(self, call: Callable[..., Any], values: list[Any], kwargs: dict[str, Any], device: int) -> Any:
        """The results for operands that are on the CPU, as tensors on the device."""
        by_type = self.by_type
        try:
            key: Any = tuple(
                [
                    (value.dtype, value.shape, value.stride())
                    if isinstance(value, _Tensor)
                    else value.__class__
                    if place in by_type
                    else _key(value, True)
                    for place, value in enumerate(values)
                ]
            )
            if kwargs:
                key = key, tuple([(name, _key(value, True)) for name, value in kwargs.items()])
            found = self.known.get(key)
        except (TypeError, RuntimeError):  # not hashable, or a tensor without strides
            key = found = None
        if found:
            where = torch.device("cuda", device)
            made = [_empty(shape, stride, dtype=dtype, device=where) for shape, stride, dtype in found]
            try:
                self.call(*values, **kwargs, **{name: host(one) for name, one in zip(self.outs, made)})
                return made[0] if self.single else tuple(made)
            except RuntimeError:
                # Some need results of another shape on the way. The error that is the caller's comes again below.
                found = ()
                self.known[key] = found
        result = call(*values, **kwargs)
        results = (result,) if self.single else tuple(result)
        where = torch.device("cuda", device)
        if any(one.layout is not _strided for one in results):
            from . import _sparse

            made = [_sparse.to_device(one, where) for one in results]
        else:
            made = [to_device(one, where) for one in results]
            if key is not None and found is None and not any(one.is_conj() or one.is_neg() for one in results):
                if len(self.known) >= _MOST:
                    self.known.clear()
                self.known[key] = [(one.shape, one.stride(), one.dtype) for one in made]
        return made[0] if self.single else tuple(made)


def call_with_outs(
    call: Callable[..., Any], values: list[Any], kwargs: dict[str, Any], given: dict[str, Any], outs: list[str]
) -> Any:
    """Call a variant with `out=` whose outs may have to grow, which memory that is only shared cannot: then into new
    tensors, and from these into the outs.
    """
    before = {name: _shapes(kwargs[name]) for name in outs}
    try:
        result = call(*values, **kwargs)
    except RuntimeError as error:
        if "not resizable" not in str(error):
            raise
        fresh = {name: _fresh(kwargs[name]) for name in outs}
        result = call(*values, **{**kwargs, **fresh})
        for name in outs:
            _take(given[name], fresh[name])
        return result
    for name in outs:
        if _shapes(kwargs[name]) != before[name]:
            _reshape(given[name], kwargs[name])
    return result


def _shapes(value: Any) -> Any:
    if isinstance(value, _Tensor):
        return value.shape, value.stride()
    return [_shapes(one) for one in value]


def _fresh(value: Any) -> Any:
    if isinstance(value, _Tensor):
        return torch.empty(0, dtype=value.dtype, device="cpu")
    return [_fresh(one) for one in value]


def _take(out: Any, fresh: Any) -> None:
    """Make the tensor on the device what a new one on the CPU has become."""
    if not isinstance(out, _Tensor):
        for one, other in zip(out, fresh):
            _take(one, other)
        return
    _reshape(out, fresh)
    wait(out.get_device())  # a storage that grows is copied in the order of the stream
    host(out).copy_(fresh)


def _reshape(out: Any, alias: Any) -> None:
    """Give the tensor on the device the shape and strides of one on the CPU, and a storage that is large enough."""
    if not isinstance(out, _Tensor):
        for one, other in zip(out, alias):
            _reshape(one, other)
        return
    if out.shape != alias.shape:
        out.resize_(alias.shape)
    if out.stride() != alias.stride():
        reach = 1 + sum((size - 1) * step for size, step in zip(alias.shape, alias.stride()))
        needed = (out.storage_offset() + reach) * out.dtype.itemsize
        if alias.numel() and out.untyped_storage().nbytes() < needed:
            out.untyped_storage().resize_(needed)
        out.as_strided_(alias.shape, alias.stride())
