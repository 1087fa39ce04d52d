"""The CUDA driver's functions, as `cuda.bindings.driver` has them.

Names, parameters and results are those of cuda.h, CUDA 13.0. On a machine with no GPU they are the software GPU's.
"""

from __future__ import annotations

from typing import Any

from cuox import _native

from . import _special
from ._module import Names, lazily

_names = Names(__name__, lazily(lambda: [_native.driver_path()]), "the CUDA driver", _special.driver)


def __getattr__(name: str) -> Any:
    return _names.get(name, globals())


def __dir__() -> list[str]:
    return _names.names()
