"""Neutral elements of common functions: without one, a reduction has to ask for each value whether there is one yet."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any, NamedTuple

from cuox._internal import kernel_source


class Identity(NamedTuple):
    """The neutral element of a function."""

    value: Any
    text: str
    """In CUDA C++."""


def identity_of(function: FunctionType, dtype: Any, *, keeps_nan: bool = False) -> Identity | None:
    """The neutral element of `a + b`, `a * b`, `a & b`, `a | b`, `a ^ b`, `min(a, b)`, `a if a < b else b` and their
    counterparts; None for other functions.

    keeps_nan: what is combined with it once may not change even if it is NaN, which `min` and `max` lose.
    """
    operation, chooses = _operation(function)
    if dtype.kind == "f" and (chooses or (keeps_nan and operation in ("min", "max"))):
        return None
    if operation is None or dtype.kind not in "iuf" or dtype.names is not None:
        return None
    if operation in ("Add", "Mult"):
        value = int(operation == "Mult")
        # float16 is made of floats.
        return Identity(dtype.type(value), f"float16({value}.0f)" if dtype.char == "e" else str(value))
    if operation in ("BitOr", "BitXor", "BitAnd"):
        if dtype.kind not in "iu":
            return None
        return Identity(dtype.type(0), "0") if operation != "BitAnd" else Identity(~dtype.type(0), "~0")
    if dtype.kind == "f":
        infinity = {4: "__int_as_float(0x7f800000)", 8: "__longlong_as_double(0x7ff0000000000000ll)"}.get(
            dtype.itemsize
        )
        sign = "-" if operation == "max" else ""
        return None if infinity is None else Identity(dtype.type(f"{sign}inf"), sign + infinity)
    import numpy as np

    if dtype.kind not in "iu":
        return None
    bounds = np.iinfo(dtype)
    value = bounds.min if operation == "max" else bounds.max
    # The least number of 64 bits has no literal of its own.
    text = f"(-{bounds.max}ll - 1)" if value < 0 else f"{value}ull"
    return Identity(dtype.type(value), text)


def _operation(function: FunctionType) -> tuple[str | None, bool]:
    """The operation, and whether it is written as `a if a < b else b`: that takes NaN from the right."""
    node = kernel_source.of(function).node
    body: ast.AST | None = node.body if isinstance(node, ast.Lambda) else None
    if isinstance(node, ast.FunctionDef):
        statements = [
            one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        ]
        if len(statements) == 1 and isinstance(statements[0], ast.Return):
            body = statements[0].value
    names = list(function.__code__.co_varnames[:2])
    operands: list[ast.expr]
    if isinstance(body, ast.BinOp):
        operation, operands = type(body.op).__name__, [body.left, body.right]
        if operation not in ("Add", "Mult", "BitAnd", "BitOr", "BitXor"):
            return None, False
    elif (
        isinstance(body, ast.Call)
        and isinstance(body.func, ast.Name)
        and body.func.id in ("min", "max")
        and not body.keywords
    ):
        operation, operands = body.func.id, body.args
        if operation in function.__globals__ or operation in function.__code__.co_freevars or operation in names:
            return None, False
    elif isinstance(body, ast.IfExp) and isinstance(body.test, ast.Compare) and len(body.test.ops) == 1:
        operands = [body.test.left, body.test.comparators[0]]
        if [ast.dump(one) for one in operands] != [ast.dump(body.body), ast.dump(body.orelse)]:
            return None, False
        which = {ast.Lt: "min", ast.LtE: "min", ast.Gt: "max", ast.GtE: "max"}.get(type(body.test.ops[0]))
        if which is None:
            return None, False
        operation = which
    else:
        return None, False
    used = [one.id if isinstance(one, ast.Name) else None for one in operands]
    is_known = sorted(map(str, used)) == sorted(names) and None not in used
    return (operation if is_known else None), isinstance(body, ast.IfExp)
