"""`reduce_by_key`, `run_length_encode`, `non_trivial_runs`, `adjacent_difference` and `for_each` of `cuox.cuda.compute`
beside NumPy.
"""

from __future__ import annotations

from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute import OpKind
from cuox.numba import cuda

NUMBERS = [
    np.int8,
    np.uint8,
    np.int16,
    np.uint16,
    np.int32,
    np.uint32,
    np.int64,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
]
# Around the sizes of threads' parts and of tiles.
SIZES = [0, 1, 2, 3, 31, 1000, 7936, 7937, 70001]


@pytest.fixture(autouse=True)
def _current(device: cuox.Device) -> None:
    device.set_current()


def numbers(count: int, dtype: Any, most: int = 9) -> np.ndarray[Any, Any]:
    return np.random.default_rng(count).integers(0, most, count).astype(dtype)


def there(array: np.ndarray[Any, Any]) -> cuox.Array:
    return cuox.to_device(np.ascontiguousarray(array))


def room(count: int, dtype: Any) -> cuox.Array:
    return cuox.zeros((max(count, 1),), np.dtype(dtype))


def in_runs(x: np.ndarray[Any, Any], longest: int) -> np.ndarray[Any, Any]:
    """As many items, each of which is repeated."""
    lengths = 1 + numbers(x.size, np.int64, longest)
    needed = np.searchsorted(np.cumsum(lengths), x.size) + 1
    return np.repeat(x[:needed], lengths[:needed])[: x.size]


def starts_of(keys: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: keys.size])


