"""Layouts of arrays: strides, contiguity, and the dtype of a result."""

from __future__ import annotations

from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.lib.stride_tricks import as_strided

__all__ = [
    "ArrayFlags",
    "ArrayIsh",
    "as_strided",
    "c_contiguous_strides",
    "equal_strides",
    "f_contiguous_strides",
    "get_common_dtype",
    "is_c_contiguous_strides",
    "is_f_contiguous_strides",
]


class ArrayIsh(Protocol):
    """An object with the layout of an array."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from one element to the next along each axis."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""


def f_contiguous_strides(itemsize: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of an array in Fortran order: the first axis is the fastest.

    itemsize: bytes of an element. An axis of length 0 counts as one of length 1.
    """
    strides = []
    step = itemsize
    for length in shape:
        strides.append(step)
        step *= max(1, length)
    return tuple(strides)


def c_contiguous_strides(itemsize: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of an array in C order: the last axis is the fastest.

    itemsize: bytes of an element. An axis of length 0 counts as one of length 1.
    """
    return f_contiguous_strides(itemsize, shape[::-1])[::-1]


def equal_strides(strides1: tuple[int, ...], strides2: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether two arrays of a shape have the same layout: strides of axes of length 1 do not matter."""
    if strides1 == strides2:
        return True
    if not len(strides1) == len(strides2) == len(shape):
        return False
    return all(length == 1 or first == second for length, first, second in zip(shape, strides1, strides2, strict=True))


def is_f_contiguous_strides(strides: tuple[int, ...], itemsize: int, shape: tuple[int, ...]) -> bool:
    """Return whether an array of these strides is in Fortran order without gaps; an empty one is."""
    return equal_strides(strides, f_contiguous_strides(itemsize, shape), shape) or prod(shape) == 0


def is_c_contiguous_strides(strides: tuple[int, ...], itemsize: int, shape: tuple[int, ...]) -> bool:
    """Return whether an array of these strides is in C order without gaps; an empty one is."""
    return equal_strides(strides, c_contiguous_strides(itemsize, shape), shape) or prod(shape) == 0


class ArrayFlags:
    """The contiguity of an array: `f_contiguous`, `c_contiguous`, and `forc` for either."""

    def __init__(self, ary: ArrayIsh) -> None:
        layout = (ary.strides, ary.dtype.itemsize, ary.shape)
        self.f_contiguous: bool = is_f_contiguous_strides(*layout)
        self.c_contiguous: bool = is_c_contiguous_strides(*layout)
        self.forc: bool = self.f_contiguous or self.c_contiguous

    def __repr__(self) -> str:
        return f"  C_CONTIGUOUS : {self.c_contiguous}\n  F_CONTIGUOUS : {self.f_contiguous}"


def get_common_dtype(obj1: ArrayIsh, obj2: Any, allow_double: bool) -> np.dtype[Any]:
    """Return the dtype of `obj1 + obj2` by NumPy's rules.

    obj1: an array. obj2: an array or a scalar.
    allow_double: False makes float32 of float64 and complex64 of complex128.
    """
    # Addition decides, since NumPy treats Python's scalars unlike arrays.
    one = np.zeros(1, dtype=obj1.dtype)
    other = np.zeros(1, dtype=obj2.dtype) if hasattr(obj2, "dtype") else obj2
    result: np.dtype[Any] = (one + other).dtype
    if not allow_double:
        if result == np.float64:
            return np.dtype(np.float32)
        if result == np.complex128:
            return np.dtype(np.complex64)
    return result
