"""Functions inside of kernels: whose variables they see, and when. Each runs in a kernel and in CPython."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda

k = 1000


def another_value(o, i):
    g = 1
    f = lambda: g
    g = 2
    o[0] = f()
    g = 3
    o[1] = f()


def another_type(o, i):
    g = 1.5
    f = lambda q: g + q
    g = 5
    o[0] = f(1)
    g = 2.5
    o[1] = f(1)


def a_value_that_comes_later(o, i):
    def f():
        return k + 1

    k = 5
    o[0] = f()


def on_two_ways(o, i):
    g = 1
    f = lambda: g
    if i > 1:
        g = 2.5
    o[0] = f()


def in_a_loop(o, i):
    g = 0
    f = lambda: g * 10
    for j in range(3):
        g += j
        o[j] = f()
    g = 0.5
    o[3] = f()


def the_loops_variable(o, i):
    f = lambda: j
    for j in range(3):
        o[j] = f()
    o[3] = f()


def the_callers_variable(o, i):
    def f():
        return i

    def g():
        i = 50
        return f()

    o[0] = g()


def the_callers_parameter(o, i):
    def f():
        return i

    def g(i):
        return f() + i

    o[0] = g(50)


def two_levels(o, i):
    k = 1

    def f():
        def h():
            return k

        return h()

    def g():
        k = 99
        return f()

    o[0] = g()


def an_argument(o, i):
    def apply(f, i):
        return f(i) * 10 + i

    o[0] = apply(lambda q: q + i, 7)


def two_functions_with_the_same_name_inside(o, i):
    def apply(f, g, i):
        return f(1) * 100 + g(2) * 10 + i

    def f(q):
        return q + i

    i = 4
    o[0] = apply(f, lambda q: f(q) + i, 7)


def in_a_tuple(o, i):
    g = 1
    fs = (lambda: g, lambda: g + 1)
    g = 5
    o[0] = fs[0]() * 10 + fs[1]()


def a_parameter_hides(o, i):
    g = 4
    f = lambda g: g * 2
    o[0] = f(g + 1)


def a_local_hides(o, i):
    g = 4

    def f():
        g = 9
        return g

    o[0] = f() * 10 + g


def a_default_is_read_once(o, i):
    g = 4

    def f(q=g):
        return q * 10 + g

    g = 6
    o[0] = f()


def a_name_of_a_function_inside(o, i):
    q = 2

    def f():
        h = lambda q: q * 3
        return h(4)

    o[0] = f() + q


def an_array(o, i):
    x = o[:2]
    f = lambda: x[0]
    x = o[2:]
    o[2] = 7
    o[0] = f()


def a_partial_argument(o, i):
    g = 1

    def twice(f):
        return f() + f()

    f = lambda: g
    g = 3
    o[0] = twice(f)


FUNCTIONS = [
    another_value,
    another_type,
    a_value_that_comes_later,
    on_two_ways,
    in_a_loop,
    the_loops_variable,
    the_callers_variable,
    the_callers_parameter,
    two_levels,
    an_argument,
    two_functions_with_the_same_name_inside,
    in_a_tuple,
    a_parameter_hides,
    a_local_hides,
    a_default_is_read_once,
    a_name_of_a_function_inside,
    an_array,
    a_partial_argument,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("i", [1, 2])
def test_as_in_python(function: Any, i: int) -> None:
    expected = np.zeros(6)
    function(expected, i)
    out = cuda.to_device(np.zeros(6))
    cuda.jit(function)[1, 1](out, i)
    assert out.copy_to_host().tolist() == expected.tolist()


def test_a_value_that_is_missing() -> None:
    """Not the program's variable of the same name."""

    @cuda.jit
    def kernel(o):
        f = lambda: k
        o[0] = f()
        k = 5
        o[1] = k

    with pytest.raises(Exception, match="variable 'k' is read before it has a value"):
        kernel[1, 1](np.zeros(2))


def test_a_function_inside_that_calls_itself() -> None:
    @cuda.jit
    def kernel(o):
        def f(n):
            return n * f(n - 1) if n > 1 else 1

        o[0] = f(3)

    with pytest.raises(Exception, match="cannot call itself"):
        kernel[1, 1](np.zeros(2))
