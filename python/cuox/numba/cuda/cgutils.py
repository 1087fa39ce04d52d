"""What functions of `lower_builtin` and `lower_constant` make structures with."""

from __future__ import annotations

from typing import Any

from ._own_types import create_struct_proxy as create_struct_proxy


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"cgutils.{name} belongs to Numba's own compiler, which cuox does not have: kernels have cgutils.create_struct_proxy"
    )
