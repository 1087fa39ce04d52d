"""Axes of arrays, by NumPy's rules; its own functions for them are not public before NumPy 2."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def axis_of(axis: Any, ndim: int) -> int:
    """Return an axis, counted from the front. Raises numpy.exceptions.AxisError if there is no such axis."""
    index = operator.index(axis)
    if not -ndim <= index < ndim:
        raise np.exceptions.AxisError(index, ndim)
    return index % ndim


def axes_of(axes: Any, ndim: int) -> tuple[int, ...]:
    """Return one axis or several, counted from the front. Raises ValueError for one that is there twice."""
    found = tuple(axis_of(axis, ndim) for axis in ((axes,) if hasattr(axes, "__index__") else axes))
    if len(set(found)) < len(found):
        raise ValueError("repeated axis")
    return found
