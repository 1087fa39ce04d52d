"""`cuox.cuda.compute`: each algorithm beside NumPy, with operators in Python; iterators, structures, captured values,
errors.
"""

from __future__ import annotations

import itertools
import threading
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute import OpKind

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
FEW = [np.int8, np.uint16, np.int64, np.float16, np.float64]
SIZES = [0, 1, 2, 31, 1000, 70001]


@pytest.fixture(autouse=True)
def _current(device: cuox.Device) -> None:
    device.set_current()


def numbers(count: int, dtype: Any, most: int = 9) -> np.ndarray[Any, Any]:
    return np.random.default_rng(count).integers(0, most, count).astype(dtype)


def there(array: np.ndarray[Any, Any]) -> cuox.Array:
    return cuox.to_device(np.ascontiguousarray(array))


def room(count: int, dtype: Any) -> cuox.Array:
    return cuox.empty((max(count, 1),), np.dtype(dtype))


def reduced(d_in: Any, count: int, op: Any, init: Any) -> Any:
    out = room(1, np.asarray(init).dtype if not hasattr(init, "dtype") else init.dtype)
    compute.reduce_into(d_in=d_in, d_out=out, num_items=count, op=op, h_init=init)
    return out.to_host()[0]


@pytest.mark.parametrize("dtype", exhaustive.some(NUMBERS, FEW))
def test_reduce(dtype: Any) -> None:
    for count in SIZES[:5]:
        x = numbers(count, dtype, 3)
        init = np.array([7], dtype)
        assert reduced(there(x), count, lambda a, b: a + b, init) == np.array(7, dtype) + x.sum(dtype=dtype)
        assert reduced(there(x), count, OpKind.MAXIMUM, init) == 7


def test_reduce_with_an_operator_of_several_statements() -> None:
    def least_far_from_five(a, b):
        x, y = abs(a - 5), abs(b - 5)
        if x == y:
            return min(a, b)
        return a if x < y else b

    x = np.array([1, 9, 3, 8, 7, -4], np.int32)
    assert reduced(there(x), x.size, least_far_from_five, np.array([100], np.int32)) == 3


def test_reduce_of_complex_numbers() -> None:
    x = numbers(1000, np.complex64) + 1j
    assert (
        reduced(there(x.astype(np.complex64)), x.size, lambda a, b: a + b, np.array([1j], np.complex64)) == x.sum() + 1j
    )


@pytest.mark.parametrize("count", SIZES)
def test_scans(count: int) -> None:
    x = numbers(count, np.int32)
    source, out = there(x), room(count, np.int32)
    compute.inclusive_scan(d_in=source, d_out=out, op=lambda a, b: a + b, num_items=count)
    np.testing.assert_array_equal(out.to_host()[:count], np.cumsum(x))
    compute.inclusive_scan(
        d_in=source, d_out=out, op=lambda a, b: a + b, init_value=np.array([5], np.int32), num_items=count
    )
    np.testing.assert_array_equal(out.to_host()[:count], 5 + np.cumsum(x))
    compute.exclusive_scan(
        d_in=source, d_out=out, op=OpKind.PLUS, init_value=there(np.array([5], np.int32)), num_items=count
    )
    np.testing.assert_array_equal(out.to_host()[:count], 5 + np.cumsum(x) - x)
    # In place.
    compute.inclusive_scan(d_in=source, d_out=source, op=OpKind.PLUS, num_items=count)
    np.testing.assert_array_equal(source.to_host()[:count], np.cumsum(x))


def test_a_scan_whose_operator_does_not_commute() -> None:
    """Affine functions, one after the other."""
    Affine = compute.gpu_struct({"a": np.float64, "b": np.float64}, "Affine")

    def then(f, g):
        return Affine(f.a * g.a, f.b * g.a + g.b)

    count = 5000
    host = np.empty(count, Affine.dtype)
    host["a"], host["b"] = 1 + numbers(count, np.float64) % 2 * -2, numbers(count, np.float64)
    out = cuox.empty((count,), Affine.dtype)
    compute.inclusive_scan(d_in=there(host), d_out=out, op=then, init_value=Affine(1, 0), num_items=count)
    expected, value = [], (1.0, 0.0)
    for a, b in host.tolist():
        value = (value[0] * a, value[1] * a + b)
        expected.append(value)
    assert out.to_host().tolist() == expected


