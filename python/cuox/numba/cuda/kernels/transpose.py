"""Transposing."""

from __future__ import annotations

from typing import Any

import cuox

from .._arrays import device_array
from .._streams import native


def transpose(a: Any, b: Any = None, stream: Any = 0) -> Any:
    """Copy the transposed of an array on the device.

    a: an array of two dimensions. b: an array of the transposed shape that gets it; None makes one. Returns b.

    Raises ValueError for other shapes.
    """
    source: Any = a if isinstance(a, cuox.Array) else cuox.as_array(a)
    if source.ndim != 2:
        raise ValueError(f"transpose: expected an array of two dimensions, got {source.ndim}")
    target: Any = device_array(source.shape[::-1], source.dtype, stream=stream) if b is None else b
    if tuple(target.shape) != source.shape[::-1]:
        raise ValueError(f"transpose: the transposed has shape {source.shape[::-1]}, b has {tuple(target.shape)}")
    order = native(stream)
    view: Any = target if isinstance(target, cuox.Array) else cuox.as_array(target)
    view.copy_from(source.T, stream=order)
    return target
