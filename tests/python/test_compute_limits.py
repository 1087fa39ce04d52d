"""Values and sizes at the limits of types: levels, initial values, places, items that are large or not aligned, and
arguments that are none.
"""

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.cuda import compute
from cuox.cuda.compute.algorithms import _segmented


@pytest.fixture(autouse=True)
def nothing_is_known():
    compute.clear_all_caches()


def add(a, b):
    return a + b


def last(a, b):
    return b


@pytest.mark.parametrize("spread", [256, 32, -256])
@pytest.mark.parametrize("length", [300, 16384, 17000])
def test_segments_of_large_items(spread, length, monkeypatch):
    # A compiler once stored the initial value in place of the sum.
    if not cuox.Device().is_soft and spread < 0:
        pytest.skip("the text of the software GPU")
    monkeypatch.setattr(_segmented, "_spread", lambda num_segments, stream: spread)
    part = np.dtype([(f"f{k}", np.int64) for k in range(9)], align=True)
    dtype = np.dtype([("p", part), ("q", part)], align=True)
    host = np.zeros(length, dtype)
    host["q"]["f8"] = np.arange(length)
    out, init = cuox.zeros((1,), dtype), np.full(1, -5, np.int64).repeat(18).view(dtype)
    compute.segmented_reduce(
        d_in=cuox.to_device(host),
        d_out=out,
        num_segments=1,
        start_offsets_in=cuox.to_device(np.array([0])),
        end_offsets_in=cuox.to_device(np.array([length])),
        op=last,
        h_init=init,
    )
    assert out.to_host()[0]["q"]["f8"] == length - 1


def test_segments_that_end_far_before_they_begin():
    out = cuox.zeros((1,), np.int64)
    for begin in (5, 2**31 + 5, 2**32 + 7, 2**62):
        compute.segmented_reduce(
            d_in=compute.CountingIterator(np.int64(0)), d_out=out, num_segments=1, start_offsets_in=cuox.to_device(np.array([begin])), end_offsets_in=cuox.to_device(np.array([3])), op=add,
            h_init=np.array([7]),
        )  # fmt: skip
        assert out.to_host()[0] == 7


def test_structures_that_are_aligned_by_chance():
    fields = [("re", np.float32), ("im", np.float32)]
    for dtype in (
        np.dtype(fields),
        np.dtype(fields, align=True),
        compute.gpu_struct({"re": np.float32, "im": np.float32}).dtype,
        np.dtype(fields),
    ):
        assert compute.reduce(np.ones(10, dtype), (2.0, 3.0), lambda a, b: a).item() == (2.0, 3.0)
    placed = np.dtype({"names": ["a", "b"], "formats": ["f4", "f8"], "offsets": [0, 8], "itemsize": 16})
    values = np.zeros(4, placed)
    values["b"] = [3, 2, 1, 0]
    keys, moved = compute.sort(np.array([4, 1, 3, 2]), lambda a, b: a < b, values=values)
    assert keys.tolist() == [1, 2, 3, 4] and moved["b"].tolist() == [2, 0, 1, 3]
    with pytest.raises(TypeError, match="must be aligned"):
        compute.reduce(np.zeros(3, np.dtype([("a", np.int8), ("b", np.float64)])), (0, 0.0), last)


def test_bins_that_are_narrower_than_numbers_have_inverses():
    samples = (np.arange(1000) + 0.5) * 1e-308
    found = compute.histogram(samples, 1000, (0.0, 1e-305))
    assert found.sum() == 1000 and found.max() <= 2
    assert compute.histogram(samples, 1, (0.0, 1e-305)).tolist() == [1000]


def test_integers_are_compared_as_they_are():
    # Two kernels, each of which takes more than a second to compile.
    for dtype in exhaustive.rounds((np.uint64,), (np.uint64, np.int64)):
        assert compute.histogram(np.array([2**53 + 1], dtype), 2, (2**53, 2**53 + 2)).tolist() == [0, 1]
    bins = cuox.zeros((2,), np.int32)
    samples = cuox.to_device(np.array([2**53 + 1], np.uint64))
    compute.histogram_even(
        d_samples=samples,
        d_histogram=bins,
        num_output_levels=3,
        lower_level=2**53,
        upper_level=2**53 + 2,
        num_samples=1,
    )
    assert bins.to_host().tolist() == [0, 1]
    assert compute.histogram(np.array([0, 1, 200, 255], np.uint8), 2, (0, 256)).tolist() == [2, 2]
    assert compute.histogram(np.array([-128, 127], np.int8), 2, (-1000, 1000)).tolist() == [1, 1]
    assert compute.histogram(np.array([2**64 - 1], np.uint64), 2, (0, 2**64 - 1)).tolist() == [0, 0]


def test_levels_that_are_none():
    x, bins = cuox.to_device(np.arange(3.0)), cuox.to_device(np.array([7, 7], np.int32))
    for level, error in (("a", TypeError), (1j, TypeError), (np.zeros(2), ValueError)):
        with pytest.raises(error, match="level"):
            compute.histogram_even(
                d_samples=x, d_histogram=bins, num_output_levels=3, lower_level=level, upper_level=1.0, num_samples=3
            )
    # Nothing is counted, or cleared, if an argument is wrong.
    with pytest.raises(ValueError, match="4 items were asked for"):
        compute.histogram_even(
            d_samples=x, d_histogram=bins, num_output_levels=3, lower_level=0.0, upper_level=1.0, num_samples=4
        )
    assert bins.to_host().tolist() == [7, 7]


