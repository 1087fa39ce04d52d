"""`cuox.pycuda.scan`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.pycuda import driver, gpuarray
from cuox.pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel
from cuox.pycuda.tools import init_cuda_context_fixture


@pytest.fixture(autouse=True)
def context() -> Any:
    yield from init_cuda_context_fixture()


@pytest.mark.parametrize("count", [0, 1, 31, 1000, 70_001])
def test_scans(count: int) -> None:
    host = np.random.default_rng(count).integers(-9, 9, count, np.int32)
    sums = np.cumsum(host, dtype=np.int32)
    inclusive, exclusive = InclusiveScanKernel(np.int32, "a+b"), ExclusiveScanKernel(np.int32, "a+b", neutral=0)
    array = gpuarray.to_gpu(host)
    new = inclusive(array, "new")
    assert new is not array
    np.testing.assert_array_equal(new.get(), sums)
    np.testing.assert_array_equal(array.get(), host)
    out, stream = gpuarray.zeros(count, np.int32), driver.Stream()
    assert exclusive(array, out, stream=stream) is out
    stream.synchronize()
    np.testing.assert_array_equal(out.get(), sums - host)
    assert inclusive(array) is array
    np.testing.assert_array_equal(array.get(), sums)


def test_operators_that_do_not_commute() -> None:
    # Composition of functions x -> p*x + q, kept as pairs.
    pair = np.dtype([("p", np.uint32), ("q", np.uint32)])
    from cuox.pycuda.tools import get_or_register_dtype

    get_or_register_dtype("affine_pair", pair)
    preamble = """
        struct affine_pair { unsigned p, q; };
        __device__ affine_pair after(affine_pair a, affine_pair b) { return affine_pair{a.p * b.p, a.q * b.p + b.q}; }
    """
    rng = np.random.default_rng(1)
    host = np.zeros(3000, pair)
    host["p"], host["q"] = rng.integers(0, 99, 3000), rng.integers(0, 99, 3000)
    got = InclusiveScanKernel(pair, "after(a, b)", preamble=preamble)(gpuarray.to_gpu(host), "new").get()
    p, q = 1, 0
    for index in range(3000):
        p, q = p * int(host["p"][index]) % 2**32, (q * int(host["p"][index]) + int(host["q"][index])) % 2**32
        assert (p, q) == (got["p"][index], got["q"][index])


def test_strided_and_wrong_arrays() -> None:
    host = np.arange(20, dtype=np.float64)
    kernel = InclusiveScanKernel(np.float64, "max(a, b)", name_prefix="largest")
    np.testing.assert_array_equal(kernel(gpuarray.to_gpu(host)[::-2], "new").get(), np.full(10, 19.0))
    with pytest.raises(ValueError, match="neutral"):
        ExclusiveScanKernel(np.float64, "a+b")
    with pytest.raises(TypeError, match="dtype"):
        kernel(gpuarray.zeros(3, np.float32))
    with pytest.raises(ValueError, match="shape"):
        kernel(gpuarray.zeros(3), gpuarray.zeros(4))
    with pytest.raises(ValueError, match="one dimension"):
        kernel(gpuarray.zeros((3, 3)))
    with pytest.raises(ValueError, match="new"):
        kernel(gpuarray.zeros(3), "old")  # type: ignore[arg-type]
