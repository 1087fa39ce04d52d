"""The language of kernels in Python: each kernel is run by the device and by CPython, on the same arrays, and leaves
the same values in them.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda

NUMBERS = np.arange(-6, 7, dtype=np.int64)
REALS = np.linspace(-2.5, 2.5, 11)
Point = collections.namedtuple("Point", ["x", "y"])
OFFSET = 7
TABLE = np.array([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]])
PRIMES = (2, 3, 5, 7)
ORIGIN = Point(3, 0.25)
RECORD = np.dtype([("key", np.int32), ("weight", np.float64), ("axis", np.float32, (3,))])


def same(function: Callable[..., None], *arrays: Any, exact: bool = True, **options: Any) -> None:
    """One thread of the device leaves in the arrays what CPython leaves there."""
    ours, theirs = ([item.copy() if isinstance(item, np.ndarray) else item for item in arrays] for _ in range(2))
    with np.errstate(all="ignore"):
        function(*theirs)
    there = [cuda.to_device(item) if isinstance(item, np.ndarray) else item for item in ours]
    cuda.jit(**options)(function)[1, 1](*there)
    cuda.synchronize()
    for expected, item in zip(theirs, there, strict=True):
        if isinstance(expected, np.ndarray):
            found = item.copy_to_host()
            if exact:
                np.testing.assert_array_equal(found, expected)
            else:
                np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-300)


def out(count: int = 64, dtype: Any = np.float64) -> np.ndarray:
    return np.full(count, -99, dtype)


# Control flow


def test_branches() -> None:
    def kernel(found, x):
        for i in range(x.size):
            if x[i] < -2:
                found[i] = 1
            elif x[i] == 0:
                found[i] = 2
            elif x[i] > 3 or x[i] == 1:
                found[i] = 3
            else:
                found[i] = 4
            if not x[i] and found[i]:
                found[i] += 10

    same(kernel, out(), NUMBERS)


def test_loops_with_break_continue_else() -> None:
    def kernel(found, x):
        at = 0
        for value in x:
            if value % 2:
                continue
            for divisor in range(3, 10, 2):
                if value % divisor == 0:
                    found[at] = divisor
                    break
            else:
                found[at] = -1
            at += 1
        left = 20
        while left > 0:
            left -= 3
            if left == 11:
                continue
            if left < 4:
                break
            found[at] = left
            at += 1
        else:
            found[at] = 1000
        while left > 0:
            left -= 1
        else:
            found[at + 1] = 2000

    same(kernel, out(), NUMBERS)


def test_ranges() -> None:
    def kernel(found, n):
        at = 0
        for i in range(n):
            found[at] = i
            at += 1
        for i in range(n, 0, -2):
            found[at] = i
            at += 1
        for i in range(2, n):
            i *= 2
            found[at] = i
            at += 1
        for _ in range(n, 0):
            found[at] = 99
        for _ in range(-n):
            found[at] = 99
        found[at] = len(range(1, n, 3))
        found[at + 1] = i

    same(kernel, out(), 7)


def test_enumerate_zip_reversed() -> None:
    def kernel(found, x):
        at = 0
        for i, value in enumerate(x):
            found[at] = i * 100 + value
            at += 1
        for i, (a, b) in enumerate(zip(x, x[2:])):
            found[at] = i + a * b
            at += 1
        for i in reversed(range(3)):
            found[at] = i
            at += 1

    same(kernel, out(), NUMBERS)


def test_loops_over_tuples_and_rows() -> None:
    def kernel(found, matrix):
        at = 0
        for prime in PRIMES:
            found[at] = prime
            at += 1
        for row in matrix:
            for value in row:
                found[at] = value
                at += 1

    same(kernel, out(), TABLE)


def test_early_return() -> None:
    def kernel(found, x):
        for i in range(x.size):
            if x[i] == 2:
                return
            if x[i] > 100:
                while True:
                    return
            found[i] = x[i]
        found[0] = 5

    same(kernel, out(), NUMBERS)


def test_chained_comparisons_evaluate_once() -> None:
    def kernel(found, x):
        for i in range(x.size):
            found[i] = (-3 < x[i] <= 2) + 2 * (x[i] == x[i] != 4) + 4 * (0 <= x[i] < 5 > x[0])
            if not -1 <= x[i] <= 1:
                found[i] += 8

    same(kernel, out(), NUMBERS)


def test_and_or_give_values() -> None:
    def kernel(found, x):
        for i in range(x.size):
            found[i] = x[i] or 50
            found[i] += x[i] and 100
            found[i] += (x[i] > 0 and x[i]) or 7
            found[i] += 1000 if x[i] in (1, -2, 5) else 2000 if x[i] not in PRIMES else 3000

    same(kernel, out(), NUMBERS)


def test_augmented_assignment() -> None:
    def kernel(found, x):
        for i in range(x.size):
            value = x[i] + 0
            value += 3
            value *= 5
            value -= 1
            value //= 2
            value %= 11
            value <<= 3
            value >>= 1
            value |= 64
            value &= 0x7D
            value ^= 9
            value **= 2
            found[i] = value
            found[i] /= 4
            found[i] += x[i]

    same(kernel, out(), NUMBERS)


def test_assignments_of_several() -> None:
    def kernel(found, x):
        a = b = x[0]
        c, d = a + 1, b + 2
        c, d = d, c
        (e, f), g = (c, d), 5
        first, second, _, _ = PRIMES
        found[0], found[1] = c, d
        found[2] = e * 100 + f * 10 + g
        found[3] = first
        found[4] = second
        count: int = 4
        found[6] = count
        if (half := count // 2) > 1:
            found[7] = half

    same(kernel, out(), NUMBERS)


# Numbers


@pytest.mark.parametrize("sign", ["+", "-", "*", "//", "%", "&", "|", "^"])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int32, np.uint8])
def test_operators_of_integers(sign: str, dtype: Any) -> None:
    kernel = _written(f"found[k] = a[i] {sign} b[j]")
    numbers = NUMBERS if np.dtype(dtype).kind == "i" else np.abs(NUMBERS)
    wide = np.uint64 if dtype == np.uint64 else np.int64
    a = numbers.astype(dtype)
    b = a[a != 0]
    # Numba's rule: integers narrower than 64 bits are computed in 64.
    expected = np.zeros(a.size * b.size, wide)
    with np.errstate(over="ignore"):
        kernel(expected, a.astype(wide), b.astype(wide))
    found = cuda.to_device(np.zeros(a.size * b.size, wide))
    cuda.jit(kernel)[1, 1](found, cuda.to_device(a), cuda.to_device(b))
    np.testing.assert_array_equal(found.copy_to_host(), expected)


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!="])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_operators_of_floats(sign: str, dtype: Any) -> None:
    same(
        _written(f"found[k] = a[i] {sign} b[j]"),
        out(121, dtype),
        REALS.astype(dtype),
        (REALS[::-1] + 0.25).astype(dtype),
    )


def _written(statement: str) -> Callable[..., None]:
    """A kernel with a statement for all pairs of a and b."""
    return _source(
        f"def kernel(found, a, b):\n    k = 0\n    for i in range(a.size):\n        for j in range(b.size):\n            {statement}\n            k += 1\n"
    )


def _source(text: str) -> Callable[..., None]:
    scope: dict[str, Any] = {"math": math, "np": np}
    exec(text, scope)
    made: Callable[..., None] = scope["kernel"]
    return made


def test_complex_numbers() -> None:
    def kernel(found, x):
        for i in range(x.size):
            z = complex(x[i], 1.5)
            w = z * (2 - 3j) + z.conjugate()
            found[2 * i] = w.real + abs(z)
            found[2 * i + 1] = (w / z).imag

    same(kernel, out(), REALS, exact=False)


def test_conversions() -> None:
    def kernel(found, x):
        for i in range(x.size):
            found[i] = (
                int(x[i])
                + 0.5 * float(int(x[i]) > 0)
                + bool(x[i])
                + np.int8(3)
                + np.float32(0.1)
                + round(x[i])
                + round(x[i], 1)
            )

    same(kernel, out(), REALS, exact=False)


def test_builtin_functions() -> None:
    def kernel(found, x):
        at = 0
        for i in range(x.size):
            quotient, rest = divmod(x[i], 4)
            found[at] = quotient * 1000 + rest
            found[at + 1] = min(x[i], 2) + max(x[i], -1, 3) * 10 + min(PRIMES)
            found[at + 2] = abs(x[i]) + pow(x[i], 3) + pow(2, abs(x[i])) + len(x) + sum(PRIMES)
            found[at + 3] = any((x[i] == 1, x[i] == 2)) + 2 * all((x[i] > 0, x[i] < 5))
            at += 4

    same(kernel, out(), NUMBERS)


MATH = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "fabs",
    "floor",
    "gamma",
    "isfinite",
]
MATH += [
    "isinf",
    "isnan",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "radians",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]
ABOVE = {
    "acosh": 1.0,
    "gamma": 0.25,
    "lgamma": 0.25,
    "log": 0.25,
    "log10": 0.25,
    "log1p": -0.75,
    "log2": 0.25,
    "sqrt": 0.0,
}


@pytest.mark.parametrize("name", MATH)
def test_math(name: str) -> None:
    values = (
        np.clip(REALS, -1, 1)
        if name in ("acos", "asin")
        else np.clip(REALS, -0.9, 0.9)
        if name == "atanh"
        else np.maximum(REALS, ABOVE.get(name, -9))
    )
    same(
        _source(f"def kernel(found, x):\n    for i in range(x.size):\n        found[i] = math.{name}(x[i])\n"),
        out(11),
        values,
        exact=False,
    )


def test_math_of_two() -> None:
    def kernel(found, x):
        for i in range(x.size):
            found[i] = (
                math.atan2(x[i], 0.5)
                + math.hypot(x[i], 2.0)
                + math.copysign(3.0, x[i])
                + math.fmod(x[i], 0.7)
                + math.pow(abs(x[i]), 1.5)
            )
            mantissa, power = math.frexp(x[i])
            part, whole = math.modf(x[i])
            found[i] += math.ldexp(mantissa, power + 1) + part + 2 * whole + math.pi * math.e + math.gcd(12, 18)

    same(kernel, out(), REALS, exact=False)


UFUNCS = [
    "absolute",
    "arctan",
    "cbrt",
    "ceil",
    "cos",
    "deg2rad",
    "exp",
    "exp2",
    "fabs",
    "floor",
    "isfinite",
    "log1p",
    "logical_not",
    "negative",
    "rad2deg",
    "rint",
]
UFUNCS += ["sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc"]


@pytest.mark.parametrize("name", UFUNCS)
def test_numpy_functions(name: str) -> None:
    values = np.abs(REALS) if name in ("sqrt", "log1p") else REALS
    same(
        _source(f"def kernel(found, x):\n    for i in range(x.size):\n        found[i] = np.{name}(x[i])\n"),
        out(11),
        values,
        exact=False,
    )


def test_numpy_functions_of_two() -> None:
    def kernel(found, x):
        for i in range(x.size):
            y = x[x.size - 1 - i]
            found[i] = (
                np.maximum(x[i], y)
                + 2 * np.minimum(x[i], y)
                + np.arctan2(x[i], y)
                + np.hypot(x[i], y)
                + np.logical_and(x[i], y)
            )
            found[i] += (
                np.where(x[i] > 0, 10.0, 20.0)
                + np.power(np.abs(x[i]), 2)
                + np.fmod(x[i], 0.75)
                + np.less(x[i], y)
                + np.floor_divide(x[i], 0.75)
            )

    same(kernel, out(), REALS, exact=False)


# Functions


def test_nested_functions_and_lambdas() -> None:
    def kernel(found, x):
        scale = 3

        def scaled(value, by=2):
            return value * scale * by

        twice = lambda value: value + value
        for i in range(x.size):
            found[i] = scaled(x[i]) + scaled(x[i], by=5) + twice(x[i]) + (lambda a, b: a - b)(x[i], 1)

    same(kernel, out(), NUMBERS)


def test_lambdas_in_the_middle_of_a_line() -> None:
    found = cuda.to_device(np.zeros(2))
    pair = (
        cuda.jit(device=True)(lambda a, b: a * 10 + b),
        cuda.jit(device=True)(lambda a, b: a - b),
    )  # two on one line
    first, second = pair

    @cuda.jit
    def kernel(out, a, b):
        out[0] = first(a, b)
        out[1] = second(a, b)

    kernel[1, 1](found, 4.0, 1.5)
    assert found.copy_to_host().tolist() == [41.5, 2.5]


@cuda.jit(device=True)
def clamped(value, low=-2, high=2, *, step=1):
    if value < low:
        return low
    if value > high:
        return high
    return value * step


@cuda.jit(device=True)
def pair_of(value):
    return value // 3, value % 3, Point(value, -value)


def test_device_functions() -> None:
    @cuda.jit
    def kernel(found, x):
        i = cuda.grid(1)
        if i < x.size:
            quotient, rest, point = pair_of(x[i])
            found[i] = (
                clamped(x[i])
                + 10 * clamped(x[i], high=4)
                + 100 * clamped(x[i], -1, step=3)
                + quotient * 1000
                + rest * 10000
                + point.x
                - point[1]
            )

    found = cuda.to_device(out(NUMBERS.size))
    kernel[1, 32](found, cuda.to_device(NUMBERS))
    c = lambda v, lo=-2, hi=2, s=1: lo if v < lo else hi if v > hi else v * s
    expected = [
        c(v) + 10 * c(v, hi=4) + 100 * c(v, -1, s=3) + v // 3 * 1000 + v % 3 * 10000 + 2 * v for v in NUMBERS.tolist()
    ]
    assert found.copy_to_host().tolist() == expected


def test_device_functions_are_called_by_kernels_only() -> None:
    with pytest.raises(RuntimeError, match="clamped.py_func"):
        clamped(5)
    assert clamped.py_func(5) == 2 and pair_of.py_func(7) == (2, 1, Point(7, -7))


def test_recursion() -> None:
    @cuda.jit("int64(int64)", device=True)
    def fibonacci(n):
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    @cuda.jit
    def kernel(found):
        found[cuda.threadIdx.x] = fibonacci(cuda.threadIdx.x)

    found = cuda.to_device(np.zeros(12, np.int64))
    kernel[1, 12](found)
    assert found.copy_to_host().tolist() == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


def test_functions_as_values() -> None:
    def made(function):
        @cuda.jit
        def kernel(found, x):
            i = cuda.grid(1)
            found[i] = function(x[i])

        return kernel

    for function in (
        cuda.jit(device=True)(lambda v: v * 2 + 1),
        cuda.jit(device=True)(lambda v: v - 1),
    ):
        found = cuda.to_device(np.zeros(NUMBERS.size, np.int64))
        made(function)[1, NUMBERS.size](found, cuda.to_device(NUMBERS))
        assert found.copy_to_host().tolist() == [function.py_func(v) for v in NUMBERS.tolist()]


# Captured values


def test_captured_constants() -> None:
    inner = 0.125

    def kernel(found, x):
        for i in range(x.size):
            found[i] = x[i] * OFFSET + inner + TABLE[1, 2] + PRIMES[2] + ORIGIN.x + ORIGIN.y + TABLE.shape[1]

    same(kernel, out(), NUMBERS)


def test_captured_arrays_are_constants() -> None:
    table = np.arange(6.0).reshape(2, 3)

    @cuda.jit
    def kernel(found):
        at = 0
        for i in range(table.shape[0]):
            for j in range(table.shape[1]):
                found[at] = table[i, j]
                at += 1

    found = cuda.to_device(np.zeros(6))
    kernel[1, 1](found)
    table[:] = 0  # A kernel keeps the values that were there when it was compiled.
    again = cuda.to_device(np.zeros(6))
    kernel[1, 1](again)
    assert found.copy_to_host().tolist() == again.copy_to_host().tolist() == [0, 1, 2, 3, 4, 5]


def test_captured_device_arrays() -> None:
    state = cuda.to_device(np.zeros(4))

    @cuda.jit
    def kernel():
        state[cuda.threadIdx.x] += cuda.threadIdx.x + 1

    kernel[1, 4]()
    kernel[1, 4]()
    assert state.copy_to_host().tolist() == [2, 4, 6, 8]


# Tuples and records


def test_tuples() -> None:
    def kernel(found, pair, nested):
        found[0] = pair[0] + pair[1] * 10
        found[1] = len(pair) + (pair + (5, 6))[3] + pair[-1]
        found[2] = nested[0][1] + nested[1]
        found[3] = (1, 2) == (1, 2)
        found[4] = pair < (3, 9)
        found[5] = pair[1:][0]

    same(kernel, out(), (3, 0.5), ((1, 2), 4.25))


def test_namedtuples() -> None:
    def kernel(found, point):
        moved = Point(point.x + 1, y=point.y * 2)
        found[0] = moved.x
        found[1] = moved[1]
        x, y = moved
        found[2] = x + y

    same(kernel, out(), Point(2, 0.5))


def test_records() -> None:
    def kernel(records, found):
        for i in range(records.size):
            records[i].key += 2
            records[i]["weight"] = records[i].key * 0.5
            records[i].axis[1] = i
            found[i] = records[i].weight + records[i].axis[2]
        records[0] = records[1]

    records = np.zeros(4, RECORD)
    records["key"] = [5, 6, 7, 8]
    records["axis"] = np.arange(12).reshape(4, 3)
    there, found = cuda.to_device(records), cuda.to_device(np.zeros(4))
    cuda.jit(kernel)[1, 1](there, found)
    theirs, expected = records.view(np.recarray).copy(), np.zeros(4)
    kernel(theirs, expected)
    np.testing.assert_array_equal(there.copy_to_host(), theirs.view(RECORD))
    assert found.copy_to_host().tolist() == expected.tolist()


# Arrays


def test_attributes_of_arrays() -> None:
    def kernel(found, x):
        rows, columns = x.shape
        found[0] = rows * 100 + columns
        found[1] = x.ndim + x.size * 10 + x.itemsize * 1000 + x.nbytes * 10000
        found[2] = x.strides[0] * 100 + x.strides[1]
        found[3] = x.T.shape[0] + x.T[2, 1]
        found[4] = len(x)

    same(kernel, out(), TABLE)
    same(kernel, out(), TABLE.astype(np.float32))


def test_indices() -> None:
    def kernel(found, x):
        at = 0
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                found[at] = x[i, j] + x[i][j]
                index = i, j
                x[index] *= 2
                at += 1
        found[at] = x[0, -1] + x[-1, 0]  # Constants wrap around.

    same(kernel, out(), TABLE)


def test_slices() -> None:
    def kernel(found, x, y):
        part = x[2:9:3]
        for i in range(part.size):
            found[i] = part[i]
            part[i] += 100
        found[10] = len(x[:4]) + 10 * len(x[4:]) + 100 * len(x[:]) + 1000 * len(x[20:])
        y[1, 1:] = 9
        column = y[:, 0]
        column[1] = 8
        y[0, :] = y[1, :]
        found[11] = y[..., 2][1] + y[-1:, :].shape[0]

    same(kernel, out(), NUMBERS, TABLE)


def test_arrays_in_fortran_order_and_with_steps() -> None:
    @cuda.jit
    def kernel(found, x):
        i, j = cuda.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            found[i, j] = x[i, j] * 2

    base = np.arange(60.0).reshape(6, 10)
    for x in (
        np.asfortranarray(base),
        cuda.to_device(base)[::2, 1::3],
        cuda.to_device(base).T,
    ):
        expected = (x if isinstance(x, np.ndarray) else x.copy_to_host()) * 2
        found = cuda.to_device(np.zeros(expected.shape))
        kernel[(1, 1), (16, 16)](found, cuda.to_device(x) if isinstance(x, np.ndarray) else x)
        np.testing.assert_array_equal(found.copy_to_host(), expected)


def test_wraparound_is_asked_for() -> None:
    def kernel(found, x):
        for i in range(-x.size, 0):
            found[i + x.size] = x[i]

    same(kernel, out(), NUMBERS, wraparound=True)


def test_three_dimensions() -> None:
    def kernel(found, x):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                for k in range(x.shape[2]):
                    x[i, j, k] += i * 100 + j * 10 + k
        found[0] = x[1, 2, 3] + x[1][2][0] + x[1, 1].size

    same(kernel, out(), np.zeros((2, 3, 4)))


# Promotion


def test_promotion() -> None:
    cases = [
        ("int32", "int32", "+", "int64"),
        ("uint32", "uint32", "*", "uint64"),
        ("int32", "uint32", "+", "int64"),
        ("int64", "uint64", "+", "int64"),
        ("int32", "float32", "+", "float64"),
        ("int16", "float32", "+", "float32"),
        ("float32", "float32", "*", "float32"),
        ("float32", "float64", "*", "float64"),
        ("int32", "int32", "/", "float64"),
        ("float32", "complex64", "+", "complex64"),
        ("bool", "bool", "+", "int64"),
    ]
    for a, b, sign, expected in cases:
        kernel = _source(
            f"def kernel(found, a, b):\n    c = a[0] {sign} b[0]\n    found[0] = c.itemsize\n    found[1] = isinstance(c, int)\n"
        )
        found = cuda.to_device(np.zeros(2))
        cuda.jit(kernel)[1, 1](found, cuda.to_device(np.ones(1, a)), cuda.to_device(np.ones(1, b)))
        dtype = np.dtype(expected)
        assert found.copy_to_host().tolist() == [dtype.itemsize, dtype.kind in "iu"], (
            a,
            sign,
            b,
        )


def test_variables_join_types() -> None:
    def kernel(found, x):
        total = 0
        for value in x:
            total += value * 0.5
        found[0] = total
        result = 1 if x[0] > 0 else 2.5
        found[1] = result

    same(kernel, out(), REALS)


def test_tuples_of_items_of_many_sizes() -> None:
    """They are passed as a structure of C; those of more than twelve items end with another one."""

    @cuda.jit
    def sums(given, out):
        out[0] = given[0] + given[1] * 10 + given[-1] * 100
        out[1] = given[2]

    for more in ((), (np.int8(1),) * 9 + (np.float64(0.5), np.int8(3), np.int64(4))):
        given = (np.int8(1), np.float64(2.5), np.int16(-3), np.complex64(0), *more, np.uint8(7))
        out = np.zeros(2)
        sums[1, 1](given, out)
        assert out.tolist() == [726, -3]
