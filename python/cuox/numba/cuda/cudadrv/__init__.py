"""Devices, memory and errors, under the modules' names that Numba has for them."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = {"devicearray", "devices", "driver", "enums", "error", "libs", "linkable_code", "nvrtc", "nvvm", "runtime"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
