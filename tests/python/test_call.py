"""Calls of C functions: results, errors, references, threads; with generated code, with less of it, and without."""

from __future__ import annotations

import array
import collections
import ctypes
import enum
import fractions
import gc
import inspect
import math
import operator
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from cuox_bind import _native

HERE = pathlib.Path(__file__).parent
CC = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(CC is None, reason="needs a C compiler")

Function = Callable[..., Any]
Bind = Callable[..., Function]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    path = tmp_path_factory.mktemp("calls") / "libcalls.so"
    assert CC
    subprocess.run([CC, "-O2", "-fPIC", "-shared", "-o", str(path), str(HERE / "calls.c")], check=True)
    return ctypes.CDLL(str(path))


def address(library: ctypes.CDLL, name: str) -> int:
    found = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert found
    return found


@pytest.fixture(params=["code", "api", "nojit", "later"])
def bind(library: ctypes.CDLL, request: pytest.FixtureRequest) -> Iterator[Bind]:
    def bind(name: str, result: Any, parameters: list[tuple[Any, ...]], **options: Any) -> Function:
        function: Function = _native._callable(name, address(library, name), result, parameters, **options)
        return function

    before = _native._call_mode(request.param)
    yield bind
    _native._call_mode(before)


def ints(name: str, bits: int, signed: bool) -> list[Any]:
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return [name, least, most]


SCALARS = [
    ints("i8", 8, True), ints("u8", 8, False), ints("i16", 16, True), ints("u16", 16, False), ints("i32", 32, True),
    ints("u32", 32, False), ints("i64", 64, True), ints("u64", 64, False), ints("i128", 128, True), ints("u128", 128, False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "least", "most"), SCALARS)
def test_integers_cross_whole_or_are_refused(bind: Bind, kind: str, least: int, most: int) -> None:
    f = bind(f"id_{kind}", kind, [("x", kind)])
    edges = {0, 1, -1, 5, 127, 128, 255, 256, 257}
    edges |= {
        s * (1 << b) + d
        for b in (7, 8, 15, 16, 29, 30, 31, 32, 59, 60, 61, 63, 64, 90, 127)
        for s in (1, -1)
        for d in (-1, 0, 1)
    }
    for x in edges | {least, most, least - 1, most + 1}:
        if least <= x <= most:
            assert f(x) == x
            assert type(f(x)) is int
        else:
            with pytest.raises(OverflowError, match=r"id_.*\(\): parameter 'x'.* cannot hold"):
                f(x)
    for bad in ("3", 3.0, None, [], b"1", 1j, object()):
        with pytest.raises(TypeError, match=r"parameter 'x' takes an int, got"):
            f(bad)
    assert f(True) == 1

    class Named(int):
        """An int with attributes of its own, and another idea of what it is."""

        def __init__(self, _: int) -> None:
            self.more = "more"

        def __index__(self) -> int:
            return 3

    for x in (0, 1, 100, least, most):
        assert f(Named(x)) == x
        assert f(enum.IntEnum("Named", {"A": x}).A) == x
    assert f(np.int8(7)) == 7
    assert f(np.uint64(9)) == 9


def test_floats(bind: Bind) -> None:
    f = bind("fma3", "f64", [("a", "f64"), ("b", "f64"), ("c", "f64")])
    assert f(1.5, 2.5, 3.5) == 1.5 * 2.5 + 3.5
    assert f(2, 3, 4) == 10.0
    assert f(-(2**29), 2**40, True) == -float(2**69) + 1
    assert f(fractions.Fraction(1, 2), np.float32(4), np.int64(1)) == 3.0
    assert math.isnan(f(math.nan, 1, 1))
    assert math.copysign(1, f(-0.0, 1.0, -0.0)) == -1
    for bad in ("1", None, [], 1j):
        with pytest.raises(TypeError, match=r"fma3\(\): parameter 'b' takes a float, got"):
            f(1.0, bad, 2.0)
    with pytest.raises(OverflowError, match="parameter 'c' cannot hold"):
        f(1, 1, 10**400)
    half = bind("half", "f32", [("x", "f32")])
    assert half(3) == 1.5
    assert half(0.1) == float(np.float32(np.float32(0.1) / 2))
    twice = bind("twice", "long double", [("x", "long double")])
    assert twice(1.25) == 2.5
    assert twice(0.1) == 0.2


