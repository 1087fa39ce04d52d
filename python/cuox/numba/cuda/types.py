"""Numba's type objects: `float32`, `float32[:, ::1]`, `void(float32[:], int32)`, `UniTuple(int64, 2)`.

Each has a `code`: the text by which the compiler of kernels knows it.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Sequence
from typing import Any

from cuox._internal import type_codes

# What `from cuox.numba.cuda.types import *` gives: the types of numbers.
__all__ = [
    "b1",
    "bfloat16",
    "bool_",
    "boolean",
    "byte",
    "c8",
    "c16",
    "char",
    "complex64",
    "complex128",
    "double",
    "f2",
    "f4",
    "f8",
    "float16",
    "float32",
    "float64",
    "float_",
    "i1",
    "i2",
    "i4",
    "i8",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "long_",
    "longlong",
    "none",
    "short",
    "size_t",
    "ssize_t",
    "u1",
    "u2",
    "u4",
    "u8",
    "uchar",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "ushort",
    "void",
]  # fmt: skip


class Type:
    """A type of values in kernels."""

    def __init__(self, name: str, code: str | None = None) -> None:
        self.name = name
        # Without a code it is a type of the program's own, which kernels do not know.
        self.code = f"opaque({name})" if code is None else code

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)

    @property
    def key(self) -> Any:
        """What tells the type from others."""
        return self.code

    def __call__(self, *args: Any) -> Any:
        """A signature with this result: `float32(float32, int32)`; of a number's type and one value, the value as this
        type.
        """
        if len(args) == 1 and self._casts and not _is_type(args[0]):
            return self.cast_python_value(args[0])
        return Signature(self, tuple(args))

    # True for types that are functions of one value, as in Python.
    _casts = False

    def cast_python_value(self, value: Any) -> Any:
        """A value as NumPy's of this type."""
        return self.dtype.type(value)

    @property
    def dtype(self) -> Any:
        """The NumPy dtype. Raises TypeError if there is none."""
        import numpy as np

        found = _DTYPES.get(self.code)
        if found is not None:
            return np.dtype(found)
        if self.code == "bfloat16":
            # NumPy has none; the package ml_dtypes adds it.
            try:
                return np.dtype(importlib.import_module("ml_dtypes").bfloat16)
            except ModuleNotFoundError:
                raise TypeError("NumPy has no bfloat16: install the package ml_dtypes") from None
        raise TypeError(f"{self.name} has no NumPy dtype")

    def __getitem__(self, key: Any) -> Any:
        """An array of this type: `float32[:]`, `float32[:, ::1]` in C's order, `float32[::1, :]` in Fortran's."""
        parts = key if isinstance(key, tuple) else (key,)
        for part in parts:
            if (
                not isinstance(part, slice)
                or part.start is not None
                or part.stop is not None
                or part.step not in (None, 1)
            ):
                raise KeyError(
                    f"{self.name}[...]: an array's dimensions are written `:`, or `::1` for the one without gaps"
                )
        gapless = [index for index, part in enumerate(parts) if part.step == 1]
        if any(index not in (0, len(parts) - 1) for index in gapless) or len(gapless) > 1:
            raise KeyError(
                f"{self.name}[...]: `::1` can be written once: for the last dimension (C's order) or the first (Fortran's)"
            )
        return Array(self, len(parts), "A" if not gapless else "C" if gapless == [len(parts) - 1] else "F")

    def __reduce__(self) -> Any:
        return (from_code, (self.code,))


class Number(Type):
    """A number."""

    _casts = True

    def __init__(self, name: str, code: str | None = None) -> None:
        super().__init__(name, code or name)

    @property
    def bitwidth(self) -> int:
        """Bits of the number."""
        return 16 if self.code == "bfloat16" else int(self.dtype.itemsize * 8)


class Integer(Number):
    """An integer."""

    @property
    def signed(self) -> bool:
        """True for signed ones."""
        return not self.code.startswith("u")

    @property
    def maxval(self) -> int:
        """The greatest value."""
        return int(2 ** (self.bitwidth - self.signed) - 1)

    @property
    def minval(self) -> int:
        """The least value."""
        return -int(2 ** (self.bitwidth - 1)) if self.signed else 0


