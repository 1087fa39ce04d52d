"""What bound functions take: names for the types in the stubs that `python -m cuox bind` writes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

__all__ = ["Address", "Text"]

# What C reads up to its NUL.
Text: TypeAlias = str | bytes | os.PathLike[str]


class _HasArrayInterface(Protocol):
    """An array of NumPy, or of whoever describes theirs as NumPy does."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class _HasCudaArrayInterface(Protocol):
    """An array on a GPU."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class _HasDLPack(Protocol):
    """An array of any library that exchanges them."""

    def __dlpack__(self, *arguments: Any, **keywords: Any) -> Any: ...


class _HasValue(Protocol):
    """A pointer, a handle or a record of cuox."""

    def getPtr(self) -> int: ...


# What has an address: a number, a buffer, an array on the host or on a GPU, an object of cuox; for constant data, a list of its elements too.
Address: TypeAlias = (
    int
    | bytes
    | bytearray
    | memoryview
    | _HasArrayInterface
    | _HasCudaArrayInterface
    | _HasDLPack
    | _HasValue
    | Sequence[Any]
)