def test_bool_and_char(bind: Bind) -> None:
    f = bind("negate", "bool", [("b", "bool")])
    assert f(True) is False
    assert f(False) is True
    assert f(0) is True
    assert f(np.True_) is False
    with pytest.raises(OverflowError, match="cannot hold 2"):
        f(2)
    with pytest.raises(TypeError):
        f(1.0)
    g = bind("next_char", "char", [("c", "char")])
    assert g("a") == "b"
    assert g(b"y") == "z"
    assert g(65) == "B"
    for bad in ("", "ab", "ä"):
        with pytest.raises(ValueError, match="takes one character"):
            g(bad)
    with pytest.raises(OverflowError):
        g(300)
    with pytest.raises(TypeError):
        g(1.5)


def test_text(bind: Bind, tmp_path: pathlib.Path) -> None:
    f = bind("length", "u64", [("s", "text")], c_types=["const char *"])
    for n in range(40):
        assert f("x" * n) == n
        assert f(b"y" * n) == n
        for at in range(n):
            for text in ("x" * at + "\0" + "x" * (n - at - 1), b"x" * at + b"\0" * (n - at)):
                with pytest.raises(ValueError, match=rf"parameter 's' \(C 'const char \*'\) has a NUL at index {at}"):
                    f(text)
    assert f("größe") == 7
    assert f("日本") == 6
    assert f("x" * 100_000) == 100_000
    assert f(tmp_path) == len(bytes(tmp_path))
    assert f("\udcff") == 1  # a byte that was not UTF-8
    with pytest.raises(ValueError, match="lone surrogate"):
        f("\ud800")
    for bad in (None, 1.5, [], bytearray(b"a"), True, 3):
        with pytest.raises(TypeError, match="parameter 's'"):
            f(bad)
    to_text = _native._pointer_class("Text", "i8")
    assert f(bind("copy_of", to_text, [("s", "text")])("five!")) == 5
    assert bind("length", "u64", [("s", "text?")])(None) == 2**64 - 1
    name = bind("name_of", "text", [("i", "i32")])
    assert [name(i) for i in range(6)] == ["zero", "one", "two", "grüß", "\udcff", None]
    assert f(name(4)) == 1


def test_text_that_is_freed(bind: Bind, library: ctypes.CDLL) -> None:
    before = library.freed()
    f = bind("copy_of", ("text", address(library, "free_text")), [("s", "text")])
    assert [f("abc"), f("")] == ["abc", ""]
    assert library.freed() == before + 2


def test_arguments(bind: Bind) -> None:
    f = bind("add", "i32", [("a", "i32"), ("b", "i32", 5)], doc="Adds.", module="calls")
    assert f(1, 2) == f(1, b=2) == f(b=2, a=1) == f(**{"a": 1, "".join("b"): 2}) == 3
    assert f(1) == f(a=1) == 6
    assert str(inspect.signature(f)) == "(a, b=5)"
    assert (f.__name__, f.__doc__, f.__module__) == ("add", "Adds.", "calls")
    with pytest.raises(TypeError, match=r"^add\(\) got 3 arguments, expected at most 2: add\(a, b=\.\.\.\)$"):
        f(1, 2, 3)
    with pytest.raises(TypeError, match=r"^add\(\) is missing argument 'a': add\(a, b=\.\.\.\)$"):
        f()
    with pytest.raises(TypeError, match=r"^add\(\) has no parameter 'c': add\(a, b=\.\.\.\)$"):
        f(1, c=2)
    with pytest.raises(TypeError, match=r"^add\(\) got 'a' twice, by place and by name: add\(a, b=\.\.\.\)$"):
        f(1, a=2)
    g = bind("nothing", "void", [])
    assert g() is None
    with pytest.raises(TypeError, match=r"^nothing\(\) got 1 argument, expected none: nothing\(\)$"):
        g(1)
    with pytest.raises(TypeError):
        g(x=1)
    many = [("a", "i32"), ("b", "f64"), ("c", "i32"), ("d", "f32"), ("e", "i64"), ("f", "f64"), ("g", "u8"), ("h", "i32"), ("i", "i32"),
            ("j", "f64"), ("k", "i32"), ("l", "f32"), ("m", "f64"), ("n", "f64"), ("o", "f64"), ("p", "f64"), ("q", "i16")]  # fmt: skip
    assert bind("many", "i32", many)(*range(17)) == sum((i + 1) * i for i in range(17))


