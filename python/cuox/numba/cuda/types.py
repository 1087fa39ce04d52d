"""Numba's type objects: `float32`, `float32[:, ::1]`, `void(float32[:], int32)`, `UniTuple(int64, 2)`.

Each has a `code`: the text by which the compiler of kernels knows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cuox._internal import type_codes


# What `from cuox.numba.cuda.types import *` gives: the types of numbers.
__all__ = [
    "b1", "bfloat16", "bool_", "boolean", "byte", "c16", "c8", "char", "complex128", "complex64", "double", "f2", "f4", "f8", "float16", "float32", "float64", "float_", "i1", "i2",
    "i4", "i8", "int16", "int32", "int64", "int8", "int_", "intc", "intp", "long_", "longlong", "none", "short", "size_t", "ssize_t", "u1", "u2", "u4", "u8", "uchar", "uint",
    "uint16", "uint32", "uint64", "uint8", "uintc", "uintp", "ulong", "ulonglong", "ushort", "void",
]  # fmt: skip


class Type:
    """A type of values in kernels."""

    def __init__(self, name: str, code: str | None = None) -> None:
        self.name = name
        # Without a code it is a type of the program's own, which kernels do not know.
        self.code = f"opaque({name})" if code is None else code

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
        """A signature with this result: `float32(float32, int32)`; of a number, the number as this type."""
        if len(args) == 1 and not isinstance(args[0], (Type, str, type, tuple)) and args[0] is not None:
            return self.cast_python_value(args[0])
        return Signature(self, tuple(args))

    def cast_python_value(self, value: Any) -> Any:
        """A number as NumPy's of this type."""
        return self.dtype.type(value)

    @property
    def dtype(self) -> Any:
        """The NumPy dtype. Raises TypeError if there is none."""
        import numpy as np

        found = _DTYPES.get(self.code)
        if found is None:
            raise TypeError(f"{self.name} has no NumPy dtype")
        return np.dtype(found)

    def __getitem__(self, key: Any) -> Array:
        """An array of this type: `float32[:]`, `float32[:, ::1]` in C's order, `float32[::1, :]` in Fortran's."""
        parts = key if isinstance(key, tuple) else (key,)
        for part in parts:
            if not isinstance(part, slice) or part.start is not None or part.stop is not None or part.step not in (None, 1):
                raise KeyError(f"{self.name}[...]: an array's dimensions are written `:`, or `::1` for the one without gaps")
        layout = "C" if parts[-1].step == 1 else "F" if parts[0].step == 1 else "A"
        if len(parts) == 1 and parts[0].step == 1:
            layout = "C"
        return Array(self, len(parts), layout)

    def __reduce__(self) -> Any:
        return (from_code, (self.code,))


class Number(Type):
    """A number."""

    @property
    def bitwidth(self) -> int:
        """Bits of the number."""
        return int(self.dtype.itemsize * 8)


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


class Array(Type):
    """An array: the type of its elements, the number of dimensions, the order ("C", "F", "A")."""

    def __init__(self, dtype: Any, ndim: int, layout: str, readonly: bool = False, name: str | None = None, aligned: bool = True) -> None:
        self._element = dtype
        self.ndim = ndim
        self.layout = "C" if layout == "F" and ndim <= 1 else layout
        self.mutable = not readonly
        shown = f"array({dtype.name}, {ndim}d, {self.layout})" if not readonly else f"Array({dtype.name}, {ndim}, {self.layout!r}, False, aligned=True)"
        super().__init__(name or shown, f"array({dtype.code},{ndim},{self.layout}{',ro' if readonly else ''})")
        self.aligned = aligned

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self._element

    @property
    def is_c_contig(self) -> bool:
        """True for C's order."""
        return self.layout == "C" or self.ndim <= 1 and self.layout in "CF"

    @property
    def is_f_contig(self) -> bool:
        """True for Fortran's order."""
        return self.layout == "F" or self.ndim <= 1 and self.layout in "CF"

    @property
    def is_contig(self) -> bool:
        """True if there are no gaps."""
        return self.layout in "CF"

    def copy(self, dtype: Any = None, ndim: int | None = None, layout: str | None = None, readonly: bool | None = None) -> Array:
        """The same with some of it replaced."""
        return Array(dtype or self.dtype, self.ndim if ndim is None else ndim, layout or self.layout, not self.mutable if readonly is None else readonly)


