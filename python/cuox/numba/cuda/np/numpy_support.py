"""NumPy dtypes as types of kernels, and back."""

from __future__ import annotations

from typing import Any

from .. import types
from .._names import carray as carray
from .._names import farray as farray
from ..types import as_dtype as as_dtype
from ..types import from_dtype as from_dtype


def is_nonelike(given: Any) -> bool:
    """True for None and its type."""
    return given is None or given == types.none


def map_layout(array: Any) -> str:
    """An array's order: "C", "F" or "A"."""
    return "C" if array.flags["C_CONTIGUOUS"] else "F" if array.flags["F_CONTIGUOUS"] else "A"


def __getattr__(name: str) -> Any:
    if name == "numpy_version":
        import numpy as np

        return tuple(int(part) for part in np.__version__.split(".")[:2])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