def test_memory(bind: Bind) -> None:
    f = bind("sum_f64", "f64", [("p", ("in", "f64")), ("n", "i32")])
    data = np.arange(6.0)
    for _ in range(3):
        assert f(data, 6) == 15
        assert f(data.ctypes.data, 6) == 15
        assert f(array.array("d", [1, 2]), 2) == 3
        assert f(memoryview(data), 6) == 15
        assert f([1, 2.5, fractions.Fraction(1, 2)], 3) == 4
        assert f((), 0) == 0
        assert f((ctypes.c_double * 2)(1, 2), 2) == 3
        assert f(data.tobytes(), 6) == 15
        assert f(ctypes.cast(ctypes.pointer(ctypes.c_double(8)), ctypes.c_void_p), 1) == 8
    locked = data.copy()
    locked.setflags(write=False)
    assert f(locked, 6) == 15
    refused = {
        "takes contiguous memory": data[::2],
        "takes elements of float64, got numpy.ndarray with elements 'f'": data.astype(np.float32),
        "takes elements of float64, got numpy.ndarray with elements 'l'": data.astype(np.int64),
        "got str 'abc'": "abc",
        "got float 1.5": 1.5,
        "got bool True": True,
        "must not be None": None,
        "got object": object(),
    }
    for text, bad in refused.items():
        with pytest.raises(TypeError, match=text):
            f(bad, 1)
    with pytest.raises(ValueError, match="are not a multiple"):
        f(b"12345", 1)
    with pytest.raises(OverflowError, match="an address has 64 bits"):
        f(-1, 1)
    with pytest.raises(TypeError, match=r"'p\[1\]' takes a float, got str 'x'"):
        f([1, "x"], 1)

    scale = bind("scale", "void", [("p", ("inout", "f32")), ("n", "i32"), ("by", "f32")])
    floats = np.ones(4, np.float32)
    for _ in range(3):
        assert scale(floats, 4, 2) is None
    assert floats.tolist() == [8.0] * 4
    floats.setflags(write=False)
    with pytest.raises(TypeError, match="writable memory"):
        scale(floats, 4, 2)
    with pytest.raises(TypeError):
        scale([1.0], 1, 2)
    with pytest.raises(TypeError):
        scale(b"1234", 1, 2)
    with pytest.raises(TypeError):
        scale(np.float32(1), 1, 2)
    assert bind("sum_f64", "f64", [("p", ("in?", "f64")), ("n", "i32")])(None, 0) == 0


def test_buffers_are_given_back(bind: Bind) -> None:
    f = bind("sum_bytes", "u32", [("p", ("in", "void")), ("n", "u64")])
    data = bytearray(b"\1\2\3")
    assert f(data, 3) == 6
    with pytest.raises(TypeError):
        f(data, "x")
    data.append(4)  # refused while a buffer is out
    assert f(data, 4) == 10


def test_lengths(bind: Bind) -> None:
    f = bind("sum_bytes", "u32", [("p", ("in", "void")), ("n", ("length", 0, 1, "u64"))])
    for _ in range(2):
        assert f(b"\1\2\3") == 6
        assert f(bytearray(b"\1\2")) == 3
        assert f(np.ones((3, 2), np.int16)) == 6
        assert f(memoryview(b"abc")) == 97 + 98 + 99
    with pytest.raises(TypeError, match="not known for an address"):
        f(1 << 20)
    g = bind("sum_i32", "i64", [("p", ("in?", "i32")), ("n", ("length", 0, 4, "u64"))])
    for _ in range(2):
        assert g(np.arange(10, dtype=np.int32)) == 45
        assert g([1, 2, 3]) == 6
        assert g(None) == 0
        assert g(np.zeros((0, 3), np.int32)) == 0
    h = bind("sum_bytes", "u32", [("p", ("in", "void")), ("n", ("length", 0, 3, "u64"))])
    assert h(b"\1\2\3") == 1
    with pytest.raises(ValueError, match="not a multiple of 3"):
        h(b"12")
    small = bind("sum_bytes", "u32", [("p", ("in", "void")), ("n", ("length", 0, 1, "u8"))])
    assert small(bytes(255)) == 0
    with pytest.raises(OverflowError, match="cannot hold 256"):
        small(bytes(256))
    texts = bind("total_length", "u64", [("texts", ("in", "pointer")), ("n", ("length", 0, 8, "u64"))])
    assert texts(["one", b"three", "fünf"]) == 3 + 5 + 5
    measured = bind("sum_bytes", "u32", [("s", "text"), ("n", ("length", 0, 1, "u64"))])
    assert measured("ab") == 97 + 98
    assert measured("ü") == 0xC3 + 0xBC


