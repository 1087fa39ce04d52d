"""SWIG interface files of C: what each kind of directive does, on small files of their own."""

from __future__ import annotations

import gc
import re
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox_bind import _native

pytest.importorskip("clang", reason="headers are read with libclang")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")

Bind = Callable[..., Any]


@pytest.fixture
def bind(tmp_path: Path) -> Bind:
    """Bind the text of an interface file, with other files beside it."""

    def bound(text: str | bytes, **files: str) -> Any:
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        (tmp_path / "it.i").write_bytes(text if isinstance(text, bytes) else text.encode())
        return cuox.bind(None, tmp_path / "it.i")

    return bound


def test_parameters_are_named_as_typemaps(bind: Bind) -> None:
    m = bind(
        "%module it\n%include typemaps.i\n%{\n"
        "void less(int *a, int *b, int *c) { *c = *a - *b; }\n"
        "double half(double *x) { return *x / 2; }\nvoid next(int *x) { ++*x; }\n%}\n"
        "void less(int *INPUT, int *INPUT, int *OUTPUT);\ndouble half(double *INPUT);\nvoid next(int *INOUT);\n"
    )
    assert m.less(9, 4) == 5
    assert m.half(3) == 1.5 and m.half(np.float64(5)) == 2.5 and m.half(np.array([7.0])) == 3.5
    assert m.next(6) == 7
    with pytest.raises(OverflowError):
        m.less(1 << 40, 0)
    with pytest.raises(TypeError, match="half"):
        m.half("text")


def test_typemaps_end_where_they_are_cleared(bind: Bind) -> None:
    m = bind(
        "%module it\n%include typemaps.i\n%apply int *OUTPUT { int *r };\n"
        "%inline %{\nvoid before(int *r) { *r = 3; }\n%}\n%clear int *r;\n"
        "%inline %{\nint after(int *r) { return r == 0; }\n%}\n"
    )
    assert m.before() == 3 and m.after(None) == 1
    m = bind(
        "%module it\n%include typemaps.i\n%{\nvoid give(int *a) { *a = 4; }\nint take(int *a) { return *a; }\n%}\n"
        "%apply int *OUTPUT { int *a };\nvoid give(int *a);\n%apply int *INPUT { int *a };\nint take(int *a);\n"
    )
    assert m.give() == 4 and m.take(6) == 6


def test_values_are_constrained(bind: Bind) -> None:
    m = bind(
        "%module it\n%include constraints.i\n%apply Number POSITIVE { double height };\n%apply Pointer NONNULL { int *at };\n"
        "%inline %{\ndouble twice(double height) { return 2 * height; }\nint read_at(int *at) { return *at; }\n"
        "long long same(long long NONNEGATIVE) { return NONNEGATIVE; }\nint own(int NONZERO) { return NONZERO; }\n%}\n"
    )
    assert m.twice(1.5) == 3 and m.same(0) == 0 and m.own(-2) == -2
    # The messages are SWIG's; a note says which parameter it is.
    for call, bad, error, said in (
        (m.twice, 0, ValueError, "Expected a positive value."),
        (m.twice, float("nan"), ValueError, "Expected a positive value."),
        (m.same, -1, ValueError, "Expected a non-negative value."),
        (m.own, 0, ValueError, "Expected a nonzero value."),
        (m.read_at, None, TypeError, "Received a NULL pointer."),
    ):
        with pytest.raises(error) as info:
            call(bad)
        assert str(info.value) == said
    for _ in range(200):  # machine code, where there is some, does not go around the check
        assert m.own(4) == 4
    with pytest.raises(ValueError, match="nonzero") as info:
        m.own(0)
    assert "other than 0, got 0" in info.value.__notes__[0]


def test_text_that_c_writes(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cstring.i\n#define ROOM 24\n%cstring_bounded_output(char *greeting, ROOM);\n"
        "%cstring_chunk_output(char *chunk, 4);\n%cstring_bounded_mutable(char *grown, 16);\n%cstring_mutable(char *turned);\n"
        "%cstring_mutable(char *longer, 8);\n%cstring_output_withsize(char *part, int *size);\n"
        '%inline %{\nvoid greet(char *greeting) { strcpy(greeting, "good day"); }\n'
        'void four(char *chunk) { memcpy(chunk, "a\\0b", 4); }\nvoid grow(char *grown) { strcat(grown, "!"); }\n'
        'void turn(char *turned) { for (; *turned; turned++) *turned ^= 32; }\nvoid extend(char *longer) { strcat(longer, "-long"); }\n'
        "void some(char *part, int *size) { memset(part, 'x', *size); *size = 3; }\nint length(char *text) { return strlen(text); }\n%}\n"
    )
    assert m.greet() == "good day" and m.four() == "a\0b\0"
    assert m.grow("more") == "more!" and m.extend("a") == "a-long" and m.some(9) == "xxx"
    given = "Text"
    assert m.turn(given) == "tEXT" and given == "Text"
    with pytest.raises(ValueError, match="at most 16 bytes, got 17"):
        m.grow("x" * 17)
    with pytest.raises(TypeError):
        m.turn(None)
    assert m.length("four") == 4 and m.length(bytearray(b"abc\0")) == 3


