"""Handles of arrays, textures and surfaces, and the objects that have one."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, NoReturn, Self

from cuox._internal.driver_calls import bindings, call
from cuox._internal.errors import ClosedError
from cuox._internal.idle_free import free_when_idle
from cuox._native import Context, Device

# The functions that wait for all work.
_WAITING = ("cuArrayDestroy", "cuMipmappedArrayDestroy")


@contextlib.contextmanager
def current(context: Context) -> Iterator[None]:
    """A block in which a context is the current one."""
    call("cuCtxPushCurrent", bindings().CUcontext(context.handle or 0))
    try:
        yield
    finally:
        call("cuCtxPopCurrent")


class Held:
    """A handle of the driver, which is destroyed with the last object that uses it.

    destroy: the driver's function; None for a handle that goes with another one. kept: what has to live as long.
    """

    __slots__ = ("_context", "_destroy", "_kept", "_value")

    def __init__(self, context: Context, value: Any, destroy: str | None, kept: object = None) -> None:
        self._context, self._value, self._destroy, self._kept = context, value, destroy, kept

    @property
    def context(self) -> Context:
        """The context that it was made in. Raises ClosedError after `Device.reset`."""
        if self._context.is_closed:
            raise ClosedError("the device was reset, and its arrays, textures and surfaces are gone")
        return self._context

    @property
    def value(self) -> Any:
        """The handle, as the driver's functions take it. Raises ClosedError after `Device.reset`."""
        return self._value if self.context else None

    def __reduce__(self) -> NoReturn:
        raise TypeError("handles of the driver cannot be copied")

    def destroy(self) -> None:
        """Destroy it, which nothing else uses: of arrays the driver waits for all work, so that is waited for here,
        where Ctrl-C ends the wait.
        """
        if self._destroy in _WAITING and not self._context.is_closed:
            gone = Held(self._context, self._value, self._destroy, self._kept)
            self._destroy = None
            free_when_idle([gone._context.device], gone._destroy_now)

    def _destroy_now(self) -> None:
        if self._destroy is not None and not self._context.is_closed:
            with current(self._context):
                call(self._destroy, self._value)
        self._destroy = None

    def __del__(self) -> None:
        # At the interpreter's end the driver frees what is left with the process, and waits for no kernel.
        if not sys.is_finalizing():
            with contextlib.suppress(Exception):
                self._destroy_now()


class Closable:
    """An object with a handle."""

    __slots__ = ("__weakref__", "_held")
    _MADE_BY = ""
    _held: Held | None

    def __init__(self, *_args: object, **_options: object) -> None:
        raise RuntimeError(f"{type(self).__name__} cannot be instantiated directly; {self._MADE_BY} makes one")

    @classmethod
    def _of(cls, held: Held) -> Self:
        made = cls.__new__(cls)
        made._held = held
        return made

    def _open(self) -> Held:
        """The handle. Raises ClosedError if there is none any more."""
        if self._held is None:
            raise ClosedError(f"the {type(self).__name__} is closed")
        return self._held

    @property
    def handle(self) -> int:
        """The driver's handle, as an int; 0 after `close`. Raises ClosedError after `Device.reset`."""
        return 0 if self._held is None else int(self._held.value)

    @property
    def is_closed(self) -> bool:
        """True after `close`."""
        return self._held is None

    @property
    def device(self) -> Device:
        """The device."""
        return self._open().context.device

    def close(self) -> None:
        """Let go of the handle, which is destroyed when nothing uses it any more. Closing twice is fine.

        For arrays the work of the device is waited for. Ctrl-C ends the wait; then the array is destroyed later.
        """
        held, self._held = self._held, None
        # The variable has it, and the call.
        if held is not None and sys.getrefcount(held) <= 2:
            held.destroy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be copied")
