"""Links by the driver."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

__all__ = ["DriverLink"]

_LOG_BYTES = 1 << 16
# CUjit_option: the driver's messages and their sizes. CUjitInputType.
_INFO_LOG, _INFO_LOG_SIZE, _ERROR_LOG, _ERROR_LOG_SIZE = 3, 4, 5, 6
_PTX = 1


class DriverLink:
    """A `CUlinkState` and the driver's messages about it. Driver API manual, `cuLinkCreate`.

    options: pairs of a `CUjit_option` and its value. A subclass has the `_call` that raises its own exceptions.
    """

    def __init__(self, options: Iterable[tuple[int, int]] = ()) -> None:
        self._information, self._errors = (ctypes.create_string_buffer(_LOG_BYTES) for _ in range(2))
        pairs = [
            (_INFO_LOG, ctypes.addressof(self._information)),
            (_INFO_LOG_SIZE, _LOG_BYTES),
            (_ERROR_LOG, ctypes.addressof(self._errors)),
            (_ERROR_LOG_SIZE, _LOG_BYTES),
            *options,
        ]
        # The driver writes to both arrays as long as it links.
        self._keys = (ctypes.c_int * len(pairs))(*(int(key) for key, _ in pairs))
        self._values = (ctypes.c_void_p * len(pairs))(*(int(value) for _, value in pairs))
        self.handle: Any = self._call(
            "cuLinkCreate", len(pairs), ctypes.addressof(self._keys), ctypes.addressof(self._values)
        )

    def _call(self, function: str, *args: Any) -> Any:
        """Call a function of the driver and return its outputs."""
        raise NotImplementedError(function)

    def add(self, kind: int, image: bytes, name: str) -> None:
        """Add code of a kind, a `CUjitInputType`; PTX with or without the zero at its end."""
        from cuox.cuda.bindings import driver

        if kind == _PTX and not image.endswith(b"\0"):
            image += b"\0"
        self._call(
            "cuLinkAddData", self.handle, driver.CUjitInputType(kind), image, len(image), name.encode(), 0, None, None
        )

    def complete(self) -> bytes:
        """Link, and return a copy of what comes out."""
        address, size = self._call("cuLinkComplete", self.handle)
        return ctypes.string_at(int(address), int(size))

    @property
    def information(self) -> str:
        """The driver's messages that are no errors."""
        return bytes(self._information.value).decode(errors="replace")

    @property
    def errors(self) -> str:
        """The errors that the driver has found."""
        return bytes(self._errors.value).decode(errors="replace")