class Boolean(Type):
    """A bool."""

    _casts = True

    def cast_python_value(self, value: Any) -> bool:
        """True or False, as Python says."""
        return bool(value)


class Float(Number):
    """A float."""


class Complex(Number):
    """A complex number."""

    @property
    def underlying_float(self) -> Any:
        """The type of its parts."""
        return float32 if self.bitwidth == 64 else float64


class NoneType(Type):
    """`None`, and the result of what returns nothing."""


class Opaque(Type):
    """A type that only functions take."""

    def __reduce__(self) -> Any:
        return (Opaque, (self.name, self.code))


class Array(Type):
    """An array: the type of its elements, the number of dimensions, the order ("C", "F", "A")."""

    def __init__(
        self, dtype: Any, ndim: int, layout: str, readonly: bool = False, name: str | None = None, aligned: bool = True
    ) -> None:
        if isinstance(dtype, Array) and not isinstance(dtype, NestedArray):
            raise TypeError(f"an array's elements cannot be arrays, got {dtype.name}: give it more dimensions")
        if layout not in ("C", "F", "A"):
            raise ValueError(f"layout of an array must be 'C', 'F' or 'A', got {layout!r}")
        self._element = dtype
        self.ndim = ndim
        self.layout = "C" if layout == "F" and ndim <= 1 else layout
        self.mutable = not readonly
        shown = f"{'readonly ' if readonly else ''}array({dtype.name}, {ndim}d, {self.layout})"
        super().__init__(name or shown, f"array({dtype.code},{ndim},{self.layout}{',ro' if readonly else ''})")
        self.aligned = aligned

    def __repr__(self) -> str:
        return f"Array({self.dtype!r}, {self.ndim}, {self.layout!r}, {not self.mutable}, aligned={self.aligned})"

    def __reduce__(self) -> Any:
        return (Array, (self.dtype, self.ndim, self.layout, self.readonly, None, self.aligned))

    @property
    def readonly(self) -> bool:
        """True if kernels cannot store into it."""
        return not self.mutable

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self._element

    @property
    def is_c_contig(self) -> bool:
        """True for C's order."""
        return self.layout == "C" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_f_contig(self) -> bool:
        """True for Fortran's order."""
        return self.layout == "F" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_contig(self) -> bool:
        """True if there are no gaps."""
        return self.layout in "CF"

    def copy(
        self, dtype: Any = None, ndim: int | None = None, layout: str | None = None, readonly: bool | None = None
    ) -> Array:
        """The same with some of it replaced."""
        return Array(
            dtype or self.dtype,
            self.ndim if ndim is None else ndim,
            layout or self.layout,
            not self.mutable if readonly is None else readonly,
        )


class BaseTuple(Type):
    """A tuple."""

    types: tuple[Any, ...] = ()

    def __iter__(self) -> Any:
        return iter(self.types)

    def __len__(self) -> int:
        return len(self.types)

    def __getitem__(self, index: Any) -> Any:
        """The type of an item, or a tuple of those of some."""
        return self.types[index]

    @property
    def count(self) -> int:
        """The number of items."""
        return len(self.types)


class Tuple(BaseTuple):
    """A tuple of items of several types. Of one type: `UniTuple`."""

    def __new__(cls, types: Any = ()) -> Any:
        types = _types_of_items(types)
        if types and all(one == types[0] for one in types):
            return UniTuple(types[0], len(types))
        return super().__new__(cls)

    def __init__(self, types: Any = ()) -> None:
        self.types = _types_of_items(types)
        names = ", ".join(one.name for one in self.types)
        super().__init__(f"Tuple({names})", f"tuple({','.join(one.code for one in self.types)})")

    def __repr__(self) -> str:
        return f"Tuple({self.types!r})"

    def __reduce__(self) -> Any:
        return (Tuple, (self.types,))


