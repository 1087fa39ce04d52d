"""Trees that no program has: the compiler of kernels takes them or says what is wrong with them; it neither panics nor
overflows its stack.

Trees are made of the kernels in these tests, whose parts are exchanged. `CUOX_SEEDS=from..to` tries others than the
usual ones.
"""

from __future__ import annotations

import ast
import copy
import math
import os
import random
from pathlib import Path
from typing import Any

import exhaustive
import numpy as np
import pytest
from cuox._internal.kernel_environment import Environment
from cuox._internal.kernel_errors import KernelTypeError
from cuox._native import _translate
from cuox.numba import cuda

FROM, TO = map(int, os.environ.get("CUOX_SEEDS", "0..60").split(".."))
# Those that are asked for are all wanted.
KEPT = TO if "CUOX_SEEDS" in os.environ else 20
TREES = 40
FOLDER = Path(__file__).parent
FILES = [
    *sorted(FOLDER.glob("kernels/*.py")),
    *sorted((FOLDER.parents[1] / "examples" / "numba").glob("*.py")),
    FOLDER / "test_numba_kernels.py",
]
KNOWN = {
    "cuda": cuda,
    "np": np,
    "math": math,
    "PRIMES": (2, 3, 5, 7),
    "TABLE": np.ones((2, 3)),
    "OFFSET": 7,
    "f": cuda.jit(device=True)(lambda x: x),
}
CODES = ["int64", "int32", "uint8", "float64", "float32", "bool", "complex128", "float16"]
CODES += [
    "array(float64,1,C)",
    "array(int32,2,A)",
    "array(float32,3,C)",
    "tuple(int64,float64)",
    "record(24,8;x:0:float32,y:8:float64)",
]
CODES += [
    "array(record(24,8;x:0:float32,y:8:nested(int32,2x1)),1,C)",
    "named(Point;x:int64,y:float64)",
    "none",
    "datetime64(s)",
    "unicode(4)",
]
# Fields that hold nodes of one class only: Python itself refuses others.
FIXED = {ast.JoinedStr: ["values"], ast.FormattedValue: ["format_spec", "conversion"], ast.NamedExpr: ["target"]}
ERRORS = (KernelTypeError, NotImplementedError)


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and bool(node.args.args)


def functions() -> list[ast.FunctionDef]:
    found = []
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.args.args and not node.name.startswith("test_"):
                found.append(node)
    return found


FUNCTIONS = functions()
EXPRESSIONS = [node for function in FUNCTIONS for node in ast.walk(function) if isinstance(node, ast.expr)]
STATEMENTS = [
    node for function in FUNCTIONS for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function
]


class Given(Environment):
    """An environment whose first function has a tree of our choice."""

    def __init__(self, node: ast.FunctionDef) -> None:
        def function() -> None: ...

        super().__init__(function)
        self.node = node

    def name(self, function: int, name: str) -> Any:
        return self.tell(KNOWN[name]) if name in KNOWN else super().name(function, name)

    def function(self, number: int) -> Any:
        found = super().function(number)
        if number == 0:
            found.node, found.line_offset, found.defaults, found.signature = self.node, 0, [], None
        return found


def changed(rng: random.Random) -> ast.FunctionDef:
    """A function some parts of which are those of others."""
    function = copy.deepcopy(rng.choice(FUNCTIONS))
    for _ in range(rng.randint(0, 6)):
        node = rng.choice(list(ast.walk(function)))
        fields = [
            (name, value)
            for name, value in ast.iter_fields(node)
            if value is not None and name not in FIXED.get(type(node), ())
        ]
        if not fields:
            continue
        name, value = rng.choice(fields)
        if isinstance(value, list) and value:
            at = rng.randrange(len(value))
            if isinstance(value[at], ast.stmt):
                value[at : at + rng.randint(0, 1)] = [copy.deepcopy(rng.choice(STATEMENTS))]
            elif isinstance(value[at], ast.expr):
                value[at : at + rng.randint(0, 1)] = [copy.deepcopy(rng.choice(EXPRESSIONS))]
        elif isinstance(value, ast.expr):
            setattr(node, name, copy.deepcopy(rng.choice(EXPRESSIONS)))
        elif isinstance(value, ast.operator):
            setattr(node, name, rng.choice(ast.operator.__subclasses__())())
        elif isinstance(value, (int, float)) and name == "value":
            setattr(
                node,
                name,
                rng.choice(
                    [
                        0,
                        -1,
                        1,
                        2**31,
                        2**63 - 1,
                        2**64,
                        10**30,
                        1e308,
                        float("nan"),
                        float("inf"),
                        1j,
                        "text",
                        b"b",
                        None,
                        True,
                        ...,
                    ]
                ),
            )
        elif isinstance(value, str) and name == "id":
            setattr(
                node,
                name,
                rng.choice(
                    ["x", "found", "i", "int", "len", "print", "range", "cuda", "np", "math", "nothing", "PRIMES", "f"]
                ),
            )
    return function


def translated(node: ast.FunctionDef, codes: list[str], **options: Any) -> str | None:
    """The text; None if it was refused, with a message that has the file."""
    try:
        return _translate(Given(node), codes, **options).text
    except ERRORS as error:
        assert str(error).strip()
        return None


@pytest.mark.parametrize("seed", exhaustive.some(range(FROM, TO), KEPT))
def test_random_trees(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(TREES):
        node = changed(rng)
        codes = [rng.choice(CODES) for _ in node.args.args]
        options = {name: rng.random() < 0.3 for name in ("boundscheck", "debug", "fastmath", "index32", "wraparound")}
        try:
            translated(node, codes, **options)
        except BaseException:
            print(ast.dump(node), codes)
            raise


def test_types_are_read() -> None:
    for code in CODES:
        assert translated(ast.parse("def f(a):\n    b = a").body[0], [code]) is not None


def deep(kind: str, depth: int) -> ast.expr:
    node: ast.expr = ast.Name("a", ast.Load())
    for _ in range(depth):
        if kind == "binary":
            node = ast.BinOp(node, ast.Add(), ast.Constant(1))
        elif kind == "unary":
            node = ast.UnaryOp(ast.USub(), node)
        elif kind == "attribute":
            node = ast.Attribute(node, "real", ast.Load())
        elif kind == "subscript":
            node = ast.Subscript(node, ast.Constant(0), ast.Load())
        elif kind == "call":
            node = ast.Call(ast.Name("f", ast.Load()), [node], [])
        elif kind == "tuple":
            node = ast.Tuple([node], ast.Load())
        else:
            node = ast.IfExp(ast.Constant(True), node, node)
        ast.copy_location(node, HERE)
    return node


HERE = ast.parse("a").body[0].value


@pytest.mark.parametrize("depth", [50, 400, 5000])
@pytest.mark.parametrize("kind", ["binary", "unary", "attribute", "subscript", "call", "tuple"])
def test_deep_expressions(kind: str, depth: int) -> None:
    node = ast.parse("def g(a):\n    b = a").body[0]
    node.body[0].value = deep(kind, depth)
    for part in ast.walk(node):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, HERE)
    try:
        translated(node, ["int64"])
    except RecursionError:
        assert depth > 100


@pytest.mark.parametrize("depth", [15, 90, 3000])
def test_deep_statements(depth: int) -> None:
    node = ast.parse("def g(a):\n    b = a").body[0]
    for _ in range(depth):
        outer = ast.parse("if a:\n    pass").body[0]
        outer.body = node.body
        node.body = [outer]
    try:
        translated(node, ["int64"])
    except RecursionError:
        assert depth > 100
