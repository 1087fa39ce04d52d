"""Records of C in memory of NumPy's, with an attribute for each field."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, overload

import numpy as np

if TYPE_CHECKING:
    from typing import Self

LOWEST, HIGHEST = 4096, 1 << 47
"""Between these are the addresses at which a process may have memory."""


def layout(size: int, *fields: tuple[str, Any, int]) -> np.dtype[Any]:
    """Return the layout of a record of so many bytes: its fields with their formats and places."""
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({"names": list(names), "formats": list(formats), "offsets": list(offsets), "itemsize": size})


def _memory(address: int, size: int) -> Any:
    """The bytes at an address, as a buffer. Raises ValueError where no process has memory."""
    if address == 0:
        raise ValueError("ptr must not be null (0)")
    if not LOWEST <= address < HIGHEST:
        raise ValueError(f"ptr: {address:#x} is no address")
    return (ctypes.c_char * size).from_address(address)


class Record:
    """A record. Its memory is that of `ptr` as long as it lives."""

    _layout: np.dtype[Any]
    _version: int | None = None
    _data: np.ndarray[Any, Any]
    _owner: object = None
    # Arrays that pointers in the record lead to.
    _kept: dict[str, Any]

    def __init__(self) -> None:
        self._data = np.zeros(1, self._layout)
        self._kept = {}

    @classmethod
    def _view(cls, data: np.ndarray[Any, Any], owner: object = None) -> Self:
        made = cls.__new__(cls)
        made._data, made._owner, made._kept = data, owner, {}
        return made

    @property
    def ptr(self) -> int:
        """The address of the memory."""
        return int(self._data.ctypes.data)

    def __int__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {id(self):#x}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(self) is not type(other):
            return NotImplemented
        return self._data.tobytes() == other._data.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __buffer__(self, flags: int) -> memoryview:
        return self._data.data.cast("B") if self._data.flags.c_contiguous else self._data.data

    @classmethod
    def from_buffer(cls, buffer: Any) -> Self:
        """Return the record whose memory a buffer is. Raises ValueError if its size is another one."""
        found = np.frombuffer(buffer, np.uint8)
        if found.size != cls._layout.itemsize:
            raise ValueError(f"buffer length must be {cls._layout.itemsize} bytes")
        return cls._view(found.view(cls._layout), buffer)

    @classmethod
    def from_data(cls, data: np.ndarray[Any, Any]) -> Self:
        """Return the record whose memory an array of one element of its layout is. Raises TypeError or ValueError for
        another one.
        """
        return cls._view(cls._checked(data, 1))

    @classmethod
    def _checked(cls, data: np.ndarray[Any, Any], size: int | None) -> np.ndarray[Any, Any]:
        if not isinstance(data, np.ndarray):
            raise TypeError("data argument must be a NumPy ndarray")
        if data.ndim != 1:
            raise ValueError("data array must be 1D")
        if data.dtype != cls._layout:
            raise ValueError(f"data array must be of the layout of {cls.__name__}")
        if size is not None and data.size != size:
            raise ValueError(f"data array must have a size of {size}")
        return data.view(np.ndarray)

    @classmethod
    def from_ptr(cls, ptr: int, readonly: bool = False, owner: object = None) -> Self:
        """Return the record at an address: a copy, unless `owner`, which the record keeps, is given."""
        found = np.frombuffer(_memory(ptr, cls._layout.itemsize), cls._layout)
        if owner is None:
            found = found.copy()
        found.flags.writeable = not readonly
        return cls._view(found, owner)


class RecordArray(Record):
    """Records behind each other. If there is one, its fields are numbers, else they are arrays of numbers."""

    def __init__(self, size: int = 1) -> None:
        self._data = np.zeros(size, self._layout)
        self._kept = {}

    def __len__(self) -> int:
        return int(self._data.size)

    def __int__(self) -> int:
        if self._data.size > 1:
            raise TypeError("int(): expected one record; the address of several is .ptr")
        return self.ptr

    @overload
    def __getitem__(self, key: int | slice) -> Self: ...
    @overload
    def __getitem__(self, key: str) -> Any: ...
    def __getitem__(self, key: int | slice | str) -> Any:
        if isinstance(key, str):
            return self._data[key]
        if isinstance(key, slice):
            return self._view(self._data[key], self)
        if not -len(self) <= key < len(self):
            raise IndexError("index is out of bounds")
        key %= len(self)
        return self._view(self._data[key : key + 1], self)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._data[key] = value._data if isinstance(value, RecordArray) else value

    @classmethod
    def from_buffer(cls, buffer: Any) -> Self:
        """Return the records whose memory a buffer is."""
        return cls._view(np.frombuffer(buffer, cls._layout), buffer)

    @classmethod
    def from_data(cls, data: np.ndarray[Any, Any]) -> Self:
        """Return the records whose memory an array of their layout is. Raises TypeError or ValueError for another
        one.
        """
        return cls._view(cls._checked(data, None))

    @classmethod
    def from_ptr(cls, ptr: int, size: int = 1, readonly: bool = False) -> Self:  # type: ignore[override]
        """Return so many records at an address, whose memory has to last."""
        found = np.frombuffer(_memory(ptr, cls._layout.itemsize * size), cls._layout)
        found.flags.writeable = not readonly
        return cls._view(found)


class _Field:
    """An attribute that is a field."""

    key: str

    def __set_name__(self, owner: type, key: str) -> None:
        self.key = key

    def write(self, record: Record, value: Any) -> None:
        if not record._data.flags.writeable:
            raise ValueError(f"This {type(record).__name__} instance is read-only")
        record._data[self.key] = value


class Number(_Field):
    """A number."""

    def __get__(self, record: Record, owner: type) -> int:
        return int(record._data[self.key][0])

    def __set__(self, record: Record, value: int) -> None:
        self.write(record, value)


class Real(_Field):
    """A floating-point number."""

    def __get__(self, record: Record, owner: type) -> float:
        return float(record._data[self.key][0])

    def __set__(self, record: Record, value: float) -> None:
        self.write(record, value)


class Numbers(_Field):
    """A number of each record."""

    def __get__(self, record: RecordArray, owner: type) -> Any:
        found = record._data[self.key]
        return found[0].item() if found.size == 1 else found

    def __set__(self, record: RecordArray, value: Any) -> None:
        self.write(record, value)


class Text(_Field):
    """A text that ends with a zero byte: a `str`, of several records a list."""

    def __get__(self, record: Record, owner: type) -> Any:
        texts = [row.tobytes().partition(b"\0")[0].decode(errors="replace") for row in record._data[self.key]]
        return texts[0] if len(texts) == 1 else texts

    def __set__(self, record: Record, value: str) -> None:
        room = record._data.dtype[self.key].shape[0]
        encoded = value.encode()
        if len(encoded) >= room:
            raise ValueError(f"String too long for field {self.key}, max length is {room - 1}")
        self.write(record, np.frombuffer(encoded.ljust(room, b"\0"), np.int8))


class Array(_Field):
    """An array: a view of all of it, or of as much as another field says."""

    def __init__(self, count: str | None = None) -> None:
        self.count = count

    def __get__(self, record: Record, owner: type) -> Any:
        found = record._data[self.key]
        if isinstance(record, RecordArray):
            return found.view(np.recarray) if found.dtype.names else found
        return found[0] if self.count is None else found[0][: int(record._data[self.count][0])]

    def __set__(self, record: Record, value: Any) -> None:
        if self.count is None or isinstance(record, RecordArray):
            self.write(record, value)
            return
        room = record._data.dtype[self.key].shape[0]
        if len(value) > room:
            raise ValueError(f"Expected length <= {room} for field {self.key}, got {len(value)}")
        padded = np.zeros(room, record._data.dtype[self.key].base)
        padded[: len(value)] = value
        self.write(record, padded)
        record._data[self.count] = len(value)


class Part(_Field):
    """A record in a record."""

    def __init__(self, kind: type[Record]) -> None:
        self.kind = kind

    def __get__(self, record: Record, owner: type) -> Any:
        return self.kind._view(record._data[self.key], record)

    def __set__(self, record: Record, value: Record) -> None:
        self.write(record, value._data)


class Parts(_Field):
    """Records in a record: all, or as many as another field says."""

    def __init__(self, kind: type[Record], count: str | None) -> None:
        self.kind, self.count = kind, count

    def __get__(self, record: Record, owner: type) -> Any:
        found = record._data[self.key][0]
        return self.kind._view(found if self.count is None else found[: int(record._data[self.count][0])], record)

    def __set__(self, record: Record, value: Record) -> None:
        room = record._data.dtype[self.key].shape[0]
        if value._data.size > room:
            raise ValueError(f"Expected length <= {room} for field {self.key}, got {value._data.size}")
        if self.count is None and value._data.size != room:
            raise ValueError(f"Expected length {room} for field {self.key}, got {value._data.size}")
        if not record._data.flags.writeable:
            raise ValueError(f"This {type(record).__name__} instance is read-only")
        record._data[self.key][0][: value._data.size] = value._data
        if self.count is not None:
            record._data[self.count] = value._data.size


class Pointed(_Field):
    """A pointer to an array, whose length another field says. The record keeps what is assigned."""

    def __init__(self, kind: type[RecordArray] | str, count: str) -> None:
        self.kind, self.count = kind, count

    def __get__(self, record: Record, owner: type) -> Any:
        address, count = int(record._data[self.key][0]), int(record._data[self.count][0])
        if isinstance(self.kind, str):
            size = np.dtype(self.kind).itemsize
            return (
                np.frombuffer(_memory(address, count * size), self.kind)
                if address and count
                else np.zeros(0, self.kind)
            )
        return self.kind.from_ptr(address, count) if address and count else self.kind(0)

    def __set__(self, record: Record, value: Any) -> None:
        kept = value if isinstance(value, Record) else np.ascontiguousarray(value, str(self.kind))
        data = kept._data if isinstance(kept, Record) else kept
        self.write(record, data.ctypes.data if data.size else 0)
        record._data[self.count] = data.size
        record._kept[self.key] = kept
