"""Types of items by name, for annotations of operators and `value_type=`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._items import Item, item_of
from .struct import gpu_struct

int8, int16, int32, int64 = (item_of(np.dtype(name)) for name in ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = (item_of(np.dtype(name)) for name in ("uint8", "uint16", "uint32", "uint64"))
float16, float32, float64 = (item_of(np.dtype(name)) for name in ("float16", "float32", "float64"))
boolean = item_of(np.dtype("bool"))


def from_numpy_dtype(dtype: Any) -> Item:
    """The type of items of a dtype. Raises TypeError for types that kernels do not know."""
    return item_of(np.dtype(dtype))


def struct(fields: Mapping[str, Any], name: str = "AnonStruct") -> Item:
    """The type of structures with these fields."""
    return item_of(
        gpu_struct({field: given.dtype if isinstance(given, Item) else given for field, given in fields.items()}, name)
    )
