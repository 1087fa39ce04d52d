"""Exceptions that kernels raise."""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable, Sequence
from typing import Any

import cuox

_WORDS = 7


class Watch:
    """A kernel that may raise exceptions."""

    def __init__(self, code: Any, kernel: Any, exceptions: Sequence[Any], environment: Any) -> None:
        self.kernel, self.exceptions, self.environment = kernel, exceptions, environment
        self.address = code.get_global("cuox_raised")[0]

    def check(self) -> None:
        """Raise what the kernel has raised. Waits for the device."""
        import numpy as np

        from cuox.cuda.bindings import driver

        found = np.zeros(_WORDS, np.int32)
        (error,) = driver.cuMemcpyDtoH(found, self.address, found.nbytes)
        # An error of the device is told where the device is waited for.
        if error or not found[0]:
            return
        driver.cuMemsetD32(self.address, 0, _WORDS)
        name, message, function, file, line = self.exceptions[int(found[0]) - 1]
        block, thread = tuple(map(int, found[1:4])), tuple(map(int, found[4:7]))
        where = f"In function {function!r}, file {file}, line {line}, tid={list(thread)} ctaid={list(block)}"
        text = f"{where}: {message}" if message is not None else where
        raised: BaseException = self._class(name)(text)
        raised.block, raised.thread = block, thread  # type: ignore[attr-defined]
        raise raised

    def _class(self, name: str) -> Any:
        if name.startswith("object "):
            return self.environment.objects[int(name[7:])]
        return getattr(builtins, name, RuntimeError)


_lock = threading.Lock()
_pending: dict[int, Watch] = {}


def watch(code: Any, kernel: Any, exceptions: Sequence[Any], environment: Any, *, at_once: bool) -> Callable[[], None]:
    """A function to be called after each launch of a kernel. at_once: it waits for the kernel, and raises what that has raised."""
    watched = Watch(code, kernel, exceptions, environment)
    if at_once:
        return watched.check

    def note() -> None:
        with _lock:
            _pending[id(watched)] = watched

    return note


def check() -> None:
    """Raise what a kernel that was launched since the last check has raised. To be called once the device has been waited for."""
    if not _pending:
        return
    with _lock:
        waiting = list(_pending.values())
        _pending.clear()
    for index, watched in enumerate(waiting):
        try:
            watched.check()
        except BaseException:
            # The others are looked at next time.
            with _lock:
                _pending.update((id(other), other) for other in waiting[index + 1 :])
            raise


def synchronize() -> None:
    """Wait for all work of the current device, and raise what kernels have raised."""
    cuox.Device().sync()
    check()
