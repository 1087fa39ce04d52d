"""Memory of `cuox.cuda.compute`: outputs in the memory of inputs, segments that overlap, arrays and functions that
calls must not keep alive, and other libraries' arrays.
"""

import gc
import os
import subprocess
import sys
import weakref

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute

COUNT = 19999
UP = compute.SortOrder.ASCENDING


def ints(count=COUNT):
    return cuox.to_device(np.random.default_rng(0).integers(0, 100, count).astype(np.int32))


def number():
    return cuox.empty((1,), np.int64)


def test_outputs_that_lie_in_inputs_are_refused_at_every_call():
    x, free, n = ints(), ints(), number()
    starts, ends = cuox.to_device(np.arange(0, COUNT, 7)), cuox.to_device(np.minimum(np.arange(0, COUNT, 7) + 7, COUNT))
    segments = {"start_offsets_in": starts, "end_offsets_in": ends, "num_segments": starts.size}
    some = {"d_num_runs_out": n, "num_items": COUNT - 1}

    def reduce_runs(given, out):
        compute.reduce_by_key(
            d_keys_in=given, d_values_in=free, d_unique_out=out, d_aggregates_out=ints(), op=lambda a, b: a + b, **some
        )

    def sort(given, out):
        compute.segmented_sort(d_in_keys=given, d_out_keys=out, num_items=COUNT - 1, order=UP, **segments)

    def reduce(given, out):
        compute.segmented_reduce(d_in=given, d_out=out, op=lambda a, b: a + b, h_init=np.int32(0), **segments)

    calls = {
        "adjacent_difference": (
            lambda given, out: compute.adjacent_difference(d_in=given, d_out=out, num_items=COUNT - 1),
            True,
        ),
        "run_length_encode": (
            lambda given, out: compute.run_length_encode(d_in=given, d_unique_out=out, d_counts_out=ints(), **some),
            False,
        ),
        "reduce_by_key": (reduce_runs, False),
        "segmented_sort": (sort, True),
        "segmented_reduce": (reduce, False),
        "lower_bound": (
            lambda given, out: compute.lower_bound(d_data=given, num_items=99, d_values=free, num_values=99, d_out=out),
            False,
        ),
        "unary_transform": (
            lambda given, out: compute.unary_transform(d_in=given, d_out=out, op=lambda a: a + 1, num_items=COUNT - 1),
            True,
        ),
    }
    for call, may_be_same in calls.values():
        # The first call is translated, the second one is remembered.
        for _ in range(2):
            call(x, ints())
        with pytest.raises(ValueError, match="lies in the memory of"):
            call(x[:-1], x[1:])
        if may_be_same:
            call(x, x)
        else:
            with pytest.raises(ValueError, match="lies in the memory of .*: it must be another array"):
                call(x, x)
    for read in (compute.ReverseIterator(x), compute.PermutationIterator(x, ints())):
        for out in (ints(), x):
            if out is x:
                with pytest.raises(ValueError, match="d_out lies in the memory of d_in: it may be the same array"):
                    compute.unary_transform(d_in=read, d_out=out, op=lambda a: a, num_items=COUNT)
            else:
                compute.unary_transform(d_in=read, d_out=out, op=lambda a: a, num_items=COUNT)
    h = x.to_host()
    compute.unary_transform(
        d_in=compute.TransformIterator(x, lambda a: a + 1), d_out=x, op=lambda a: a * 2, num_items=COUNT
    )
    np.testing.assert_array_equal(x.to_host(), (h + 1) * 2)


def test_segments_that_overlap_stay_within_memory():
    program = """
import cuox, numpy as np
from cuox.cuda import compute
keys, out = (cuox.to_device(np.arange(10000, dtype=np.int32)[::-1].copy()) for _ in range(2))
for count, length in ((100, 10000), (5000, 40)):
    begin, end = cuox.to_device(np.zeros(count, np.int64)), cuox.to_device(np.full(count, length))
    compute.segmented_sort(d_in_keys=keys, d_out_keys=out, num_items=10000, num_segments=count, start_offsets_in=begin, end_offsets_in=end,
        order=compute.SortOrder.ASCENDING)
cuox.Device().sync()
print("done")
"""
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "CUOX_SOFT_CHECK": "memory"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert found.stdout == "done\n" and "Invalid" not in found.stderr, found.stderr


