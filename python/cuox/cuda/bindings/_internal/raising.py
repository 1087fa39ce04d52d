"""The common part of nvJitLink and libNVVM: functions raise, handles are ints, results are written into the caller's
buffers.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

from cuox_bind import _native as bind_native
from cuox_bind._internal.bind import make_enum, make_raise

from cuox import _native

from .arguments import sized
from .module import DATA

Buffer = Any
"""An object with the buffer protocol, or an address."""

Options = Sequence[str | bytes] | Sequence[int] | int
"""Texts; or addresses of texts; or the address of an array of them."""


class Raising:
    """The raw functions of a library. A failed status becomes an exception."""

    def __init__(
        self, name: str, component: str, module: str, error: Callable[[int], Exception], no_handle: int
    ) -> None:
        self.name = name
        self.component = component
        self.module = module
        self.error = error
        self.no_handle = no_handle
        """The status of a handle that there is not."""
        self.handles: set[int] = set()
        self._library: bind_native.Library | None = None

    @property
    def library(self) -> bind_native.Library:
        """The header's functions. Raises NotFoundError, which says what to install, where there is no such library."""
        if self._library is None:
            path, _ = _native.find_library(self.component)
            symbols = bind_native.Symbols([str(path)])

            def find(symbol: str) -> int | None:
                found: int | None = symbols.find(symbol)
                if found is None and symbol.startswith("__"):
                    # A symbol with the header's version in its name, `__nvJitLinkCreate_13_0`: other versions have the
                    # plain one.
                    found = symbols.find(symbol[2:].rstrip("0123456789_"))
                return found

            data = (DATA / f"{self.name}.txt").read_text(encoding="ascii")
            binding = bind_native.Binding.from_data(
                data.partition("\n")[2]
            )  # the first line says what it was made from
            self._library = bind_native.Library(
                binding, find, make_enum, make_raise, module=self.module, name=str(path), plain=True
            )
        return self._library

    def __call__(self, function: str, *arguments: Any) -> tuple[Any, ...]:
        """Call a function, and return its output besides the status."""
        status, *outputs = getattr(self.library, function)(*arguments)
        if status != 0:
            raise self.error(int(status))
        return tuple(outputs)

    def write(self, size: str, function: str, handle: int, buffer: Buffer) -> bytes | None:
        """Let a function fill a buffer, which has to be as large as another function says; of an int, its size, one is
        made and returned.
        """
        (needed,) = self.of(size, handle)
        if not isinstance(buffer, int):
            memory(buffer, writable=True)
        passed, made = sized(function, size, needed, buffer)
        self.of(function, handle, passed)
        return None if made is None else bytes(made[:needed])

    def create(self, function: str, *arguments: Any) -> int:
        """A new handle."""
        (handle,) = self(function, *arguments)
        self.handles.add(int(handle))
        return int(handle)

    def of(self, function: str, handle: int, *arguments: Any) -> tuple[Any, ...]:
        """A function of a handle that was made here and not destroyed: the library would follow any other wherever it
        points.
        """
        if handle not in self.handles:
            raise self.error(self.no_handle)
        return self(function, handle, *arguments)

    def destroy(self, function: str, handle: int) -> None:
        """End a handle."""
        if handle not in self.handles:
            raise self.error(self.no_handle)
        # Before the call: as soon as it is ended, another thread may be given the same handle.
        self.handles.remove(handle)
        self(function, bytearray(handle.to_bytes(8, "little")))


def memory(buffer: Buffer, *, writable: bool) -> tuple[Any, int | None]:
    """A buffer that C can be given, and its size in bytes; None for an address."""
    if isinstance(buffer, int):
        return buffer, None
    try:
        view = memoryview(buffer)
    except TypeError:
        view = None
    if view is None or view.ndim != 1 or not view.c_contiguous or (writable and view.readonly):
        kind = "writable buffer" if writable else "buffer"
        raise ValueError(f"expected a one-dimensional contiguous {kind}, or an address, got {type(buffer).__name__}")
    return buffer, view.nbytes


def data(buffer: Buffer, size: int) -> Any:
    """A buffer of exactly so many bytes that C reads."""
    found, room = memory(buffer, writable=False)
    if room is not None and room != size:
        raise ValueError(f"size: expected at most the buffer's {room} bytes, got {size}")
    return found


def text(value: object, what: str) -> str:
    """A text that is not optional."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a str, got {type(value).__name__}")
    return value


def options(count: int, given: Options) -> Any:
    """An array of so many texts."""
    if isinstance(given, int):
        return given or None
    if isinstance(given, (str, bytes)):
        raise TypeError("options: expected a sequence of texts, got one text")
    if len(given) < count:
        raise ValueError(f"options: expected {count}, as num_options says, got {len(given)}")
    texts: list[Any] = [one.encode() if isinstance(one, str) else one for one in given]
    if any(isinstance(one, int) for one in texts):
        import ctypes

        return (ctypes.c_void_p * len(texts))(*texts)
    return texts or None


def describe(result: type[enum.IntEnum], status: int) -> str:
    """A status in words: `ERROR_INVALID_INPUT (3)`."""
    try:
        return f"{result(status).name} ({status})"
    except ValueError:
        return f"a status that the headers of CUDA 13.0 do not have ({status})"
