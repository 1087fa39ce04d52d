"""What a written stub says is what calls take and return, fields and variables are."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ctools
import cuox_bind
import pytest

pytestmark = ctools.needs_compiler

HEADER = """
#include <complex.h>
#include <stddef.h>
typedef enum { GREY = 0, PINK = 3 } shade;
typedef struct lamp lamp;
typedef struct { int x; double y; } dot;
typedef int (*step)(const char *name, int n, void *data);
typedef struct {
    char letter; char word[8]; const char *name; char *edit; int n; double d; float f; _Bool on; shade tint; dot inner; dot *link; lamp *owner;
    step call; int row[2]; dot dots[2]; double complex z; void *any; const char *data; size_t size; unsigned low : 3; int from;
} whole;
extern int number; extern char mark; extern const char *title; extern char *edited; extern char room[4]; extern const char build[]; extern shade tint;
extern dot place; extern dot *nowhere; extern int row[2]; extern step call; extern double complex z; extern const double limit;
int give_int(void); double give_double(void); char give_char(void); _Bool give_bool(void); shade give_shade(void); dot give_dot(void);
const char *give_text(void); double complex give_complex(void); lamp *lamp_new(void); void lamp_free(lamp *l); lamp *get_current(void); void give_nothing(void);
/** @return the number of lamps, or a negative error code */
int give_number(void);
/** @return 0 on success */
int give_status(void);
/** Measure.
 * @param[out] wide the width
 * @param[out] name the name
 * @return 0 on success */