@pytest.mark.parametrize("length", [1, 2, 31, 32, 33, 700, 5000])
def test_many_segments_of_any_length(length):
    rng = np.random.default_rng(length)
    lengths = rng.integers(0, length + 1, 3000 if length < 1000 else 40)
    ends = np.cumsum(lengths)
    starts, count = ends - lengths, int(ends[-1])
    keys = rng.integers(0, 50, count).astype(np.float32)
    values = np.arange(count, dtype=np.int32)
    k, v = cuox.to_device(keys), cuox.to_device(values)
    compute.segmented_sort(
        d_in_keys=k, d_in_values=v, d_out_keys=k, d_out_values=v, num_items=count, num_segments=starts.size,
        start_offsets_in=cuox.to_device(starts), end_offsets_in=cuox.to_device(ends), order=compute.SortOrder.DESCENDING,
    )  # fmt: skip
    places = np.concatenate(
        [start + np.argsort(-keys[start:end], kind="stable") for start, end in zip(starts, ends, strict=True)]
    )
    np.testing.assert_array_equal(k.to_host(), keys[places])
    np.testing.assert_array_equal(v.to_host(), values[places])


def test_an_initial_value_of_no_items_at_the_second_call():
    x, out = ints(), ints()
    add = lambda a, b: a + b
    for _ in range(2):
        compute.exclusive_scan(
            d_in=x, d_out=out, op=add, init_value=cuox.to_device(np.array([3], np.int32)), num_items=COUNT
        )
    with pytest.raises(ValueError, match="init_value is an array without items"):
        compute.exclusive_scan(d_in=x, d_out=out, op=add, init_value=cuox.empty((0,), np.int32), num_items=COUNT)


class Foreign:
    """An array of a library whose dtypes are its own, as PyTorch's are."""

    def __init__(self, array):
        self.array, self.dtype, self.shape = array, "foreign.float32", array.shape

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


def test_arrays_with_dtypes_of_their_own():
    h = np.random.default_rng(1).random(1000).astype(np.float32)
    x, out = Foreign(cuox.to_device(h)), Foreign(cuox.empty((1000,), np.float32))
    for _ in range(2):
        compute.unary_transform(d_in=x, d_out=out, op=lambda a: a * 2, num_items=1000)
    np.testing.assert_array_equal(out.array.to_host(), h * 2)
    one = cuox.empty((1,), np.float32)
    compute.reduce_into(d_in=x, d_out=one, op=max, h_init=np.float32(0), num_items=1000)
    assert one.to_host()[0] == h.max()
    compute.radix_sort(d_in_keys=x, d_out_keys=out, num_items=1000, order=UP)
    np.testing.assert_array_equal(out.array.to_host(), np.sort(h))


def test_captured_functions_and_objects_are_not_kept():
    x, out = ints(), ints()

    def run(table):
        def at(i):
            return table[i % 3]

        compute.unary_transform(d_in=x, d_out=out, op=lambda a: at(a), num_items=COUNT)
        return weakref.ref(at)

    h = x.to_host()
    functions, begin = [], len(compute.algorithms._transform._unary_calls)
    for value in (1, 10, 100):
        functions.append(run(cuox.to_device(np.array([value, value + 1, value + 2], np.int32))))
        np.testing.assert_array_equal(out.to_host(), value + h % 3)
    gc.collect()
    assert [one() for one in functions] == [None] * 3
    # One of them is enough for all.
    assert len(compute.algorithms._transform._unary_calls) == begin + 1

    class Model:
        pass

    model = Model()
    model.scale = 3
    compute.unary_transform(d_in=x, d_out=out, op=lambda a: a * model.scale, num_items=COUNT)
    np.testing.assert_array_equal(out.to_host(), h * 3)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_helpers_of_one_code_that_capture_other_numbers():
    x, out = ints(), ints()
    h = x.to_host()

    def adder(number):
        return lambda a: a + number

    def run(first, second):
        compute.unary_transform(d_in=x, d_out=out, op=lambda a: first(a) * second(a), num_items=COUNT)
        return out.to_host()

    same = adder(5)
    for _ in range(2):
        np.testing.assert_array_equal(run(adder(1), adder(2)), (h + 1) * (h + 2))
        np.testing.assert_array_equal(run(same, same), (h + 5) * (h + 5))
        np.testing.assert_array_equal(run(same, adder(7)), (h + 5) * (h + 7))
        np.testing.assert_array_equal(run(adder(7), same), (h + 7) * (h + 5))
        np.testing.assert_array_equal(run(lambda a: a - 1, same), (h - 1) * (h + 5))


