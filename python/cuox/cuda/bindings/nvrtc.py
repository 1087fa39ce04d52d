"""NVRTC's functions, as `cuda.bindings.nvrtc` has them: CUDA C++ becomes PTX, with no GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cuox import _native

from ._internal import nvrtc as _additions
from ._internal.module import Names, lazily


def _libraries() -> list[str]:
    """NVRTC, after its builtins: it opens those by bare name, which is then answered with these."""
    path = Path(_native.find_library("nvrtc")[0])
    return [*map(str, sorted(path.resolve().parent.glob("libnvrtc-builtins.so.*"))), str(path)]


_find = lazily(_libraries)


def _find_quiet(symbol: str) -> int | None:
    """A symbol's address. NVRTC would end the process at Ctrl-C: it is kept from handling signals before it
    compiles."""
    found = _find(symbol)
    if symbol == "nvrtcCompileProgram" and found:
        _native._leave_signals_alone(found)
    return found


_names = Names(__name__, _find_quiet, "NVRTC", _additions.special)


def __getattr__(name: str) -> Any:
    return _names.get(name, globals())


def __dir__() -> list[str]:
    return _names.names()
