"""Calls of the library: what C puts out through pointers is returned, and failures raise.

A call's codes are those of its parameters, separated by blanks: `P` a handle; `B` to `q` an integer as of the module
`struct`; `z` a text; `@` an address, or an object that has one as `ptr`; `*` and a code a place for such a number,
which is returned.
"""

from __future__ import annotations

import array
import ctypes
import operator
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar, overload

from cuox._internal import links

from . import errors
from .codes import Return
from .errors import FunctionNotFoundError, LibraryNotFoundError, raise_for
from .record import HIGHEST, LOWEST, Record, RecordArray

Addressed = Any
"""A record, or another object whose `ptr` is the address of what C takes; or the address."""

Made = TypeVar("Made", bound=Record)

_TYPES: dict[str, Any] = {
    "P": ctypes.c_void_p, "B": ctypes.c_uint8, "b": ctypes.c_int8, "H": ctypes.c_uint16, "h": ctypes.c_int16, "I": ctypes.c_uint32,
    "i": ctypes.c_int32, "Q": ctypes.c_uint64, "q": ctypes.c_int64, "f": ctypes.c_float, "d": ctypes.c_double,
}  # fmt: skip
# Bytes of the texts that functions write: the longest of the header is much shorter.
_TEXT = 4096

_NAME = links.MANAGEMENT
_opening = threading.Lock()


def _open() -> ctypes.CDLL:
    """NVIDIA's library where the device is a GPU, else that of the software GPU.

    No driver is asked which it is, as people ask NVML in processes that are not to use a GPU: without `CUOX_DEVICE` it
    is NVIDIA's library if that can be initialised.
    """
    asked = os.environ.get("CUOX_DEVICE", "")
    own = links.library(_NAME)
    if asked != "soft":
        try:
            found = ctypes.CDLL(_NAME)
        except OSError:
            found = None
        if found is not None and asked == "gpu":
            return found
        if found is not None and found.nvmlInit_v2() == 0:
            found.nvmlShutdown()
            return found
    if asked != "gpu" and own.is_file():
        return ctypes.CDLL(str(own))
    raise LibraryNotFoundError(Return.ERROR_LIBRARY_NOT_FOUND)


_opened: list[ctypes.CDLL] = []
_functions: dict[str, Callable[..., int]] = {}


def _library() -> ctypes.CDLL:
    with _opening:
        if not _opened:
            found = _open()
            text = found.nvmlErrorString
            text.argtypes, text.restype = [ctypes.c_int], ctypes.c_char_p
            errors.describe = lambda status: text(status).decode(errors="replace")
            _opened.append(found)
    return _opened[0]


def _function(symbol: str) -> Callable[..., int]:
    if symbol not in _functions:
        try:
            found = getattr(_library(), symbol)
        except AttributeError:
            raise FunctionNotFoundError(Return.ERROR_FUNCTION_NOT_FOUND) from None
        found.restype = ctypes.c_uint32
        _functions[symbol] = found
    return _functions[symbol]


def error_string(result: int) -> str:
    """The text of a code.

    `nvmlErrorString` of C.
    """
    _library()
    assert errors.describe is not None
    return errors.describe(int(result))


def check_status(status: int) -> int:
    """Raise the error of a status that is not that of success."""
    raise_for(int(status))
    return 0


def check_status_size(status: int) -> int:
    """The same, but for the status that says that there was too little room."""
    return 0 if status == Return.ERROR_INSUFFICIENT_SIZE else check_status(status)


def _number(value: Any, code: str) -> Any:
    """A number as C takes it. Raises TypeError or OverflowError for one that it does not."""
    kind = _TYPES[code]
    if code in "fd":
        return kind(value)
    number = operator.index(value)
    made = kind(number)
    if (made.value or 0) != number:
        raise OverflowError(f"{number} does not fit C's type of {8 * ctypes.sizeof(kind)} bits")
    return made


def _address(value: Addressed) -> ctypes.c_void_p:
    if value is None:
        return ctypes.c_void_p()
    address = value.ptr if hasattr(value, "ptr") else operator.index(value)
    if address != 0 and not LOWEST <= address < HIGHEST:
        raise ValueError(f"{address:#x} is no address")
    return ctypes.c_void_p(address)


def _text(value: Any) -> ctypes.c_char_p:
    if not isinstance(value, str):
        raise TypeError(f"expected a Python str, got {type(value).__name__}")
    return ctypes.c_char_p(value.encode())


def _run(symbol: str, codes: str, given: tuple[Any, ...], *more: Any) -> tuple[int, list[Any]]:
    """Call a function. Returns its status, and the numbers that it has put out."""
    passed: list[Any] = []
    places: list[Any] = []
    values = iter(given)
    for code in codes.split():
        if code[0] == "*":
            places.append(_TYPES[code[1]]())
            passed.append(ctypes.byref(places[-1]))
        elif code == "@":
            passed.append(_address(next(values)))
        elif code == "z":
            passed.append(_text(next(values)))
        else:
            passed.append(_number(next(values), code))
    status = _function(symbol)(*passed, *more)
    return status, [place.value or 0 for place in places]


