"""The CUDA runtime (libcudart) under functions that are bound by CUDA's headers: `cuox.bind("cudart", …)`, and modules written with `-l cudart`."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from cuox import _native

from .errors import NotFoundError

__all__ = ["find", "is_runtime", "prepare"]

# cuox's own.
OWN = Path(__file__).resolve().parent.parent / "lib" / "libcudart.so.13"

_prepared: set[str] = set()


def is_runtime(path: str) -> bool:
    """Tell whether a library is a CUDA runtime, by its name."""
    return os.path.basename(path).startswith("libcudart.so")


def find() -> str:
    """Return the path of the CUDA runtime: the one that CUOX_CUDART_PATH names, cuox's own, or one that is installed.

    On the software GPU it is cuox's own: NVIDIA's works with NVIDIA's driver only. Raises NotFoundError.
    """
    soft = _native.choice_report()["chosen"] == "soft"
    if OWN.is_file() and (soft or not os.environ.get("CUOX_CUDART_PATH")):
        return str(OWN)
    if soft:
        raise NotFoundError(f"this installation of cuox has no {OWN.name}, which functions of the CUDA runtime need on the software GPU (looked in {OWN.parent})")
    return os.fspath(_native.find_library("cudart")[0])


def prepare(path: str) -> None:
    """Have a CUDA runtime use the driver that cuox uses, so that pointers, streams and events of both are of one context."""
    if path in _prepared:
        return
    runtime = ctypes.CDLL(path, mode=os.RTLD_NOW)
    if _native.choice_report()["chosen"] and (use := getattr(runtime, "cuoxUseDriver", None)):
        use.argtypes, use.restype = [ctypes.c_char_p], ctypes.c_int
        use(os.fsencode(_native.driver_path()))
    # Work that is put into streams there is not known to cuox itself.
    _native._note_foreign_use()
    _prepared.add(path)