class Array:
    """Something with the CUDA array interface; C reads it, so it is host memory."""

    def __init__(self, host: np.ndarray[Any, Any], **over: Any) -> None:
        self.host = host
        interface = dict(host.__array_interface__)
        self.__cuda_array_interface__ = {
            "version": 3,
            **{k: interface[k] for k in ("shape", "typestr", "data", "strides")},
            **over,
        }


def test_protocols(bind: Bind) -> None:
    f = bind("sum_f64", "f64", [("p", ("inout", "f64")), ("n", "i32")])
    data = np.arange(4.0)
    assert f(Array(data), 4) == 6
    assert f(Array(data, strides=(8,)), 4) == 6
    with pytest.raises(TypeError, match="contiguous"):
        f(Array(data, strides=(16,)), 4)
    with pytest.raises(TypeError, match="read-only"):
        f(Array(data, data=(data.ctypes.data, True)), 4)
    with pytest.raises(TypeError, match="takes elements of float64"):
        f(Array(data, typestr="<f4"), 4)
    with pytest.raises(ValueError, match="no 'shape'"):
        broken = Array(data)
        del broken.__cuda_array_interface__["shape"]
        f(broken, 4)

    # A buffer of the device says that it is bytes. An array of bytes, which has a dtype, is one.
    raw = Array(data.view(np.uint8))
    assert f(raw, 4) == 6
    assert f(Array(data.view(np.int8)), 4) == 6
    with pytest.raises(ValueError, match="not a multiple"):
        f(Array(data.view(np.uint8)[:-1]), 3)
    raw.dtype = np.dtype(np.uint8)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="takes elements of float64"):
        f(raw, 4)

    class Tensor:
        def __init__(self, of: np.ndarray[Any, Any]) -> None:
            self.of = of

        def __dlpack__(self) -> Any:
            return self.of.__dlpack__()

    assert f(Tensor(data), 4) == 6
    with pytest.raises(TypeError, match="takes elements of float64"):
        f(Tensor(data.astype(np.float32)), 4)
    with pytest.raises(TypeError, match="contiguous"):
        f(Tensor(np.zeros((4, 4))[:, 1]), 4)

    class Odd:
        def __getattr__(self, name: str) -> Any:
            if name == "__dlpack__":
                raise ZeroDivisionError
            raise AttributeError(name)

    with pytest.raises(ZeroDivisionError):
        f(Odd(), 4)


def test_outputs(bind: Bind) -> None:
    f = bind("try_halve", "i32", [("x", "i32"), ("out", ("out", "i32"))])
    assert f(4) == (0, 2)
    assert f(2**20) == (0, 2**19)
    assert f(3) == (7, 0)
    g = bind(
        "divide", ("status", "i32", "zero"), [("a", "i32"), ("b", "i32"), ("q", ("out", "i32")), ("r", ("out", "i32"))]
    )
    assert g(17, 5) == (3, 2)
    with pytest.raises(RuntimeError, match=r"divide\(\) failed with status -1"):
        g(1, 0)
    bump = bind("bump", "void", [("x", ("in/out", "i32")), ("y", ("in/out", "f64"))])
    assert bump(1, 2.5) == (2, 5.0)
    assert bump(-2, 3) == (-1, 6.0)
    with pytest.raises(OverflowError):
        bump(2**31, 1)
    # C that stores more than it is thought to does no harm if that is little.
    more = bind("one_too_many", ("status", "i32", "zero"), [("out", ("out", "i32"))])
    assert [more() for _ in range(3)] == [1, 1, 1]
    fixed = bind("with_mode", "i32", [("mode", ("fixed", "i32", -3)), ("x", "i32")])
    assert fixed(7) == -2993


