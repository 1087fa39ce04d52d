"""Values of a kernel's thread that has stopped at a breakpoint, as Python has them: read from the software GPU's
memory, and written back.
"""

from __future__ import annotations

import collections
import struct
from collections.abc import Sequence
from typing import Any

from cuox._native import _pin_kernel_memory, _read_kernel_memory, _write_kernel_memory

from . import types


class NotShown:
    """A name of a kernel without a value in memory: a function, an array that cannot be read, a variable that has
    different types by the way taken.
    """

    def __init__(self, what: str) -> None:
        self.what = what

    def __repr__(self) -> str:
        return f"<{self.what}>"


class _Memory:
    # A piece of the device's memory for NumPy. It stays accessible as long as an array looks at it, also if it is freed
    # meanwhile.

    def __init__(self, address: int, size: int, *, read_only: bool) -> None:
        self._range: tuple[int, int] | None = None
        _pin_kernel_memory(address, size, True)
        self._range = (address, size)
        self.__array_interface__ = {
            "version": 3,
            "shape": (size,),
            "typestr": "|u1",
            "data": (address, read_only),
            "strides": None,
        }

    def __del__(self) -> None:
        if self._range is not None:
            _pin_kernel_memory(*self._range, False)


def _dtype(code: str) -> Any:
    import numpy as np

    # NumPy has no bfloat16: its bits.
    return np.dtype(np.uint16) if code == "bfloat16" else types.from_code(code).dtype


def _parts(code: str) -> tuple[str, list[str], str]:
    """The word of a type code, the parts in its brackets, and all of these."""
    word, _, rest = code.partition("(")
    return word, types.split_code(rest[:-1]), rest[:-1]


def _items(code: str) -> tuple[Any, list[str]]:
    """The class of a tuple, None for a plain one, and the codes of its items."""
    word, parts, inner = _parts(code)
    if word == "tuple":
        return None, [part for part in parts if part]
    name, _, fields = inner.partition(";")
    pairs = [field.partition(":") for field in types.split_code(fields)]
    return collections.namedtuple(name, [pair[0] for pair in pairs], rename=True), [pair[2] for pair in pairs]


def _size(code: str) -> tuple[int, int]:
    """Bytes and alignment of a variable of this type in CUDA C++."""
    word, parts, _ = _parts(code)
    if word in ("ptr", "record"):
        # A record is where it lies: the variable points there.
        return 8, 8
    if word == "array":
        return 8 + 8 * int(parts[1]) * (2 if parts[2] == "A" else 1), 8
    if word in ("tuple", "named"):
        return _layout(_items(code)[1])[1:]
    if word == "vector":
        item = _dtype(parts[0]).itemsize
        count = int(parts[1])
        return item * count, item if count in (1, 3) else min(item * count, 16)
    if code == "none":
        return 1, 1
    dtype = _dtype(code)
    return dtype.itemsize, {"unicode": 4, "char": 1}.get(
        word, dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    )


# The items of a tuple that are members of one structure; those behind them are a structure of their own.
_FLAT = 12