int measure(int *wide, const char **name);
int take(int a, double b, const char *text, shade tint, dot by_value, const dot *one, double complex z, step call, void *data);
"""

SOURCE = """
#include "stub.h"
#include <stdlib.h>
struct lamp { int x; };
int number = 1; char mark = 'a'; const char *title = "t"; char *edited = 0; char room[4] = "r"; const char build[] = "b"; shade tint = PINK;
dot place; dot *nowhere; int row[2]; step call; double complex z; const double limit = 2;
int give_int(void) { return 1; } double give_double(void) { return 1; } char give_char(void) { return 'c'; } _Bool give_bool(void) { return 1; } shade give_shade(void) { return PINK; }
dot give_dot(void) { dot d = {1, 2}; return d; } const char *give_text(void) { return "text"; } double complex give_complex(void) { return I; }
lamp *lamp_new(void) { return malloc(4); } void lamp_free(lamp *l) { free(l); } lamp *get_current(void) { return 0; } void give_nothing(void) {}
int give_number(void) { return 5; } int give_status(void) { return 0; } int measure(int *w, const char **n) { *w = 4; *n = "four"; return 0; }
int take(int a, double b, const char *t, shade s, dot d, const dot *o, double complex z, step c, void *data) { return a + c(t, o->x, data); }
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> tuple[Any, ast.Module]:
    folder: Path = tmp_path_factory.mktemp("stub")
    (folder / "stub.h").write_text(HEADER)
    (folder / "stub.c").write_text(SOURCE)
    assert ctools.COMPILER
    command = [ctools.COMPILER, "-w", "-shared", "-fPIC", "-o", folder / "libstub.so", folder / "stub.c"]
    subprocess.run(command, check=True)
    command = [sys.executable, "-m", "cuox", "bind", "stub.h", "-l", "./libstub.so", "-o", "stub_of_c.py"]
    subprocess.run(command, cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module("stub_of_c")
    finally:
        sys.path.remove(str(folder))
    return module, ast.parse((folder / "stub_of_c.pyi").read_text())


def fits(module: Any, value: object, annotation: ast.expr) -> bool:
    """Whether a value is of an annotation's type."""
    match annotation:
        case ast.BinOp(left, ast.BitOr(), right):
            return fits(module, value, left) or fits(module, value, right)
        case ast.Subscript(ast.Name("Final"), inside):
            return fits(module, value, inside)
        case ast.Subscript(ast.Name("tuple"), ast.Tuple(parts)):
            return (
                isinstance(value, tuple)
                and len(value) == len(parts)
                and all(fits(module, *pair) for pair in zip(value, parts, strict=True))
            )
        case ast.Subscript(ast.Name("Callable"), _):
            return callable(value)
        case ast.Constant(None):
            return value is None
        case ast.Name(name):
            known = {"int": int, "float": float, "str": str, "bool": bool, "complex": complex, "object": object}
            # A bool is an int in Python, but no stub may say so.
            if name == "int" and isinstance(value, bool):
                return False
            kind = known.get(name) or getattr(module, name, None) or getattr(cuox_bind, name)
            return isinstance(value, kind)
        case other:
            raise AssertionError(ast.dump(other))


def shown(stub: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in stub.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.annotation


def test_variables(written):
    module, stub = written
    variables = {
        name: annotation
        for name, annotation in shown(stub)
        if not isinstance(annotation, ast.Name) or annotation.id != "Final"
    }
    assert {
        "number",
        "mark",
        "title",
        "edited",
        "room",
        "build",
        "place",
        "nowhere",
        "row",
        "call",
        "z",
        "limit",
    } <= set(variables)
    for name, annotation in variables.items():
        value = getattr(module, name)
        assert fits(module, value, annotation), (name, value, ast.unparse(annotation))


def test_fields(written):
    module, stub = written
    (record,) = [node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "whole"]
    getters = [
        node
        for node in record.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(it, ast.Name) and it.id == "property" for it in node.decorator_list)
    ]
    assert len(getters) == 21
    edit = bytearray(b"e\0")
    filled = module.whole(
        name="n",
        edit=edit,
        link=module.dot(1, 2),
        owner=module.lamp_new(),
        call=lambda name, n, data: n,
        any=edit,
        data=b"d",
        size=1,
        from_=2,
    )
    for made in (module.whole(), filled):
        for getter in getters:
            value = getattr(made, getter.name)
            assert getter.returns and fits(module, value, getter.returns), (
                getter.name,
                value,
                ast.unparse(getter.returns),
            )


def test_results(written):
    module, stub = written
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    called = [name for name, node in functions.items() if not node.args.args]
    assert len(called) == 14
    for name in called:
        returns = functions[name].returns
        value = getattr(module, name)()
        assert returns and fits(module, value, returns), (name, value, ast.unparse(returns))


def test_arguments(written):
    module, stub = written
    (take,) = [node for node in stub.body if isinstance(node, ast.FunctionDef) and node.name == "take"]
    said = {argument.arg: ast.unparse(argument.annotation) for argument in take.args.args if argument.annotation}
    assert said == {
        "a": "int",
        "b": "float",
        "text": "Text | None",
        "tint": "shade | int",
        "by_value": "dot | tuple[Any, ...] | dict[str, Any]",
        "one": "dot | tuple[Any, ...] | dict[str, Any] | Address | None",
        "z": "complex",
        "call": "Callable[[str | None, int], int] | None",
    }
    seen = []

    def call(name: str | None, n: int) -> int:
        seen.append((name, n))
        return n

    for by_value, one in ((module.dot(1, 2), module.dot(7, 8)), ((1, 2), (7, 8)), ({"x": 1}, {"x": 7})):
        assert module.take(1, 2.0, "name", module.GREY, by_value, one, 1j, call) == 8
    assert seen == [("name", 7)] * 3


INTERFACE = """\
%module of_records
%newobject copied;
%inline %{
#include <stdlib.h>
typedef struct { double x, y; } Vec;
Vec *copied(const Vec *of) { Vec *made = malloc(sizeof *made); *made = *of; return made; }
long double _Complex half(long double _Complex of) { return of / 2; }
%}
%extend Vec {
  Vec(double both) { Vec *made = malloc(sizeof *made); made->x = made->y = both; return made; }
  ~Vec() { free($self); }
  double dot(const Vec *other, double scale = 1) { return scale * ($self->x * other->x + $self->y * other->y); }
  static int dimensions(void) { return 2; }
  int __eq__(const Vec *other) { return $self->x == other->x && $self->y == other->y; }
  int count(int of) { return of; }
  int count(const char *of) { return of[0]; }
};
"""


def test_members_that_an_interface_file_adds(tmp_path: Path) -> None:
    (tmp_path / "of_records.i").write_text(INTERFACE)
    command = [sys.executable, "-m", "cuox", "bind", "of_records.i", "-o", "of_records.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    program = (
        "import of_records as m\nv = m.Vec(2)\nassert v.dot(v) == 8 and v.dot(m.copied(v), 2) == 16 and v == m.copied(v)\n"
        "assert m.Vec.dimensions() == 2 and v.count(3) == 3 and v.count('a') == 97 and type(m.copied(v)) is m.Vec\n"
    )
    (tmp_path / "use.py").write_text(program)
    ended = subprocess.run([sys.executable, "use.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    stub = ast.parse((tmp_path / "of_records.pyi").read_text())
    (record,) = [node for node in stub.body if isinstance(node, ast.ClassDef)]
    methods = {ast.unparse(node).removesuffix("\n    ...") for node in record.body if isinstance(node, ast.FunctionDef)}
    taken = "Vec | tuple[Any, ...] | dict[str, Any] | Address | None"
    assert {
        "def __init__(self, both: float) -> None:",
        f"def dot(self, other: {taken}, scale: float=1) -> float:",
        "@staticmethod\ndef dimensions() -> int:",
        f"def __eq__(self, other: {taken}) -> int:",
        "def count(self, *args: Any, **kwargs: Any) -> Any:",
    } <= methods
    (copied,) = [node for node in stub.body if isinstance(node, ast.FunctionDef) and node.name == "copied"]
    assert ast.unparse(copied.returns or copied) == "Vec"
    if importlib.util.find_spec("mypy") is None:
        return
    (tmp_path / "reads.py").write_text(program + "reveal_type(v.dot(v))\nreveal_type(m.copied(v))\n")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", "reads.py"]
    said = subprocess.run(mypy, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def test_what_is_not_bound_says_why(tmp_path: Path) -> None:
    header = "long double _Complex half(long double _Complex of);\nint abs(int);\n#define TWICE(x) (2 * (x))\n"
    (tmp_path / "some.h").write_text(header)
    command = [sys.executable, "-m", "cuox", "bind", "some.h", "-l", "c", "-o", "some_of_c.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    names: dict[str, Any] = {"__name__": "some_of_c", "__file__": str(tmp_path / "some_of_c.py")}
    exec((tmp_path / "some_of_c.py").read_text(), names)
    assert names["__getattr__"]("abs")(-3) == 3
    with pytest.raises(AttributeError, match=r"half is not bound: .* long double _Complex by value is not supported"):
        names["__getattr__"]("half")
    with pytest.raises(AttributeError, match="module 'some_of_c' has no attribute 'third'"):
        names["__getattr__"]("third")