def test_output_buffers(bind: Bind) -> None:
    f = bind("fill", "i32", [("buffer", ("text buffer", 1)), ("size", "u64")])
    assert f(100) == (12, "hello, world")
    assert f(6) == (12, "hello")
    assert f(0) == (12, "")
    with pytest.raises((ValueError, MemoryError)):
        f(2**63)
    g = bind("produce", ("status", "i32", "zero"), [("buffer", ("buffer", 1, 1)), ("size", ("in/out", "u64"))])
    assert g(3) == (b"\0\1\2", 3)
    assert g(9) == (b"\0\1\2\3\4", 5)


class Code(enum.IntEnum):
    OK = 0
    ODD = 7


def test_statuses(bind: Bind) -> None:
    parameters = [("x", "i32"), ("out", ("out", "i32"))]

    class Failure(Exception):
        pass

    seen = []

    def raises(function: str, code: int) -> Failure:
        seen.append((function, code))
        return Failure(function, code)

    f = bind("try_halve", ("status", "i32", "zero", Code), parameters, raises=raises)
    assert f(8) == 4
    with pytest.raises(Failure):
        f(3)
    assert seen == [("try_halve", Code.ODD)]
    assert type(seen[0][1]) is Code
    g = bind("try_halve", ("status", "i32", "zero", Code), parameters, status_tuple=True)
    assert g(8) == (Code.OK, 4)
    assert type(g(8)[0]) is Code
    assert g(3) == (Code.ODD, None)
    place = ctypes.c_int(0)
    assert g(8, place) == (Code.OK,)
    assert place.value == 4
    for success, ok in ((["nonzero"], (3, 0)), (["not negative"], (8, 4)), ([[7]], (3, 0)), ([[0, 7]], (3, 0))):
        h = bind("try_halve", ("status", "i32", *success), parameters)
        assert h(ok[0]) == ok[1]
    with pytest.raises(RuntimeError):
        bind("try_halve", ("status", "i32", [7]), parameters)(8)
    with pytest.raises(RuntimeError):
        bind("try_halve", ("status", "i32", "nonzero"), parameters)(8)
    with pytest.raises(TypeError):
        bind("try_halve", ("status", "i32", "zero"), parameters, raises=lambda f, c: 3)(3)


def test_enums(bind: Bind) -> None:
    class Flags(enum.IntFlag):
        A = 1
        B = 2

    f = bind("id_i32", ("enum", "i32", Code), [("x", "i32")])
    assert f(Code.ODD) is Code.ODD
    assert (f(5), type(f(5))) == (5, int)
    g = bind("id_i32", ("enum", "i32", Flags), [("x", "i32")])
    assert g(3) == Flags.A | Flags.B
    assert isinstance(g(3), Flags)


def test_handles(bind: Bind, library: ctypes.CDLL) -> None:
    thing, other = _native._handle_class("Thing"), _native._handle_class("Other")
    new = bind("thing_new", ("not null", ("owned", thing)), [("n", "i32")])
    get = bind("thing_get", "i32", [("thing", ("handle", thing))])
    maybe = bind("thing_get", "i32", [("thing", ("handle?", thing))])
    free = bind("thing_free", ("status", "i32", "zero"), [("thing", ("consumed", thing))])
    t = new(41)
    assert type(t) is thing.python
    assert get(t) == get(thing=t) == maybe(t) == 41
    assert maybe(None) == -1
    with pytest.raises(RuntimeError, match=r"thing_new\(\) returned NULL"):
        new(-1)
    for bad in (None, 3, "x", 1.5, bind("thing_new", other, [("n", "i32")])(1)):
        with pytest.raises(
            TypeError, match=r"thing_get\(\): parameter 'thing' (takes|must not be None: C needs a Thing)"
        ):
            get(bad)
    assert free(t) is None
    for f in (get, maybe, free):
        with pytest.raises(ValueError, match="this Thing is closed"):
            f(t)
    unlucky = new(13)
    with pytest.raises(RuntimeError):
        free(unlucky)
    assert get(unlucky) == 13  # not closed: the call has failed
    opened = bind("thing_open", ("status", "i32", "zero"), [("n", "i32"), ("out", ("out", ("owned", thing)))])
    assert get(opened(5)) == 5
    by_address = _native._handle_class("Thing", "pointer", True)
    assert bind("thing_get", "i32", [("thing", ("handle", by_address))])(int(opened(6))) == 6
    assert bind("thing_get", "i32", [("thing", ("in", "void"))])(opened(7)) == 7
    assert bind("thing_new", thing, [("n", "i32")])(-1) is None


