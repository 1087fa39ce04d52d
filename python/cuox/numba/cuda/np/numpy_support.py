"""NumPy dtypes as types of kernels, and back."""

from __future__ import annotations

from typing import Any

from ..types import from_dtype as from_dtype


def as_dtype(given: Any) -> Any:
    """The NumPy dtype of a type."""
    return given.dtype


def __getattr__(name: str) -> Any:
    if name == "numpy_version":
        import numpy as np

        return tuple(int(part) for part in np.__version__.split(".")[:2])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


