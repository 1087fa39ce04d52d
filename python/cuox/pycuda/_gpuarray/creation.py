"""New arrays: from host arrays, of one value, of ascending numbers, joined of others."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import cuox
from cuox import Array

from . import kernels
from .array import Allocator, GPUArray, Order, _strides_like
from .axes import axis_of
from .expressions import c_type, cast, compute_type, store

if TYPE_CHECKING:
    import numpy.typing as npt

empty = GPUArray


def to_gpu(ary: Any, allocator: Allocator | None = None) -> GPUArray:
    """Copy a host array to a new array in the same order of elements."""
    return to_gpu_async(ary, allocator, None, _wait=True)


def to_gpu_async(ary: Any, allocator: Allocator | None = None, stream: Any = None, *, _wait: bool = False) -> GPUArray:
    """Copy a host array to a new array, in the order of a stream; `ary` in pinned memory must stay as it is until
    then."""
    ary = np.asanyarray(ary) if not isinstance(ary, Array) else ary
    result = GPUArray(ary.shape, ary.dtype, allocator, strides=_order(ary))
    if _wait:
        result.copy_from(ary)
    else:
        result.set_async(ary, stream)
    return result


def _order(ary: Any) -> tuple[int, ...] | None:
    """Return the strides of an array without gaps in the order of a host array; None for C's order."""
    contiguous = ary.is_c_contiguous if isinstance(ary, Array) else ary.flags.c_contiguous
    return None if contiguous else _strides_like(ary, ary.dtype.itemsize)


def zeros(
    shape: Any, dtype: npt.DTypeLike = np.float64, allocator: Allocator | None = None, order: Order = "C"
) -> GPUArray:
    """Make an array of zeros."""
    return GPUArray(shape, dtype, allocator, order=order).fill(np.zeros((), dtype))


def ones(
    shape: Any, dtype: npt.DTypeLike = np.float64, allocator: Allocator | None = None, order: Order = "C"
) -> GPUArray:
    """Make an array of ones."""
    return GPUArray(shape, dtype, allocator, order=order).fill(np.ones((), dtype))


def empty_like(other_ary: Any, dtype: npt.DTypeLike | None = None, order: Any = "K") -> GPUArray:
    """Make an array of the shape, dtype and order of another, without particular values.

    order: "C", "F", "A" (Fortran's if the other has only that), or "K" (the other's order of dimensions).
    """
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f'order must be "C", "F", "A" or "K", got {order!r}')
    dtype = other_ary.dtype if dtype is None else np.dtype(dtype)
    if isinstance(other_ary, GPUArray) and other_ary._own_allocator is None:
        return cuox.empty_like(other_ary, dtype, order=order)  # type: ignore[return-value]
    flags = other_ary.flags
    if order == "A":
        order = "F" if flags.f_contiguous and not flags.c_contiguous else "C"
    strides = _strides_like(other_ary, np.dtype(dtype).itemsize) if order == "K" else None
    return GPUArray(
        other_ary.shape,
        dtype,
        getattr(other_ary, "_own_allocator", None),
        strides=strides,
        order="C" if order == "K" else order,
    )


def zeros_like(other_ary: Any, dtype: npt.DTypeLike | None = None, order: Any = "K") -> GPUArray:
    """Make an array of zeros, otherwise like another."""
    new = empty_like(other_ary, dtype, order)
    return new.fill(np.zeros((), new.dtype))


def ones_like(other_ary: Any, dtype: npt.DTypeLike | None = None, order: Any = "K") -> GPUArray:
    """Make an array of ones, otherwise like another."""
    new = empty_like(other_ary, dtype, order)
    return new.fill(np.ones((), new.dtype))


_ARANGES: dict[Any, Any] = {}