def test_memory_of_c(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cmalloc.i\n%include cdata.i\n%include cpointer.i\n%allocators(short)\n%allocators(double, real)\n"
        "%cdata(short)\n%pointer_cast(short *, unsigned char *, bytes_of)\n"
        "%inline %{\nvoid fill(short *to, int n) { for (int i = 0; i < n; i++) to[i] = i + 1; }\n"
        "int first(unsigned char *at) { return at[2]; }\n%}\n"
    )
    at = m.malloc_short(6)
    m.fill(at, 3)
    assert m.cdata_short(at, 3) == np.arange(1, 4, dtype=np.int16).tobytes() and m.cdata(at, 2) == b"\1\0"
    m.memmove(at, b"\5\0\6\0")
    assert m.cdata_short(at) == b"\5\0" and m.first(m.bytes_of(at)) == 6
    at = m.realloc_short(at, 100)
    m.free_short(at)
    assert m.sizeof_real == 8 and m.calloc_real()[0] == 0
    with pytest.raises(OverflowError):
        m.malloc_real(-1)


def test_a_list_of_texts(bind: Bind) -> None:
    m = bind(
        "%module it\n%include argcargv.i\n%apply (int ARGC, char **ARGV) { (int count, char **words) };\n"
        "%inline %{\nint letters(int count, char **words) { int n = words[count] ? -1000 : 0;\n"
        " for (int i = 0; i < count; i++) { n += strlen(words[i]); words[i][0] = 'x'; } return n; }\n%}\n"
    )
    word = "abc"
    assert m.letters([word, b"de", "é"]) == 7 and word == "abc" and m.letters([]) == 0
    for bad in ("abc", [1], 5):
        with pytest.raises(TypeError, match="texts|str"):
            m.letters(bad)


def test_fixed_lists_and_defaults(bind: Bind) -> None:
    m = bind(
        "%module it\n#define TWO 2\n%varargs(3, int last = 0) total;\n%inline %{\n#include <stdarg.h>\nenum { BASE = 40 };\n"
        "int total(int first, ...) { va_list v; int n = first, x; va_start(v, first);\n"
        " while ((x = va_arg(v, int))) n += x; va_end(v); return n; }\n%}\n"
        "%{\nint sum(int a, int b, double c) { return a + b + c; }\nint is_null(int *p) { return !p; }\n%}\n"
        "int sum(int a, int b = TWO, double c = BASE / 2 + 0.5);\nint is_null(int *p = NULL);\n"
    )
    assert m.total(1) == 1 and m.total(1, 2, 3, 4) == 10
    with pytest.raises(TypeError):
        m.total(1, 2, 3, 4, 5)
    assert m.sum(1) == 23 and m.sum(1, c=0.0) == 3 and m.is_null() == 1


def test_constants_of_functions(bind: Bind) -> None:
    m = bind(
        "%module it\n%{\nint plus(int a, int b) { return a + b; }\nint times(int a, int b) { return a * b; }\n%}\n"
        "%inline %{\nint apply(int a, int b, int (*f)(int, int)) { return f(a, b); }\n%}\n"
        '%callback("%(upper)s_F");\nint plus(int, int);\n%nocallback;\n%constant int (*PRODUCT)(int, int) = times;\n'
    )
    assert m.apply(3, 4, m.PLUS_F) == 7 and m.apply(3, 4, m.PRODUCT) == 12 and m.plus(1, 2) == 3
    assert m.PRODUCT(5, 6) == 30 and m.apply(3, 4, m.plus) == 7 and not hasattr(m, "times")


def test_contracts(bind: Bind) -> None:
    m = bind(
        "%module it\n%contract root(int n) {\nrequire:\n n >= 0;\nensure:\n root * root <= n;\n}\n"
        "%inline %{\nint root(int n) { int r = 0; while (r * r < n) r++; return r; }\n%}\n"
    )
    assert m.root(9) == 3
    with pytest.raises(RuntimeError, match=r"require: \(n >= 0\)"):
        m.root(-1)
    with pytest.raises(RuntimeError, match="ensure"):
        m.root(n=8)