def status_of(symbol: str, codes: str, *given: Any) -> int:
    """Call a function that puts nothing out, and return its status."""
    return _run(symbol, codes, given)[0]


def call(symbol: str, codes: str, *given: Any) -> None:
    """Call a function that puts nothing out."""
    raise_for(_run(symbol, codes, given)[0])


def _numbers(symbol: str, codes: str, given: tuple[Any, ...]) -> list[int]:
    status, found = _run(symbol, codes, given)
    raise_for(status)
    return found


def one(symbol: str, codes: str, *given: Any) -> int:
    """Call a function that puts one number out."""
    (found,) = _numbers(symbol, codes, given)
    return found


def two(symbol: str, codes: str, *given: Any) -> tuple[int, int]:
    """Call a function that puts two numbers out."""
    first, second = _numbers(symbol, codes, given)
    return first, second


def three(symbol: str, codes: str, *given: Any) -> tuple[int, int, int]:
    """Call a function that puts three numbers out."""
    first, second, third = _numbers(symbol, codes, given)
    return first, second, third


def four(symbol: str, codes: str, *given: Any) -> tuple[int, int, int, int]:
    """Call a function that puts four numbers out."""
    first, second, third, fourth = _numbers(symbol, codes, given)
    return first, second, third, fourth


def record(kind: type[Made], symbol: str, codes: str, *given: Any) -> Made:
    """Call a function whose last parameter is a record that it fills."""
    made = kind()
    if kind._version is not None:
        made._data["version"] = kind._version
    call(symbol, f"{codes} @", *given, made)
    return made


@overload
def listed(kind: type[Made], symbol: str, codes: str, *given: Any) -> Made: ...
@overload
def listed(kind: str, symbol: str, codes: str, *given: Any) -> array.array[int]: ...
def listed(kind: type[Made] | str, symbol: str, codes: str, *given: Any) -> Any:
    """Call a function whose last parameters are a count and an array: first for the count, then for the array."""
    count = ctypes.c_uint32(0)
    status, _ = _run(symbol, codes, given, ctypes.byref(count), ctypes.c_void_p())
    check_status_size(status)
    if isinstance(kind, str):
        element = ctypes.sizeof(_TYPES[kind])
        values = array.array("Q" if kind == "P" else kind, bytes(element * count.value))
        place, made = values.buffer_info()[0], values
    else:
        assert issubclass(kind, RecordArray)
        records = kind(count.value)
        place, made = records.ptr, records  # type: ignore[assignment]
    if count.value == 0:
        return made
    status, _ = _run(symbol, codes, given, ctypes.byref(count), ctypes.c_void_p(place))
    raise_for(status)
    return made[: count.value]


def text(symbol: str, codes: str, *given: Any) -> str:
    """Call a function whose last parameters are a text that it writes and the room for it."""
    room = ctypes.create_string_buffer(_TEXT)
    status, _ = _run(symbol, codes, given, room, ctypes.c_uint32(_TEXT))
    raise_for(status)
    return room.value.decode(errors="replace")


def text_of_size(symbol: str, codes: str, *given: Any) -> str:
    """Call a function whose last parameters are a text that it writes and a pointer to the room for it."""
    size = ctypes.c_uint32(_TEXT)
    room = ctypes.create_string_buffer(_TEXT)
    status, _ = _run(symbol, codes, given, room, ctypes.byref(size))
    raise_for(status)
    return room.value.decode(errors="replace")


def bits(count: int, symbol: str, codes: str, *given: Any) -> array.array[int]:
    """Call a function that fills so many words with bits; what follows them in C has the codes."""
    words = array.array("Q", bytes(8 * count))
    if count:
        device, *rest = given
        raise_for(_run(symbol, f"P I @ {codes}", (device, count, words.buffer_info()[0], *rest))[0])
    return words


class OneField:
    """A record of a version and one field, a number or a text, at a place."""

    def __init__(self, size: int, version: int, code: str, at: int) -> None:
        self.code, self.at = code, at
        self.memory = ctypes.create_string_buffer(size)
        ctypes.memmove(self.memory, version.to_bytes(4, "little"), 4)

    @property
    def ptr(self) -> int:
        return ctypes.addressof(self.memory)

    @property
    def value(self) -> Any:
        if self.code[0] == "s":
            return ctypes.string_at(self.ptr + self.at).decode(errors="replace")
        return _TYPES[self.code].from_address(self.ptr + self.at).value


def one_field(size: int, version: int, code: str, at: int, value: Any) -> OneField:
    """The record with a value."""
    made = OneField(size, version, code, at)
    if code[0] == "s":
        encoded = value.encode()
        if len(encoded) >= int(code[1:]):
            raise ValueError(f"expected a text of less than {code[1:]} bytes, got {len(encoded)}")
        ctypes.memmove(made.ptr + at, encoded, len(encoded))
    else:
        ctypes.memmove(made.ptr + at, bytes(_number(value, code)), ctypes.sizeof(_TYPES[code]))
    return made


def field_of(symbol: str, codes: str, size: int, version: int, code: str, at: int, *given: Any) -> Any:
    """Call a function that fills such a record, and return the field."""
    made = OneField(size, version, code, at)
    call(symbol, codes, *given, made)
    return made.value
