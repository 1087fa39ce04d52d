"""NumPy's functions (those that are no ufuncs) for arrays in device memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cuox import Array

from . import indexing, reductions

FUNCTIONS: dict[Any, Callable[..., Any]] = {}


def _is(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def note(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            FUNCTIONS[function] = implementation
        return implementation

    return note


def _reduction(what: str) -> Callable[..., Any]:
    if what in ("sum", "prod"):

        def summed(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
            return reductions.reduce(what, a, axis=axis, dtype=dtype, out=out, keepdims=keepdims)

        return summed

    def reduced(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        return reductions.reduce(what, a, axis=axis, out=out, keepdims=keepdims)

    return reduced


for _what, _functions in {
    "sum": (np.sum,),
    "prod": (np.prod,),
    "any": (np.any,),
    "all": (np.all,),
    "max": (np.max, np.amax),
    "min": (np.min, np.amin),
}.items():
    _is(*_functions)(_reduction(_what))


@_is(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return reductions.mean(a, axis, dtype, keepdims)


@_is(np.where)
def _where(condition: Any, x: Any, y: Any) -> Any:
    from . import conditions

    return conditions.where(condition, x, y)


@_is(np.take)
def _take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> Any:
    if axis is not None and a.ndim != 1:
        raise NotImplementedError("numpy.take with an axis is there for arrays of one dimension only")
    return indexing.take(a, indices, out)


@_is(np.dot)
def _dot(a: Any, b: Any) -> Any:
    if a.ndim > 1 or b.ndim > 1:
        raise NotImplementedError("numpy.dot is there for arrays of one dimension only")
    return reductions.dot(a, b) if a.ndim and b.ndim else a * b


@_is(np.vdot)
def _vdot(a: Any, b: Any) -> Any:
    return reductions.dot(Array.ravel(a), Array.ravel(b), conjugate=True)


def _creation(name: str) -> Callable[..., Any]:
    def create(*args: Any, **kwargs: Any) -> Any:
        from . import creation

        return getattr(creation, name)(*args, **kwargs)

    return create


for _name in ("concatenate", "stack", "empty_like", "zeros_like", "ones_like", "transpose", "reshape"):
    _is(getattr(np, _name))(_creation(_name))


@_is(np.full_like)
def _full_like(a: Any, fill_value: Any, dtype: Any = None, order: Any = "K") -> Any:
    from . import creation

    return creation.empty_like(a, dtype, order).fill(fill_value)


@_is(np.ravel)
def _ravel(a: Any, order: Any = "C") -> Any:
    return a.ravel(order)


@_is(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Any:
    return a.squeeze(axis)


@_is(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return a.swapaxes(axis1, axis2)


@_is(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any) -> Any:
    return array.broadcast_to(shape)


@_is(np.copy)
def _copy(a: Any, order: Any = "K") -> Any:
    return a.copy(order)


@_is(np.real)
def _real(val: Any) -> Any:
    return val.real


@_is(np.imag)
def _imag(val: Any) -> Any:
    return val.imag


@_is(np.shape)
def _shape(a: Any) -> Any:
    return a.shape


@_is(np.ndim)
def _ndim(a: Any) -> Any:
    return a.ndim


@_is(np.size)
def _size(a: Any, axis: int | None = None) -> Any:
    return a.size if axis is None else a.shape[axis]


@_is(np.array_equal)
def _array_equal(a1: Any, a2: Any) -> bool:
    return a1.shape == a2.shape and bool(reductions.reduce("all", a1 == a2))
