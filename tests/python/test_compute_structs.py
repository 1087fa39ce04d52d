"""Structures of `cuox.cuda.compute` whose fields have several sizes, in any order: they lie as NumPy has them."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute

TYPES = {"a": np.int8, "b": np.float64, "c": np.int16, "d": np.float32}


@pytest.fixture(autouse=True)
def _current(device: cuox.Device) -> None:
    device.set_current()


ORDERS = ["".join(names) for names in itertools.permutations(TYPES)]


@pytest.mark.parametrize("names", exhaustive.some(ORDERS, ["abcd", "bdac", "cadb"]))
def test_fields_in_any_order(names: str) -> None:
    Item = compute.gpu_struct({name: TYPES[name] for name in names}, "Item")

    def joined(x, y):
        return Item(a=max(x.a, y.a), b=x.b + y.b, c=min(x.c, y.c), d=x.d + y.d)

    host = np.zeros(5000, Item.dtype)
    for name in names:
        host[name] = np.random.default_rng(len(name)).integers(-9, 100, 5000)
    out = cuox.empty((5000,), Item.dtype)
    init = Item(a=-100, b=0.5, c=1000, d=0)
    compute.inclusive_scan(d_in=cuox.to_device(host), d_out=out, op=joined, init_value=init, num_items=5000)
    found = out.to_host()
    np.testing.assert_array_equal(found["a"], np.maximum.accumulate(host["a"]))
    np.testing.assert_array_equal(found["b"], np.cumsum(host["b"]) + 0.5)
    np.testing.assert_array_equal(found["c"], np.minimum.accumulate(host["c"]))
    np.testing.assert_array_equal(found["d"], np.cumsum(host["d"]))
    total = cuox.empty((1,), Item.dtype)
    compute.reduce_into(d_in=cuox.to_device(host), d_out=total, num_items=5000, op=joined, h_init=init)
    assert total.to_host()[0] == found[-1]
    compute.merge_sort(d_in_keys=cuox.to_device(host), d_out_keys=out, op=lambda x, y: x.b < y.b, num_items=5000)
    np.testing.assert_array_equal(out.to_host(), host[np.argsort(host["b"], kind="stable")])


def test_nested_small_fields_in_front() -> None:
    Outer = compute.gpu_struct({"flag": np.bool_, "inner": {"x": np.int8, "y": np.int64}, "tail": np.int16}, "Outer")
    host = np.zeros(100, Outer.dtype)
    host["flag"], host["inner"]["x"], host["inner"]["y"], host["tail"] = (
        np.arange(100) % 3 == 0,
        np.arange(100),
        np.arange(100) << 40,
        7,
    )
    out = cuox.empty((100,), Outer.dtype)
    compute.unary_transform(
        d_in=cuox.to_device(host),
        d_out=out,
        op=lambda v: Outer(not v.flag, (v.inner.x + 1, v.inner.y * 2), v.tail + v.inner.x),
        num_items=100,
    )
    found = out.to_host()
    np.testing.assert_array_equal(found["flag"], ~host["flag"])
    np.testing.assert_array_equal(found["inner"]["x"], host["inner"]["x"] + 1)
    np.testing.assert_array_equal(found["inner"]["y"], host["inner"]["y"] * 2)
    np.testing.assert_array_equal(found["tail"], 7 + np.arange(100))


@pytest.mark.parametrize("count", exhaustive.some([1, 2, 11, 12, 13, 14, 24, 25, 26, 40], [1, 2, 12, 13, 25, 40]))
def test_many_fields(count: int) -> None:
    names = [f"f{number}" for number in range(count)]
    Many = compute.gpu_struct(dict.fromkeys(names, np.int32), "Many")
    host = np.zeros(50, Many.dtype)
    for number, name in enumerate(names):
        host[name] = np.arange(50) * 100 + number
    out = cuox.empty((50,), np.int32)

    def total(v):
        found = 0
        for x in v:
            found += x
        return found

    compute.unary_transform(d_in=cuox.to_device(host), d_out=out, op=total, num_items=50)
    np.testing.assert_array_equal(out.to_host(), sum(host[name] for name in names))
    compute.unary_transform(d_in=cuox.to_device(host), d_out=out, op=lambda v: v[-1], num_items=50)
    np.testing.assert_array_equal(out.to_host(), host[names[-1]])


def test_fields_in_cuda() -> None:
    Pair = compute.gpu_struct({"small": np.int8, "large": np.int64}, "Pair")
    host = np.zeros(10, Pair.dtype)
    host["small"], host["large"] = np.arange(10), np.arange(10) << 33
    out = cuox.empty((10,), Pair.dtype)
    swapped = compute.CppOp(
        "__device__ tuple<int8, int64> swapped(tuple<int8, int64> p) { return {int8(p.item1 >> 33), int64(p.item0) + 1}; }",
        "swapped",
    )
    compute.unary_transform(d_in=cuox.to_device(host), d_out=out, op=swapped, num_items=10)
    assert out.to_host().tolist() == [(i, i + 1) for i in range(10)]


def test_complex_numbers_behind_smaller_fields() -> None:
    Item = compute.gpu_struct(
        {"n": np.int32, "z": np.complex64, "h": np.float16, "w": np.complex128, "b": np.bool_}, "Item"
    )
    host = np.zeros(300, Item.dtype)
    host["n"], host["z"], host["h"], host["w"], host["b"] = (
        np.arange(300),
        np.arange(300) * 1j,
        0.5,
        2 - np.arange(300) * 1j,
        True,
    )
    out = cuox.empty((300,), Item.dtype)
    compute.inclusive_scan(
        d_in=cuox.to_device(host),
        d_out=out,
        op=lambda p, q: Item(p.n + q.n, p.z + q.z, q.h, p.w + q.w, q.b),
        num_items=300,
    )
    found = out.to_host()
    for name in ("n", "z", "w"):
        np.testing.assert_array_equal(found[name], np.cumsum(host[name]))
    np.testing.assert_array_equal(found["h"], host["h"])
    np.testing.assert_array_equal(found["b"], host["b"])


def test_structures_that_lie_otherwise_are_refused() -> None:
    fields = [(f"f{number}", np.int8) for number in range(13)] + [("c", np.int64)]
    y = cuox.empty((1,), np.dtype(fields, align=True))
    with pytest.raises(
        NotImplementedError, match="fields behind the twelfth are a structure of their own.*put larger fields first"
    ):
        compute.unary_transform(d_in=y, d_out=y, op=lambda v: v, num_items=1)


@compute.gpu_struct
class Point:
    """A place in the plane."""

    x: np.int32
    y: np.float64

    def norm(self) -> Any:
        return abs(self.x) + abs(self.y)


def test_structures_do_not_change_and_can_be_pickled() -> None:
    point: Any = Point(1, -2.5)
    assert (Point.__doc__, Point.__module__, point.norm()) == ("A place in the plane.", __name__, 3.5)
    assert pickle.loads(pickle.dumps(point)) == point
    with pytest.raises(AttributeError, match="Point.x: structures do not change; make another one"):
        point.x = 3
    assert np.asarray(point)["x"] == 1


def test_names_and_defaults_that_structures_do_not_have() -> None:
    for name in ("dtype", "_record", "_items"):
        with pytest.raises(ValueError, match=f"gpu_struct field name '{name}' is one that structures have already"):
            compute.gpu_struct({name: np.int32})

    class Given:
        x: np.int32 = 3

    with pytest.raises(TypeError, match="Given.x has a default"):
        compute.gpu_struct(Given)
