"""Host arrays that kernels in Python capture: where their elements lie; records within records; enumerations."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from cuox._internal.kernel_errors import KernelTypeError
from cuox.numba import cuda

BACKWARDS = np.arange(5.0)[::-1]
EVERY_OTHER = np.arange(24, dtype=np.int32).reshape(4, 6)[1::2, ::3]
REPEATED = np.broadcast_to(np.arange(3, dtype=np.uint16), (4, 3))
FAR_APART = np.arange(40_000.0)[::20_000]
PACKED = np.ones(3, np.dtype([("a", np.int8), ("b", np.float64)]))
PACKED["b"] = [1.5, 2.5, 3.5]
FIELD = PACKED["b"]


def test_strides_of_captured_parts() -> None:
    @cuda.jit
    def kernel(o):
        o[0] = BACKWARDS.strides[0]
        o[1] = EVERY_OTHER.strides[0] * 100 + EVERY_OTHER.strides[1]
        o[2] = REPEATED.strides[0] * 100 + REPEATED.strides[1]
        o[3] = BACKWARDS[0] * 10 + BACKWARDS[-1]
        o[4] = EVERY_OTHER[1, 1] + EVERY_OTHER[-1].sum() * 100
        o[5] = REPEATED[3, 2] + REPEATED.sum() * 10
        o[6] = BACKWARDS[1:3].sum()
        o[7] = FAR_APART[1] + FAR_APART.size
        for value in FIELD:
            o[8] += value

    o = cuda.to_device(np.zeros(9))
    kernel[1, 1](o)
    assert o.copy_to_host().tolist() == [-8, 4812, 2, 40, 21 + 39 * 100, 122, 5, 20_002, 7.5]


INNER = np.dtype([("x", np.int32), ("z", np.complex128), ("v", np.float32, (2,))], align=True)
OUTER = np.dtype([("tag", np.int8), ("inner", INNER), ("pair", INNER, (2,)), ("tail", np.int16)])


def records() -> np.ndarray:
    made = np.zeros(2, OUTER)
    made["inner"]["x"], made["inner"]["z"] = [5, 6], 1 - 2j
    made["pair"]["x"] = [[1, 2], [3, 4]]
    return made


def test_a_record_where_its_own_alignment_is_not_kept() -> None:
    @cuda.jit
    def kernel(r, o):
        o[0] = r[1].inner.x * 10 + r[0]["inner"]["x"]
        o[1] = r[1].inner.z.imag
        r[1].inner.z = 3 + 4j
        o[2] = r[1].inner.z.real
        o[3] = r[1].pair[1].x * 10 + r[0].pair[-1].x
        r[0].pair[1].x += 7

    r, o = cuda.to_device(records()), cuda.to_device(np.zeros(4))
    kernel[1, 1](r, o)
    assert o.copy_to_host().tolist() == [65, -2, 3, 42]
    changed = r.copy_to_host()
    assert changed["inner"]["z"].tolist() == [1 - 2j, 3 + 4j]
    assert changed["pair"]["x"].tolist() == [[1, 9], [3, 4]]


def of_an_array(r, o):
    o[0] = r["inner"]["v"][0, 0]


def of_a_record(r, o):
    o[0] = r[0].inner.v[0]


@pytest.mark.parametrize("function", [of_an_array, of_a_record])
def test_elements_that_a_gpu_cannot_read(function: Any) -> None:
    with pytest.raises(KernelTypeError, match="the elements of field 'v' are not aligned"):
        cuda.jit(function)[1, 1](cuda.to_device(records()), cuda.to_device(np.zeros(1)))


def test_an_array_field_of_all_records() -> None:
    table = np.zeros(3, np.dtype([("k", np.int32), ("m", np.int16, (2, 3))]))
    table["m"] = np.arange(18).reshape(3, 2, 3)

    @cuda.jit
    def kernel(t, o):
        m = t["m"]
        o[0] = m[2, 1, 0] + m.shape[0] * 100 + m.shape[1] * 1000 + m.shape[2] * 10000
        o[1] = m.strides[0] * 10000 + m.strides[1] * 100 + m.strides[2]
        o[2] = t.m[1].sum()
        t["m"][0, 0, 2] = 50

    t, o = cuda.to_device(table), cuda.to_device(np.zeros(3))
    kernel[1, 1](t, o)
    assert o.copy_to_host().tolist() == [32315, 160602, 51]
    assert t.copy_to_host()["m"][0, 0].tolist() == [0, 1, 50]


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 8


class Shade(enum.Enum):
    DARK = 0.25
    LIGHT = 0.75


def test_members_by_their_values() -> None:
    @cuda.jit
    def kernel(o):
        o[0] = Level(8) + 1
        o[1] = 1 if Shade(0.25) is Shade.DARK else 0
        o[2] = Shade(0.75).value

    o = cuda.to_device(np.zeros(3))
    kernel[1, 1](o)
    assert o.copy_to_host().tolist() == [9, 1, 0.75]


def test_no_member_has_the_value() -> None:
    @cuda.jit
    def kernel(o):
        o[0] = Level(4)

    with pytest.raises(KernelTypeError, match="the class Level cannot be called"):
        kernel[1, 1](cuda.to_device(np.zeros(1)))


class Plain:
    pass


NO_CLASS = object()


def members_in_turn(o):
    for level in Level:
        o[0] += level


def all_members(o):
    o[0] = len(tuple(Level))


def by_no_value(o):
    o[0] = Level()


def name_of_a_member(o):
    o[0] = len(Level.LOW.name)


def another_class(o):
    o[0] = Plain()


def no_class(o):
    o[0] = NO_CLASS()


def with_a_modulus(o):
    o[0] = pow(3, 4, 5)


@pytest.mark.parametrize(
    ("function", "message", "hint"),
    [
        (members_in_turn, "the class Level cannot be unpacked", "write its members as a tuple"),
        (all_members, "the class Level cannot be unpacked", "write its members as a tuple"),
        (by_no_value, "the class Level cannot be called", "that of one of its members"),
        (name_of_a_member, "has no attribute 'name'", r"\.value can be read, \.name cannot"),
        (another_class, "the class Plain cannot be called", "types of numbers, named tuples and enumerations"),
        (no_class, "an object of class object cannot be called", None),
        (with_a_modulus, r"pow\(\) with a modulus is not supported", "remainder in a loop"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_kernels_cannot_do_with_classes_and_objects(function: Any, message: str, hint: str | None) -> None:
    with pytest.raises(KernelTypeError, match=message) as caught:
        cuda.jit(function)[1, 1](cuda.to_device(np.zeros(1)))
    if hint is None:
        assert "help:" not in str(caught.value)
    else:
        assert caught.match(hint)


def test_fields_of_recarrays_that_are_arrays() -> None:
    @cuda.jit
    def kernel(r):
        r[0].v[1] = 5
        r[-1].v[-1] = r["b"][-1]

    dtype = np.dtype([("c", np.int8), ("b", np.float64), ("v", np.int32, (3,))], align=True)
    there = cuda.to_device(np.ones(2, dtype).view(np.recarray))
    kernel[1, 1](there)
    assert there.copy_to_host()["v"].tolist() == [[1, 5, 1], [1, 1, 1]]
