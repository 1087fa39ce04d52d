"""The CUDA runtime's functions, as `cuda.bindings.runtime` has them.

Names, parameters and results are those of cuda_runtime_api.h, CUDA 13.0. On a GPU the library is libcudart of the
package nvidia-cuda-runtime, where that is installed. On the software GPU it is cuox's own, since NVIDIA's asks NVIDIA's
driver for tables that are not documented.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable
from typing import Any

from cuox_bind import _native as bind_native

from cuox import _native
from cuox._internal import cuda_runtime, links
from cuox._internal.errors import NotFoundError

from ._internal import runtime as _additions
from ._internal.module import Names


@functools.cache
def _libcudart() -> Callable[[str], int | None]:
    symbols = bind_native.Symbols([str(_path())])
    # Work that these functions put into streams is not known to cuox itself.
    _native._note_foreign_use()
    return symbols.find


def _path() -> os.PathLike[str]:
    if _native.chosen_driver() != "soft":
        with contextlib.suppress(NotFoundError):
            return _native.find_library("cudart")[0]
    cuda_runtime.use_driver()
    return links.LIBRARIES / links.RUNTIME


def _find(symbol: str) -> int | None:
    return _libcudart()(symbol)


def _raw(name: str) -> Callable[..., Any]:
    """A function as the header's plan has it."""
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
