"""`cuox.cuda.compute` with what does not fit: operators of wrong results, numbers that are none, and functions that are
not written in Python.
"""

from __future__ import annotations

import functools
import importlib
import math
import operator
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox._internal.kernel_errors import GeneratedCodeError, KernelTypeError
from cuox.cuda import compute
from cuox.cuda.compute import (
    CacheModifiedInputIterator,
    ConstantIterator,
    CountingIterator,
    CppOp,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    TransformIterator,
    ZipIterator,
    gpu_struct,
)


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
    with pytest.raises(
        KernelTypeError, match=r"positive\(\) has a way to its end without a return, where float64 is needed"
    ):
        compute.unary_transform(d_in=x, d_out=out, op=positive, num_items=10)


def test_structures_and_numbers_are_not_mixed() -> None:
    pair = np.dtype([("a", np.int32), ("b", np.float32)], align=True)
    numbers, pairs = cuox.zeros(4, np.float64), cuox.zeros(4, pair)
    for given, out in ((numbers, pairs), (pairs, numbers)):
        with pytest.raises(KernelTypeError, match="the lambda returns .* is needed"):
            compute.unary_transform(d_in=given, d_out=out, op=lambda a: a, num_items=4)


def test_conditions_are_no_tuples() -> None:
    for call in (
        lambda: compute.select(FLOATS, lambda a: (a > 1, 1)),
        lambda: compute.sort(FLOATS, lambda a, b: (a < b, 1)),
    ):
        with pytest.raises(KernelTypeError, match="where bool is needed"):
            call()


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (operator.add, 48.0),
        (np.add, 48.0),
        (max, 9.0),
        (np.maximum, 9.0),
        (math.hypot, math.hypot(3, *FLOATS)),
        (np.hypot, math.hypot(3, *FLOATS)),
    ],
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
    made = [
        compute.make_unary_transform(d_in=roots, d_out=out, op=function)
        for function in (operator.neg, operator.neg, operator.abs)
    ]
    assert made[0] is made[1] is not made[2]


@pytest.mark.parametrize("function", [functools.partial(max, 1), [].append, "add", None, FLOATS])
def test_what_is_no_operator(function: Any) -> None:
    with pytest.raises(
        TypeError,
        match="an operator must be a function in Python, one such as max or np.maximum, an OpKind or a CppOp, got",
    ):
        compute.reduce(FLOATS, 0.0, function)


def test_initial_values_that_the_type_does_not_have() -> None:
    counts = np.ones(5, np.int32)
    assert compute.reduce(counts, 1.0, operator.add) == 6
    with pytest.raises(
        ValueError, match=r"init is 0.5, which is no int32: np.float64\(0.5\) makes the result one of float64"
    ):
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
    with pytest.raises(
        ValueError, match="the upper level must be greater than the lower one, and their difference finite"
    ):
        compute.histogram(FLOATS, 5, bounds)
    x, out = cuox.to_device(FLOATS), cuox.zeros(5, np.int32)
    made = compute.make_histogram_even(
        d_samples=x,
        d_histogram=out,
        h_num_output_levels=np.array([6]),
        h_lower_level=np.zeros(1),
        h_upper_level=np.ones(1),
        num_samples=10,
    )
    lower, upper = (np.array([bound]) for bound in bounds)
    with pytest.raises(ValueError, match="the upper level must be greater"):
        made(
            temp_storage=out,
            d_samples=x,
            d_histogram=out,
            h_num_output_levels=np.array([6]),
            h_lower_level=lower,
            h_upper_level=upper,
            num_samples=10,
        )


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
        compute.segmented_sort(
            d_in_keys=x,
            d_out_keys=x,
            num_items=10,
            num_segments=2,
            start_offsets_in=broken,
            end_offsets_in=whole,
            order=compute.SortOrder.ASCENDING,
        )
    with pytest.raises(TypeError, match="indices must be integers, got float64"):
        PermutationIterator(x, broken)


