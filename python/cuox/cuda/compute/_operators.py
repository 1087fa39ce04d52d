"""Operators as structures of CUDA C++ with a method `call`."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

import cuox
from cuox._internal.identity import identity_of
from cuox._internal.kernel_environment import Environment, captured, host_array_type, is_state
from cuox._internal.kernel_errors import KernelTypeError
from cuox._native import _argument_type, _packed, _translate

from ._items import Item, item_of_code
from ._mode import StoredOperator, order
from ._native_functions import lambda_of
from ._recent import Recent
from .op import CppOp, OpKind, function_of

_FLAGS = ("--std=c++17", "-w", "-default-device")


class Operator:
    """An operator for items of certain types.

    name: the structure's. preamble: its CUDA C++. result: the type of what it returns; None for nothing.
    constants: the numbers that the function captured when it was translated, if they are part of the text.
    state_type: the type code of what it captures. paths: where that is found: names, from function to function.
    """

    def __init__(self, name: str, preamble: str, result: Item | None, state: str = "", paths: Sequence[tuple[str, ...]] = (), constants: Any = None) -> None:
        self.name, self.preamble, self.result = name, preamble, result
        self.constants = constants
        self.state_type, self.paths = state, paths

    @property
    def is_stateful(self) -> bool:
        """True if it captures values that may be others at each call."""
        return bool(self.paths)

    def state(self, function: Any) -> tuple[bytes, Any]:
        """The bytes of the structure for a function that is this operator, and what must live until its launch: what it captures now.

        Host arrays are copied to the device, in the order of the stream of the call.
        """
        if not self.paths:
            return b"\0", None
        values = tuple(_native(captured(function, path), path[-1]) for path in self.paths)
        return bytes(_packed(self.state_type, values)), values


def _native(value: Any, name: str) -> Any:
    if is_state(value) or isinstance(value, cuox.Array):
        return value
    if not isinstance(value, np.ndarray):
        return cuox.as_array(value)
    stream = order.get()
    if _is_capturing(stream):
        raise ValueError(f"the operator captures the host array {name!r}, which a graph would read when it is launched: capture an array on the device")
    # A copy of the calling thread's own: the caller may change the array while work before it in the stream is going on.
    return cuox.to_device(np.array(value, order="C", copy=True), stream=stream)


# More than a program has operators. One that was forgotten is translated again, and its kernels are found on disk.
_known: Recent[Operator] = Recent(1024)
_lock = threading.RLock()


def clear() -> None:
    """Forget all operators."""
    with _lock:
        _known.clear()


def _is_capturing(stream: Any) -> bool:
    from cuox.cuda.bindings import driver

    _, handle = (cuox.Device().default_stream if stream is None else stream).__cuda_stream__()
    result, status = driver.cuStreamIsCapturing(int(handle))
    # The legacy stream cannot be asked while another one is capturing, and is not capturing itself.
    return result == driver.CUresult.CUDA_SUCCESS and status != driver.CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_NONE


def user_function(given: Any) -> Any:
    """An operator as the user gave it; None if it was left out."""
    return given.function if isinstance(given, StoredOperator) else given


def identity_text(given: Any, dtype: Any) -> str | None:
    """The neutral element of an operator in CUDA C++, None if none is known."""
    if isinstance(given, StoredOperator):
        return given.identity(dtype)
    function = python_function(given)
    found = None if isinstance(function, CppOp) else identity_of(function, dtype)
    return None if found is None else found.text


def python_function(given: Any) -> Any:
    """The function of an operator, or a CppOp. Raises TypeError for what is none."""
    if isinstance(given, OpKind):
        given = function_of(given)
    if isinstance(given, CppOp):
        return given
    found = getattr(given, "py_func", given)
    if isinstance(found, FunctionType):
        return found
    written = lambda_of(found) if callable(found) else None
    if written is None:
        raise TypeError(f"an operator must be a function in Python, one such as max or np.maximum, an OpKind or a CppOp, got {type(given).__name__}")
    return written


def operator_of(given: Any, items: Sequence[Item], result: Item | None = None) -> Operator:
    """The operator that a function is for items of these types; its result is converted to one of type `result`, if that is given.

    Raises KernelTypeError with the user's line.
    """
    if isinstance(given, StoredOperator):
        stored: Operator = given.operator(items, result)
        return stored
    function = python_function(given)
    key: tuple[Any, ...] = (_key(function), tuple(item.code for item in items), result and result.code)
    with _lock:
        known = _known.get(key)
        if known is not None and known.constants is not None:
            # Another one for each set of numbers.
            key = (*key, _constants(function))
            known = known if known.constants == key[-1] else _known.get(key)
        if known is None:
            known = _known.put(key, _made(function, items, result, _name(key)))
        return known


def _name(key: Any) -> str:
    """The same in each process, so that compiled code is found on disk."""
    return f"cuox_operator_{hashlib.sha256(repr(key).encode()).hexdigest()[:12]}"


def operator_key(given: Any) -> Any:
    """What tells an operator from others."""
    return _key(python_function(given))


def operator_key_with_numbers(given: Any) -> Any:
    """The same, and the numbers that it captures."""
    function = python_function(given)
    return _key(function), function.__name__, _constants(function) if isinstance(function, FunctionType) else None


def operator_digest(given: Any) -> str:
    """A word for the kind of an operator, the version of Python for functions, and a hash of what it and those that it calls do: the same in each process."""
    if isinstance(given, OpKind):
        return f"OpKind {given.name}"
    if isinstance(given, CppOp):
        return f"CppOp {hashlib.sha256(repr((given.source, given.name)).encode()).hexdigest()}"

    def texts(function: FunctionType, seen: tuple[CodeType, ...]) -> Any:
        if function.__code__ in seen:
            return ()
        inner = [
            (name, texts(called, (*seen, function.__code__)))
            for name, _, value, _ in captured_names(function)
            if isinstance(called := getattr(value, "py_func", value), FunctionType)
        ]
        return _text(function.__code__), repr(_by_value(function.__defaults__)), inner

    found = hashlib.sha256(repr(texts(python_function(given), ())).encode()).hexdigest()
    return f"{sys.implementation.cache_tag} {found}"


def constants_digest(function: FunctionType) -> str:
    """A hash of the numbers that a function captures."""
    return hashlib.sha256(repr(_constants(function)).encode()).hexdigest()


def _made(function: FunctionType | CppOp, items: Sequence[Item], result: Item | None, name: str) -> Operator:
    if isinstance(function, CppOp):
        return _of_cpp(function, items, result, name)
    count = function.__code__.co_argcount - len(function.__defaults__ or ())
    if count > len(items) or function.__code__.co_argcount < len(items):
        raise TypeError(f"the operator {function.__name__}() must take {len(items)} argument{'s' if len(items) > 1 else ''}, it takes {function.__code__.co_argcount}")
    codes = [item.code for item in items]
    options: dict[str, Any] = {"device": True, "form": "object", "name": name, "result": None if result is None else result.code}
    environment, constants = Environment(function, by_state=True), None
    try:
        translated = _translate(environment, codes, **options)
    except KernelTypeError as error:
        if error.code != "K006" and not environment.has_host_arrays:
            raise
        # What must be known when the kernel is compiled, such as the shape of an array: captured numbers and host arrays are constants then.
        environment = Environment(function)
        translated = _translate(environment, codes, **options)
        constants = _constants(function)
    if translated.exceptions:
        first = translated.exceptions[0]
        raise NotImplementedError(f"the operator {function.__name__}() may raise {first[0]} ({first[3]}, line {first[4]}): exceptions are supported in kernels of cuda.jit")
    if translated.is_cooperative:
        raise TypeError(f"the operator {function.__name__}() waits for the whole grid; only kernels of cuda.jit can")
    numbers = [number for number, _ in translated.state]
    state = f"tuple({','.join(code for _, code in translated.state)})"
    made = None if translated.result == "none" else item_of_code(translated.result)
    return Operator(name, translated.source, made, state, [environment.state_paths[number] for number in numbers], constants)


def _of_cpp(function: CppOp, items: Sequence[Item], result: Item | None, name: str) -> Operator:
    if result is None:
        result = items[0]
    # The types of Python's structures are those that the compiler of kernels declares.
    types = _translate(Environment(python_function(OpKind.IDENTITY)), [items[0].code], device=True, form="object", name=f"{name}_types")
    names = [f"a{index}" for index in range(len(items))]
    parameters = ", ".join(f"{item.cxx} {given}" for item, given in zip(items, names, strict=True))
    method = f"__device__ inline {result.cxx} call({parameters}) const {{ return {name}_parts::{function.name}({', '.join(names)}); }}"
    text = f"{types.source}\nnamespace {name}_parts {{\n{function.source}\n}}\nstruct {name} {{ {method} }};\n"
    return Operator(name, text, result)


_OWN_FUNCTIONS = function_of.__code__.co_filename


def _key(function: FunctionType | CppOp, seen: tuple[Any, ...] = ()) -> Any:
    """What tells an operator from others: its code, and the kinds of what it captures."""
    if isinstance(function, CppOp):
        return (function.source, function.name)
    code = function.__code__
    if code in seen:
        return code
    if code.co_filename == _OWN_FUNCTIONS:
        # The same in every version of Python.
        return ("cuox", code.co_firstlineno)
    kinds = [
        (name, _kind(value, (*seen, code)), attribute_numbers(value, function)) for name, _, value, is_there in captured_names(function) if is_there
    ]
    defaults = _by_value((function.__defaults__ or (), tuple((function.__kwdefaults__ or {}).items())))
    return (_text(code), tuple(kinds), defaults)


def captured_names(function: FunctionType) -> Iterator[tuple[str, int | None, Any, bool]]:
    """The names that a function and those inside of it use: the place in the closure, None for a global name; the value, and whether there is one.

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


