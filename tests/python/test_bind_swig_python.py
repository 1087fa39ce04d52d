"""SWIG interface files whose C code uses Python's C API."""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import cuox
import pytest
from cuox_bind._internal import python_code

pytest.importorskip("clang", reason="headers are read with libclang")
HAS_HEADERS = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or not HAS_HEADERS, reason="no C compiler, or no headers of Python"
)

FILE = r"""
%module pots
%include exception.i
%include typemaps.i
%{
#include "pot.h"
static int failed;
static PyObject *PotError;
static PyObject *as_list(const int *v, int n) {
    PyObject *list = PyList_New(n);
    for (int i = 0; i < n; i++) PyList_SetItem(list, i, PyInt_FromLong(v[i]));
    return list;
}
%}
%init %{
    PotError = PyErr_NewException("pots.PotError", NULL, NULL);
    PyModule_AddObject(m, "PotError", Py_NewRef(PotError));
%}

/* Several parameters of one object; what it took is freed, whether or not the call fails. */
%{ static int open_lists = 0; %}
%typemap(in) (int count, const char **names) (int i, PyObject *item = NULL) {
    if (!PyList_Check($input)) SWIG_exception(SWIG_TypeError, "$symname: a list for $1_name and $2_name");
    $1 = (int)PyList_Size($input);
    $2 = ($2_ltype)malloc(($1 + 1) * sizeof(char *));
    open_lists++;
    for (i = 0; i < $1; i++) {
        item = PyList_GetItem($input, i);
        $2[i] = PyUnicode_AsUTF8(item);
        if (!$2[i]) SWIG_fail;
    }
}
%typemap(freearg) (int count, const char **names) { if ($2) { free((void *)$2); open_lists--; } }
%apply (int count, const char **names) { (int n, const char **list) };
%inline %{
int letters(int count, const char **names, char letter) {
    int found = 0;
    for (int i = 0; i < count; i++) for (const char *at = names[i]; *at; at++) found += *at == letter;
    return found;
}
const char *last(int from, int n, const char **list) { return from < n ? list[n - 1] : NULL; }
int lists(void) { return open_lists; }
%}

/* Outputs, which make a list of themselves and of the result. */
%typemap(in, numinputs=0) int *rest (int kept) { kept = 0; $1 = &kept; }
%typemap(argout) int *rest { $result = SWIG_AppendOutput($result, PyLong_FromLong(*$1)); }
%inline %{
enum Level { LOW, HIGH = 4 };
int divide(int a, int b, int *rest) { *rest = a % b; return a / b; }
void only(int a, int *rest) { *rest = a + 1; }
char *named(int *rest) { *rest = 5; return "five"; }
enum Level level(int *rest) { return HIGH; }
double halves(double a, int *OUTPUT, int *rest) { *OUTPUT = 1; *rest = 2; return a / 2; }
struct Pot *tallest(int *rest) { static struct Pot kept = {9, 2}; *rest = 1; return &kept; }
%}

/* Objects of records. */
%typemap(in) struct Pot *either (void *found = NULL) {
    if (PyLong_Check($input)) $1 = pot_of((int)PyLong_AsLong($input));
    else if (!SWIG_IsOK(SWIG_ConvertPtr($input, &found, $1_descriptor, 0)))
        SWIG_exception_fail(SWIG_TypeError, "argument $argnum of $symname is a Pot or an int");
    else $1 = found;
}
%typemap(out) struct Pot *fresh { $result = SWIG_NewPointerObj($1, $descriptor(struct Pot *), SWIG_POINTER_OWN); }
%inline %{
struct Lid { int width; };
int height(struct Pot *either) { return either ? either->height : -1; }
struct Pot *fresh(int height) { struct Pot *made = calloc(1, sizeof *made); made->height = height; return made; }
%}

/* Functions of a header. */
%typemap(in) int millimetres { $1 = (int)(PyFloat_AsDouble($input) * 10); if (PyErr_Occurred()) SWIG_fail; }
%rename(fill_pot) pot_fill;
%include "pot.h"
%clear int millimetres;

%typemap(check) (double low, double high) { if ($1 > $2) SWIG_exception(SWIG_ValueError, "$1_name > $2_name"); }
%fragment("twice", "header") { static long twice(long a) { return 2 * a; } }
%typemap(in, fragment="twice") long doubled "$1 = twice(PyLong_AsLong($input));"
%typemap(out, noblock=1) float rounded { %set_output(SWIG_From_long((long)($1 + .5f))); }
%typemap(in) double at[ANY] (double temp[$1_dim0]) {
    for (int i = 0; i < $1_dim0; i++) {
        PyObject *item = PySequence_GetItem($input, i);
        if (!item) SWIG_fail;
        temp[i] = PyFloat_AsDouble(item);
        Py_DECREF(item);
    }
    if (PyErr_Occurred()) SWIG_fail;
    $1 = temp;
}
%typemap(in) short silent { SWIG_fail; }
%inline %{
double between(double low, double high) { return high - low; }
long same(long doubled, long other) { return doubled + other; }
float rounded(float x) { return x; }
double sum(double at[3]) { return at[0] + at[1] + at[2]; }
int quiet(short silent) { return silent; }
PyObject *pair(PyObject *a, int b) { return b < 0 ? PyErr_Format(PyExc_KeyError, "%d", b) : PyTuple_Pack(2, a, a); }
int size(PyObject *a) { return (int)PyObject_Size(a); }
void call(PyObject *a) { Py_XDECREF(PyObject_CallNoArgs(a)); }
%}
%typemap(out) int *three { $result = as_list($1, 3); }
%inline %{ int *three(void) { static int kept[3] = {1, 2, 3}; return kept; } %}

/* Calls in code of the file, and further arguments. */
%exception {
    failed = 0;
    $action
    if (failed) { PyErr_SetString(PotError, "$symname failed"); SWIG_fail; }
}
%inline %{
int checked(int a) { failed = a < 0; return a; }
void checked_too(int a) { failed = a < 0; }
%}
%extend Pot {
    int grow(int by) { failed = by < 0; return $self->height += by; }
}
%noexception;
%inline %{ int unchecked(int a) { failed = a < 0; return a; } %}
%exception once { $action if (result == 3) SWIG_exception(SWIG_IndexError, "three"); }
%inline %{ int once(int a) { return a; } %}
%typemap(in) (...) { $1 = NULL; }
%feature("action") joined { result = (int)PyTuple_Size(varargs) * arg1; }
%inline %{ int joined(int by, ...) { return by; } %}
"""
HEADER = """
#ifndef POT_H
#define POT_H
struct Pot { int height, width; };
static struct Pot *pot_of(int height) { static struct Pot kept; kept.height = height; return &kept; }
static int pot_fill(const struct Pot *pot, int millimetres) { return pot->height - millimetres; }
#endif
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pots")
    (made / "pots.i").write_text(FILE)
    (made / "pot.h").write_text(HEADER)
    return made


@pytest.fixture(scope="module")
def pots(folder: Path) -> Any:
    return cuox.bind(None, folder / "pots.i")


def test_several_parameters_of_one_object(pots: Any) -> None:
    assert pots.letters(["aba", "a"], "a") == 3 and pots.letters(count=[], letter="a") == 0
    assert pots.last(0, ["x", "y"]) == "y" and pots.last(2, ["x", "y"]) is None
    with pytest.raises(TypeError, match="letters: a list for count and names"):
        pots.letters("aba", "a")
    with pytest.raises(TypeError, match="bad argument type"):
        pots.last(0, ["x", 1])
    with pytest.raises(TypeError, match=r"missing argument 'letter': letters\(count, letter\)"):
        pots.letters([])
    assert pots.lists() == 0


def test_outputs_of_code(pots: Any) -> None:
    assert pots.divide(17, 5) == [3, 2] and pots.only(3) == 4 and pots.named() == ["five", 5]
    assert pots.level() == [pots.HIGH, 0] and pots.halves(3) == [1.5, 2, 1] and pots.three() == [1, 2, 3]
    pot, rest = pots.tallest()
    assert (pot.height, pot.width, rest) == (9, 2, 1) and isinstance(pot, pots.Pot)


def test_objects_of_records(pots: Any) -> None:
    pot = pots.fresh(4)
    assert pots.height(pot) == 4 and pots.height(7) == 7 and pots.height(None) == -1 and pot.thisown
    for wrong in (pots.Lid(), "pot"):
        with pytest.raises(TypeError, match="argument 1 of height is a Pot or an int"):
            pots.height(wrong)
    del pot
    gc.collect()


def test_functions_of_headers(pots: Any) -> None:
    pot = pots.Pot()
    pot.height = 30
    assert pots.fill_pot(pot, 1.5) == 15
    with pytest.raises(TypeError, match="must be real number"):
        pots.fill_pot(pot, "1")


def test_checks_fragments_and_arrays(pots: Any) -> None:
    assert pots.between(1, 3) == 2 and pots.same(4, 1) == 9 and pots.rounded(2.7) == 3 and pots.sum((1, 2, 3.5)) == 6.5
    with pytest.raises(ValueError, match="low > high"):
        pots.between(3, 1)
    with pytest.raises(IndexError):
        pots.sum([1])
    with pytest.raises(TypeError, match=r"quiet\(\): the interface file's code refuses the arguments"):
        pots.quiet(1)


def test_objects_as_they_are(pots: Any) -> None:
    thing = object()
    before = sys.getrefcount(thing)
    assert pots.pair(thing, 1) == (thing, thing) and pots.size("abc") == 3
    called = []
    pots.call(lambda: called.append(1))
    assert called == [1] and sys.getrefcount(thing) == before
    with pytest.raises(KeyError, match="-1"):
        pots.pair(thing, -1)
    with pytest.raises(TypeError, match="has no len"):
        pots.size(3)
    with pytest.raises(ZeroDivisionError):
        pots.call(lambda: 1 // 0)


def test_machine_code_passes_objects_and_raises(pots: Any) -> None:
    thing, names = object(), ["ab", "c"]
    before = sys.getrefcount(thing), sys.getrefcount(names), sys.getrefcount("".join(names))
    for _ in range(200):
        assert pots.pair(thing, 1) == (thing, thing) and pots.letters(names, "b") == 1 and pots.last(0, names) == "c"
        assert (
            pots.between(1, 3) == 2
            and pots.only(3) == 4
            and pots.divide(17, 5) == [3, 2]
            and pots.checked_too(1) is None
        )
        assert pots.rounded(2.7) == 3 and pots.height(7) == 7
        with pytest.raises(KeyError):
            pots.pair(thing, -1)
        with pytest.raises(ValueError, match="low > high"):
            pots.between(3, 1)
        with pytest.raises(TypeError, match="a list for count and names"):
            pots.letters("aba", "a")
        with pytest.raises(pots.PotError):
            pots.checked_too(-1)
    assert (sys.getrefcount(thing), sys.getrefcount(names), sys.getrefcount("".join(names))) == before
    assert pots.lists() == 0


def test_calls_in_code(pots: Any) -> None:
    assert pots.checked(3) == 3 and pots.checked_too(1) is None and pots.unchecked(-1) == -1 and pots.once(2) == 2
    for function in (pots.checked, pots.checked_too):
        with pytest.raises(pots.PotError, match=f"{function.__name__} failed"):
            function(-1)
    pot = pots.Pot()
    assert pot.grow(3) == 3
    with pytest.raises(pots.PotError, match="Pot_grow failed"):
        pot.grow(-1)
    with pytest.raises(IndexError, match="three"):
        pots.once(3)
    assert pots.joined(5) == 0 and pots.joined(5, "a", None) == 10


def test_a_written_module(folder: Path) -> None:
    command = [sys.executable, "-m", "cuox_bind", "pots.i", "-o", "pots.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = (
        "import pots, _pots\nprint(pots.letters(['aba'], 'b'), pots.divide(17, 5), pots.fresh(4).height)\n"
        "try:\n    pots.checked(-1)\nexcept _pots.PotError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["1 [3, 2] 4", "checked failed"], done.stderr
    stub = (folder / "pots.pyi").read_text()
    for line in (
        "def letters(count: object, letter: str | bytes | int) -> int:",
        "def divide(a: int, b: int) -> Any:",
        "def joined(by: int, *args: object) -> int:",
        "def pair(a: object, b: int) -> Any:",
    ):
        assert line in stub


def bound(folder: Path, text: str) -> Any:
    (folder / "it.i").write_text("%module it\n" + text)
    return cuox.bind(None, folder / "it.i")


def test_code_that_includes_the_header_itself(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(
        "#include <Python.h>\nstatic PyObject *same(PyObject *a) { return Py_NewRef(a); }\n"
        "static PyTypeObject *type_of(PyObject *a) { return (PyTypeObject *)Py_NewRef(Py_TYPE(a)); }\n"
    )
    m = bound(
        tmp_path,
        '%{\n#define PY_SSIZE_T_CLEAN\n#include "Python.h"\n#include "own.h"\n%}\n%include "own.h"\n'
        "%inline %{\nPy_ssize_t size(PyObject *a) { return PyObject_Size(a); }\n/* PyObject */\n%}\n",
    )
    assert m.same("a") == "a" and m.size("abc") == 3
    m = bound(tmp_path, "%{\n#include <Python.h>\n%}\n%inline %{\nint one(void) { return 1; }\n%}\n")
    assert m.one() == 1 and "PyObject_Size" not in dir(m)


def test_several_outputs_are_a_list(tmp_path: Path) -> None:
    m = bound(
        tmp_path,
        "%include typemaps.i\n%inline %{\nint both(int *OUTPUT, int *INOUT) { *OUTPUT = 3; return ++*INOUT; }\n%}\n",
    )
    # The first calls take the generic path, later ones machine code.
    for _ in range(100):
        assert m.both(1) == [2, 3, 2]
    made = [m.both(k) for k in range(300)]
    assert made == [[k + 1, 3, k + 1] for k in range(300)] and len({id(one) for one in made}) == 300


def test_the_nearest_typemap_is_taken(tmp_path: Path) -> None:
    m = bound(
        tmp_path,
        "%{\ntypedef int metres;\n%}\ntypedef int metres;\n%typemap(in) int { $1 = 1; }\n%typemap(in) metres { $1 = 2; }\n"
        '%typemap(in) int own { $1 = 3; }\n%typemap(in) char * { $1 = strdup("made"); }\n'
        '%typemap(newfree) char * "my_free($1);"\n%newobject grown;\n'
        "%inline %{\nint plain(int a) { return a; }\nint typed(metres a) { return a; }\nint named(int own) { return own; }\n"
        "int ended = 0;\nvoid my_free(char *a) { ended++; free(a); }\nchar *grown(const char *a) { return strdup(a); }\n"
        "int length(char *a) { int n = strlen(a); free(a); return n; }\nlong other(long a, ...) { return a; }\n%}\n"
        "%typemap(in) int;\n%inline %{\nint after(int a) { return a; }\n%}\n",
    )
    assert (m.plain(9), m.typed(9), m.named(9), m.after(9), m.length(9), m.other(9)) == (1, 2, 3, 9, 4, 9)
    assert m.grown("text") == "text" and m.cvar.ended == 1
    with pytest.raises(TypeError, match="'a'"):
        m.grown(9)


def test_a_handle_is_ended_by_code(tmp_path: Path) -> None:
    m = bound(
        tmp_path,
        "%{\ntypedef struct pan pan;\n%}\ntypedef struct pan pan;\n"
        "%exception { $action if (PyErr_Occurred()) SWIG_fail; }\n%inline %{\n"
        "pan *pan_new(int a) { int *made = malloc(sizeof *made); *made = a; return (pan *)made; }\n"
        'void pan_free(pan *a) { if (*(int *)a) PyErr_SetString(PyExc_ValueError, "not empty"); free(a); }\n%}\n',
    )
    with pytest.raises(ValueError, match="not empty"):
        m.pan_new(1).close()
    m.pan_new(0).close()
    caught = []
    before, sys.unraisablehook = sys.unraisablehook, caught.append
    try:
        m.pan_new(1)
    finally:
        sys.unraisablehook = before
    assert [str(one.exc_value) for one in caught] == ["not empty"]


def test_errors_of_code_have_places(tmp_path: Path) -> None:
    with pytest.raises(cuox.CompileError, match=r"it\.i:3.*nonsense"):
        bound(tmp_path, "%typemap(in) int a {\n  $1 = nonsense;\n}\n%inline %{\nint f(int a) { return a; }\n%}\n")
    function = "\n%inline %{\nint f(int a) { return a; }\n%}\n"
    for text, message in (
        ("%typemap(in) int a { $1 = $2; }", r"it\.i:2.*%typemap\(in\): there is no \$2"),
        ("%typemap(in) int a { $1 = $nothing; }", r"it\.i:2.*'\$nothing' is not supported"),
        ("%typemap(argout) int a { $result = $input; }", r"it\.i:2.*\$input needs a %typemap\(in\)"),
        ("%typemap(globalin) int a { }", r"it\.i:2.*%typemap\(globalin\) is not supported"),
        ("%typemap(in) int a = int b;", r"it\.i:2.*no %typemap\(in\) has such parameters"),
    ):
        with pytest.raises(cuox.BindError, match=message):
            bound(tmp_path, text + function)
    beside = "%typemap(argout) int *a { }\n%inline %{\nvoid *f(int *a) { return a; }\n%}\n"
    with pytest.raises(cuox.BindError, match=r"f\(\) returns void \* beside what %typemap\(argout\) adds"):
        bound(tmp_path, beside)


def test_python_headers_that_are_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "%typemap(in) int a { $1 = 4; }\n%inline %{\nint f(int a) { return a; }\n%}\n"
    with monkeypatch.context() as patched:
        patched.setattr(python_code.sysconfig, "get_path", lambda _name: str(tmp_path))
        with pytest.raises(cuox.NotFoundError, match=re.escape(f"no {tmp_path}/Python.h") + ".*python3-dev"):
            bound(tmp_path, text)
    assert bound(tmp_path, text).f("anything") == 4


def test_a_library_of_another_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        python_code, "PRELUDE", python_code.PRELUDE.replace("Py_Version >> 16 ==", "Py_Version >> 15 ==")
    )
    m = bound(tmp_path, "%typemap(in) int a { $1 = 4; }\n%inline %{\nint f(int a) { return a; }\n%}\n")
    with pytest.raises(ImportError, match=r"compiled for Python 3\.\d+"):
        m.f(1)


def test_deep_nests_and_long_chains_of_code(tmp_path: Path) -> None:
    text = "%module deep\n%{ static int f(int x) { return x; } %}\n"
    file = tmp_path / "deep.i"
    nested = "%arg(" * 30_000 + "1" + ")" * 30_000
    file.write_text(f"{text}%typemap(in) int x %{{ $1 = {nested}; %}}\nint f(int x);\n")
    with pytest.raises(cuox.BindError, match=r"%arg\( is inside of more than 64 others"):
        cuox.bind(None, file)
    chain = "".join(f'%fragment("f{n}", "header", fragment="f{n + 1}") %{{ %}}\n' for n in range(20_000))
    last = '%fragment("f20000", "header") %{ static int two = 2; %}\n'
    file.write_text(f'{text}{chain}{last}%typemap(in, fragment="f0") int x %{{ $1 = two; %}}\nint f(int x);\n')
    assert cuox.bind(None, file).f(None) == 2
