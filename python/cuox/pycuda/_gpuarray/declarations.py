"""Declarations of parameters as users write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tools import ScalarArg, VectorArg, parse_c_arg
from .expressions import c_type
from .kernels import Parameters

_QUALIFIERS = re.compile(r"\b(?:__restrict__|__restrict|restrict|volatile)\b")
_DECLARATION = re.compile(r"^(?P<type>[^*\[]*?)\s*(?P<stars>\**)\s*(?P<name>[A-Za-z_]\w*)\s*(?:\[\s*\])?$")


def arguments_of(arguments: str | Sequence[Any]) -> list[ScalarArg | VectorArg]:
    """Return the arguments that a text or a sequence of declarations names."""
    if isinstance(arguments, str):
        arguments = arguments.split(",")
    return [parse_c_arg(argument) if isinstance(argument, str) else argument for argument in arguments]


def parameters_of(arguments: str | Sequence[Any]) -> Parameters:
    """Return the parameters that a text or a sequence of declarations names: in a text, with its own spelling of the
    types.
    """
    if isinstance(arguments, str):
        arguments = arguments.split(",")
    parameters = []
    for argument in arguments:
        if not isinstance(argument, str):
            parameters.append((c_type(argument.dtype), argument.name, isinstance(argument, VectorArg)))
            continue
        parsed = parse_c_arg(argument)
        written = _DECLARATION.match(_QUALIFIERS.sub(" ", argument).strip())
        known = (
            " ".join(written["type"].split())
            if written is not None and written["name"] == parsed.name
            else c_type(parsed.dtype)
        )
        vector = isinstance(parsed, VectorArg)
        parameters.append((known if vector else known.replace("const ", ""), parsed.name, vector))
    return parameters


def words_of(options: Any) -> Sequence[str]:
    """Return options as a sequence of words."""
    return options.split() if isinstance(options, str) else tuple(options or ())


class Values:
    """Prepares the arguments of a call for the kernel with these declarations."""

    def __init__(self, declared: Sequence[ScalarArg | VectorArg]) -> None:
        self._declared = declared
        # The engine takes these as structures.
        self._complex = [
            (index, argument.dtype.type)
            for index, argument in enumerate(declared)
            if not isinstance(argument, VectorArg) and argument.dtype.kind == "c"
        ]

    def __call__(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments. Raises TypeError for host arrays, and for None, of which a kernel would make a null
        pointer.
        """
        for index, value in enumerate(args):
            if (value is None or isinstance(value, (np.ndarray, list, tuple))) and index < len(self._declared):
                argument = self._declared[index]
                if not isinstance(argument, VectorArg):
                    if value is None:
                        raise TypeError(f"argument {index + 1}, {argument.declarator()!r}, must be a number, got None")
                    continue
                hint = "" if value is None else "; gpuarray.to_gpu() copies host arrays"
                raise TypeError(
                    f"argument {index + 1}, {argument.declarator()!r}, must be a GPUArray or device memory, got {_name(value)}{hint}"
                )
        if self._complex:
            values = list(args)
            for index, kind in self._complex:
                if index < len(values) and isinstance(values[index], (int, float, complex, np.number)):
                    values[index] = kind(values[index])
            return tuple(values)
        return args


def _name(value: object) -> str:
    return "None" if value is None else type(value).__name__
