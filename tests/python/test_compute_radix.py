"""Sorts by digits: all types of keys, orders and sizes."""

from __future__ import annotations

import threading

import cuox
import exhaustive
import numpy as np
import pytest
from cuox._native import _RadixSort
from cuox.cuda import compute
from cuox.cuda.compute import DoubleBuffer, SortOrder

TYPES = [
    np.uint8,
    np.int8,
    np.uint16,
    np.int16,
    np.uint32,
    np.int32,
    np.uint64,
    np.int64,
    np.float16,
    np.float32,
    np.float64,
    np.bool_,
]
# As on a device with the software GPU's way, and as on an NVIDIA GPU, for keys of 8 bytes, too.
BLOCKS = [None, (16, 64, 1, True), (384, 15, 2, False), (256, 5, 1, False)]


def keys_of(dtype, n, seed=0):
    rng = np.random.default_rng(seed)
    if dtype is np.bool_:
        return rng.integers(0, 2, n).astype(bool)
    if np.dtype(dtype).kind == "f":
        keys = (rng.standard_normal(n) * 100).astype(dtype)
        keys[rng.random(n) < 0.1] = 0
        keys[rng.random(n) < 0.1] = -0.0
        keys[rng.random(n) < 0.01] = np.inf
        return keys
    bounds = np.iinfo(dtype)
    return rng.integers(bounds.min, bounds.max, n, dtype, endpoint=True)


def order_of(keys, descending=False):
    """The places of sorted keys; equal ones keep their order."""
    if not descending:
        return np.argsort(keys, kind="stable")
    return (len(keys) - 1 - np.argsort(keys[::-1], kind="stable"))[::-1]


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("dtype", exhaustive.some(TYPES, [np.int8, np.uint32, np.float16, np.float64]))
def test_keys_and_values(dtype, blocks):
    stream = cuox.Device().default_stream
    size = np.dtype(dtype).itemsize
    kind = np.dtype(dtype).kind.replace("b", "u")
    threads, each = (blocks or (32, 1024))[:2]
    tile = threads * each
    for n in (1, 2, 33, tile - 1, tile, tile + 1, 3 * tile + 7):
        keys, places = keys_of(dtype, n, n), np.arange(n, dtype=np.uint32)
        for descending in (False, True):
            given, values = cuox.to_device(keys), cuox.to_device(places)
            out, out_values = cuox.empty((n,), dtype), cuox.empty((n,), np.uint32)
            _RadixSort(kind, size, 4, 4)(
                given, out, values, out_values, n, 0, 8 * size, descending, stream=stream, blocks=blocks
            )
            expected = order_of(keys, descending)
            np.testing.assert_array_equal(out_values.to_host(), expected)
            np.testing.assert_array_equal(out.to_host(), keys[expected])
            _RadixSort(kind, size, 0, 1)(
                given, out, None, None, n, 0, 8 * size, descending, stream=stream, blocks=blocks
            )
            np.testing.assert_array_equal(out.to_host(), keys[expected])
            np.testing.assert_array_equal(given.to_host(), keys)


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("size", exhaustive.some([1, 2, 3, 8, 12, 16, 20, 24, 100, 1024], [3, 16, 1024]))
def test_values_of_any_size(size, blocks):
    n, stream = 5000, cuox.Device().default_stream
    if blocks == (384, 15, 2, False) and 8 < size <= 16:
        # More would not fit in shared memory.
        blocks = (384, 7, 2, False)
    keys = keys_of(np.uint16, n)
    values = np.random.default_rng(1).integers(0, 256, (n, size), np.uint8)
    align = 8 if size % 8 == 0 else 4 if size % 4 == 0 else 1
    out, out_values = cuox.empty((n,), np.uint16), cuox.empty((n * size,), np.uint8)
    _RadixSort("u", 2, size, align)(
        cuox.to_device(keys),
        out,
        cuox.to_device(values.reshape(-1)),
        out_values,
        n,
        0,
        16,
        False,
        stream=stream,
        blocks=blocks,
    )
    np.testing.assert_array_equal(out_values.to_host().reshape(n, size), values[order_of(keys)])