@pytest.mark.parametrize("dtype", exhaustive.some(NUMBERS, FEW))
def test_transforms(dtype: Any) -> None:
    x, y = numbers(1000, dtype), numbers(1000, dtype, 4)
    out = room(1000, np.float64)
    compute.unary_transform(d_in=there(x), d_out=out, op=lambda a: a * 2 + 0.5, num_items=1000)
    np.testing.assert_array_equal(out.to_host(), x.astype(np.float64) * 2 + 0.5)
    compute.binary_transform(d_in1=there(x), d_in2=there(y), d_out=out, op=OpKind.MULTIPLIES, num_items=1000)
    np.testing.assert_array_equal(out.to_host(), x.astype(np.float64) * y)


@pytest.mark.parametrize("count", SIZES)
def test_selections(count: int) -> None:
    x = numbers(count, np.int32, 100)
    source, first, second, rest, found = (
        there(x),
        room(count, np.int32),
        room(count, np.int32),
        room(count, np.int32),
        cuox.full((2,), -1, np.int64),
    )
    compute.select(d_in=source, d_out=first, d_num_selected_out=found, cond=lambda a: a % 3 == 0, num_items=count)
    expected = x[x % 3 == 0]
    assert found.to_host()[0] == expected.size
    np.testing.assert_array_equal(first.to_host()[: expected.size], expected)
    compute.three_way_partition(
        d_in=source,
        d_first_part_out=first,
        d_second_part_out=second,
        d_unselected_out=rest,
        d_num_selected_out=found,
        select_first_part_op=lambda a: a < 20,
        select_second_part_op=lambda a: a < 60,
        num_items=count,
    )
    parts = [x[x < 20], x[(x >= 20) & (x < 60)], x[x >= 60]]
    assert found.to_host().tolist() == [parts[0].size, parts[1].size]
    for part, array in zip(parts, (first, second, rest), strict=True):
        np.testing.assert_array_equal(array.to_host()[: part.size], part)


def test_a_condition_with_an_effect_is_asked_once() -> None:
    x = numbers(3000, np.int32, 100)
    refused, out, found = cuox.zeros((1,), np.int32), room(3000, np.int32), room(1, np.int32)
    from cuox.numba import cuda

    def keep(a):
        if a < 30:
            cuda.atomic.add(refused, 0, 1)
            return False
        return True

    compute.select(d_in=there(x), d_out=out, d_num_selected_out=found, cond=keep, num_items=3000)
    assert found.to_host()[0] == (x >= 30).sum() and refused.to_host()[0] == (x < 30).sum()


@pytest.mark.parametrize("count", SIZES)
def test_unique_by_key(count: int) -> None:
    keys, items = numbers(count, np.int16, 3), numbers(count, np.float64)
    out_keys, out_items, found = room(count, np.int16), room(count, np.float64), room(1, np.uint64)
    compute.unique_by_key(
        d_in_keys=there(keys),
        d_in_items=there(items),
        d_out_keys=out_keys,
        d_out_items=out_items,
        d_out_num_selected=found,
        op=OpKind.EQUAL_TO,
        num_items=count,
    )
    places = [0, *(1 + np.flatnonzero(np.diff(keys)))] if count else []
    assert found.to_host()[0] == len(places)
    np.testing.assert_array_equal(out_keys.to_host()[: len(places)], keys[places])
    np.testing.assert_array_equal(out_items.to_host()[: len(places)], items[places])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.float32, np.float64])
def test_histogram(dtype: Any) -> None:
    samples = numbers(5000, dtype, 100)
    out = room(10, np.int32)
    compute.histogram_even(
        d_samples=there(samples),
        d_histogram=out,
        num_output_levels=11,
        lower_level=dtype(10),
        upper_level=dtype(60),
        num_samples=5000,
    )
    np.testing.assert_array_equal(
        out.to_host(), np.histogram(samples[(samples >= 10) & (samples < 60)], 10, (10, 60))[0]
    )


@pytest.mark.parametrize("side", ["left", "right"])
def test_searches(side: str) -> None:
    data, values = np.sort(numbers(1000, np.float32, 50)), numbers(300, np.float32, 60)
    search = compute.lower_bound if side == "left" else compute.upper_bound
    out = room(300, np.int64)
    search(d_data=there(data), num_items=1000, d_values=there(values), num_values=300, d_out=out)
    np.testing.assert_array_equal(out.to_host(), np.searchsorted(data, values, side))
    search(
        d_data=there(data[::-1]),
        num_items=1000,
        d_values=there(values),
        num_values=300,
        d_out=out,
        comp=lambda a, b: a > b,
    )
    expected = 1000 - np.searchsorted(data, values, "right" if side == "left" else "left")
    np.testing.assert_array_equal(out.to_host(), expected)