class UniTuple(BaseTuple):
    """A tuple of a number of items of one type."""

    def __init__(self, dtype: Any, count: int) -> None:
        self._item = _as_type(dtype)
        self.types = (self._item,) * count
        super().__init__(f"UniTuple({self._item.name} x {count})", f"tuple({','.join([self._item.code] * count)})")

    def __repr__(self) -> str:
        return f"UniTuple({self._item!r}, {self.count})"

    def __reduce__(self) -> Any:
        return (UniTuple, (self._item, self.count))

    @property
    def dtype(self) -> Any:
        """The type of the items."""
        return self._item


class NamedTuple(BaseTuple):
    """A named tuple of a class."""

    def __init__(self, types: Sequence[Any], cls: Any) -> None:
        self.types = _types_of_items(types)
        self.instance_class = cls
        self.fields = tuple(cls._fields)
        if len(self.fields) != len(self.types):
            raise TypeError(f"{cls.__name__} has {len(self.fields)} fields, got {len(self.types)} types")
        items = ",".join(f"{name}:{one.code}" for name, one in zip(self.fields, self.types, strict=True))
        super().__init__(
            f"{cls.__name__}({', '.join(one.name for one in self.types)})", f"named({cls.__name__};{items})"
        )

    def __reduce__(self) -> Any:
        return (NamedTuple, (self.types, self.instance_class))


class NamedUniTuple(NamedTuple):
    """A named tuple of a class whose items are all of one type."""

    def __init__(self, dtype: Any, count: int, cls: Any) -> None:
        super().__init__((dtype,) * count, cls)
        self._item = _as_type(dtype)
        self.name = f"{cls.__name__}({self._item.name} x {count})"

    def __reduce__(self) -> Any:
        return (NamedUniTuple, (self._item, self.count, self.instance_class))

    @property
    def dtype(self) -> Any:
        """The type of the items."""
        return self._item


def _types_of_items(types: Any) -> tuple[Any, ...]:
    if isinstance(types, Type) and not isinstance(types, BaseTuple):
        raise TypeError(f"expected a sequence of types, got {types.name}")
    return tuple(_as_type(one) for one in types)


class Record(Type):
    """A record of a structured NumPy array.

    fields: a NumPy dtype, or pairs of a name and a dict with `type` and `offset`, followed by the record's size in
    bytes and whether it is aligned as a struct of C's. `from_dtype` makes records too.
    """

    def __init__(self, fields: Any, size: int | None = None, aligned: bool = False) -> None:
        import numpy as np

        if size is None:
            self._dtype = np.dtype(fields)
        else:
            pairs = list(fields.items() if isinstance(fields, dict) else fields)
            layout: Any = {
                "names": [name for name, _ in pairs],
                "formats": [as_dtype(one["type"]) for _, one in pairs],
                "offsets": [one["offset"] for _, one in pairs],
            }
            layout["itemsize"] = size
            self._dtype = np.dtype(layout, align=aligned)
        if self._dtype.names is None:
            raise TypeError(f"expected a structured dtype, got {self._dtype}")
        shown = ",".join(f"{name}[type={one};offset={self.offset(name)}]" for name, one in self.members)
        super().__init__(f"Record({shown};{self.size};{self.aligned})", type_codes.of_dtype(self._dtype))

    def __repr__(self) -> str:
        shown = ", ".join(
            f"({name!r}, {{'type': {one!r}, 'offset': {self.offset(name)}}})" for name, one in self.members
        )
        return f"Record([{shown}], {self.size}, {self.aligned})"

    def __reduce__(self) -> Any:
        return (Record, (self._dtype,))

    def __len__(self) -> int:
        return len(self._dtype.names)

    @staticmethod
    def make_c_struct(name_types: Sequence[tuple[str, Any]]) -> Record:
        """A record whose fields lie as in a struct of C's."""
        import numpy as np

        return Record(np.dtype([(name, as_dtype(one)) for name, one in name_types], align=True))

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        return self._dtype

    @property
    def size(self) -> int:
        """Bytes of the record."""
        return int(self._dtype.itemsize)

    @property
    def aligned(self) -> bool:
        """True if the fields lie as in a struct of C's."""
        return bool(self._dtype.isalignedstruct)

    @property
    def members(self) -> list[tuple[str, Any]]:
        """Names and types of the fields, in their order."""
        return [(name, self.typeof(name)) for name in self._dtype.names]

    def typeof(self, name: str) -> Any:
        """The type of a field."""
        return from_dtype(self._dtype.fields[name][0])

    def offset(self, name: str) -> int:
        """Bytes from the record's begin to a field."""
        return int(self._dtype.fields[name][1])


