"""Guesses of `cuox.bind` about headers as real libraries write them: comments that say what a result is, bytes with
the names of text, pointers to anything, arrays of handles and of functions, records where C reads them.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import ctools
import cuox
import numpy as np
import pytest

pytestmark = ctools.needs_compiler


@pytest.fixture
def bind(tmp_path) -> Callable[..., cuox.Library]:
    """Compile C code behind a header, and bind it."""

    def made(header: str, code: str, **options: object) -> cuox.Library:
        (tmp_path / "kind.h").write_text(header)
        (tmp_path / "kind.c").write_text(f'#include "kind.h"\n{code}')
        assert ctools.COMPILER
        command = [ctools.COMPILER, "-w", "-shared", "-fPIC", "-o", tmp_path / "libkind.so", tmp_path / "kind.c", "-lm"]
        subprocess.run(command, check=True)
        return cuox.bind(tmp_path / "libkind.so", [tmp_path / "kind.h"], **options)

    return made


def test_small_numbers_are_no_addresses(bind):
    c = bind(
        "typedef struct { double *to; } box;\nvoid twice(double *v);\nint first(const box *b);\nlong same(void *p);\nint length(const char *const *names);\n",
        "void twice(double *v) { *v *= 2; }\nint first(const box *b) { return (int)*b->to; }\nlong same(void *p) { return (long)p; }\nint length(const char *const *names) { return 0; }\n",
    )
    for call in (c.twice, c.length):
        # The first calls take the generic path, later ones machine code.
        for _ in range(80):
            with pytest.raises(ValueError, match=r"must be memory or its address, got 7"):
                call(7)
    with pytest.raises(ValueError, match=r"box.to .*must be memory or its address, got 7"):
        c.box(to=7)
    # Before version 2 truth values of NumPy's have an `__index__`.
    for truth in (np.True_, np.False_, True, False):
        with pytest.raises(TypeError, match=r"'v' .* takes (a buffer|writable memory)"):
            c.twice(truth)
        with pytest.raises(TypeError, match="box.to "):
            c.box(to=truth)
    values = np.array([1.5])
    for _ in range(80):
        c.twice(values.ctypes.data)
    assert values[0] == 1.5 * 2**80
    assert c.same(7) == 7


def test_a_getter_of_errors_does_not_fail(bind):
    c = bind(
        "enum error { FAULT_NONE, FAULT_SHAPE };\ntypedef struct reader reader;\nreader *reader_new(void);\nvoid reader_free(reader *r);\n"
        "enum error reader_get_error_code(reader *r);\nenum error reader_last_errno(void);\nenum error reader_run(reader *r);\n",
        "struct reader { int x; };\n#include <stdlib.h>\nreader *reader_new(void) { return malloc(4); }\nvoid reader_free(reader *r) { free(r); }\n"
        "enum error reader_get_error_code(reader *r) { return FAULT_SHAPE; }\nenum error reader_last_errno(void) { return FAULT_SHAPE; }\nenum error reader_run(reader *r) { return FAULT_SHAPE; }\n",
    )
    reader = c.reader_new()
    assert c.reader_get_error_code(reader) is c.reader_last_errno() is c.FAULT_SHAPE
    with pytest.raises(cuox.CallError, match="FAULT_SHAPE"):
        c.reader_run(reader)


STATUSES = """
typedef enum { BOX_OK = 0, BOX_FULL = -4 } box_code;
/** Add to the box.
 * @return the number of things in it, or an error code */
int box_add(int n);
/** Count.
 * @return the number of things */
int box_create(int n);
/** Close it. @return whatever */
int box_close(int n);
/** Put one.
 * @return Zero on success, a non-zero error otherwise */
int box_place(int n);
/** Take one.
 * @return 1 on success, 0 on failure. */