def test_counts_are_integers() -> None:
    x, out = there(np.arange(4, dtype=np.float32)), cuox.empty((1,), np.float32)
    for count in (2.5, "2"):
        with pytest.raises(TypeError, match="integer"):
            compute.reduce_into(d_in=x, d_out=out, num_items=count, op=OpKind.PLUS, h_init=np.zeros(1, np.float32))  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="integer"):
            compute.merge_sort(d_in_keys=x, d_out_keys=x, num_items=count, op=OpKind.LESS)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="these bytes are not those of cuox.cuda.compute.serialize"):
        compute.deserialize(b"junk")


def test_segmented_reduce() -> None:
    x, offsets = numbers(1000, np.int64), np.array([0, 3, 3, 500, 1000])
    starts, ends, out = there(offsets[:-1]), there(offsets[1:]), room(4, np.int64)
    compute.segmented_reduce(
        d_in=there(x),
        d_out=out,
        num_segments=4,
        start_offsets_in=starts,
        end_offsets_in=ends,
        op=OpKind.PLUS,
        h_init=np.array([1]),
    )
    assert out.to_host().tolist() == [1 + x[a:b].sum() for a, b in itertools.pairwise(offsets)]


# Iterators


def test_iterators() -> None:
    x = np.arange(10, dtype=np.int32) * 3
    given = there(x)
    zero = np.array([0], np.int64)
    plus = OpKind.PLUS
    assert reduced(compute.CountingIterator(np.int64(5)), 10, plus, zero) == sum(range(5, 15))
    assert reduced(compute.CountingIterator(np.int64(5)) + 2, 10, plus, zero) == sum(range(7, 17))
    assert reduced(compute.ConstantIterator(np.int32(4)), 10, plus, zero) == 40
    assert reduced(compute.CacheModifiedInputIterator(given, "stream"), 10, plus, zero) == x.sum()
    assert reduced(
        compute.TransformIterator(compute.CountingIterator(np.int64(0)), lambda a: a * a), 10, plus, zero
    ) == sum(i * i for i in range(10))
    places = there(np.array([1, 1, 8], np.int64))
    assert reduced(compute.PermutationIterator(given, places), 3, plus, zero) == x[1] + x[1] + x[8]
    shuffled = room(1000, np.int64)
    compute.unary_transform(
        d_in=compute.ShuffleIterator(1000, seed=7), d_out=shuffled, op=OpKind.IDENTITY, num_items=1000
    )
    found = shuffled.to_host()
    assert sorted(found.tolist()) == list(range(1000)) and found.tolist() != list(range(1000))
    backwards = room(10, np.int32)
    compute.unary_transform(d_in=compute.ReverseIterator(given), d_out=backwards, op=OpKind.IDENTITY, num_items=10)
    np.testing.assert_array_equal(backwards.to_host(), x[::-1])
    compute.unary_transform(d_in=given, d_out=compute.ReverseIterator(backwards), op=OpKind.IDENTITY, num_items=10)
    np.testing.assert_array_equal(backwards.to_host(), x[::-1])


def test_zipped_items_and_their_places() -> None:
    x = numbers(1000, np.float32, 10000)
    pairs = compute.ZipIterator(there(x), compute.CountingIterator(np.int32(0)))
    init = compute.gpu_struct({"value": np.float32, "place": np.int32})(-1, -1)

    def larger(a, b):
        return a if a[0] > b[0] or (a[0] == b[0] and a[1] < b[1]) else b

    found = reduced(pairs, 1000, larger, init)
    assert found["place"] == x.argmax() and found["value"] == x.max()


