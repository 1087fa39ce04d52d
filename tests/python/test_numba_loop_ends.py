"""What variables hold behind loops: by `break`, at the loop's own end, after a test that assigns. In kernels and in
CPython.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda


def another_type_before_break(o, x, m):
    for i in range(3):
        n = x[i]
        for j in range(m):
            n = m * 100 + j
            break
        o[i] = n
    o[3] = n


def another_type_in_else(o, x, m):
    n = x[0]
    for j in range(m):
        if j > 1:
            n = j * 1.5
            break
    else:
        n = x[1]
    o[0] = n


def a_range_before_break(o, x, m):
    r = range(2)
    for v in x:
        r = range(v)
        for w in x:
            if w < m:
                r = range(m, 9)
                break
        for j in r:
            o[0] += j
    o[1] = len(r)


def a_test_that_assigns(o, x, m):
    i, n = 0, 100
    while (n := x[i]) < 8:
        i += 1
    o[0] = n
    i = 0
    while (n := x[i]) < 8:
        i += 1
        if i == m:
            n = 0.5
            break
    o[1] = n
    i = 0
    while (n := x[i]) < 8 and i < m:
        i += 1
    else:
        n = n + 0.5
    o[2] = n


def a_tuple_of_ints(o, x, m):
    for v in (m, x[0], 5):
        if v == 3:
            continue
        if v > 5:
            break
        o[0] = o[0] * 10 + v
    else:
        o[1] = 1
    o[2] = v


def an_array_of_the_program(o, x, m):
    for v in TABLE:
        o[0] += v
    for i, v in enumerate(TABLE[m % 2 :], 1):
        o[1] += i * v
    for v, w in zip(TABLE, x):
        o[2] += v * w
    for row in ROWS:
        o[3] = o[3] * 10 + row[m % 2]


TABLE = np.array([1.5, 2.5, 4.0])
ROWS = np.asfortranarray(np.arange(6).reshape(3, 2))


def iterators_that_run_out(o, x, m):
    e = enumerate(x, 1)
    for i, v in e:
        o[0] += i * v
        if i > m:
            break
    for i, v in e:
        o[1] += i * v
    for i, v in e:
        o[2] += 1
    z = zip(range(m), x)
    f = z
    for a, b in f:
        o[3] += a + b
    for a, b in z:
        o[3] = -1


def iterators_in_others(o, x, m):
    def total(pairs):
        s = 0
        for a, b in pairs:
            s += a * b
        return s

    e = enumerate(x)
    for i, v in e:
        if i == m:
            break
    for j, (i, v) in enumerate(e, 5):
        o[0] += j * i * v
    z = zip(x, range(1, 9))
    for a, b in z:
        break
    o[1] = total(z)
    o[2] = total(z)
    while m < 3:
        r = reversed(range(4))
        for k in r:
            o[3] = o[3] * 10 + k
            if k == 2:
                break
        for k in r:
            o[3] = o[3] * 10 + k
        m += 1


def items_of_ranges(o, x, m):
    r = range(m, 20, 3)
    o[0] = r[1] * 100 + r[-1]
    o[1] = range(m) == range(2)
    o[2] = range(5, 5) == range(0)
    o[3] = r != range(m, 19, 3)
    if range(m, 2):
        o[4] = 1
    s = slice(m, None)
    o[5] = s == slice(2, None)


FUNCTIONS = [
    another_type_before_break,
    another_type_in_else,
    a_range_before_break,
    a_test_that_assigns,
    a_tuple_of_ints,
    an_array_of_the_program,
    iterators_that_run_out,
    iterators_in_others,
    items_of_ranges,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("m", [0, 1, 2, 5])
def test_as_in_python(function: Any, m: int) -> None:
    found, expected, x = np.zeros(6), np.zeros(6), np.array([3, 7, 9, 2], np.int16)
    cuda.jit(function)[1, 1](found, x, m)
    function(expected, x, m)
    assert found.tolist() == expected.tolist()


STEPS = {
    "len": lambda o, n: len(range(0, 5, n)),
    "reversed": lambda o, n: sum_of(reversed(range(0, 5, n))),
    "enumerate": lambda o, n: sum_of(zip(o, range(0, 5, n))),
    "in": lambda o, n: 3 in range(0, 5, n),
}


def sum_of(items):
    total = 0
    for _ in items:
        total += 1
    return total


@pytest.mark.parametrize("use", STEPS)
def test_a_step_of_zero_in_any_range(use: str) -> None:
    value = STEPS[use]

    @cuda.jit(debug=True, opt=False)
    def kernel(o: Any, n: int) -> None:
        o[0] = value(o, n)

    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        kernel[1, 1](np.zeros(2), 0)


def test_the_item_of_a_range_is_checked() -> None:
    @cuda.jit(debug=True, opt=False)
    def kernel(o: Any, n: int) -> None:
        o[0] = range(n)[3]

    with pytest.raises(IndexError, match="range object index out of range"):
        kernel[1, 1](np.zeros(1), 3)