def test_iterators_have_ends() -> None:
    x, out = cuox.to_device(np.arange(10)), cuox.zeros(1, np.int64)

    def total(given: Any, count: int) -> int:
        compute.reduce_into(d_in=given, d_out=out, num_items=count, op=operator.add, h_init=np.zeros(1, np.int64))
        return int(out.to_host()[0])

    back, shuffled, doubled = ReverseIterator(x), ShuffleIterator(5), TransformIterator(x, lambda a: 2 * a)
    for given, most, expected in (
        (back, 10, 45),
        (back + 3, 7, 21),
        (ReverseIterator(back + 3), 4, 30),
        (ReverseIterator(ReverseIterator(x) + 9), 10, 45),
        (shuffled, 5, 10),
        (doubled, 10, 90),
        (ZipIterator(doubled, back), 10, None),
        (CacheModifiedInputIterator(x), 10, 45),
        (PermutationIterator(x, x), 10, 45),
    ):
        for count in (1, most + 1, most, most + 1):
            used = given if expected is not None else TransformIterator(given, lambda pair: pair[0])
            if count <= most:
                assert total(used, count) == (expected if count == most else total(used, 1)) or expected is None
                continue
            with pytest.raises(ValueError, match=f"{most + 1} items were asked for, of an iterator that has {most}"):
                total(used, count)
    room = cuox.zeros(12, np.int64)
    with pytest.raises(ValueError, match="10 items were asked for, of an iterator that has 4"):
        compute.unary_transform(d_in=x, d_out=ReverseIterator(room[8:12]), op=lambda a: a, num_items=10)
    assert not room.to_host().any()
    with pytest.raises(ValueError, match="d_in: 11 items were asked for, of an array that has 10"):
        total(x, 11)


def test_iterators_begin_elsewhere() -> None:
    def numbers(given: Any, dtype: Any) -> list[Any]:
        out = cuox.zeros(3, dtype)
        compute.unary_transform(d_in=given, d_out=out, op=lambda a: a, num_items=3)
        return list(out.to_host())

    assert numbers(CountingIterator(np.float16(1.5)) + 2, np.float16) == [3.5, 4.5, 5.5]
    assert numbers(CountingIterator(np.int8(0)) + 300, np.int8) == [44, 45, 46]
    assert numbers(ReverseIterator(CountingIterator(np.uint32(10))) + 1, np.uint32) == [9, 8, 7]
    pair = gpu_struct({"a": np.int32, "b": np.float64}, name="Pair")
    sums = TransformIterator(ConstantIterator(pair(1, 2.5)), lambda p: p.a + p.b)
    assert numbers(sums, np.float64) == [3.5, 3.5, 3.5]
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        CountingIterator(np.int32(0)) + 1.5  # type: ignore[operator]
    with pytest.raises(TypeError, match="start must be an integer or a float, got bool"):
        CountingIterator(np.True_)


def test_values_are_searched_as_they_are() -> None:
    def found(search: Any, data: Any, values: Any, comp: Any = None) -> list[int]:
        out = cuox.zeros(len(values), np.int64)
        search(
            d_data=cuox.to_device(data),
            num_items=len(data),
            d_values=cuox.to_device(values),
            num_values=len(values),
            d_out=out,
            comp=comp,
        )
        return list(out.to_host())

    data = np.array([1, 2, 3])
    for search, side in ((compute.lower_bound, "left"), (compute.upper_bound, "right")):
        for values in (np.array([2.5, 1.5, 2.0, 9.0]), np.array([-1, 2, 300], np.int16)):
            assert found(search, data, values) == np.searchsorted(data, values, side).tolist()
            assert found(search, data.astype(np.uint8), values) == np.searchsorted(data, values, side).tolist()
    assert found(compute.lower_bound, data[::-1].copy(), np.array([2.5, 1.5]), lambda a, b: a > b) == [1, 2]


def test_outputs_that_overlap_inputs() -> None:
    x = cuox.to_device(np.arange(10))
    for _ in range(2):
        compute.unary_transform(d_in=x[:5], d_out=x[5:], op=lambda a: a, num_items=5)
        for given, out in ((x[:9], x[1:]), (x[1:], x[:9])):
            with pytest.raises(ValueError, match="d_out lies in the memory of d_in: it may be the same array"):
                compute.unary_transform(d_in=given, d_out=out, op=lambda a: a, num_items=9)
            with pytest.raises(ValueError, match="d_out lies in the memory of d_in"):
                compute.inclusive_scan(d_in=given, d_out=out, op=operator.add, init_value=None, num_items=9)
        with pytest.raises(ValueError, match="d_out lies in the memory of d_in2"):
            compute.binary_transform(d_in1=x, d_in2=x[1:], d_out=x, op=operator.add, num_items=9)
        compute.binary_transform(d_in1=x, d_in2=x, d_out=x, op=operator.sub, num_items=10)
        assert not x.to_host().any()


