"""Tables of cuRAND's library: direction vectors and scramble constants of the Sobol generators. The library needs no
GPU for them.
"""

from __future__ import annotations

import ctypes
import enum
import os
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cuox import _native
from cuox._internal.errors import NotFoundError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["DIMENSIONS", "direction_vector_set", "direction_vectors", "scramble_constants", "version"]

DIMENSIONS = 20000
"""The number of dimensions that cuRAND has vectors and constants for."""


class direction_vector_set(enum.IntEnum):
    """The sets of direction vectors: `curandDirectionVectorSet_t` of cuRAND."""

    VECTOR_32 = 101
    SCRAMBLED_VECTOR_32 = 102
    VECTOR_64 = 103
    SCRAMBLED_VECTOR_64 = 104

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a vector's elements: uint32 or uint64. A vector has as many elements as they have bits."""
        return np.dtype(np.uint32 if self < direction_vector_set.VECTOR_64 else np.uint64)


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(os.fspath(_native.find_library("curand")[0]))


def version() -> tuple[int, int, int] | None:
    """Return cuRAND's version (major, minor, patch); None if it is not installed."""
    try:
        library = _library()
    except (NotFoundError, OSError):
        return None
    number = ctypes.c_int()
    _check("curandGetVersion", library.curandGetVersion(ctypes.byref(number)))
    # Three digits behind the major number: one for the minor number, two for the patch.
    return number.value // 1000, number.value % 1000 // 100, number.value % 100


def _check(function: str, status: int) -> None:
    if status:
        raise RuntimeError(f"{function} of cuRAND failed with status {status} (curandStatus_t in curand.h)")


def _table(function: str, dtype: np.dtype[Any], shape: tuple[int, ...], *arguments: int) -> npt.NDArray[Any]:
    """Return a table that a function of cuRAND points to. It belongs to the library and stays."""
    pointer = ctypes.c_void_p()
    _check(function, getattr(_library(), function)(ctypes.byref(pointer), *arguments))
    size = int(np.prod(shape)) * dtype.itemsize
    assert pointer.value is not None
    memory = (ctypes.c_char * size).from_address(pointer.value)
    table: npt.NDArray[Any] = np.frombuffer(memoryview(memory), dtype)
    return table.reshape(shape)


def _repeated(table: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """Return `count` rows of a table, from the beginning again when they are used up."""
    return np.resize(table, (count, *table.shape[1:])) if count > len(table) else table[:count].copy()


def direction_vectors(count: int, direction: direction_vector_set) -> npt.NDArray[Any]:
    """Return the direction vectors of `count` dimensions: an array (count, 32) of uint32 or (count, 64) of uint64.
    Raises NotFoundError.
    """
    dtype = direction.dtype
    bits = dtype.itemsize * 8
    return _repeated(_table(f"curandGetDirectionVectors{bits}", dtype, (DIMENSIONS, bits), int(direction)), count)


def scramble_constants(count: int, bits: int) -> npt.NDArray[Any]:
    """Return the scramble constants of `count` dimensions, of 32 or 64 bits. Raises NotFoundError."""
    return _repeated(_table(f"curandGetScrambleConstants{bits}", np.dtype(f"uint{bits}"), (DIMENSIONS,)), count)
