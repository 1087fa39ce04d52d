"""Python callables as C function pointers."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from ctools import address, build, call, needs_compiler
from cuox_bind import _native as native

pytestmark = needs_compiler

SOURCE = r"""
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
typedef int (*unary)(int);
typedef int (*with_data)(int, void *);
int apply(unary f, int x) { return f(x); }
int twice(unary f, int x) { return f(f(x)); }
int both(unary f, unary g, int x) { return f(x) + g(x); }
int with_user(with_data f, int x, void *data) { return f(x, data); }
static unary kept;
void keep(unary f) { kept = f; }
int call_kept(int x) { return kept ? kept(x) : -1; }
const char *longer(const char *(*f)(const char *), const char *s) { return f(s); }
size_t text_length(const char *(*f)(void)) { const char *s = f(); return s ? strlen(s) : 0; }
static void *run(void *f) { long sum = 0; for (int i = 0; i < 200; i++) sum += ((unary)f)(i); return (void *)sum; }
long threads(unary f, int n) {
    pthread_t t[64]; long sum = 0;
    for (int i = 0; i < n; i++) pthread_create(&t[i], 0, run, (void *)f);
    for (int i = 0; i < n; i++) { void *r; pthread_join(t[i], &r); sum += (long)r; }
    return sum;
}
int add_one(int x) { return x + 1; }
unary identity(unary f) { return f; }
short extended(short (*f)(void)) { return f(); }
"""

UNARY = native._c_callback("unary", [("x", "i32")], "i32")
Unary = UNARY.python


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    return build(SOURCE)


@pytest.fixture
def unraised(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda u: told.append(u.exc_value))
    return told


def test_simple(library: ctypes.CDLL) -> None:
    double = Unary(lambda x: 2 * x)
    assert call(library, "apply", double, 21) == 42 and call(library, "twice", double, 3) == 12
    assert double and double.callable(4) == 8 and "lambda" in repr(double)
    assert call(library, "apply", double, -5) & 0xFFFFFFFF == 2**32 - 10


def test_user_data_is_not_shown(library: ctypes.CDLL) -> None:
    made = native._c_callback("with_data", [("x", "i32"), ("data", "user data")], "i32").python
    assert call(library, "with_user", made(lambda x: x + 1), 5, 0x1234) == 6


def test_libc_sort_and_search() -> None:
    libc = ctypes.CDLL(None)
    ints = native._c_pointer("Ints", "i32", "const int *")
    compare = native._c_callback("compare", [("a", ints), ("b", ints)], "i32")
    order = compare.python(lambda a, b: (a[0] > b[0]) - (a[0] < b[0]))
    values = (ctypes.c_int * 1000)(*[(i * 7919) % 1009 for i in range(1000)])
    call(libc, "qsort", ctypes.addressof(values), 1000, 4, order)
    assert list(values) == sorted(values)
    key = ctypes.c_int(values[500])
    found = call(libc, "bsearch", ctypes.addressof(key), ctypes.addressof(values), 1000, 4, order)
    assert found == ctypes.addressof(values) + 2000


def test_exceptions_come_back(library: ctypes.CDLL, unraised: list[Any]) -> None:
    def fail(x: int) -> int:
        raise KeyError(x)

    with pytest.raises(KeyError, match="7"):
        call(library, "apply", Unary(fail), 7)
    with pytest.raises(KeyError, match="7"):
        call(library, "apply", Unary(fail), 7, release_gil=True)
    assert call(library, "apply", Unary(lambda x: x), 7) == 7
    assert unraised == []
    for wrong, error in (("text", TypeError), (2**31, OverflowError), (None, TypeError), (1.5, TypeError)):
        with pytest.raises(error, match="the result of unary"):
            call(library, "apply", Unary(lambda x, wrong=wrong: wrong), 1)


def test_a_sort_stops_asking(unraised: list[Any]) -> None:
    asked = []

    def fail(a: Any, b: Any) -> int:
        asked.append(1)
        raise ValueError("no order")

    compare = native._c_callback("compare2", [("a", "pointer"), ("b", "pointer")], "i32")
    values = (ctypes.c_int * 100)()
    with pytest.raises(ValueError, match="no order"):
        call(ctypes.CDLL(None), "qsort", ctypes.addressof(values), 100, 4, compare.python(fail))
    assert len(asked) == 1 and unraised == []


def test_two_callbacks_that_fail(library: ctypes.CDLL, unraised: list[Any]) -> None:
    def fail(text: str) -> Callable[[int], int]:
        def function(x: int) -> int:
            raise ValueError(text)

        return function

    with pytest.raises(ValueError, match="first"):
        call(library, "both", Unary(fail("first")), Unary(fail("second")), 1)
    assert [str(e) for e in unraised] == ["second"]


def test_outside_a_bound_call(library: ctypes.CDLL, unraised: list[Any]) -> None:
    def fail(x: int) -> int:
        raise ValueError("nobody")

    function = Unary(fail)
    assert ctypes.PyDLL(None) and library.apply(ctypes.c_void_p(int(function)), 1) == 0
    assert [str(e) for e in unraised] == ["nobody"]
    # Nor does it come up in the next one.
    assert call(library, "apply", Unary(lambda x: x), 3) == 3


def test_callback_that_calls_c(library: ctypes.CDLL) -> None:
    inner = Unary(lambda x: x * 10)

    def outer(x: int) -> int:
        return call(library, "apply", inner, x) + 1

    assert call(library, "apply", Unary(outer), 4) == 41

    def fails(x: int) -> int:
        with pytest.raises(ZeroDivisionError):
            call(library, "apply", Unary(lambda x: 1 // 0), x)
        return 5

    assert call(library, "apply", Unary(fails), 4) == 5

    # An exception of the outer call waits for the outer call.
    def first(x: int) -> int:
        raise KeyError("outer")

    with pytest.raises(KeyError, match="outer"):
        call(library, "both", Unary(first), Unary(lambda x: call(library, "apply", inner, x)), 1)


def test_recursion_ends_with_an_exception(library: ctypes.CDLL) -> None:
    apply = address(library, "apply")
    words: list[int] = []
    function = Unary(lambda x: native._c_call(apply, words))
    words += [int(function), 0]
    with pytest.raises(RecursionError):
        native._c_call(apply, words)


def test_threads_of_c(library: ctypes.CDLL) -> None:
    stop = threading.Event()
    spins = [0, 0]

    def spin(i: int) -> None:
        while not stop.is_set():
            spins[i] += 1

    workers = [threading.Thread(target=spin, args=(i,)) for i in range(2)]
    for worker in workers:
        worker.start()
    try:
        function = Unary(lambda x: x + 1)
        assert call(library, "threads", function, 8, release_gil=True) == 8 * sum(range(1, 201))
    finally:
        stop.set()
        for worker in workers:
            worker.join()


def test_exceptions_on_threads_of_c(library: ctypes.CDLL, unraised: list[Any]) -> None:
    def fail(x: int) -> int:
        raise ValueError(x)

    assert call(library, "threads", Unary(fail), 2, release_gil=True) == 0
    assert len(unraised) == 400


def test_text(library: ctypes.CDLL) -> None:
    made = native._c_callback("give", [], "text").python
    assert call(library, "text_length", made(lambda: "größe")) == 7
    assert call(library, "text_length", made(lambda: None)) == 0
    with pytest.raises(ValueError, match="NUL"):
        call(library, "text_length", made(lambda: "a\0b"))
    seen: list[Any] = []
    take = native._c_callback("take", [("s", "text")], "i32").python
    word = ctypes.create_string_buffer(b"word")
    call(library, "apply", take(lambda s: seen.append(s) or 0), 0)
    second = take(lambda s: seen.append(s) or 0)
    call(library, "longer", second, ctypes.addressof(word))
    assert seen == [None, "word"]


def test_small_results_are_extended(library: ctypes.CDLL) -> None:
    made = native._c_callback("small", [], "i16").python
    assert call(library, "extended", made(lambda: -3)) & 0xFFFF == 0xFFFD


def test_lives(library: ctypes.CDLL, unraised: list[Any]) -> None:
    function = Unary(lambda x: x)
    call(library, "keep", function)
    assert call(library, "call_kept", 3) == 3
    function.close()
    function.close()
    assert function.closed and not function and repr(function) == "<unary closed>"
    assert call(library, "call_kept", 3) == 0
    assert "closed" in str(unraised.pop())
    with pytest.raises(ValueError, match="closed"):
        int(function)
    with Unary(lambda x: x) as other:
        assert call(library, "apply", other, 3) == 3
    assert other.closed
    target = Unary(lambda x: x)
    reference = weakref.ref(target)
    del target
    assert reference() is None


def test_kept_callbacks(library: ctypes.CDLL) -> None:
    def function(x: int) -> int:
        return x + 100

    code, keep = UNARY.pointer(function, kept=True)
    again, same = UNARY.pointer(function, kept=True)
    assert code == again and keep is same
    del same
    reference = weakref.ref(keep)
    call(library, "keep", code)
    del keep
    gc.collect()
    assert call(library, "call_kept", 1) == 101
    kept = reference()
    assert kept is not None
    kept.close()
    del kept
    gc.collect()
    assert reference() is None
    assert UNARY.pointer(None) == (0, None)
    with pytest.raises(TypeError, match="unary takes a callable, got int 5"):
        UNARY.pointer(5)


def test_cycles_are_collected() -> None:
    class Owner:
        def __init__(self) -> None:
            self.callback = Unary(self.method)

        def method(self, x: int) -> int:
            return x

    owner = Owner()
    reference = weakref.ref(owner)
    del owner
    gc.collect()
    assert reference() is None


def test_many(library: ctypes.CDLL) -> None:
    functions = [Unary(lambda x, i=i: x + i) for i in range(5000)]
    assert len({int(f) for f in functions}) == 5000
    for i in range(0, 5000, 97):
        assert call(library, "apply", functions[i], 1) == i + 1
    del functions
    for i in range(10_000):
        assert call(library, "apply", Unary(lambda x, i=i: x + i), 1) == i + 1


def test_while_it_runs_it_may_be_closed(library: ctypes.CDLL) -> None:
    function: Any = None

    def close(x: int) -> int:
        function.close()
        return x

    function = Unary(close)
    assert call(library, "apply", function, 9) == 9


def test_fields(library: ctypes.CDLL) -> None:
    made = native._c_record("Operations", 8, 8)
    made.define([("first", "unary", 0, UNARY)])
    operations = made.python(first=lambda x: x * 3)
    gc.collect()
    assert call(library, "apply", operations.first, 5) == 15
    function = operations.first
    assert operations.first is function
    operations.first = None
    assert not operations.first
    operations.first = address(library, "add_one")
    assert call(library, "apply", operations.first, 5) == 6
    with pytest.raises(TypeError, match=r"Operations\.first .* takes a callable"):
        operations.first = "text"
    with pytest.raises(TypeError, match="unary"):
        operations.first = native._c_callback("other", []).python(lambda: None)


def test_making_one() -> None:
    for bad in ("text", 1.5, object()):
        with pytest.raises(TypeError, match=r"unary\(\) takes a callable"):
            Unary(bad)
    with pytest.raises(OverflowError):
        Unary(-1)
    assert not Unary() and Unary(16) == Unary(16) and hash(Unary(16)) == hash(Unary(16))
    with pytest.raises(ValueError, match="null"):
        Unary()(1)
    function = Unary(lambda x: x)
    with pytest.raises(TypeError, match="already"):
        function.__init__(len)
    with pytest.raises(TypeError, match="cannot be called"):
        native.Callback(len)
    assert sys.getrefcount(function) == 2


def test_as_parameters(library: ctypes.CDLL) -> None:
    apply = native._callable("apply", address(library, "apply"), "i32", [("f", ("callback", UNARY)), ("x", "i32")])
    assert apply(lambda x: x + 1, 41) == 42 and apply(Unary(lambda x: -x), 5) == -5
    with pytest.raises(ZeroDivisionError):
        apply(lambda x: x // 0, 1)
    with pytest.raises(TypeError, match="apply.*'f'.*callable"):
        apply("text", 1)
    with pytest.raises(TypeError, match="None"):
        apply(None, 1)
    other = native._c_callback("other", []).python(lambda: None)
    with pytest.raises(TypeError, match="'f'.*expected a callback of type 'unary', got one of type 'other'"):
        apply(other, 1)
    function = Unary(lambda x: x)
    function.close()
    with pytest.raises(ValueError, match="closed"):
        apply(function, 1)
    keep = native._callable("keep", address(library, "keep"), "void", [("f", ("kept?", UNARY))])
    call_kept = native._callable("call_kept", address(library, "call_kept"), "i32", [("x", "i32")])
    keep(lambda x: x * 7)
    gc.collect()
    assert call_kept(6) == 42

    def fail(x: int) -> int:
        raise KeyError(x)

    keep(fail)
    with pytest.raises(KeyError, match="9"):
        call_kept(9)
    keep(None)
    assert call_kept(1) == -1


def test_functions_of_c(library: ctypes.CDLL) -> None:
    add_one = Unary(address(library, "add_one"))
    assert add_one(41) == 42 and add_one(x=1) == 2 and add_one.callable is None
    with pytest.raises(TypeError, match="'x'"):
        add_one("text")
    with pytest.raises(OverflowError, match="'x'"):
        add_one(2**31)
    with pytest.raises(TypeError):
        add_one()
    assert Unary(lambda x: x * 2)(4) == 8
    get = native._callable("identity", address(library, "identity"), UNARY, [("f", ("kept?", UNARY))])
    function = get(add_one)
    assert isinstance(function, Unary) and function == add_one and function(1) == 2
    assert get(None) is None
