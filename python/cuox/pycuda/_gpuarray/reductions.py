"""Sums, extremes and the like: of all elements, of those along axes, and of those that an array of indices chooses."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from cuox import Array
from cuox._native import _scalar_like

from . import kernels, ufuncs
from .axes import axes_of
from .expressions import c_type, cast, compute_type, highest, load, lowest

if TYPE_CHECKING:
    from .expressions import Dtype

_NUMPY = {
    "sum": np.add,
    "prod": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "any": np.logical_or,
    "all": np.logical_and,
}
_BOOL = np.dtype(np.bool_)
_SINGLE = np.dtype(np.float32)


@functools.cache
def _result_dtype(what: str, dtype: Dtype) -> Dtype:
    """Return the dtype that NumPy's reduction has."""
    result: Dtype = np.dtype(_NUMPY[what].reduce(np.ones(1, dtype)).dtype)
    return result


def _computed(dtype: Dtype) -> Dtype:
    """Return the dtype that is computed in: a sum of float16 would lose most of its digits."""
    return _SINGLE if dtype.char == "e" else dtype


def _neutral(what: str, dtype: Dtype) -> str:
    if what in ("sum", "prod"):
        number = 0 if what == "sum" else 1
        return f"({c_type(dtype)})({number})"
    return {"any": "false", "all": "true"}.get(what) or (lowest(dtype) if what == "max" else highest(dtype))


def _combine(what: str, dtype: Dtype) -> str:
    if what in ("max", "min"):
        # A NaN wins, whichever of the two it is.
        nan = " || a != a" if dtype.kind == "f" else ""
        return f"((a {'>' if what == 'max' else '<'} b{nan}) ? a : b)"
    if dtype.kind in "iu" and what in ("sum", "prod"):
        unsigned = "unsigned long long" if dtype.itemsize == 8 else "unsigned int"
        return f"({c_type(dtype)})(({unsigned})a {'+' if what == 'sum' else '*'} ({unsigned})b)"
    return {"sum": "a + b", "prod": "a * b", "any": "a || b", "all": "a && b"}[what]


@functools.cache
def _kernel(what: str, dtype: Dtype, computed: Dtype) -> Any:
    value = cast(load("x[i]", dtype), dtype, _BOOL if what in ("any", "all") else computed)
    parameters = [(f"const {c_type(dtype)}", "x", True)]
    return kernels.reduction(
        c_type(computed), _neutral(what, computed), _combine(what, computed), value, parameters, name=f"reduce_{what}"
    )


@functools.cache
def _whole(what: str, dtype: Dtype) -> tuple[Any, Dtype] | None:
    """Return the kernel that combines all elements, and the dtype of its result; None if that is converted
    afterwards."""
    result = _result_dtype(what, dtype)
    return (_kernel(what, dtype, result), result) if _computed(result) == result else None


def _axes(array: Array, axis: Any) -> tuple[int, ...] | None:
    if axis is None:
        return None
    axes = axes_of(axis, array.ndim)
    # All of them: the elements in any order.
    return None if len(axes) == array.ndim else axes


def _target(like: Array, shape: tuple[int, ...], dtype: Dtype, allocator: Any) -> Any:
    if allocator is not None:
        from .array import GPUArray

        return GPUArray(shape, dtype, allocator)
    return ufuncs.new_like([like], shape, dtype)


def reduce(
    what: str,
    array: Any,
    *,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    stream: Any = None,
    allocator: Any = None,
) -> Any:
    """Combine elements: all, or those along `axis`. `what` is sum, prod, max, min, any or all.

    dtype: of the result; NumPy's if it is None. out: the array that takes the result. keepdims: keep dimensions, of
    size 1.

    Returns the result, without dimensions if all elements are combined. Raises ValueError for max and min of no
    elements.
    """
    if not isinstance(array, Array):
        raise TypeError(f"{what}() takes a GPUArray, got {type(array).__name__}; to_gpu() copies host arrays")
    if out is not None and not isinstance(out, Array):
        raise TypeError(f"{what}(): out must be a GPUArray, got {type(out).__name__}")
    if axis is None and dtype is None and out is None and not keepdims and allocator is None and array.size:
        # Most calls, at a fraction of the cost of what is below.
        whole = _whole(what, array.dtype)
        target = None if whole is None else _scalar_like(array, whole[1])
        if whole is not None and target is not None:
            whole[0](array, out=target, stream=stream)
            return target
    result = _result_dtype(what, array.dtype) if dtype is None else np.dtype(dtype)
    computed = _computed(result)
    axes = _axes(array, axis)
    shape = () if axes is None else tuple(size for index, size in enumerate(array.shape) if index not in axes)
    reduced = array.shape if axes is None else tuple(array.shape[index] for index in axes)
    if what in ("max", "min") and 0 in reduced and 0 not in shape:
        raise ValueError(f"{what} of no elements: the array has shape {array.shape}")
    kept = shape
    if keepdims:
        kept = tuple(1 if axes is None or index in axes else size for index, size in enumerate(array.shape))
    if out is not None and out.shape != kept:
        raise ValueError(f"out has shape {out.shape}, the result {kept}")
    direct = computed == result and (out is None or out.dtype == computed) and kept == shape
    target = (
        out
        if direct and out is not None
        else _target(array, shape, computed, allocator if computed == result else None)
    )
    if target.size:
        _kernel(what, array.dtype, computed)(array, out=target, axis=axes, stream=stream)
    if direct:
        return target
    if computed != result:
        target = ufuncs.converted(target, result, stream=stream)
    if kept != shape:
        target = target.reshape(kept)
    if out is None:
        return target
    if out.dtype != target.dtype and not np.can_cast(target.dtype, out.dtype, "same_kind"):
        raise TypeError(f"{what}: cannot store a result of {target.dtype} in an array of {out.dtype}")
    return ufuncs.converted(target, out.dtype, out, stream)


