"""SWIG's `%pointer_functions`, `%array_functions` and their classes, over ctypes: the memory is Python's, and bound
functions take it as a pointer.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from cuox_bind import _native

__all__ = ["array_class", "array_functions", "pointer_class", "pointer_functions", "with_contract"]

# Types of C by the words that they are written with, sorted.
_WORDS: dict[tuple[str, ...], Any] = {
    ("char",): ctypes.c_char,
    ("char", "signed"): ctypes.c_byte,
    ("char", "unsigned"): ctypes.c_ubyte,
    ("double",): ctypes.c_double,
    ("double", "long"): ctypes.c_longdouble,
    ("float",): ctypes.c_float,
    ("int",): ctypes.c_int,
    ("unsigned",): ctypes.c_uint,
    ("short",): ctypes.c_short,
    ("short", "unsigned"): ctypes.c_ushort,
    ("long",): ctypes.c_long,
    ("long", "unsigned"): ctypes.c_ulong,
    ("long", "long"): ctypes.c_longlong,
    ("long", "long", "unsigned"): ctypes.c_ulonglong,
    ("bool",): ctypes.c_bool,
    ("_Bool",): ctypes.c_bool,
    ("size_t",): ctypes.c_size_t,
    ("ssize_t",): ctypes.c_ssize_t,
    ("intptr_t",): ctypes.c_ssize_t,
    ("uintptr_t",): ctypes.c_size_t,
    **{
        (f"{sign}int{bits}_t",): getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)
    },
}


class _Elements:
    """Elements of a C type: how to make some, and how to read and write one."""

    def __init__(self, c_type: str, record: Callable[[str], Any]) -> None:
        words = tuple(sorted(word for word in c_type.split() if word not in ("const", "struct", "union")))
        if len(words) > 1:
            words = tuple(word for word in words if word != "int" and (word != "signed" or "char" in words)) or ("int",)
        self.c_type, self.record_class = c_type, record
        self.scalar: Any = ctypes.c_void_p if c_type.rstrip().endswith("*") else _WORDS.get(words)

    def make(self, count: int) -> Any:
        if count < 0:
            raise ValueError(f"expected a number of elements, got {count}")
        return (self.scalar * count)() if self.scalar is not None else self._class().array(count)

    def _class(self) -> Any:
        name = self.c_type.split()[-1]
        try:
            return self.record_class(name)
        except AttributeError:
            raise TypeError(
                f"no type '{self.c_type}' is bound: expected a number of C, a pointer or a record of the header"
            ) from None

    def at(self, memory: Any) -> Any:
        """The elements in memory that C gave, or that this has made."""
        if self.scalar is None:
            return memory.cast(self._class()) if hasattr(memory, "cast") else memory
        if isinstance(memory, (ctypes.Array, memoryview)):
            return memory
        address = memory if isinstance(memory, int) else int(memory)
        if not address:
            raise ValueError("the pointer is null")
        return ctypes.cast(address, ctypes.POINTER(self.scalar))

    def get(self, memory: Any, index: int) -> Any:
        if index < 0:
            raise IndexError(index)
        return self._pointed(self.at(memory)[index])

    def set(self, memory: Any, index: int, value: Any) -> None:
        if index < 0:
            raise IndexError(index)
        if self.scalar is ctypes.c_void_p and isinstance(value, _native.CValue):
            value = int(value) if isinstance(value, (_native.Pointer, _native.Handle)) else value.getPtr()
        self.at(memory)[index] = value

    def _pointed(self, value: Any) -> Any:
        """A pointer to a record of the header as that record."""
        words = self.c_type.replace("*", " * ").split()
        if self.scalar is not ctypes.c_void_p or not value or words.count("*") > 1:
            return value
        try:
            found = self.record_class(words[-2])
        except (AttributeError, IndexError):
            return value
        known = isinstance(found, type)
        if known and issubclass(found, _native.Record):
            return found.from_address(value)
        return found(value) if known and issubclass(found, _native.Handle) else value


def pointer_functions(c_type: str, record: Callable[[str], Any]) -> tuple[Callable[..., Any], ...]:
    """Return the functions that make a pointer to a value, copy a value, delete it, assign to it and read it."""
    of = _Elements(c_type, record)

    def new() -> Any:
        """Make room for a value, as a pointer."""
        return of.make(1)

    def copy(value: Any) -> Any:
        """Make a pointer to a copy of a value."""
        made = of.make(1)
        of.set(made, 0, value)
        return made

    def delete(pointer: Any) -> None:
        """Do nothing: Python frees the memory when it is no longer used."""

    def assign(pointer: Any, value: Any) -> None:
        """Set the value that a pointer points to."""
        of.set(pointer, 0, value)

    def value(pointer: Any) -> Any:
        """Return the value that a pointer points to."""
        return of.get(pointer, 0)

    return new, copy, delete, assign, value


def array_functions(c_type: str, record: Callable[[str], Any]) -> tuple[Callable[..., Any], ...]:
    """Return the functions that make an array, delete it, read an element and set one."""
    of = _Elements(c_type, record)

    def new(count: int) -> Any:
        """Make an array of zeros."""
        return of.make(count)

    def delete(array: Any) -> None:
        """Do nothing: Python frees the memory when it is no longer used."""

    def getitem(array: Any, index: int) -> Any:
        """Return an element. The index into memory of C's is not checked."""
        return of.get(array, index)

    def setitem(array: Any, index: int, value: Any) -> None:
        """Set an element. The index into memory of C's is not checked."""
        of.set(array, index, value)

    return new, delete, getitem, setitem


