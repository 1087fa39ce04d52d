"""Functions that are not written in Python, such as `max`, `operator.add` and `np.maximum`, as operators: lambdas that
call them.
"""

from __future__ import annotations

import builtins
import inspect
import linecache
import math
import operator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ._recent import Recent

_MODULES: tuple[ModuleType, ...] = (builtins, operator, math, np)

# As programs write them: the neutral elements of these are known.
_WRITTEN = {
    operator.add: "a + b",
    operator.mul: "a * b",
    operator.and_: "a & b",
    operator.or_: "a | b",
    operator.xor: "a ^ b",
}

# Of those that take more or fewer in Python.
_COUNTS: dict[Any, int] = {max: 2, min: 2, math.hypot: 2, math.gcd: 2, math.lcm: 2}


_known: Recent[FunctionType] = Recent(256)


def lambda_of(function: Any) -> FunctionType | None:
    """A lambda that calls a function, the same one again; None for what is none of Python's, of `operator`, `math` or
    NumPy.
    """
    if not isinstance(function, (BuiltinFunctionType, np.ufunc)):
        return None
    known = _known.get(function)
    if known is not None:
        return known
    home = next((module for module in _MODULES if getattr(module, function.__name__, None) is function), None)
    if home is None:
        return None
    names = ", ".join("abcdefgh"[: _count(function)])
    path = function.__name__ if home is builtins else f"{home.__name__}.{function.__name__}"
    text = f"lambda {names}: {_WRITTEN.get(function) or f'{path}({names})'}\n"
    # The compiler of kernels finds the text by the file's name.
    file = f"<cuox {path}>"
    linecache.cache[file] = (len(text), None, [text], file)
    made = eval(compile(text, file, "eval"), {home.__name__: home})
    assert isinstance(made, FunctionType)
    return _known.put(function, made)


def _count(function: Any) -> int:
    if isinstance(function, np.ufunc):
        return function.nin
    if function in _COUNTS:
        return _COUNTS[function]
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return 1
    return sum(
        one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty for one in parameters
    )
