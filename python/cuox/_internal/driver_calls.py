"""Calls of the driver's functions through `cuox.cuda.bindings`, whose failures are exceptions."""

from __future__ import annotations

from typing import Any

from cuox import _native
from cuox._internal.errors import CUDAError


def bindings() -> Any:
    """The driver's functions and records. Whoever calls these functions tells cuox of the work in them, as `call`
    does.
    """
    from cuox.cuda.bindings import driver

    names: Any = driver
    return names._known


def call(function: str, *args: Any) -> Any:
    """Call a function of the driver and return its outputs: none, one, or a tuple. Raises CUDAError."""
    driver = bindings()
    _native._note_work()
    code, *values = getattr(driver, function)(*args)
    _native._note_work()
    if int(code):
        raise error_of(function, code)
    if len(values) == 1:
        return values[0]
    return tuple(values) if values else None


def error_of(function: str, code: Any, message: str = "") -> CUDAError:
    """The exception for a failure of a function of the driver; `message` in place of the usual one."""
    driver = bindings()
    name, text = driver.cuGetErrorName(code)[1], driver.cuGetErrorString(code)[1]
    description, shown = (text or b"").decode(), (name or b"").decode()
    why = _native._last_fault()
    message = message or f"{function} failed: {description} ({shown})"
    return CUDAError(f"{message}\n{why}" if why else message, int(code), shown, description)


def listed(function: str, handle: Any, columns: int) -> list[list[Any]]:
    """The columns of an answer whose length the driver is asked for first."""
    *_, count = call(function, handle)
    if not count:
        return [[] for _ in range(columns)]
    return [list(column) for column in call(function, handle, count)[:columns]]