def _memory_class(of: _Elements, name: str, count: int, more: dict[str, Any]) -> Any:
    """A class of ctypes' arrays with a name of its own and SWIG's methods."""

    def cast(self: Any) -> Any:
        """Return the memory, for functions that take a pointer: they take the object itself too."""
        return self

    return type(name, (of.scalar * count,), {"cast": cast, "__doc__": f"{count} of {of.c_type}.", **more})


def array_class(c_type: str, name: str, record: Callable[[str], Any]) -> type:
    """Return a class of arrays: `Class(count)`; elements by index. `Class.frompointer(pointer)` are elements in memory
    of
    C's.

    Of records it makes arrays as `Record.array(count)` does.
    """
    of = _Elements(c_type, record)

    def new(_class: type, count: int) -> Any:
        made = of.make(count)
        return made if of.scalar is None else _memory_class(of, name, count, {"frompointer": staticmethod(of.at)})()

    doc = f"An array of {of.c_type}: {name}(count)."
    return type(name, (), {"__new__": new, "frompointer": staticmethod(of.at), "__doc__": doc})


def pointer_class(c_type: str, name: str, record: Callable[[str], Any]) -> type:
    """Return a class of pointers to one value: `assign(value)`, `value()`. `Class.frompointer(pointer)` is a value in
    memory of C's.
    """
    of = _Elements(c_type, record)

    def assign(self: Any, value: Any) -> None:
        """Set the value."""
        self[0] = value

    def value(self: Any) -> Any:
        """Return the value."""
        return self[0]

    def new(_class: type) -> Any:
        if of.scalar is None:
            raise TypeError(f"{name}: a record of the header is a pointer to itself: {of.c_type.split()[-1]}()")
        return _memory_class(of, name, 1, {"assign": assign, "value": value, "frompointer": staticmethod(of.at)})()

    return type(
        name, (), {"__new__": new, "frompointer": staticmethod(of.at), "__doc__": f"A pointer to one {of.c_type}."}
    )


def with_contract(
    function: Callable[..., Any], names: list[str], require: Callable[..., str | None] | None, ensure: Any
) -> Callable[..., Any]:
    """Return a function that raises RuntimeError if its arguments or its result do not meet conditions.

    `require` takes the arguments and `ensure` the arguments and the result; they return the condition that is not met.
    """

    def checked(*arguments: Any, **keywords: Any) -> Any:
        given = [*arguments, *(keywords[name] for name in names[len(arguments) :] if name in keywords)]
        if require is not None and (unmet := require(*given)) is not None:
            raise RuntimeError(unmet)
        result = function(*arguments, **keywords)
        if ensure is not None and (unmet := ensure(*given, result)) is not None:
            raise RuntimeError(unmet)
        return result

    checked.__name__, checked.__doc__ = getattr(function, "__name__", "checked"), function.__doc__
    return checked
