"""Operators as structures of CUDA C++ with a method `call`."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import Any

import numpy as np

import cuox
from cuox._internal.identity import identity_of
from cuox._internal.kernel_environment import Environment, Path, captured, is_state, shown_path
from cuox._internal.kernel_errors import KernelTypeError
from cuox._native import _packed, _translate

from ._captures import by_value, captured_names, constants_of, key_of, text_of
from ._items import Item, item_of_code
from ._mode import StoredOperator, call_stream
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

    def __init__(
        self,
        name: str,
        preamble: str,
        result: Item | None,
        state: str = "",
        paths: Sequence[Path] = (),
        constants: Any = None,
    ) -> None:
        self.name, self.preamble, self.result = name, preamble, result
        self.constants = constants
        self.state_type, self.paths = state, paths

    @property
    def is_stateful(self) -> bool:
        """True if it captures values that may be others at each call."""
        return bool(self.paths)

    def state(self, function: Any) -> tuple[bytes, Any]:
        """The bytes of the structure for a function that is this operator, and what must live until its launch: what it
        captures now.

        Host arrays are copied to the device, in the order of the stream of the call.
        """
        if not self.paths:
            return b"\0", None
        values = tuple(_native(captured(function, path), shown_path(path)) for path in self.paths)
        return bytes(_packed(self.state_type, values, call_stream.get())), values


def _native(value: Any, name: str) -> Any:
    if is_state(value) or isinstance(value, cuox.Array):
        return value
    if not isinstance(value, np.ndarray):
        return cuox.as_array(value)
    stream = call_stream.get()
    if _is_capturing(stream):
        raise ValueError(
            f"the operator captures the host array {name!r}, which a graph would read when it is launched: capture an array on the device"
        )
    # A copy of the calling thread's own: the caller may change the array while work before it in the stream is going
    # on.
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
    return (
        result == driver.CUresult.CUDA_SUCCESS and status != driver.CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_NONE
    )


def user_function(given: Any) -> Any:
    """An operator as the user gave it; None if it was left out."""
    return given.function if isinstance(given, StoredOperator) else given


def identity_text(given: Any, dtype: Any) -> str | None:
    """The neutral element of an operator in CUDA C++, None if none is known."""
    if isinstance(given, StoredOperator):
        return given.identity(dtype)
    function = python_function(given)
    found = None if isinstance(function, CppOp) else identity_of(function, dtype)
    if found is None:
        return None
    # A number that is added to -0.0 keeps its sign, be it 0.
    if dtype.kind == "f" and found.value == 0:
        return "float16(-0.0f)" if dtype.char == "e" else "-0.0"
    return found.text


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
        raise TypeError(
            f"an operator must be a function in Python, one such as max or np.maximum, an OpKind or a CppOp, got {type(given).__name__}"
        )
    return written


def operator_of(given: Any, items: Sequence[Item], result: Item | None = None) -> Operator:
    """The operator that a function is for items of these types; its result is converted to one of type `result`, if
    that
    is given.

    Raises KernelTypeError with the user's line.
    """
    if isinstance(given, StoredOperator):
        stored: Operator = given.operator(items, result)
        return stored
    function = python_function(given)
    key: tuple[Any, ...] = (key_of(function), tuple(item.code for item in items), result and result.code)
    with _lock:
        known = _known.get(key)
        if known is not None and known.constants is not None:
            # Another one for each set of numbers.
            key = (*key, constants_of(function))
            known = known if known.constants == key[-1] else _known.get(key)
        if known is None:
            known = _known.put(key, _made(function, items, result, _name(key)))
        return known


def _name(key: Any) -> str:
    """The same in each process, so that compiled code is found on disk."""
    return f"cuox_operator_{hashlib.sha256(repr(key).encode()).hexdigest()[:12]}"


def operator_key(given: Any) -> Any:
    """A key that tells an operator from others."""
    return key_of(python_function(given))


def operator_key_with_numbers(given: Any) -> Any:
    """The same, and the numbers that it captures."""
    function = python_function(given)
    return key_of(function), function.__name__, constants_of(function) if isinstance(function, FunctionType) else None


def operator_digest(given: Any) -> str:
    """A word for the kind of an operator, the version of Python for functions, and a hash of what it and those that it
    calls do: the same in each process.
    """
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
        return text_of(function.__code__), repr(by_value(function.__defaults__)), inner

    found = hashlib.sha256(repr(texts(python_function(given), ())).encode()).hexdigest()
    return f"{sys.implementation.cache_tag} {found}"


def constants_digest(function: Any, *, are_parts: bool = False) -> str | None:
    """A hash of the numbers that a function captures, or of those that are parts of what it captures; None for other
    operators.
    """
    if not isinstance(function, FunctionType):
        return None
    return hashlib.sha256(repr(constants_of(function, are_parts=are_parts)).encode()).hexdigest()


def _made(function: FunctionType | CppOp, items: Sequence[Item], result: Item | None, name: str) -> Operator:
    if isinstance(function, CppOp):
        return _of_cpp(function, items, result, name)
    count = function.__code__.co_argcount - len(function.__defaults__ or ())
    if count > len(items) or function.__code__.co_argcount < len(items):
        raise TypeError(
            f"the operator {function.__name__}() must take {len(items)} argument{'s' if len(items) > 1 else ''}, it takes {function.__code__.co_argcount}"
        )
    codes = [item.code for item in items]
    options: dict[str, Any] = {
        "device": True,
        "form": "object",
        "name": name,
        "result": None if result is None else result.code,
    }
    environment, constants = Environment(function, by_state=True), None
    try:
        translated = _translate(environment, codes, **options)
    except KernelTypeError as error:
        if error.code != "K006" and not environment.has_host_arrays:
            raise
        # Some values must be known when the kernel is compiled, such as the shape of an array: captured numbers and
        # host arrays are constants then.
        environment = Environment(function)
        translated = _translate(environment, codes, **options)
        constants = constants_of(function)
    if translated.exceptions:
        first = translated.exceptions[0]
        raise NotImplementedError(
            f"the operator {function.__name__}() may raise {first[0]} ({first[3]}, line {first[4]}): exceptions are supported in kernels of cuda.jit"
        )
    if translated.is_cooperative:
        raise TypeError(f"the operator {function.__name__}() waits for the whole grid; only kernels of cuda.jit can")
    numbers = [number for number, _ in translated.state]
    state = f"tuple({','.join(code for _, code in translated.state)})"
    made = None if translated.result == "none" else item_of_code(translated.result)
    return Operator(
        name, translated.source, made, state, [environment.state_paths[number] for number in numbers], constants
    )


def _of_cpp(function: CppOp, items: Sequence[Item], result: Item | None, name: str) -> Operator:
    if result is None:
        result = items[0]
    # The types of Python's structures are those that the compiler of kernels declares.
    types = _translate(
        Environment(python_function(OpKind.IDENTITY)), [items[0].code], device=True, form="object", name=f"{name}_types"
    )
    names = [f"a{index}" for index in range(len(items))]
    parameters = ", ".join(f"{item.cxx} {given}" for item, given in zip(items, names, strict=True))
    method = f"__device__ inline {result.cxx} call({parameters}) const {{ return {name}_parts::{function.name}({', '.join(names)}); }}"
    # Messages of the compiler's name the lines of the source.
    source = f'#line 1 "CppOp {function.name}"\n{function.source}\n#line 1 "{name}"'
    text = f"{types.source}\nnamespace {name}_parts {{\n{source}\n}}\nstruct {name} {{ {method} }};\n"
    return Operator(name, text, result)


def uses_names(given: Any) -> bool:
    """True if what an operator does hangs on names outside of it."""
    function = None if given is None else python_function(given)
    return isinstance(function, FunctionType) and any(is_there for _, _, _, is_there in captured_names(function))