def _layout(codes: Sequence[str]) -> tuple[list[int], int, int]:
    """The offsets of a tuple's items, its bytes and its alignment: those of a structure in C."""
    offsets: list[int] = []
    size, align = 0, 1
    for code in codes[:_FLAT]:
        own, own_align = _size(code)
        offsets.append(-(-size // own_align) * own_align)
        size, align = offsets[-1] + own, max(align, own_align)
    if codes[_FLAT:]:
        inner, own, own_align = _layout(codes[_FLAT:])
        begin = -(-size // own_align) * own_align
        offsets += [begin + offset for offset in inner]
        size, align = begin + own, max(align, own_align)
    return offsets, max(-(-size // align) * align, 1), align


def read(code: str, address: int, shape: Sequence[int] | None = None) -> Any:
    """The value of a variable: a NumPy scalar, a tuple, an array or a record that looks at the device's memory."""
    import numpy as np

    word, parts, inner = _parts(code)
    if word in ("opaque", "str", "never"):
        return NotShown(inner or word)
    if code == "none":
        return None
    if word in ("tuple", "named"):
        kind, codes = _items(code)
        offsets = _layout(codes)[0]
        values = [read(one, address + offset) for one, offset in zip(codes, offsets, strict=True)]
        return tuple(values) if kind is None else kind(*values)
    data = _read_kernel_memory(address, _size(code)[0])
    if word == "ptr":
        return np.uint64(struct.unpack("<Q", data)[0])
    if word == "record":
        (at,) = struct.unpack("<Q", data)
        dtype = types.from_code(code).dtype
        return _view(at, (), None, np.dtype((np.record, dtype)), read_only=False)
    if word == "array":
        return _array(data, parts, shape)
    if word == "vector":
        return tuple(np.frombuffer(data, _dtype(parts[0]), int(parts[1])))
    if code == "bfloat16":
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)[0]
    return np.frombuffer(data, _dtype(code))[0]


def _array(data: bytes, parts: list[str], known: Sequence[int] | None) -> Any:
    element, ndim, layout = _dtype(parts[0]), int(parts[1]), parts[2]
    address, *words = struct.unpack(f"<{len(data) // 8}q", data)
    shape = tuple(words[:ndim])
    if known is not None:
        shape = tuple(known)
    if layout == "A":
        strides = tuple(words[ndim:])
    else:
        steps, step = [], element.itemsize
        for extent in reversed(shape) if layout == "C" else shape:
            steps.append(step)
            step *= extent
        strides = tuple(reversed(steps) if layout == "C" else steps)
    return _view(address, shape, strides, element, read_only=parts[3:] == ["ro"])


def _view(address: int, shape: tuple[int, ...], strides: tuple[int, ...] | None, dtype: Any, *, read_only: bool) -> Any:
    import numpy as np

    if any(extent < 0 for extent in shape) or address < 0:
        return NotShown("array without a value yet")
    if 0 in shape:
        return np.empty(shape, dtype)
    first = last = 0
    for extent, stride in zip(shape, strides or (), strict=True):
        reach = (extent - 1) * stride
        first, last = (first + reach, last) if reach < 0 else (first, last + reach)
    size = last - first + dtype.itemsize
    try:
        memory = np.asarray(_Memory(address + first, size, read_only=read_only))
    except (MemoryError, OverflowError):
        return NotShown(f"no memory of the device at {address:#x}")
    # A record as one of NumPy's, not as an array without dimensions.
    return (
        np.ndarray(shape, dtype, memory, -first, strides)[()]
        if strides is None
        else np.ndarray(shape, dtype, memory, -first, strides)
    )


def write(code: str, address: int, value: Any) -> None:
    """Give a variable a value. Raises TypeError or ValueError for what it cannot be."""
    import numpy as np

    word, parts, _ = _parts(code)
    if word in ("tuple", "named"):
        codes = _items(code)[1]
        items = tuple(value)
        if len(items) != len(codes):
            raise ValueError(f"expected {len(codes)} items, got {len(items)}")
        for one, offset, item in zip(codes, _layout(codes)[0], items, strict=True):
            write(one, address + offset, item)
        return
    if word == "record":
        view = read(code, address)
        if isinstance(view, NotShown):
            raise TypeError("the record cannot be written")
        new = np.zeros((), view.dtype)
        new[()] = value
        for name in view.dtype.names:
            view[name] = new[name]
        return
    if word == "array":
        raise TypeError("an array cannot be replaced by another: assign to its elements, a[:] = …")
    if word in ("opaque", "str", "never", "none"):
        raise TypeError("it cannot be assigned")
    if word == "vector":
        data = np.array(tuple(value), _dtype(parts[0]))
        if data.shape != (int(parts[1]),):
            raise ValueError(f"expected {parts[1]} items")
    elif code == "bfloat16":
        bits = np.array([value], np.float32).view(np.uint32).astype(np.uint64)
        # To nearest, ties to even; a NaN stays one.
        rounded = (bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)
        data = rounded.astype(np.uint16) if value == value else np.array([0x7FFF], np.uint16)
    elif word == "ptr":
        data = np.array([int(value)], np.uint64)
    else:
        dtype = _dtype(code)
        data = np.array([value]).astype(
            dtype, casting="unsafe" if np.can_cast(np.min_scalar_type(value), dtype, "same_kind") else "same_kind"
        )
        if dtype.kind in "iu" and int(data[0]) != value:
            raise ValueError(f"{value} does not fit into {code}")
    _write_kernel_memory(address, data.tobytes())
