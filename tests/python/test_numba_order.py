"""The order of evaluation, and values that change under names: each function runs in a kernel and in CPython."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda


def step(c):
    """A number, and an effect: the next number is another."""
    c[0] += 1
    return c[0]


def note(c, value):
    """A value, and an effect: the order of the calls is a number."""
    c[1] = c[1] * 10 + value
    return value


# --- what a loop runs over is read once


def bound_changes(o, c):
    n = 3
    for i in range(n):
        n = 10
        o[0] += 1
    o[1] = n


def bound_of_another_type(o, c):
    n = 3
    for i in range(n):
        n = n + 0.5
        o[0] += 1
    o[1] = n


def start_and_step_change(o, c):
    a, b, s = 1, 9, 2
    for i in range(a, b, s):
        a, b, s = 0, 100, 1
        o[0] = o[0] * 10 + i


def bound_from_an_array(o, c):
    c[2] = 3
    for i in range(int(c[2])):
        c[2] = 7
        o[0] += 1


def bound_in_a_while_loop(o, c):
    n = 2
    k = 0
    while k < 3:
        for i in range(n):
            n += 1
            o[0] += 1
        k += 1


def bound_of_a_bound(o, c):
    for i in range(3):
        for j in range(i):
            i = 5
            o[0] += 1
        o[1] = o[1] * 10 + i


def a_range_in_a_variable(o, c):
    n = 3
    r = range(n)
    n = 8
    for i in r:
        o[0] = o[0] * 10 + i
    o[1] = len(r)


def a_reversed_range(o, c):
    n = 4
    r = reversed(range(n))
    n = 1
    for i in r:
        n = 7
        o[0] = o[0] * 10 + i


def enumerated_and_zipped(o, c):
    n, s = 3, 2
    e = enumerate(range(n), s)
    z = zip(range(n), range(s, 9))
    n, s = 9, 9
    for i, j in e:
        o[0] = o[0] * 10 + i * j
    for i, j in z:
        o[1] = o[1] * 10 + i * j


def a_slice_in_a_variable(o, c):
    a, b = 2, 5
    s = slice(a, b)
    a, b = 0, 0
    x = c[s]
    o[0] = x[0]
    o[1] = x.size


def a_tuple_in_a_variable(o, c):
    n = 3
    t = (n, 4)
    n = 10
    o[0] = t[0] * 100 + t[1] * 10 + n


def swapped(o, c):
    a, b = 1, 2
    for i in range(3):
        a, b = b, a
    o[0] = a * 10 + b


def swapped_constants(o, c):
    a, b, d = 1, 2, 3
    a, b, d = d, a, b
    o[0] = a * 100 + b * 10 + d


def swapped_elements(o, c):
    c[2], c[3] = c[3], c[2]
    o[0] = c[2] * 10 + c[3]


def index_and_element(o, c):
    i = 2
    i, c[i] = 4, i
    o[0] = c[2] * 10 + i


# --- effects from left to right


def sums(o, c):
    o[0] = step(c) * 10 + step(c) * step(c) - step(c) / step(c)


def difference(o, c):
    o[0] = step(c) - step(c) * step(c)


def an_element_and_a_call(o, c):
    o[0] = c[0] + step(c)
    o[1] = c[0] * 10 + step(c) * 100 + c[0]


def a_name_and_a_walrus(o, c):
    x = 3
    o[0] = x * 10 + (x := 5) + x


def a_name_and_a_walrus_of_another_type(o, c):
    x = 3
    o[0] = x * 10 + (x := 5.5) + x


def arguments(o, c):
    o[0] = max(step(c), step(c) - 5) * 10 + pow(step(c), 2)
    o[1] = divmod(step(c) + 10, step(c))[1]


def three(a, b=5, d=6):
    return a * 100 + b * 10 + d


def keywords(o, c):
    o[0] = three(d=step(c), a=step(c), b=step(c))
    o[1] = three(step(c), d=step(c))


def an_argument_that_a_later_one_changes(o, c):
    o[0] = three(c[0], step(c), c[0])


def tuples(o, c):
    t = (step(c), (step(c), step(c)))
    o[0] = t[0] * 100 + t[1][0] * 10 + t[1][1]
    u = (c[0], step(c))
    o[1] = u[0] * 10 + u[1]


def starred(o, c):
    t = (step(c), step(c))
    o[0] = three(*t, step(c))
    o[1] = three(*(c[0], step(c)), d=step(c))


def chains(o, c):
    o[0] = 1 if step(c) < step(c) < step(c) else 0
    o[1] = c[0]


def a_chain_that_ends(o, c):
    o[0] = 1 if step(c) > step(c) > step(c) else 0
    o[1] = c[0]


def subscripts(o, c):
    c[int(step(c))] = step(c)
    o[0] = c[2]
    o[1] = c[0]


def value_before_target(o, c):
    c[note(c, 3)] = note(c, 2)
    o[0] = c[1]
    o[1] = c[3]


def two_targets(o, c):
    o[note(c, 2)] = c[note(c, 3)] = note(c, 4)
    o[0] = c[1]


def the_index_changes(o, c):
    c[2] = 3
    c[int(c[2])] = step(c) + c[2]
    o[0] = c[3]


def augmented(o, c):
    c[0] += step(c)
    o[0] = c[0]
    c[int(c[0])] += step(c)
    o[1] = c[1]
    o[2] = c[2]


def augmented_name(o, c):
    x = 3
    x += (x := 5) * 10
    o[0] = x


def augmented_index(o, c):
    i = 2
    c[i] += (i := 4)
    o[0] = c[2]
    o[1] = c[4]


def conditional(o, c):
    o[0] = step(c) if step(c) > 0 else step(c) * 100
    o[1] = c[0]
    o[2] = c[0] + (step(c) if c[3] > 100 else 50) * 10


def short_circuit(o, c):
    if step(c) > 5 and step(c) > 0:
        o[0] = 1
    if step(c) > 0 or step(c) > 0:
        o[0] += 2
    o[1] = c[0]
    o[2] = (c[0] > 100 and step(c)) + 10 * (step(c) or step(c))
    o[3] = c[0]


def walrus_on_one_way(o, c):
    y = 7
    o[0] = 1 if c[3] > 100 and (y := 2.5) > 1 else 0
    o[1] = y
    o[2] = (y := 3.5) if c[3] > 0 else 9
    o[3] = y
    (z := 4) if c[3] > 0 else (z := 5.5)
    o[4] = z


def a_while_loop(o, c):
    while step(c) < 5 and step(c) < 50:
        o[0] += 1
    o[1] = c[0]


def a_returned_sum(c):
    return c[0] + step(c) * step(c)


def returned(o, c):
    o[0] = a_returned_sum(c)


def a_slice_of_calls(o, c):
    x = c[int(step(c)) : int(step(c)) + 2 : int(step(c)) - 2]
    o[0] = x.size
    o[1] = x[0]


def methods(o, c):
    o[0] = c[: int(step(c)) + 2].sum() + step(c)


def sums_of_arrays(o, c):
    o[0] = c.sum() + step(c) + c.sum()


FUNCTIONS = [
    bound_changes,
    bound_of_another_type,
    start_and_step_change,
    bound_from_an_array,
    bound_in_a_while_loop,
    bound_of_a_bound,
    a_range_in_a_variable,
    a_reversed_range,
    enumerated_and_zipped,
    a_slice_in_a_variable,
    a_tuple_in_a_variable,
    swapped,
    swapped_constants,
    swapped_elements,
    index_and_element,
    sums,
    difference,
    an_element_and_a_call,
    a_name_and_a_walrus,
    a_name_and_a_walrus_of_another_type,
    arguments,
    keywords,
    an_argument_that_a_later_one_changes,
    tuples,
    starred,
    chains,
    a_chain_that_ends,
    subscripts,
    value_before_target,
    two_targets,
    the_index_changes,
    augmented,
    augmented_name,
    augmented_index,
    conditional,
    short_circuit,
    walrus_on_one_way,
    a_while_loop,
    returned,
    a_slice_of_calls,
    methods,
    sums_of_arrays,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_in_python(function: Any) -> None:
    start = np.array([0.0, 0, 2, 3, 4, 5, 6, 7])
    expected, counter = np.zeros(6), start.copy()
    function(expected, counter)
    out, own = cuda.to_device(np.zeros(6)), cuda.to_device(start)
    cuda.jit(function)[1, 1](out, own)
    assert out.copy_to_host().tolist() == expected.tolist()
    assert own.copy_to_host().tolist() == counter.tolist()


def test_random_numbers_in_order() -> None:
    from cuox.numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

    @cuda.jit
    def kernel(states, o):
        u = xoroshiro128p_uniform_float64
        o[0] = u(states, 0) / (u(states, 0) + u(states, 0)) - u(states, 0)

    @cuda.jit
    def apart(states, o):
        for i in range(4):
            o[i] = xoroshiro128p_uniform_float64(states, 0)

    together, numbers = cuda.to_device(np.zeros(1)), cuda.to_device(np.zeros(4))
    kernel[1, 1](create_xoroshiro128p_states(1, 5), together)
    apart[1, 1](create_xoroshiro128p_states(1, 5), numbers)
    a, b, c, d = numbers.copy_to_host().tolist()
    assert together.copy_to_host()[0] == a / (b + c) - d


def test_atomics_in_order() -> None:
    @cuda.jit
    def kernel(x, o):
        o[0] = x[0] + cuda.atomic.add(x, 0, 1) * 10 + cuda.atomic.add(x, 0, 1) * 100 + x[0] * 1000

    x, o = cuda.to_device(np.array([1])), cuda.to_device(np.zeros(1, np.int64))
    kernel[1, 1](x, o)
    assert o.copy_to_host()[0] == 1 + 10 + 200 + 3000
