"""How `cuox.Array` shows its elements: `print(array)`, and the cells of notebooks."""

from __future__ import annotations

import html
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import CUDAError

if TYPE_CHECKING:
    from cuox._native import Array

# What keeps elements from being read: the device is lost, the memory was freed, there is no room for them here.
UNREADABLE = (CUDAError, ValueError, MemoryError)


def text(array: Array) -> str:
    """Return the elements as NumPy prints them; `repr(array)` where they cannot be read."""
    try:
        return str(_shown(array))
    except UNREADABLE:
        return repr(array)


def as_html(array: Array) -> str:
    """Return what a notebook's cell shows: the elements, and `repr(array)` below them."""
    head = f"<div><small>{html.escape(repr(array))}</small></div>"
    try:
        return f"<pre>{html.escape(str(_shown(array)))}</pre>{head}"
    except UNREADABLE:
        return head


def _shown(array: Array) -> np.ndarray[Any, np.dtype[Any]]:
    """Return a host array that prints like this one. Of a large one only what NumPy shows is copied."""
    options = np.get_printoptions()
    if array.size <= options["threshold"]:
        return array.to_host()
    edge = options["edgeitems"]
    host = np.zeros(array.shape, array.dtype)
    whole, ends = (slice(None),), (slice(0, edge), slice(-edge, None))
    for part in itertools.product(*(ends if size > 2 * edge else whole for size in array.shape)):
        host[part] = array[part].to_host()
    return host
