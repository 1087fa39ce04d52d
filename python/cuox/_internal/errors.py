"""The exceptions, and a tuple with names. `cuox._native` raises what is defined here."""

from __future__ import annotations

from typing import NamedTuple

from cuox_bind._internal.errors import BindError, CallError, CompileError, NotFoundError

__all__ = [
    "BindError",
    "CUDAError",
    "CallError",
    "ClosedError",
    "CompileError",
    "ComputeCapability",
    "CooperativeLaunchError",
    "NotFoundError",
    "OutOfMemoryError",
    "PortabilityWarning",
]


class ComputeCapability(NamedTuple):
    """A compute capability: the version of a device's instruction set. Programming guide, *Compute Capabilities*."""

    major: int
    minor: int


class CUDAError(RuntimeError):
    """A call of the CUDA driver failed.

    `code` is the `CUresult` (None if no call was made), `name` its name in `cuda.h`, `description` what it means.
    """

    def __init__(self, message: str = "", code: int | None = None, name: str = "", description: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.description = description


class OutOfMemoryError(CUDAError, MemoryError):
    """The device has too little free memory."""


class CooperativeLaunchError(CUDAError, ValueError):
    """A cooperative launch has more blocks than the device holds at once."""


class ClosedError(CUDAError, ValueError):
    """An object was used after it was closed."""


class PortabilityWarning(UserWarning):
    """A program does what works on the software GPU and fails on a GPU, such as viewing device memory from the CPU.

    Python shows it once for each line. `CUOX_SOFT_STRICT=1` makes it an error.
    """


class ParamInfo(NamedTuple):
    """The place of a kernel's parameter in its parameter buffer, in bytes."""

    offset: int
    size: int


class MaxPotentialBlockSizeOccupancyResult(NamedTuple):
    """The block size with the most threads in flight, and the smallest grid that fills the device with it."""

    min_grid_size: int
    max_block_size: int


# Messages and pickles name the place that users know; `cuox` does the same for those of cuox-bind.
for _class in (
    ComputeCapability,
    CUDAError,
    OutOfMemoryError,
    CooperativeLaunchError,
    ClosedError,
    PortabilityWarning,
):
    _class.__module__ = "cuox"
del _class
