"""Bindings of nvrtc.h."""
# ruff: noqa

from collections.abc import Callable
from enum import IntEnum
from collections.abc import Sequence
from typing import Any, Final, overload

from cuox_bind.bound import Address, Text
from cuox_bind import Handle, Pointer

class nvrtcProgram(Handle):
    """A handle, which stays the library's."""

class nvrtcResult(IntEnum):
    """error

    The enumerated type nvrtcResult defines API call result codes. NVRTC API functions return nvrtcResult to indicate the call result.

    nvrtc.h:41
    """
    NVRTC_SUCCESS = 0
    NVRTC_ERROR_OUT_OF_MEMORY = 1
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2
    NVRTC_ERROR_INVALID_INPUT = 3
    NVRTC_ERROR_INVALID_PROGRAM = 4
    NVRTC_ERROR_INVALID_OPTION = 5
    NVRTC_ERROR_COMPILATION = 6
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10
    NVRTC_ERROR_INTERNAL_ERROR = 11
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14
    NVRTC_ERROR_PCH_CREATE = 15
    NVRTC_ERROR_CANCELLED = 16
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17

NVRTC_SUCCESS: Final = nvrtcResult.NVRTC_SUCCESS
NVRTC_ERROR_OUT_OF_MEMORY: Final = nvrtcResult.NVRTC_ERROR_OUT_OF_MEMORY
NVRTC_ERROR_PROGRAM_CREATION_FAILURE: Final = nvrtcResult.NVRTC_ERROR_PROGRAM_CREATION_FAILURE
NVRTC_ERROR_INVALID_INPUT: Final = nvrtcResult.NVRTC_ERROR_INVALID_INPUT
NVRTC_ERROR_INVALID_PROGRAM: Final = nvrtcResult.NVRTC_ERROR_INVALID_PROGRAM
NVRTC_ERROR_INVALID_OPTION: Final = nvrtcResult.NVRTC_ERROR_INVALID_OPTION
NVRTC_ERROR_COMPILATION: Final = nvrtcResult.NVRTC_ERROR_COMPILATION
NVRTC_ERROR_BUILTIN_OPERATION_FAILURE: Final = nvrtcResult.NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION: Final = nvrtcResult.NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: Final = nvrtcResult.NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID: Final = nvrtcResult.NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
NVRTC_ERROR_INTERNAL_ERROR: Final = nvrtcResult.NVRTC_ERROR_INTERNAL_ERROR
NVRTC_ERROR_TIME_FILE_WRITE_FAILED: Final = nvrtcResult.NVRTC_ERROR_TIME_FILE_WRITE_FAILED
NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED: Final = nvrtcResult.NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED
NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED: Final = nvrtcResult.NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED
NVRTC_ERROR_PCH_CREATE: Final = nvrtcResult.NVRTC_ERROR_PCH_CREATE
NVRTC_ERROR_CANCELLED: Final = nvrtcResult.NVRTC_ERROR_CANCELLED
NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED: Final = nvrtcResult.NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED

def nvrtcVersion() -> tuple[nvrtcResult, int | None, int | None]:
    """query

    major: CUDA Runtime Compilation major version number.
    minor: CUDA Runtime Compilation minor version number.

    C: nvrtcResult nvrtcVersion(int *major, int *minor)

    nvrtc.h:98
    """
    ...

def nvrtcGetNumSupportedArchs() -> tuple[nvrtcResult, int | None]:
    """query

    numArchs: number of supported architectures.

    C: nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs)

    nvrtc.h:115
    """
    ...

def nvrtcCreateProgram(src: Text | None, name: Text | None, numHeaders: int, headers: Address | None, includeNames: Address | None) -> tuple[nvrtcResult, nvrtcProgram | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    src: CUDA program source.
    name: CUDA program name.\\n name can be NULL; "default_program" is used when name is NULL or "".
    numHeaders: Number of headers used.\\n numHeaders must be greater than or equal to 0.
    headers: Sources of the headers.\\n headers can be NULL when numHeaders is 0.
    includeNames: Name of each header by which they can be included in the CUDA program source.\\n includeNames can be NULL when numHeaders is 0. These headers must be included with the exact names specified here.

    C: nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders, const char *const *headers, const char *const *includeNames)

    nvrtc.h:186
    """
    ...

def nvrtcGetPTXSize(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult, int | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    ptxSizeRet: Size of the generated PTX (including the trailing NULL).

    C: nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet)

    nvrtc.h:250
    """
    ...

def nvrtcGetCUBINSize(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult, int | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    cubinSizeRet: Size of the generated cubin.

    C: nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet)

    nvrtc.h:286
    """
    ...

def nvrtcGetLTOIRSize(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult, int | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    LTOIRSizeRet: Size of the generated LTO IR.

    C: nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet)

    nvrtc.h:323
    """
    ...

def nvrtcGetOptiXIRSize(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult, int | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    optixirSizeRet: Size of the generated LTO IR.

    C: nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet)

    nvrtc.h:360
    """
    ...

def nvrtcGetProgramLogSize(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult, int | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    logSizeRet: Size of the compilation log (including the trailing NULL).

    C: nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet)

    nvrtc.h:399
    """
    ...

def nvrtcAddNameExpression(prog: nvrtcProgram | int | None, name_expression: Text | None) -> tuple[nvrtcResult]:
    """compilation

    prog: CUDA Runtime Compilation program.
    name_expression: constant expression denoting the address of a __global__ function or __device__/__constant__ variable.

    C: nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression)

    nvrtc.h:438
    """
    ...

