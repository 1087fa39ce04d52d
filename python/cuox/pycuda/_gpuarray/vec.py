"""CUDA's vector types as NumPy types: `vec.float3`, `vec.make_float3(1, 2, 3)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tools import get_or_register_dtype


class vec:
    """CUDA's vector types as dtypes with the fields x, y, z and w, and functions `make_float3` and so on that return
    one value.
    """


def _maker(name: str, dtype: np.dtype[Any]) -> Callable[..., Any]:
    fields = dtype.names or ()
    count = len(fields)

    def make(*values: Any, **named: Any) -> Any:
        if unknown := [key for key in named if key not in fields[len(values) :]]:
            raise TypeError(f"make_{name}() got an unexpected argument {unknown[0]!r}")
        values += tuple(named[field] for field in fields[len(values) :] if field in named)
        if len(values) != count:
            raise TypeError(f"make_{name}() takes {count} numbers, {', '.join(fields)}; got {len(values)}")
        return np.array(values, dtype)

    make.__name__ = make.__qualname__ = f"make_{name}"
    make.__doc__ = f"Return a {name} as a NumPy array of no dimensions."
    return make


def _define() -> None:
    bases: list[tuple[str, Any, int]] = [
        *[("char", np.int8, 4), ("uchar", np.uint8, 4), ("short", np.int16, 4), ("ushort", np.uint16, 4)],
        *[("int", np.int32, 4), ("uint", np.uint32, 4), ("long", np.int64, 4), ("ulong", np.uint64, 4)],
        *[("longlong", np.int64, 2), ("ulonglong", np.uint64, 2), ("float", np.float32, 4), ("double", np.float64, 2)],
    ]
    for base, kind, most in bases:
        for count in range(1, most + 1):
            name = f"{base}{count}"
            dtype = np.dtype([(field, kind) for field in "xyzw"[:count]])
            get_or_register_dtype(name, dtype)
            setattr(vec, name, dtype)
            setattr(vec, f"make_{name}", staticmethod(_maker(name, dtype)))


_define()
