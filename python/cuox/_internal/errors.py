"""The exceptions, and a tuple with names. `cuox._native` raises what is defined here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "BindError",
    "CUDAError",
    "CallError",
    "ClosedError",
    "CompileError",
    "ComputeCapability",
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


class ClosedError(CUDAError, ValueError):
    """An object was used after it was closed."""


class CompileError(RuntimeError):
    """The compiler refused a program. `log` is what it printed."""

    def __init__(self, message: str = "", code: int | None = None, name: str = "", log: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.log = log


class NotFoundError(RuntimeError):
    """A library, a folder of headers or a kernel is not there.

    `searched` lists where it was looked for, `fix` is what usually mends it.
    """

    def __init__(self, message: str = "", searched: Sequence[str] = (), fix: str = "") -> None:
        super().__init__(message)
        self.searched = list(searched)
        self.fix = fix


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


class BindError(RuntimeError):
    """A header, a rules file or an interface file is wrong, or what it asks for cannot be done.

    `file` and `line` say where, if that is known; the message has them too, with the compiler's own text for headers.
    """

    def __init__(self, message: str = "", file: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.line = line


class CallError(RuntimeError):
    """A bound C function has failed: its status says so, or it returned a null pointer.

    `function` is its name, `code` the status (a member of its enumeration if it has one; None for a null pointer),
    `text` what the library says about it.
    """

    def __init__(self, message: str = "", function: str = "", code: int | None = None, text: str | None = None) -> None:
        super().__init__(message)
        self.function = function
        self.code = code
        self.text = text


# Messages and pickles name the place that users know.
for _class in (
    ComputeCapability,
    CUDAError,
    OutOfMemoryError,
    ClosedError,
    CompileError,
    NotFoundError,
    PortabilityWarning,
    BindError,
    CallError,
):
    _class.__module__ = "cuox"
del _class
