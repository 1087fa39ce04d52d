"""The CUDA driver's functions, as `cuda.bindings.driver` has them.

Names, parameters and results are those of cuda.h, CUDA 13.0. On a machine with no GPU they are the software GPU's.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

from cuox import _native

from ._internal import driver as _additions
from ._internal.module import Names, lazily


def _libraries() -> list[PathLike[str]]:
    return [_native.driver_path()]


_names = Names(__name__, lazily(_libraries), "the CUDA driver", _additions.special)


def __getattr__(name: str) -> Any:
    # Work that these functions put into streams is not known to cuox itself.
    _native._note_foreign_use()
    return _names.get(name, globals())


class _Known:
    """The same names for cuox's own modules, which tell of the work that they put into streams
    (`_native._note_work`)."""

    def __getattr__(self, name: str) -> Any:
        return _names.get(name, self.__dict__)


_known = _Known()


def __dir__() -> list[str]:
    return _names.names()
