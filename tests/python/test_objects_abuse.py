"""Whatever is done with objects of C values from Python raises, or works: it never ends the process."""

from __future__ import annotations

import copy
import gc
import operator
import random
import threading
import weakref
from collections.abc import Callable
from typing import Any

import exhaustive
import numpy as np
import pytest
from cuox_bind import _native as native

BITS = native._c_record("AbuseBits", 8, 8)
BITS.define([("a", "int:3", 0, ("bits", "i32", 3)), ("b", "unsigned long:61", 3, ("bits", "u64", 61))])
INNER = native._c_record("AbuseInner", 16, 8)
INNER.define([("x", "int", 0, "i32"), ("f", "double", 64, "f64")])
ANY = native._c_pointer("AbuseVoid", "void", "void *")
CALL = native._c_callback("abuse", [("x", "i32")], "i32")
HANDLE = native._c_handle("AbuseHandle", takes_int=True)
OUTER = native._c_record("AbuseOuter", 112, 8)
OUTER.define(
    [
        ("inner", "AbuseInner", 0, INNER),
        ("many", "AbuseInner[2]", 128, ("array", INNER, [2])),
        ("grid", "short[2][3]", 384, ("array", "i16", [2, 3])),
        ("name", "char[4]", 480, ("chars", [4])),
        ("text", "const char *", 512, "text"),
        ("any", "void *", 576, ANY),
        ("call", "abuse", 640, CALL),
        ("handle", "AbuseHandle *", 704, HANDLE),
        ("bits", "AbuseBits", 768, BITS),
        ("flag", "_Bool", 832, "bool"),
    ]
)

# Memory that an attribute set to an address could expose.
FOLLOWS = {
    "text",
    "any",
    "call",
    "handle",
    "string",
    "contents",
    "to_bytes",
    "from_address",
    "cast",
    "as_array",
    "as_device_array",
}


class Odd:
    """Answers what nobody expects."""

    def __index__(self) -> int:
        raise KeyboardInterrupt("index")

    def __len__(self) -> int:
        return 2**62

    def __getitem__(self, key: object) -> object:
        return self

    def __float__(self) -> float:
        raise MemoryError("float")

    def __repr__(self) -> str:
        raise ZeroDivisionError("repr")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = None  # type: ignore[assignment]


def values(rng: random.Random) -> list[Any]:
    return [
        None, True, 0, -1, 1, 2**31, 2**63, 2**64, -(2**200), 1.5, float("nan"), "", "a", "a\0b", "\udc80", b"", b"\xff" * 9,
        bytearray(8), memoryview(b"12345678"), np.zeros(3), np.arange(6, dtype=np.int16).reshape(2, 3), np.zeros((2, 2), order="F")[::2],
        [], [1, 2], [[1, 2, 3], [4, 5, 6]], (), (1, 2.0), {}, {"x": 1}, {"y": 1}, {1: 2}, {"self": 1}, Odd(), Odd, object(), type, slice(None),
        slice(None, None, -1), slice(2**70), slice(0, 2, 0), slice("a"), Ellipsis, range(10**12), iter([1]), lambda *a: None, 3 + 4j,
        INNER.python(x=rng.randint(0, 9)), OUTER.python(), BITS.python(), ANY.python(), HANDLE.python(5), HANDLE.python(), CALL.python(lambda x: x), CALL.python(),
        INNER.python.array(3), INNER.python.array(0), OUTER.python().many, OUTER.python().grid, INNER.python, native.Record, native.Handle,
    ]  # fmt: skip


def objects() -> list[Any]:
    outer = OUTER.python()
    return [
        outer, outer.inner, outer.many, outer.many[1], outer.grid, outer.grid[0], outer.bits, INNER.python.array(2),
        INNER.python.from_buffer(bytes(16)), INNER.python.from_buffer(bytearray(16)), HANDLE.python(7), HANDLE.python(), CALL.python(lambda x: x),
        ANY.python(), INNER.python, HANDLE.python, ANY.python, CALL.python,
    ]  # fmt: skip


