"""`static inline` functions of a header, and macros whose value C computes: a compiler makes code of them when the
first is used, or when a module is written.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from pathlib import Path

from cuox_bind import _native

from .interface_code import compile_code

__all__ = ["BuiltInlineFunctions", "InlineFunctions", "build"]

PREFIX = "cuox_inline_"
PURPOSE = "the code of the header's inline functions and macros"


def _file_of(library: str) -> str:
    """The file of a library that is open, by the name that it was opened by."""
    handle = ctypes.CDLL(library, mode=os.RTLD_NOLOAD | os.RTLD_NOW)._handle
    # glibc's handle is a `link_map`, whose second member is the name (`man 3 dlinfo`).
    name = ctypes.c_char_p.from_address(handle + ctypes.sizeof(ctypes.c_void_p)).value
    return os.fsdecode(name or b"")


def _includes(headers: Sequence[str], source: str | None) -> str:
    included = [f'"{os.path.abspath(it)}"' if os.path.exists(it) else f"<{it}>" for it in headers]
    lines = [f"#include {it}" for it in included] + ([] if source is None else [source])
    return "\n".join(lines) + "\n"


def _of_functions(names: Sequence[str]) -> str:
    # A function whose address is taken has one.
    return "".join(f"const void *const {PREFIX}{name} = (const void *){name};\n" for name in names)


def _of_macros(macros: Sequence[tuple[str, bool]]) -> str:
    """Code with a function for each macro that returns where its value is."""
    lines = []
    for name, is_value in macros:
        body = f"return (const void *)&({name});"
        if is_value:
            body = (
                f"__typeof__(({name})) made = ({name}); static __thread char kept[sizeof made]"
                " __attribute__((aligned)); return __builtin_memcpy(kept, &made, sizeof made);"
            )
        lines.append(f"static const void *cuox_place_{name}(void) {{ {body} }}\n")
        lines.append(f"const void *const {PREFIX}{name} = (const void *)cuox_place_{name};\n")
    return "".join(lines)


def _address(symbols: _native.Symbols, symbol: str) -> int:
    place = symbols.find(symbol)
    address = None if place is None else ctypes.c_void_p.from_address(place).value
    if address is None:
        raise AttributeError(f"the header's {symbol.removeprefix(PREFIX)} has no address")
    return address


class InlineFunctions:
    """The inline functions and macros of headers, and the libraries whose functions they call."""

    def __init__(
        self,
        binding: _native.Binding,
        headers: Sequence[str],
        source: str | None,
        language: str,
        folders: Sequence[str],
        defines: Sequence[str],
        libraries: Sequence[str],
    ) -> None:
        includes = _includes(headers, source)
        self._macros = {name for name, _ in binding.macros}
        # A macro that uses what no library has must not spoil the functions.
        self._code = (includes + _of_functions(binding.inline), includes + _of_macros(binding.macros))
        self._language, self._folders, self._defines = language, folders, defines
        self._libraries = libraries
        self._symbols: list[_native.Symbols | None] = [None, None]

    def find(self, symbol: str) -> int:
        """Return the address of a function, or of one that returns where a macro's value is. Raises CompileError and
        NotFoundError as `compile_code`.
        """
        kind = int(symbol.removeprefix(PREFIX) in self._macros)
        symbols = self._symbols[kind]
        if symbols is None:
            # What the functions call is in these. They are open, but their names are not for other libraries.
            files = [_file_of(library) for library in self._libraries]
            path = compile_code(
                self._code[kind], self._language, self._folders, self._defines, libraries=files, purpose=PURPOSE
            )
            symbols = self._symbols[kind] = _native.Symbols([path])
        return _address(symbols, symbol)


def build(
    binding: _native.Binding,
    headers: Sequence[str],
    language: str,
    folders: Sequence[str],
    defines: Sequence[str],
    target: Path,
) -> None:
    """Compile inline functions and macros into the library of a module. Raises CompileError and NotFoundError as
    `compile_code`.
    """
    code = _includes(headers, None) + _of_functions(binding.inline) + _of_macros(binding.macros)
    compile_code(code, language, folders, defines, target, low_level=True, purpose=PURPOSE)


class BuiltInlineFunctions:
    """Those of a module, in a library beside it."""

    def __init__(self, path: str, libraries: Sequence[str]) -> None:
        self._path, self._libraries = path, libraries
        self._symbols: _native.Symbols | None = None

    def find(self, symbol: str) -> int:
        """Return the address of a function, or of one that returns where a macro's value is. Raises OSError if the
        library cannot be opened.
        """
        if self._symbols is None:
            # They are open already, and their names become those of what is opened behind them.
            for library in self._libraries:
                ctypes.CDLL(library, mode=os.RTLD_NOLOAD | os.RTLD_NOW | os.RTLD_GLOBAL)
            self._symbols = _native.Symbols([self._path])
        return _address(self._symbols, symbol)