int box_take(int n);
const char *box_strerror(int code);
"""


def test_comments_say_what_a_result_is(bind):
    code = "".join(f"int box_{name}(int n) {{ return n; }}\n" for name in ("add", "create", "close", "place", "take"))
    c = bind(STATUSES, code + 'const char *box_strerror(int code) { return "it is full"; }\n')
    for _ in range(80):
        assert c.box_add(3) == 3 and c.box_create(-2) == -2
        assert c.box_close(2) is c.box_place(0) is c.box_take(1) is None
    for call, value in ((c.box_add, -4), (c.box_close, -4), (c.box_place, 5), (c.box_place, -5), (c.box_take, 0)):
        with pytest.raises(cuox.CallError, match="it is full"):
            call(value)
    assert "its comment says so" in c.explain("box_add") and "-> int" in c.explain("box_add")


def test_a_rule_for_several_functions_leaves_others_alone(bind):
    header = "int cup_fill(int n);\nvoid cup_log(int n);\nconst char *cup_name(void);\n"
    code = 'int cup_fill(int n) { return n; }\nvoid cup_log(int n) {}\nconst char *cup_name(void) { return "cup"; }\n'
    c = bind(header, code, rules={"cup_*": {"result": "status"}})
    assert c.cup_log(1) is None and c.cup_name() == "cup"
    with pytest.raises(cuox.CallError):
        c.cup_fill(1)
    with pytest.raises(cuox.BindError, match="cup_log"):
        bind(header, code, rules={"cup_log": {"result": "status"}})


def test_pointers_to_anything_are_no_handles(bind):
    c = bind(
        "typedef void *kpointer;\ntypedef const void *kconstpointer;\nkpointer keep(kpointer p);\nkpointer kept(kconstpointer p);\n",
        "kpointer keep(kpointer p) { return p; }\nkpointer kept(kconstpointer p) { return (void *)p; }\n",
    )
    assert int(c.keep(5)) == int(c.kept(5)) == 5 and c.keep(None) is None
    held = bytearray(b"xyz")
    assert c.keep(held).to_bytes(3) == b"xyz"


def test_bytes_and_text(bind):
    c = bind(
        "#include <stddef.h>\nint tail(const char *data);\nsize_t sum(const char *data, size_t length);\n"
        "int pack(const char *source, char *dest, int sourceSize, int destCapacity);\nchar *copy(char *to, const char *from, int n);\n",
        "#include <string.h>\nint tail(const char *data) { return data[strlen(data) - 1]; }\n"
        "size_t sum(const char *data, size_t length) { size_t s = 0; while (length--) s += (unsigned char)data[length]; return s; }\n"
        "int pack(const char *source, char *dest, int n, int room) { memcpy(dest, source, n); return n; }\nchar *copy(char *to, const char *from, int n) { return strncpy(to, from, n); }\n",
    )
    assert c.tail("abc") == ord("c")
    with pytest.raises(ValueError, match="NUL"):
        c.tail(b"a\0b")
    assert c.sum(b"\0\2\3") == 5 and c.sum("\x02\0") == 2
    room = bytearray(4)
    assert c.pack(b"a\0b", room, 3, 4) == 3 and room == b"a\0b\0"
    with pytest.raises(ValueError, match="NUL"):
        c.copy(room, b"a\0b", 3)


def test_text_in_records_and_callbacks(bind):
    c = bind(
        "#include <stddef.h>\ntypedef struct { const char *name; const char *tags[2]; int n; } label;\n"
        "typedef struct { const char *data; size_t size; } blob;\ntypedef int (*look_t)(const char *name, const char *other, void *data);\n"
        "int length(const label *l);\nlabel first(void);\nint walk(look_t look, void *data);\nint filled(blob b);\n",
        '#include <string.h>\nint length(const label *l) { return strlen(l->name) + strlen(l->tags[1]); }\nlabel first(void) { label l = {"one", {0, "two"}, 3}; return l; }\n'
        'int walk(look_t look, void *data) { return look("left", 0, data); }\nint filled(blob b) { return b.data[b.size - 1]; }\n',
    )
    assert c.length(c.label(name="hello", tags=[None, "you"])) == 8
    made = c.first()
    assert (made.name, list(made.tags), made.n) == ("one", [None, "two"], 3)
    # With a size beside it, it is memory.
    assert c.filled(c.blob(data=b"ab\0c", size=4)) == ord("c")
    seen = []
    assert c.walk(lambda *names: seen.append(names) or 4) == 4
    assert seen == [("left", None)] and "Callable[[str | None, str | None], int]" in c.explain("walk")


def test_elements_are_what_the_header_says(bind):
    c = bind(
        "typedef struct node node;\ntypedef int (*op)(int);\ntypedef enum { RED = 1, BLUE = 2 } tint;\nnode *node_make(int n);\nvoid node_drop(node *n);\nint node_value(node *n);\n"
        "int node_all(node **list, int count);\nvoid node_each(void (*f)(int n, node **list));\nop *ops_all(void);\ntint *tints(void);\n",
        "#include <stdlib.h>\nstruct node { int n; };\nnode *node_make(int n) { node *x = malloc(sizeof *x); x->n = n; return x; }\nvoid node_drop(node *n) { free(n); }\nint node_value(node *n) { return n->n; }\n"
        "int node_all(node **list, int count) { int s = 0; for (int i = 0; i < count; i++) { list[i] = node_make(i + 10); s += list[i]->n; } return s; }\n"
        "void node_each(void (*f)(int, node **)) { static node a = {5}, *list[2] = {&a}; f(2, list); }\n"
        "static int one(int n) { return n + 1; }\nop *ops_all(void) { static op ops[2] = {one}; return ops; }\ntint *tints(void) { static tint t[2] = {RED, BLUE}; return t; }\n",
    )
    seen = []
    c.node_each(lambda n, nodes: seen.extend((c.node_value(nodes[0]), nodes[1])))
    assert seen == [5, None]
    nodes = c.node.array(3)
    assert len(nodes) == 3 and nodes[0] is None
    assert c.node_all(nodes, 3) == 33 and [c.node_value(node) for node in nodes] == [10, 11, 12]
    made = c.node_make(1)
    nodes[0] = made
    assert c.node_value(nodes[0]) == 1
    assert c.ops_all()[0](4) == 5 and c.ops_all()[1] is None
    assert c.tints()[1] is c.BLUE


def test_records_for_constant_pointers(bind):
    c = bind(
        "typedef struct { int x, y; } spot;\nint total(const spot *spots, int n);\nint one(const spot *s);\nvoid move(spot *s);\n",
        "int total(const spot *s, int n) { int t = 0; while (n--) t += s[n].x * 10 + s[n].y; return t; }\nint one(const spot *s) { return s->x - s->y; }\nvoid move(spot *s) { s->x++; }\n",
    )
    assert c.one({"x": 5, "y": 1}) == c.one((5, 1)) == c.one(c.spot(5, 1)) == 4
    for several in ([c.spot(1, 2), (3, 4)], ((1, 2), {"x": 3, "y": 4})):
        assert c.total(several, 2) == 46
    with pytest.raises(TypeError, match="one.*'x'|x"):
        c.one({"x": "no"})
    # What C writes would be lost.
    with pytest.raises(TypeError, match="move"):
        c.move({"x": 1})


def test_typedefs_of_arrays(bind):
    c = bind(
        "typedef struct { long *at; } __cell;\ntypedef __cell cell_t[1];\ntypedef double vec3[3];\nvoid cell_set(cell_t c, long v);\nlong cell_get(const cell_t c);\ndouble norm1(const vec3 v);\n",
        "#include <stdlib.h>\nvoid cell_set(cell_t c, long v) { c->at = malloc(8); *c->at = v; }\nlong cell_get(const cell_t c) { return *c->at; }\ndouble norm1(const vec3 v) { return v[0] + v[1] + v[2]; }\n",
    )
    cell = c.cell_t()
    c.cell_set(cell, 9)
    assert c.cell_get(cell) == 9 and len(cell) == 1 and type(cell).__name__ == "cell_t"
    assert c.norm1(c.vec3([1, 2, 3])) == 6.0 and list(c.vec3()) == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="3 elements"):
        c.vec3([1, 2])
    single = getattr(c, "__cell")()
    c.cell_set(single, 4)
    assert c.cell_get(single) == 4


def test_names(bind):
    c = bind(
        "typedef enum { KIND_A = 1 } kind;\ntypedef kind other_kind;\ntypedef struct { kind type; int is, from; } thing;\nthing make(int from);\nint names(int a);\nint explain(int a);\nint address_of(int a);\n",
        "thing make(int from) { thing t = {KIND_A, 3, from}; return t; }\nint names(int a) { return a + 1; }\nint explain(int a) { return a + 2; }\nint address_of(int a) { return a + 3; }\n",
    )
    made = c.make(8)
    assert type(made.type) is c.kind and type(c.KIND_A).__name__ == "kind"
    assert (made.is_, made.from_) == (3, 8)
    assert c.make(from_=2).from_ == 2 and c.thing(is_=4).is_ == 4
    assert (c.names(1), c.explain(1), c.address_of(1)) == (2, 3, 4)
    assert "names(a: int) -> int" in cuox.Library.explain(c, "names")


@pytest.mark.parametrize("header", ["immintrin.h", "xmmintrin.h", "stdatomic.h", "omp.h"])
def test_headers_of_compilers(bind, header):
    try:
        c = bind(f"#include <{header}>\nint plus(int a);\n", "int plus(int a) { return a + 1; }\n")
    except cuox.BindError as error:
        # clang's package has no OpenMP.
        assert header == "omp.h" and f"'{header}' file not found" in str(error)
        pytest.skip(f"no {header}")
    assert c.plus(1) == 2 and "omp_get_num_threads" not in c


def test_arrays_that_are_as_long_as_another(bind):
    header = "double dot(int n, const double *x, const double *y);\nvoid axpy(const double *x, int n, double by, double *y, int step);\nvoid span(int n, const double *x, double *least);\n"
    code = "double dot(int n, const double *x, const double *y) { double s = 0; while (n--) s += x[n] * y[n]; return s; }\nvoid axpy(const double *x, int n, double by, double *y, int step) { while (n--) y[n] += by * x[n]; }\nvoid span(int n, const double *x, double *least) { *least = x[0]; }\n"
    ruled = {"axpy": {"params": {"n": {"length_of": "x"}, "y": {"elements": "x"}, "step": {"fixed": 1}}}}
    c = bind(header, code, rules=ruled)
    x, short = np.arange(4.0), np.zeros(3)
    for _ in range(80):
        assert c.dot(4, x, x) == 14.0
        with pytest.raises(ValueError, match=r"dot.*'y'.*C reads 32 bytes there \('n' is 4\), got .* with 24"):
            c.dot(4, x, short)
        with pytest.raises(ValueError, match=r"axpy.*'y'.*C writes 32 bytes there"):
            c.axpy(x, 2.0, short)
    y = np.ones(4)
    c.axpy(x, 2.0, y)
    assert y.tolist() == [1.0, 3.0, 5.0, 7.0]
    # What one name says is not guessed of others.
    c.span(4, x, short[:1])
    with pytest.raises(cuox.BindError, match="nothing says how long 'x' is"):
        bind(header, code, rules={"axpy": {"params": {"y": {"elements": "x"}}}})


def test_arrays_that_a_stride_or_a_number_measures(bind):
    header = (
        "#include <stddef.h>\ndouble sum(const double data[], const size_t stride, const size_t n);\n"
        "int fill_bytes(unsigned char *buf, int num);\nvoid *my_memcpy(void *to, const void *from, size_t n);\n"
        "void *my_memset(void *at, int byte, size_t n);\nvoid pick(unsigned char *buf, int num, int other);\n"
    )
    code = (
        "#include <string.h>\ndouble sum(const double *d, size_t stride, size_t n) { double s = 0; while (n--) { s += *d; d += stride; } return s; }\n"
        "int fill_bytes(unsigned char *buf, int num) { memset(buf, 7, num); return 1; }\n"
        "void *my_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }\n"
        "void *my_memset(void *at, int byte, size_t n) { return memset(at, byte, n); }\nvoid pick(unsigned char *buf, int num, int other) { *buf = num; }\n"
    )
    c = bind(header, code)
    data, room = np.arange(6.0), bytearray(4)
    for _ in range(80):
        assert (c.sum(data, 1, 6), c.sum(data, 2, 3), c.sum(data, 5, 2)) == (15.0, 6.0, 5.0)
        with pytest.raises(ValueError, match=r"sum.*'data'.*C reads 56 bytes there \('n' is 4, 'stride' is 2\)"):
            c.sum(data, 2, 4)
        assert c.fill_bytes(room, 4) == 1 and bytes(room) == b"\7\7\7\7"
        with pytest.raises(ValueError, match=r"fill_bytes.*C writes 5 bytes there \('num' is 5\)"):
            c.fill_bytes(room, 5)
        c.my_memcpy(room, b"abcdef", 4)
        with pytest.raises(ValueError, match=r"my_memcpy.*'to'.*C writes 5 bytes there"):
            c.my_memcpy(room, b"abcdef", 5)
        with pytest.raises(ValueError, match=r"my_memcpy.*'from_'.*C reads 4 bytes there"):
            c.my_memcpy(room, b"abc", 4)
        with pytest.raises(ValueError, match=r"my_memset.*C writes 9 bytes there"):
            c.my_memset(room, 1, 9)
    # Of two numbers either may be the length.
    c.pick(room, 9, 1)
    assert room == b"\tbcd"


def test_characters_by_the_name_of_their_type(bind):
    c = bind(
        "typedef unsigned char xmlChar;\ntypedef unsigned char u_char;\ntypedef struct { const xmlChar *name; } node;\n"
        "int length(const xmlChar *of);\nint bytes(const u_char *of);\nconst xmlChar *same(const xmlChar *of);\nxmlChar *copy(const xmlChar *of);\n"
        "const xmlChar *name_of(const node *of);\n",
        "#include <string.h>\nint length(const xmlChar *of) { return strlen((const char *)of); }\nint bytes(const u_char *of) { return of[0]; }\n"
        "const xmlChar *same(const xmlChar *of) { static xmlChar kept[9]; return (xmlChar *)strcpy((char *)kept, (const char *)of); }\n"
        "xmlChar *copy(const xmlChar *of) { return (xmlChar *)strdup((const char *)of); }\nconst xmlChar *name_of(const node *of) { return of->name; }\n",
    )
    assert c.length("abc") == 3 and c.length(b"ab") == 2 and c.same("gr\u00fcn") == "gr\u00fcn" and c.bytes(b"a") == 97
    with pytest.raises(TypeError):
        c.bytes("a")
    # What may have to be freed stays a pointer.
    assert c.copy("abc").to_bytes(4) == b"abc\0"
    node = c.node(name="n\u00e9")
    assert node.name == "n\u00e9" and c.name_of(node) == "n\u00e9"


def test_a_macro_with_a_call_inside(bind):
    c = bind(
        "extern long native_g;\nint open_all(void);\n#define OPEN open_all(),\n#define NATIVE (OPEN native_g)\n#define LIST 1, 2\n",
        "long native_g;\nint open_all(void) { native_g += 7; return 0; }\n",
    )
    assert c.NATIVE == 7 and c.NATIVE == 14 and c.native_g == 14
    assert not hasattr(c, "OPEN") and not hasattr(c, "LIST")


def test_a_handle_behind_all_else(bind):
    c = bind(
        "typedef struct code code;\ntypedef struct context context;\ncode *compile(const unsigned char *, unsigned, context *);\n"
        "void code_free(code *);\nint level(int, context *);\ncontext *context_new(void);\nvoid context_free(context *);\n",
        "#include <stdlib.h>\ncode *compile(const unsigned char *a, unsigned n, context *c) { return c ? 0 : malloc(4); }\nvoid code_free(code *c) { free(c); }\n"
        "int level(int a, context *c) { return !c; }\ncontext *context_new(void) { return malloc(4); }\nvoid context_free(context *c) { free(c); }\n",
    )
    assert isinstance(c.compile(b"a", 1, None), c.code)
    with pytest.raises(TypeError, match="must not be None"):
        c.level(1, None)


def test_a_handle_that_says_how(bind):
    c = bind(
        "typedef struct code code;\ntypedef struct general_context general_context;\n"
        "general_context *general_context_create(int);\ngeneral_context *general_context_copy_new(general_context *);\n"
        "void general_context_free(general_context *);\ncode *code_create(general_context *);\nvoid code_free(code *);\n"
        "int general_level(general_context *);\nextern int created;\n",
        "#include <stdlib.h>\nint created;\ngeneral_context *general_context_create(int n) { return malloc(4); }\n"
        "general_context *general_context_copy_new(general_context *c) { return malloc(4); }\nvoid general_context_free(general_context *c) { free(c); }\n"
        "code *code_create(general_context *c) { created = c ? 1 : 2; return malloc(4); }\nvoid code_free(code *c) { free(c); }\n"
        "int general_level(general_context *c) { return *(int *)c; }\n",
    )
    general = c.general_context_create(1)
    assert isinstance(c.code_create(None), c.code) and c.created == 2
    assert isinstance(c.code_create(general), c.code) and c.created == 1
    for function in (c.general_level, c.general_context_copy_new):
        with pytest.raises(TypeError, match="must not be None"):
            function(None)


def test_names_of_types(bind):
    c = bind(
        "typedef int number;\ntypedef struct hidden hidden;\ntypedef void nothing;\ntypedef int handler(int);\n"
        "typedef int (*pointed)(int);\nint call(handler *f, number n);\nint call_pointed(pointed f, number n);\n",
        "int call(handler *f, number n) { return f(n); }\nint call_pointed(pointed f, number n) { return f(n); }\n",
    )

    @c.handler
    def twice(n):
        return 2 * n

    assert c.call(twice, 4) == c.call_pointed(twice, 4) == 8 and c.handler.__name__ == "handler"
    for name, of in (("number", "int"), ("hidden", "struct hidden"), ("nothing", "void")):
        assert name not in dir(c) and not hasattr(c, name)
        with pytest.raises(AttributeError, match=f"{name} of .* is a name for {of}, which has no class of its own$"):
            getattr(c, name)
    assert {"handler", "pointed"} <= set(dir(c))


def test_statuses_that_end_are_no_failures(bind):
    c = bind(
        "typedef enum { PACK_OK = 0, PACK_STREAM_END = 1, PACK_MEM_ERROR = 5 } pack_ret;\npack_ret pack_code(int n);\n",
        "pack_ret pack_code(int n) { return n; }\n",
    )
    assert c.pack_code(c.PACK_STREAM_END) == c.PACK_STREAM_END and c.pack_code(0) == c.PACK_OK
    with pytest.raises(cuox.CallError, match="PACK_MEM_ERROR"):
        c.pack_code(5)
    assert "PACK_STREAM_END is no failure" in c.explain("pack_code")


def test_functions_that_no_callable_can_be(bind):
    c = bind(
        "#include <stdarg.h>\ntypedef void (*complain)(void *to, const char *how, ...);\n"
        "typedef struct sheet { int n; complain say; int (*print)(const char *how, va_list rest); } sheet;\n"
        "sheet *sheet_of(int n);\nextern complain general;\n",
        "#include <stdio.h>\nstatic void say(void *to, const char *how, ...) { }\n"
        "sheet *sheet_of(int n) { static sheet s; s.n = n; s.say = say; return &s; }\ncomplain general = say;\n",
    )
    sheet = c.sheet_of(4)
    assert sheet.n == 4 and int(sheet.say) == int(c.general) != 0 and sheet.print is None
    sheet.print = int(sheet.say)
    assert int(sheet.print) == int(sheet.say)
    with pytest.raises(TypeError, match=r"sheet\.say"):
        sheet.say = print


def test_freetype_frees_nothing_in_its_name(bind):
    c = bind(
        "typedef struct library_rec *FT_Library;\nint FT_Init_FreeType(FT_Library *alibrary);\nint FT_Done_FreeType(FT_Library library);\n"
        "int FT_Level(FT_Library library);\n",
        "#include <stdlib.h>\nstruct library_rec { int level; };\n"
        "int FT_Init_FreeType(FT_Library *made) { *made = malloc(sizeof **made); (*made)->level = 7; return 0; }\n"
        "int FT_Done_FreeType(FT_Library library) { free(library); return 0; }\nint FT_Level(FT_Library l) { return l->level; }\n",
    )
    made = c.FT_Init_FreeType()
    library = made[-1] if isinstance(made, tuple) else made
    assert isinstance(library, c.FT_Library) and c.FT_Level(library) == 7


def test_complex_numbers(bind):
    c = bind(
        "#include <complex.h>\ntypedef struct { double complex at; int n; } mark;\ndouble complex times(double complex a, double complex b);\nfloat complex turn(float complex a);\n"
        "double size(const double complex *z, int n);\nmark place(mark m);\ndouble complex mapped(double complex (*f)(double complex), double complex z);\nextern double complex unit;\nint after(int a, double x, double complex z, double y, int b);\n",
        "double complex times(double complex a, double complex b) { return a * b; }\nfloat complex turn(float complex a) { return a * I; }\n"
        "double size(const double complex *z, int n) { double s = 0; while (n--) s += cabs(z[n]); return s; }\nmark place(mark m) { m.at += 1; m.n++; return m; }\n"
        "double complex mapped(double complex (*f)(double complex), double complex z) { return f(z) + 1; }\ndouble complex unit = 1;\n"
        "int after(int a, double x, double complex z, double y, int b) { return a == 1 && x == 2 && z == 3 + 4 * I && y == 5 && b == 6; }\n",
    )
    for _ in range(80):
        assert c.times(1 + 2j, 3 - 1j) == 5 + 5j and c.turn(2 + 1j) == -1 + 2j
        assert c.times(2, 0.5) == 1 and c.times(np.complex64(1j), True) == 1j
        assert c.after(1, 2, 3 + 4j, 5, 6) == 1
    with pytest.raises(TypeError, match="times.*'a'.*takes a complex number, got str"):
        c.times("1", 1)
    assert c.size(np.array([3 + 4j, 1]), 2) == 6.0
    made = c.place(c.mark(at=2j, n=1))
    assert (made.at, made.n) == (1 + 2j, 2)
    assert c.mapped(lambda z: z * 2, 1j) == 1 + 2j
    c.unit = 3j
    assert c.unit == 3j
    assert "times(a: complex, b: complex) -> complex" in c.explain("times")


def test_inline_functions(bind):
    c = bind(
        "typedef struct jar { int uses; } jar;\njar *jar_new(void);\nvoid jar_end(jar *j);\nint ended(void);\n"
        "/** Give one use up. */\nstatic inline void jar_drop(jar *j) { if (j && --j->uses == 0) jar_end(j); }\n"
        "static inline double half(double x) { return x / 2; }\nstatic int plain(int a) { return a; }\n",
        "#include <stdlib.h>\nstatic int n;\njar *jar_new(void) { jar *j = malloc(sizeof *j); j->uses = 2; return j; }\nvoid jar_end(jar *j) { free(j); n++; }\nint ended(void) { return n; }\n",
    )
    jar = c.jar_new()
    c.jar_drop(jar)
    assert c.ended() == 0
    c.jar_drop(jar)
    assert c.ended() == 1
    for _ in range(80):
        assert c.half(3) == 1.5
    # The functions that they call are not for libraries that are opened later.
    assert not hasattr(ctypes.CDLL(None), "jar_end")
    assert c.jar_drop.__name__ == "jar_drop" and "jar_drop(j: " in c.explain("jar_drop")
    with pytest.raises(AttributeError, match="plain.*static"):
        c.plain(1)


def test_inline_functions_that_do_not_compile(bind, monkeypatch):
    monkeypatch.setenv("CC", "false")
    c = bind(
        "int plus(int a);\nstatic inline int minus(int a) { return a - 4711; }\n", "int plus(int a) { return a + 1; }\n"
    )
    assert c.plus(1) == 2
    with pytest.raises(cuox.CompileError):
        c.minus(1)


def test_libraries_are_looked_for_beside_the_script(bind, tmp_path):
    bind("int plus(int a);\n", "int plus(int a) { return a + 1; }\n")
    (tmp_path / "script.py").write_text("import cuox\nprint(cuox.load('kind').plus(1))\ncuox.load('no_such_thing')\n")
    environment = {name: value for name, value in os.environ.items() if name != "CUOX_LIBRARY_PATH"}
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, env=environment, cwd="/"
    )
    assert done.stdout == "2\n", done.stderr
    assert f"looked in CUOX_LIBRARY_PATH (not set); {Path(tmp_path)}; " in done.stderr


def test_callbacks_with_several_untyped_pointers(bind):
    c = bind(
        "typedef void (*each_t)(void *data, void *user_data);\nvoid each(int *many, int n, each_t call, void *user_data);\n"
        "typedef int (*grow_t)(void *ud, void *old);\nint grow(grow_t f, void *ud);\n"
        "typedef int (*bare_t)(void *, void *);\nint bare(bare_t f, void *data);\n"
        "typedef void (*work)(int at, void *u);\nvoid run_works(int n, work w, void *u);\n",
        "void each(int *many, int n, each_t call, void *u) { for (int i = 0; i < n; i++) call(many + i, u); }\n"
        "int grow(grow_t f, void *ud) { return f(ud, (void *)16); }\nint bare(bare_t f, void *data) { return f((void *)32, data); }\n"
        "void run_works(int n, work w, void *u) { for (int i = 0; i < n; i++) w(i, u); }\n",
    )
    seen: list[int] = []
    numbers = np.array([5, 6, 7], np.int32)
    c.each(numbers, len(numbers), lambda data: seen.append(int(data) - numbers.ctypes.data))
    assert seen == [0, 4, 8]
    assert c.grow(lambda old: int(old)) == 16 and c.bare(lambda first: int(first)) == 32
    c.run_works(3, seen.append)
    assert seen[3:] == [0, 1, 2]


def test_names_of_success_in_comments(bind):
    c = bind(
        "#define FOO_SUCCESS 0\n#define FOO_DONE 1\n/** @return FOO_SUCCESS on success or an error. */\nint foo_get(int n);\n"
        "/** @return FOO_DONE on success or an error. */\nint foo_open(int n, int *out);\n",
        "int foo_get(int n) { return n; }\nint foo_open(int n, int *out) { *out = 7; return n; }\n",
    )
    assert c.foo_get(0) is None and "FOO_SUCCESS is success" in c.explain("foo_get")
    with pytest.raises(cuox.CallError):
        c.foo_get(3)
    # 1 is no failure there.
    assert "status" not in c.explain("foo_open")


def test_lists_of_handles_and_wide_text(bind):
    c = bind(
        "#include <wchar.h>\ntypedef struct node node;\nnode *node_make(int n);\nvoid node_free(node *n);\n"
        "int node_sum(node **many, int n);\nint wide_last(const wchar_t *s);\nint number_last(const int *s);\n",
        "#include <stdlib.h>\nstruct node { int v; };\n"
        "node *node_make(int n) { node *made = malloc(sizeof *made); made->v = n; return made; }\n"
        "void node_free(node *n) { free(n); }\n"
        "int node_sum(node **many, int n) { int sum = 0; while (n--) sum += many[n]->v; return sum; }\n"
        "int wide_last(const wchar_t *s) { return s ? s[wcslen(s) - 1] : -1; }\nint number_last(const int *s) { return *s; }\n",
    )
    many = [c.node_make(n) for n in (2, 5, 8)]
    assert c.node_sum(many, 3) == 15 and c.node_sum(tuple(many), 2) == 7
    # C might write there.
    for not_handles in ([None, None], [0, 0], [many[0], 3]):
        with pytest.raises(TypeError):
            c.node_sum(not_handles, 2)
    assert c.wide_last("né\N{GRINNING FACE}") == 0x1F600 and c.wide_last(None) == -1
    assert c.wide_last(np.array([65, 66, 0], np.int32)) == 66 and "str | Address" in c.explain("wide_last")
    with pytest.raises(ValueError, match="NUL"):
        c.wide_last("a\0b")
    with pytest.raises(TypeError):
        c.number_last("text")


def test_functions_of_records_return_text(bind):
    c = bind(
        "typedef struct { const char *(*name)(int n); } names;\nnames get_names(void);\n",
        'static const char *name(int n) { return n ? "one" : 0; }\nnames get_names(void) { return (names){name}; }\n',
    )
    names = c.get_names()
    assert names.name(1) == "one" and names.name(0) is None


def test_parts_of_the_c_librarys_headers_are_theirs() -> None:
    math = cuox.bind("m", ["math.h"])
    assert math.hypot(3, 4) == 5 and math.sqrtf(2.25) == 1.5 and math.lround(2.5) == 3
    complex_numbers = cuox.bind("m", ["complex.h"])
    assert complex_numbers.csqrt(-1) == 1j and complex_numbers.cabs(3 + 4j) == 5
    assert cuox.bind(None, ["fcntl.h"]).O_CREAT == os.O_CREAT
    unistd = cuox.bind(None, ["unistd.h"])
    assert unistd.sysconf(unistd._SC_PAGESIZE) == os.sysconf("SC_PAGESIZE")
    # Of a project's own headers, those of the C library are not.
    assert not hasattr(cuox.bind(None, source="#include <math.h>\nint abs(int x);"), "hypot")
    generic = cuox.bind("m", source="#include <tgmath.h>\ndouble complex csqrt(double complex z);")
    assert generic.csqrt(-4) == 2j


def test_characters_with_a_length_are_no_text_in_a_callback(bind) -> None:
    lib = bind(
        """
typedef void (*on_text)(void *user, const char *s, int len);
typedef void (*on_file)(void *user, const char *path, long size);
typedef void (*on_name)(void *user, const char *name, unsigned long name_len);
void each_word(const char *text, on_text f, void *user);
void one_file(on_file f, void *user);
void one_name(on_name f, void *user);
""",
        """
#include <string.h>
void each_word(const char *text, on_text f, void *user) {
    while (*text) { int len = (int)strcspn(text, " "); f(user, text, len); text += len + (text[len] == ' '); }
}
void one_file(on_file f, void *user) { f(user, "/tmp/file", 4096); }
void one_name(on_name f, void *user) { f(user, "name and more", 4); }
""",
    )
    seen: list[object] = []
    lib.each_word("one three", lambda s, n: seen.append((s.string(n), s.to_bytes(n))))
    lib.one_file(lambda path, size: seen.append((path, size)))
    lib.one_name(lambda name, n: seen.append(name.string(n)))
    assert seen == [("one", b"one"), ("three", b"three"), ("/tmp/file", 4096), "name"]