class NestedArray(Array):
    """An array inside of a record."""

    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        self.shape = tuple(shape)
        super().__init__(dtype, len(self.shape), "C", name=f"nestedarray({dtype.name}, {self.shape})")

    def __repr__(self) -> str:
        return f"NestedArray({self.dtype!r}, {self.shape})"

    # As argument types they are arrays of any shape; as types of fields they differ by it.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, NestedArray) and (self.dtype, self.shape) == (other.dtype, other.shape)

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape))

    def __reduce__(self) -> Any:
        return (NestedArray, (self.dtype, self.shape))

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self.size * self.dtype.dtype.itemsize)


class CPointer(Type):
    """A pointer."""

    def __init__(self, dtype: Any) -> None:
        self._to = dtype
        super().__init__(f"{dtype.name}*", f"ptr({dtype.code})")

    @property
    def dtype(self) -> Any:
        """The type that it points to."""
        return self._to


def _checked_unit(unit: str) -> str:
    if not re.fullmatch(r"|\d*(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)", unit):
        raise ValueError(f"expected a unit of NumPy's dates such as 's' or '25ms', got {unit!r}")
    return unit


class NPDatetime(Type):
    """A date of NumPy's with its unit."""

    def __init__(self, unit: str = "") -> None:
        self.unit = _checked_unit(unit)
        super().__init__(f"datetime64[{unit}]", f"datetime64({unit})")

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        import numpy as np

        return np.dtype(f"M8[{self.unit}]" if self.unit else "M8")


class NPTimedelta(Type):
    """A time span of NumPy's with its unit."""

    def __init__(self, unit: str = "") -> None:
        self.unit = _checked_unit(unit)
        super().__init__(f"timedelta64[{unit}]", f"timedelta64({unit})")

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        import numpy as np

        return np.dtype(f"m8[{self.unit}]" if self.unit else "m8")


class CharSeq(Type):
    """A NumPy string of bytes."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"[char x {count}]", f"char({count})")

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        import numpy as np

        return np.dtype(f"S{self.count}")


class UnicodeCharSeq(CharSeq):
    """A NumPy string of characters."""

    def __init__(self, count: int) -> None:
        self.count = count
        Type.__init__(self, f"[unichr x {count}]", f"unicode({count})")

    def __repr__(self) -> str:
        return f"UnicodeCharSeq({self.count})"

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        import numpy as np

        return np.dtype(f"U{self.count}")


class Signature:
    """The types of a function's arguments and of its result."""

    def __init__(self, return_type: Any, args: tuple[Any, ...]) -> None:
        self.return_type = return_type
        self.args = tuple(_as_type(arg) for arg in args)

    def __repr__(self) -> str:
        return f"{self.args!r} -> {self.return_type}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))


def _is_type(given: Any) -> bool:
    # Strings are values: types as text stand in signatures that are text as a whole.
    return (
        given is None or isinstance(given, (Type, type, tuple, list)) or isinstance(getattr(given, "code", None), str)
    )


def _as_type(given: Any) -> Any:
    if isinstance(given, (tuple, list)):
        return Tuple([_as_type(one) for one in given])
    if isinstance(given, Type) or hasattr(given, "code"):
        return given
    try:
        return from_code(_code_of(given))
    except TypeError:
        raise TypeError(f"expected a type of cuox.numba.types, got {given!r}") from None


def _code_of(given: Any) -> str:
    from ._signatures import code_of

    return code_of(given)