def test_iterators_do_not_change():
    counting = compute.CountingIterator(np.int32(0))
    for iterator, name in (
        (counting, "start"),
        (compute.ConstantIterator(np.int32(0)), "constant"),
        (compute.CacheModifiedInputIterator(ints(), "stream"), "modifier"),
        (compute.ShuffleIterator(8, 1), "num_items"),
        (compute.ShuffleIterator(8, 1), "seed"),
    ):
        with pytest.raises(AttributeError):
            setattr(iterator, name, 7)
    assert counting.start == 0 and (counting + 3).start == 3


def test_counts_and_structures_are_remembered():
    x, out = ints(), ints()
    calls = compute.algorithms._transform._unary_calls
    twice = lambda a: a * 2
    begin = len(calls)
    for count in (np.int64(10), np.uint8(20), 30):
        compute.unary_transform(d_in=x, d_out=out, op=twice, num_items=count)
        np.testing.assert_array_equal(out.to_host()[: int(count)], 2 * x.to_host()[: int(count)])
    assert len(calls) == begin + 1

    Extremes = compute.gpu_struct({"low": np.int32, "high": np.int32}, "Extremes")
    pairs = cuox.to_device(np.array([(3, 4), (1, 9), (5, 6)], Extremes.dtype))
    one = cuox.empty((1,), Extremes.dtype)
    calls = compute.algorithms._reduce._calls
    join = lambda a, b: Extremes(min(a.low, b.low), max(a.high, b.high))
    begin = len(calls)
    for low in (0, 2, 1):
        compute.reduce_into(d_in=pairs, d_out=one, op=join, h_init=Extremes(low, 7), num_items=3)
        assert one.to_host()[0].tolist() == (min(low, 1), 9)
    assert len(calls) == begin + 1


def test_sums_keep_the_sign_of_zero():
    for dtype in (np.float16, np.float32, np.float64):
        zeros = cuox.to_device(np.full(100, -0.0, dtype))
        assert np.signbit(compute.reduce(zeros, dtype(-0.0), lambda a, b: a + b))
        assert not np.signbit(compute.reduce(zeros, dtype(0.0), lambda a, b: a + b))


@pytest.mark.parametrize(("dtype", "bound"), [(np.float16, 60000), (np.float32, 3e38)])
def test_histograms_whose_levels_are_farther_apart_than_a_number_can_be(dtype, bound):
    samples = cuox.to_device((np.array([-0.02, 0.02, 0.5]) * bound).astype(dtype))
    bins = cuox.empty((2,), np.int32)
    compute.histogram_even(
        d_samples=samples,
        d_histogram=bins,
        num_output_levels=3,
        lower_level=dtype(-bound),
        upper_level=dtype(bound),
        num_samples=3,
    )
    assert bins.to_host().tolist() == [1, 2]


