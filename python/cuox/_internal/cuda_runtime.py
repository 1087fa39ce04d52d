"""The CUDA runtime (libcudart) of libraries that nvcc has built and of functions that are bound by CUDA's headers:
which one it is, and that it uses cuox's driver.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from cuox_bind._internal.elf import Runtime, is_runtime

from cuox import _native

from . import links
from .errors import BindError, NotFoundError

__all__ = ["find", "prepare", "use_driver"]

OWN = links.LIBRARIES / links.RUNTIME

_prepared: set[str] = set()


def find() -> str:
    """Return the path of the CUDA runtime: the one that CUOX_CUDART_PATH names, cuox's own, or one that is installed.

    On the software GPU it is cuox's own: NVIDIA's works with NVIDIA's driver only. Raises NotFoundError.
    """
    soft = _native.chosen_driver() == "soft"
    if OWN.is_file() and (soft or not os.environ.get("CUOX_CUDART_PATH")):
        return str(OWN)
    if soft:
        raise NotFoundError(
            f"this installation of cuox has no {OWN.name}, which functions of the CUDA runtime need on the software GPU (looked in {OWN.parent})"
        )
    return os.fspath(_native.find_library("cudart")[0])


def prepare(path: str, kind: Runtime) -> None:
    """Make the CUDA runtime that a library is, or needs, which is of that kind, ready to be used.

    Raises BindError for a library with NVIDIA's own runtime inside, and where the process has NVIDIA's loaded, if the
    device is the software GPU.
    """
    if is_runtime(path):
        use_driver(path)
        return
    if kind is Runtime.SHARED:
        use_driver()
    elif kind is Runtime.STATIC and _native.chosen_driver() == "soft":
        raise BindError(
            f"{path} has NVIDIA's CUDA runtime inside, which needs NVIDIA's driver: its kernels cannot run on the software GPU. Build it with "
            f'`cuox nvcc` in place of `nvcc`, or with `nvcc -cudart shared`, or load its source: cuox.load("{Path(path).stem.removeprefix("lib")}.cu")',
            path,
        )


def _loaded() -> str | None:
    """The path of the CUDA runtime that this process has."""
    try:
        lines = Path("/proc/self/maps").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return None
    paths = (line.split(maxsplit=5)[-1] for line in lines)
    return next((path for path in paths if is_runtime(path)), None)


def use_driver(path: str | None = None) -> None:
    """Have a CUDA runtime use the driver that cuox uses, so that pointers, streams and events of both are of one
    context.

    Without a path it is the one that the process has, or else cuox's own: there is one runtime of a name in a process,
    which another package may have loaded. Raises BindError if that is NVIDIA's, and the device the software GPU.
    """
    if (path or "") in _prepared:
        return
    if path is not None:
        runtime = ctypes.CDLL(path, mode=os.RTLD_NOW)
    else:
        try:
            runtime = ctypes.CDLL(links.RUNTIME, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        except OSError:
            runtime = ctypes.CDLL(str(OWN), mode=os.RTLD_NOW)
    chosen, use = _native.chosen_driver(), getattr(runtime, "cuoxUseDriver", None)
    if chosen == "soft" and use is None:
        found = path or _loaded() or links.RUNTIME
        raise BindError(
            f"{found} is NVIDIA's CUDA runtime, which cannot use the software GPU"
            + ("" if path else ", and this process has loaded it already, so that no other one can be used")
            + ": call cuox.load or cuox.bind before the package that loads it, or start the program with `cuox run`, which puts cuox's in front",
            found,
        )
    if chosen and use:
        use.argtypes, use.restype = [ctypes.c_char_p], ctypes.c_int
        use(os.fsencode(_native.driver_path()))
    # Work that is put into streams there is not known to cuox itself.
    _native._note_foreign_use()
    _prepared.add(path or "")
