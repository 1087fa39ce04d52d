"""The exceptions of the driver, and calls of it that raise them."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeAlias

import cuox
from cuox import _native

from .bindings import driver as _bindings

__all__ = ["CompileError", "Error", "LaunchError", "LogicError", "MemoryError", "RuntimeError"]


# These two are cuox's own, so that `except driver.Error` also catches what arrays and other objects of cuox raise by
# themselves.
Error: TypeAlias = cuox.CUDAError
MemoryError: TypeAlias = cuox.OutOfMemoryError


class LogicError(Error):
    """A call was made with wrong arguments or at the wrong time, or a kernel accessed memory that it must not."""


class LaunchError(Error):
    """A kernel could not be launched, or failed while it ran."""


class RuntimeError(Error):
    """Something outside the program is not as needed: no device, no code for it, a file that is missing."""


class CompileError(Error):
    """The compiler refused a program.

    `msg` is the message, `command_line` the command and its options, `stdout` and `stderr` what the compiler printed.
    """

    def __init__(
        self, msg: str, command_line: Sequence[str] | None = None, stdout: str | None = None, stderr: str | None = None
    ) -> None:
        super().__init__(msg)
        self.msg = msg
        self.command_line = command_line
        self.stdout = stdout
        self.stderr = stderr

    def __str__(self) -> str:
        parts = [self.msg]
        if self.command_line:
            parts.append(f"[command: {' '.join(map(str, self.command_line))}]")
        if self.stdout:
            parts.append(f"[stdout:\n{self.stdout}]")
        if self.stderr:
            parts.append(f"[stderr:\n{self.stderr}]")
        return "\n".join(parts)


INVALID_CONTEXT = 201
_OUT_OF_MEMORY = 2
_NOT_INITIALIZED = 3
_UNKNOWN = 999
# Launch failed, too many resources, timeout, incompatible texturing.
_LAUNCH = frozenset((719, 701, 702, 703))
# No device, no binary for the device, file not found, not ready, uncorrectable ECC error.
_RUNTIME = frozenset((100, 209, 301, 600, 214))


def _class_of(code: int | None) -> type[Error]:
    if code == _OUT_OF_MEMORY:
        return MemoryError
    if code in _LAUNCH:
        return LaunchError
    if code in _RUNTIME:
        return RuntimeError
    if code == _UNKNOWN:
        return Error
    return LogicError


# What cuox says of a host array where device memory is needed, and how PyCUDA's programs do that.
_CUOX_COPY = "copy it to the device first: buffer = device.allocate(nbytes); buffer.copy_from_host(array)"
_COPY = "copy it to the device first, with gpuarray.to_gpu(array), or wrap it for the launch: driver.In(array), Out(array) or InOut(array)"


def translated(error: BaseException) -> BaseException:
    """Return the driver's exception for one of cuox's; other exceptions as they are."""
    if isinstance(error, (LogicError, LaunchError, RuntimeError, CompileError, MemoryError)):
        return error
    if isinstance(error, cuox.CUDAError):
        made = _class_of(error.code)(str(error), error.code, error.name, error.description)
    elif isinstance(error, cuox.CompileError):
        head, _, hint = str(error).partition(error.log.strip())
        made = CompileError(head.rstrip(": \n") + hint, stderr=error.log.strip() or None)
    elif isinstance(error, cuox.NotFoundError):
        # Not found, of `cuda.h`: that is what a driver says of a name that is not in a module.
        made = LogicError(str(error), 500, "CUDA_ERROR_NOT_FOUND", "named symbol not found")
    elif type(error) is TypeError and _CUOX_COPY in str(error):
        return TypeError(str(error).replace(_CUOX_COPY, _COPY)).with_traceback(error.__traceback__)
    else:
        return error
    return made.with_traceback(error.__traceback__)


def raise_translated(error: BaseException) -> NoReturn:
    """Raise the driver's exception for one of cuox's."""
    other = translated(error)
    if other is error:
        raise error
    raise other from None


def _text(function: Callable[[Any], tuple[Any, Any]], code: int) -> str:
    status, text = function(_bindings.CUresult(code))
    return text.decode() if int(status) == 0 and isinstance(text, bytes) else ""


_process = os.getpid()


def raise_code(code: int, function: str, detail: str = "") -> NoReturn:
    """Raise the exception for a `CUresult`.

    function: the function of the driver that gave it.
    detail: what else the user should know.
    """
    name, description = _text(_bindings.cuGetErrorName, code), _text(_bindings.cuGetErrorString, code)
    text = f"{function} failed: {description or name or code}"
    if code == INVALID_CONTEXT and not detail:
        detail = "no context is current in this thread: import cuox.pycuda.autoinit, or push one (Device.make_context, Context.push)"
    if code == _NOT_INITIALIZED and os.getpid() != _process:
        detail = 'CUDA was in use before this process was forked, and does not survive a fork: start workers with "spawn", or first use CUDA in the child'
    raise _class_of(code)(f"{text} ({detail})" if detail else text, code, name, description)


_adopt: Callable[[], bool] = lambda: False  # noqa: E731


def on_missing_context(adopt: Callable[[], bool]) -> None:
    """Set what a call without a context does: `adopt` makes one current and returns True, or returns False."""
    global _adopt
    _adopt = adopt


def call(function: str, *args: Any) -> Any:
    """Call a function of the driver and return its outputs: none, one, or a tuple.

    A thread without a context gets the process's. Raises Error.
    """
    made = getattr(_bindings, function)
    _native._note_work()
    status, *values = made(*args)
    _native._note_work()
    code = int(status)
    if code == INVALID_CONTEXT and _adopt():
        status, *values = made(*args)
        code = int(status)
    if code:
        raise_code(code, function)
    if len(values) == 1:
        return values[0]
    return tuple(values) if values else None


def release(function: str, *args: Any) -> None:
    """Call a function that gives something back, where nobody is to be told of an error: from `__del__`."""
    try:
        made = getattr(_bindings, function)
        if int(made(*args)[0]) == INVALID_CONTEXT and _adopt():
            made(*args)
    except (AttributeError, TypeError, builtins.RuntimeError):
        # The interpreter is about to end, and has taken modules down; the driver frees what is left with the process.
        pass
