"""`cuox.pycuda.cumath` beside NumPy's functions."""

from __future__ import annotations

from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox.pycuda import cumath, driver, gpuarray

NAMES = [
    "fabs",
    "ceil",
    "floor",
    "exp",
    "log",
    "log10",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
]
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
COMPLEX = [name for name in NAMES if name not in ("fabs", "ceil", "floor", "asin", "acos", "atan")]


@pytest.fixture(autouse=True)
def current(device: cuox.Device) -> None:
    device.set_current()


@pytest.mark.parametrize("dtype", exhaustive.some(["f2", "f4", "f8", "i4", "u1", "?"], ["f2", "f4", "f8", "u1"]))
@pytest.mark.parametrize("name", NAMES)
def test_functions(name: str, dtype: str) -> None:
    host = np.linspace(0.05, 0.95, 40).reshape(5, 8).astype(dtype)[::-1, ::2]
    numpys = getattr(np, NUMPY.get(name, name))
    with np.errstate(all="ignore"):
        try:
            wanted = numpys(host)
        except TypeError:
            wanted = None
    if wanted is None:
        with pytest.raises(TypeError):
            getattr(cumath, name)(gpuarray.to_gpu(host))
        return
    got = getattr(cumath, name)(gpuarray.to_gpu(host))
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.kind in "biu":
        np.testing.assert_array_equal(got.get(), wanted)
    else:
        np.testing.assert_allclose(got.get(), wanted, rtol=8 * np.finfo(wanted.dtype).eps)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("name", COMPLEX)
def test_functions_of_complex_numbers(name: str, dtype: str) -> None:
    host = (np.linspace(-1.4, 1.3, 30) + 1j * np.linspace(0.9, -1.2, 30)).astype(dtype)
    wanted = getattr(np, name)(host)
    got = getattr(cumath, name)(gpuarray.to_gpu(host)).get()
    assert got.dtype == wanted.dtype
    assert (np.abs(got - wanted) <= 32 * np.finfo(wanted.dtype).eps * np.abs(wanted)).all()


def test_outputs_and_streams() -> None:
    host = np.linspace(0, 1, 10, dtype=np.float32)
    array, out, stream = gpuarray.to_gpu(host), gpuarray.zeros(10, np.float64), driver.Stream()
    assert cumath.sqrt(array, out=out, stream=stream) is out
    np.testing.assert_array_equal(out.get(), np.sqrt(host).astype(np.float64))
    with pytest.warns(DeprecationWarning):
        assert cumath.sqrt(array, out) is out
    with pytest.warns(DeprecationWarning):
        np.testing.assert_array_equal(cumath.sqrt(array, stream).get(), np.sqrt(host))
    for wrong in (gpuarray.zeros(10, np.int32), gpuarray.zeros(9, np.float32)):
        with pytest.raises((TypeError, ValueError)):
            cumath.sqrt(array, out=wrong)
    with pytest.raises(TypeError, match="to_gpu"):
        cumath.sqrt(host)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_parts_of_numbers(dtype: Any) -> None:
    host = np.array([0, -0.0, 1.5, -2.75, 1000, 0.001, np.inf, -np.inf], dtype).reshape(2, 4).T
    array = gpuarray.to_gpu(host)[::-1]
    host = host[::-1]
    for got, wanted in [(cumath.modf(array), np.modf(host)), (cumath.frexp(array[2:]), np.frexp(host[2:]))]:
        for part, wanted_part in zip(got, wanted, strict=True):
            assert part.dtype == dtype
            finite = np.isfinite(wanted_part)
            np.testing.assert_array_equal(part.get()[finite], wanted_part[finite])
    exponents = np.arange(-4, 4).reshape(4, 2)
    np.testing.assert_array_equal(cumath.ldexp(array, gpuarray.to_gpu(exponents)).get(), np.ldexp(host, exponents))
    np.testing.assert_array_equal(
        cumath.ldexp(array, gpuarray.to_gpu(exponents + 0.25)).get(), np.ldexp(host, (exponents + 0.25).astype(int))
    )
    finite_host = np.where(np.isfinite(host), host, 3).astype(dtype)
    np.testing.assert_array_equal(
        cumath.fmod(gpuarray.to_gpu(finite_host), 0.75).get(), np.fmod(finite_host, dtype(0.75))
    )
