"""nvJitLink's functions, as `cuda.bindings.nvjitlink` has them: PTX, LTO IR and cubins are linked, with no GPU.

    handle = nvjitlink.create(1, ["-arch=sm_90"])
    nvjitlink.add_data(handle, nvjitlink.InputType.PTX, ptx, len(ptx), "kernel.ptx")
    nvjitlink.complete(handle)
    cubin = bytearray(nvjitlink.get_linked_cubin_size(handle))
    nvjitlink.get_linked_cubin(handle, cubin)
    nvjitlink.destroy(handle)

The library is the one of the package nvidia-nvjitlink. Its functions are called as nvJitLink.h of CUDA 13.0 declares
them.
"""

from __future__ import annotations

import enum
from typing import overload

from ._internal import raising as _raising
from ._internal.raising import Buffer, Options, Raising

__all__ = [
    "InputType",
    "Result",
    "add_data",
    "add_file",
    "complete",
    "create",
    "destroy",
    "get_error_log",
    "get_error_log_size",
    "get_info_log",
    "get_info_log_size",
    "get_linked_cubin",
    "get_linked_cubin_size",
    "get_linked_ptx",
    "get_linked_ptx_size",
    "nvJitLinkError",
    "version",
]


class Result(enum.IntEnum):
    """The status of a call: `nvJitLinkResult`."""

    SUCCESS = 0
    ERROR_UNRECOGNIZED_OPTION = 1
    ERROR_MISSING_ARCH = 2
    ERROR_INVALID_INPUT = 3
    ERROR_PTX_COMPILE = 4
    ERROR_NVVM_COMPILE = 5
    ERROR_INTERNAL = 6
    ERROR_THREADPOOL = 7
    ERROR_UNRECOGNIZED_INPUT = 8
    ERROR_FINALIZE = 9
    ERROR_NULL_INPUT = 10
    ERROR_INCOMPATIBLE_OPTIONS = 11
    ERROR_INCORRECT_INPUT_TYPE = 12
    ERROR_ARCH_MISMATCH = 13
    ERROR_OUTDATED_LIBRARY = 14
    ERROR_MISSING_FATBIN = 15
    ERROR_UNRECOGNIZED_ARCH = 16
    ERROR_UNSUPPORTED_ARCH = 17
    ERROR_LTO_NOT_ENABLED = 18


class InputType(enum.IntEnum):
    """The kinds of input: `nvJitLinkInputType`."""

    NONE = 0
    CUBIN = 1
    PTX = 2
    LTOIR = 3
    FATBIN = 4
    OBJECT = 5
    LIBRARY = 6
    INDEX = 7
    ANY = 10


class nvJitLinkError(Exception):
    """A function of nvJitLink failed. `status` is its result."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_raising.describe(Result, status))

    def __reduce__(self) -> tuple[type[nvJitLinkError], tuple[int]]:
        return (type(self), (self.status,))


_call = Raising("nvjitlink", "nvJitLink", __name__, nvJitLinkError, Result.ERROR_INVALID_INPUT)


def create(num_options: int, options: Options) -> int:
    """Begin a link with options such as `-arch=sm_90`. Returns its handle."""
    return _call.create("nvJitLinkCreate", num_options, _raising.options(num_options, options))


def destroy(handle: int) -> None:
    """Free a link."""
    _call.destroy("nvJitLinkDestroy", handle)


def add_data(handle: int, input_type: int, data: Buffer, size: int, name: str) -> None:
    """Add an input that is in memory. Its name is for messages."""
    _call.of("nvJitLinkAddData", handle, int(input_type), _raising.data(data, size), size, _raising.text(name, "name"))


def add_file(handle: int, input_type: int, file_name: str) -> None:
    """Add an input that is a file."""
    _call.of("nvJitLinkAddFile", handle, int(input_type), _raising.text(file_name, "file_name"))


def complete(handle: int) -> None:
    """Link what was added."""
    _call.of("nvJitLinkComplete", handle)


def get_linked_cubin_size(handle: int) -> int:
    """The size in bytes of the linked cubin."""
    (size,) = _call.of("nvJitLinkGetLinkedCubinSize", handle)
    return int(size)


@overload
def get_linked_cubin(handle: int, cubin: int) -> bytes: ...
@overload
def get_linked_cubin(handle: int, cubin: Buffer) -> None: ...
def get_linked_cubin(handle: int, cubin: Buffer | int) -> bytes | None:
    """Write the linked cubin into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvJitLinkGetLinkedCubinSize", "nvJitLinkGetLinkedCubin", handle, cubin)


def get_linked_ptx_size(handle: int) -> int:
    """The size in bytes of the linked PTX; there is one with the options `-lto` and `-ptx`."""
    (size,) = _call.of("nvJitLinkGetLinkedPtxSize", handle)
    return int(size)


@overload
def get_linked_ptx(handle: int, ptx: int) -> bytes: ...
@overload
def get_linked_ptx(handle: int, ptx: Buffer) -> None: ...
def get_linked_ptx(handle: int, ptx: Buffer | int) -> bytes | None:
    """Write the linked PTX into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvJitLinkGetLinkedPtxSize", "nvJitLinkGetLinkedPtx", handle, ptx)


def get_error_log_size(handle: int) -> int:
    """The size in bytes of the log of errors."""
    (size,) = _call.of("nvJitLinkGetErrorLogSize", handle)
    return int(size)


@overload
def get_error_log(handle: int, log: int) -> bytes: ...
@overload
def get_error_log(handle: int, log: Buffer) -> None: ...
def get_error_log(handle: int, log: Buffer | int) -> bytes | None:
    """Write the log of errors into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog", handle, log)


def get_info_log_size(handle: int) -> int:
    """The size in bytes of the log of remarks."""
    (size,) = _call.of("nvJitLinkGetInfoLogSize", handle)
    return int(size)


@overload
def get_info_log(handle: int, log: int) -> bytes: ...
@overload
def get_info_log(handle: int, log: Buffer) -> None: ...
def get_info_log(handle: int, log: Buffer | int) -> bytes | None:
    """Write the log of remarks into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvJitLinkGetInfoLogSize", "nvJitLinkGetInfoLog", handle, log)


def version() -> tuple[int, int]:
    """The library's version: major and minor."""
    major, minor = _call("nvJitLinkVersion")
    return int(major), int(minor)
