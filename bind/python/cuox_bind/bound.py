"""Names that the modules and stubs written by `python -m cuox_bind` import: `open_binding`, the types of arguments, and
helpers that SWIG has.

A program uses `Text` and `Address` to annotate functions of its own that pass their arguments on to bound ones.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from ._internal.bind import open_binding
from ._internal.bound_helpers import array_class, array_functions, pointer_class, pointer_functions, with_contract
from ._internal.bound_module import low_level_module, with_variables
from ._internal.bound_records import ends_record, extend_record, fixed_attributes, no_constructor, read_only

__all__ = [
    "Address",
    "Text",
    "array_class",
    "array_functions",
    "ends_record",
    "extend_record",
    "fixed_attributes",
    "low_level_module",
    "no_constructor",
    "open_binding",
    "pointer_class",
    "pointer_functions",
    "read_only",
    "with_contract",
    "with_variables",
]

# Text that C reads up to its NUL.
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


# Objects with an address: a number, a buffer, an array on the host or on a GPU, an object of cuox; for constant data, a
# list of its elements too.
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
