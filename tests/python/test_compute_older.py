"""`cuox.cuda.cccl.parallel`: algorithms by position, as they were before `cuda.compute`."""

from __future__ import annotations

from typing import Any

import cuox
import cuox.cuda.cccl.parallel.experimental as parallel
import numpy as np
import pytest
from cuox.cuda import cccl, compute
from cuox.cuda.cccl.parallel.experimental import algorithms, iterators

RNG = np.random.default_rng(20)


@pytest.fixture(autouse=True)
def _device() -> None:
    cuox.Device().set_current()


def add(a: Any, b: Any) -> Any:
    return a + b


def test_names() -> None:
    assert cccl.parallel.reduce_into is parallel.reduce_into is algorithms.reduce_into
    assert parallel.TransformIterator is iterators.TransformIterator is compute.TransformIterator
    assert iterators.ReverseInputIterator is iterators.ReverseOutputIterator is compute.ReverseIterator
    assert parallel.struct.gpu_struct is compute.gpu_struct
    assert compute.pch_cache_dir() is None and compute.clear_pch_cache() == 0


def test_short_forms_stand_at_both_names() -> None:
    for name in (
        "adjacent_difference", "histogram", "reduce", "reduce_by_key", "run_length_encode", "scan", "select", "sort",
        "transform", "unique",
    ):  # fmt: skip
        assert getattr(cccl.parallel, name) is getattr(compute, name)
        assert not hasattr(parallel, name)
    from cuox.cuda.cccl.parallel import reduce

    data = RNG.random(5000).astype(np.float32)
    total = reduce(data, 0.0, lambda a, b: a + b)
    assert isinstance(total, np.float32) and np.isclose(total, data.sum())


def test_objects_by_position() -> None:
    x = RNG.integers(0, 100, 1000).astype(np.int32)
    d_in, d_out, h_init = cuox.to_device(x), cuox.empty((1,), np.int32), np.array([7], np.int32)
    for make in (algorithms.reduce_into, parallel.make_reduce_into):
        reducer = make(d_in, d_out, add, h_init)
        bytes_needed = reducer(None, d_in, d_out, len(x), h_init)
        temp_storage = cuox.empty((bytes_needed,), np.uint8)
        reducer(temp_storage, d_in, d_out, len(x), h_init)
        assert d_out.to_host()[0] == x.sum() + 7
    stream = cuox.Device().create_stream()
    reducer(temp_storage, d_in, d_out, 10, h_init=np.array([0], np.int32), stream=stream)
    stream.sync()
    assert d_out.to_host()[0] == x[:10].sum()


def test_at_once_by_position() -> None:
    x = RNG.integers(0, 100, 1000).astype(np.int32)
    d_in, one, out, h_init = (
        cuox.to_device(x),
        cuox.empty((1,), np.int32),
        cuox.empty((1000,), np.int32),
        np.array([7], np.int32),
    )
    parallel.reduce_into(d_in, one, add, 1000, h_init)
    assert one.to_host()[0] == x.sum() + 7
    parallel.reduce_into(d_in, one, op=add, num_items=10, h_init=h_init)
    assert one.to_host()[0] == x[:10].sum() + 7
    parallel.inclusive_scan(d_in, out, add, h_init, 1000)
    np.testing.assert_array_equal(out.to_host(), np.cumsum(x) + 7)
    parallel.exclusive_scan(d_in, out, add, h_init, 1000)
    np.testing.assert_array_equal(out.to_host(), np.cumsum(x) - x + 7)
    parallel.unary_transform(d_in, out, lambda a: a + 1, 1000)
    np.testing.assert_array_equal(out.to_host(), x + 1)
    bins = cuox.empty((10,), np.int32)
    parallel.histogram_even(d_in, bins, 11, np.int32(0), np.int32(100), 1000)
    np.testing.assert_array_equal(bins.to_host(), np.histogram(x, 10, (0, 100))[0])


def test_scans_and_transforms() -> None:
    x = RNG.integers(0, 100, 500).astype(np.int64)
    d_in, out, zero = cuox.to_device(x), cuox.empty((500,), np.int64), np.zeros(1, np.int64)
    for make, expected in ((algorithms.exclusive_scan, np.cumsum(x) - x), (algorithms.inclusive_scan, np.cumsum(x))):
        scanner = make(d_in, out, add, zero)
        scanner(cuox.empty((scanner(None, d_in, out, 500, zero),), np.uint8), d_in, out, 500, zero)
        np.testing.assert_array_equal(out.to_host(), expected)
    backwards = iterators.ReverseOutputIterator(out)
    transform = algorithms.unary_transform(d_in, backwards, lambda a: 2 * a)
    transform(d_in, backwards, 500)
    np.testing.assert_array_equal(out.to_host(), 2 * x[::-1])
    both = algorithms.binary_transform(d_in, d_in, out, lambda a, b: a * b)
    both(d_in, d_in, out, 500)
    np.testing.assert_array_equal(out.to_host(), x * x)


