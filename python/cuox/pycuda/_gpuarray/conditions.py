"""Choices between elements: `where`, `if_positive`, `maximum`, `minimum`, and logic."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox import Array

from . import kernels, ufuncs
from .expressions import c_type, cast, compute_type, load, store

_CHOICES: dict[Any, Any] = {}


def _choose(test: str, criterion: Any, then_: Any, else_: Any, out: Any, stream: Any) -> Any:
    if not isinstance(criterion, Array):
        raise TypeError(f"criterion must be a GPUArray, got {type(criterion).__name__}")
    types = [value.dtype if isinstance(value, Array) else ufuncs.scalar_type(value) for value in (then_, else_)]
    if None in types:
        raise TypeError("then_ and else_ must be GPUArrays or numbers; to_gpu() copies host arrays")
    dtype = _common(types)
    result = dtype if out is None else out.dtype
    key = (test, criterion.dtype, *types, isinstance(then_, Array), isinstance(else_, Array), result)
    kernel = _CHOICES.get(key)
    if kernel is None:
        parameters = [(f"const {c_type(criterion.dtype)}", "x", True)]
        values = []
        for name, value, given in (("t", then_, types[0]), ("e", else_, types[1])):
            if isinstance(value, Array):
                parameters.append((f"const {c_type(given)}", name, True))
                values.append(cast(load(f"{name}[i]", given), given, result))
            else:
                parameters.append((compute_type(dtype), name, False))
                values.append(cast(name, dtype, result))
        parameters.append((c_type(result), "z", True))
        loaded = load("x[i]", criterion.dtype)
        condition = cast(loaded, criterion.dtype, np.dtype(np.bool_)) if test == "true" else f"{loaded} > 0"
        kernel = _CHOICES[key] = kernels.elementwise(
            parameters, f"z[i] = {store(f'({condition} ? {values[0]} : {values[1]})', result)}", name="choose"
        )
    operands = [value if isinstance(value, Array) else dtype.type(value) for value in (then_, else_)]
    if out is None and not isinstance(then_, Array):
        # The result has the class of the first array.
        shape = np.broadcast_shapes(criterion.shape, *(value.shape for value in operands if isinstance(value, Array)))
        out = ufuncs.new_like([criterion], shape, result)
    return ufuncs.launch(kernel, [criterion, *operands], result, out, stream)


def _common(types: list[Any]) -> Any:
    known = [found for found in types if isinstance(found, np.dtype)]
    if len(known) == 2:
        return np.result_type(*known)
    if not known:
        return np.result_type(*(np.dtype(found) for found in types))
    weak = next(found for found in types if not isinstance(found, np.dtype))
    return np.add.resolve_dtypes((known[0], weak, None))[-1]


def if_positive(criterion: Any, then_: Any, else_: Any, out: Any = None, stream: Any = None) -> Any:
    """Return the elements of `then_` where `criterion` is greater than 0, and those of `else_` elsewhere."""
    return _choose("positive", criterion, then_, else_, out, stream)


def where(criterion: Any, then_: Any, else_: Any, out: Any = None, stream: Any = None) -> Any:
    """Return the elements of `then_` where `criterion` is not 0, and those of `else_` elsewhere."""
    return _choose("true", criterion, then_, else_, out, stream)


def _binary(name: str, a: Any, b: Any, out: Any, stream: Any) -> Any:
    if not isinstance(a, Array) and not isinstance(b, Array):
        raise TypeError(f"{name}() takes at least one GPUArray; numpy.{name} is for host arrays")
    result = ufuncs.apply(name, (a, b), out, stream)
    if result is NotImplemented:
        raise TypeError(
            f"{name}() takes GPUArrays and numbers, got {type(a).__name__} and {type(b).__name__}; to_gpu() copies host arrays"
        )
    return result


def maximum(a: Any, b: Any, out: Any = None, stream: Any = None) -> Any:
    """Return the larger of two elements, of arrays or numbers; NaN if one of them is."""
    return _binary("maximum", a, b, out, stream)


def minimum(a: Any, b: Any, out: Any = None, stream: Any = None) -> Any:
    """Return the smaller of two elements, of arrays or numbers; NaN if one of them is."""
    return _binary("minimum", a, b, out, stream)


def _logic(name: str, operands: tuple[Any, ...], out: Any, allocator: Any) -> Any:
    if not any(isinstance(operand, Array) for operand in operands):
        if any(ufuncs.scalar_type(operand) is None for operand in operands):
            raise TypeError(
                f"{name}() takes GPUArrays and numbers, got {', '.join(type(operand).__name__ for operand in operands)}"
            )
        from .array import GPUArray

        out = GPUArray((), np.dtype(np.bool_), allocator) if out is None else out
        out[...] = getattr(np, name)(*operands)
        return out
    if out is None and allocator is not None:
        from .array import GPUArray

        shape = np.broadcast_shapes(*(operand.shape for operand in operands if isinstance(operand, Array)))
        out = GPUArray(shape, np.dtype(np.bool_), allocator)
    result = ufuncs.apply(name, operands, out)
    if result is NotImplemented:
        raise TypeError(f"{name}() takes GPUArrays and numbers; to_gpu() copies host arrays")
    return result


def logical_and(x1: Any, x2: Any, /, out: Any = None, *, allocator: Any = None) -> Any:
    """Return an array of bools: True where both elements are true."""
    return _logic("logical_and", (x1, x2), out, allocator)


def logical_or(x1: Any, x2: Any, /, out: Any = None, *, allocator: Any = None) -> Any:
    """Return an array of bools: True where one of the elements is true."""
    return _logic("logical_or", (x1, x2), out, allocator)


def logical_not(x: Any, /, out: Any = None, *, allocator: Any = None) -> Any:
    """Return an array of bools: True where the element is 0."""
    return _logic("logical_not", (x,), out, allocator)
