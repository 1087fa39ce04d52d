"""nvFatbin's functions, as `cuda.bindings.nvfatbin` has them: PTX, cubins and LTO-IR become a fat binary, with no GPU.

    handle = nvfatbin.create([], 0)
    nvfatbin.add_ptx(handle, ptx, len(ptx), "90", "kernel", "")
    image = bytearray(nvfatbin.size(handle))
    nvfatbin.get(handle, image)
    nvfatbin.destroy(handle)

The library is the one of the package nvidia-nvfatbin. Its functions are called as nvFatbin.h of CUDA 13.0 declares
them: `add_tile_ir`, which came later, is not there.
"""

from __future__ import annotations

import enum
from typing import overload

from ._internal import raising as _raising
from ._internal.raising import Buffer, Options, Raising

__all__ = [
    "Result",
    "add_cubin",
    "add_index",
    "add_ltoir",
    "add_ptx",
    "add_reloc",
    "create",
    "destroy",
    "get",
    "get_error_string",
    "nvFatbinError",
    "size",
    "version",
]


class Result(enum.IntEnum):
    """The status of a call: `nvFatbinResult`."""

    SUCCESS = 0
    ERROR_INTERNAL = 1
    ERROR_ELF_ARCH_MISMATCH = 2
    ERROR_ELF_SIZE_MISMATCH = 3
    ERROR_MISSING_PTX_VERSION = 4
    ERROR_NULL_POINTER = 5
    ERROR_COMPRESSION_FAILED = 6
    ERROR_COMPRESSED_SIZE_EXCEEDED = 7
    ERROR_UNRECOGNIZED_OPTION = 8
    ERROR_INVALID_ARCH = 9
    ERROR_INVALID_NVVM = 10
    ERROR_EMPTY_INPUT = 11
    ERROR_MISSING_PTX_ARCH = 12
    ERROR_PTX_ARCH_MISMATCH = 13
    ERROR_MISSING_FATBIN = 14
    ERROR_INVALID_INDEX = 15
    ERROR_IDENTIFIER_REUSE = 16
    ERROR_INTERNAL_PTX_OPTION = 17


class nvFatbinError(Exception):
    """A function of nvFatbin failed. `status` is its result."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_raising.describe(Result, status))

    def __reduce__(self) -> tuple[type[nvFatbinError], tuple[int]]:
        return (type(self), (self.status,))


_call = Raising("nvfatbin", "nvfatbin", __name__, nvFatbinError, Result.ERROR_NULL_POINTER)


def get_error_string(result: int) -> str:
    """What a status means."""
    found = _call.library.nvFatbinGetErrorString(int(result))
    return found.decode() if isinstance(found, bytes) else str(found)


def create(options: Options, options_count: int) -> int:
    """Begin a fat binary with options such as `-compress=false`. Returns its handle."""
    return _call.create("nvFatbinCreate", _raising.options(options_count, options), options_count)


def destroy(handle: int) -> None:
    """Free what belongs to a handle."""
    _call.destroy("nvFatbinDestroy", handle)


def add_ptx(handle: int, code: Buffer, size: int, arch: str, identifier: str, options_cmd_line: str) -> None:
    """Add PTX.

    size: the bytes of code. arch: the number of the architecture, such as "90". identifier: a name, for tools.
    options_cmd_line: options for when a driver compiles it.
    """
    texts = _texts(arch=arch, identifier=identifier, options_cmd_line=options_cmd_line)
    _call.of("nvFatbinAddPTX", handle, _raising.data(code, size), size, *texts)


def add_cubin(handle: int, code: Buffer, size: int, arch: str, identifier: str) -> None:
    """Add a cubin; the arguments are as for `add_ptx`."""
    texts = _texts(arch=arch, identifier=identifier)
    _call.of("nvFatbinAddCubin", handle, _raising.data(code, size), size, *texts)


def add_ltoir(handle: int, code: Buffer, size: int, arch: str, identifier: str, options_cmd_line: str) -> None:
    """Add LTO-IR; the arguments are as for `add_ptx`."""
    texts = _texts(arch=arch, identifier=identifier, options_cmd_line=options_cmd_line)
    _call.of("nvFatbinAddLTOIR", handle, _raising.data(code, size), size, *texts)


def add_index(handle: int, code: Buffer, size: int, identifier: str) -> None:
    """Add an index of a library; the arguments are as for `add_ptx`."""
    _call.of("nvFatbinAddIndex", handle, _raising.data(code, size), size, *_texts(identifier=identifier))


def add_reloc(handle: int, code: Buffer, size: int) -> None:
    """Add the relocatable PTX of a host object."""
    _call.of("nvFatbinAddReloc", handle, _raising.data(code, size), size)


def size(handle: int) -> int:
    """The size in bytes of the fat binary."""
    (bytes_,) = _call.of("nvFatbinSize", handle)
    return int(bytes_)


@overload
def get(handle: int, buffer: int) -> bytes: ...
@overload
def get(handle: int, buffer: Buffer) -> None: ...
def get(handle: int, buffer: Buffer | int) -> bytes | None:
    """Write the fat binary into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvFatbinSize", "nvFatbinGet", handle, buffer)


def version() -> tuple[int, int]:
    """The library's version: major and minor."""
    major, minor = _call("nvFatbinVersion")
    return int(major), int(minor)


def _texts(**given: object) -> list[str]:
    return [_raising.text(value, name) for name, value in given.items()]