def test_integer_handles(bind: Bind) -> None:
    device = _native._handle_class("Device", "i32", True)
    get = bind(
        "device_get", ("status", "i32", "zero"), [("device", ("out", device)), ("ordinal", "i32")], status_tuple=True
    )
    twice = bind("device_twice", "i32", [("device", ("handle", device))])
    for i in (0, 3):
        status, d = get(i)
        assert status == 0
        assert int(d) == i
        assert twice(d) == twice(i) == 2 * i
    assert get(9) == (101, None)
    assert get(d, 5) == (0,)
    assert twice(d) == 10
    with pytest.raises(TypeError):
        get(_native._handle_class("Other", "i32"), 5)


def test_a_handle_keeps_what_it_came_from(bind: Bind) -> None:
    thing = _native._handle_class("Thing")

    class Library:
        pass

    keep = Library()
    alive = weakref.ref(keep)
    new = bind("thing_new", ("owned", thing), [("n", "i32")], keep=keep)
    t = new(1)
    del keep, new
    gc.collect()
    assert alive()
    del t
    gc.collect()
    assert not alive()


def test_cycles_through_a_callable_are_collected(bind: Bind) -> None:
    class Library:
        f: Function

    for default in (False, True):
        keep = Library()
        keep.f = bind(
            "add", "i32", [("a", "i32"), ("b", "i32", *([keep] if default else []))], keep=None if default else keep
        )
        alive = weakref.ref(keep)
        del keep
        gc.collect()
        assert not alive()


PAIR = ("Pair", 8, 4, [False])
MIXED = ("Mixed", 16, 8, [True, True])
VEC3 = ("Vec3", 12, 4, [True, True])
BIG = ("Big", 40, 8, None)
TINY = ("Tiny", 3, 1, [False])


def filled(record: Any, data: bytes) -> Any:
    """A record with these bytes: through a function that returns one."""
    f = _native._callable("id", MEMCPY, "void", [("to", ("inout", record)), ("from", ("in", "void")), ("n", "u64")])
    made = (
        _native._callable("id", ID, record, [("a", "i64"), ("b", "i64")])(0, 0)
        if record_size(record, data) <= 16
        else None
    )
    assert made is not None
    f(made, data, len(data))
    return made


MEMCPY = ctypes.cast(ctypes.CDLL(None).memcpy, ctypes.c_void_p).value
ID = ctypes.cast(ctypes.CDLL(None).labs, ctypes.c_void_p).value


def record_size(record: Any, data: bytes) -> int:
    return len(data)


def content(record: Any, size: int) -> bytes:
    return bytes(record)[:size]


def test_records_by_value(bind: Bind) -> None:
    pair, mixed, vec3, tiny = (_native._record_class(*c) for c in (PAIR, MIXED, VEC3, TINY))
    p = filled(pair, np.array([3, -4], np.int32).tobytes())
    for _ in range(2):
        r = bind("swap", pair, [("p", ("record", pair))])(p)
        assert np.frombuffer(content(r, 8), np.int32).tolist() == [-4, 3]
    a, b = (filled(vec3, np.array(v, np.float32).tobytes()) for v in ([1, 2, 3], [4, 5, 7]))
    r = bind("cross", vec3, [("a", ("record", vec3)), ("b", ("record", vec3))])(a, b)
    assert np.frombuffer(content(r, 12), np.float32).tolist() == [-1, 5, -3]
    t = filled(tiny, b"abc")
    assert content(bind("reverse", tiny, [("t", ("record", tiny))])(t), 3) == b"cba"
    m = filled(mixed, np.array([1.5], np.float64).tobytes() + np.array([2.5, 0], np.float32).tobytes())
    r = content(bind("mix", mixed, [("m", ("record", mixed)), ("by", "i32")])(m, 3), 12)
    assert (np.frombuffer(r[:8], np.float64)[0], np.frombuffer(r[8:], np.float32)[0]) == (4.5, 5.5)
    assert bind("pair_at", "i32", [("p", ("in", pair))])(p) == 296
    with pytest.raises(TypeError, match="takes a Pair"):
        bind("swap", pair, [("p", ("record", pair))])(t)
    with pytest.raises(TypeError, match="takes a Pair"):
        bind("pair_at", "i32", [("p", ("in", pair))])(t)


