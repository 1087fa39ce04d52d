"""Ranges and slices as values, tuples put into slices, arrays unpacked, and checks in debug mode."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from cuox._internal.kernel_errors import KernelTypeError
from cuox.numba import cuda


def count(r):
    total = 0
    for i in r:
        total += i
    return total


def a_range_as_an_argument(o, x, n):
    o[0] = count(range(n)) + count(range(n, 0, -1))


def a_range_on_two_ways(o, x, n):
    r = range(3)
    if n > 2:
        r = range(1, 9, 2)
    for i in r:
        o[0] = o[0] * 10 + i


def a_range_that_a_loop_changes(o, x, n):
    r = range(2)
    for j in range(3):
        for i in r:
            r = range(i + 2)
            o[0] += 1
        o[1] = o[1] * 10 + len(r)


def a_slice_on_two_ways(o, x, n):
    s = slice(0, 3, 1)
    if n > 2:
        s = slice(n - 4, n, 2)
    o[0] = o[s].size
    t = slice(None, 2)
    for i in range(n):
        t = slice(None, i)
        o[t] = i
    o[5] = s.stop


def parts_of_a_range(o, x, n):
    r = range(1, n, 2)
    n = 50
    o[0] = r.start * 100 + r.stop * 10 + r.step
    o[1] = len(r)
    o[2] = 1 if 3 in r else 0
    o[3] = 1 if 2 in r else 0
    s = slice(n, 60)
    n = 0
    o[4] = s.start + s.stop


def tuples_into_slices(o, x, n):
    o[:2] = (1.5, 2)
    o[2:] = (n, n + 1, 3, 4)
    x[:] = (1, 2)


def unpacked(o, x, n):
    a, b = x[:, 0]
    c, d = x[0]
    p, q = x
    o[0] = a + 10 * b + 100 * c + 1000 * d
    o[1] = p[1] + q[1]


@pytest.mark.parametrize(
    "function",
    [
        a_range_as_an_argument,
        a_range_on_two_ways,
        a_range_that_a_loop_changes,
        a_slice_on_two_ways,
        parts_of_a_range,
        tuples_into_slices,
        unpacked,
    ],
    ids=lambda function: function.__name__,
)
@pytest.mark.parametrize("n", [2, 5])
def test_as_in_python(function: Any, n: int) -> None:
    x, expected = np.arange(4.0).reshape(2, 2) + 1, np.zeros(6)
    out, own = cuda.to_device(expected), cuda.to_device(x)
    cuda.jit(function)[1, 1](out, own, n)
    function(expected, x, n)
    assert out.copy_to_host().tolist() == expected.tolist()
    assert own.copy_to_host().tolist() == x.tolist()


def a_range(x, o, n):
    for i in range(0, 5, n):
        o[0] += 1


def a_slice(x, o, n):
    o[0] = x[::n].size


def a_shape(x, o, n):
    o[0] = x.reshape(n + 3, 2)[0, 0]


def the_greatest(x, o, n):
    o[0] = x[0:n].max()


def three_of_four(x, o, n):
    a, b, c = x
    o[0] = a + b + c


@pytest.mark.parametrize("function", [a_range, a_slice, a_shape, the_greatest, three_of_four], ids=lambda f: f.__name__)
def test_debug_mode_finds(function: Any) -> None:
    x, o = cuda.to_device(np.arange(4.0)), cuda.to_device(np.zeros(1))
    with pytest.raises(ValueError):
        cuda.jit(function, debug=True)[1, 1](x, o, 0)


def test_a_complex_field() -> None:
    @cuda.jit
    def kernel(r, o):
        o[0] = r[0].q.imag + r[1]["q"].real * 10 + np.imag(r[0].q) * 100

    records = np.zeros(2, np.dtype([("q", np.complex128), ("a", np.float64)], align=True))
    records["q"] = 1 + 2j
    o = cuda.to_device(np.zeros(1))
    kernel[1, 1](cuda.to_device(records), o)
    assert o.copy_to_host()[0] == 212


def test_an_array_field_that_is_not_aligned() -> None:
    @cuda.jit
    def kernel(r, o):
        o[0] = r[0].b[1]

    records = np.zeros(2, np.dtype([("a", np.float32), ("b", np.int64, (2,))]))
    with pytest.raises(Exception, match="not aligned"):
        kernel[1, 1](cuda.to_device(records), cuda.to_device(np.zeros(1)))


def test_halves() -> None:
    def kernel(o, x):
        o[0] = x.sum()
        o[1] = x.mean()
        o[2] = x[0] // x[1]
        o[3] = x[0] % x[1]
        o[4] = np.sign(x[2])
        q, r = divmod(x[1], x[0])
        o[5] = q * 10 + r

    x = np.array([3.5, -2.25, -0.5], np.float16)
    expected, out = np.zeros(6), cuda.to_device(np.zeros(6))
    kernel(expected, x)
    cuda.jit(kernel)[1, 1](out, cuda.to_device(x))
    np.testing.assert_allclose(out.copy_to_host(), expected, rtol=1e-3)


def test_a_kernel_with_the_name_of_a_c_function() -> None:
    @cuda.jit
    def remainder(o):
        o[0] = 5

    o = cuda.to_device(np.zeros(1))
    remainder[1, 1](o)
    assert o.copy_to_host()[0] == 5


class Fruit(enum.Enum):
    APPLE = 3
    PEAR = 4


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


def members(o, fruit, when):
    o[0] = fruit.value + 10 * Fruit.APPLE.value + 100 * Size.LARGE.value
    o[1] = 1 if fruit is Fruit.PEAR else 0
    o[2] = 1 if fruit is not Fruit.APPLE else 0
    o[3] = 1 if Size.SMALL is Size.LARGE else 0
    o[4] = 1 if Size.LARGE is Size.LARGE else 0


ENDS = slice(-2, None)
PAIRS = (slice(0, 2), slice(1, 4, 2))
TURNS = range(5, 0, -2)


def last(x, part):
    y = x[part]
    return y[-1]


def slices_and_ranges_of_the_program(o, fruit, when):
    o[ENDS] = 7
    o[PAIRS[0]] = 1
    o[PAIRS[1]] = 2
    o[3] += last(o, PAIRS[0]) + last(o, slice(0, 4))
    for i in TURNS:
        o[4] = o[4] * 10 + i
    o[5] += ENDS.start + PAIRS[1].step + len(TURNS)


NUMBER = np.dtype(np.uint16)


def kinds_of_types(o, fruit, when):
    o[0] = 1 if NUMBER.kind == "u" else 0
    o[1] = 1 if o.dtype.kind in ("f", "c") else 0
    o[2] = 1 if when.dtype.kind == "M" else 0


def times_that_are_none(o, fruit, when):
    for i in range(when.size):
        o[i] = 1 if np.isnat(when[i]) else 2


@pytest.mark.parametrize(
    "function",
    [members, slices_and_ranges_of_the_program, kinds_of_types, times_that_are_none],
    ids=lambda function: function.__name__,
)
def test_names_of_the_program(function: Any) -> None:
    when, expected = np.array(["NaT", "2001-02-03"], "M8[s]"), np.zeros(6)
    out = cuda.to_device(expected)
    cuda.jit(function)[1, 1](out, Fruit.PEAR, cuda.to_device(when))
    function(expected, Fruit.PEAR, when)
    assert out.copy_to_host().tolist() == expected.tolist()


NUMBER_OF_64_BITS = 2.5


def test_what_is_not_compared_by_identity() -> None:
    @cuda.jit
    def kernel(o, x):
        o[0] = 1 if x is NUMBER_OF_64_BITS else 0

    with pytest.raises(KernelTypeError, match="is compares with None or numbers of one type only"):
        kernel[1, 1](cuda.to_device(np.zeros(1)), np.float32(2.5))


@pytest.mark.parametrize(
    "step", [(slice(None, None, 2),), (slice(1, None), slice(None, None)), (slice(None, None, -1),)]
)
@pytest.mark.parametrize("to", [np.int16, np.int64])
def test_views_of_rows_with_gaps_between(step: Any, to: Any) -> None:
    first = np.arange(16, dtype=np.int32).reshape(4, 4)[step]

    @cuda.jit
    def kernel(x, o):
        v = x.view(to)
        for i in range(v.shape[0]):
            for j in range(v.shape[1]):
                o[i, j] = v[i, j]
                v[i, j] = 5

    x = cuda.to_device(np.arange(16, dtype=np.int32).reshape(4, 4))
    expected = first.view(to)
    o = cuda.to_device(np.zeros(expected.shape, to))
    kernel[1, 1](x[step], o)
    assert o.copy_to_host().tolist() == expected.tolist()
    expected[:] = 5
    assert x.copy_to_host().tolist() == first.base.reshape(4, 4).tolist()


def test_a_view_of_elements_with_gaps() -> None:
    @cuda.jit(debug=True)
    def kernel(x, o):
        o[0] = x[:, ::2].view(np.int16).shape[1]

    with pytest.raises(ValueError, match="last axis"):
        kernel[1, 1](cuda.to_device(np.zeros((2, 4), np.int32)), cuda.to_device(np.zeros(1)))


def ranges_in_targets(o, x, n):
    a, b, c = range(n, n + 3)
    o[0] = a * 100 + b * 10 + c
    (i, p), (j, q) = enumerate(x[:2])
    o[1] = i * 1000 + j * 100 + p * 10 + q
    (p, q), (r, s) = zip(x[:2], range(2))
    o[2] = p * 1000 + q * 100 + r * 10 + s
    p, q = reversed(x[:2])
    o[3] = p * 10 + q
    e = enumerate(x[:2], n)
    (i, p), (j, q) = e
    o[4] = i * 10 + j
    for i, p in e:
        o[4] = -1
    o[5] = sum(range(n)) + sum(range(9, 0, -n), 100)


def starred_targets(o, x, n):
    a, *b = n, 2, 3
    o[0] = a * 100 + b[0] * 10 + b[1]
    *b, a = (n, 5)
    o[1] = a * 10 + len(b)
    a, *b, c = n, 7
    o[2] = a * 10 + c + len(b)


def bounds_of_slices(o, x, n):
    start, stop, step = slice(n - 1, None, 2).indices(x.size)
    o[0] = start * 100 + stop * 10 + step
    start, stop, step = slice(None, None, -1).indices(n)
    o[1] = start * 100 + stop * 10 + step
    for i in range(*slice(-n, 50).indices(x.size)):
        o[2] = o[2] * 10 + i


@pytest.mark.parametrize(
    "function", [ranges_in_targets, starred_targets, bounds_of_slices], ids=lambda function: function.__name__
)
def test_targets(function: Any) -> None:
    x, expected = np.arange(5.0) + 1, np.zeros(6)
    out = cuda.to_device(expected)
    cuda.jit(function)[1, 1](out, cuda.to_device(x), 3)
    function(expected, x, 3)
    assert out.copy_to_host().tolist() == expected.tolist()


def test_ranges_of_another_length_than_their_targets() -> None:
    @cuda.jit(debug=True)
    def kernel(o, n):
        a, b = range(n)
        o[0] = a + b

    kernel[1, 1](cuda.to_device(np.zeros(1)), 2)
    with pytest.raises(ValueError, match="expected 2 values to unpack"):
        kernel[1, 1](cuda.to_device(np.zeros(1)), 3)


def test_a_starred_target_of_an_array() -> None:
    @cuda.jit
    def kernel(o):
        a, *b = o
        o[0] = a

    with pytest.raises(KernelTypeError, match="a starred target takes the items of a tuple only"):
        kernel[1, 1](cuda.to_device(np.zeros(3)))


def test_arguments_of_slice() -> None:
    @cuda.jit
    def kernel(o):
        o[slice(0, 1, 1, 1)] = 1

    with pytest.raises(KernelTypeError, match=r"slice\(\) takes 1 to 3 arguments, 4 given"):
        kernel[1, 1](cuda.to_device(np.zeros(1)))


def test_a_tuple_of_another_length_than_its_slice() -> None:
    """Checked without `debug` too: what lies behind a tuple is no data of anybody's. An item for all is repeated."""

    @cuda.jit
    def kernel(o, first, end):
        pair = (first, 2)
        o[first:end] = pair
        o[end:] = (7,)

    out = cuda.to_device(np.zeros(6))
    kernel[1, 1](out, 1, 3)
    assert out.copy_to_host().tolist() == [0, 1, 2, 7, 7, 7]
    for end in (2, 6):
        out = cuda.to_device(np.zeros(6))
        kernel[1, 1](out, 1, end)
        with pytest.raises(ValueError, match="could not broadcast"):
            cuda.synchronize()
        assert out.copy_to_host().tolist() == [0] * 6