def reduced(
    keys: Any, values: Any, count: int, op: Any, key_type: Any, value_type: Any, **more: Any
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    unique, sums, number = room(count, key_type), room(count, value_type), cuox.full((1,), -1, np.int64)
    compute.reduce_by_key(
        d_keys_in=keys,
        d_values_in=values,
        d_unique_out=unique,
        d_aggregates_out=sums,
        d_num_runs_out=number,
        op=op,
        num_items=count,
        **more,
    )
    found = int(number.to_host()[0])
    return unique.to_host()[:found], sums.to_host()[:found]


@pytest.mark.parametrize("longest", [1, 3, 5000])
@pytest.mark.parametrize("count", SIZES)
def test_reduce_by_key(count: int, longest: int) -> None:
    keys = in_runs(numbers(count, np.int16, 3), longest)
    values = numbers(count, np.int32, 1000)
    starts = starts_of(keys)
    unique, sums = reduced(there(keys), there(values), count, lambda a, b: a + b, np.int16, np.int32)
    np.testing.assert_array_equal(unique, keys[starts])
    np.testing.assert_array_equal(sums, np.add.reduceat(values, starts) if count else [])
    unique, sums = reduced(there(keys), there(values), count, OpKind.MAXIMUM, np.int16, np.int32)
    np.testing.assert_array_equal(sums, np.maximum.reduceat(values, starts) if count else [])


@pytest.mark.parametrize("dtype", exhaustive.some(NUMBERS, [np.int8, np.uint64, np.float16, np.float64]))
def test_reduce_by_key_of_all_types(dtype: Any) -> None:
    keys, values = numbers(3000, dtype, 2), numbers(3000, dtype, 3)
    starts = starts_of(keys)
    unique, sums = reduced(there(keys), there(values), 3000, OpKind.PLUS, dtype, dtype)
    np.testing.assert_array_equal(unique, keys[starts])
    np.testing.assert_array_equal(sums, np.add.reduceat(values, starts))


def test_aggregates_have_the_type_of_the_results_if_that_is_wider() -> None:
    """What the values' own type cannot hold; but values are not cut off before they are combined."""
    keys = np.zeros(1000, np.uint8)
    values = np.full(1000, 100, np.uint8)
    assert reduced(there(keys), there(values), 1000, OpKind.PLUS, np.uint8, np.int32)[1].tolist() == [100_000]
    assert reduced(there(keys), there(values), 1000, OpKind.PLUS, np.uint8, np.uint8)[1].tolist() == [100_000 % 256]
    halves = np.full(1000, 0.5)
    assert reduced(there(keys), there(halves), 1000, OpKind.PLUS, np.uint8, np.int32)[1].tolist() == [500]
    assert reduced(there(keys), there(values > 3), 1000, lambda a, b: a + b, np.uint8, np.int64)[1].tolist() == [1000]


def test_reduce_by_key_with_an_operator_that_does_not_commute() -> None:
    """Affine functions, one after the other; keys are structures too."""
    Affine = compute.gpu_struct({"a": np.int64, "b": np.int64}, "Affine")
    Place = compute.gpu_struct({"x": np.int32, "y": np.int16}, "Place")

    def then(f, g):
        return Affine(f.a * g.a, f.b * g.a + g.b)

    count = 20000
    values, keys = np.empty(count, Affine.dtype), np.zeros(count, Place.dtype)
    values["a"], values["b"] = numbers(count, np.int64) - 4, numbers(count + 1, np.int64)[:count]
    keys["x"], keys["y"] = np.arange(count) // 700, np.arange(count) // 64
    unique, sums = reduced(
        there(keys),
        there(values),
        count,
        then,
        Place.dtype,
        Affine.dtype,
        equality_op=lambda a, b: a.x == b.x and a.y == b.y,
    )
    expected: list[list[tuple[int, int]]] = []
    last = None
    with np.errstate(over="ignore"):
        for key, (a, b) in zip(keys.tolist(), zip(values["a"], values["b"], strict=True), strict=True):
            if key == last:
                (p, q) = expected[-1][0]
                expected[-1][0] = (p * a, q * a + b)
            else:
                expected.append([(a, b)])
            last = key
    assert sums.tolist() == [(int(one[0][0]), int(one[0][1])) for one in expected]
    assert unique.tolist() == [
        key for key, before in zip(keys.tolist(), [None, *keys.tolist()], strict=False) if key != before
    ]


def test_the_key_of_a_run_is_its_last_one() -> None:
    keys = np.array([10, 11, 12, 20, 21, 10], np.int32)
    unique, sums = reduced(
        there(keys),
        compute.ConstantIterator(np.int32(1)),
        6,
        OpKind.PLUS,
        np.int32,
        np.int32,
        equality_op=lambda a, b: a // 10 == b // 10,
    )
    assert (unique.tolist(), sums.tolist()) == ([12, 21, 10], [3, 2, 1])
    unique, counts = compute.run_length_encode(keys, lambda a, b: a // 10 == b // 10)
    assert (unique.tolist(), counts.tolist()) == ([12, 21, 10], [3, 2, 1])


def test_reduce_by_key_of_iterators() -> None:
    count = 10000
    keys = compute.TransformIterator(compute.CountingIterator(np.int64(0)), lambda i: i // 7)
    values = compute.ZipIterator(compute.CountingIterator(np.int32(0)), compute.ConstantIterator(np.float64(0.5)))
    places, halves, number = room(count, np.int32), room(count, np.float32), room(1, np.uint32)
    reducer = compute.make_reduce_by_key(
        d_keys_in=keys,
        d_values_in=values,
        d_unique_out=compute.DiscardIterator(),
        d_aggregates_out=compute.ZipIterator(
            places, compute.TransformOutputIterator(halves, lambda a: a * 2, np.float64)
        ),
        d_num_runs_out=number,
        op=lambda a, b: (max(a[0], b[0]), a[1] + b[1]),
    )
    given: dict[str, Any] = {
        "d_keys_in": keys,
        "d_values_in": values,
        "d_unique_out": compute.DiscardIterator(),
        "d_aggregates_out": compute.ZipIterator(
            places, compute.TransformOutputIterator(halves, lambda a: a * 2, np.float64)
        ),
        "d_num_runs_out": number,
        "op": lambda a, b: (max(a[0], b[0]), a[1] + b[1]),
        "num_items": count,
    }
    size = reducer(temp_storage=None, **given)
    assert number.to_host()[0] == 0
    reducer(temp_storage=cuox.empty((size,), np.uint8), **given)
    runs = -(-count // 7)
    assert number.to_host()[0] == runs
    np.testing.assert_array_equal(places.to_host()[:runs], np.minimum(np.arange(runs) * 7 + 6, count - 1))
    np.testing.assert_array_equal(halves.to_host()[:runs], [7] * (runs - 1) + [count - 7 * (runs - 1)])


def test_runs_in_a_stream_and_with_cuda_operators(device: cuox.Device) -> None:
    keys, values = np.sort(numbers(50000, np.float32, 50)), numbers(50000, np.float32, 100)
    stream = device.create_stream()
    larger = compute.CppOp("__device__ float larger(float a, float b) { return a < b ? b : a; }", "larger")
    equal = compute.CppOp("__device__ bool same(float a, float b) { return a == b; }", "same")
    given_keys, given_values = cuox.to_device(keys, stream=stream), cuox.to_device(values, stream=stream)
    unique, sums, number = (cuox.empty((50000,), kind, stream=stream) for kind in (np.float32, np.float32, np.int32))
    compute.reduce_by_key(
        d_keys_in=given_keys,
        d_values_in=given_values,
        d_unique_out=unique,
        d_aggregates_out=sums,
        d_num_runs_out=number,
        op=larger,
        equality_op=equal,
        num_items=50000,
        stream=stream,
    )
    stream.sync()
    starts = starts_of(keys)
    assert number.to_host()[0] == starts.size
    np.testing.assert_array_equal(sums.to_host()[: starts.size], np.maximum.reduceat(values, starts))
    np.testing.assert_array_equal(unique.to_host()[: starts.size], keys[starts])


@pytest.mark.parametrize("longest", [1, 3, 5000])
@pytest.mark.parametrize("count", SIZES)
def test_run_lengths(count: int, longest: int) -> None:
    x = in_runs(numbers(count, np.int32, 3), longest)
    starts = starts_of(x)
    lengths = np.diff(starts, append=count)
    unique, counts, number = room(count, np.int32), room(count, np.int32), cuox.full((1,), -1, np.int32)
    compute.run_length_encode(
        d_in=there(x), d_unique_out=unique, d_counts_out=counts, d_num_runs_out=number, num_items=count
    )
    assert number.to_host()[0] == starts.size
    np.testing.assert_array_equal(unique.to_host()[: starts.size], x[starts])
    np.testing.assert_array_equal(counts.to_host()[: starts.size], lengths)
    places, sizes, number = room(count, np.int64), room(count, np.int64), cuox.full((1,), -1, np.int64)
    compute.non_trivial_runs(
        d_in=there(x), d_offsets_out=places, d_lengths_out=sizes, d_num_runs_out=number, num_items=count
    )
    found = int(number.to_host()[0])
    np.testing.assert_array_equal(places.to_host()[:found], starts[lengths > 1])
    np.testing.assert_array_equal(sizes.to_host()[:found], lengths[lengths > 1])


def neighbours(x: np.ndarray[Any, Any], side: str) -> np.ndarray[Any, Any]:
    found = x.copy()
    if side == "left":
        found[1:] = x[1:] - x[:-1]
    else:
        found[:-1] = x[:-1] - x[1:]
    return found


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("count", SIZES)
def test_adjacent_difference(count: int, side: Any) -> None:
    x = numbers(count, np.int32, 1000)
    given, out = there(x) if count else room(0, np.int32), room(count, np.int32)
    compute.adjacent_difference(d_in=given, d_out=out, num_items=count, side=side)
    np.testing.assert_array_equal(out.to_host()[:count], neighbours(x, side))
    # Of an iterator into another one.
    doubled = compute.TransformIterator(given, lambda a: a * 2, np.int64)
    compute.adjacent_difference(
        d_in=doubled,
        d_out=compute.ReverseIterator(out[: max(count, 1)]),
        num_items=count,
        op=lambda a, b: a - b,
        side=side,
    )
    np.testing.assert_array_equal(out.to_host()[:count][::-1], neighbours(x * 2, side))
    # In place.
    compute.adjacent_difference(d_in=given, d_out=given, num_items=count, op=OpKind.MINUS, side=side)
    np.testing.assert_array_equal(given.to_host()[:count], neighbours(x, side))


def test_adjacent_difference_of_structures() -> None:
    Place = compute.gpu_struct({"x": np.float64, "y": np.int32}, "Place")
    host = np.zeros(1000, Place.dtype)
    host["x"], host["y"] = numbers(1000, np.float64), numbers(1000, np.int32)
    given = there(host)

    def way(a, b):
        return Place(a.x - b.x, a.y - b.y)

    for out in (cuox.empty((1000,), Place.dtype), given):
        compute.adjacent_difference(d_in=given, d_out=out, num_items=1000, op=way)
        found = out.to_host()
        np.testing.assert_array_equal(found["x"], neighbours(host["x"], "left"))
        np.testing.assert_array_equal(found["y"], neighbours(host["y"], "left"))


def test_adjacent_difference_widens() -> None:
    x = there(np.array([200, 3, 250], np.uint8))
    out = room(3, np.int32)
    compute.make_adjacent_difference(d_in=x, d_out=out, side="right")(temp_storage=out, d_in=x, d_out=out, num_items=3)
    assert out.to_host().tolist() == [197, -247, 250]
    with pytest.raises(ValueError, match='side must be "left" or "right", got \'up\''):
        compute.make_adjacent_difference(d_in=x, d_out=out, side="up")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="4 items were asked for"):
        compute.adjacent_difference(d_in=x, d_out=out, num_items=4)


def test_for_each() -> None:
    x = numbers(10000, np.int32, 50)
    counts, doubled, factor = room(50, np.int32), room(10000, np.float64), 2

    def count(value):
        cuda.atomic.add(counts, value, 1)
        return value

    compute.for_each(d_in=there(x), op=count, num_items=10000)
    np.testing.assert_array_equal(counts.to_host(), np.bincount(x, minlength=50))

    def put(i):
        doubled[i] = i * factor

    compute.for_each(op=put, num_items=0)
    assert not doubled.to_host().any()
    compute.make_for_each(op=put)(op=put, num_items=9999)
    np.testing.assert_array_equal(doubled.to_host(), [*np.arange(9999) * 2.0, 0])
    factor = 3
    compute.for_each(op=put, num_items=10000)
    np.testing.assert_array_equal(doubled.to_host(), np.arange(10000) * 3.0)


def test_for_each_in_cuda() -> None:
    """An operator that returns nothing, of tuples; addresses can come from an iterator too."""
    out = room(100, np.int64)
    source = "__device__ void put(tuple<long long, long long> a) { ((long long *)a.item0)[a.item1] = a.item1 * 3; }"
    places = compute.ZipIterator(compute.ConstantIterator(np.int64(out.ptr)), compute.CountingIterator(np.int64(0)))
    compute.for_each(d_in=places, op=compute.CppOp(source, "put"), num_items=100)
    np.testing.assert_array_equal(out.to_host(), np.arange(100) * 3)


@pytest.mark.parametrize("place", ["host", "device"])
def test_in_short(place: str) -> None:
    keys, values = numbers(3000, np.int16, 2), numbers(3000, np.float32)
    given, summed = (keys, values) if place == "host" else (there(keys), there(values))

    def back(found: Any) -> Any:
        assert isinstance(found, np.ndarray if place == "host" else cuox.Array)
        return found if place == "host" else found.to_host()

    starts = starts_of(keys)
    unique, sums = compute.reduce_by_key(given, summed, lambda a, b: a + b, dtype=np.float64)
    np.testing.assert_array_equal(back(unique), keys[starts])
    assert back(sums).dtype == np.float64
    np.testing.assert_array_equal(back(sums), np.add.reduceat(values, starts))
    unique, counts = compute.run_length_encode(given)
    np.testing.assert_array_equal(back(unique), keys[starts])
    np.testing.assert_array_equal(back(counts), np.diff(starts, append=3000))
    np.testing.assert_array_equal(back(compute.adjacent_difference(summed)), neighbours(values, "left"))
    np.testing.assert_array_equal(
        back(compute.adjacent_difference(summed, lambda a, b: b - a, side="right")), [*np.diff(values), values[-1]]
    )


def test_in_short_of_nothing() -> None:
    nothing = np.zeros(0, np.int32)
    found = (
        *compute.reduce_by_key(nothing, nothing, OpKind.PLUS),
        *compute.run_length_encode(nothing),
        compute.adjacent_difference(nothing),
    )
    assert all(one.shape == (0,) for one in found)
    with pytest.raises(ValueError, match="reduce_by_key: 2 keys and 3 values"):
        compute.reduce_by_key(np.zeros(2), np.zeros(3), OpKind.PLUS)


def test_errors() -> None:
    x, y = there(np.arange(10.0)), there(np.arange(10.0))
    with pytest.raises(TypeError, match="d_num_runs_out must be an array of integers of 32 or 64 bits, got float64"):
        compute.run_length_encode(d_in=x, d_unique_out=y, d_counts_out=y, d_num_runs_out=y, num_items=10)
    with pytest.raises(ValueError, match="11 items were asked for"):
        reduced(x, compute.ConstantIterator(np.int32(1)), 11, OpKind.PLUS, np.float64, np.int32)
    with pytest.raises(TypeError, match="must take 1 argument, it takes 2"):
        compute.for_each(op=lambda a, b: None, num_items=1)
    with pytest.raises(TypeError, match="expected an array on the device or an iterator, got list"):
        compute.for_each(d_in=[1, 2], op=lambda a: None, num_items=1)


def test_calls_are_remembered() -> None:
    """With other sizes, arrays and values; not where the output becomes the input."""
    from cuox.cuda.compute.algorithms import _adjacent, _for_each, _runs

    compute.clear_all_caches()
    for count, factor in ((10, 1), (20000, 2), (0, 3), (7, 4)):
        x = numbers(count, np.int32, 3)
        out, given = room(count, np.int32), there(x) if count else room(0, np.int32)

        def scaled(a, b):
            return (a - b) * factor

        for target in (out, given):
            compute.adjacent_difference(d_in=given, d_out=target, num_items=count, op=scaled, side="right")
            expected = np.append((x[:-1] - x[1:]) * factor, x[-1:])
            np.testing.assert_array_equal(target.to_host()[:count], expected)
        unique, counts = compute.run_length_encode(x)
        assert counts.sum() == count and unique.size == starts_of(x).size
        sums = compute.reduce_by_key(x, x, lambda a, b: a + b)[1]
        assert sums.sum() == x.sum()

        def put(i):
            out[i] = i + factor

        compute.for_each(op=put, num_items=count)
        np.testing.assert_array_equal(out.to_host()[:count], np.arange(count) + factor)
    assert (len(_adjacent._calls), len(_runs._encode_calls), len(_runs._reduce_calls), len(_for_each._calls)) == (
        2,
        1,
        1,
        1,
    )
