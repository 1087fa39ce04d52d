"""Handles, records, pointers and arrays: the Python classes of C values."""

from __future__ import annotations

import copy
import ctypes
import enum
import gc
import pickle
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from ctools import address, build, call, needs_compiler
from cuox_bind import _native as native

SOURCE = r"""
#include <stdlib.h>
#include <string.h>
int live = 0, refuse = 0;
int order[16], ended = 0;
void *thing_new(void) { live++; return calloc(1, 64); }
int thing_free(void *p) { if (refuse) return 7; live--; order[ended++ & 15] = 1; free(p); return 0; }
int other_free(void *p) { order[ended++ & 15] = 2; return 0; }
int by_address(void **p) { live--; free(*p); *p = 0; return 0; }
int live_count(void) { return live; }
void set_refuse(int n) { refuse = n; }
int order_at(int i) { return order[i]; }
int ended_count(void) { return ended; }
typedef struct node { struct node *next; const char *name; int value; } node;
int total(const node *n) { int sum = 0; for (; n; n = n->next) sum += n->value; return sum; }
size_t name_length(const node *n) { return strlen(n->name); }
"""


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    return build(SOURCE)


def record(name: str, size: int, fields: list[tuple[str, str, int, Any]], align: int = 8, union: bool = False) -> Any:
    made = native._c_record(name, size, align, union=union)
    made.define(fields)
    return made


POINT = record("Point", 16, [("x", "int", 0, "i32"), ("y", "double", 64, "f64")])
Point = POINT.python


# Handles.


def thing_class(library: ctypes.CDLL, name: str = "Thing", **options: Any) -> Any:
    destroy = (f"{name.lower()}_free", address(library, "thing_free"), True)
    return native._c_handle(name, takes_int=True, destroy=destroy, **options)


def owned(made: Any, value: int, keep: Any = None) -> Any:
    """An owned handle, as a field that C filled gives one."""
    callback = native._c_callback("make", [("h", ("owned", made))])
    got: list[Any] = []
    function = callback.python(got.append)
    native._c_call(int(function), [value])
    return got[0]


@needs_compiler
def test_handle_is_closed_once(library: ctypes.CDLL) -> None:
    made = thing_class(library)
    before = library.live_count()
    handle = owned(made, call(library, "thing_new"))
    assert handle and handle.owned and not handle.closed
    assert library.live_count() == before + 1
    handle.close()
    handle.close()
    assert library.live_count() == before
    assert handle.closed and not handle and repr(handle) == "<Thing closed>"
    with pytest.raises(ValueError, match="this Thing is closed"):
        int(handle)


@needs_compiler
def test_handle_is_ended_when_collected(library: ctypes.CDLL) -> None:
    made = thing_class(library)
    before = library.live_count()
    handle = owned(made, call(library, "thing_new"))
    reference = weakref.ref(handle)
    del handle
    assert reference() is None and library.live_count() == before
    with owned(made, call(library, "thing_new")) as handle:
        assert library.live_count() == before + 1
    assert library.live_count() == before
    value = owned(made, call(library, "thing_new")).detach()
    assert library.live_count() == before + 1
    call(library, "thing_free", value)


@needs_compiler
def test_handle_that_cannot_be_ended_stays_open(library: ctypes.CDLL) -> None:
    made = thing_class(library)
    handle = owned(made, call(library, "thing_new"))
    library.set_refuse(1)
    with pytest.raises(RuntimeError, match=r"thing_free\(\) failed with 7"):
        handle.close()
    assert not handle.closed and handle.owned and int(handle)
    library.set_refuse(0)
    handle.close()
    assert handle.closed


@needs_compiler
def test_handle_ended_by_address(library: ctypes.CDLL) -> None:
    destroy = ("by_address", address(library, "by_address"), True)
    made = native._c_handle("Freed", destroy=destroy, by_address=True, gil="release")
    before = library.live_count()
    owned(made, call(library, "thing_new")).close()
    assert library.live_count() == before


