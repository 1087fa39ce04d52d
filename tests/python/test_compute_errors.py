"""`cuox.cuda.compute` with what does not fit: operators of wrong results, numbers that are none, and functions that are not written in Python."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import cuox
import numpy as np
import pytest

from cuox._internal.kernel_errors import KernelTypeError
from cuox.cuda import compute
from cuox.cuda.compute import PermutationIterator, TransformIterator


@pytest.fixture(autouse=True)
def _current(device: cuox.Device) -> None:
    device.set_current()


FLOATS = np.arange(10, dtype=np.float64)


@pytest.mark.parametrize(
    ("op", "says"),
    [
        (lambda a: (a, a), r"the lambda returns tuple \(float64, float64\) where float64 is needed"),
        (lambda a: None, "the lambda returns None where float64 is needed"),
        (lambda a: a * 1j, "returns complex128 where float64 is needed(.|\n)*take its .real"),
    ],
)
def test_results_of_operators_that_cannot_be_stored(op: Any, says: str) -> None:
    x, out = cuox.to_device(FLOATS), cuox.zeros(10, np.float64)
    with pytest.raises(KernelTypeError, match=says):
        compute.unary_transform(d_in=x, d_out=out, op=op, num_items=10)
    assert not out.to_host().any()


def test_ways_through_operators_without_a_result() -> None:
    def positive(a):
        if a > 0:
            return a

    x, out = cuox.to_device(FLOATS), cuox.zeros(10, np.float64)
    with pytest.raises(KernelTypeError, match=r"positive\(\) has a way to its end without a return, where float64 is needed"):
        compute.unary_transform(d_in=x, d_out=out, op=positive, num_items=10)


def test_structures_and_numbers_are_not_mixed() -> None:
    pair = np.dtype([("a", np.int32), ("b", np.float32)], align=True)
    numbers, pairs = cuox.zeros(4, np.float64), cuox.zeros(4, pair)
    for given, out in ((numbers, pairs), (pairs, numbers)):
        with pytest.raises(KernelTypeError, match="the lambda returns .* is needed"):
            compute.unary_transform(d_in=given, d_out=out, op=lambda a: a, num_items=4)


def test_conditions_are_no_tuples() -> None:
    for call in (lambda: compute.select(FLOATS, lambda a: (a > 1, 1)), lambda: compute.sort(FLOATS, lambda a, b: (a < b, 1))):
        with pytest.raises(KernelTypeError, match="where bool is needed"):
            call()


@pytest.mark.parametrize(
    ("function", "expected"),
    [(operator.add, 48.0), (np.add, 48.0), (max, 9.0), (np.maximum, 9.0), (math.hypot, math.hypot(3, *FLOATS)), (np.hypot, math.hypot(3, *FLOATS))],
)
def test_functions_that_are_not_written_in_python(function: Any, expected: float) -> None:
    assert compute.reduce(FLOATS, 3.0, function) == pytest.approx(expected)


def test_such_functions_of_one_argument_and_in_iterators() -> None:
    np.testing.assert_allclose(compute.transform(math.sqrt, FLOATS), np.sqrt(FLOATS))
    np.testing.assert_array_equal(compute.transform(operator.neg, FLOATS), -FLOATS)
    np.testing.assert_array_equal(compute.transform(np.subtract, FLOATS, FLOATS[::-1].copy()), FLOATS - FLOATS[::-1])
    roots = TransformIterator(cuox.to_device(FLOATS), np.sqrt)
    out = cuox.zeros(1, np.float64)
    compute.reduce_into(d_in=roots, d_out=out, num_items=10, op=operator.add, h_init=np.zeros(1))
    assert out.to_host()[0] == pytest.approx(np.sqrt(FLOATS).sum())
    made = [compute.make_unary_transform(d_in=roots, d_out=out, op=function) for function in (operator.neg, operator.neg, operator.abs)]
    assert made[0] is made[1] is not made[2]


@pytest.mark.parametrize("function", [functools.partial(max, 1), [].append, "add", None, FLOATS])
def test_what_is_no_operator(function: Any) -> None:
    with pytest.raises(TypeError, match="an operator must be a function in Python, one such as max or np.maximum, an OpKind or a CppOp, got"):
        compute.reduce(FLOATS, 0.0, function)


def test_initial_values_that_the_type_does_not_have() -> None:
    counts = np.ones(5, np.int32)
    assert compute.reduce(counts, 1.0, operator.add) == 6
    with pytest.raises(ValueError, match=r"init is 0.5, which is no int32: np.float64\(0.5\) makes the result one of float64"):
        compute.reduce(counts, 0.5, operator.add)
    assert compute.reduce(counts, np.float64(0.5), operator.add) == 5.5
    with pytest.raises(ValueError, match="init is 0.5"):
        compute.scan(counts, operator.add, 0.5)


def test_masks_are_not_lost() -> None:
    with pytest.raises(TypeError, match=r"masked arrays are not supported.*array.compressed\(\)"):
        compute.reduce(np.ma.array([1, 2, 3], mask=[0, 1, 0]), 0, operator.add)
    with pytest.raises(TypeError, match="expected an array of numbers, got ndarray of objects"):
        compute.reduce(np.array([1, None], object), 0, operator.add)


@pytest.mark.parametrize("bounds", [(5.0, 1.0), (5.0, 5.0), (0.0, math.nan), (math.nan, 1.0), (0.0, math.inf)])
def test_bounds_of_histograms(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="the upper level must be greater than the lower one, and their difference finite"):
        compute.histogram(FLOATS, 5, bounds)
    x, out = cuox.to_device(FLOATS), cuox.zeros(5, np.int32)
    made = compute.make_histogram_even(
        d_samples=x, d_histogram=out, h_num_output_levels=np.array([6]), h_lower_level=np.zeros(1), h_upper_level=np.ones(1), num_samples=10
    )
    lower, upper = (np.array([bound]) for bound in bounds)
    with pytest.raises(ValueError, match="the upper level must be greater"):
        made(temp_storage=out, d_samples=x, d_histogram=out, h_num_output_levels=np.array([6]), h_lower_level=lower, h_upper_level=upper, num_samples=10)


def test_arguments_of_histogram() -> None:
    for bounds in ("ab", (1, 2, 3), (0, None), 4):
        with pytest.raises(TypeError, match="histogram: range must be two numbers"):
            compute.histogram(FLOATS, 5, bounds)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="histogram: bins must be 1 or more, got 0"):
        compute.histogram(FLOATS, 0, (0.0, 1.0))


def test_places_are_integers() -> None:
    x, out = cuox.to_device(FLOATS), cuox.zeros(2, np.float64)
    whole, broken = cuox.to_device(np.array([0, 5])), cuox.to_device(np.array([5.0, 10.0]))
    reduce = {"d_in": x, "d_out": out, "num_segments": 2, "op": operator.add, "h_init": np.zeros(1)}
    with pytest.raises(TypeError, match="end_offsets_in must have integers, got float64"):
        compute.segmented_reduce(start_offsets_in=whole, end_offsets_in=broken, **reduce)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="start_offsets_in must have integers, got float64"):
        compute.segmented_sort(d_in_keys=x, d_out_keys=x, num_items=10, num_segments=2, start_offsets_in=broken, end_offsets_in=whole, order=compute.SortOrder.ASCENDING)
    with pytest.raises(TypeError, match="indices must be integers, got float64"):
        PermutationIterator(x, broken)
