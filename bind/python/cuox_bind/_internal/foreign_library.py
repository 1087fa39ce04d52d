"""Libraries without a header, as ctypes has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuox_bind import _native

# C's names for numbers, on LP64 systems.
NUMBERS = {
    "bool": "bool", "_Bool": "bool", "char": "char", "signed char": "i8", "unsigned char": "u8",
    "short": "i16", "unsigned short": "u16", "int": "i32", "unsigned int": "u32", "unsigned": "u32",
    "long": "i64", "unsigned long": "u64", "long long": "i64", "unsigned long long": "u64",
    "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
    "int64_t": "i64", "uint64_t": "u64", "size_t": "u64", "ssize_t": "i64", "ptrdiff_t": "i64", "intptr_t": "i64", "uintptr_t": "u64",
    "float": "f32", "double": "f64",
}  # fmt: skip
# struct's letters, which ctypes' simple types carry.
LETTERS = {
    "?": "bool", "c": "char", "b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "l": "i64", "L": "u64",
    "q": "i64", "Q": "u64", "f": "f32", "d": "f64",
}  # fmt: skip


def _words(type_: str) -> tuple[str, bool]:
    """A C type without `const`, `volatile` and `restrict`, and whether what a pointer points at is constant."""
    constant = "const" in type_.replace("*", " * ").split("*")[0].split()
    text = " ".join(
        word for word in type_.replace("*", " * ").split() if word not in ("const", "volatile", "restrict", "struct")
    )
    return text, constant


def role_of(type_: Any) -> Any:
    """Return the way in which an argument of a type is passed, for `_native._callable`. Raises TypeError for anything
    but a type.
    """
    if isinstance(type_, str):
        text, constant = _words(type_)
        if not text.endswith("*"):
            if text in NUMBERS:
                return NUMBERS[text]
            raise TypeError(f"expected a C type that is known without a header, got '{type_}'; bind() reads headers")
        to = text[:-1].strip()
        if to == "char" and constant:
            return "text?"
        way = "in?" if constant else "inout?"
        return (way, NUMBERS.get(to, "void") if to != "char" else "i8")
    letter = getattr(type_, "_type_", None)
    if letter in ("z", "Z"):
        return "text?"
    if letter == "P":
        return ("in?", "void")
    if isinstance(letter, str) and letter in LETTERS:
        return LETTERS[letter]
    if letter is not None or hasattr(type_, "_restype_"):  # a ctypes pointer, array or function
        return ("in?", "void")
    if hasattr(type_, "_fields_"):  # a ctypes structure or union
        raise TypeError(
            f"expected a number or a pointer, got the structure {type_.__name__}: structures by value need a header: bind(library, headers); for its address use ctypes.POINTER"
        )
    raise TypeError(
        f"expected a type, got {type_!r}: argtypes and restype take ctypes' types, or C's as text such as 'const char *'"
    )


def result_of(type_: Any) -> Any:
    """Return the way in which a result of a type is returned."""
    if type_ is None or type_ == "void":
        return "void"
    role = role_of(type_)
    if isinstance(role, tuple):
        return "pointer"
    return "text" if role == "text?" else role


class ForeignFunction:
    """A function of a library without a header.

    argtypes: the parameters' types; None (the default) passes arguments by what they are in Python. restype: the
    result's; None is void. Types are ctypes' (`ctypes.c_int`), or C's as text (`"const char *"`).
    """

    def __init__(self, name: str, address: int, keep: Any, gil: str) -> None:
        self._name = name
        self._gil = gil
        self._address = address
        self._keep = keep
        self._argtypes: tuple[Any, ...] | None = None
        self._restype: Any = "int"
        self._callable: Any = None

    @property
    def argtypes(self) -> tuple[Any, ...] | None:
        """The parameters' types."""
        return self._argtypes

    @argtypes.setter
    def argtypes(self, types: Sequence[Any] | None) -> None:
        if types is not None and (isinstance(types, (str, bytes)) or not isinstance(types, Sequence)):
            raise TypeError(f"argtypes must be a list or tuple of types, or None, got {types!r}")
        for type_ in types or ():
            role_of(type_)
        self._argtypes = None if types is None else tuple(types)
        self._callable = None

    @property
    def restype(self) -> Any:
        """The result's type."""
        return self._restype

    @restype.setter
    def restype(self, type_: Any) -> None:
        result_of(type_)
        self._restype = type_
        self._callable = None

    def __call__(self, *args: Any) -> Any:
        if self._callable is None:
            self._callable = _native._callable(
                self._name,
                self._address,
                result_of(self._restype),
                [(f"arg{i}", role_of(type_)) for i, type_ in enumerate(self._argtypes or ())],
                variadic=self._argtypes is None,
                gil=self._gil,
            )
        return self._callable(*args)

    def __repr__(self) -> str:
        return f"<foreign function {self._name} at {self._address:#x}>"


class ForeignLibrary:
    """A library without a header: its symbols are attributes, called as ctypes calls them."""

    def __init__(self, path: str | None, *, share_symbols: bool = False, gil: str = "release") -> None:
        if gil not in ("auto", "hold", "release"):
            raise ValueError(f"gil must be 'auto', 'hold' or 'release', not {gil!r}")
        self._path = path
        self._gil = gil
        self._symbols = _native.Symbols([] if path is None else [path], share_symbols=share_symbols)

    def __getattr__(self, name: str) -> ForeignFunction:
        if name.startswith("__"):
            raise AttributeError(name)
        function = self[name]
        setattr(self, name, function)
        return function

    def __getitem__(self, name: str) -> ForeignFunction:
        address = self._symbols.find(name)
        if address is None:
            raise AttributeError(f"{self._path or 'this process'} has no symbol {name}")
        return ForeignFunction(name, address, self._symbols, self._gil)

    def __repr__(self) -> str:
        return f"<library {self._path or '(this process)'}, without a header>"
