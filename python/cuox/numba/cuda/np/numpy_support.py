"""NumPy dtypes as types of kernels, and back."""

from __future__ import annotations

from typing import Any

from ..types import from_dtype as from_dtype


def as_dtype(given: Any) -> Any:
    """The NumPy dtype of a type."""
    return given.dtype


def numpy_version() -> tuple[int, int]:
    """Major and minor number of NumPy."""
    import numpy as np

    major, minor = np.__version__.split(".")[:2]
    return int(major), int(minor)