def nvrtcGetLoweredName(prog: nvrtcProgram | int | None, name_expression: Text | None) -> tuple[nvrtcResult, bytes | None]:
    """compilation

    prog: CUDA Runtime Compilation program.
    name_expression: constant expression denoting the address of a __global__ function or __device__/__constant__ variable.
    lowered_name: initialized by the function to point to a C string containing the lowered (mangled) name corresponding to the provided name expression.

    C: nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression, const char **lowered_name)

    nvrtc.h:466
    """
    ...

def nvrtcGetPCHHeapSize() -> tuple[nvrtcResult, int | None]:
    """precompiled_header

    ret: pointer to location where the size of the PCH Heap will be stored

    C: nvrtcResult nvrtcGetPCHHeapSize(size_t *ret)

    nvrtc.h:491
    """
    ...

def nvrtcSetPCHHeapSize(size: int) -> tuple[nvrtcResult]:
    """precompiled_header

    size: requested size of the PCH Heap, in bytes

    C: nvrtcResult nvrtcSetPCHHeapSize(size_t size)

    nvrtc.h:506
    """
    ...

def nvrtcGetPCHCreateStatus(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult]:
    """precompiled_header

    prog: CUDA Runtime Compilation program.

    C: nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog)

    nvrtc.h:535
    """
    ...

def nvrtcGetPCHHeapSizeRequired(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult, int | None]:
    """precompiled_header

    prog: CUDA Runtime Compilation program.
    size: pointer to location where the required size of the PCH Heap will be stored

    C: nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size)

    nvrtc.h:553
    """
    ...

def nvrtcSetFlowCallback(prog: nvrtcProgram | int | None, callback: Callable[[Pointer, Pointer], int] | None, payload: Address | None) -> tuple[nvrtcResult]:
    """compilation

    prog: CUDA Runtime Compilation program.
    callback: the callback that issues cancellation signal.
    payload: to be passed as a parameter when invoking the callback.

    C: nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void *, void *), void *payload)

    nvrtc.h:591
    """
    ...

def nvrtcGetErrorString(result: nvrtcResult) -> tuple[nvrtcResult, bytes | None]:
    """A status in words."""
    ...

def nvrtcGetSupportedArchs() -> tuple[nvrtcResult, list[int] | None]:
    """The architectures that programs can be compiled for."""
    ...

def nvrtcDestroyProgram(prog: nvrtcProgram | int | None) -> tuple[nvrtcResult]:
    """Ends a program; the handle is null afterwards."""
    ...

def nvrtcCompileProgram(prog: nvrtcProgram | int | None, numOptions: int, options: Sequence[str | bytes] | Address | None) -> tuple[nvrtcResult]:
    """Compiles a program. An architecture that this NVRTC does not support is brought to the nearest one that it does, with a warning."""
    ...

@overload
def nvrtcGetPTX(prog: nvrtcProgram | int | None, ptx: int) -> tuple[nvrtcResult, bytes | None]: ...
@overload
def nvrtcGetPTX(prog: nvrtcProgram | int | None, ptx: Any) -> tuple[nvrtcResult]:
    """Writes it into a buffer of the size that nvrtcGetPTXSize says. Its size, as an int, gives the bytes. Raises ValueError for a buffer or an int that is less."""
    ...

@overload
def nvrtcGetProgramLog(prog: nvrtcProgram | int | None, log: int) -> tuple[nvrtcResult, bytes | None]: ...
@overload
def nvrtcGetProgramLog(prog: nvrtcProgram | int | None, log: Any) -> tuple[nvrtcResult]:
    """Writes it into a buffer of the size that nvrtcGetProgramLogSize says. Its size, as an int, gives the bytes. Raises ValueError for a buffer or an int that is less."""
    ...

@overload
def nvrtcGetCUBIN(prog: nvrtcProgram | int | None, cubin: int) -> tuple[nvrtcResult, bytes | None]: ...
@overload
def nvrtcGetCUBIN(prog: nvrtcProgram | int | None, cubin: Any) -> tuple[nvrtcResult]:
    """Writes it into a buffer of the size that nvrtcGetCUBINSize says. Its size, as an int, gives the bytes. Raises ValueError for a buffer or an int that is less."""
    ...

@overload
def nvrtcGetLTOIR(prog: nvrtcProgram | int | None, LTOIR: int) -> tuple[nvrtcResult, bytes | None]: ...
@overload
def nvrtcGetLTOIR(prog: nvrtcProgram | int | None, LTOIR: Any) -> tuple[nvrtcResult]:
    """Writes it into a buffer of the size that nvrtcGetLTOIRSize says. Its size, as an int, gives the bytes. Raises ValueError for a buffer or an int that is less."""
    ...

@overload
def nvrtcGetOptiXIR(prog: nvrtcProgram | int | None, optixir: int) -> tuple[nvrtcResult, bytes | None]: ...
@overload
def nvrtcGetOptiXIR(prog: nvrtcProgram | int | None, optixir: Any) -> tuple[nvrtcResult]:
    """Writes it into a buffer of the size that nvrtcGetOptiXIRSize says. Its size, as an int, gives the bytes. Raises ValueError for a buffer or an int that is less."""
    ...

def sizeof(objType: type) -> int:
    """The size in bytes of what a class stands for in C."""
    ...