def test_sorts_and_selections() -> None:
    keys, values = RNG.integers(0, 50, 800).astype(np.uint32), np.arange(800, dtype=np.int32)
    order = np.argsort(keys, kind="stable")
    d_keys, d_values = cuox.to_device(keys), cuox.to_device(values)
    out_keys, out_values, number = (
        cuox.empty((800,), np.uint32),
        cuox.empty((800,), np.int32),
        cuox.empty((2,), np.int64),
    )
    sorter = algorithms.merge_sort(d_keys, d_values, out_keys, out_values, lambda a, b: a < b)
    sorter(
        cuox.empty((sorter(None, d_keys, d_values, out_keys, out_values, 800),), np.uint8),
        d_keys,
        d_values,
        out_keys,
        out_values,
        800,
    )
    np.testing.assert_array_equal(out_keys.to_host(), keys[order])
    np.testing.assert_array_equal(out_values.to_host(), order)
    radix = algorithms.radix_sort(d_keys, out_keys, d_values, out_values, algorithms.SortOrder.DESCENDING)
    radix(cuox.empty((1,), np.uint8), d_keys, out_keys, d_values, out_values, 800, 0, 32)
    np.testing.assert_array_equal(out_keys.to_host(), np.sort(keys)[::-1])
    parallel.radix_sort(d_keys, out_keys, None, None, parallel.SortOrder.ASCENDING, 800)
    np.testing.assert_array_equal(out_keys.to_host(), np.sort(keys))
    unique = algorithms.unique_by_key(out_keys, out_values, d_keys, d_values, number, lambda a, b: a == b)
    unique(cuox.empty((1,), np.uint8), out_keys, out_values, d_keys, d_values, number, 800)
    count = number.to_host()[0]
    np.testing.assert_array_equal(d_keys.to_host()[:count], np.unique(keys))
    small, large, rest = (cuox.empty((800,), np.uint32) for _ in range(3))
    parts = parallel.three_way_partition(out_keys, small, large, rest, number, lambda a: a < 10, lambda a: a > 30)
    parts(None, out_keys, small, large, rest, number, 800)
    parts(cuox.empty((1,), np.uint8), out_keys, small, large, rest, number, 800)
    assert number.to_host().tolist() == [np.count_nonzero(keys < 10), np.count_nonzero(keys > 30)]


def test_segments() -> None:
    x, offsets = RNG.random(100), np.array([0, 10, 10, 70, 100])
    d_in, out, zero = cuox.to_device(x), cuox.empty((4,), np.float64), np.zeros(1)
    starts, ends = cuox.to_device(offsets[:-1]), cuox.to_device(offsets[1:])
    sums = algorithms.segmented_reduce(d_in, out, starts, ends, add, zero)
    sums(cuox.empty((sums(None, d_in, out, 4, starts, ends, zero),), np.uint8), d_in, out, 4, starts, ends, zero)
    expected = [x[a:b].sum() for a, b in zip(offsets[:-1], offsets[1:], strict=True)]
    np.testing.assert_allclose(out.to_host(), expected)
    parallel.segmented_reduce(d_in, out, starts, ends, add, zero, 2)
    np.testing.assert_allclose(out.to_host()[:2], expected[:2])


def test_wrong_calls() -> None:
    x, one, zero = cuox.to_device(np.arange(5)), cuox.empty((1,), np.int64), np.zeros(1, np.int64)
    reducer = parallel.reduce_into(x, one, add, zero)
    with pytest.raises(
        TypeError,
        match=r"reduce_into\(\) is missing argument 'h_init': reduce_into\(temp_storage, d_in, d_out, num_items, h_init, stream\)",
    ):
        reducer(None, x, one, 5)
    with pytest.raises(
        TypeError,
        match=r"reduce_into\(\) is missing argument 'h_init': reduce_into\(d_in, d_out, op, num_items, h_init, stream\)",
    ):
        parallel.reduce_into(x, one, add, num_items=5)
    with pytest.raises(TypeError, match=r"make_reduce_into\(\) takes 4 arguments, got 5"):
        parallel.make_reduce_into(x, one, add, zero, 5)
    with pytest.raises(TypeError, match=r"reduce_into\(\) got two values for 'd_in'"):
        parallel.reduce_into(x, d_in=x)
    with pytest.raises(TypeError, match=r"reduce_into\(\) has no argument 'init'"):
        parallel.reduce_into(x, one, add, init=zero)