RECORDS = """%module it
%newobject make;
%newobject Point::copy;
%{
int alive = 0;
char *Point_label_get(Point *p);
%}
%inline %{
typedef struct { int x, y; } Point;
struct Tagged { int n; };
int living(void);
Point *make(int x);
%}
%{
int living(void) { return alive; }
Point *make(int x) { Point *p = malloc(sizeof *p); p->x = x; p->y = 0; alive++; return p; }
char *Point_label_get(Point *p) { static char b[20]; sprintf(b, "%d;%d", p->x, p->y); return b; }
void Point_label_set(Point *p, char *text) { sscanf(text, "%d;%d", &p->x, &p->y); }
%}
%extend Point {
  char *label;
  Point(int x, int y = 7) { Point *p = make(x); p->y = y; return p; }
  ~Point() { alive--; free($self); }
  int sum(int more = 0) { return $self->x + $self->y + more; }
  Point *copy() { Point *p = make($self->x); p->y = $self->y; return p; }
%pythoncode %{
    def swapped(self):
        return (self.y, self.x)
%}
}
%extend Tagged { int twice(void) { return 2 * $self->n; } }
""".replace("char *Point_label_get(Point *p);\n", "", 1)


def test_records_with_members(bind: Bind) -> None:
    m = bind(RECORDS)
    p = m.Point(3, 4)
    assert p.sum() == 7 and p.sum(10) == 17 and p.swapped() == (4, 3) and isinstance(p, m.Point)
    p.label = "8;9"
    assert (p.x, p.y, p.label) == (8, 9, "8;9") and m.Point(1).y == 7
    gc.collect()
    assert m.living() == 1
    other = p.copy()
    del p
    gc.collect()
    assert m.living() == 1 and other.x == 8
    m.delete_Point(other)
    del other
    gc.collect()
    assert m.living() == 0, "ended once"
    tagged = m.Tagged()
    tagged.n = 4
    assert tagged.twice() == 8


def test_records_are_extended_inside(bind: Bind) -> None:
    m = bind(
        "%module it\n%{\ntypedef struct { double w, h; } Box;\n%}\ntypedef struct {\n double w, h;\n"
        " %extend {\n  double area(void) { return $self->w * $self->h; }\n }\n} Box;\n"
    )
    box = m.Box(w=2, h=1.5)
    assert box.area() == 3


def test_pointers_have_the_records_attributes(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\ntypedef struct Link { int v; struct Link *next; } Link;\n"
        "Link *link(int v, Link *next) { Link *l = malloc(sizeof *l); l->v = v; l->next = next; return l; }\n%}\n"
        "%extend Link { int more(int by) { return $self->v + by; } }\n"
    )
    a = m.link(1, m.link(2, None))
    a.next.v = 5
    assert (a.v, a.next.v, a.next.next, a.next.more(1)) == (1, 5, None, 6) and hash(a) is not None
    for bad in ("nothing", "__nothing__"):
        with pytest.raises(AttributeError, match=bad):
            getattr(a, bad)
    with pytest.raises(AttributeError):
        a.nothing = 1
    with pytest.raises(ValueError):
        _ = type(a)().v


def test_texts_that_are_the_callers(bind: Bind) -> None:
    m = bind(
        "%module it\n%newobject twice;\n%inline %{\n#include <stdlib.h>\n"
        "char *twice(const char *s) { char *t = malloc(2 * strlen(s) + 1); strcpy(t, s); return strcat(t, s); }\n%}\n"
    )
    assert m.twice("ab") == "abab"


def test_names(bind: Bind) -> None:
    m = bind(
        '%module it\n%rename("%(regex:/^my_(.*)_fn$/\\\\1/)s", %$isfunction) "";\n'
        '%rename("$ignore", regextarget=1) "^hidden";\n%rename(width) Box::w;\n%rename(kept) my_other_fn;\n%ignore Box::h;\n'
        "%inline %{\nint my_first_fn(void) { return 1; }\nint my_other_fn(void) { return 2; }\nint hidden_one(void) { return 3; }\n"
        "typedef struct { int w, h; } Box;\nint width_of(Box *b) { return b->w; }\nint in(int x) { return x; }\n%}\n"
        '%name("second") int third(void);\n%{\nint third(void) { return 4; }\n%}\n'
    )
    assert m.first() == 1 and m.kept() == 2 and m.second() == 4 and m._in(3) == 3
    assert not any(hasattr(m, name) for name in ("my_first_fn", "hidden_one", "third", "other"))
    box = m.Box()
    box.width = 5
    assert m.width_of(box) == 5 and not hasattr(box, "w") and not hasattr(box, "h")


def test_declarations_of_all_kinds(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\nenum { RED = 3, BLUE };\ntypedef int unary(int);\nunary negate;\nint count(const char *s, size_t n, FILE *f);\n"
        "int negate(int x) { return -x; }\nint count(const char *s, size_t n, FILE *f) { return strlen(s) + n + !f; }\n%}\n"
    )
    assert (m.RED, m.BLUE, m.negate(4), m.count("ab", 3, None)) == (3, 4, -4, 6)


