"""Atomic operations of kernels in Python: all operations on all element types, in global and shared memory, with many
threads on one element.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.numba import cuda

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
THREADS = 96

BITS = {"and_": np.bitwise_and, "or_": np.bitwise_or, "xor": np.bitwise_xor}


def kernel_of(operation: str) -> Any:
    """A kernel whose threads all change element 1, and the same in shared memory."""
    text = f"""
def kernel(x, values, start):
    i = cuda.grid(1)
    part = cuda.shared.array(2, values.dtype)
    if cuda.threadIdx.x == 0:
        part[0] = start
    cuda.syncthreads()
    if i < values.size:
        cuda.atomic.{operation}(x, 1, values[i])
        cuda.atomic.{operation}(part, 0, values[i])
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        x[2] = part[0]
"""
    scope = {"cuda": cuda}
    exec(text, scope)
    return cuda.jit(scope["kernel"])


def run(operation: str, start: Any, values: np.ndarray) -> tuple[Any, Any]:
    x = np.zeros(4, values.dtype)
    x[1] = start
    there = cuda.to_device(x)
    kernel_of(operation)[1, 128](there, cuda.to_device(values), values.dtype.type(start))
    x = there.copy_to_host()
    assert x[0] == 0 and x[3] == 0
    return x[1], x[2]


def some(dtype: Any) -> np.ndarray:
    random = np.random.default_rng(7)
    if np.issubdtype(dtype, np.floating):
        return random.integers(-3, 4, THREADS).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, THREADS, dtype=dtype, endpoint=True)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_sums_wrap(dtype: Any) -> None:
    values = some(dtype)
    with np.errstate(over="ignore"):
        total = values.sum(dtype=dtype)
        assert run("add", 3, values) == (dtype(3) + total,) * 2
        assert run("sub", 3, values) == (dtype(3) - total,) * 2


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_extremes(dtype: Any) -> None:
    values = some(dtype)
    for name in ("max", "nanmax"):
        assert run(name, values[0], values) == (values.max(),) * 2
    for name in ("min", "nanmin"):
        assert run(name, values[0], values) == (values.min(),) * 2


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits(dtype: Any) -> None:
    values = some(dtype)
    for name, function in BITS.items():
        assert run(name, values[0], values[1:]) == (function.reduce(values),) * 2


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_counting(dtype: Any) -> None:
    # From 5 on: 6, 7, 0, 1, … and 4, …, 0, 7, 6, …
    values = np.full(THREADS, 7, dtype)
    assert run("inc", 5, values) == ((5 + THREADS) % 8,) * 2
    assert run("dec", 5, values) == ((5 - THREADS) % 8,) * 2


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_exchanges_lose_nothing(dtype: Any) -> None:
    @cuda.jit
    def kernel(x: Any, old: Any) -> None:
        i = cuda.grid(1)
        old[i] = cuda.atomic.exch(x, 0, old.dtype.type(i + 1))

    x, old = cuda.to_device(np.zeros(1, dtype)), cuda.device_array(THREADS, dtype)
    kernel[3, THREADS // 3](x, old)
    assert sorted([*old.copy_to_host(), *x.copy_to_host()]) == list(range(THREADS + 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("name", "start", "value", "expected"),
    [
        ("max", np.nan, 1, np.nan), ("max", 1, np.nan, 1), ("min", np.nan, 1, np.nan), ("min", 1, np.nan, 1),
        ("nanmax", np.nan, 1, 1), ("nanmax", 1, np.nan, 1), ("nanmin", np.nan, 1, 1), ("nanmin", 1, np.nan, 1),
    ],
)  # fmt: skip
def test_extremes_and_nan(dtype: Any, name: str, start: float, value: float, expected: float) -> None:
    np.testing.assert_array_equal(run(name, start, np.array([value], dtype)), [expected] * 2)


def test_the_old_value_is_the_result() -> None:
    @cuda.jit
    def kernel(x: Any, old: Any) -> None:
        old[0] = cuda.atomic.add(x, 0, 2)
        old[1] = cuda.atomic.max(x, 0, 1)
        old[2] = cuda.atomic.max(x, 0, 100)
        old[3] = cuda.atomic.cas(x, 0, 100, 5)
        old[4] = cuda.atomic.cas(x, 0, 100, 6)
        old[5] = cuda.atomic.compare_and_swap(x, 5, 9)
        old[6] = x[0]

    x, old = cuda.to_device(np.array([10], np.int32)), cuda.device_array(7, np.int32)
    kernel[1, 1](x, old)
    assert old.copy_to_host().tolist() == [10, 12, 12, 100, 5, 5, 9]


def test_places_by_several_indices() -> None:
    @cuda.jit
    def kernel(x: Any) -> None:
        i, j = cuda.grid(2)
        cuda.atomic.add(x, (i % 2, j % 3), 1)
        cuda.atomic.add(x[i % 2], -1, 1)

    x = cuda.to_device(np.zeros((2, 4), np.float32))
    kernel[(2, 2), (4, 6)](x)
    expected = np.full((2, 4), 16.0)
    expected[:, 3] = 48
    np.testing.assert_array_equal(x.copy_to_host(), expected)