class BaseTuple(Type):
    """A tuple."""

    types: tuple[Any, ...] = ()

    def __iter__(self) -> Any:
        return iter(self.types)

    def __len__(self) -> int:
        return len(self.types)

    @property
    def count(self) -> int:
        """The number of items."""
        return len(self.types)


class Tuple(BaseTuple):
    """A tuple of items of several types."""

    def __new__(cls, types: Any = (), *args: Any) -> Any:
        types = tuple(types)
        if cls is Tuple and types and all(one == types[0] for one in types):
            return super().__new__(UniTuple)
        return super().__new__(cls)

    def __init__(self, types: Any) -> None:
        self.types = tuple(types)
        names = ", ".join(one.name for one in self.types)
        super().__init__(f"Tuple({names})", f"tuple({','.join(one.code for one in self.types)})")


class UniTuple(Tuple):
    """A tuple of `count` items of one type."""

    def __new__(cls, dtype: Any = None, count: int = 0) -> Any:
        return object.__new__(cls)

    def __init__(self, dtype: Any, count: int | None = None) -> None:
        items = tuple(dtype) if count is None else (dtype,) * count
        self.types = items
        name = f"UniTuple({items[0].name} x {len(items)})" if items else "Tuple()"
        Type.__init__(self, name, f"tuple({','.join(one.code for one in items)})")

    @property
    def dtype(self) -> Any:
        """The type of the items."""
        return self.types[0]


class NamedTuple(BaseTuple):
    """A named tuple of a class."""

    def __init__(self, types: Sequence[Any], cls: Any) -> None:
        self.types = tuple(types)
        self.instance_class = cls
        self.fields = tuple(cls._fields)
        items = ",".join(f"{name}:{one.code}" for name, one in zip(self.fields, self.types, strict=True))
        super().__init__(f"{cls.__name__}({', '.join(one.name for one in self.types)})", f"named({cls.__name__};{items})")


NamedUniTuple = NamedTuple


class Record(Type):
    """A record of a structured NumPy array."""

    def __init__(self, dtype: Any) -> None:
        import numpy as np

        self._dtype = np.dtype(dtype)
        fields = ", ".join(f"{name}[type={from_dtype(field[0])};offset={field[1]}]" for name, field in (self._dtype.fields or {}).items())
        super().__init__(f"Record({fields};{self._dtype.itemsize};{self._dtype.isalignedstruct})", type_codes.of_dtype(self._dtype))

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        return self._dtype

    @property
    def size(self) -> int:
        """Bytes of the record."""
        return int(self._dtype.itemsize)

    def typeof(self, name: str) -> Any:
        """The type of a field."""
        return from_dtype(self._dtype.fields[name][0])

    def offset(self, name: str) -> int:
        """Bytes from the record's begin to a field."""
        return int(self._dtype.fields[name][1])


class NestedArray(Array):
    """An array inside of a record."""

    def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
        self.shape = shape
        super().__init__(dtype, len(shape), "C", name=f"nestedarray({dtype.name}, {shape})")


class CPointer(Type):
    """A pointer."""

    def __init__(self, dtype: Any) -> None:
        self._to = dtype
        super().__init__(f"{dtype.name}*", f"ptr({dtype.code})")

    @property
    def dtype(self) -> Any:
        """The type that it points to."""
        return self._to


class NPDatetime(Type):
    """A date of NumPy's with its unit."""

    def __init__(self, unit: str = "") -> None:
        self.unit = unit
        super().__init__(f"datetime64[{unit}]", f"datetime64({unit})")

    @property
    def dtype(self) -> Any:
        """The NumPy dtype."""
        import numpy as np

        return np.dtype(f"M8[{self.unit}]" if self.unit else "M8")


