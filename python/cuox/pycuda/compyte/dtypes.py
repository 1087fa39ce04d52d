"""Dtypes and C types: a registry of both, and a parser of C argument declarations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

__all__ = [
    "DTYPE_TO_NAME",
    "NAME_TO_DTYPE",
    "TYPE_REGISTRY",
    "DTypeRegistry",
    "TypeNameNotKnown",
    "dtype_to_ctype",
    "fill_registry_with_c99_complex_types",
    "fill_registry_with_c99_stdint_types",
    "fill_registry_with_c_types",
    "fill_registry_with_opencl_c_types",
    "get_or_register_dtype",
    "parse_c_arg_backend",
    "register_dtype",
]

_DType: TypeAlias = "np.dtype[Any]"
_Argument = TypeVar("_Argument")


class TypeNameNotKnown(RuntimeError):
    """A C type that no dtype is registered for."""


class DTypeRegistry:
    """A table of C type names and the dtypes that they have.

    `name_to_dtype` has every name, `dtype_to_name` the first name of each dtype; the text of a dtype is a key there
    too.
    """

    def __init__(self) -> None:
        self.dtype_to_name: dict[_DType | str, str] = {}
        self.name_to_dtype: dict[str, _DType] = {}

    def get_or_register_dtype(self, names: str | Sequence[str], dtype: DTypeLike | None = None) -> _DType:
        """Register C type names for a dtype, or look up the dtype that they are registered for.

        names: a C type's name, or several for the same type; the first is used in generated code.
        dtype: the dtype; None looks the names up.

        Returns the dtype that is registered: an equal one that was there before is kept. Raises TypeNameNotKnown if a
        name is looked up that is not registered, RuntimeError if a name is registered for another dtype, ValueError if
        names stand for different dtypes.
        """
        names = [names] if isinstance(names, str) else list(names)
        if not names:
            raise ValueError("get_or_register_dtype() needs at least one C type name")
        if dtype is None:
            return self._look_up(names)

        wanted = np.dtype(dtype)
        known = self.dtype_to_name.get(wanted)
        if known is not None:
            wanted = self.name_to_dtype[known]
        # All names are looked at before any is registered, so an error leaves the registry as it was.
        for name in names:
            present = self.name_to_dtype.get(name)
            if present is not None and present != wanted:
                raise RuntimeError(
                    f"C type {name!r} is already registered for dtype {present}; it cannot stand for {wanted} too"
                )
        for name in names:
            self.name_to_dtype.setdefault(name, wanted)
        self.dtype_to_name.setdefault(wanted, names[0])
        self.dtype_to_name.setdefault(str(wanted), names[0])
        return wanted

    def _look_up(self, names: Sequence[str]) -> _DType:
        for name in names:
            if name not in self.name_to_dtype:
                raise TypeNameNotKnown(
                    f"no dtype is registered for C type {name!r}; get_or_register_dtype({name!r}, dtype) registers one"
                )
        first = self.name_to_dtype[names[0]]
        for name in names:
            if self.name_to_dtype[name] != first:
                raise ValueError(
                    f"{names[0]!r} is {first}, {name!r} is {self.name_to_dtype[name]}: the names of one type were expected"
                )
        return first

    def dtype_to_ctype(self, dtype: DTypeLike) -> str:
        """Return the C type of a dtype. Raises ValueError if none is registered."""
        if dtype is None:
            raise ValueError("dtype may not be None")
        dtype = np.dtype(dtype)
        try:
            return self.dtype_to_name[dtype]
        except KeyError:
            raise ValueError(
                f"no C type is registered for dtype {dtype}; get_or_register_dtype(name, dtype) registers one"
            ) from None


def fill_registry_with_c_types(reg: DTypeRegistry, respect_windows: bool, include_bool: bool = True) -> None:
    """Register the arithmetic types of C and C++ as they are on 64-bit Linux.

    respect_windows: accepted for programs that pass it; `long` has 64 bits either way.
    include_bool: register `bool` too.
    """
    if include_bool:
        reg.get_or_register_dtype("bool", np.bool_)
    reg.get_or_register_dtype(["signed char", "char"], np.int8)
    reg.get_or_register_dtype("unsigned char", np.uint8)
    reg.get_or_register_dtype(_spellings("short", signed=True), np.int16)
    reg.get_or_register_dtype(_spellings("short", signed=False), np.uint16)
    reg.get_or_register_dtype(["int", "signed int", "signed"], np.int32)
    reg.get_or_register_dtype(["unsigned", "unsigned int"], np.uint32)
    # `long` comes first: it names the type in generated code.
    for integer in ("long", "long long"):
        reg.get_or_register_dtype(_spellings(integer, signed=True), np.int64)
        reg.get_or_register_dtype(_spellings(integer, signed=False), np.uint64)
    reg.get_or_register_dtype("float", np.float32)
    reg.get_or_register_dtype("double", np.float64)


def _spellings(integer: str, *, signed: bool) -> list[str]:
    """Return the ways to write an integer type of C, the plain one first."""
    if signed:
        return [integer, f"{integer} int", f"signed {integer}", f"signed {integer} int", f"{integer} signed int"]
    return [f"unsigned {integer}", f"unsigned {integer} int", f"{integer} unsigned int"]


def fill_registry_with_opencl_c_types(reg: DTypeRegistry) -> None:
    """Register the arithmetic types of OpenCL C."""
    reg.get_or_register_dtype(["char", "signed char"], np.int8)
    reg.get_or_register_dtype(["uchar", "unsigned char"], np.uint8)
    reg.get_or_register_dtype(_spellings("short", signed=True), np.int16)
    reg.get_or_register_dtype(["ushort", *_spellings("short", signed=False)], np.uint16)
    reg.get_or_register_dtype(["int", "signed int"], np.int32)
    reg.get_or_register_dtype(["uint", "unsigned", "unsigned int"], np.uint32)
    reg.get_or_register_dtype(_spellings("long", signed=True), np.int64)
    reg.get_or_register_dtype(["ulong", *_spellings("long", signed=False)], np.uint64)
    reg.get_or_register_dtype("intptr_t", np.intp)
    reg.get_or_register_dtype("uintptr_t", np.uintp)
    reg.get_or_register_dtype("float", np.float32)
    reg.get_or_register_dtype("double", np.float64)


def fill_registry_with_c99_stdint_types(reg: DTypeRegistry) -> None:
    """Register the types of `stdint.h`, with `bool`, `float` and `double`."""
    reg.get_or_register_dtype("bool", np.bool_)
    for bits in (8, 16, 32, 64):
        reg.get_or_register_dtype(f"int{bits}_t", f"int{bits}")
        reg.get_or_register_dtype(f"uint{bits}_t", f"uint{bits}")
    reg.get_or_register_dtype("uintptr_t", np.uintp)
    reg.get_or_register_dtype("float", np.float32)
    reg.get_or_register_dtype("double", np.float64)


def fill_registry_with_c99_complex_types(reg: DTypeRegistry) -> None:
    """Register the complex types of C99."""
    reg.get_or_register_dtype("float complex", np.complex64)
    reg.get_or_register_dtype("double complex", np.complex128)
    reg.get_or_register_dtype("long double complex", np.clongdouble)


TYPE_REGISTRY = DTypeRegistry()
DTYPE_TO_NAME = TYPE_REGISTRY.dtype_to_name
NAME_TO_DTYPE = TYPE_REGISTRY.name_to_dtype
dtype_to_ctype = TYPE_REGISTRY.dtype_to_ctype
get_or_register_dtype = TYPE_REGISTRY.get_or_register_dtype


def _fill_dtype_registry(respect_windows: bool, include_bool: bool = True) -> None:
    fill_registry_with_c_types(TYPE_REGISTRY, respect_windows, include_bool)


_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|restrict)\b")
# The stars, the name and the brackets at the end of a declaration.
_DECLARATOR = re.compile(r"(?P<stars>(?:\*\s*)*)(?P<name>[A-Za-z_]\w*)\s*(?P<brackets>(?:\[[ \d]*\]\s*)*)$", re.ASCII)


def parse_c_arg_backend(
    c_arg: str,
    scalar_arg_factory: Callable[[_DType, str], _Argument],
    vec_arg_factory: Callable[[_DType, str], _Argument],
    name_to_dtype: Callable[[str], _DType] | DTypeRegistry | None = None,
) -> _Argument:
    """Parse the declaration of one argument, such as `const float *x`.

    c_arg: the declaration; `const`, `volatile` and `restrict` are ignored.
    scalar_arg_factory, vec_arg_factory: called with the dtype and the name, for a scalar and for a pointer or an array.
    name_to_dtype: a registry, or a function that raises KeyError for unknown types; None is the global registry.

    Returns the argument that was made. Raises ValueError if the declaration cannot be parsed or its type is not known.
    """
    if isinstance(name_to_dtype, DTypeRegistry):
        look_up: Callable[[str], _DType] = name_to_dtype.name_to_dtype.__getitem__
    elif name_to_dtype is None:
        look_up = NAME_TO_DTYPE.__getitem__
    else:
        look_up = name_to_dtype

    text = _QUALIFIERS.sub(" ", c_arg).strip()
    declarator = _DECLARATOR.search(text)
    type_name = " ".join(text[: declarator.start()].split()) if declarator is not None else ""
    if declarator is None or not type_name:
        raise ValueError(f"{c_arg!r} is not the declaration of an argument; expected one such as 'float *x' or 'int n'")
    is_vector = bool(declarator["stars"] or declarator["brackets"])
    try:
        dtype = look_up(type_name)
    except KeyError:
        raise ValueError(
            f"unknown type {type_name!r} in {c_arg!r}; get_or_register_dtype({type_name!r}, dtype) registers it"
        ) from None
    return (vec_arg_factory if is_vector else scalar_arg_factory)(dtype, cast("str", declarator["name"]))


def register_dtype(dtype: DTypeLike, c_names: Sequence[str] | str, alias_ok: bool = False) -> None:
    """Register C type names for a dtype (deprecated: use `get_or_register_dtype`).

    alias_ok: permit names for a dtype that has one already; without it that raises RuntimeError.
    """
    import warnings

    warnings.warn("register_dtype is deprecated; use get_or_register_dtype instead", DeprecationWarning, stacklevel=2)
    known = TYPE_REGISTRY.dtype_to_name.get(np.dtype(dtype))
    if known is not None and not alias_ok:
        raise RuntimeError(
            f"dtype {np.dtype(dtype)} is already registered as {known!r}; alias_ok=True permits further names"
        )
    TYPE_REGISTRY.get_or_register_dtype(c_names, dtype)