def test_records_in_memory(bind: Bind) -> None:
    big = _native._record_class(*BIG)
    zeros = bind("shift", big, [("b", ("record", big)), ("by", "i64")])
    start = _native._callable(
        "memset", ctypes.cast(ctypes.CDLL(None).memset, ctypes.c_void_p).value, big, [("c", "i32"), ("n", "u64")]
    )
    b = start(0, 40)
    for _ in range(3):
        b = zeros(b, 2)
    assert np.frombuffer(content(b, 40), np.int64).tolist() == [6] * 5
    total = bind("sum_big", "i64", [("a", "i32"), ("b", ("record", big)), ("c", "i32")])
    assert total(1, b, 2) == 33


def test_variadic(bind: Bind) -> None:
    f = bind("format", "i32", [("out", ("text buffer", 1)), ("size", "u64"), ("how", "text")], variadic=True)
    assert f(100, "%d %s %.2f %ld %p", 3, "ü", 2.5, -(2**40), None) == (
        f(100, "%d %s %.2f %ld %p", 3, "ü", 2.5, -(2**40), 0)
    )
    assert f(100, "%d %s %.2f %ld %c", 3, b"x", 2.5, -(2**40), 65)[1] == "3 x 2.50 -1099511627776 A"
    assert f(100, "%s|%d|%.1f", "a", ctypes.c_int(5), ctypes.c_float(0.5))[1] == "a|5|0.5"
    assert f(100, "%lu", 2**64 - 1)[1] == str(2**64 - 1)
    assert f(100, "%.3s", np.frombuffer(b"abcdef", np.uint8))[1] == "abc"
    with pytest.raises(TypeError, match=r"argument '...\[0\]'"):
        f(100, "%d", object())
    with pytest.raises(OverflowError):
        f(100, "%d", 2**64)
    g = bind("sum_many", "f64", [("n", "i32")], variadic=True)
    assert g(20, *map(float, range(20))) == 190.0
    assert str(inspect.signature(g)) == "(n, *args)"


def test_signatures_that_make_no_sense_are_refused(bind: Bind) -> None:
    for parameters in (
        [("p", ("buffer", 5, 1))],
        [("p", ("buffer", 0, 1))],
        [("p", ("buffer", 1, 0)), ("n", "u64")],
        [("p", ("buffer", 1, 1)), ("n", "f64")],
        [("n", ("length", 1, 1, "u64"))],
        [("p", "i32"), ("n", ("length", 0, 1, "u64"))],
        [("p", ("in", "void")), ("n", ("length", 0, 0, "u64"))],
        [("p", ("record", _native._record_class("Wide", 64, 64, None)))],
        [("p", ("record", _native._record_class("Huge", 1 << 20, 8, None)))],
    ):
        with pytest.raises(ValueError, match=r"nothing\(\)"):
            bind("nothing", "void", parameters)
    with pytest.raises(ValueError, match="the address of the C function must not be 0"):
        _native._callable("f", 0, "void", [])
    with pytest.raises(ValueError, match="NUL"):
        _native._callable("f\0", 1, "void", [])


def references(f: Function, *arguments: Any) -> list[int]:
    return [sys.getrefcount(a) for a in (*arguments, None, True, False, 0, 1, 5, f)]


