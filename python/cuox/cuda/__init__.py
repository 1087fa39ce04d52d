"""CUDA Python's packages under their familiar names: put `cuox.` in front of the import."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import bindings, core, pathfinder
    from ._install import install as install

__all__ = ["bindings", "core", "install", "pathfinder"]
# The names that the bindings had up to version 12; a star is not to import them over programs' own.
_FORMER = ("cuda", "cudart", "nvrtc")


def __getattr__(name: str) -> Any:
    if name == "install":
        return importlib.import_module(f"{__name__}._install").install
    if name in __all__ or name in _FORMER:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
