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
        name, text = driver.cuGetErrorName(code)[1], driver.cuGetErrorString(code)[1]
        description = (text or b"").decode()
        shown = (name or b"").decode()
        why = _native._last_fault()
        message = f"{function} failed: {description} ({shown})" + (f"\n{why}" if why else "")
        raise CUDAError(message, int(code), shown, description)
    if len(values) == 1:
        return values[0]
    return tuple(values) if values else None


def listed(function: str, handle: Any, columns: int) -> list[list[Any]]:
    """The columns of an answer whose length the driver is asked for first."""
    *_, count = call(function, handle)
    if not count:
        return [[] for _ in range(columns)]
    return [list(column) for column in call(function, handle, count)[:columns]]
