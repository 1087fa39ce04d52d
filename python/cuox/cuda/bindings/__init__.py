"""NVIDIA's `cuda.bindings` under cuox's name: C's functions one to one, on any machine.

    from cuox.cuda.bindings import driver, nvrtc

    err, = driver.cuInit(0)
    err, device = driver.cuDeviceGet(0)

Every call returns a tuple: the status, then what C puts out (None after a failure). Outputs may also be passed in, as
in C, and are then filled: `device = driver.CUdevice(); err, = driver.cuDeviceGet(device, 0)`. The driver is the one
that cuox chose: NVIDIA's on a GPU machine, else the software GPU.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import driver, nvjitlink, nvml, nvrtc, nvvm, runtime, utils

__version__ = "13.0.3"
"""The version of NVIDIA's package whose names and shapes these are."""

__all__ = ["driver", "nvjitlink", "nvml", "nvrtc", "nvvm", "runtime", "utils"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
