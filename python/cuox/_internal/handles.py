"""Handles of streams and events: ints that are taken for the classes of `cuda.bindings`, too."""

from __future__ import annotations

from typing import Any

from .driver_calls import bindings


class _Handle(int):
    """A handle of the driver. It is an int, as C libraries and `ctypes` take it, and passes for an instance of the
    class that `cuox.cuda.bindings.driver` has for it: `isinstance` asks for `__class__`, too.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return getattr(bindings(), type(self).__name__)

    def __eq__(self, other: object) -> bool:
        return int(self) == other.__index__() if hasattr(other, "__index__") else NotImplemented

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = int.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return int, (int(self),)


class CUstream(_Handle):
    """The `CUstream` of a stream; 0 where there is none."""

    __slots__ = ()


class CUevent(_Handle):
    """The `CUevent` of an event; 0 where there is none."""

    __slots__ = ()