def arange(*args: Any, **kwargs: Any) -> GPUArray:
    """Make an array of numbers from `start` on, in steps of `step`, that ends before `stop`: `arange([start,] stop[,
    step][, dtype])`.

    dtype: by default the one that the numbers have in NumPy. allocator and stream are keywords too.

    Raises TypeError for missing and unknown arguments.
    """
    names = ["start", "stop", "step"]
    given: dict[str, Any] = {"stream": kwargs.pop("stream", None), "allocator": kwargs.pop("allocator", None)}
    if args and isinstance(args[-1], np.dtype):
        given["dtype"] = args[-1]
        args = args[:-1]
    if len(args) > 3:
        raise ValueError(f"arange() takes at most start, stop and step, got {len(args)} numbers")
    given.update(zip(["stop"] if len(args) == 1 else names, args, strict=False))
    for name, value in kwargs.items():
        if name not in (*names, "dtype"):
            raise ValueError(f"arange() got an unexpected argument {name!r}")
        if given.get(name) is not None:
            raise ValueError(f"arange() got {name} twice, by position and by name")
        given[name] = value
    if given.get("stop") is None:
        raise ValueError("arange() is missing stop: arange([start,] stop[, step][, dtype])")
    start = 0 if given.get("start") is None else given["start"]
    step = 1 if given.get("step") is None else given["step"]
    stop = given["stop"]
    if given.get("dtype") is None:
        dtype = np.array([start, stop, step]).dtype
        if dtype != np.float32:
            warnings.warn(
                f"arange() makes elements of {dtype}, as NumPy does; dtype= says which is meant", stacklevel=2
            )
    else:
        dtype = np.dtype(given["dtype"])
    count = max(0, math.ceil((stop - start) / step))
    result = GPUArray(count, dtype, given["allocator"])
    # As NumPy has it, the step is the difference of the first two elements.
    first = dtype.type(start)
    second = dtype.type(start + step)
    wide = np.dtype("f8" if dtype.kind == "f" else "u8" if dtype.kind in "iub" else dtype)
    kernel = _ARANGES.get(dtype)
    if kernel is None:
        value = cast(f"start + ({compute_type(wide) if wide.kind != 'c' else 'double'})i * step", wide, dtype)
        parameters = [(c_type(dtype), "z", True), (c_type(wide), "start", False), (c_type(wide), "step", False)]
        kernel = _ARANGES[dtype] = kernels.elementwise(parameters, f"z[i] = {store(value, dtype)}", name="arange")
    if wide.kind == "u":
        begin: Any = int(first) % 2**64
        delta: Any = (int(second) - int(first)) % 2**64
    else:
        begin, delta = wide.type(first), wide.type(wide.type(second) - wide.type(first))
    kernel(result, begin, delta, stream=given["stream"])
    return result


def concatenate(arrays: Sequence[Any], axis: int = 0, allocator: Allocator | None = None) -> GPUArray:
    """Join arrays along a dimension. Raises ValueError if their other dimensions differ."""
    arrays = list(arrays)
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    first = arrays[0]
    if first.ndim == 0:
        raise ValueError("arrays without dimensions cannot be concatenated; stack() joins them")
    axis = axis_of(axis, first.ndim)
    rest = [first.shape[:axis], first.shape[axis + 1 :]]
    for number, array in enumerate(arrays):
        if array.ndim != first.ndim or [array.shape[:axis], array.shape[axis + 1 :]] != rest:
            raise ValueError(
                f"concatenate: array {number} has shape {array.shape}, which does not fit {first.shape} along axis {axis}"
            )
    shape = (*rest[0], sum(array.shape[axis] for array in arrays), *rest[1])
    result = _joined(arrays, shape, allocator)
    begin = 0
    for array in arrays:
        end = begin + array.shape[axis]
        result[(slice(None),) * axis + (slice(begin, end),)] = array
        begin = end
    return result


def stack(arrays: Sequence[Any], axis: int = 0, allocator: Allocator | None = None) -> GPUArray:
    """Join arrays of one shape along a new dimension. Raises ValueError if the shapes differ."""
    arrays = list(arrays)
    if not arrays:
        raise ValueError("need at least one array to stack")
    shape = arrays[0].shape
    for array in arrays:
        if array.shape != shape:
            raise ValueError(f"stack: arrays must have the same shape, got {shape} and {array.shape}")
    axis = axis_of(axis, len(shape) + 1)
    result = _joined(arrays, (*shape[:axis], len(arrays), *shape[axis:]), allocator)
    for number, array in enumerate(arrays):
        result[(slice(None),) * axis + (number, ...)] = array
    return result


def _joined(arrays: Sequence[Any], shape: tuple[int, ...], allocator: Allocator | None) -> GPUArray:
    dtype = np.result_type(*(array.dtype for array in arrays))
    if allocator is None:
        allocator = getattr(arrays[0], "_own_allocator", None)
    fortran = all(array.flags.f_contiguous and not array.flags.c_contiguous for array in arrays)
    return GPUArray(shape, dtype, allocator, order="F" if fortran else "C")


def transpose(a: Any, axes: Any = None) -> Any:
    """Return a view with the dimensions in the order `axes`; reversed without it."""
    return a.transpose(axes)


def reshape(a: Any, *shape: Any, **kwargs: Any) -> Any:
    """Show the elements of an array under another shape, as `GPUArray.reshape` does."""
    return a.reshape(*shape, **kwargs)
