"""What values of a program's own types consist of: `models.StructModel`."""

from __future__ import annotations

from typing import Any

from ._own_types import StructModel as StructModel
from ._own_types import register_model as register_model


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"models.{name} belongs to Numba's own compiler, which cuox does not have: kernels have models.StructModel"
    )