def test_outputs_that_are_no_arrays() -> None:
    x = numbers(100, np.int32)
    a, b = room(100, np.int32), room(100, np.float64)

    def halved(value: np.int32):
        return value / 2

    compute.inclusive_scan(
        d_in=there(x), d_out=compute.TransformOutputIterator(b, halved), op=OpKind.PLUS, num_items=100
    )
    np.testing.assert_array_equal(b.to_host(), np.cumsum(x) / 2)
    both = compute.ZipIterator(a, b)
    compute.unary_transform(d_in=there(x), d_out=both, op=lambda v: (v + 1, v * 0.5), num_items=100)
    np.testing.assert_array_equal(a.to_host(), x + 1)
    np.testing.assert_array_equal(b.to_host(), x * 0.5)
    compute.unary_transform(d_in=there(x), d_out=compute.DiscardIterator(), op=lambda v: v, num_items=100)


# Structures and captured values


def test_structures() -> None:
    @compute.gpu_struct
    class Extremes:
        least: np.int32
        most: np.int32

    def joined(a, b):
        return Extremes(min(a.least, b.least), max(a.most, b.most))

    x = numbers(1000, np.int32, 500) - 100
    pairs = compute.TransformIterator(there(x), lambda v: Extremes(v, v))
    found = reduced(pairs, 1000, joined, Extremes(0, 0))
    assert (found["least"], found["most"]) == (x.min(), x.max())
    assert Extremes({"least": 1, "most": 2}) == Extremes(1, most=2)
    with pytest.raises(TypeError, match="takes the fields least, most"):
        Extremes(1)
    with pytest.raises(ValueError, match="not a valid Python identifier"):
        compute.gpu_struct({"2x": np.int32})


def test_nested_structures() -> None:
    Outer = compute.gpu_struct({"inner": {"x": np.float32, "y": np.float32}, "count": np.int32})

    def joined(a, b):
        return Outer((a.inner.x + b.inner.x, a.inner.y + b.inner.y), a.count + b.count)

    host = np.zeros(100, Outer.dtype)
    host["inner"]["x"], host["count"] = np.arange(100), 1
    found = reduced(there(host), 100, joined, Outer((0, 1), 0))
    assert found.tolist() == ((4950.0, 1.0), 100)


def test_captured_values_may_change() -> None:
    x = numbers(100, np.int32)
    source, out = there(x), room(100, np.float64)

    def scaled(factor: Any, table: cuox.Array) -> np.ndarray[Any, Any]:
        compute.unary_transform(d_in=source, d_out=out, op=lambda a: a * factor + table[0] + len(table), num_items=100)
        found: np.ndarray[Any, Any] = out.to_host()
        return found

    from cuox.cuda.compute import _kernels, _operators

    np.testing.assert_array_equal(scaled(2.5, there(np.array([1.0]))), x * 2.5 + 2)
    known = len(_operators._known), len(_kernels._kernels)
    np.testing.assert_array_equal(scaled(-1.5, there(np.array([3.0, 4.0]))), x * -1.5 + 5)
    assert known == (len(_operators._known), len(_kernels._kernels))
    np.testing.assert_array_equal(scaled(np.float32(3), there(np.array([3.0, 4.0]))), x * 3 + 5)


def test_helpers_and_what_they_capture() -> None:
    offset = 4

    def moved(a):
        return a + offset

    x, out = numbers(10, np.int32), room(10, np.int32)
    compute.unary_transform(d_in=there(x), d_out=out, op=lambda a: moved(a) * 2, num_items=10)
    np.testing.assert_array_equal(out.to_host(), (x + 4) * 2)
    offset = 5
    compute.unary_transform(d_in=there(x), d_out=out, op=lambda a: moved(a) * 2, num_items=10)
    np.testing.assert_array_equal(out.to_host(), (x + 5) * 2)


def test_operators_in_cuda() -> None:
    x = numbers(100, np.float32)
    larger = compute.CppOp("__device__ float larger(float a, float b) { return a < b ? b : a; }", "larger")
    assert reduced(there(x), 100, larger, np.array([-1], np.float32)) == x.max()
    with pytest.raises(NotImplementedError, match="CppOp"):
        compute.RawOp(ltoir=b"", name="f")


# Objects, streams, errors


def test_objects() -> None:
    x, out = numbers(100, np.int64), room(1, np.int64)
    given: dict[str, Any] = {"d_in": there(x), "d_out": out, "op": lambda a, b: a + b, "h_init": np.array([0])}
    reducer = compute.make_reduce_into(**given)
    out.fill(-1)
    bytes_needed = reducer(temp_storage=None, num_items=100, **given)
    assert bytes_needed > 0 and out.to_host()[0] == -1
    reducer(temp_storage=cuox.empty((bytes_needed,), np.uint8), num_items=100, **given)
    assert out.to_host()[0] == x.sum()


