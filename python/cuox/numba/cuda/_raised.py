"""Exceptions that kernels raise."""

from __future__ import annotations

import ast
import builtins
import threading
from collections.abc import Callable, Sequence
from typing import Any

import cuox
from cuox._native import _Launches

_WORDS = 7


class Watch:
    """A kernel that may raise exceptions."""

    def __init__(self, code: Any, kernel: Any, exceptions: Sequence[Any], environment: Any) -> None:
        self.kernel, self.exceptions, self.environment = kernel, exceptions, environment
        self.device = cuox.Device()
        self._reading = threading.Lock()
        self.address = code.get_global("cuox_raised")[0]
        self.launches = _Launches()
        self.noted = 0  # launches so far, which other threads count

    def check(self) -> None:
        """Raise what the kernel has raised so far."""
        import numpy as np

        from cuox.cuda.bindings import driver

        found = np.zeros(_WORDS, np.int32)
        with self._reading:
            (error,) = driver.cuMemcpyDtoH(found, self.address, found.nbytes)
            # An error of the device is told where the device is waited for.
            if error or not found[0]:
                return
            # The thread that raises may not have said yet which it is.
            self.device.sync()
            driver.cuMemcpyDtoH(found, self.address, found.nbytes)
            driver.cuMemsetD32(self.address, 0, _WORDS)
        name, arguments, function, file, line = self.exceptions[int(found[0]) - 1]
        block, thread = tuple(map(int, found[1:4])), tuple(map(int, found[4:7]))
        where = f"In function {function!r}, file {file}, line {line}, tid={list(thread)} ctaid={list(block)}"
        given = [_value(text) for text in arguments]
        raised = _made(self._class(name), f"{where}: {given[0]}" if given else where, given[1:])
        raised.block, raised.thread = block, thread  # type: ignore[attr-defined]
        raise raised

    def note(self) -> None:
        """Have `check` look at it from now on. To be called after each launch."""
        with _lock:
            self.noted += 1
            _pending[id(self)] = self

    def check_alone(self) -> None:
        """Wait for all work, and raise what the kernel has raised."""
        self.device.sync()
        self.check()

    def _class(self, name: str) -> Any:
        if name.startswith("object "):
            return self.environment.objects[int(name[7:])]
        return getattr(builtins, name, RuntimeError)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return float(text)


def _made(kind: Any, text: str, others: Sequence[Any]) -> BaseException:
    """An exception with these arguments, also of a class that is made in another way."""
    try:
        made: BaseException = kind(text, *others)
    except TypeError:
        made = kind.__new__(kind, text, *others)
        made.args = (text, *others)
    return made


_lock = threading.Lock()
_pending: dict[int, Watch] = {}


def _look_at(which: Callable[[Watch], bool]) -> None:
    """Raise what some of the kernels have raised so far, and look no more at those whose launches are over."""
    with _lock:
        waiting = [(watched, watched.noted) for watched in _pending.values() if which(watched)]
    for watched, noted in waiting:
        are_over = watched.launches.are_over
        try:
            watched.check()
        finally:
            with _lock:
                # Another thread may have launched it since.
                if are_over and watched.noted == noted:
                    _pending.pop(id(watched), None)


def check() -> None:
    """Raise what kernels have raised so far. To be called once a stream has been waited for; kernels in others may
    still run.
    """
    if _pending:
        _look_at(lambda watched: True)


def synchronize() -> None:
    """Wait for all work of the current device, and raise what its kernels have raised."""
    device = cuox.Device()
    device.sync()
    _look_at(lambda watched: watched.device == device)