def test_orders_of_arrays_and_empty_initial_values() -> None:
    with pytest.raises(
        ValueError, match="items are in Fortran's order: array.copy.'C'. has them in the order of its indices"
    ):
        compute.scan(cuox.to_device(np.arange(6).reshape(2, 3)).T, operator.add)
    x = cuox.to_device(np.arange(6).reshape(2, 3))
    assert compute.reduce(x.T.copy("C"), 0, operator.add) == 15
    with pytest.raises(ValueError, match="init_value is an array without items"):
        compute.inclusive_scan(d_in=x, d_out=x, op=operator.add, init_value=cuox.zeros(0, np.int64), num_items=6)
    with pytest.raises(TypeError, match="init must be a number such as the elements of int64, got str"):
        compute.reduce(x, "5", operator.add)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_nan_is_the_greatest(dtype: Any) -> None:
    x = np.array([math.nan, -1, 1, -math.inf, math.inf, math.nan], dtype)
    x[0] = -x[0]
    assert np.signbit(x[0]) != np.signbit(x[5])
    np.testing.assert_array_equal(compute.sort(x), np.sort(x))
    keys, places = compute.sort(x, values=np.arange(6), descending=True)
    np.testing.assert_array_equal(keys, np.sort(x)[::-1])
    assert places.tolist() == [0, 5, 4, 2, 1, 3]
    assert np.signbit(x[0]) != np.signbit(x[5])


def test_streams_of_other_libraries() -> None:
    class Foreign:
        def __init__(self) -> None:
            self.stream = cuox.Device().create_stream()

        def __cuda_stream__(self) -> tuple[int, int]:
            return self.stream.__cuda_stream__()

    stream, x = Foreign(), np.array([3.0, 1.0, 2.0])
    assert compute.reduce(x, 0.0, operator.add, stream=stream) == 6
    assert compute.sort(x, stream=stream).tolist() == [1, 2, 3]
    assert compute.scan(x, operator.add, stream=stream).tolist() == [3, 4, 6]
    assert compute.transform(operator.neg, x, stream=stream).tolist() == [-3, -1, -2]
    assert compute.select(x, lambda a: a > 1, stream=stream).tolist() == [3, 2]
    assert compute.histogram(x, 3, (0, 4), stream=stream).tolist() == [1, 1, 1]


def test_kinds_of_counts() -> None:
    x = cuox.to_device(FLOATS)
    with pytest.raises(TypeError, match="d_num_selected_out must be an array of integers of 32 or 64 bits, got int8"):
        compute.select(d_in=x, d_out=x, d_num_selected_out=cuox.zeros(1, np.int8), cond=lambda a: a > 0, num_items=10)
    for samples, levels in ((x, 3.5), (cuox.to_device(FLOATS + 1j), 3)):
        with pytest.raises(
            TypeError,
            match="cannot be interpreted as an integer|samples and levels must be integers or floats, got complex128",
        ):
            compute.histogram_even(
                d_samples=samples,
                d_histogram=cuox.zeros(4, np.int32),
                num_output_levels=levels,
                lower_level=np.float64(0),
                upper_level=np.float64(1),
                num_samples=10,  # type: ignore[arg-type]
            )


def test_messages_name_lines_of_cuda_cxx() -> None:
    with pytest.raises(cuox.CompileError, match=r'CppOp f\(3\): error: identifier "unknown" is undefined'):
        compute.reduce(
            FLOATS, 0.0, CppOp("__device__ double f(double a, double b)\n{\n    return a + unknown;\n}\n", "f")
        )


def test_literals_are_shifted_as_ints() -> None:
    places = np.array([0, 10, 31, 32, 40, 62])
    np.testing.assert_array_equal(compute.transform(lambda a: 1 << a, places), 1 << places)
    np.testing.assert_array_equal(compute.transform(lambda a: 5 | True << a, places), 5 | 1 << places)
    np.testing.assert_array_equal(compute.transform(lambda a: -256 >> a, places), -256 >> places)
    np.testing.assert_array_equal(compute.transform(lambda a: ~(1 << 40) + a, places), ~(1 << 40) + places)


