"""Signatures of kernels, in all forms in which programs give them, as type codes."""

from __future__ import annotations

from typing import Any

from cuox._internal import numba_types

Codes = tuple[str, ...]


def code_of(given: Any) -> str:
    """The type code of a type: a type object, a NumPy class or dtype, a class of Python's, or its name."""
    code = getattr(given, "code", None)
    if isinstance(code, str):
        return code
    code = numba_types.code_of(given)
    if code is not None:
        return code
    if given is None:
        return "none"
    plain = (
        {int: "int64", float: "float64", bool: "bool", complex: "complex128"}.get(given)
        if isinstance(given, type)
        else None
    )
    if plain is not None:
        return plain
    import numpy as np

    from cuox._internal import type_codes

    return type_codes.of_dtype(np.dtype(given))


def read(given: Any) -> tuple[Codes, str | None]:
    """The types of a signature's arguments, and that of its result if it has one.

    given: `void(float32[:], int32)`, the same as text, a tuple of types, `"(float32[:], int32)"`. Raises TypeError,
    ValueError.
    """
    arguments = getattr(given, "args", None)
    if arguments is not None and hasattr(given, "return_type"):
        result = given.return_type
        return tuple(map(code_of, arguments)), None if result is None else code_of(result)
    if isinstance(given, str):
        from . import types

        return read(types.parse_signature(given))
    if isinstance(given, (tuple, list)):
        return tuple(map(code_of, given)), None
    raise TypeError(f"expected a signature such as 'void(float32[:], int32)', got {given!r}")
