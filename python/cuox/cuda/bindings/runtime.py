"""The CUDA runtime's functions, as `cuda.bindings.runtime` has them.

Names, parameters and results are those of cuda_runtime_api.h, CUDA 13.0. The library is libcudart of the package nvidia-cuda-runtime. It asks NVIDIA's driver for
tables that are not documented, so it works on a GPU only: on the software GPU every function raises CUDAError. Types and enumerations are there on any machine.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from cuox import _native
from cuox._internal.errors import CUDAError

from ._internal import runtime as _additions
from ._internal.module import Names


def _soft() -> bool:
    return bool(_native.choice_report()["chosen"] == "soft")


@functools.cache
def _libcudart() -> Callable[[str], int | None]:
    symbols = _native.Symbols([str(_native.find_library("cudart")[0])])
    # Work that these functions put into streams is not known to cuox itself.
    _native._note_foreign_use()
    return symbols.find


def _find(symbol: str) -> int | None:
    return None if _soft() else _libcudart()(symbol)


def _refuse(name: str) -> Callable[..., Any]:
    """A function that cannot work here, and says why."""

    def refused(*_args: Any, **_keywords: Any) -> Any:
        from . import driver

        instead = _additions.DRIVER.get(name, f"cu{name.removeprefix('cuda')}")
        hint = f" ({instead})" if hasattr(driver, instead) else ""
        raise CUDAError(
            f"{name}: NVIDIA's CUDA runtime (libcudart) works with NVIDIA's driver only, and this is the software GPU. "
            f"cuox.cuda.bindings.driver{hint} works on both, and so do cuox's own Device, Stream and Buffer"
        )

    refused.__name__ = refused.__qualname__ = name
    refused.__module__ = __name__
    return refused


def _raw(name: str) -> Callable[..., Any]:
    """A function as the header's plan has it."""
    if _soft():
        return _refuse(name)
    _libcudart()
    found: Callable[..., Any] = _names.library[name]
    return found


_names = Names(__name__, _find, "libcudart", lambda names: _additions.special(names, _raw))


def __getattr__(name: str) -> Any:
    try:
        return _names.get(name, globals())
    except AttributeError:
        if name.startswith("_") or name not in _names.library:
            raise
    found = _raw(name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return _names.names()