@pytest.mark.parametrize("begin, end", [(0, 32), (0, 1), (7, 9), (5, 29), (24, 32), (31, 32), (13, 13), (0, 0)])
def test_bits(begin, end):
    keys, values = keys_of(np.uint32, 9000), np.arange(9000)
    part = (keys >> np.uint32(begin) if begin < 32 else keys * 0) & np.uint32((1 << (end - begin)) - 1)
    for order in SortOrder:
        out, out_values = cuox.empty((9000,), np.uint32), cuox.empty((9000,), np.int64)
        compute.radix_sort(
            d_in_keys=cuox.to_device(keys),
            d_out_keys=out,
            d_in_values=cuox.to_device(values),
            d_out_values=out_values,
            num_items=9000,
            order=order,
            begin_bit=begin,
            end_bit=end,
        )
        expected = order_of(part, order is SortOrder.DESCENDING)
        np.testing.assert_array_equal(out_values.to_host(), values[expected])
        np.testing.assert_array_equal(out.to_host(), keys[expected])


def test_wrong_bits():
    x = cuox.zeros((4,), np.uint8)
    for begin, end in ((3, 2), (0, 9), (-1, 4)):
        with pytest.raises(ValueError, match="begin_bit and end_bit must be between 0 and 8"):
            compute.radix_sort(
                d_in_keys=x, d_out_keys=x, num_items=4, order=SortOrder.ASCENDING, begin_bit=begin, end_bit=end
            )


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32])
def test_in_place(dtype):
    # One pass and four: what is read first must not be written to.
    keys, values = keys_of(dtype, 50000), np.arange(50000)
    given, moved = cuox.to_device(keys), cuox.to_device(values)
    compute.radix_sort(
        d_in_keys=given,
        d_out_keys=given,
        d_in_values=moved,
        d_out_values=moved,
        num_items=50000,
        order=SortOrder.ASCENDING,
    )
    np.testing.assert_array_equal(given.to_host(), keys[order_of(keys)])
    np.testing.assert_array_equal(moved.to_host(), order_of(keys))


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.uint64])
def test_a_part_that_is_not_aligned(dtype, blocks):
    # Several keys are loaded at once: those before the first multiple of 16 bytes and the last few are not among them.
    size, kind, stream = np.dtype(dtype).itemsize, np.dtype(dtype).kind, cuox.Device().default_stream
    keys = keys_of(dtype, 60020)
    given = cuox.to_device(keys)
    for start, n in ((1, 700), (1, 3), (3, 13), (5, 60001), (7, 60013)):
        out = cuox.zeros((n + 9,), dtype)
        _RadixSort(kind, size, 0, 1)(
            given[start : start + n], out[3:], None, None, n, 0, 8 * size, False, stream=stream, blocks=blocks
        )
        expected = np.concatenate(
            [np.zeros(3, dtype), np.sort(keys[start : start + n], kind="stable"), np.zeros(6, dtype)]
        )
        np.testing.assert_array_equal(out.to_host(), expected)