def test_structures_have_the_types_of_their_fields() -> None:
    pair = gpu_struct({"x": np.int32, "y": np.float64}, name="Pair")
    assert compute.transform(lambda v: pair(v, 0).x, np.array([2.7, -2.7])).tolist() == [2, -2]
    made = compute.transform(lambda v: pair(v, v), np.arange(3.0))
    assert made.dtype == pair.dtype and made["x"].tolist() == [0, 1, 2]
    out, tenths = cuox.empty((1,), pair.dtype), cuox.to_device(np.full(10, 1.5))
    compute.reduce_into(
        d_in=TransformIterator(tenths, lambda v: pair(v, v)),
        d_out=out,
        num_items=10,
        op=lambda a, b: pair(a.x + b.x, a.y + b.y),
        h_init=pair(0, 0.0),
    )
    assert out.to_host()[0].tolist() == (10, 15.0)
    with pytest.raises(KernelTypeError, match="expected"):
        compute.transform(lambda v: pair(v, v).x, np.ones(3, np.complex64))


def test_one_initial_value_and_equal_buffers() -> None:
    x, out = cuox.to_device(np.arange(10)), cuox.zeros(1, np.int64)
    for count in (0, 2):
        with pytest.raises(ValueError, match=f"an initial value is an array of one item, got {count}"):
            compute.reduce_into(d_in=x, d_out=out, num_items=10, op=operator.add, h_init=np.zeros(count, np.int64))
    with pytest.raises(ValueError, match="7 is not a valid Determinism"):
        compute.reduce_into(
            d_in=x, d_out=out, num_items=10, op=operator.add, h_init=np.zeros(1, np.int64), determinism=7
        )  # type: ignore[arg-type]
    buffer = compute.DoubleBuffer(cuox.zeros(4, np.uint32), cuox.zeros(4, np.uint16))
    with pytest.raises(TypeError, match="the arrays of a DoubleBuffer must have the same type, got uint32 and uint16"):
        compute.radix_sort(d_in_keys=buffer, num_items=4, order=compute.SortOrder.ASCENDING)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        compute.radix_sort(d_in_keys=x, d_out_keys=x, num_items=4, order=compute.SortOrder.ASCENDING, begin_bit=0.5)  # type: ignore[arg-type]
    for wrong in (None, 2**64):
        with pytest.raises(
            TypeError, match="expected a number or a structure, got (NoneType|int of more than 64 bits)"
        ):
            CountingIterator(wrong)
    with pytest.raises(ValueError, match="moves by less than"):
        CountingIterator(np.int32(0)) + 2**65


def test_bits_of_reductions_do_not_hang_on_threads() -> None:
    text = """
import numpy as np
from cuox.cuda import compute
x = np.random.default_rng(0).random(200_000, np.float32)
print(compute.reduce(x, 0.0, compute.OpKind.PLUS).tobytes().hex())
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", text],
            env=os.environ | {"CUOX_SOFT_THREADS": count},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for count in ("1", "2", "3", "8")
    }
    assert len(found) == 1


class Damaged:
    """What an operator was translated into, with a text that no compiler takes."""

    def __init__(self, translated: Any) -> None:
        self._translated = translated
        self.source = translated.source + '\n#line 7 "program.py"\nint wrong = nothing;\n'

    def __getattr__(self, name: str) -> Any:
        return getattr(self._translated, name)


OF_REFUSED = {
    "reduce": lambda refused: compute.reduce(FLOATS, 0.0, refused),
    "scan": lambda refused: compute.scan(FLOATS, refused),
    "sort": lambda refused: compute.sort(FLOATS, refused),
    "unary_transform": lambda refused: compute.transform(refused, FLOATS),
}


@pytest.mark.parametrize("algorithm", OF_REFUSED)
def test_text_of_an_operator_that_the_compiler_refuses(algorithm: str, monkeypatch: Any, tmp_path: Path) -> None:
    module = importlib.import_module("cuox.cuda.compute._operators")
    translate = module._translate
    monkeypatch.setattr(module, "_translate", lambda *args, **named: Damaged(translate(*args, **named)))
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path))

    def refused(a: Any, b: Any = 41.0) -> Any:
        return a + b * 7.25 < 3

    def combined(a: Any, b: Any) -> Any:
        return a + b * 7.25

    function = refused if algorithm in ("sort", "unary_transform") else combined
    with pytest.raises(GeneratedCodeError, match=rf"{function.__name__}\(\): .* error in cuox") as caught:
        OF_REFUSED[algorithm](function)
    assert (caught.value.filename, caught.value.lineno) == ("program.py", 7)
    assert caught.value.source is not None
    assert "int wrong = nothing;" in caught.value.source.read_text()
    assert "__global__" in caught.value.source.read_text()
