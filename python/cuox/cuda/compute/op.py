"""Operators: kinds that have a name, and CUDA C++."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable
from typing import Any


class OpKind(enum.IntEnum):
    """Operators by name."""

    STATELESS = 0
    STATEFUL = 1
    PLUS = 2
    MINUS = 3
    MULTIPLIES = 4
    DIVIDES = 5
    MODULUS = 6
    EQUAL_TO = 7
    NOT_EQUAL_TO = 8
    GREATER = 9
    LESS = 10
    GREATER_EQUAL = 11
    LESS_EQUAL = 12
    LOGICAL_AND = 13
    LOGICAL_OR = 14
    LOGICAL_NOT = 15
    BIT_AND = 16
    BIT_OR = 17
    BIT_XOR = 18
    BIT_NOT = 19
    IDENTITY = 20
    NEGATE = 21
    MINIMUM = 22
    MAXIMUM = 23


# By functions, which the compiler of kernels translates as it does the caller's. C's division, for integers as for
# floats.
_FUNCTIONS: dict[OpKind, Callable[..., Any]] = {
    OpKind.PLUS: lambda a, b: a + b,
    OpKind.MINUS: lambda a, b: a - b,
    OpKind.MULTIPLIES: lambda a, b: a * b,
    OpKind.DIVIDES: lambda a, b: a / b,
    OpKind.MODULUS: lambda a, b: math.fmod(a, b),
    OpKind.EQUAL_TO: lambda a, b: a == b,
    OpKind.NOT_EQUAL_TO: lambda a, b: a != b,
    OpKind.GREATER: lambda a, b: a > b,
    OpKind.LESS: lambda a, b: a < b,
    OpKind.GREATER_EQUAL: lambda a, b: a >= b,
    OpKind.LESS_EQUAL: lambda a, b: a <= b,
    OpKind.LOGICAL_AND: lambda a, b: bool(a) and bool(b),
    OpKind.LOGICAL_OR: lambda a, b: bool(a) or bool(b),
    OpKind.LOGICAL_NOT: lambda a: not a,
    OpKind.BIT_AND: lambda a, b: a & b,
    OpKind.BIT_OR: lambda a, b: a | b,
    OpKind.BIT_XOR: lambda a, b: a ^ b,
    OpKind.BIT_NOT: lambda a: ~a,
    OpKind.IDENTITY: lambda a: a,
    OpKind.NEGATE: lambda a: -a,
    OpKind.MINIMUM: lambda a, b: min(a, b),
    OpKind.MAXIMUM: lambda a, b: max(a, b),
}


def function_of(kind: OpKind) -> Callable[..., Any]:
    """The function of a kind. Raises ValueError for the two that stand for functions of the caller's."""
    try:
        return _FUNCTIONS[kind]
    except KeyError:
        raise ValueError(
            f"OpKind.{kind.name} is not a well-known operation: use one such as OpKind.PLUS, or a function"
        ) from None


@dataclasses.dataclass(frozen=True, repr=False)
class CppOp:
    """An operator in CUDA C++.

    source: the text, with a `__device__` function of that name. It takes and returns values: `__device__ float
    larger(float a, float b) { … }`.
    """

    source: str
    name: str

    def __repr__(self) -> str:
        return f"CppOp({self.name})"


class RawOp:
    """LTO-IR as an operator, which cuox does not take: give its source to `CppOp`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            "RawOp: operators are compiled with the algorithm, from source: CppOp(source, name) takes CUDA C++"
        )