boolean = bool_ = b1 = Boolean("bool", "bool")
int8, int16, int32, int64 = (Integer(f"int{bits}", f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (Integer(f"uint{bits}", f"uint{bits}") for bits in (8, 16, 32, 64))
float16, float32, float64 = (Float(f"float{bits}", f"float{bits}") for bits in (16, 32, 64))
bfloat16 = Float("__nv_bfloat16", "bfloat16")
complex64, complex128 = (Complex(f"complex{bits}", f"complex{bits}") for bits in (64, 128))
void = none = NoneType("none", "none")

byte = uint8
i1, i2, i4, i8 = int8, int16, int32, int64
u1, u2, u4, u8 = uint8, uint16, uint32, uint64
f2, f4, f8 = float16, float32, float64
c8, c16 = complex64, complex128
float_, double = float32, float64
char, uchar, short, ushort, int_, uint, intc, uintc, long_, ulong, longlong, ulonglong = (
    int8,
    uint8,
    int16,
    uint16,
    int64,
    uint64,
    int32,
    uint32,
    int64,
    uint64,
    int64,
    uint64,
)
intp, uintp, ssize_t, size_t = int64, uint64, int64, uint64
voidptr = Opaque("void*", "uint64")
# The peer tells Python's numbers from NumPy's in names only.
py_bool, py_int, py_float, py_complex = boolean, int64, float64, complex128
np_bool_, np_float16, np_float32, np_float64, np_complex64, np_complex128 = (
    boolean,
    float16,
    float32,
    float64,
    complex64,
    complex128,
)
np_int8, np_int16, np_int32, np_int64, np_uint8, np_uint16, np_uint32, np_uint64 = (
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
np_intp, np_uintp, np_intc, np_uintc = int64, uint64, int32, uint32
grid_group = Opaque("GridGroup", "opaque(grid_group)")
dim3 = Opaque("Dim3", "tuple(int32,int32,int32)")

signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset([float32, float64])
complex_domain = frozenset([complex64, complex128])
number_domain = integer_domain | real_domain | complex_domain

_DTYPES = {
    "bool": "?", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
    "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16",
}  # fmt: skip
_BY_CODE: dict[str, Type] = {
    one.code: one for one in [boolean, *sorted(number_domain, key=repr), float16, bfloat16, none]
}


def from_dtype(dtype: Any) -> Any:
    """The type of a NumPy dtype. Raises TypeError for those that kernels do not know."""
    import numpy as np

    dtype = np.dtype(dtype)
    if dtype.subdtype is not None:
        return NestedArray(from_dtype(dtype.subdtype[0]), dtype.subdtype[1])
    if dtype.names is not None:
        return Record(dtype)
    return from_code(type_codes.of_dtype(dtype))


def as_dtype(given: Any) -> Any:
    """The NumPy dtype of a type. Raises TypeError for types that no element of an array has."""
    import numpy as np

    if isinstance(given, NestedArray):
        return np.dtype((as_dtype(given.dtype), given.shape))
    if isinstance(given, (Array, BaseTuple, CPointer)):
        raise TypeError(f"{given.name} has no NumPy dtype")
    return given.dtype


def from_code(code: str) -> Any:
    """The type of a type code."""
    known = _BY_CODE.get(code)
    if known is not None:
        return known
    word, _, rest = code.partition("(")
    inner = rest[:-1]
    if word == "array":
        parts = split_code(inner)
        return Array(from_code(parts[0]), int(parts[1]), parts[2], parts[3:] == ["ro"])
    if word == "tuple":
        return Tuple([from_code(part) for part in split_code(inner)])
    if word == "ptr":
        return CPointer(from_code(inner))
    if word == "datetime64":
        return NPDatetime(inner)
    if word == "timedelta64":
        return NPTimedelta(inner)
    if word == "char":
        return CharSeq(int(inner))
    if word == "unicode":
        return UnicodeCharSeq(int(inner))
    if word == "vector":
        from .vector_types import vector_types

        kind, count = split_code(inner)
        return vector_types[f"{kind}x{count}"]
    if word == "record":
        return _record(code, inner)
    return Type(code, code)


def _record(code: str, inner: str) -> Any:
    # The dtype of a record's code: of its two layouts, free and as in C, the one that has the code.
    import numpy as np

    sizes, _, fields = inner.partition(";")
    names, formats, offsets = [], [], []
    for field in split_code(fields):
        name, offset, one = field.split(":", 2)
        shape: tuple[int, ...] = ()
        if one.startswith("nested("):
            one, extents = one[len("nested(") : -1].rsplit(",", 1)
            shape = tuple(map(int, extents.split("x")))
        names.append(name)
        formats.append((from_code(one).dtype, shape))
        offsets.append(int(offset))
    for align in (False, True):
        try:
            found = Record(
                np.dtype(
                    {"names": names, "formats": formats, "offsets": offsets, "itemsize": int(sizes.split(",")[0])},
                    align=align,
                )
            )
        except ValueError:
            continue
        if found.code == code:
            return found
    return Type(code, code)


def split_code(text: str) -> list[str]:
    """The parts of a type code's text between its brackets."""
    parts, depth, start = [], 0, 0
    for index, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]] if text else []


_WORD = re.compile(r"[A-Za-z_]\w*")


def parse_signature(text: str) -> Any:
    """A signature, a tuple of types or a type, as text: `"void(float32[:], int32)"`. Raises NameError for unknown
    names.
    """
    scope = {
        name: value
        for name, value in globals().items()
        if isinstance(value, Type) or (isinstance(value, type) and issubclass(value, Type))
    }
    for word in _WORD.findall(text):
        if word not in scope:
            raise NameError(f"name {word!r} is no type, in the signature {text!r}")
    return eval(text, {"__builtins__": {}}, scope)


def typeof(value: Any) -> Any:
    """The type that a value has as an argument of a kernel. Raises ValueError for values that kernels do not take."""
    from ._arguments import type_code

    if isinstance(value, type):
        raise ValueError(f"a kernel cannot take classes as arguments, got {value.__name__}; it can name them")
    if isinstance(value, tuple):
        items = [typeof(item) for item in value]
        if not hasattr(value, "_fields"):
            return Tuple(items)
        if items and all(one == items[0] for one in items):
            return NamedUniTuple(items[0], len(items), type(value))
        return NamedTuple(items, type(value))
    dtype = getattr(value, "dtype", None)
    names = getattr(dtype, "names", None)
    if names is not None and not getattr(value, "shape", ()) and not hasattr(value, "__array_finalize__"):
        return Record(dtype)
    try:
        found = from_code(type_code(value))
    except (TypeError, OverflowError) as error:
        raise ValueError(str(error)) from None
    if isinstance(found, Array) and names is not None:
        return Array(Record(dtype), found.ndim, found.layout, not found.mutable)
    return found


def unliteral(given: Any) -> Any:
    """The type itself: types of single values do not exist here."""
    return given


_INSIDES = frozenset(
    """
    Buffer ByteArray Bytes Callable ClassDataType ClassInstanceType ClassType DType DeferredType DictType Dispatcher Dummy EllipsisType EnumClass EnumMember
    EphemeralArray EphemeralPointer ExternalFunction ExternalFunctionPointer Function FunctionPrototype FunctionType Generator Hashable IntEnumClass
    IntEnumMember IntegerLiteral Iterable IterableType IteratorType List ListType Literal LiteralList MakeFunctionLiteral MemInfoPointer MemoryView Module
    NumberClass ObjModeDispatcher Omitted Optional Phantom Poison PyObject RangeType RecursiveCall Sequence Set SetType SliceType StringLiteral StructRef
    TypeRef UndefinedFunctionType UnicodeType UnionType VarArg WeakType BooleanLiteral SliceLiteral
    abstract containers deferred_type ellipsis ext_types ffi_forced_object function_type functions iterators literal maybe_literal misc npytypes optional
    pyfunc_type pyobject range_iter32_type range_iter64_type range_state32_type range_state64_type scalars slice2_type slice3_type string undefined
    unicode_type unknown unsigned_range_iter64_type unsigned_range_state64_type
""".split()
)


def __getattr__(name: str) -> Any:
    if name in _INSIDES:
        raise AttributeError(
            f"types.{name} belongs to Numba's own compiler; cuox has no such type: see docs/numba.md, Own types and own functions"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
