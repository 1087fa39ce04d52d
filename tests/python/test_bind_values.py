"""Values that calls take: records as tuples and dicts, what follows the parameters of `...` functions, and what errors
say.
"""

from __future__ import annotations

import ctypes
import pickle
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

import ctools
import cuox
import numpy as np
import pytest
from cuox_bind._internal import packages

pytestmark = ctools.needs_compiler

HEADER = """
#include <stddef.h>
typedef struct { int x, y; } pair;
typedef struct { pair a; double w; const char *name; } nest;
typedef struct { float m[4]; pair p[2]; } grid;
typedef struct { unsigned a : 3; unsigned b : 5; int c; } bits;
typedef union { int i; float f; } either;
int dist(pair p);
nest same(nest n);
grid same_grid(grid g);
bits same_bits(bits b);
int whole(either e);
int add(int a, int b);
size_t length(const char *text);
int format(char *to, size_t size, const char *how, ...);
void scale(float *data, int n, float by);
void fill(double *out, size_t n);
int each(int (*f)(int), int n);
"""

SOURCE = """
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "values.h"
int dist(pair p) { return p.x * p.x + p.y * p.y; }
nest same(nest n) { return n; }
grid same_grid(grid g) { return g; }
bits same_bits(bits b) { return b; }
int whole(either e) { return e.i; }
int add(int a, int b) { return a + b; }
size_t length(const char *text) { return strlen(text); }
int format(char *to, size_t size, const char *how, ...) { va_list v; va_start(v, how); int n = vsnprintf(to, size, how, v); va_end(v); return n; }
void scale(float *data, int n, float by) { for (int i = 0; i < n; i++) data[i] *= by; }
void fill(double *out, size_t n) { for (size_t i = 0; i < n; i++) out[i] = i; }
int each(int (*f)(int), int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("values")
    (folder / "values.h").write_text(HEADER)
    (folder / "values.c").write_text(SOURCE)
    assert ctools.COMPILER
    subprocess.run(
        [ctools.COMPILER, "-w", "-shared", "-fPIC", f"-I{folder}", "-o", folder / "libvalues.so", folder / "values.c"],
        check=True,
    )
    return folder


@pytest.fixture(scope="module")
def c(folder) -> cuox.Library:
    rules = {"format": {"params": {"to": {"role": "memory", "writable": True}, "size": "input"}}}
    return cuox.bind(folder / "libvalues.so", [folder / "values.h"], rules=rules)


def test_records_from_tuples_and_dicts(c):
    for _ in range(3):
        assert c.dist((3, 4)) == c.dist({"x": 3, "y": 4}) == c.dist(c.pair(3, 4)) == 25
        assert c.dist((3,)) == c.dist({"x": 3}) == 9 and c.dist(()) == 0
        got = c.same(((1, 2), 3.5, b"text"))
        assert (got.a.x, got.a.y, got.w) == (1, 2, 3.5)
        got = c.same({"a": {"y": 7}, "w": 2.5})
        assert (got.a.x, got.a.y, got.w) == (0, 7, 2.5)
        got = c.same_grid(([1, 2, 3, 4], [(1, 2), {"x": 3, "y": 4}]))
        assert list(got.m) == [1, 2, 3, 4] and (got.p[0].y, got.p[1].x) == (2, 3)
        got = c.same_bits((5, 17, -1))
        assert (got.a, got.b, got.c) == (5, 17, -1)
        assert c.whole((3,)) == c.whole({"i": 3}) == 3


def message(call: Any, *args: Any, **keywords: Any) -> str:
    with pytest.raises((TypeError, ValueError, OverflowError)) as raised:
        call(*args, **keywords)
    return str(raised.value)


def test_records_that_do_not_fit(c):
    place = "dist(): parameter 'p' (C 'pair')"
    assert message(c.dist, (1, 2, 3)) == f"{place}: pair() got 3 values, but pair has 2 fields"
    assert message(c.dist, {"x": 1, "z": 2}).startswith(f"{place}: pair() has no field 'z'")
    assert message(c.dist, (1, "a")) == f"{place}: pair.y (C 'int') takes an int, got str 'a'"
    assert message(c.dist, [1, 2]) == f"{place} takes a pair, a tuple or a dict, got list [1, 2]"
    assert message(c.dist, None) == f"{place} takes a pair, a tuple or a dict, got None"
    assert message(c.dist, (2**40, 1)).startswith(f"{place}: pair.x (C 'int') cannot hold {2**40}")
    assert message(c.same_bits, (9, 0, 0)).startswith(
        "same_bits(): parameter 'b' (C 'bits'): bits.a (C 'unsigned int') cannot hold 9 (0 to 7)"
    )


def formatted(c: Any, how: str, *values: Any) -> str:
    room = bytearray(128)
    size = c.format(room, 128, how, *values)
    return room[:size].decode()


@pytest.mark.parametrize(
    ("how", "value", "text"),
    [
        ("%g", np.float32(1.5), "1.5"),
        ("%g", np.float64(2.5), "2.5"),
        ("%g", np.float16(0.5), "0.5"),
        ("%d", np.int8(-3), "-3"),
        ("%d", np.int16(-300), "-300"),
        ("%d", np.int32(-70000), "-70000"),
        ("%ld", np.int64(-(2**40)), str(-(2**40))),
        ("%u", np.uint8(200), "200"),
        ("%lu", np.uint64(2**63 + 1), str(2**63 + 1)),
        ("%d", np.bool_(True), "1"),
        ("%d", True, "1"),
        ("%d", False, "0"),
        ("%Lg", np.longdouble("1.25"), "1.25"),
        ("%g", ctypes.c_float(2.5), "2.5"),
        ("%Lg", ctypes.c_longdouble(1.5), "1.5"),
        ("%d", ctypes.c_short(-4), "-4"),
        ("%c", ctypes.c_char(b"a"), "a"),
        ("%d", ctypes.c_bool(True), "1"),
        ("%s", np.str_("text"), "text"),
        ("%s", np.bytes_(b"text"), "text"),
        ("%s", "text", "text"),
        ("%lu", 2**64 - 1, str(2**64 - 1)),
    ],
)
def test_further_arguments(c, folder, how, value, text):
    assert formatted(c, how, value) == text
    assert formatted(c, f"%d {how} %g {how}", 7, value, 0.5, value) == f"7 {text} 0.5 {text}"
    loaded = cuox.load(folder / "libvalues.so")
    room = bytearray(128)
    assert room[: loaded.format(room, 128, how, value)].decode() == text


def test_further_arguments_that_are_none(c):
    takes = "format(): argument '...[0]' takes a number, text, a buffer or array, a pointer or None, got "
    assert message(formatted, c, "%d", 1 + 2j) == takes + "complex (1+2j)"
    assert message(formatted, c, "%d", np.complex64(1)).startswith(takes + "numpy.complex64")
    assert message(formatted, c, "%d", np.datetime64("2020-01-01")).startswith(takes + "numpy.datetime64")
    assert message(formatted, c, "%d", object()) == takes + "object"
    for nothing in (b"", b"ab", None):
        like = type("Like", (), {"_type_": "c", "value": nothing})()
        text = message(formatted, c, "%d", like)
        assert text.startswith(takes) and "Like" in text
    assert "CFUNCTYPE" in message(formatted, c, "%d", lambda: 0)
    assert "an integer has 64 bits there" in message(formatted, c, "%d", 2**64)
    assert "an integer has 64 bits there" in message(formatted, c, "%d", -(2**63) - 1)


def test_arguments_that_are_missing_or_too_many(c):
    assert message(c.add, 1) == "add() is missing argument 'b': add(a, b)"
    assert message(c.add) == "add() is missing arguments 'a', 'b': add(a, b)"
    assert message(c.add, b=1) == "add() is missing argument 'a': add(a, b)"
    assert message(c.add, 1, 2, 3) == "add() got 3 arguments, expected 2: add(a, b)"
    assert message(c.add, 1, c=2) == "add() has no parameter 'c': add(a, b)"
    assert message(c.add, 1, a=2) == "add() got 'a' twice, by place and by name: add(a, b)"
    assert "format(to, size, how, ...)" in message(c.format)
    assert message(c.pair, 1, 2, 3) == "pair() got 3 values, but pair has 2 fields"


def test_arrays_that_do_not_fit(c):
    single = np.ones(4, np.float32)
    c.scale(single, 4, 2)
    assert (single == 2).all()
    for wrong in (np.ones(4), np.ones(4, np.int32), np.ones(4, ">f4"), np.ones(4, np.float16)):
        text = message(c.scale, wrong, 4, 2)
        assert "float *" in text and "float32" in text and "numpy.ndarray" in text
    locked = np.ones(4, np.float32)
    locked.flags.writeable = False
    assert "writable" in message(c.scale, locked, 4, 2)
    assert "contiguous" in message(c.scale, np.ones(8, np.float32)[::2], 4, 2)


def test_types_without_a_header(folder):
    loaded = cuox.load(folder / "libvalues.so")
    with pytest.raises(TypeError, match=r"^expected a type, got 3: argtypes and restype take"):
        loaded.add.argtypes = [3]
    with pytest.raises(TypeError, match=r"^expected a type, got <class 'int'>"):
        loaded.add.restype = int
    for wrong in (3, "int"):
        with pytest.raises(TypeError, match="argtypes must be a list or tuple of types, or None, got"):
            loaded.add.argtypes = wrong
    with pytest.raises(ValueError, match="gil must be 'auto', 'hold' or 'release', not 'keep'"):
        cuox.load(folder / "libvalues.so", gil="keep")
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'rules'; those of bind\(\) need headers"):
        cuox.load(folder / "libvalues.so", rules={})
    loaded.add.argtypes = ["int", ctypes.c_int]
    assert loaded.add(1, 2) == 3


@pytest.mark.parametrize(
    ("text", "rules", "line", "says"),
    [
        ("int f(int);\nint g(;\n", None, 2, "expected"),
        ("int f(int);\nint g(void)\n\n", None, 2, "expected function body"),
        ("\n\nfoo f(int x);\n", None, 3, "unknown type name 'foo'"),
        ("\n\nint f(int x);\n", {"f": {"params": {"x": "output"}}}, 3, "an output needs a pointer"),
        ("\nint foo_a(int);\nint a(int);\n", {"library": {"prefix": "foo_"}}, 3, "would be called 'a'"),
    ],
)
def test_errors_in_headers_have_a_place(tmp_path, text, rules, line, says):
    header = tmp_path / "wrong.h"
    header.write_text(text)
    with pytest.raises(cuox.BindError, match=says) as raised:
        cuox.bind(None, [header], rules=rules)
    assert (raised.value.file, raised.value.line) == (str(header), line)
    assert f"{header}:{line}" in str(raised.value)


def test_a_header_that_is_not_there(tmp_path):
    with pytest.raises(cuox.BindError, match="not found") as raised:
        cuox.bind(None, [tmp_path / "none.h"])
    assert (raised.value.file, raised.value.line) == (str(tmp_path / "none.h"), None)


def test_bind_errors_pickle():
    again = pickle.loads(pickle.dumps(cuox.BindError("a.h:3: wrong", "a.h", 3)))
    assert (str(again), again.file, again.line) == ("a.h:3: wrong", "a.h", 3)

    class Own(cuox.BindError):
        """One of a program."""

    own = Own("wrong").__reduce__()
    assert own[0] is Own


def test_errors_are_unpickled_without_cuox():
    errors = [
        cuox.CallError("f() failed", "f", 3, "no"),
        cuox.CompileError("wrong", 4, "a.cu", "the log"),
        cuox.NotFoundError("gone", ["/a"], "install it"),
    ]
    errors[0].add_note("once more")
    program = (
        "import pickle, sys\nsys.modules['cuox'] = None\n"
        "for error in pickle.load(sys.stdin.buffer):\n    print(type(error).__name__, error, vars(error))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(errors), capture_output=True, check=False)
    shown = [f"{type(error).__name__} {error} {vars(error)}" for error in errors]
    assert run.stdout.decode().splitlines() == shown, run.stderr


def test_folders_that_python_does_not_see_are_not_searched(monkeypatch, tmp_path):
    monkeypatch.setattr(site, "getusersitepackages", lambda: str(tmp_path))
    for seen in (True, False, None):
        monkeypatch.setattr(site, "ENABLE_USER_SITE", seen)
        assert (str(tmp_path) in packages.site_packages()) == bool(seen)


def test_structures_of_ctypes_by_value(folder):
    class Pair(ctypes.Structure):
        _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))

    loaded = cuox.load(folder / "libvalues.so")
    pair = Pair(3, 4)
    with pytest.raises(
        TypeError,
        match=r"dist\(\): argument '...\[0\]' is a .*Pair, and a structure by value needs a header: bind\(.*ctypes.pointer",
    ):
        loaded.dist(pair)
    for types in ([Pair], (Pair,)):
        with pytest.raises(TypeError, match="got the structure Pair: structures by value need a header: bind"):
            loaded.dist.argtypes = types
    with pytest.raises(TypeError, match="got the structure Pair"):
        loaded.dist.restype = Pair
    room = bytearray(128)
    assert int(room[: loaded.format(room, 128, "%p", ctypes.pointer(pair))], 16) == ctypes.addressof(pair)


def test_further_arguments_that_are_records(c):
    # A record of eight bytes is passed as C passes a `long`.
    assert formatted(c, "%d %lx %d", 7, c.pair(3, 4), 8) == "7 400000003 8"


def test_an_array_without_dimensions_is_a_number_among_further_arguments(c):
    assert formatted(c, "%d %g", np.array(3), np.array(0.5, np.float32)) == "3 0.5"


def test_a_small_number_is_no_address_of_a_record(folder):
    header = "typedef struct { int x, y; } spot;\nint sum(const spot *p);\nvoid grow(spot *p);\nint small(void *p);\n"
    source = "int sum(const spot *p) { return p->x + p->y; }\nvoid grow(spot *p) { p->x++; }\nint small(void *p) { return (int)(long)p; }\n"
    (folder / "spot.h").write_text(header)
    (folder / "spot.c").write_text(f"{header}{source}")
    subprocess.run(
        [ctools.COMPILER, "-w", "-shared", "-fPIC", "-o", folder / "libspot.so", folder / "spot.c"], check=True
    )
    rules = {"sum": {"params": {"p": "memory"}}}
    spots = cuox.bind(folder / "libspot.so", headers=[folder / "spot.h"], rules=rules)
    for number in (1, 5, 4095, np.int64(5)):
        with pytest.raises(
            ValueError, match=rf"sum\(\): parameter 'p' .*must be memory or its address, got {int(number)}"
        ):
            spots.sum(number)
    assert spots.sum(spots.spot(3, 4)) == 7
    # Other pointers have numbers that mean something.
    assert spots.small(5) == 5
