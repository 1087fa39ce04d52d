"""CUDA Python's packages under their familiar names: put `cuox.` in front of the import."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import bindings, core, pathfinder

__all__ = ["bindings", "core", "pathfinder"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