@pytest.mark.parametrize("blocks", BLOCKS)
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.float32, np.uint64])
def test_few_digits(dtype, blocks):
    # Keys of a warp, or of all, with the same digits.
    size, kind, stream = np.dtype(dtype).itemsize, np.dtype(dtype).kind, cuox.Device().default_stream
    n = 20011
    for keys in (np.full(n, 77), np.arange(n) % 2, np.arange(n) // 9000, np.where(np.arange(n) % 3 == 0, -0.0, 0.0)):
        keys, places = keys.astype(dtype), np.arange(n, dtype=np.uint32)
        for descending in (False, True):
            out, out_values = cuox.empty((n,), dtype), cuox.empty((n,), np.uint32)
            sort = _RadixSort(kind, size, 4, 4)
            sort(
                cuox.to_device(keys),
                out,
                cuox.to_device(places),
                out_values,
                n,
                0,
                8 * size,
                descending,
                stream=stream,
                blocks=blocks,
            )
            expected = order_of(keys, descending)
            np.testing.assert_array_equal(out_values.to_host(), expected)
            np.testing.assert_array_equal(out.to_host(), keys[expected])


def test_double_buffers():
    keys = keys_of(np.int32, 3000)
    buffer = DoubleBuffer(cuox.to_device(keys), cuox.empty((3000,), np.int32))
    for order in (SortOrder.DESCENDING, SortOrder.ASCENDING):
        compute.radix_sort(d_in_keys=buffer, num_items=3000, order=order)
        sorted_keys = np.sort(keys)
        np.testing.assert_array_equal(
            buffer.current().to_host(), sorted_keys if order is SortOrder.ASCENDING else sorted_keys[::-1]
        )


def test_nan_comes_behind_all_numbers_of_its_sign():
    keys = np.array([1, np.nan, -np.inf, -np.nan, np.inf, 0], np.float32)
    out = cuox.empty((6,), np.float32)
    compute.radix_sort(d_in_keys=cuox.to_device(keys), d_out_keys=out, num_items=6, order=SortOrder.ASCENDING)
    signs = np.signbit(keys[[1, 3]])
    expected = np.array([*[np.nan] * signs.sum(), -np.inf, 0, 1, np.inf, *[np.nan] * (~signs).sum()], np.float32)
    np.testing.assert_array_equal(out.to_host(), expected)


def test_sorts_in_a_graph(no_garbage):
    stream = cuox.Device().create_stream()
    keys = keys_of(np.uint32, 20000)
    given, out = cuox.to_device(keys, stream=stream), cuox.zeros((20000,), np.uint32, stream=stream)
    sort = _RadixSort("u", 4, 0, 1)
    sort(given, out, None, None, 20000, 0, 32, False, stream=stream)
    stream.sync()
    builder = stream.create_graph_builder().begin_building()
    sort(given, out, None, None, 20000, 0, 32, False, stream=stream)
    graph = builder.end_building().complete()
    for seed in (1, 2):
        other = keys_of(np.uint32, 20000, seed)
        given.copy_from(cuox.to_device(other, stream=stream), stream=stream)
        graph.launch(stream)
        found = out.to_host(stream=stream)
        stream.sync()
        np.testing.assert_array_equal(found, np.sort(other))


def test_streams_at_once():
    failures = []

    def work(seed):
        device = cuox.Device()
        device.set_current()
        stream = device.create_stream()
        for n in (100, 30000, 5):
            keys = keys_of(np.int64, n, seed)
            given, out = cuox.to_device(keys, stream=stream), cuox.empty((n,), np.int64, stream=stream)
            compute.radix_sort(d_in_keys=given, d_out_keys=out, num_items=n, order=SortOrder.ASCENDING, stream=stream)
            found = out.to_host(stream=stream)
            stream.sync()
            if not np.array_equal(found, np.sort(keys)):
                failures.append((seed, n))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


FIRST = """
import cuox, numpy as np
from cuox.cuda import compute
for dtype, values in ((np.uint32, None), (np.int32, None), (np.float64, np.arange(5)), (np.uint8, np.arange(5, dtype=np.float32))):
    keys = cuox.to_device(np.arange(5, dtype=dtype))
    given = None if values is None else cuox.to_device(values)
    for order in (compute.SortOrder.ASCENDING, compute.SortOrder.DESCENDING):
        compute.radix_sort(d_in_keys=keys, d_out_keys=cuox.empty((5,), dtype), d_in_values=given, d_out_values=given, num_items=5, order=order)
cuox.Device().sync()
"""


def test_first_call_of_common_types_compiles_nothing(run_script):
    device = cuox.Device()
    if not device.is_soft and tuple(device.compute_capability) != (9, 0):
        pytest.skip("code is shipped for the software GPU and compute capability 9.0")
    done = run_script(FIRST, CUOX_LOG="compile", CUOX_CACHE="0")
    assert done.returncode == 0, done.stderr
    assert "compile:" not in done.stderr


def test_iterators_and_conversions():
    # Not arrays of one type: sorted by comparisons.
    out = cuox.empty((5,), np.int64)
    compute.radix_sort(
        d_in_keys=compute.ReverseIterator(cuox.to_device(np.arange(5))),
        d_out_keys=out,
        num_items=5,
        order=SortOrder.ASCENDING,
    )
    assert out.to_host().tolist() == [0, 1, 2, 3, 4]
    compute.radix_sort(
        d_in_keys=cuox.to_device(np.array([3, 1, 2], np.int32)), d_out_keys=out, num_items=3, order=SortOrder.DESCENDING
    )
    assert out.to_host().tolist()[:3] == [3, 2, 1]


def test_wrong_arguments():
    for kind, key_size, value_size, align in (("u", 3, 0, 1), ("u", 4, 2000, 1), ("u", 4, 6, 4)):
        with pytest.raises(ValueError, match="radix sort"):
            _RadixSort(kind, key_size, value_size, align)
    with pytest.raises(ValueError, match="kind"):
        _RadixSort("c", 8, 0, 1)
    x = cuox.zeros((4,), np.uint32)
    with pytest.raises(ValueError, match="5 items"):
        compute.radix_sort(d_in_keys=x, d_out_keys=x, num_items=5, order=SortOrder.ASCENDING)
    compute.radix_sort(d_in_keys=x, d_out_keys=x, num_items=0, order=SortOrder.ASCENDING)