def mean(array: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Return the mean of all elements, or along `axis`."""
    if dtype is None:
        dtype = array.dtype if array.dtype.kind in "fc" else np.dtype(np.float64)
    result = np.dtype(dtype)
    total = reduce("sum", array, axis=axis, dtype=_computed(result), keepdims=keepdims)
    count = array.size // max(total.size, 1)
    return ufuncs.converted(total / count, result)


@functools.cache
def _subset_kernel(what: str, index: Dtype, dtype: Dtype, computed: Dtype) -> Any:
    value = cast(load("x[lookup_tbl[i]]", dtype), dtype, computed)
    parameters = [(f"const {c_type(index)}", "lookup_tbl", True), (f"const {c_type(dtype)}", "x", True)]
    return kernels.reduction(
        c_type(computed), _neutral(what, computed), _combine(what, computed), value, parameters, name=f"subset_{what}"
    )


def subset(what: str, indices: Any, array: Any, dtype: Any = None, stream: Any = None, allocator: Any = None) -> Any:
    """Combine the elements with these indices, counted as in one dimension."""
    check_arrays(f"subset_{what}", array)
    check_indices(indices)
    result = _result_dtype(what, array.dtype) if dtype is None else np.dtype(dtype)
    computed = _computed(result)
    if what in ("max", "min") and not indices.size:
        raise ValueError(f"subset_{what} of no elements")
    target = _target(array, (), computed, allocator if computed == result else None)
    _subset_kernel(what, indices.dtype, array.dtype, computed)(indices, _flat(array), out=target, stream=stream)
    return target if computed == result else ufuncs.converted(target, result, stream=stream)


@functools.cache
def _dot_kernel(a: Dtype, b: Dtype, computed: Dtype, index: Dtype | None, conjugate: bool) -> Any:
    at = "i" if index is None else "lookup_tbl[i]"
    x = cast(load(f"x[{at}]", a), a, computed)
    y = cast(load(f"y[{at}]", b), b, computed)
    if conjugate and computed.kind == "c":
        x = f"pycuda::conj({x})"
    parameters = [] if index is None else [(f"const {c_type(index)}", "lookup_tbl", True)]
    parameters += [(f"const {c_type(a)}", "x", True), (f"const {c_type(b)}", "y", True)]
    times = "&&" if computed.kind == "b" else "*"
    value = f"({compute_type(computed)})(({x}) {times} ({y}))"
    combine = _combine("any" if computed.kind == "b" else "sum", computed)
    return kernels.reduction(
        c_type(computed),
        _neutral("any" if computed.kind == "b" else "sum", computed),
        combine,
        value,
        parameters,
        name="dot",
    )


def dot(
    a: Any,
    b: Any,
    dtype: Any = None,
    stream: Any = None,
    allocator: Any = None,
    *,
    indices: Any = None,
    conjugate: bool = False,
) -> Any:
    """Return the sum of the products of elements of two arrays of the same shape."""
    check_arrays("dot", a, b)
    if indices is None and a.shape != b.shape:
        raise ValueError(f"dot: arrays must have the same shape, got {a.shape} and {b.shape}")
    result = np.result_type(a.dtype, b.dtype) if dtype is None else np.dtype(dtype)
    computed = _computed(result)
    target = _target(a, (), computed, allocator if computed == result else None)
    kernel = _dot_kernel(a.dtype, b.dtype, computed, None if indices is None else indices.dtype, conjugate)
    if indices is None:
        kernel(a, b, out=target, stream=stream)
    else:
        check_indices(indices)
        kernel(indices, _flat(a), _flat(b), out=target, stream=stream)
    return target if computed == result else ufuncs.converted(target, result, stream=stream)


def check_arrays(function: str, *arrays: Any) -> None:
    """Raise TypeError for arguments that are no arrays on the device."""
    for array in arrays:
        if not isinstance(array, Array):
            raise TypeError(
                f"{function}() takes GPUArrays, got {type(array).__name__}; gpuarray.to_gpu() copies host arrays"
            )


def check_indices(indices: Any) -> None:
    """Raise TypeError for indices that are no array of integers on the device."""
    if not isinstance(indices, Array):
        raise TypeError(
            f"indices must be a GPUArray of integers, got {type(indices).__name__}; gpuarray.to_gpu() copies host arrays"
        )
    if indices.dtype.kind not in "iu":
        raise TypeError(f"indices must be integers, got an array of {indices.dtype}")


def _flat(array: Any) -> Any:
    """Return the array as one dimension in C's order, so that it is never taken for one of the indices' shape."""
    return array if array.ndim == 1 else Array.ravel(array)