OPERATIONS: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.eq, operator.ne, operator.lt, operator.contains, operator.getitem, operator.delitem,
    lambda a, b: operator.setitem(a, b, b), lambda a, b: operator.setitem(a, 0, b), lambda a, b: operator.setitem(a, slice(None), b),
    lambda a, b: b + a, lambda a, b: b - a, lambda a, b: b == a, lambda a, b: a(b), lambda a, b: a(b, b), lambda a, b: a(x=b), lambda a, b: a(inner=b),
    lambda a, b: a.__init__(b), lambda a, b: a.__class__.__new__(b), lambda a, b: b.__new__(a), lambda a, b: object.__new__(type(a)),
    lambda a, b: setattr(a, "__class__", b), lambda a, b: setattr(a, "__class__", type(b)), lambda a, b: object.__dict__["__class__"].__set__(a, type(b)),
    lambda a, b: len(a), lambda a, b: list(a), lambda a, b: bool(a), lambda a, b: hash(a), lambda a, b: repr(a), lambda a, b: str(a), lambda a, b: bytes(a),
    lambda a, b: memoryview(a).tolist(), lambda a, b: np.asarray(a), lambda a, b: copy.copy(a), lambda a, b: copy.deepcopy(a), lambda a, b: weakref.ref(a)(),
    lambda a, b: a.__sizeof__(), lambda a, b: a.__reduce_ex__(4), lambda a, b: dir(a), lambda a, b: isinstance(a, type(b)), lambda a, b: reversed(a),
]  # fmt: skip


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except BaseException as error:
        assert "internal error" not in str(error) and "panic" not in str(error), (function, arguments)
        return None


@pytest.mark.parametrize("seed", range(3))
def test_operations(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        for thing in objects():
            others = [*values(rng), *objects()]
            for operation in rng.sample(OPERATIONS, 12):
                attempt(operation, thing, rng.choice(others))
    gc.collect()


@pytest.mark.parametrize("seed", range(3))
def test_attributes(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(6):
        for thing in objects():
            for name in dir(thing):
                value = rng.choice(values(rng))
                found = attempt(getattr, thing, name)
                if name not in FOLLOWS and callable(found) and not isinstance(found, type):
                    attempt(found)
                    attempt(found, value)
                    attempt(found, value, value)
                if name not in FOLLOWS and not name.startswith("__") and not isinstance(thing, type):
                    attempt(setattr, thing, name, value)
                    attempt(delattr, thing, name)
            attempt(repr, thing)
    gc.collect()


def test_descriptors_of_other_classes() -> None:
    for owner in (OUTER.python, INNER.python, BITS.python):
        for name, descriptor in vars(owner).items():
            if hasattr(descriptor, "__get__"):
                for thing in objects():
                    attempt(descriptor.__get__, thing)
                    if name not in FOLLOWS:
                        attempt(descriptor.__set__, thing, 1)


def test_half_made_objects() -> None:
    for python in (OUTER.python, HANDLE.python, ANY.python, CALL.python):
        made = python.__new__(python)
        for operation in OPERATIONS:
            attempt(operation, made, 1)

        class Mine(python):  # type: ignore[misc, valid-type]
            def __init__(self) -> None:
                pass

            def __del__(self) -> None:
                attempt(repr, self)
                attempt(bool, self)

        mine = Mine()
        mine.me = mine
        for operation in OPERATIONS:
            attempt(operation, mine, mine)
        del mine
        gc.collect()


def test_changed_while_written() -> None:
    outer = OUTER.python()

    class Changes:
        def __index__(self) -> int:
            outer.many = [(1, 2), (3, 4)]
            outer.__init__(any=bytearray(8))
            gc.collect()
            return 5

    outer.many[0].x = Changes()
    outer.grid = [[Changes()] * 3] * 2
    assert outer.many[0].x == 1 or outer.many[0].x == 5
    assert outer.grid.tolist() == [[5] * 3] * 2


def test_threads_share_objects() -> None:
    outer = OUTER.python()
    stop = threading.Event()

    def work(seed: int) -> None:
        rng = random.Random(seed)
        while not stop.is_set():
            outer.any = rng.choice([None, bytearray(8), INNER.python(), outer])
            outer.call = rng.choice([None, lambda x: x, CALL.python(len)])
            outer.text = rng.choice([None, "text", b"bytes"])
            assert outer.text in (None, "text", "bytes")
            outer.many = [INNER.python(1, 2)] * 2
            repr(outer)
            copy.copy(outer)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    stop.wait(exhaustive.rounds(0.5, 1.5))
    stop.set()
    for thread in threads:
        thread.join()
