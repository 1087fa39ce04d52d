"""A Python function as a device function of CUDA C++, for the templates of elementwise kernels and reductions."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

import cuox
from cuox._internal.kernel_environment import Environment
from cuox._internal.kernel_errors import raise_as_ours, text_of
from cuox._native import _translate

from . import _linking
from ._dispatcher import DeviceFunction, Options

# The types of elements: their names in CUDA C++ are the type codes.
_NUMBERS = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
}  # fmt: skip


class DeviceText:
    """The CUDA C++ of a function for arguments of certain types."""

    def __init__(
        self,
        function: Any,
        types: Sequence[str],
        result: str | None = None,
        *,
        name: str,
        maker: str,
        options: Options | None = None,
    ) -> None:
        options = options or getattr(function, "options", None) or Options()
        environment = Environment(python_function(function, maker))
        for code in (*types, *([] if result is None else [result])):
            if code not in _NUMBERS:
                raise TypeError(f"{maker}: elements must be numbers, got the type {code}")
        translated = _translate(
            environment, list(types), device=True, form="inline", name=name, result=result, **options.translation()
        )
        shown = environment.functions[0].__name__
        if translated.exceptions:
            first = translated.exceptions[0]
            raise NotImplementedError(
                f"{maker}: {first[2]}() may raise {first[0]} ({first[3]}, line {first[4]}): exceptions are supported in kernels of cuda.jit and cuda.guvectorize"
            )
        if translated.state:
            raise NotImplementedError(
                f"{maker}: {shown}() uses an array on the device as a global: pass it as an argument, or use cuda.jit"
            )
        if translated.is_cooperative:
            raise TypeError(f"{maker}: {shown}() waits for the whole grid; only kernels of cuda.jit can")
        self.name = name
        self.types = tuple(types)
        self.result = str(translated.result)
        if self.result == "none":
            raise TypeError(f"{maker}: {shown}() returns nothing; it must return a number")
        if self.result not in _NUMBERS:
            raise TypeError(f"{maker}: {shown}() must return a number, not {self.result}")
        linked = _linking.texts(_linking.wanted(options.link or (), environment.functions), maker)
        self.preamble = translated.source + linked
        self.options = options.nvrtc()
        self._shown = shown
        self._has_users_text = bool(linked)

    def run(self, kernel: Any, *args: Any, stream: Any, **more: Any) -> None:
        """Run a kernel with this text: `_Elementwise` or `_Reduction`. Raises GeneratedCodeError if the compiler
        refuses a text that is all cuox's.
        """
        try:
            kernel(*args, stream=stream, **more)
        except cuox.CompileError as error:
            if not self._has_users_text:
                sizes = {name: value.nbytes for name, value in more.items()}
                raise_as_ours(error, self._shown, lambda: text_of(kernel._sources(*args, n=args[0].size, **sizes)))
            raise


def python_function(given: Any, maker: str) -> FunctionType:
    """The Python function of a function or a device function. Raises TypeError for others."""
    found = given.py_func if isinstance(given, DeviceFunction) else getattr(given, "py_func", given)
    if not isinstance(found, FunctionType):
        raise TypeError(f"{maker}: expected a Python function, got {type(given).__name__}")
    return found