def test_files_in_other_folders_and_encodings(bind: Bind) -> None:
    text = (
        b'\xef\xbb\xbf%module it\n%include "inner/one.i"\n#include "own.h"\nint given(int);\n%{\n#include "own.h"\n%}\n'
    )
    m = bind(
        text,
        inner__one_dot_i='%include "two.i"\n',
        inner__two_dot_i="%inline %{\nint deep(void) { return 6; }\n%}\n",
        own_dot_h="static int given(int a) { return a + 2; }\nstatic int other(int a) { return a; }\n",
    )
    assert m.deep() == 6 and m.given(1) == 3 and not hasattr(m, "other")
    latin = '%module it\n%constant char *NAME = "caf\xe9";\n/* \xfc */\n%inline %{\nint one(void) { return 1; }\n%}\n'
    assert bind(latin.encode("latin-1")).one() == 1


def test_conditions_in_code(bind: Bind) -> None:
    m = bind(
        "%module it\n%{\n#if defined(_MSC_VER)\ntypedef struct { __int8 b[8]; } part;\n#else\ntypedef struct { char b[3]; } part;\n#endif\n"
        "int size(void) { return sizeof(part); }\n%}\nint size(void);\n"
    )
    assert m.size() == 3


def test_a_module_of_constants(tmp_path: Path) -> None:
    (tmp_path / "only.i").write_text(
        '%module only\n#define SIDES 6\n#define NAME "cube"\n#define HALF SIDES * 0.5\n%constant int EDGES = 12;\n'
    )
    command = [sys.executable, "-m", "cuox", "bind", "only.i", "-o", "only.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = "import only; print(only.SIDES, only.NAME, only.HALF, only.EDGES)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["6", "cube", "3.0", "12"], done.stderr


def test_members_of_a_written_module(tmp_path: Path) -> None:
    (tmp_path / "it.i").write_text(RECORDS)
    command = [sys.executable, "-m", "cuox", "bind", "it.i", "-o", "it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = (
        "import it; p = it.Point(3); q = it.make(5); print(p.sum(), q.x, p.swapped()); del p, q; print(it.living())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["10 5 (7, 3)", "0"], done.stderr


def test_text_with_a_length_of_c(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cstring.i\n%cstring_output_allocate_size(char **made, int *size, free(*$1));\n"
        "%inline %{\nint make(int n, char **made, int *size) { *made = n ? malloc(n) : 0; *size = n;\n"
        " for (int i = 0; i < n; i++) (*made)[i] = i ? 'a' + i : 0; return n; }\n%}\n"
    )
    assert m.make(4) == [4, "\0bcd"] and m.make(0) == [0, None]


def test_typemaps_that_are_values(bind: Bind) -> None:
    m = bind(
        '%module it\n%typemap(default) int step "$1 = 3;"\n%typemap(in, numinputs=0) const char *unit { $1 = "cm"; }\n'
        "%inline %{\nint walk(int from, int step) { return from + step; }\n%}\n"
        "%{\nint width(const char *unit, int n) { return n * (unit[0] == 'c'); }\n%}\nint width(const char *unit, int n);\n"
        "%typemap(default) int step;\n%inline %{\nint jump(int step) { return step; }\n%}\n"
    )
    assert m.walk(1) == 4 and m.walk(1, 1) == 2 and m.width(5) == 5
    with pytest.raises(TypeError):
        m.jump()


def test_typemaps_that_are_code(bind: Bind) -> None:
    m = bind(
        "%module it\n%typemap(in, numinputs=0) int *room (int t) { t = 3; $1 = &t; }\n"
        "%typemap(in, numinputs=0) const char *name (char t[8], int at) { for (at = 0; at < 4; at++) t[at] = 'a' + at; t[4] = 0; $1 = t; }\n"
        "%inline %{\nint both(int n, int *room, const char *name) { *room += n; return *room * 100 + strlen(name); }\n"
        "int one(int *room) { return *room; }\n%}\n"
    )
    assert m.both(4) == 704 and m.both(n=5) == 804 and m.one() == 3


def test_functions_of_one_name_in_a_record(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\nstruct Lamp { int on; };\n%}\n%extend Lamp {\n int set() { return $self->on = 1; }\n"
        " int set(int level) { return $self->on = level; }\n int set(const char *name) { return strlen(name); }\n"
        "#ifdef __cplusplus\n nonsense();\n#else\n static const int MOST = 4 * 2;\n#endif\n"
        " static int twice(int x) { return 2 * x; }\n}\n"
    )
    lamp = m.Lamp()
    assert (lamp.set(), lamp.set(7), lamp.set("four"), lamp.on) == (1, 7, 4, 7)
    assert m.Lamp.MOST == 8 and m.Lamp.twice(4) == 8
    with pytest.raises(TypeError):
        lamp.set([])


def test_functions_that_headers_declare_and_the_code_defines(bind: Bind) -> None:
    m = bind(
        '%module it\n%include "own.h"\n%{\n#include "own.h"\nint given(int a) { return a * 3; }\n%}\n',
        own_dot_h="int given(int a);\n",
    )
    assert m.given(2) == 6


def test_only_what_the_file_declares_is_bound(bind: Bind, tmp_path: Path) -> None:
    m = bind(
        "%module it\n%{\n#include <time.h>\n%}\n%inline %{\nint year(struct tm *t) { return t->tm_year + 1900; }\n"
        "FILE *out(void) { return stdout; }\nint is_null(FILE *f) { return !f; }\n%}\n"
    )
    t = m.tm()
    t.tm_year = 99
    assert m.year(t) == 1999 and m.is_null(m.out()) == 0 and m.is_null(None) == 1
    binding = _native.Binding.parse([], interface=tmp_path / "it.i")
    listed = re.search(r"__all__ = \[(.*?)\]", binding.write([], "test")[0], re.DOTALL)
    assert listed is not None
    assert (
        {"year", "out", "is_null", "tm"}
        <= set(re.findall(r'"(\w+)"', listed[1]))
        <= {
            "year",
            "out",
            "is_null",
            "tm",
            "FILE",
            "_IO_FILE",
            "__FILE",
        }
    )
    assert "fopen" not in binding.table()


def test_bytes_with_nuls(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cstring.i\n%cstring_input_binary(char *data, int size);\n"
        "%inline %{\nint count(char *data, int size, char c) { int n = 0; while (size--) n += *data++ == c; return n; }\n%}\n"
    )
    assert m.count("a\0b\0", 0) == 2 and m.count(b"\0\0x", "x") == 1 and m.count(bytearray(3), 0) == 3


def test_names_of_constants_and_fields(bind: Bind) -> None:
    m = bind(
        '%module it\n%rename("%(strip:[K_])s", %$isenumitem) "";\n%rename(middle) K_MID;\n%ignore K_GONE;\n'
        '%rename("%(undercase)s", regextarget=1) "^[a-z]+[A-Z]";\n'
        "%inline %{\nenum level { K_LOW = 1, K_MID, K_GONE, K_HIGH };\ntypedef struct { int roomCount; } House;\n"
        "int countOf(House *h) { return h->roomCount; }\n%}\n%extend House { int moreThan(int n) { return $self->roomCount > n; } }\n"
    )
    assert (m.LOW, m.middle, m.HIGH) == (1, 2, 4) and not hasattr(m, "K_GONE") and not hasattr(m, "GONE")
    house = m.House()
    house.room_count = 3
    assert m.count_of(house) == 3 and house.more_than(2) == 1


def test_constants_inside_records(bind: Bind) -> None:
    m = bind(
        "%module it\n%inline %{\ntypedef struct Cell {\n int n;\n#define CELL_MOST 9\n#ifdef SWIG\n%constant SIDES = 4;\n#endif\n} Cell;\n%}\n"
    )
    assert m.Cell.SIDES == 4 and m.CELL_MOST == 9 and m.Cell().n == 0


def test_records_that_are_the_callers_without_a_destructor(bind: Bind) -> None:
    m = bind(
        "%module it\n%newobject one;\n%inline %{\ntypedef struct { int v; } Leaf;\n"
        "Leaf *one(int v) { Leaf *l = v ? malloc(sizeof *l) : 0; if (l) l->v = v; return l; }\n%}\n"
    )
    for v in range(1, 200):
        assert m.one(v).v == v
    assert m.one(0) is None


def test_texts_are_named_as_their_typemap(bind: Bind) -> None:
    m = bind("%module it\n%include argcargv.i\n%inline %{\nint count(int ARGC, char **ARGV) { return ARGC; }\n%}\n")
    assert m.count(["a", "b"]) == 2


def test_characters(bind: Bind) -> None:
    m = bind(
        "%module it\n/* a letter */\n#define LETTER 'q'\n#define LINE '\\n'\n#define SAME LETTER\n#define NUMBER 113\n%constant char MARK = '!';\n"
        "%{\nint code(char c) { return c; }\n%}\nint code(char c = 'a');\n"
    )
    assert (m.LETTER, m.LINE, m.SAME, m.NUMBER, m.MARK) == ("q", "\n", "q", 113, "!")
    assert m.code() == 97 and m.code("b") == 98


def test_static_functions_of_a_bound_header(bind: Bind) -> None:
    m = bind(
        '%module it\n%{\n#include "own.h"\n%}\n%include "own.h"\n',
        own_dot_h="static inline int third(int a) { return a / 3; }\n#define OWN 1\n",
    )
    assert m.third(9) == 3 and m.OWN == 1


def test_only_named_functions(bind: Bind) -> None:
    m = bind(
        '%module it\n%ignore "";\n%rename("%s") kept;\n%newobject absent;\n%inline %{\nint kept(void) { return 1; }\nint other(void) { return 2; }\n%}\n'
    )
    assert m.kept() == 1 and not hasattr(m, "other")


def test_memory_that_c_frees_is_no_text(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cmalloc.i\n%malloc(char)\n%free(char)\n%inline %{\nvoid text_free(char *text) { free(text); }\n"
        'void put(char *p) { strcpy(p, "ok"); }\nint len(char *p) { return strlen(p); }\n%}\n'
    )
    at = m.malloc_char(8)
    m.put(at)
    assert m.len(at) == 2
    m.text_free(at)
    m.free_char(m.malloc_char(3))
    with pytest.raises(TypeError):
        m.text_free("abc")


def test_global_variables(bind: Bind, tmp_path: Path) -> None:
    text = (
        "%module it\n%inline %{\nint stage = 3;\ndouble ratio = 0.5;\ntypedef struct { int a; } Pair;\nPair one = {1}, two = {2}, *at = &two;\nchar *word = 0;\nint twice_stage(void) { return 2 * stage; }\nint length(void) { return strlen(word); }\n%}\n"
        "%immutable;\n%inline %{\nint sealed = 4;\n%}\n%mutable;\n%immutable other;\n%inline %{\nint other = 5, open = 6;\n%}\n"
    )
    m = bind(text)
    m.cvar.stage, m.cvar.open = 21, 7
    assert m.cvar.word is None
    m.cvar.one = m.cvar.at
    assert m.cvar.one.a == 2
    m.cvar.word = "é!"
    gc.collect()
    assert m.cvar.word == "é!" and m.length() == 3
    assert (m.cvar.stage, m.twice_stage(), m.cvar.ratio, m.cvar.open) == (21, 42, 0.5, 7)
    for name in ("sealed", "other", "absent"):
        with pytest.raises(AttributeError, match=name):
            setattr(m.cvar, name, 1)
    assert (m.cvar.sealed, m.cvar.other) == (4, 5) and "stage" in dir(m.cvar)
    with pytest.raises(TypeError):
        m.cvar.stage = "text"
    command = [sys.executable, "-m", "cuox", "bind", "it.i", "-o", "it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program = "import it; it.cvar.stage = 8; print(it.cvar.stage, it.twice_stage(), it.cvar.sealed)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["8", "16", "4"], done.stderr


def test_variables_that_are_static_or_constant(bind: Bind) -> None:
    m = bind(
        '%module it\n%{\n#include "own.h"\n%}\n%include "own.h"\n'
        "%inline %{\nconst int fixed = 7;\nconst double half = 0.5;\nint moving = 1;\n%}\n",
        own_dot_h="static int own_level = 4;\nstatic int own_level_now(void) { return own_level; }\n",
    )
    assert (m.cvar.own_level, m.cvar.fixed, m.cvar.half, m.cvar.moving) == (4, 7, 0.5, 1)
    m.cvar.own_level = 9
    assert m.own_level_now() == 9
    with pytest.raises(AttributeError):
        m.cvar.fixed = 8
    with pytest.raises(AttributeError):
        _ = m.cvar.unknown


def test_what_the_code_defines_is_no_other_librarys(bind: Bind, tmp_path: Path) -> None:
    text = "%module it\n%inline %{\nint shared_level = 4;\nint shared_now(void) { return shared_level; }\n%}\n"
    m = bind(text)
    (tmp_path / "other.c").write_text("int shared_level = 1; int other_level(void) { return shared_level; }")
    command = ["cc", "-shared", "-fPIC", "-o", "libother.so", "other.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    other = cuox.bind(tmp_path / "libother.so", source="int other_level(void);")
    assert (other.other_level(), m.shared_now()) == (1, 4)
    command = [sys.executable, "-m", "cuox", "bind", "it.i", "-o", "it.py"]
    subprocess.run(command, cwd=tmp_path, check=True)
    program = "import ctypes, it; print(it.shared_now(), ctypes.CDLL('./libother.so').other_level())"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["4", "1"], done.stderr


def test_functions_of_the_process_need_no_library(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cuox", "bind", "it.i", "-o", "it.py"]

    def run(command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    (tmp_path / "it.i").write_text("%module it\nint abs(int n);\n")
    done = run(command)
    assert done.returncode == 0, done.stderr
    assert run([sys.executable, "-c", "import it; print(it.abs(-3))"]).stdout == "3\n"
    (tmp_path / "it.i").write_text("%module it\nint abs(int n);\nint nobody_has_this(void);\n")
    done = run(command)
    assert done.returncode == 2 and "-l LIB" in done.stderr and "(nobody_has_this)" in done.stderr


def test_types_may_stand_before_the_code_that_has_them(bind: Bind) -> None:
    m = bind(
        "%module it\nenum hue { DARK, LIGHT = 4 };\ntypedef struct { int n; } box;\nstatic int count_of(box *b);\n"
        "%{\nenum hue { DARK, LIGHT = 4 };\ntypedef struct { int n; } box;\n"
        "static int count_of(box *b) { return b->n; }\n%}\n"
    )
    box = m.box()
    box.n = 6
    assert m.count_of(box) == 6 and m.LIGHT == 4


def test_headers_beside_the_file_that_names_them(bind: Bind) -> None:
    m = bind(
        '%module it\n%include "inner/part.i"\n',
        inner__part_dot_i='%{\n#include "inner/deep.h"\n%}\n%include "deep.h"\n',
        inner__deep_dot_h="#define DEPTH 3\nstatic int depth(void) { return DEPTH; }\n",
    )
    assert m.depth() == m.DEPTH == 3


def test_headers_of_swigs_wrappers_are_there(bind: Bind) -> None:
    m = bind(
        "%module it\n%varargs(int extra = 7) with_extra;\n%{\nint with_extra(int n, ...) {\n"
        "  va_list list; int extra; va_start(list, n); extra = va_arg(list, int); va_end(list); return n + extra; }\n%}\n"
        "int with_extra(int n, ...);\n%inline %{\nint small(int c) { return tolower(c) + (INT_MAX > errno); }\n%}\n"
    )
    assert m.with_extra(1) == 8 and m.with_extra(1, 2) == 3
    assert m.small(65) == 98


def test_names_are_changed_as_swig_changes_them(bind: Bind) -> None:
    m = bind(
        '%module it\n%rename("%(lowercamelcase)s", %$isfunction) "";\n%rename("%(undercase)s", %$isvariable) "";\n'
        '%rename("$ignore", match="enumitem", regextarget=1) "_LAST$";\n'
        "%inline %{\nint GET_ALL(void) { return 1; }\nint read2Bytes(void) { return 2; }\n"
        "enum part { PART_A, PART_LAST };\ntypedef struct { int fieldName; } rec;\n%}\n"
    )
    assert m.gETALL() == 1 and m.read2Bytes() == 2
    rec = m.rec()
    rec.field_name = 3
    assert rec.field_name == 3
    assert m.PART_A == 0 and not hasattr(m, "PART_LAST")


def test_records_that_python_cannot_make(bind: Bind) -> None:
    m = bind(
        "%module it\n%nodefaultctor;\n%inline %{\ntypedef struct { int n; } closed;\n"
        "closed *make(int n) { closed *c = (closed *)malloc(sizeof *c); c->n = n; return c; }\n%}\n"
        "%clearnodefaultctor;\n%nodefaultctor named;\n"
        "%inline %{\ntypedef struct { int n; } open_;\ntypedef struct named { int n; } named;\n%}\n"
    )
    for lacking in (m.closed, m.named):
        with pytest.raises(AttributeError, match="constructor"):
            lacking()
    assert m.make(4).n == 4 and m.open_().n == 0


def test_fixed_lists_of_functions_in_headers(bind: Bind) -> None:
    m = bind(
        '%module it\n%{\n#include "sums.h"\n%}\n%varargs(12, int more = END) sum;\n%varargs(int a, double b = 0.5) mean;\n'
        "%varargs(3, int x) nothing;\n"
        '%include "sums.h"\n%{\n#include <stdarg.h>\n'
        "int sum(int first, ...) { va_list all; int s = 0; va_start(all, first);\n"
        "  for (int n = first; n != END; n = va_arg(all, int)) s += n;\n  va_end(all); return s; }\n"
        "double mean(const char *how, ...) { va_list all; va_start(all, how); int a = va_arg(all, int);\n"
        "  double b = va_arg(all, double); va_end(all); return how[0] == 'a' ? (a + b) / 2 : -1; }\n%}\n",
        sums_dot_h="#define END -1\nint sum(int first, ...);\ndouble mean(const char *how, ...);\n",
    )
    assert m.sum(3) == 3 and m.sum(3, 4, 5) == 12 and m.sum(*range(12)) == 66
    assert m.mean("a", 2) == 1.25 and m.mean("a", 2, 4.0) == 3
    with pytest.raises(TypeError):
        m.sum(*range(14))
    assert not [name for name in dir(m) if "varargs" in name]


def test_types_that_only_swig_has_to_know(bind: Bind) -> None:
    m = bind(
        "%module it\n%{\n#include <sys/types.h>\n%}\n%typedef unsigned pid_t;\n"
        "%inline %{\npid_t before(pid_t n) { return n - 1; }\n%}\n"
    )
    # The compiler's type counts, which is signed.
    assert m.before(0) == -1


def test_attributes_that_are_no_fields(bind: Bind) -> None:
    m = bind(
        "%module it\n%pythonnondynamic first;\n%inline %{\ntypedef struct { int n; } first;\n"
        "typedef struct { int n; } second;\nint n_of(const first *it) { return it->n; }\n%}\n"
        "%pythonnondynamic;\n%pythondynamic fourth;\n%inline %{\ntypedef struct { int n; } third;\n%}\n"
        "%pythondynamic;\n%inline %{\ntypedef struct { int n; } fourth;\n%}\n"
        "%extend first { int twice() { return 2 * $self->n; } }\n"
    )
    for record in (m.second(n=3), m.fourth(n=3)):
        record.more = [record]
        assert record.more == [record] and vars(record) == {"more": [record]}
        del record.more
        with pytest.raises(AttributeError):
            _ = record.more
        type(record).shared = 4
        assert record.shared == 4

    class Own(m.first):
        own = 1

    for record in (m.first(), m.third(), Own()):
        record.n = 5
        with pytest.raises(AttributeError, match="has no field 'more', and takes no other attributes"):
            record.more = 1
        with pytest.raises(AttributeError, match="n cannot be set: the interface file says %pythonnondynamic"):
            type(record).n = 1
        with pytest.raises(AttributeError, match="more cannot be set"):
            type(record).more = 1
    with pytest.raises(AttributeError, match="has no field 'own'"):
        record.own = 2
    Own.own = 3
    assert record.own == 3 and m.n_of(record) == 5 and record.twice() == 10

    ended = []
    record = m.second()
    record.itself = record
    weakref.finalize(record, ended.append, True)
    del record
    gc.collect()
    assert ended == [True]


def test_records_that_a_function_ends(bind: Bind) -> None:
    m = bind(
        '%module it\n%newobject make;\n%delobject end;\n%newobject text;\n%typemap(newfree) char * "done_with($1);"\n'
        "%{\nint freed;\nvoid done_with(char *t) { freed += 100; free(t); }\n%}\n"
        "%inline %{\ntypedef struct { int n; } part;\n"
        "part *make(int n) { part *p = (part *)malloc(sizeof *p); p->n = n; return p; }\n"
        "void end(part *p) { freed += 10; free(p); }\nint freed_now(void) { return freed; }\n"
        'char *text(void) { return strdup("text"); }\n%}\n%extend part { ~part() { ++freed; free($self); } }\n'
    )
    part = m.make(2)
    assert part.thisown
    m.end(part)
    assert not part.thisown
    del part
    gc.collect()
    assert m.freed_now() == 10
    part = m.make(3)
    part.thisown = False
    kept = part.getPtr()
    del part
    gc.collect()
    assert m.freed_now() == 10 and kept
    part = m.make(3)
    del part
    gc.collect()
    assert m.freed_now() == 11
    assert m.text() == "text" and m.freed_now() == 111


def test_memory_that_c_fills_may_have_nuls(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cstring.i\n%cstring_output_withsize(char *into, int *size);\n"
        '%inline %{\nvoid fill(char *into, int *size) { memcpy(into, "a\\0b", 3); *size = 3; }\n%}\n'
    )
    assert m.fill(10) == "a\0b"


def test_pointers_that_the_file_makes_are_for_parameters(bind: Bind) -> None:
    m = bind(
        "%module it\n%include cpointer.i\n%inline %{\ntypedef struct { int n; } part;\n"
        "void find(part **out) { static part one = {5}; *out = &one; }\nvoid count(int *out) { *out = 3; }\n%}\n"
        "%pointer_functions(part *, place);\n%pointer_functions(int, number);\n"
    )
    place, number = m.new_place(), m.new_number()
    m.find(place)
    m.count(number)
    assert m.place_value(place).n == 5 and m.number_value(number) == 3


def test_docstrings_in_the_options(bind: Bind) -> None:
    m = bind(
        '%module it\n%feature("docstring", "Return one.") one;\n%inline %{\nint one(void) { return 1; }\n%}\n'
        '%callback("%s_c");\n%inline %{\nint two(void) { return 2; }\n%}\n%callback("");\n'
        "%inline %{\nint call(int (*f)(void)) { return f(); }\n%}\n"
    )
    assert "Return one." in m.one.__doc__
    assert m.call(m.two_c) == 2 and not hasattr(m, "call_c")