def test_streams(device: cuox.Device) -> None:
    x, out = numbers(100000, np.float64), room(1, np.float64)
    stream = device.create_stream()
    given = cuox.to_device(x, stream=stream)
    compute.reduce_into(d_in=given, d_out=out, num_items=x.size, op=OpKind.PLUS, h_init=np.zeros(1), stream=stream)
    stream.sync()
    assert out.to_host()[0] == x.sum()
    with pytest.raises(TypeError, match="does not implement the '__cuda_stream__' protocol"):
        compute.reduce_into(d_in=given, d_out=out, num_items=1, op=OpKind.PLUS, h_init=np.zeros(1), stream=object())


def test_threads() -> None:
    wrong = []

    def work(number: int) -> None:
        x = numbers(1000 + number, np.int64)
        for step in range(20):
            if reduced(there(x), x.size, lambda a, b: a + b, np.array([step])) != x.sum() + step:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_errors() -> None:
    x, out = there(np.arange(10.0)), room(10, np.float64)
    with pytest.raises(TypeError, match="expected an array on the device or an iterator, got ndarray"):
        compute.unary_transform(d_in=np.arange(10.0), d_out=out, op=lambda a: a, num_items=10)
    with pytest.raises(
        TypeError,
        match="an operator must be a function in Python, one such as max or np.maximum, an OpKind or a CppOp, got int",
    ):
        compute.unary_transform(d_in=x, d_out=out, op=3, num_items=10)
    with pytest.raises(TypeError, match="must take 1 argument, it takes 2"):
        compute.unary_transform(d_in=x, d_out=out, op=lambda a, b: a, num_items=10)
    with pytest.raises(TypeError, match=r"name 'nowhere' is not defined"):
        compute.unary_transform(d_in=x, d_out=out, op=lambda a: nowhere(a), num_items=10)  # type: ignore[name-defined]
    with pytest.raises(ValueError, match="Non-contiguous arrays are not supported"):
        compute.unary_transform(d_in=x[::2], d_out=out, op=lambda a: a, num_items=5)
    with pytest.raises(ValueError, match="num_items must be 0 or more"):
        compute.unary_transform(d_in=x, d_out=out, op=lambda a: a, num_items=-1)
    for given, into in (
        (x, room(5, np.float64)),
        (room(5, np.float64), out),
        (compute.ZipIterator(x, room(3, np.int32)), out),
    ):
        with pytest.raises(ValueError, match=r"6 items were asked for, of an (array|iterator) that has [35]"):
            compute.unary_transform(d_in=given, d_out=into, op=lambda a: 1, num_items=6)
    with pytest.raises(ValueError, match="11 items were asked for"):
        compute.merge_sort(d_in_keys=x, d_out_keys=out, num_items=11, op=OpKind.LESS)
    with pytest.raises(ValueError, match="does not support output"):
        compute.unary_transform(d_in=x, d_out=compute.CountingIterator(np.int32(0)), op=lambda a: a, num_items=5)
    with pytest.raises(ValueError, match="No init value"):
        compute.make_exclusive_scan(d_in=x, d_out=out, op=OpKind.PLUS, init_value=None)
    with pytest.raises(TypeError, match="d_num_selected_out must be an array of integers"):
        compute.select(d_in=x, d_out=out, d_num_selected_out=out, cond=lambda a: a > 1, num_items=10)
    with pytest.raises(TypeError, match="must have the same dtype"):
        compute.histogram_even(
            d_samples=x,
            d_histogram=room(1, np.int32),
            num_output_levels=2,
            lower_level=np.int32(0),
            upper_level=1.0,
            num_samples=10,
        )
    with pytest.raises(ValueError, match="at least 2 levels"):
        compute.histogram_even(
            d_samples=x,
            d_histogram=room(1, np.int32),
            num_output_levels=1,
            lower_level=0.0,
            upper_level=1.0,
            num_samples=10,
        )


# Sorts