# Modules whose numbers stay.
_CONSTANT = {"math", "cmath", "numpy", "operator"}


def attribute_numbers(value: Any, function: FunctionType) -> tuple[tuple[str, str], ...]:
    """The numbers and host arrays that are attributes of a captured object, of those with names that a function uses: they are part of the text that is compiled."""
    names = _global_names(function.__code__)

    def found(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
        kind = type(value)
        if is_state(value) or hasattr(kind, "__array_interface__") or hasattr(kind, "__cuda_array_interface__") or isinstance(value, (FunctionType, tuple, str, bytes)):
            return
        if isinstance(value, ModuleType) and value.__name__.partition(".")[0] in _CONSTANT:
            return
        for name in names:
            inner = getattr(value, name, None)
            if is_state(inner) or isinstance(inner, np.ndarray):
                yield f"{path}.{name}", repr(_by_value(inner))
            elif depth and isinstance(inner, (ModuleType, type)):
                yield from found(inner, f"{path}.{name}", depth - 1)

    return tuple(found(value, "", 3))


def uses_names(given: Any) -> bool:
    """True if what an operator does hangs on names outside of it."""
    function = None if given is None else python_function(given)
    return isinstance(function, FunctionType) and any(is_there for _, _, _, is_there in captured_names(function))


def _global_names(code: CodeType) -> dict[str, None]:
    names = dict.fromkeys(code.co_names)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            names |= _global_names(one)
    return names


def _constants(function: FunctionType, seen: tuple[CodeType, ...] = ()) -> Any:
    """The numbers and host arrays that a function captures, and those that it calls."""
    if function.__code__ in seen:
        return ()
    found: list[Any] = []
    for name, _, value, _ in captured_names(function):
        inner = getattr(value, "py_func", value)
        if is_state(value) or isinstance(value, np.ndarray):
            found.append((name, _by_value(value)))
        elif isinstance(inner, FunctionType):
            found.append((name, FunctionType, _constants(inner, (*seen, function.__code__))))
    return tuple(found)


def _text(code: CodeType) -> Any:
    """What a function does, wherever it is written."""
    constants = tuple(_text(one) if isinstance(one, CodeType) else (type(one), _constant(one)) for one in code.co_consts)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_kwonlyargcount)


def _constant(value: Any) -> str:
    # The order of a set of strings is another one in each process.
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _kind(value: Any, seen: tuple[Any, ...]) -> Any:
    if is_state(value):
        return _argument_type(value)
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType):
        return _key(function, seen)
    if isinstance(value, ModuleType):
        return value.__name__
    if hasattr(value, "__cuda_array_interface__"):
        return _argument_type(value if isinstance(value, cuox.Array) else cuox.as_array(value))
    code = host_array_type(value)
    if code is not None:
        return "host array", code
    return _by_value(value)


def _by_value(value: Any) -> Any:
    """A key for what is part of the text that is compiled."""
    if is_state(value):
        return type(value).__name__, repr(value)
    if isinstance(value, (str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, tuple(map(_by_value, value))
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return "array", value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).digest()
    # Classes and the like are what they are when the operator is made; the key keeps them.
    return _Same(value)


def may_change(value: Any) -> bool:
    """True for what may be another without being another object."""
    if isinstance(value, tuple):
        return any(map(may_change, value))
    return isinstance(value, (list, dict, set)) or hasattr(value, "__array_interface__")


class _Same:
    """A key for this very object."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"object {id(self.value)}"
