"""NVRTC's functions, as `cuda.bindings.nvrtc` has them: CUDA C++ becomes PTX, with no GPU."""

from __future__ import annotations

from typing import Any

from cuox import _native

from . import _special
from ._module import Names, lazily

_names = Names(__name__, lazily(lambda: [str(_native.find_library("nvrtc")[0])]), "NVRTC", _special.nvrtc)


def __getattr__(name: str) -> Any:
    return _names.get(name, globals())


def __dir__() -> list[str]:
    return _names.names()