@needs_compiler
def test_failing_finaliser_tells_the_hook(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    handle = owned(thing_class(library), call(library, "thing_new"))
    library.set_refuse(1)
    del handle
    library.set_refuse(0)
    assert "failed with 7" in str(told[0].exc_value)


def test_handle_values() -> None:
    made = native._c_handle("Foo", takes_int=True)
    Foo = made.python
    other = native._c_handle("Bar", takes_int=True).python
    assert not Foo() and repr(Foo()) == "<Foo null>"
    assert Foo(16) == Foo(16) and Foo(16) != Foo(32) and Foo(16) != other(16)
    assert hash(Foo(16)) == hash(Foo(16)) and len({Foo(16), Foo(16), Foo(32)}) == 2
    assert int(Foo(2**64 - 1)) == 2**64 - 1
    assert repr(Foo(0x7F10)) == "<Foo 0x7f10>"
    for wrong in (-1, 2**64):
        with pytest.raises(OverflowError, match="Foo"):
            Foo(wrong)
    for bad in ("a", 1.5, other(1), object()):
        with pytest.raises(TypeError, match="Foo"):
            Foo(bad)
    handle = Foo()
    ctypes.c_uint64.from_address(handle.getPtr()).value = 99
    assert int(handle) == 99
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(handle)
    with pytest.raises(TypeError, match="pickled"):
        copy.copy(handle)
    with pytest.raises(TypeError):
        handle.__class__ = other  # type: ignore[assignment]
    with pytest.raises(TypeError, match="cannot be called"):
        native.Handle()


def test_integer_handles() -> None:
    Device = native._c_handle("Device", scalar="i32", takes_int=True).python
    assert int(Device(-1)) == -1 and int(Device(0)) == 0
    with pytest.raises(OverflowError):
        Device(2**31)
    device = Device()
    ctypes.c_int.from_address(device.getPtr()).value = -7
    assert int(device) == -7 and device == Device(-7) and repr(device) == "<Device -7>"


def test_python_subclasses() -> None:
    class Mine(Point):  # type: ignore[misc, valid-type]
        def length(self) -> float:
            return float(self.x + self.y)

    mine = Mine(x=3, y=0.5)
    mine.note = "kept"
    assert mine.length() == 3.5 and mine == Point(3, 0.5) and isinstance(copy.copy(mine), Mine)
    mine.self = mine
    reference = weakref.ref(mine)
    del mine
    gc.collect()
    assert reference() is None
    with pytest.raises(TypeError):

        class Two(Point, record("Wide", 24, [("z", "long", 0, "i64")]).python):  # type: ignore[misc]
            pass


# Records.


def test_record_fields() -> None:
    point = Point(x=1, y=2)
    assert (point.x, point.y) == (1, 2.0) and repr(point) == "Point(x=1, y=2.0)"
    assert Point() == Point(0, 0) and Point(1, 2) == point and Point(1, 3) != point
    point.x = -5
    assert bytes(point)[:4] == b"\xfb\xff\xff\xff" and len(bytes(point)) == 16
    with pytest.raises(
        OverflowError, match=r"Point\.x \(C 'int'\) cannot hold 2147483648 \(-2147483648 to 2147483647\)"
    ):
        point.x = 2**31
    with pytest.raises(TypeError, match=r"Point\.x \(C 'int'\) takes an int, got str 'a'"):
        point.x = "a"
    with pytest.raises(TypeError, match=r"Point\.x .* got float 1\.5"):
        point.x = 1.5
    with pytest.raises(TypeError, match=r"no field 'z'"):
        Point(z=1)
    with pytest.raises(TypeError, match="multiple values"):
        Point(1, x=2)
    with pytest.raises(TypeError, match=r"got 3 values, but struct \w+ has 2 fields"):
        Point(1, 2, 3)
    with pytest.raises(TypeError, match="cannot be deleted"):
        del point.x
    with pytest.raises(AttributeError):
        point.nothing = 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(point)
    match point:
        case Point(x, y):
            assert (x, y) == (-5, 2.0)
    assert point.__sizeof__() >= 16


def test_unknown_field_names_the_nearest() -> None:
    made = record("Config", 8, [("threads", "int", 0, "i32"), ("blocks", "int", 32, "i32")]).python
    with pytest.raises(TypeError, match=r"Config\(\) has no field 'thread'; did you mean 'threads'\?"):
        made(thread=1)


def test_fields_belong_to_their_class() -> None:
    descriptor = Point.__dict__["x"]
    with pytest.raises(TypeError):
        descriptor.__get__(object())
    with pytest.raises(TypeError):
        descriptor.__get__(native._c_record("Empty", 0, 1).python())


def test_bad_definitions_are_refused() -> None:
    for field in [
        ("a", "int", 8 * 14, "i32"),
        ("a", "int", 2**63, "i32"),
        ("a", "int[]", 0, ("array", "i32", [2**62, 2**62])),
        ("a", "int:0", 0, ("bits", "i32", 0)),
        ("a", "int:33", 0, ("bits", "i32", 33)),
        ("a", "int", 3, "i32"),
    ]:
        with pytest.raises(ValueError, match=r"Bad\.a"):
            record("Bad", 16, [field])
    made = record("Once", 4, [])
    with pytest.raises(RuntimeError, match="already"):
        made.define([])


def test_nested_records_are_views() -> None:
    line = record("Line", 32, [("a", "Point", 0, POINT), ("b", "Point", 128, POINT)]).python
    made = line(a=Point(1, 2), b=(3, 4))
    assert made == line(a={"x": 1, "y": 2}, b=Point(3, 4))
    a = made.a
    a.x = 10
    assert made.a.x == 10
    del made
    gc.collect()
    assert a == Point(10, 2) and repr(a) == "Point(x=10, y=2.0)"
    with pytest.raises(TypeError, match=r"Line\.a .* takes a Point"):
        line(a=5)
    with pytest.raises(TypeError, match="Point"):
        line(a=line())


def test_arrays_in_place() -> None:
    made = record(
        "Arrays",
        24 + 64,
        [
            ("values", "int[6]", 0, ("array", "i32", [6])),
            ("grid", "double[2][2]", 192, ("array", "f64", [2, 2])),
            ("points", "Point[2]", 192 + 256, ("array", POINT, [2])),
        ],
    ).python
    p = made(values=range(6))
    assert p.values == [0, 1, 2, 3, 4, 5] and len(p.values) == 6 and list(p.values[1:3]) == [1, 2]
    assert p.values[-1] == 5 and p.values[::-2] == [5, 3, 1] and 3 in p.values
    p.values[1:3] = [7, 8]
    p.values[::5] = [-1, -2]
    assert p.values.tolist() == [-1, 7, 8, 3, 4, -2]
    part = p.values[2:4]
    part[0] = 100
    assert p.values[2] == 100
    for bad in (6, -7, 2**70, -(2**70)):
        with pytest.raises(IndexError):
            p.values[bad]
    with pytest.raises(TypeError, match="integers or slices"):
        p.values["a"]
    with pytest.raises(ValueError, match="has 6 elements, got 2"):
        p.values = [1, 2]
    with pytest.raises(ValueError, match="has 6 elements, got 7"):
        p.values = iter(range(10**9))
    with pytest.raises(TypeError, match="Array\\[2\\]"):
        p.values[2] = "x"
    with pytest.raises(TypeError, match="deleted"):
        del p.values[0]
    with pytest.raises(ValueError):
        p.values[0:2] = [1]
    p.grid[1][0] = 2.5
    p.grid = [[1, 2], [3, 4]]
    assert p.grid.tolist() == [[1, 2], [3, 4]] and repr(p.grid) == "[[1.0, 2.0], [3.0, 4.0]]"
    p.points[1] = (4, 5)
    p.points[1].x += 1
    assert p.points[1] == Point(5, 5)
    grid = np.asarray(p.grid)
    assert grid.shape == (2, 2) and grid.dtype == np.float64 and grid[1, 1] == 4
    grid[0, 0] = 9
    assert p.grid[0][0] == 9
    p.values = np.arange(6, dtype=np.int32)
    assert p.values == list(range(6))
    with pytest.raises(ValueError, match="elements"):
        p.values = np.arange(5, dtype=np.int32)
    view = memoryview(p.values)
    assert view.format == "i" and view.shape == (6,) and view[2] == 2
    view[2] = 50
    assert p.values[2] == 50
    points = np.asarray(p.points)
    assert points.shape == (2,) and points["x"].tolist() == [0, 5] and points["y"][1] == 5.0
    values = p.values
    del p, view
    gc.collect()
    assert values[2] == 50
    with pytest.raises(TypeError, match="cannot be called"):
        native.CArray()


def test_text_in_arrays() -> None:
    made = record(
        "Named", 16, [("name", "char[8]", 0, ("chars", [8])), ("pair", "char[2][4]", 64, ("chars", [2, 4]))]
    ).python
    p = made(name="größe")
    assert p.name == "größe" and bytes(p)[:8] == "größe".encode() + b"\0"
    p.name = b"12345678"
    assert p.name == "12345678"
    with pytest.raises(ValueError, match=r"Named\.name \(C 'char\[8\]'\) has room for 8 bytes, got 9"):
        p.name = "123456789"
    with pytest.raises(TypeError, match="str or bytes"):
        p.name = 5
    p.name = b"\xff"
    assert p.name.encode("utf-8", "surrogateescape") == b"\xff"
    p.pair = ["ab", b"cd"]
    assert p.pair[1] == "cd" and repr(p) == r"Named(name='\udcff', pair=['ab', 'cd'])"


def test_bit_fields() -> None:
    made = record(
        "Bits",
        8,
        [
            ("a", "int:3", 0, ("bits", "i32", 3)),
            ("b", "unsigned:5", 3, ("bits", "u32", 5)),
            ("c", "_Bool:1", 8, ("bits", "bool", 1)),
            ("d", "long:50", 9, ("bits", "i64", 50)),
        ],
    ).python
    p = made(a=-4, b=31, c=True, d=-(2**49))
    assert (p.a, p.b, p.c, p.d) == (-4, 31, True, -(2**49))
    p.b = 0
    assert (p.a, p.b, p.c, p.d) == (-4, 0, True, -(2**49))
    with pytest.raises(OverflowError, match=r"cannot hold 4 \(-4 to 3\)"):
        p.a = 4
    assert made(a=1) == made(a=1) and made(a=1) != made(a=2)


def test_unions() -> None:
    U = record(
        "U", 8, [("i", "int", 0, "i32"), ("f", "float", 0, "f32"), ("s", "char *", 0, "text")], union=True
    ).python
    u = U(f=1.0)
    assert u.i == 0x3F800000 and u == U(i=0x3F800000)
    # Nobody knows whether the text is there, so it is not looked at.
    assert repr(u) == "U(i=1065353216, f=1.0, s=0x3f800000)"


def test_enumerations_in_fields() -> None:
    class Colour(enum.IntEnum):
        RED = 1
        BLUE = 2

    fields = [("a", "int:5", 0, ("bits", "i32", 5)), ("b", "enum colour:3", 5, ("bits", ("enum", "u32", Colour), 3))]
    bits = record("Bits", 4, fields).python
    p = bits(a=3, b=Colour.BLUE)
    assert p.b is Colour.BLUE and repr(p) == "Bits(a=3, b=<Colour.BLUE: 2>)"
    p.b = 1
    assert p.b is Colour.RED and p.a == 3
    p.b = 7
    assert p.b == 7 and type(p.b) is int
    with pytest.raises(OverflowError, match=r"cannot hold 8 \(0 to 7\)"):
        p.b = 8
    with pytest.raises(ValueError, match="bit-field"):
        record("Bits", 8, [("a", "char *:3", 0, ("bits", "text", 3))])
    made = record("Paint", 4, [("colour", "enum colour", 0, ("enum", "i32", Colour))]).python
    p = made(colour=Colour.BLUE)
    assert p.colour is Colour.BLUE
    p.colour = 77
    assert p.colour == 77 and type(p.colour) is int

    class Flags(enum.IntFlag):
        A = 1
        B = 2

    made = record("Flagged", 4, [("flags", "int", 0, ("enum", "u32", Flags))]).python
    assert made(flags=3).flags == Flags.A | Flags.B


@needs_compiler
def test_pointers_in_fields_keep_their_targets(library: ctypes.CDLL) -> None:
    made = native._c_record("node", 24, 8)
    Node = made.python
    made.define(
        [
            ("next", "node *", 0, native._c_pointer("NodePointer", made, "node *")),
            ("name", "const char *", 64, "text"),
            ("value", "int", 128, "i32"),
        ]
    )
    head = None
    for i in range(100):
        head = Node(next=head, name=f"node {i}", value=i)
    gc.collect()
    assert head is not None
    assert call(library, "total", head.address) == sum(range(100))
    assert call(library, "name_length", head.address) == len("node 99")
    assert head.next.contents.value == 98 and head.next.contents.next[0].name == "node 97"
    pointer = head.next.contents.next
    head.next = None
    gc.collect()
    assert not head.next and pointer.contents.value == 97
    last = copy.copy(head)
    del head
    gc.collect()
    assert last.name == "node 99"
    with pytest.raises(ValueError, match="NUL at index 1"):
        last.name = "a\0b"
    with pytest.raises(TypeError, match=r"node\.next .* got a Point"):
        last.next = Point()
    with pytest.raises(TypeError, match=r"node\.next"):
        last.next = "text"
    with pytest.raises(TypeError, match=r"node\.next"):
        last.next = True
    assert last.next is None
    # A ring is collected.
    last.next = last
    reference = weakref.ref(last)
    del last
    gc.collect()
    assert reference() is None


def test_long_chains_end() -> None:
    made = native._c_record("chain", 8, 8)
    made.define([("next", "chain *", 0, native._c_pointer("ChainPointer", made, "chain *"))])
    head = None
    for _ in range(200_000):
        head = made.python(next=head)
    del head
    gc.collect()


def test_from_address_and_buffer() -> None:
    buffer = bytearray(32)
    point = Point.from_buffer(buffer, 16)
    point.x = 5
    assert buffer[16] == 5 and Point.from_address(point.address) == point
    with pytest.raises(BufferError):
        buffer.extend(b"more")
    with pytest.raises(ValueError, match="16 bytes; the buffer has 15"):
        Point.from_buffer(buffer, 17)
    with pytest.raises((ValueError, OverflowError)):
        Point.from_buffer(buffer, -1)
    fixed = Point.from_buffer(bytes(16))
    with pytest.raises(TypeError, match="read-only"):
        fixed.x = 1
    assert memoryview(fixed).readonly
    with pytest.raises(ValueError, match="null"):
        Point.from_address(0)
    with pytest.raises(TypeError):
        Point.from_address("0")
    with pytest.raises(ValueError, match="takes the address of memory, got 4095"):
        Point.from_address(4095)
    with pytest.raises(TypeError, match="no C type"):
        native.Record.from_address(5)
    for refused in (copy.copy, copy.deepcopy):
        assert refused(point) == point
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(point)


def test_large_and_aligned_records() -> None:
    large = record("Large", 1 << 20, [("data", "char[]", 0, ("array", "u8", [1 << 20]))]).python()
    large.data[(1 << 20) - 1] = 7
    assert bytes(large)[-1] == 7 and large.__sizeof__() > 1 << 20
    aligned = record("Aligned", 64, [("x", "int", 0, "i32")], align=64).python
    assert all(aligned(x=i).address % 64 == 0 for i in range(20))
    array = Point.array(1000)
    array[999].x = 3
    assert len(array) == 1000 and array[999] == Point(3, 0) and len(Point.array(0)) == 0
    with pytest.raises((MemoryError, ValueError)):
        Point.array(2**60 - 1)
    with pytest.raises(ValueError, match=r"array\(\): expected a number of elements, got -1"):
        Point.array(-1)


def test_flexible_array_member() -> None:
    packet = record(
        "Packet", 4, [("n", "int", 0, "i32"), ("data", "short[]", 32, ("array", "i16", [0]))], align=4
    ).python
    buffer = bytearray(12)
    made = packet.from_buffer(buffer)
    for i in range(4):
        made.data[i] = i + 1
    assert buffer[4:] == bytes([1, 0, 2, 0, 3, 0, 4, 0]) and made.data[0:4] == [1, 2, 3, 4]
    with pytest.raises(TypeError, match="flexible"):
        made.data = [1]


def test_wide_and_long_numbers() -> None:
    made = record(
        "Wide",
        48,
        [
            ("a", "__int128", 0, "i128"),
            ("b", "unsigned __int128", 128, "u128"),
            ("c", "long double", 256, "long double"),
        ],
        align=16,
    ).python
    p = made(-(2**127), 2**128 - 1, 1.5)
    assert (p.a, p.b, p.c) == (-(2**127), 2**128 - 1, 1.5)
    with pytest.raises(OverflowError, match="cannot hold"):
        p.a = 2**127
    with pytest.raises(OverflowError, match="cannot hold"):
        p.b = -1
    if ctypes.sizeof(ctypes.c_longdouble) == 16:
        assert ctypes.c_longdouble.from_address(p.address + 32).value == 1.5


# Pointers.


def test_pointers() -> None:
    made = native._c_pointer("IntPointer", "i32", "int *")
    IntPointer = made.python
    numbers = np.arange(10, dtype=np.int32)
    p = IntPointer(numbers)
    assert p[3] == 3 and (p + 2)[1] == 3 and (p + 5) - p == 5 and (p - -1)[0] == 1 and p.contents == 0
    p[4] = 44
    p[5:7] = [55, 66]
    p.contents = -1
    assert numbers.tolist() == [-1, 1, 2, 3, 44, 55, 66, 7, 8, 9]
    assert p[2:5] == [2, 3, 44] and p.to_bytes(4) == b"\xff\xff\xff\xff"
    assert (
        int(p) == numbers.ctypes.data == p.address and p == IntPointer(int(p)) and hash(p) == hash(IntPointer(int(p)))
    )
    assert repr(p) == f"<int * {int(p):#x}>" and repr(IntPointer()) == "<int * null>"
    assert p.as_array(10).shape == (10,)
    array = np.asarray(p.as_array((2, 5)))
    assert array.base is not None and array[1, 0] == 55
    assert np.asarray(p.as_array(20, "uint16")).dtype == np.uint16
    assert np.from_dlpack(p.as_array(10))[4] == 44
    assert memoryview(p.as_array(10, writable=False)).readonly
    fixed = p.as_array(10, np.float32, writable=False)
    assert fixed.typestr == "<f4"
    with pytest.raises(OverflowError):
        p[0] = 2**31
    with pytest.raises(IndexError):
        p[2**70]
    with pytest.raises(ValueError, match="address space"):
        p[2**62]
    with pytest.raises(ValueError, match="needs an end"):
        p[1:]
    with pytest.raises(TypeError, match="number of its elements"):
        list(p)
    with pytest.raises(TypeError):
        len(p)
    for null in (IntPointer(), IntPointer(0), IntPointer(None)):
        assert not null
        for use in (
            lambda q: q[0],
            lambda q: q.contents,
            lambda q: q + 1,
            lambda q: q.to_bytes(1),
            lambda q: q.as_array(1),
        ):
            with pytest.raises(ValueError, match="null"):
                use(null)
    for bad in ("text", 1.5, True, np.zeros(3), numbers[::2], Point(), b"1234"):
        with pytest.raises(TypeError, match="IntPointer"):
            IntPointer(bad)
    del numbers, array
    gc.collect()
    assert p[4] == 44


def test_pointer_casts() -> None:
    void = native._c_pointer("VoidPointer", "void", "void *").python
    point = Point(1, 2)
    p = void(point)
    with pytest.raises(TypeError, match="cast it first"):
        p[0]
    with pytest.raises(TypeError, match="dtype|cast"):
        p.as_array(3)
    assert p.cast(Point).contents == point
    handle = p.cast(native._c_handle("Opaque").python)
    assert int(handle) == point.address and not handle.owned
    text = native._c_pointer("CharPointer", "i8", "const char *").python(b"hello")
    assert text.string() == "hello" and text.string(2) == "he" and text[1] == ord("e")
    with pytest.raises(TypeError, match="class of pointers"):
        p.cast(int)
    with pytest.raises(TypeError):
        text - p.cast(Point)
    incomplete = native._c_record("Incomplete", 0, 1)
    with pytest.raises(TypeError, match="not defined"):
        native._c_pointer("I", incomplete, "struct incomplete *").python(1 << 20)[0]


def test_pointers_to_pointers() -> None:
    text = native._c_pointer("Texts", "text", "char **").python
    words = (ctypes.c_char_p * 2)(b"ab", None)
    p = text(ctypes.addressof(words))
    assert p[0] == "ab" and p[1] is None
    p[1] = "new"
    assert words[1] == b"new"
    with pytest.raises(TypeError):
        text(words)  # A ctypes array of pointers is not memory to look into.


def test_device_arrays() -> None:
    made = native._c_pointer("FloatPointer", "f32", "float *").python
    view = made(0x7F0000000000).as_device_array((4, 8))
    interface = view.__cuda_array_interface__
    assert (
        interface["shape"] == (4, 8) and interface["typestr"] == "<f4" and interface["data"] == (0x7F0000000000, False)
    )
    assert view.__dlpack_device__() == (2, 0)
    assert not hasattr(view, "__array_interface__")
    with pytest.raises(BufferError):
        memoryview(view)
    assert made(view).address == 0x7F0000000000
    with pytest.raises(TypeError):
        native._c_pointer("P", "i32").python(view)
    with pytest.raises(ValueError, match="larger than the address space"):
        made(16).as_device_array((2**40, 2**40))
    with pytest.raises(TypeError, match="expected a type of array elements"):
        made(16).as_array(3, "nonsense")


def test_many_objects_leak_nothing() -> None:
    def work() -> None:
        p = Point(1, 2)
        line = record_line(p, p)
        line.a.x = 3
        bytes(line)
        repr(line)
        line.copy()
        try:
            p.x = "no"
        except TypeError:
            pass

    record_line = record("L", 32, [("a", "Point", 0, POINT), ("b", "Point", 128, POINT)]).python
    for _ in range(100):
        work()
    gc.collect()
    before = sys.getallocatedblocks()
    references = sys.getrefcount(Point)
    for _ in range(2000):
        work()
    gc.collect()
    assert sys.getallocatedblocks() - before < 200
    assert sys.getrefcount(Point) == references


def test_a_replaced_target_is_there_until_it_is_replaced() -> None:
    made = native._c_record("Holder", 8, 8)
    made.define([("any", "void *", 0, native._c_pointer("HeldPointer", "void", "void *"))])
    holder = made.python()
    seen: list[Any] = []

    class Target(bytearray):
        def __del__(self) -> None:
            seen.append(holder.any)

    holder.any = Target(8)
    holder.any = None
    gc.collect()
    assert seen == [None]


def test_null_in_fields() -> None:
    pointer, handle = native._c_pointer("N", "i32"), native._c_handle("NullHandle")
    made = native._c_record("Nulls", 24, 8)
    made.define(
        [("p", "int *", 0, pointer), ("h", "NullHandle *", 64, handle), ("c", "f", 128, native._c_callback("f", []))]
    )
    nulls = made.python()
    assert nulls.p is None and nulls.h is None and nulls.c is None
    assert repr(nulls) == "Nulls(p=None, h=None, c=None)"