def test_places_that_the_results_cannot_hold():
    data, values = compute.CountingIterator(np.int64(0)), cuox.to_device(np.array([7]))
    for dtype, most in ((np.int32, 2**31 - 1), (np.uint32, 2**32 - 1)):
        out = cuox.zeros((1,), dtype)
        for count in (most, most, most):
            compute.lower_bound(d_data=data, num_items=count, d_values=values, num_values=1, d_out=out)
            assert out.to_host()[0] == 7
            with pytest.raises(
                ValueError,
                match=f"num_items: {most + 1} items were asked for, but there are no more than {most} places in d_out",
            ):
                compute.lower_bound(d_data=data, num_items=most + 1, d_values=values, num_values=1, d_out=out)


def test_initial_values_that_a_type_does_not_have():
    for array, init in (
        (np.array([True]), 2), (np.array([True]), 1j), (np.arange(3), float("nan")), (np.arange(3), 2**63), (np.arange(3), 1e300), (np.arange(3), 1j), (np.arange(3.0), 1j),
        (np.arange(3.0), 10**400),
    ):  # fmt: skip
        for _ in range(2):
            with pytest.raises(ValueError, match=f"init is .*, which is no {array.dtype}"):
                compute.reduce(array, init, add)
    assert compute.reduce(np.array([True]), 0, lambda a, b: a) == False  # noqa: E712
    assert compute.reduce(np.arange(3), 3.0, add) == 6


def test_masked_values_are_refused_at_every_call():
    x, out, masked = cuox.to_device(np.arange(3.0)), cuox.empty((3,), np.float64), np.ma.array([5.0], mask=[True])
    for _ in range(3):
        with pytest.raises(TypeError, match="[Mm]ask"):
            compute.reduce_into(d_in=x, d_out=out[:1], num_items=3, op=add, h_init=masked)
        with pytest.raises(TypeError, match="[Mm]ask"):
            compute.exclusive_scan(d_in=x, d_out=out, num_items=3, op=add, init_value=masked)
        compute.reduce_into(d_in=x, d_out=out[:1], num_items=3, op=add, h_init=np.zeros(1))
    with pytest.raises(TypeError, match="a constant must not be a masked array"):
        compute.ConstantIterator(masked)


class ReadOnly:
    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__ | {"data": (self.array.ptr, True)}


def test_outputs_that_may_only_be_read():
    x, one, read_only = (
        cuox.to_device(np.arange(3.0)),
        cuox.empty((3,), np.float64),
        ReadOnly(cuox.zeros((3,), np.float64)),
    )
    number = ReadOnly(cuox.zeros((1,), np.int64))
    for out in (read_only, one, read_only):
        for _ in range(3):
            if out is one:
                compute.unary_transform(d_in=x, d_out=out, op=lambda a: a, num_items=3)
                continue
            with pytest.raises(ValueError, match="^d_out is read-only"):
                compute.unary_transform(d_in=x, d_out=out, op=lambda a: a, num_items=3)
            with pytest.raises(ValueError, match="^d_out_keys is read-only"):
                compute.merge_sort(d_in_keys=x, d_out_keys=out, num_items=3, op=lambda a, b: a < b)
            with pytest.raises(ValueError, match="^d_num_selected_out is read-only"):
                compute.select(d_in=x, d_out=one, d_num_selected_out=number, cond=lambda a: a > 1, num_items=3)


def test_arguments_that_are_missing_or_of_another_kind():
    x = cuox.to_device(np.arange(3.0))
    for call in (
        lambda: compute.select(x),
        lambda: compute.select(),
        lambda: compute.select(d_in=x, d_out=x, num_items=3),
    ):
        with pytest.raises(TypeError, match=r"select\(\) is missing the condition"):
            call()
    for algorithm in (compute.adjacent_difference, compute.reduce_by_key, compute.run_length_encode):
        with pytest.raises(TypeError, match=r"\(\) takes .* by name"):
            algorithm()
    with pytest.raises(TypeError, match="not both"):
        compute.adjacent_difference(np.arange(3), d_out=x)
    with pytest.raises(TypeError, match="num_items must be an integer, got float"):
        compute.reduce_into(d_in=x, d_out=x, num_items=3.0, op=add, h_init=np.zeros(1))
    with pytest.raises(TypeError, match="from init_value"):
        compute.inclusive_scan(d_in=x, d_out=x, num_items=3, op=add, init_value="a")
    with pytest.raises(ValueError, match="init_value is a number of more than 64 bits"):
        compute.inclusive_scan(d_in=x, d_out=x, num_items=3, op=add, init_value=10**30)


def test_items_that_do_not_fit_in_shared_memory():
    part = np.dtype([(f"f{k}", np.float64) for k in range(12)], align=True)
    large = cuox.zeros((3,), np.dtype([(f"p{k}", part) for k in range(11)], align=True))
    with pytest.raises(ValueError, match="items of 1056 bytes cannot be scanned, only of up to 1024"):
        compute.inclusive_scan(d_in=large, d_out=large, num_items=3, op=last)
    with pytest.raises(ValueError, match="adjacent_difference: items of 1056 bytes cannot be overwritten"):
        compute.adjacent_difference(d_in=large, d_out=large, num_items=3, op=last)
