"""libNVVM's functions, as `cuda.bindings.nvvm` has them: NVVM IR becomes PTX, with no GPU.

    program = nvvm.create_program()
    nvvm.add_module_to_program(program, ir, len(ir), "kernel.ll")
    nvvm.compile_program(program, 1, ["-arch=compute_90"])
    ptx = bytearray(nvvm.get_compiled_result_size(program))
    nvvm.get_compiled_result(program, ptx)
    nvvm.destroy_program(program)

The library is the one of the package nvidia-nvvm. Its functions are called as nvvm.h of CUDA 13.0 declares them.
"""

from __future__ import annotations

import enum
from typing import overload

from ._internal import raising as _raising
from ._internal.raising import Buffer, Options, Raising

__all__ = [
    "Result",
    "add_module_to_program",
    "compile_program",
    "create_program",
    "destroy_program",
    "get_compiled_result",
    "get_compiled_result_size",
    "get_error_string",
    "get_program_log",
    "get_program_log_size",
    "ir_version",
    "lazy_add_module_to_program",
    "nvvmError",
    "verify_program",
    "version",
]


class Result(enum.IntEnum):
    """The status of a call: `nvvmResult`."""

    SUCCESS = 0
    ERROR_OUT_OF_MEMORY = 1
    ERROR_PROGRAM_CREATION_FAILURE = 2
    ERROR_IR_VERSION_MISMATCH = 3
    ERROR_INVALID_INPUT = 4
    ERROR_INVALID_PROGRAM = 5
    ERROR_INVALID_IR = 6
    ERROR_INVALID_OPTION = 7
    ERROR_NO_MODULE_IN_PROGRAM = 8
    ERROR_COMPILATION = 9
    ERROR_CANCELLED = 10


class nvvmError(Exception):
    """A function of libNVVM failed. `status` is its result."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(_raising.describe(Result, status))

    def __reduce__(self) -> tuple[type[nvvmError], tuple[int]]:
        return (type(self), (self.status,))


_call = Raising("nvvm", "nvvm", __name__, nvvmError, Result.ERROR_INVALID_PROGRAM)


def version() -> tuple[int, int]:
    """The library's version: major and minor."""
    major, minor = _call("nvvmVersion")
    return int(major), int(minor)


def ir_version() -> tuple[int, int, int, int]:
    """The version of the IR, and of its debug information: major and minor of each."""
    major, minor, debug_major, debug_minor = _call("nvvmIRVersion")
    return int(major), int(minor), int(debug_major), int(debug_minor)


def get_error_string(result: int) -> str:
    """A result's name."""
    found = _call.library.nvvmGetErrorString(int(result))
    return found if isinstance(found, str) else found.decode()


def create_program() -> int:
    """Make an empty program. Returns its handle."""
    return _call.create("nvvmCreateProgram")


def destroy_program(prog: int) -> None:
    """Free a program."""
    _call.destroy("nvvmDestroyProgram", prog)


def add_module_to_program(prog: int, buffer: Buffer, size: int, name: str) -> None:
    """Add a module, as text or bitcode. Its name is for messages."""
    _call.of("nvvmAddModuleToProgram", prog, _raising.data(buffer, size), size, _raising.text(name, "name"))


def lazy_add_module_to_program(prog: int, buffer: Buffer, size: int, name: str) -> None:
    """Add a module of which only what others use is taken."""
    _call.of("nvvmLazyAddModuleToProgram", prog, _raising.data(buffer, size), size, _raising.text(name, "name"))


def compile_program(prog: int, num_options: int, options: Options) -> None:
    """Compile the modules to PTX."""
    _call.of("nvvmCompileProgram", prog, num_options, _raising.options(num_options, options))


def verify_program(prog: int, num_options: int, options: Options) -> None:
    """Check the modules."""
    _call.of("nvvmVerifyProgram", prog, num_options, _raising.options(num_options, options))


def get_compiled_result_size(prog: int) -> int:
    """The size in bytes of the PTX, with its closing NUL."""
    (size,) = _call.of("nvvmGetCompiledResultSize", prog)
    return int(size)


@overload
def get_compiled_result(prog: int, buffer: int) -> bytes: ...
@overload
def get_compiled_result(prog: int, buffer: Buffer) -> None: ...
def get_compiled_result(prog: int, buffer: Buffer | int) -> bytes | None:
    """Write the PTX into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvvmGetCompiledResultSize", "nvvmGetCompiledResult", prog, buffer)


def get_program_log_size(prog: int) -> int:
    """The size in bytes of the compiler's messages, with their closing NUL."""
    (size,) = _call.of("nvvmGetProgramLogSize", prog)
    return int(size)


@overload
def get_program_log(prog: int, buffer: int) -> bytes: ...
@overload
def get_program_log(prog: int, buffer: Buffer) -> None: ...
def get_program_log(prog: int, buffer: Buffer | int) -> bytes | None:
    """Write the compiler's messages into a buffer. Its size, as an int, gives the bytes."""
    return _call.write("nvvmGetProgramLogSize", "nvvmGetProgramLog", prog, buffer)
