"""Typemaps of SWIG interface files for fields of records and for global variables."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import cuox
import pytest

pytest.importorskip("clang", reason="headers are read with libclang")
HAS_HEADERS = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or not HAS_HEADERS, reason="no C compiler, or no headers of Python"
)

HEADER = """
typedef enum { OAK, PINE } wood;
typedef struct crate {
    int number;
    char label[8];
    double corner[3];
    unsigned layers : 4;
    const int year;
    char *owner;
    wood of;
    struct crate *next;
} crate;
extern int stock;
extern char place[12];
extern const int most;
"""

FILE = r"""
%module crates
%{
#include "crate.h"
int stock = 4;
char place[12] = "yard";
const int most = 9;
int early = 1;
%}
%inline %{
struct above { int number; };
%}
%typemap(in) char label[ANY] (char text[40]) {
    PyObject *bytes = PyUnicode_AsASCIIString($input);
    if (!bytes) SWIG_fail;
    snprintf(text, $1_dim0, "%s", PyBytes_AsString(bytes));
    Py_DECREF(bytes);
    $1 = text;
}
%typemap(out) char label[ANY] { $result = PyUnicode_FromFormat("%s of %d", $1, $1_dim0); }
%typemap(in) double corner[ANY] (double read[3]) {
    for (int i = 0; i < $1_dim0; i++) {
        PyObject *item = PySequence_GetItem($input, i);
        if (!item) SWIG_fail;
        read[i] = PyFloat_AsDouble(item);
        Py_DECREF(item);
    }
    $1 = read;
}
%typemap(memberin) double corner[ANY] { for (int i = 0; i < $1_dim0; i++) $1[i] = -$input[i]; }
%typemap(memberin) unsigned layers { $1 = $input + 1; }
%typemap(in) wood {
    if (!PyUnicode_Check($input)) { PyErr_SetString(PyExc_TypeError, "$symname takes a wood's name"); SWIG_fail; }
    $1 = PyUnicode_ReadChar($input, 0) == 'o' ? OAK : PINE;
}
%typemap(out) wood { $result = PyUnicode_FromString($1 == OAK ? "oak" : "pine"); }
%typemap(out) int number { $result = PyUnicode_FromFormat("no. %d", $1); }
%typemap(check) int number { if ($1 < 0) { PyErr_SetString(PyExc_ValueError, "below none"); SWIG_fail; } }
%typemap(out) const int year { $result = PyLong_FromLong(1900 + $1); }
%typemap(in) char *owner { $1 = PyUnicode_Check($input) ? (char *)"text" : NULL; }
%typemap(varin) int stock {
    long value = PyLong_AsLong($input);
    if (value < 0) { PyErr_SetString(PyExc_ValueError, "no stock"); SWIG_fail; }
    $1 = (int)value;
}
%typemap(varout) char place[ANY] { $result = PyUnicode_FromFormat("%s in %d", $1, $1_dim0); }
%typemap(varout) const int most { $result = PyLong_FromLong(-$1); }
%rename(serial) crate::number;
%include "crate.h"
extern int early;
%typemap(varout) int early { $result = PyUnicode_FromString("late"); }
"""

PROGRAM = """
c = m.crate()
c.serial, c.label, c.corner, c.layers, c.of = 3, "kiln 12345", (1, 2, 3), 5, "oaken"
assert (c.serial, c.label, list(c.corner), c.layers, c.of) == ("no. 3", "kiln 12 of 8", [-1, -2, -3], 6, "oak")
assert c.year == 1900 and "number" not in dir(c)
c.owner = "anyone"
assert c.owner == "text"
c.owner = 4
assert not c.owner
one = m.above()
one.number = -4
assert one.number == -4
for wrong, name, value in ((TypeError, "of", 4), (ValueError, "serial", -1), (TypeError, "label", 4), (TypeError, "corner", 1)):
    try:
        setattr(c, name, value)
        raise RuntimeError(name)
    except wrong as error:
        assert name != "of" or str(error) == "crate_of_set takes a wood's name", error
v = m.cvar
assert (v.stock, v.place, v.most, v.early) == (4, "yard in 12", -9, 1)
v.stock, v.place = 7, "shed"
assert (v.stock, v.place) == (7, "shed in 12")
try:
    v.stock = -1
    raise RuntimeError("stock")
except ValueError as error:
    assert str(error) == "no stock"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "crate.h").write_text(HEADER)
    (tmp_path / "crates.i").write_text(FILE)
    return tmp_path


def test_fields_and_variables_are_converted(folder: Path) -> None:
    m: Any = cuox.bind(None, folder / "crates.i")
    exec(PROGRAM, {"m": m})
    # A pointer to a record has its attributes.
    c, following = m.crate(), m.crate()
    following.of = "oak"
    c.next = following
    assert c.next.of == "oak"
    c.next.of = "pine"
    assert following.of == "pine"


def test_a_written_module_converts_them(folder: Path) -> None:
    (folder / "use.py").write_text("import crates as m\n" + PROGRAM)
    bound = [sys.executable, "-m", "cuox_bind", "crates.i", "-o", "crates.py"]
    done = subprocess.run(bound, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    done = subprocess.run([sys.executable, "use.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    stub = (folder / "crates.pyi").read_text()
    assert "def of(self) -> Any:" in stub and "def layers(self) -> int:" in stub
    assert "def layers(self, value: Any) -> None:" in stub


def test_typemaps_that_do_not_fit_are_named(tmp_path: Path) -> None:
    (tmp_path / "it.i").write_text(
        "%module it\n%typemap(in) double v[ANY] { $1 = NULL; int n = $1_dim0; }\n"
        "%inline %{\nstruct one { double *v; int n; };\n%}\n%immutable;\n"
        "%typemap(out) int n { $result = PyLong_FromLong($1 + 1); }\n%inline %{\nstruct two { int n; };\n%}\n"
    )
    bound = [sys.executable, "-m", "cuox_bind", "it.i", "-o", "it.py"]
    done = subprocess.run(bound, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines() == [
        "it.i:2:1: %typemap(in): $1_dim0: nothing says how many elements there are (so it has no effect on one.v)"
    ]
    program = "import it\nt = it.two(n=1)\nassert t.n == 2\nit.one().n = 3\nt.n = 3\n"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith("AttributeError: two.n cannot be set: the interface file makes it")
