"""Functions that return what is no value: functions, ranges, slices. Each runs in a kernel and in CPython."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda


def adder_of(m):
    def add(x):
        return x + m

    return add


def a_function_of_the_program(o, x, n):
    h = adder_of(n)
    o[0] = h(4)
    o[1] = adder_of(5)(1)


def functions_of_functions(o, x, n):
    add = lambda a: lambda b: lambda c: a * 100 + b * 10 + c
    o[0] = add(1)(2)(3)
    p = add(n)
    q = p(4)
    o[1] = q(5)
    o[2] = p(6.5)(7)


def two_in_a_tuple(o, x, n):
    def make(m):
        def up(x):
            return x + m

        def down(x):
            return x - m

        return up, down, m

    up, down, m = make(n)
    o[0] = up(10)
    o[1] = down(10)
    all = make(4)
    o[2] = all[0](1)
    o[3] = all[1](1)
    o[4] = m + all[2]


def a_variable_of_the_caller(o, x, n):
    def outer(a):
        def inner(x):
            return x + a + n

        return inner

    h = outer(2)
    n = 100
    o[0] = h(1)


def an_argument_with_a_variable_of_the_caller(o, x, n):
    def f(x):
        return x * 2 + n

    def twice(g):
        def both(x):
            return g(g(x))

        return both

    h = twice(f)
    hh = twice(h)
    o[0] = hh(1)
    n = 70
    o[1] = h(1)
    o[2] = hh(1)


def the_argument_itself(o, x, n):
    def f():
        return n

    def same(g):
        return g

    h = same(same(f))
    n = 50
    o[0] = h()


def values_from_before_the_call(o, x, n):
    def make(m):
        x[0] = 50
        m += 1

        def f(y):
            return y + m

        return f

    h = make(x[0])
    o[0] = h(1)
    o[1] = make(x[0])(x[0])


def another_one_in_each_turn(o, x, n):
    h = adder_of(100)
    for i in range(n):
        o[i] = h(i)
        h = adder_of(i)
    o[5] = h(1)


def on_two_ways(o, x, n):
    if n > 2:
        h = adder_of(n)
        r = range(n)
    else:
        h = adder_of(0.5)
        r = range(1, n)
    o[0] = h(1)
    o[1] = len(r)


def two_returns(o, x, n):
    def make(m):
        def add(x):
            return x + m

        if m > 2:
            m = 7
            return add
        return add

    o[0] = make(n)(1)
    o[1] = make(0)(1)


def a_default(o, x, n):
    def make(m):
        def f(x, y=m * 2):
            return x * 10 + y

        m = 9
        return f

    f = make(n)
    o[0] = f(1)
    o[1] = f(1, y=5)


def a_default_of_an_argument(o, x, n):
    def f(x, y=n):
        return x * 10 + y

    def call(g):
        return g(1)

    n = 9
    o[0] = call(f)


def a_known_function(o, x, n):
    def root():
        return math.sqrt

    o[0] = root()(16.0)


def a_range_and_a_slice(o, x, n):
    def parts(m):
        return range(m, 0, -1), slice(m, None)

    r, s = parts(n)
    n = 0
    for i in r:
        o[0] = o[0] * 10 + i
    o[1] = x[s][0]


def an_array(o, x, n):
    def getter(a):
        return lambda i: a[i]

    get = getter(x)
    o[0] = get(n)
    x[n] = 40
    o[1] = get(n)


FUNCTIONS = [
    a_function_of_the_program,
    functions_of_functions,
    two_in_a_tuple,
    a_variable_of_the_caller,
    an_argument_with_a_variable_of_the_caller,
    the_argument_itself,
    values_from_before_the_call,
    another_one_in_each_turn,
    on_two_ways,
    two_returns,
    a_default,
    a_default_of_an_argument,
    a_known_function,
    a_range_and_a_slice,
    an_array,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("n", [1, 3])
def test_as_in_python(function: Any, n: int) -> None:
    found, expected = np.zeros(6), np.zeros(6)
    cuda.jit(function)[1, 1](found, np.arange(6.0) * 2, n)
    function(expected, np.arange(6.0) * 2, n)
    assert found.tolist() == expected.tolist()


def test_functions_that_are_not_the_same() -> None:
    def kernel(o: Any, n: int) -> None:
        def make(m: int) -> Any:
            if m > 1:
                return lambda: 1
            return 2

        o[0] = make(n)

    with pytest.raises(TypeError, match=r"make\(\) returns a lambda here and int64 \(2\) there"):
        cuda.jit(kernel)[1, 1](np.zeros(1), 1)


def test_a_way_without_a_function() -> None:
    def kernel(o: Any, n: int) -> None:
        def make(m: int) -> Any:
            if m > 1:
                return lambda: 1
            return None

        make(n)

    with pytest.raises(TypeError, match=r"make\(\) returns a lambda here and None there"):
        cuda.jit(kernel)[1, 1](np.zeros(1), 1)


def test_a_device_function_for_others_returns_values() -> None:
    def make(m: int) -> Any:
        return lambda: m

    with pytest.raises(TypeError, match=r"make\(\) returns a lambda"):
        cuda.compile_ptx(make, (cuda.types.int64,), device=True)
