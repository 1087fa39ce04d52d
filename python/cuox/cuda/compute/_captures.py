"""Keys of operators: their code, and what the names in it stand for."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

import cuox
from cuox._internal.kernel_environment import host_array_type, is_state, module_path
from cuox._native import _argument_type

from .op import CppOp, function_of

_OWN_FUNCTIONS = function_of.__code__.co_filename


def key_of(function: FunctionType | CppOp) -> Any:
    """The code of an operator and the functions that it calls, and the kinds of what they capture; where numbers and
    arrays are part of the text that is compiled, their values.
    """
    return _key(function, (), {})


def _key(function: FunctionType | CppOp, seen: tuple[CodeType, ...], numbers: dict[int, int]) -> Any:
    if isinstance(function, CppOp):
        return (function.source, function.name)
    code = function.__code__
    # A function that has two names now may be two functions at another call.
    number = numbers.setdefault(id(function), len(numbers))
    if code in seen:
        return number
    if code.co_filename == _OWN_FUNCTIONS:
        # The same in every version of Python.
        return ("cuox", code.co_firstlineno)
    kinds = [
        (
            name,
            tuple(
                (path, _kind(part, (*seen, code), numbers, is_direct=not path))
                for path, part in parts_of(value, function)
            ),
        )
        for name, _, value, is_there in captured_names(function)
        if is_there
    ]
    defaults = by_value((function.__defaults__ or (), tuple((function.__kwdefaults__ or {}).items())))
    return (number, text_of(code), tuple(kinds), defaults)


def captured_names(function: FunctionType) -> Iterator[tuple[str, int | None, Any, bool]]:
    """The names that a function and those inside of it use: the place in the closure, None for a global name; the
    value,
    and whether there is one.

    Attributes are among them.
    """
    code = function.__code__
    for place, name in enumerate(code.co_freevars):
        try:
            yield name, place, (function.__closure__ or ())[place].cell_contents, True
        except ValueError:
            yield name, place, None, False
    for name in _global_names(code):
        if name not in code.co_freevars:
            yield name, None, function.__globals__.get(name), name in function.__globals__


def _global_names(code: CodeType) -> dict[str, None]:
    names = dict.fromkeys(code.co_names)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            names |= _global_names(one)
    return names


def is_composed(value: Any, function: FunctionType) -> bool:
    """True if a function may take parts of a captured object, attributes or items, that may change."""
    return not _is_fixed(value) and any(path for path, _ in parts_of(value, function))


def _is_fixed(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_fixed, value))
    return is_state(value) or isinstance(value, (str, bytes, type(None)))


# Objects that make others when they are asked for attributes have no end.
_MOST_PARTS, _DEEPEST = 4096, 32


def parts_of(value: Any, function: FunctionType) -> Iterator[tuple[str, Any]]:
    """A captured object, and its attributes of names that the function uses and its items, as deep as they go: where
    they are in it, and what they are.
    """
    names = _global_names(function.__code__)
    # Objects, that they live as long as their numbers are known here.
    seen: dict[int, Any] = {}

    def found(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
        if isinstance(value, (list, tuple, dict)):
            if id(value) in seen or depth > _DEEPEST:
                return
            seen[id(value)] = value
            # A container without items is told from other objects, too.
            yield path, f"<{type(value).__name__}>"
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in items:
                yield from found(item, f"{path}[{key!r}]", depth + 1)
            return
        yield path, value
        if _is_whole(value) or id(value) in seen or len(seen) > _MOST_PARTS or depth > _DEEPEST:
            return
        seen[id(value)] = value
        for name in names:
            try:
                inner = getattr(value, name)
            except Exception:
                continue
            yield from found(inner, f"{path}.{name}", depth + 1)

    return found(value, "")


def _is_whole(value: Any) -> bool:
    """True for what operators take no parts of that may change."""
    kind = type(value)
    if (
        is_state(value)
        or any(hasattr(kind, name) for name in ("__array_interface__", "__cuda_array_interface__"))
        or hasattr(value, "_kernel_fields")
    ):
        return True
    if isinstance(value, (str, bytes, type(None))) or isinstance(getattr(value, "py_func", value), FunctionType):
        return True
    if isinstance(value, ModuleType):
        return module_path(value.__name__) is not None or value.__name__.partition(".")[0] == "cuox"
    home = value.__module__ if isinstance(value, type) else kind.__module__
    return str(home).partition(".")[0] in ("builtins", "numpy", "cuox")


def constants_of(function: FunctionType, *, are_parts: bool = False) -> Any:
    """The numbers and host arrays that a function captures, and those that it calls. are_parts: only those that are
    parts of objects and containers.
    """
    return _constants(function, (), are_parts)


def _constants(function: FunctionType, seen: tuple[CodeType, ...], are_parts: bool) -> Any:
    if function.__code__ in seen:
        return ()
    found: list[Any] = []
    for name, _, value, _ in captured_names(function):
        for path, part in parts_of(value, function):
            inner = getattr(part, "py_func", part)
            if is_state(part) or isinstance(part, np.ndarray):
                if path or not are_parts:
                    found.append((name + path, by_value(part)))
            elif isinstance(inner, FunctionType):
                found.append((name + path, FunctionType, _constants(inner, (*seen, function.__code__), are_parts)))
    return tuple(found)


def text_of(code: CodeType) -> Any:
    """A key of what a function does, wherever it is written."""
    constants = tuple(
        text_of(one) if isinstance(one, CodeType) else (type(one), _constant(one)) for one in code.co_consts
    )
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_argcount,
        code.co_kwonlyargcount,
    )


def _constant(value: Any) -> str:
    # The order of a set of strings is another one in each process.
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _kind(value: Any, seen: tuple[CodeType, ...], numbers: dict[int, int], *, is_direct: bool) -> Any:
    """is_direct: it is captured itself, so that numbers and host arrays are state."""
    if is_direct and is_state(value):
        return _argument_type(value)
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType):
        return _key(function, seen, numbers)
    if isinstance(value, ModuleType):
        return value.__name__
    if hasattr(value, "__cuda_array_interface__"):
        return _argument_type(value if isinstance(value, cuox.Array) else cuox.as_array(value))
    code = host_array_type(value) if is_direct else None
    return by_value(value) if code is None else ("host array", code)


def by_value(value: Any) -> Any:
    """A key for what is part of the text that is compiled."""
    if is_state(value):
        return type(value).__name__, repr(value)
    if isinstance(value, (str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, tuple(map(by_value, value))
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return "array", value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).digest()
    # Classes and the like are what they are when the operator is made.
    return _Same(value)


def may_change(value: Any) -> bool:
    """True for what may be another without being another object."""
    if isinstance(value, tuple):
        return any(map(may_change, value))
    return isinstance(value, (list, dict, set)) or (
        not isinstance(value, type) and hasattr(value, "__array_interface__")
    )


class _Same:
    """A key for this very object, which is not kept alive if that can be helped."""

    def __init__(self, value: Any) -> None:
        self._number = id(value)
        self._value: Callable[[], Any]
        try:
            self._value = weakref.ref(value)
        except TypeError:
            self._value = lambda: value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Same) or self._number != other._number:
            return False
        own = self._value()
        # Another object may have had the number.
        return own is other._value() and (own is not None or self is other)

    def __hash__(self) -> int:
        return self._number

    def __repr__(self) -> str:
        return f"object {self._number}"
