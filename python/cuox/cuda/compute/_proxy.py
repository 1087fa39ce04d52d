"""Stand-ins for arguments of `make_…`, where there are types only."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np


def _dtype(given: Any) -> np.dtype[Any]:
    """A dtype, also that of a structure of `gpu_struct`."""
    own = getattr(given, "dtype", None)
    return own if isinstance(own, np.dtype) else np.dtype(given)


class ProxyArray:
    """An array of which only the type of items is known: for `make_…`, so that `serialize` can compile an algorithm
    before
    there is data.

    Given to an algorithm that runs it raises RuntimeError.
    """

    def __init__(self, dtype: Any) -> None:
        self.dtype: np.dtype[Any] = _dtype(dtype)

    @property
    def __cuda_array_interface__(self) -> NoReturn:
        raise RuntimeError("a ProxyArray has no data: it is for make_…; give the algorithm an array on the device")

    def __repr__(self) -> str:
        return f"ProxyArray({self.dtype})"


class ProxyValue:
    """An initial value of which only the type is known."""

    def __init__(self, dtype: Any) -> None:
        self.dtype: np.dtype[Any] = _dtype(dtype)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise RuntimeError(
            "a ProxyValue has no data: it is for make_…; give the algorithm a number or an array of one item"
        )

    def __repr__(self) -> str:
        return f"ProxyValue({self.dtype})"