@pytest.mark.parametrize("count", [0, 1, 2, 300, 2049, 50001])
@pytest.mark.parametrize("with_values", [False, True])
def test_merge_sort(count: int, with_values: bool) -> None:
    keys, values = numbers(count, np.int32, 50), np.arange(count, dtype=np.int64)
    given, out_keys, out_values = there(keys), room(count, np.int32), room(count, np.int64)
    more: dict[str, Any] = {"d_in_values": there(values), "d_out_values": out_values} if with_values else {}
    compute.merge_sort(d_in_keys=given, d_out_keys=out_keys, num_items=count, op=lambda a, b: a > b, **more)
    order = np.argsort(-keys, kind="stable")
    np.testing.assert_array_equal(out_keys.to_host()[:count], keys[order])
    if with_values:
        np.testing.assert_array_equal(out_values.to_host()[:count], values[order])
    compute.merge_sort(d_in_keys=given, d_out_keys=given, num_items=count, op=OpKind.LESS)
    np.testing.assert_array_equal(given.to_host()[:count], np.sort(keys))


def test_merge_sort_of_structures() -> None:
    Word = compute.gpu_struct({"weight": np.float64, "length": np.int32, "tag": np.int8}, "Word")
    host = np.zeros(3000, Word.dtype)
    host["length"], host["weight"], host["tag"] = (
        numbers(3000, np.int32, 5),
        numbers(3000, np.float64, 7),
        np.arange(3000) % 100,
    )
    out = cuox.empty((3000,), Word.dtype)
    compute.merge_sort(
        d_in_keys=there(host),
        d_out_keys=out,
        num_items=3000,
        op=lambda a, b: a.length < b.length or (a.length == b.length and a.weight < b.weight),
    )
    np.testing.assert_array_equal(out.to_host(), host[np.lexsort((host["weight"], host["length"]))])


