"""Types of items: numbers and structures, in Python, NumPy and CUDA C++."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import Any

import numpy as np

from cuox._internal import type_codes

from ._recent import Recent


class Item:
    """The type of an array's or iterator's items.

    dtype: NumPy's. code: the compiler's type code. cxx: the name in CUDA C++.
    """

    def __init__(self, dtype: np.dtype[Any], code: str, cxx: str) -> None:
        self.dtype, self.code, self.cxx = dtype, code, cxx

    @property
    def is_struct(self) -> bool:
        """True for structures."""
        return self.dtype.names is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"<items of {self.dtype}>"


def item_of(given: Any) -> Item:
    """The type of items for a dtype, a class of NumPy's, or a structure of `gpu_struct`. Raises TypeError for types
    that kernels do not know.
    """
    struct = getattr(given, "dtype", None) if hasattr(given, "_kernel_fields") else given
    name = getattr(given, "__name__", "Struct") if hasattr(given, "_kernel_fields") else "Struct"
    return _of_dtype(np.dtype(struct), name)


_known: Recent[Item] = Recent(1024)


def _of_dtype(dtype: np.dtype[Any], name: str = "Struct") -> Item:
    return _known.get((dtype, name)) or _known.put((dtype, name), _made(dtype, name))


def _made(dtype: np.dtype[Any], name: str) -> Item:
    if dtype.names is None:
        code = type_codes.of_dtype(dtype)
        if "(" in code:
            raise TypeError(f"items must be numbers or structures of numbers, got the dtype {dtype}")
        return Item(dtype, code, code)
    names = dtype.names
    if not dtype.isalignedstruct:
        aligned = np.dtype([(field, dtype.fields[field][0]) for field in names], align=True)  # type: ignore[index]
        if dtype != aligned:
            raise TypeError(f"the dtype {dtype} must be aligned as C structures are: np.dtype([…], align=True)")
        # It is equal, but for the alignment of the whole.
        dtype = aligned
    for field in names:
        if not field.isidentifier() or keyword.iskeyword(field):
            raise ValueError(f"field name {field!r} is not a valid Python identifier")
    fields = [(field, _of_dtype(dtype.fields[field][0])) for field in names]  # type: ignore[index]
    given = [dtype.fields[field][1] for field in names], dtype.itemsize  # type: ignore[index]
    if given != _layout([item.dtype for _, item in fields])[:2]:
        raise NotImplementedError(
            f"the dtype {dtype}: fields behind the twelfth are a structure of their own, which has another place here: put larger fields first"
        )
    listed = ",".join(f"{field}:{item.code}" for field, item in fields)
    return Item(dtype, f"named({name};{listed})", f"tuple<{', '.join(item.cxx for _, item in fields)}>")


# The items of the compiler's tuples that are members of one structure.
_FLAT = 12


def _layout(dtypes: list[np.dtype[Any]]) -> tuple[list[int], int, int]:
    """The offsets of a tuple's items in CUDA C++, its size and its alignment."""
    offsets: list[int] = []
    size, align = 0, 1
    for dtype in dtypes[:_FLAT]:
        offsets.append(-(-size // dtype.alignment) * dtype.alignment)
        size, align = offsets[-1] + dtype.itemsize, max(align, dtype.alignment)
    if dtypes[_FLAT:]:
        inner, inner_size, own = _layout(dtypes[_FLAT:])
        begin = -(-size // own) * own
        offsets += [begin + offset for offset in inner]
        size, align = begin + inner_size, max(align, own)
    return offsets, -(-size // align) * align, align


def check_unmasked(value: Any, what: str) -> None:
    """Raise TypeError for a masked array in place of a value: its element may be hidden."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{what} must not be a masked array, whose element may be hidden: pass array.filled(value), or array.data"
        )


def tuple_of(items: Iterable[Item]) -> Item:
    """The type of tuples of items, as `ZipIterator` has them."""
    given = list(items)
    dtype = np.dtype([(f"field_{index}", item.dtype) for index, item in enumerate(given)], align=True)
    return Item(
        dtype, f"tuple({','.join(item.code for item in given)})", f"tuple<{', '.join(item.cxx for item in given)}>"
    )


def item_of_code(code: str) -> Item:
    """The type of items for a type code, such as that of a function's result."""
    if code.startswith("tuple("):
        return tuple_of(item_of_code(part) for part in _parts(code[6:-1]))
    if code.startswith("named("):
        name, _, rest = code[6:-1].partition(";")
        fields = [part.partition(":")[::2] for part in _parts(rest)]
        dtype = np.dtype([(field, item_of_code(of).dtype) for field, of in fields], align=True)
        return _of_dtype(dtype, name)
    return item_of(np.dtype({"bfloat16": "V2"}.get(code, code)))


def _parts(text: str) -> list[str]:
    """The parts between commas that are not inside of brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]] if text else []
