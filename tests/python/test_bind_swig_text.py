"""SWIG interface files: macros in their text, and text of `wchar_t`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuox
import pytest

pytest.importorskip("clang", reason="headers are read with libclang")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

Bind = Callable[..., Any]


@pytest.fixture
def bind(tmp_path: Path) -> Bind:
    """Bind the text of an interface file, with other files beside it."""

    def bound(text: str, **files: str) -> Any:
        for name, content in files.items():
            (tmp_path / name.replace("_dot_", ".")).write_text(content)
        (tmp_path / "it.i").write_text(text)
        return cuox.bind(None, tmp_path / "it.i")

    return bound


def test_macros_make_declarations(bind: Bind) -> None:
    m = bind(
        "%module it\n%{\nint get_width(void) { return 3; }\nint get_height(void) { return 4; }\nint sum(int a, int b) { return a + b; }\n%}\n"
        "#define GETTER(what) int get_ ## what(void);\nGETTER(width)\nGETTER(height)\n"
        "#define OF(T) T\nOF(int) sum(OF(int) a, OF(int) b = TWICE(21));\n"
        "#define TWICE(x) (2 * (x))\n%constant int SIX = TWICE(3);\n#define QUOTED(x) #x\n%constant char *WORD = QUOTED(hello);\n"
        "#define EMPTY() 5\n#define FIVE EMPTY()\n"
    )
    assert (m.get_width(), m.get_height(), m.SIX, m.WORD, m.FIVE) == (3, 4, 6, "hello", 5)
    assert m.sum(1, 2) == 3


def test_macros_in_code(bind: Bind) -> None:
    m = bind(
        "%module it\n%define FIELDS\n  int a;\n  double b;\n%enddef\n"
        "%inline %{\n#ifdef SWIG\n#define PACK(T) T\n#define RECORD(name) struct name { FIELDS };\n"
        "#else\n#define PACK(T) T __attribute__((packed))\n#define RECORD(name) struct name { int a; double b; };\n#endif\n"
        "RECORD(pair)\n#define MAKE(name, value) int name(void) { return value; }\nMAKE(one, 1) MAKE(two, 2)\n"
        "double add(struct pair p) { return p.a + p.b; }\n"
        '#if __has_include("not_there.h")\nint never(void);\n#else\nint always(void) { return 7; }\n#endif\n%}\n'
    )
    assert m.add({"a": 1, "b": 2.5}) == 3.5
    assert (m.one(), m.two(), m.always()) == (1, 2, 7)
    assert "never" not in m


def test_macros_name_files_and_roles(bind: Bind) -> None:
    m = bind(
        '%module it\n%include cstring.i\n#define IN_QUOTES(x) #x\n%include IN_QUOTES(part.h)\n%{\n#include "part.h"\n%}\n'
        "#define ROOM (4 * 4)\n#define SIZE 16\n%cstring_bounded_output(char *name, SIZE);\n"
        '%inline %{\nvoid say(char *name) { strcpy(name, "so"); }\n%}\n',
        part_dot_h="static int part(void) { return 9; }\n",
    )
    assert m.part() == 9 and m.say() == "so"


def test_lines_and_errors_of_the_preprocessor(bind: Bind) -> None:
    m = bind("%module it\n#define LINE __LINE__\n%constant int HERE = LINE;\n# // nothing\n#pragma SWIG nowarn=1\n")
    assert m.HERE == 3
    with pytest.raises(cuox.BindError, match=r'it.i:3:1: #error "stop here"'):
        bind('%module it\n#if 1\n#error "stop here"\n#endif\n')
    assert bind('%module it\n#pragma SWIG cpperraswarn=1\n#error "go on"\n#define THREE 3\n').THREE == 3


def test_constants_in_records(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\nstruct sized { int n;\n#ifdef SWIG\n static const int LARGEST = 12;\n#endif\n};\n%}\n"
    )
    assert m.sized.LARGEST == 12 and m.sized(n=2).n == 2


def test_records_inside_records_are_extended(bind: Bind) -> None:
    m = bind(
        "%module it\n%extend outer_inner {\n  int twice(void) { return 2 * $self->n; }\n};\n"
        "%inline %{\ntypedef struct { int a; struct { int n; } inner; } outer;\n%}\n"
    )
    it = m.outer(inner={"n": 21})
    assert m.outer_inner_twice(it.inner) == 42


def test_an_array_has_the_attributes_of_its_first_record(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\nstruct point { int x, y; };\nstruct point points[2] = {{1, 2}, {3, 4}};\nint sum(void) { return points[0].x + points[1].x; }\n%}\n"
    )
    assert m.cvar.points.x == 1 and m.cvar.points[1].y == 4
    m.cvar.points.x = 5
    assert m.sum() == 8
    with pytest.raises(AttributeError):
        _ = m.cvar.points.z


def test_text_of_wchar_t(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cwstring.i\n%cwstring_bounded_output(wchar_t *out, 20);\n%cwstring_chunk_output(wchar_t *four, 4);\n"
        "%cwstring_bounded_mutable(wchar_t *cut, 4);\n%cwstring_mutable(wchar_t *more, 8);\n%cwstring_output_maxsize(wchar_t *most, int n);\n"
        "%cwstring_output_withsize(wchar_t *some, int *count);\n%cwstring_output_allocate(wchar_t **made, free(*$1));\n"
        "%cwstring_output_allocate_size(wchar_t **sized, size_t *length, free(*$1));\n%cwstring_input_binary(wchar_t *all, int size);\n"
        '%inline %{\n#include <wchar.h>\nvoid greet(wchar_t *out) { wcscpy(out, L"gr\\u00fc\\u00df \\U0001F600"); }\n'
        "void letters(wchar_t *four) { for (int i = 0; i < 4; i++) four[i] = i ? L'a' + i : 0; }\n"
        'void end(wchar_t *cut) { wcscat(cut, L"!"); }\nvoid add(wchar_t *more) { wcscat(more, L"-\\u20ac"); }\n'
        "void fill(wchar_t *most, int n) { wmemset(most, L'x', n); }\nvoid half(wchar_t *some, int *count) { wmemset(some, L'y', *count); *count /= 2; }\n"
        'int make(wchar_t **made) { *made = wcsdup(L"new"); return 7; }\n'
        "void give(wchar_t **sized, size_t *length) { *sized = calloc(3, sizeof **sized); **sized = L'z'; *length = 3; }\n"
        "int zeros(wchar_t *all, int size) { int n = 0; while (size--) n += !all[size]; return n; }\n"
        "size_t length(const wchar_t *text) { return text ? wcslen(text) : 99; }\nconst wchar_t *same(const wchar_t *text) { static wchar_t kept[20]; return wcscpy(kept, text); }\n%}\n"
    )
    assert m.greet() == "grüß 😀" and m.letters() == "\0bcd"
    assert m.end("ab") == "ab!" and m.end("abcdef") == "abcd!" and m.add("ä") == "ä-€"
    assert m.fill(3) == "xxx" and m.half(6) == "yyy"
    assert m.make() == [7, "new"] and m.give() == "z\0\0"
    assert m.zeros("a\0b\0") == 2
    assert m.length("äöü😀") == 4 and m.same("tuʍop") == "tuʍop"


def test_text_of_wchar_t_in_headers_is_refused_by_name(bind: Bind) -> None:
    with pytest.raises(cuox.BindError, match="%cwstring_mutable is about functions that the interface file declares"):
        bind(
            '%module it\n%include cwstring.i\n%cwstring_mutable(wchar_t *text);\n%{\n#include "wide.h"\n%}\n%include "wide.h"\n',
            wide_dot_h="#include <wchar.h>\nstatic void change(wchar_t *text) { *text = 1; }\n",
        )


def test_the_low_level_module(tmp_path: Path) -> None:
    (tmp_path / "it.i").write_text("%module it\n%inline %{\nint two(void) { return 2; }\nint level = 3;\n%}\n")
    run = lambda *words: subprocess.run(
        [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    made = run("-m", "cuox", "bind", "it.i", "-o", "it.py")
    assert made.returncode == 0, made.stderr
    done = run("-c", "import _it; print(_it.two(), _it.cvar.level, _it.__name__); _it.three")
    assert done.stdout == "2 3 _it\n"
    assert done.stderr.endswith("AttributeError: module '_it' has no attribute 'three'\n")


def test_text_and_characters_of_records(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\ntypedef struct { char *name; const char *fixed; char grade; char tags[2][8]; char bits : 4; } person;\n"
        'int length(person *p) { return strlen(p->name); }\nvoid end(person *p) { free(p->name); p->name = 0; }\nchar *word = "old";\n%}\n'
    )
    it = m.person()
    assert it.name is None
    it.name, it.fixed, it.grade, it.bits = "Ada", "kept", "A", 3
    assert (it.name, it.fixed, it.grade, it.bits) == ("Ada", "kept", "A", 3)
    it.grade = 66
    assert it.grade == "B" and m.length(it) == 3
    m.end(it)  # text that is written into a record is C's to free
    assert it.name is None
    with pytest.raises(ValueError, match="one character"):
        it.grade = "AB"
    m.cvar.word = "new"
    assert m.cvar.word == "new"


def test_fields_that_cannot_be_set(bind: Bind) -> None:
    m = bind(
        "%module it\n%immutable pair::a;\n%inline %{\ntypedef struct { int a, b; } pair;\npair make(void) { return (pair){1, 2}; }\n%}\n"
        "%immutable;\n%inline %{\nstruct sealed { int n; };\n%}\n%mutable;\n"
    )
    it = m.make()
    it.b = 5
    assert (it.a, it.b) == (1, 5)
    for record, name in ((it, "a"), (m.sealed(n=3), "n")):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(record, name, 4)
    assert m.sealed(n=3).n == 3


def test_names_of_c_that_are_words_of_python(bind: Bind) -> None:
    m = bind(
        "%module it\n%include typemaps.i\n%apply float *INPUT { float *in };\n%apply int *INOUT { int from[1] };\n"
        "%inline %{\nfloat twice(float *in) { return 2 * *in; }\nvoid next(int from[1]) { ++*from; }\ntypedef struct { int class; } lesson;\n%}\n"
    )
    assert m.twice(1.5) == 3 and m.next(4) == 5
    it = m.lesson()
    it._class = 4
    assert it._class == 4


def test_python_code_is_exported(tmp_path: Path) -> None:
    (tmp_path / "it.i").write_text(
        "%module it\n%inline %{\nint one(void) { return 1; }\n%}\n%pythoncode %{\ndef two():\n    return one() + 1\nTHREE = 3\n_four = 4\n%}\n"
    )
    words = ("-m", "cuox", "bind", "it.i", "-o", "it.py")
    subprocess.run([sys.executable, *words], cwd=tmp_path, check=True)
    code = "from it import *\nprint(one(), two(), THREE, '_four' in dir())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "1 2 3 False\n", done.stderr


def test_code_that_runs_at_first_stands_behind_all_other(bind: Bind) -> None:
    m = bind(
        "%module it\n%apply int { size_t };\n%init %{\nready = 7;\n%}\n%header %{\nint ready;\n%}\nextern int ready;\n"
        "%inline %{\nsize_t same(size_t n) { return n; }\n%}\n"
    )
    assert m.cvar.ready == 7 and m.same(2**63) == 2**63


def test_docstrings_begin_with_the_call(bind: Bind) -> None:
    m = bind(
        '%module it\n%feature("autodoc", "0") zero;\n%feature("autodoc", "1");\n%feature("docstring") one "Does it.";\n'
        '%feature("autodoc", "2") two;\n%feature("autodoc", "three(a, b)") three;\n%feature("autodoc", "") none;\n'
        "%inline %{\nstruct Pot { int a; };\nint zero(int x, const char *y) { return 1; }\nint one(int x, const char *y) { return 1; }\n"
        "struct Pot *two(int x) { return 0; }\nvoid three(int x) { }\nvoid none(void) { }\nvoid rest(double y) { }\n%}\n"
    )
    assert m.zero.__doc__ == "zero(x, y) -> int" and m.rest.__doc__ == "rest(double y)" and m.none.__doc__ is None
    assert m.one.__doc__ == "one(int x, const char *y) -> int\nDoes it." and m.three.__doc__ == "three(a, b)"
    assert m.two.__doc__ == "two(x) -> Pot\n\nParameters\n----------\nx: int"
