"""Arrays in device memory with NumPy's arithmetic: PyCUDA's `gpuarray`.

    from cuox.pycuda import gpuarray

    x = gpuarray.to_gpu(np.arange(10, dtype=np.float32))
    print((2 * x + 1).get())

A `GPUArray` is a `cuox.Array`: kernels take it as an argument, and views share its memory. Types of results,
broadcasting and the order of elements are NumPy's; so are NumPy's functions (`np.sin(x)`).
"""

from __future__ import annotations

from typing import Any

from ._gpuarray import reductions as _reductions
from ._gpuarray.array import GPUArray
from ._gpuarray.conditions import (
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    where,
)
from ._gpuarray.creation import (
    arange,
    concatenate,
    empty,
    empty_like,
    ones,
    ones_like,
    reshape,
    stack,
    to_gpu,
    to_gpu_async,
    transpose,
    zeros,
    zeros_like,
)
from ._gpuarray.indexing import multi_put, multi_take, multi_take_put, take
from ._gpuarray.splaying import splay
from ._gpuarray.vec import vec

__all__ = [
    "GPUArray",
    "all",
    "any",
    "arange",
    "concatenate",
    "dot",
    "empty",
    "empty_like",
    "if_positive",
    "logical_and",
    "logical_not",
    "logical_or",
    "max",
    "maximum",
    "min",
    "minimum",
    "multi_put",
    "multi_take",
    "multi_take_put",
    "ones",
    "ones_like",
    "reshape",
    "splay",
    "stack",
    "subset_dot",
    "subset_max",
    "subset_min",
    "subset_sum",
    "sum",
    "take",
    "to_gpu",
    "to_gpu_async",
    "transpose",
    "vdot",
    "vec",
    "where",
    "zeros",
    "zeros_like",
]


def sum(a: Any, dtype: Any = None, stream: Any = None, allocator: Any = None, axis: Any = None) -> GPUArray:
    """Return the sum of all elements, or along `axis`, of NumPy's result type or `dtype`."""
    return _reduced("sum", a, axis=axis, dtype=dtype, stream=stream, allocator=allocator)


def any(a: Any, stream: Any = None, allocator: Any = None, axis: Any = None) -> GPUArray:
    """Return True if any element is true, of all or along `axis`, as an array of bools."""
    return _reduced("any", a, axis=axis, stream=stream, allocator=allocator)


def all(a: Any, stream: Any = None, allocator: Any = None, axis: Any = None) -> GPUArray:
    """Return True if all elements are true, of all or along `axis`, as an array of bools."""
    return _reduced("all", a, axis=axis, stream=stream, allocator=allocator)


def max(a: Any, stream: Any = None, axis: Any = None) -> GPUArray:
    """Return the largest element, of all or along `axis`; NaN if there is one. Raises ValueError if there are no
    elements.
    """
    return _reduced("max", a, axis=axis, stream=stream)


def min(a: Any, stream: Any = None, axis: Any = None) -> GPUArray:
    """Return the smallest element, of all or along `axis`; NaN if there is one. Raises ValueError if there are no
    elements.
    """
    return _reduced("min", a, axis=axis, stream=stream)


def dot(a: Any, b: Any, dtype: Any = None, stream: Any = None, allocator: Any = None) -> GPUArray:
    """Return the sum of the products of the elements of two arrays of the same shape, as an array without
    dimensions."""
    return _of_pycuda(_reductions.dot(a, b, dtype, stream, allocator))


def vdot(a: Any, b: Any, dtype: Any = None, stream: Any = None, allocator: Any = None) -> GPUArray:
    """Return the sum of the products of the conjugates of `a` and the elements of `b`."""
    return _of_pycuda(_reductions.dot(a, b, dtype, stream, allocator, conjugate=True))


def subset_sum(subset: Any, a: Any, dtype: Any = None, stream: Any = None, allocator: Any = None) -> GPUArray:
    """Return the sum of the elements with the indices in `subset`, counted as in one dimension."""
    return _of_pycuda(_reductions.subset("sum", subset, a, dtype, stream, allocator))


def subset_dot(subset: Any, a: Any, b: Any, dtype: Any = None, stream: Any = None, allocator: Any = None) -> GPUArray:
    """Return the sum of the products of the elements with the indices in `subset`."""
    return _of_pycuda(_reductions.dot(a, b, dtype, stream, allocator, indices=subset))


def subset_max(subset: Any, a: Any, stream: Any = None) -> GPUArray:
    """Return the largest of the elements with the indices in `subset`."""
    return _of_pycuda(_reductions.subset("max", subset, a, stream=stream))


def subset_min(subset: Any, a: Any, stream: Any = None) -> GPUArray:
    """Return the smallest of the elements with the indices in `subset`."""
    return _of_pycuda(_reductions.subset("min", subset, a, stream=stream))


def _reduced(what: str, a: Any, **kwargs: Any) -> GPUArray:
    return _of_pycuda(_reductions.reduce(what, a, **kwargs))


def _of_pycuda(result: Any) -> GPUArray:
    assert isinstance(result, GPUArray)
    return result


# Messages name the class as programs do.
GPUArray.__module__ = __name__
