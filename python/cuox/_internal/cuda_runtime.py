"""The CUDA runtime of libraries that nvcc has built: made ready before such a library is loaded."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from cuox import _native

from . import links
from .elf import Runtime, runtime_of
from .errors import BindError

_prepared = False


def prepare(path: str) -> None:
    """Make the CUDA runtime that a library needs ready, and have it use the driver that cuox uses.

    Raises BindError for a library with NVIDIA's own runtime inside, where the device is the software GPU.
    """
    kind = runtime_of(path)
    if kind is Runtime.NONE:
        return
    chosen = _native.choice_report()["chosen"]
    if kind is Runtime.STATIC:
        if chosen == "soft":
            raise BindError(
                f"{path} has NVIDIA's CUDA runtime inside, which needs NVIDIA's driver: its kernels cannot run on the software GPU. Build it with "
                f"`cuox nvcc` in place of `nvcc`, or with `nvcc -cudart shared`, or load its source: cuox.load(\"{Path(path).stem.removeprefix('lib')}.cu\")",
                path,
            )
        return
    if chosen:
        use_driver()


def use_driver() -> None:
    """Load cuox's CUDA runtime, unless the process has one already, and have it use the driver that cuox uses."""
    global _prepared
    if _prepared:
        return
    try:
        # With a GPU, another package may have loaded NVIDIA's: there is one runtime in a process.
        runtime = ctypes.CDLL(links.RUNTIME, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        runtime = ctypes.CDLL(str(links.LIBRARIES / links.RUNTIME), mode=os.RTLD_NOW)
    if use := getattr(runtime, "cuoxUseDriver", None):
        use(os.fsencode(_native.driver_path()))
    _prepared = True
