"""Elements by arrays of indices: `take`, `multi_take`, `multi_put`, `multi_take_put`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuox import Array

from . import kernels
from .expressions import c_type
from .reductions import check_arrays, check_indices

if TYPE_CHECKING:
    from .expressions import Dtype


@functools.cache
def _take_kernel(dtype: Dtype, index: Dtype) -> Any:
    parameters = [
        (f"const {c_type(index)}", "at", True),
        (c_type(dtype), "to", True),
        (f"const {c_type(dtype)}", "of", True),
    ]
    return kernels.elementwise(parameters, "to[i] = of[at[i]]", name="take")


@functools.cache
def _take_put_kernel(dtype: Dtype, index: Dtype) -> Any:
    parameters = [
        (f"const {c_type(index)}", "put_at", True),
        (f"const {c_type(index)}", "at", True),
        ("long long", "offset", False),
    ]
    parameters += [(c_type(dtype), "to", True), (f"const {c_type(dtype)}", "of", True)]
    return kernels.elementwise(parameters, "to[put_at[i]] = of[at[i] + offset]", name="take_put")


@functools.cache
def _put_kernel(dtype: Dtype, index: Dtype) -> Any:
    parameters = [
        (f"const {c_type(index)}", "at", True),
        (c_type(dtype), "to", True),
        (f"const {c_type(dtype)}", "of", True),
    ]
    return kernels.elementwise(parameters, "to[at[i]] = of[i]", name="put")


def _new(like: Any, shape: Any, dtype: Dtype) -> Any:
    from .array import GPUArray

    return GPUArray(shape, dtype, getattr(like, "_own_allocator", None))


def _check_dtypes(function: str, of: Any, to: Any) -> None:
    if of.dtype != to.dtype:
        raise TypeError(f"{function}: arrays and out must have the same dtype, got {of.dtype} and {to.dtype}")


def take(a: Any, indices: Any, out: Any = None, stream: Any = None) -> Any:
    """Return the elements of `a` with these indices, counted as in one dimension, in an array of the indices' shape or
    in
    `out`.

    Indices outside the array read memory that is not the array's. Raises TypeError for indices that are no integers.
    """
    check_arrays("take", a)
    check_indices(indices)
    if out is None:
        out = _new(a, indices.shape, a.dtype)
    _check_dtypes("take", a, out)
    if out.shape != indices.shape:
        raise ValueError(f"take: out has shape {out.shape}, the indices {indices.shape}")
    # By its own order of elements, even if it has the indices' shape by chance.
    _take_kernel(a.dtype, indices.dtype)(indices, out, a, stream=stream)
    return out


def _one_dimension(name: str, indices: Any) -> None:
    check_indices(indices)
    if indices.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got {indices.ndim}")


def _outputs(function: str, arrays: Sequence[Any], shape: Any, out: Sequence[Any] | None) -> Sequence[Any]:
    dtype = arrays[0].dtype
    for array in arrays:
        if array.dtype != dtype:
            raise ValueError(f"{function}: arrays must have one dtype, got {dtype} and {array.dtype}")
    if out is None:
        if shape is None:
            raise TypeError(f"{function}: dest_shape or out is missing")
        return [_new(arrays[0], shape, dtype) for _ in arrays]
    if len(out) != len(arrays):
        raise ValueError(f"{function}: out and arrays must have the same length, got {len(out)} and {len(arrays)}")
    for target in out:
        _check_dtypes(function, arrays[0], target)
    return out


def multi_take(
    arrays: Sequence[Any], indices: Any, out: Sequence[Any] | None = None, stream: Any = None
) -> Sequence[Any]:
    """Return the elements with these indices of several arrays of one dtype, as a list of arrays."""
    if not len(arrays):
        return []
    _one_dimension("indices", indices)
    out = _outputs("multi_take", arrays, indices.shape, out)
    for array, target in zip(arrays, out, strict=True):
        take(array, indices, target, stream)
    return out


def multi_take_put(
    arrays: Sequence[Any],
    dest_indices: Any,
    src_indices: Any,
    dest_shape: Any = None,
    out: Sequence[Any] | None = None,
    stream: Any = None,
    src_offsets: Sequence[int] | None = None,
) -> Sequence[Any]:
    """Set `out[k][dest_indices] = arrays[k][src_indices + src_offsets[k]]` for each array; new arrays have
    `dest_shape`.

    Elements of new arrays that nothing is put at have no particular value. Returns the list of arrays.
    """
    if not len(arrays):
        return []
    _one_dimension("src_indices", src_indices)
    _one_dimension("dest_indices", dest_indices)
    if src_indices.dtype != dest_indices.dtype:
        raise TypeError(
            f"src_indices and dest_indices must have the same dtype, got {src_indices.dtype} and {dest_indices.dtype}"
        )
    if src_indices.shape != dest_indices.shape:
        raise ValueError(
            f"src_indices and dest_indices must have the same shape, got {src_indices.shape} and {dest_indices.shape}"
        )
    offsets: Sequence[int] = [0] * len(arrays) if src_offsets is None else src_offsets
    if len(offsets) != len(arrays):
        raise ValueError(f"src_offsets and arrays must have the same length, got {len(offsets)} and {len(arrays)}")
    out = _outputs("multi_take_put", arrays, dest_shape, out)
    kernel = _take_put_kernel(arrays[0].dtype, src_indices.dtype)
    for array, target, offset in zip(arrays, out, offsets, strict=True):
        kernel(dest_indices, src_indices, int(offset), target, array, stream=stream)
    return out


def multi_put(
    arrays: Sequence[Any],
    dest_indices: Any,
    dest_shape: Any = None,
    out: Sequence[Any] | None = None,
    stream: Any = None,
) -> Sequence[Any]:
    """Set `out[k][dest_indices] = arrays[k]` for each array; new arrays have `dest_shape`. Returns the list of
    arrays."""
    if not len(arrays):
        return []
    _one_dimension("dest_indices", dest_indices)
    out = _outputs("multi_put", arrays, dest_shape, out)
    kernel = _put_kernel(arrays[0].dtype, dest_indices.dtype)
    for array, target in zip(arrays, out, strict=True):
        if array.size < dest_indices.size:
            raise ValueError(f"multi_put: there are {dest_indices.size} indices for an array of {array.size} elements")
        kernel(dest_indices, target, Array.ravel(array), stream=stream)
    return out
