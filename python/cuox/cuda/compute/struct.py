"""`gpu_struct`: structures of numbers as items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import numpy as np


class _Struct:
    """The base of structures of `gpu_struct`: values on the host. In operators they are made and read in the same
    way."""

    dtype: np.dtype[Any]
    _record: np.ndarray[Any, Any]
    # Read by the compiler of kernels: the class makes a named tuple there.
    _kernel_fields: dict[str, Any]

    def __init__(self, *args: Any, **fields: Any) -> None:
        names = list(self._kernel_fields)
        if len(args) == 1 and isinstance(args[0], Mapping) and not fields:
            fields, args = dict(args[0]), ()
        if len(args) > len(names) or set(fields) != set(names[len(args) :]):
            raise TypeError(
                f"{type(self).__name__} takes the fields {', '.join(names)}; got {len(args)} by position and {', '.join(fields) or 'none'} by name"
            )
        fields.update(zip(names, args, strict=False))
        given = {name: _value(self._kernel_fields[name], fields[name]) for name in names}
        self.__dict__.update(given, _record=None)
        self.__dict__["_record"] = np.array(self._items(), self.dtype)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name}: structures do not change; make another one")

    def _items(self) -> tuple[Any, ...]:
        return tuple(
            value._items() if isinstance(value, _Struct) else value
            for value in (getattr(self, name) for name in self._kernel_fields)
        )

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self._record.__array_interface__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._kernel_fields)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Struct) and self._items() == other._items()

    def __hash__(self) -> int:
        return hash(self._items())


def _value(kind: Any, value: Any) -> Any:
    if not _is_struct(kind):
        return np.dtype(kind).type(value)
    if isinstance(value, _Struct):
        return value
    return kind(**value) if isinstance(value, Mapping) else kind(*value)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, _Struct)


def gpu_struct(fields: Any, name: str = "AnonymousStruct") -> type[_Struct]:
    """Make a class of structures.

    fields: a dict of names and types, a dtype of records, or a class with annotations, for which this is a decorator. A
    type is NumPy's, or again a structure or a dict. name: the class's name.

    Its `dtype` is that of arrays of such items. Raises ValueError for names that are no identifiers, TypeError for
    other fields.
    """
    own: dict[str, Any] = {}
    if isinstance(fields, np.dtype):
        fields = {} if fields.fields is None else {field: entry[0] for field, entry in fields.fields.items()}
    elif isinstance(fields, type) and hasattr(fields, "__annotations__"):
        name, given = fields.__name__, fields
        fields = get_type_hints(given)
        defaults = [field for field in fields if field in vars(given)]
        if defaults:
            raise TypeError(f"gpu_struct: {name}.{defaults[0]} has a default, which structures of kernels do not have")
        own = {
            key: value
            for key, value in vars(given).items()
            if key not in ("__dict__", "__weakref__", "__annotations__")
        }
    if not isinstance(fields, Mapping):
        raise TypeError(
            f"gpu_struct: expected a dict, a dtype or a class with annotations, got {type(fields).__name__}"
        )
    found: dict[str, Any] = {}
    for field, kind in fields.items():
        if not isinstance(field, str) or not field.isidentifier():
            raise ValueError(f"gpu_struct field name {field!r} is not a valid Python identifier")
        if hasattr(_Struct, field) or field in _Struct.__annotations__:
            raise ValueError(f"gpu_struct field name {field!r} is one that structures have already")
        if isinstance(kind, Mapping) or (isinstance(kind, np.dtype) and kind.names is not None):
            kind = gpu_struct(kind, field)
        found[field] = kind if _is_struct(kind) else np.dtype(kind)
    dtype = np.dtype([(field, kind.dtype if _is_struct(kind) else kind) for field, kind in found.items()], align=True)
    return type(name, (_Struct,), {**own, "_kernel_fields": found, "dtype": dtype})