@pytest.mark.parametrize("size", exhaustive.some([4, 8, 12, 16, 24, 40, 200, 1024], [4, 40, 1024]))
def test_merge_sort_of_items_of_all_sizes(size: int) -> None:
    kind = np.dtype(
        [("key", np.uint16), ("place", np.uint16), *((f"more{k}", np.uint32) for k in range(size // 4 - 1))]
    )
    for count, distinct in ((1, 1), (33, 3), (4321, 1000), (30000, 5)):
        host = np.zeros(count, kind)
        host["key"], host["place"] = numbers(count, np.uint16, distinct), np.arange(count)
        given, out = cuox.to_device(host), cuox.empty((count,), kind)
        compute.merge_sort(d_in_keys=given, d_out_keys=out, num_items=count, op=lambda a, b: a.key < b.key)
        np.testing.assert_array_equal(out.to_host(), host[np.argsort(host["key"], kind="stable")])


def test_merge_sort_by_a_comparison_that_is_none() -> None:
    # The order of numbers and NaN is not defined; but nothing is read or written elsewhere.
    keys = numbers(50000, np.float32, 1000)
    keys[::7] = np.nan
    out = cuox.empty((50000,), np.float32)
    compute.merge_sort(d_in_keys=there(keys), d_out_keys=out, num_items=50000, op=lambda a, b: a < b)
    compute.merge_sort(d_in_keys=there(keys), d_out_keys=out, num_items=50000, op=lambda a, b: True)
    assert out.to_host().size == 50000


@pytest.mark.parametrize("dtype", exhaustive.some(NUMBERS, FEW))
@pytest.mark.parametrize("order", list(compute.SortOrder))
def test_radix_sort(dtype: Any, order: Any) -> None:
    keys = numbers(5000, dtype, 100)
    if np.dtype(dtype).kind != "u":
        keys = (keys - dtype(50)).astype(dtype)
    values = np.arange(5000, dtype=np.uint32)
    out_keys, out_values = room(5000, dtype), room(5000, np.uint32)
    compute.radix_sort(
        d_in_keys=there(keys),
        d_out_keys=out_keys,
        d_in_values=there(values),
        d_out_values=out_values,
        num_items=5000,
        order=order,
    )
    places = (
        np.argsort(keys, kind="stable")
        if order is compute.SortOrder.ASCENDING
        else 4999 - np.argsort(keys[::-1], kind="stable")[::-1]
    )
    np.testing.assert_array_equal(out_keys.to_host(), keys[places])
    np.testing.assert_array_equal(out_values.to_host(), values[places])


def test_radix_sort_of_some_bits_in_two_buffers() -> None:
    keys = numbers(4000, np.uint32, 2**20)
    buffer = compute.DoubleBuffer(there(keys), room(4000, np.uint32))
    compute.radix_sort(d_in_keys=buffer, num_items=4000, order=compute.SortOrder.ASCENDING, begin_bit=4, end_bit=12)
    np.testing.assert_array_equal(buffer.current().to_host(), keys[np.argsort(keys >> 4 & 0xFF, kind="stable")])
    assert buffer.selector == 1
    with pytest.raises(ValueError, match="must be between 0 and 32"):
        compute.radix_sort(d_in_keys=buffer, num_items=4000, order=compute.SortOrder.ASCENDING, begin_bit=4, end_bit=40)
    with pytest.raises(TypeError, match="order must be a SortOrder"):
        compute.radix_sort(d_in_keys=buffer, num_items=4000, order="ascending")  # type: ignore[arg-type]


def test_segmented_sort() -> None:
    keys, values = numbers(10000, np.float32, 1000), np.arange(10000)
    # Segments in any order, an empty one, and items of none.
    starts, ends = np.array([5000, 10, 300, 9000]), np.array([8000, 300, 300, 10000])
    out_keys, out_values = cuox.full((10000,), -1, np.float32), cuox.full((10000,), -1, np.int64)
    compute.segmented_sort(
        d_in_keys=there(keys),
        d_out_keys=out_keys,
        d_in_values=there(values),
        d_out_values=out_values,
        num_items=10000,
        num_segments=4,
        start_offsets_in=there(starts),
        end_offsets_in=there(ends),
        order=compute.SortOrder.ASCENDING,
    )
    expected_keys, expected_values = np.full(10000, -1, np.float32), np.full(10000, -1)
    for start, end in zip(starts, ends, strict=True):
        places = start + np.argsort(keys[start:end], kind="stable")
        expected_keys[start:end], expected_values[start:end] = keys[places], values[places]
    np.testing.assert_array_equal(out_keys.to_host(), expected_keys)
    np.testing.assert_array_equal(out_values.to_host(), expected_values)


# In short


@pytest.mark.parametrize("place", ["host", "device"])
def test_in_short(place: str) -> None:
    x = numbers(3000, np.float64, 100)
    given = x if place == "host" else there(x)

    def back(found: Any) -> Any:
        assert isinstance(found, np.ndarray if place == "host" else cuox.Array)
        return found if place == "host" else found.to_host()

    assert compute.reduce(given, 0.0, lambda a, b: a + b) == x.sum()
    assert compute.reduce(given, -1, OpKind.MAXIMUM) == x.max()
    np.testing.assert_array_equal(back(compute.scan(given, lambda a, b: a + b)), np.cumsum(x))
    np.testing.assert_array_equal(
        back(compute.scan(given, lambda a, b: a + b, 5, exclusive=True)), 5 + np.cumsum(x) - x
    )
    np.testing.assert_array_equal(back(compute.sort(given)), np.sort(x))
    np.testing.assert_array_equal(back(compute.sort(given, descending=True)), np.sort(x)[::-1])
    keys, places = compute.sort(
        given, lambda a, b: a > b, values=np.arange(3000) if place == "host" else there(np.arange(3000))
    )
    np.testing.assert_array_equal(back(places), np.argsort(-x, kind="stable"))
    np.testing.assert_array_equal(back(keys), np.sort(x)[::-1])
    np.testing.assert_array_equal(back(compute.transform(lambda a: a * 2 + 1, given)), x * 2 + 1)
    large = back(compute.transform(lambda a, b: a > b, given, given))
    assert large.dtype == np.bool_ and not large.any()
    np.testing.assert_array_equal(back(compute.select(given, lambda a: a > 50)), x[x > 50])
    np.testing.assert_array_equal(back(compute.unique(compute.sort(given))), np.unique(x))
    np.testing.assert_array_equal(back(compute.histogram(given, 10, (0.0, 100.0))), np.histogram(x, 10, (0, 100))[0])


def test_in_short_of_nothing() -> None:
    nothing = np.zeros(0, np.int32)
    assert compute.reduce(nothing, 3, OpKind.PLUS) == 3
    for found in (
        compute.scan(nothing, OpKind.PLUS),
        compute.sort(nothing),
        compute.select(nothing, lambda a: a > 1),
        compute.unique(nothing),
    ):
        assert found.shape == (0,)
    assert compute.histogram(nothing, 3, (0, 3)).tolist() == [0, 0, 0]
    with pytest.raises(TypeError, match="expected an array of numbers, got list"):
        compute.sort([object()])
    with pytest.raises(ValueError, match="2 keys and 3 values"):
        compute.sort(np.zeros(2), values=np.zeros(3))