def test_references_are_right_on_every_path(bind: Bind) -> None:
    thing = _native._handle_class("Thing")
    new = bind("thing_new", ("owned", thing), [("n", "i32")])
    wide = 2**50 + 12345
    cases: list[tuple[Function, tuple[Any, ...]]] = [
        (bind("add", "i32", [("a", "i32"), ("b", "i32")]), (1, 10**6)),
        (bind("add", "i32", [("a", "i32"), ("b", "i32")]), (1, "x")),
        (bind("id_u64", "u64", [("x", "u64")]), (wide,)),
        (bind("negate", "bool", [("b", "bool")]), (True,)),
        (bind("nothing", "void", []), ()),
        (bind("length", "u64", [("s", "text")]), ("a text of more than sixteen bytes",)),
        (bind("length", "u64", [("s", "text")]), ("größe und mehr",)),
        (bind("length", "u64", [("s", "text?")]), (None,)),
        (bind("sum_f64", "f64", [("p", ("in", "f64")), ("n", "i32")]), (np.arange(4.0), 4)),
        (bind("sum_f64", "f64", [("p", ("in", "f64")), ("n", "i32")]), (array.array("d", [1.0]), 1)),
        (bind("sum_f64", "f64", [("p", ("in", "f64")), ("n", "i32")]), (array.array("d", [1.0]), None)),
        (bind("sum_f64", "f64", [("p", ("in", "f64")), ("n", "i32")]), ([1.0, 2.0], 2)),
        (bind("thing_get", "i32", [("thing", ("handle", thing))]), (new(3),)),
        (bind("thing_get", "i32", [("thing", ("in", "void"))]), (new(3),)),
        (bind("try_halve", ("status", "i32", "zero"), [("x", "i32"), ("out", ("out", "i32"))]), (8,)),
        (bind("try_halve", ("status", "i32", "zero"), [("x", "i32"), ("out", ("out", "i32"))]), (3,)),
        (bind("divide", "i32", [("a", "i32"), ("b", "i32"), ("q", ("out", "i32")), ("r", ("out", "i32"))]), (17, 5)),
        (bind("name_of", "text", [("i", "i32")]), (9,)),
    ]
    for f, arguments in cases:

        def call(f: Function = f, arguments: tuple[Any, ...] = arguments) -> None:
            try:
                f(*arguments)
            except (TypeError, RuntimeError):
                pass

        call()
        before = references(f, *arguments)
        for _ in range(1000):
            call()
        after = references(f, *arguments)
        assert max(map(abs, map(operator.sub, after, before))) < 50, (f, arguments, before, after)


def test_memory_does_not_grow(bind: Bind, library: ctypes.CDLL) -> None:
    f = bind("copy_of", ("text", address(library, "free_text")), [("s", "text")])
    g = bind("divide", "i32", [("a", "i32"), ("b", "i32"), ("q", ("out", "i32")), ("r", ("out", "i32"))])
    h = bind("add", "i32", [("a", "i32"), ("b", "i32")])

    def work() -> None:
        for i in range(3000):
            f("some text")
            g(10**6 + i, 3)
            try:
                h("x", 1)
            except TypeError:
                pass
            bind("nothing", "void", [])

    work()
    gc.collect()
    before = sys.getallocatedblocks()
    work()
    gc.collect()
    assert sys.getallocatedblocks() - before < 300


def test_threads(bind: Bind) -> None:
    held = bind("add", "i32", [("a", "i32"), ("b", "i32")])
    released = bind("add", "i32", [("a", "i32"), ("b", "i32")], gil="release")
    data = np.arange(1000.0)
    sums = bind("sum_f64", "f64", [("p", ("in", "f64")), ("n", "i32")], gil="release")
    wrong: collections.deque[Any] = collections.deque()

    def work(k: int) -> None:
        for i in range(2000):
            if (
                held(i, k) != i + k
                or released(i, -k) != i - k
                or sums(data, i % 1000) != (i % 1000) * (i % 1000 - 1) / 2
            ):
                wrong.append((k, i))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_arguments_that_change_others_during_conversion(bind: Bind) -> None:
    """Conversions that run Python code come before those that only read, so that an address is never of something that
    is gone.
    """
    thing = _native._handle_class("Thing")
    new = bind("thing_new", ("owned", thing), [("n", "i32")])
    free = bind("thing_free", "i32", [("thing", ("consumed", thing))])
    use = bind("thing_get", "i32", [("thing", ("handle", thing)), ("unused", "i32")])
    t = new(3)

    class Evil:
        def __index__(self) -> int:
            free(t)
            return 1

    with pytest.raises(ValueError, match="closed"):
        use(t, Evil())


def test_code_survives_a_fork(bind: Bind) -> None:

    bind("add", "i32", [("a", "i32"), ("b", "i32")])
    pid = os.fork()
    if pid == 0:
        ok = bind("fma3", "f64", [("a", "f64"), ("b", "f64"), ("c", "f64")])(1, 2, 3) == 5
        os._exit(0 if ok else 1)
    f = bind("bump", "void", [("x", ("in/out", "i32")), ("y", ("in/out", "f64"))])
    assert os.waitpid(pid, 0)[1] == 0
    assert f(1, 1) == (2, 2)