@pytest.mark.parametrize(
    "dtype",
    exhaustive.some([np.int8, np.uint16, np.int32, np.int64, np.uint64, np.float32], [np.int8, np.uint64, np.float32]),
)
def test_histograms_at_the_bounds_of_bins(dtype):
    rng = np.random.default_rng(3)
    is_float = np.dtype(dtype).kind == "f"
    widths = (
        [(0, 100, 7), (-100, 27, 127), (3, 110, 100)]
        if not is_float
        else [(0.0, 1.0, 10), (-3.3, 8.1, 77), (1e-3, 2e-3, 3000)]
    )
    if np.dtype(dtype).itemsize == 8:
        widths += [(0, 2**62 + 5, 1000), (0, 2**63 - 1, 2**16 - 1)] + (
            [(-(2**63), 2**63 - 1, 9)] if dtype is np.int64 else [(5, 2**64 - 1, 321)]
        )
    for low, high, bins in widths:
        if not is_float:
            low = max(low, int(np.iinfo(dtype).min))
            if np.iinfo(dtype).min == 0:
                low = max(0, low)
            bounds = [low + -(-k * (high - low) // bins) for k in range(bins)]
            samples = np.array([min(max(one + step, low), high - 1) for one in bounds for step in (-1, 0, 1)], dtype)
            places = [min((int(one) - low) * bins // (high - low), bins - 1) for one in samples]
        else:
            low, high = dtype(low), dtype(high)
            scale = bins / (np.float64(high) - np.float64(low))
            samples = np.float32(rng.random(20000) * (high - low) + low)
            near = np.float32(low + np.arange(bins) / scale)
            samples = np.concatenate(
                [samples, near, np.nextafter(near, np.float32(9)), np.nextafter(near, np.float32(-9))]
            )
            samples = samples[(samples >= low) & (samples < high)]
            places = np.minimum(((np.float64(samples) - np.float64(low)) * scale).astype(int), bins - 1)
        out = cuox.empty((bins,), np.int32)
        compute.histogram_even(
            d_samples=cuox.to_device(samples),
            d_histogram=out,
            num_output_levels=bins + 1,
            lower_level=dtype(low),
            upper_level=dtype(high),
            num_samples=samples.size,
        )
        np.testing.assert_array_equal(out.to_host(), np.bincount(places, minlength=bins))


@pytest.mark.skipif(
    cuox.Device().is_soft, reason="needs 4 GB; the software GPU has no kernels that load several items at once"
)
def test_nearly_all_items_that_32_bits_count():
    count = 2_050_000_003
    x = cuox.zeros((count,), np.int8)
    x[-5:] = cuox.to_device(np.arange(1, 6, dtype=np.int8))
    compute.unary_transform(d_in=x, d_out=x, op=lambda a: a + 1, num_items=count)
    assert x[:100].to_host().tolist() == [1] * 100
    assert x[-6:].to_host().tolist() == [1, 2, 3, 4, 5, 6]


def test_items_that_are_not_asked_for_may_lie_anywhere():
    n = 100
    begin = np.arange(6 * n, dtype=np.int32) % 7
    for turn in range(2):
        b, one = cuox.to_device(begin), number()
        h = begin[:n]
        compute.select(d_in=b, d_out=b[n:], d_num_selected_out=one, cond=lambda a: a > 3, num_items=n)
        np.testing.assert_array_equal(b[n:].to_host()[: int(one.to_host()[0])], h[h > 3])
        compute.unique_by_key(
            d_in_keys=b,
            d_in_items=b,
            d_out_keys=b[n:],
            d_out_items=b[2 * n :],
            d_out_num_selected=one,
            op=lambda a, b: a == b,
            num_items=n,
        )
        assert one.to_host()[0] == n
        compute.run_length_encode(d_in=b, d_unique_out=b[n:], d_counts_out=b[2 * n :], d_num_runs_out=one, num_items=n)
        assert one.to_host()[0] == n
        levels = {"num_output_levels": 8, "lower_level": np.int32(0), "upper_level": np.int32(7)}
        compute.histogram_even(d_samples=b, d_histogram=b[n:], num_samples=n, **levels)
        np.testing.assert_array_equal(b[n:].to_host()[:7], np.bincount(h))
        compute.histogram_even(d_samples=b, d_histogram=b[n:], num_samples=0, **levels)
        assert not b[n:].to_host()[:7].any()
        ends = cuox.to_device(np.array([0, 40, n], np.int32))
        compute.segmented_reduce(
            d_in=b,
            d_out=b[n:],
            num_segments=2,
            start_offsets_in=ends[:-1],
            end_offsets_in=ends[1:],
            op=lambda a, b: a + b,
            h_init=np.int32(0),
        )
        assert b[n:].to_host()[:2].tolist() == [h[:40].sum(), h[40:].sum()]
        compute.lower_bound(
            d_data=cuox.to_device(np.arange(9, dtype=np.int32)), num_items=9, d_values=b, num_values=n, d_out=b[n:]
        )
        np.testing.assert_array_equal(b[n:].to_host()[:n], h)
        with pytest.raises(ValueError, match="d_histogram lies in the memory of d_samples"):
            compute.histogram_even(d_samples=b, d_histogram=b[n:], num_samples=n + 1, **levels)
        with pytest.raises(ValueError, match="d_out lies in the memory of d_in"):
            compute.select(d_in=b, d_out=b[n:], d_num_selected_out=one, cond=lambda a: a > 3, num_items=n + 1)
        with pytest.raises(ValueError, match="d_out lies in the memory of d_data"):
            compute.lower_bound(d_data=b, num_items=n + 1, d_values=ints(3), num_values=3, d_out=b[n:])
        compute.select(d_in=b, d_out=b[7:], d_num_selected_out=one, cond=lambda a: a > 3, num_items=0)
        assert one.to_host()[0] == 0 and turn < 2
