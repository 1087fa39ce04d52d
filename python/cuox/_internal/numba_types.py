"""The types of Numba, where it is installed beside cuox, as type codes. Numba is not imported: its objects are known by
their classes."""

from __future__ import annotations

import importlib
from typing import Any

from . import type_codes


def code_of(value: Any) -> str | None:
    """The type code of one of Numba's types; None for any other object. Raises TypeError for types that kernels do not
    know.
    """
    classes = {base.__name__ for base in type(value).__mro__ if base.__module__.startswith("numba.")}
    return _code(value, classes) if "Type" in classes else None


def _code(value: Any, classes: set[str]) -> str:
    if "Literal" in classes:
        return _known(value.literal_type)
    if "Array" in classes:
        return f"array({_known(value.dtype)},{value.ndim},{value.layout}{'' if value.mutable else ',ro'})"
    if "BaseNamedTuple" in classes or "NamedTuple" in classes or "NamedUniTuple" in classes:
        fields = (f"{name}:{_known(kind)}" for name, kind in zip(value.fields, value.types, strict=True))
        return f"named({value.instance_class.__name__};{','.join(fields)})"
    if "BaseTuple" in classes:
        return f"tuple({','.join(map(_known, value.types))})"
    if "CPointer" in classes:
        return f"ptr({_known(value.dtype)})"
    if "NoneType" in classes:
        return "none"
    if classes & {"Number", "Boolean"}:
        return str(value.name)
    if classes & {"Record", "_NPDatetimeBase", "CharSeq", "UnicodeCharSeq"}:
        support = importlib.import_module("numba.np.numpy_support")
        return type_codes.of_dtype(support.as_dtype(value))
    raise TypeError(f"the type {value} is not one that kernels know")


def _known(value: Any) -> str:
    code = code_of(value)
    if code is None:
        raise TypeError(f"expected a type of Numba's, got {value!r}")
    return code
