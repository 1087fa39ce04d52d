"""Negative indices of variables count from the end, as in Python; kernels whose indices cannot be negative need no code
for that. Each function runs in a kernel and in CPython."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox._internal.kernel_environment import Environment
from cuox._native import _translate
from cuox.numba import cuda

TABLE = np.array([1.0, 2, 3, 4])
FORTRAN = np.asfortranarray(np.arange(12.0).reshape(3, 4))


def read(o, x, i):
    o[0] = x[i - 1]
    o[1] = x[i - 2] + x[-i - 1]


def write(o, x, i):
    x[i - 1] = 9
    x[i - 2] += 5
    o[0] = x[x.size - 1]
    o[1] = x[x.size - 2]


def captured(o, x, i):
    o[0] = TABLE[i - 1] + FORTRAN[i - 1, i - 2]
    o[1] = FORTRAN[i, i - 4]


def two_dimensions(o, x, i):
    y = x.reshape(2, 4)
    o[0] = y[i - 1, i - 3] + y[i - 2, i]
    o[1] = y.T[i - 1, i - 1]


def rows(o, x, i):
    y = x.reshape(2, 4)
    o[0] = y[i - 1][i - 2]
    o[1] = y[i - 1, 1:3][i - 1]


def going_down(o, x, i):
    j = 1
    while j > -3:
        o[0] = o[0] * 10 + x[j]
        j -= 1
    for k in range(2, -3, -1):
        o[1] = o[1] * 10 + x[k]


def a_counter_that_is_changed(o, x, i):
    for k in range(3):
        k = k - 2
        o[0] = o[0] * 10 + x[k]


def on_two_ways(o, x, i):
    j = 2
    if i == 0:
        j = -2
    o[0] = x[j]
    o[1] = x[1 if i else -1]


def becomes_negative_in_a_loop(o, x, i):
    j = 3
    for k in range(5):
        o[0] = o[0] * 10 + x[j]
        j = j - 2 if k % 2 else j


def a_product_that_wraps(o, x, i):
    """An int that has overflowed is negative, and its remainder is not."""
    h = 1
    for k in range(40):
        h = h * 6364136223846793 + k + 12345
        o[0] += x[h % 7]
        o[1] += x[(h >> 7) % 7 - 3]


def a_tuple(o, x, i):
    t = (1.0, 2.0, 3.0)
    o[0] = t[i - 1]


@pytest.mark.parametrize(
    "function",
    [
        read,
        write,
        captured,
        two_dimensions,
        rows,
        going_down,
        a_counter_that_is_changed,
        on_two_ways,
        becomes_negative_in_a_loop,
        a_tuple,
    ],
    ids=lambda function: function.__name__,
)
def test_as_in_python(function: Any) -> None:
    x, expected = np.arange(8.0), np.zeros(2)
    function(expected, x, 0)
    out, own = cuda.to_device(np.zeros(2)), cuda.to_device(np.arange(8.0))
    cuda.jit(function)[1, 1](out, own, 0)
    assert out.copy_to_host().tolist() == expected.tolist()
    assert own.copy_to_host().tolist() == x.tolist()


def test_ints_that_overflow() -> None:
    x, expected = np.arange(8.0), np.zeros(2)
    h = np.int64(1)
    with np.errstate(over="ignore"):
        for k in range(40):
            h = h * np.int64(6364136223846793) + np.int64(k) + np.int64(12345)
            expected[0] += x[h % 7]
            expected[1] += x[(h >> np.int64(7)) % 7 - 3]
    out = cuda.to_device(np.zeros(2))
    cuda.jit(a_product_that_wraps)[1, 1](out, cuda.to_device(x), 0)
    assert out.copy_to_host().tolist() == expected.tolist()


def test_atomics() -> None:
    @cuda.jit
    def kernel(x, i):
        cuda.atomic.add(x, i - 1, 5)
        cuda.atomic.max(x, i - 2, 50)

    x = cuda.to_device(np.array([1, 2, 3, 4]))
    kernel[1, 1](x, 0)
    assert x.copy_to_host().tolist() == [1, 2, 50, 9]


def test_bounds_are_checked_after_that() -> None:
    @cuda.jit(debug=True)
    def kernel(o, x, i):
        o[0] = x[i]

    out, x = cuda.to_device(np.zeros(1)), cuda.to_device(np.arange(4.0))
    kernel[1, 1](out, x, -4)
    kernel[1, 1](out, x, 3)
    for i in (-5, 4):
        with pytest.raises(IndexError):
            kernel[1, 1](out, x, i)


def grid(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] + x[i + 1]


def positions(x, y):
    part = cuda.shared.array(256, np.float32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    part[t] = x[b * cuda.blockDim.x + t]
    cuda.syncthreads()
    y[t % 32] = part[255 - 1] + part[t // 2] + part[t & 7]


def ranges(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = x[i]
    for i in range(x.size - 1, -1, -1):
        y[i] += x[i]
    for i in range(1, y.size):
        for j in range(i):
            y[j] += x[i]


def whiles(x, y):
    i = cuda.grid(1)
    while i < x.size:
        y[i] = x[i]
        i += cuda.gridsize(1)
    step = 128
    while step > 0:
        y[step] += x[step + 1]
        step //= 2


def unsigned(x, y):
    i = np.uint32(cuda.threadIdx.x)
    y[i] = x[i - np.uint32(1)]


def enumerated(x, y):
    for i, value in enumerate(x):
        y[i] = value


@pytest.mark.parametrize("function", [grid, positions, ranges, whiles, unsigned, enumerated], ids=lambda f: f.__name__)
def test_no_code_for_indices_that_cannot_be_negative(function: Any) -> None:
    array = "array(float32,1,C)"
    assert "py::wrapped" not in _translate(Environment(function), [array, array]).text


def subtracted(x, y):
    i = cuda.grid(1)
    y[i] = x[i - 1]


def given(x, y):
    for i in range(int(x[0]), 5):
        y[i] = 1


@pytest.mark.parametrize("function", [subtracted, given], ids=lambda f: f.__name__)
def test_code_for_others(function: Any) -> None:
    array = "array(float32,1,C)"
    assert "py::wrapped" in _translate(Environment(function), [array, array]).text
    assert "py::wrapped" not in _translate(Environment(function), [array, array], wraparound=False).text


def test_strides_of_a_captured_array() -> None:
    @cuda.jit
    def kernel(o):
        o[0] = FORTRAN.strides[0]
        o[1] = FORTRAN.strides[1]
        o[2] = FORTRAN[1, 2]
        o[3] = FORTRAN.T[3, 1]
        o[4] = FORTRAN[1:, 2][1]

    out = cuda.to_device(np.zeros(5))
    kernel[1, 1](out)
    assert out.copy_to_host().tolist() == [8, 24, 6, 7, 10]


def test_a_uniform_number_is_less_than_one() -> None:
    from cuox.numba.cuda.random import xoroshiro128p_uniform_float32

    @cuda.jit
    def kernel(states, o):
        o[0] = xoroshiro128p_uniform_float32(states, 0)

    states = np.zeros(1, np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True))
    states["s0"] = 2**64 - 1
    out = cuda.to_device(np.zeros(1, np.float32))
    kernel[1, 1](cuda.to_device(states), out)
    assert out.copy_to_host()[0] == np.nextafter(np.float32(1), np.float32(0))
