"""`static inline` functions of a header, compiled when the first of them is used."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

from cuox import _native

from .interface_code import compile_code

__all__ = ["InlineFunctions"]

PREFIX = "cuox_inline_"


def _file_of(library: str) -> str:
    """The file of a library that is open, by the name that it was opened by."""
    handle = ctypes.CDLL(library, mode=os.RTLD_NOLOAD | os.RTLD_NOW)._handle
    # glibc's handle is a `link_map`, whose second member is the name (`man 3 dlinfo`).
    name = ctypes.c_char_p.from_address(handle + ctypes.sizeof(ctypes.c_void_p)).value
    return os.fsdecode(name or b"")


class InlineFunctions:
    """The inline functions of headers, and the libraries whose functions they call."""

    def __init__(
        self,
        names: Sequence[str],
        headers: Sequence[str],
        source: str | None,
        language: str,
        folders: Sequence[str],
        defines: Sequence[str],
        libraries: Sequence[str],
    ) -> None:
        included = [f'"{os.path.abspath(it)}"' if os.path.exists(it) else f"<{it}>" for it in headers]
        lines = [f"#include {it}" for it in included] + ([] if source is None else [source])
        # A function whose address is taken has one.
        lines += [f"const void *const {PREFIX}{name} = (const void *){name};" for name in names]
        self._code = "\n".join(lines) + "\n"
        self._language, self._folders, self._defines = language, folders, defines
        self._libraries = libraries
        self._symbols: _native.Symbols | None = None

    def find(self, symbol: str) -> int:
        """Return the address of a function. Raises CompileError and NotFoundError as `compile_code`."""
        if self._symbols is None:
            # What the functions call is in these. They are open, but their names are not for other libraries.
            files = [_file_of(library) for library in self._libraries]
            path = compile_code(self._code, self._language, self._folders, self._defines, libraries=files)
            self._symbols = _native.Symbols([path])
        place = self._symbols.find(symbol)
        address = None if place is None else ctypes.c_void_p.from_address(place).value
        if address is None:
            raise AttributeError(f"the header's inline function {symbol.removeprefix(PREFIX)} has no address")
        return address