class NPTimedelta(Type):
    """A time span of NumPy's with its unit."""

    def __init__(self, unit: str = "") -> None:
        self.unit = unit
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
        return f"({', '.join(map(repr, self.args))}) -> {self.return_type!r}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))


def _as_type(given: Any) -> Any:
    if isinstance(given, (tuple, list)):
        return Tuple([_as_type(one) for one in given])
    return given if isinstance(given, Type) or hasattr(given, "code") else from_code(_code_of(given))


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
char, uchar, short, ushort, int_, uint, intc, uintc, long_, ulong, longlong, ulonglong = int8, uint8, int16, uint16, int64, uint64, int32, uint32, int64, uint64, int64, uint64
intp, uintp, ssize_t, size_t, voidptr = int64, uint64, int64, uint64, uint64
grid_group = Opaque("GridGroup", "opaque(grid_group)")
dim3 = Opaque("Dim3", "tuple(int32,int32,int32)")

integer_domain = signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
real_domain = frozenset([float32, float64])
complex_domain = frozenset([complex64, complex128])
number_domain = signed_domain | unsigned_domain | real_domain | complex_domain

_DTYPES = {
    "bool": "?", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
    "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16",
}  # fmt: skip
_BY_CODE: dict[str, Type] = {one.code: one for one in [boolean, *sorted(number_domain, key=repr), float16, bfloat16, none]}


def from_dtype(dtype: Any) -> Any:
    """The type of a NumPy dtype. Raises TypeError for those that kernels do not know."""
    import numpy as np

    dtype = np.dtype(dtype)
    if dtype.subdtype is not None:
        return NestedArray(from_dtype(dtype.subdtype[0]), dtype.subdtype[1])
    if dtype.names is not None:
        return Record(dtype)
    return from_code(type_codes.of_dtype(dtype))


def from_code(code: str) -> Any:
    """The type of a type code."""
    known = _BY_CODE.get(code)
    if known is not None:
        return known
    word, _, rest = code.partition("(")
    inner = rest[:-1]
    if word == "array":
        parts = _split(inner)
        return Array(from_code(parts[0]), int(parts[1]), parts[2], parts[3:] == ["ro"])
    if word == "tuple":
        return Tuple([from_code(part) for part in _split(inner)])
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

        kind, count = _split(inner)
        return vector_types[f"{kind}x{count}"]
    return Type(code, code)


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]] if text else []


_WORD = re.compile(r"[A-Za-z_]\w*")


def parse_signature(text: str) -> Any:
    """A signature, a tuple of types or a type, as text: `"void(float32[:], int32)"`. Raises NameError for unknown names."""
    scope = {name: value for name, value in globals().items() if isinstance(value, Type) or isinstance(value, type) and issubclass(value, Type)}
    for word in _WORD.findall(text):
        if word not in scope:
            raise NameError(f"name {word!r} is no type, in the signature {text!r}")
    return eval(text, {"__builtins__": {}}, scope)


def typeof(value: Any) -> Any:
    """The type that a value has as an argument of a kernel."""
    from ._arguments import type_code

    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return NamedTuple([typeof(item) for item in value], type(value))
    dtype = getattr(value, "dtype", None)
    if dtype is not None and dtype.names is not None and not getattr(value, "ndim", 0):
        return Record(dtype)
    found = from_code(type_code(value))
    if isinstance(found, Array) and getattr(value, "dtype", None) is not None and value.dtype.names is not None:
        return Array(Record(value.dtype), found.ndim, found.layout, not found.mutable)
    return found


def unliteral(given: Any) -> Any:
    """The type itself: types of single values do not exist here."""
    return given


_INSIDES = {"Callable", "Dispatcher", "Dummy", "Function", "FunctionType", "Hashable", "Literal", "MemInfoPointer", "Module", "Optional", "Phantom", "PyObject"}


def __getattr__(name: str) -> Any:
    if name in _INSIDES:
        raise AttributeError(f"types.{name} belongs to Numba's own compiler; cuox has no such type: see docs/numba.md, Own types and functions")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
