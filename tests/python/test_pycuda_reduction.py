"""`cuox.pycuda.reduction`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.pycuda import driver, gpuarray, reduction
from cuox.pycuda.reduction import ReductionKernel
from cuox.pycuda.tools import init_cuda_context_fixture


@pytest.fixture(autouse=True)
def context() -> Any:
    yield from init_cuda_context_fixture()


X = np.random.default_rng(5).uniform(-1, 1, 10_000).astype(np.float32)


def test_kernels_of_ones_own() -> None:
    x = gpuarray.to_gpu(X)
    squares = ReductionKernel(
        np.float64,
        neutral="0",
        reduce_expr="a+b",
        map_expr="scale*x[i]*(double)x[i]",
        arguments="const float *x, double scale",
    )
    result = squares(x, 2)
    assert isinstance(result, gpuarray.GPUArray) and (result.shape, result.dtype) == ((), np.float64)
    np.testing.assert_allclose(result.get(), 2 * (X.astype(float) ** 2).sum(), rtol=1e-12)
    assert squares(x, 2).get() == result.get()
    largest = ReductionKernel(np.float32, neutral=-9, reduce_expr="max(a, b)", arguments="float *in")
    assert largest(x.reshape(100, 100)[:, ::7]).get() == X.reshape(100, 100)[:, ::7].max()
    assert largest(x[:0]).get() == -9


def test_outputs_allocators_and_streams() -> None:
    x, stream = gpuarray.to_gpu(X), driver.Stream()
    smallest = ReductionKernel(np.float32, "1", "min(a, b)", arguments="float *in")
    out = gpuarray.zeros(3, np.float32)
    assert smallest(x, out=out, stream=stream) is out
    stream.synchronize()
    assert out.get().tolist() == [X.min(), 0, 0]
    sizes: list[int] = []

    def allocate(size: int) -> Any:
        sizes.append(size)
        return driver.mem_alloc(size)

    assert smallest(x, allocator=allocate).get() == X.min() and sizes == [4]
    with pytest.raises(ValueError, match="dtype"):
        smallest(x, out=gpuarray.zeros((), np.float64))
    with pytest.raises(ValueError, match="no elements"):
        smallest(x, out=gpuarray.zeros(0, np.float32))


def test_axes_and_ranges() -> None:
    host = X[:600].reshape(4, 10, 15)
    total = ReductionKernel(np.float64, "0", "a+b", arguments="const float *x")
    for axis in (0, -1, (0, 2)):
        np.testing.assert_allclose(
            total(gpuarray.to_gpu(host), axis=axis).get(), host.astype(float).sum(axis=axis), rtol=1e-9, atol=1e-9
        )
    np.testing.assert_allclose(
        total(gpuarray.to_gpu(X), range=slice(10, 100, 3)).get(), X[10:100:3].astype(float).sum(), rtol=1e-9
    )


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="at least one argument must be an array"):
        ReductionKernel(np.float32, "0", "a+b", "n", "int n")
    with pytest.raises(TypeError, match="arguments"):
        ReductionKernel(np.float32, "0", "a+b")
    with pytest.raises(TypeError):
        ReductionKernel(np.float32, "0", "a+b", arguments="const float *x")(gpuarray.zeros(3, np.float64))


def test_kernels_that_gpuarray_has() -> None:
    f4, i4 = np.dtype(np.float32), np.dtype(np.int32)
    x, chosen = gpuarray.to_gpu(X), np.array([5, 17, 4], np.int32)
    on_chosen = gpuarray.to_gpu(chosen)
    for got, wanted in [
        (reduction.get_sum_kernel(np.float64, f4)(x), X.astype(float).sum()),
        (reduction.get_any_kernel(np.dtype(bool), f4)(x), True),
        (reduction.get_all_kernel(np.dtype(bool), f4)(x), True),
        (reduction.get_dot_kernel(np.float64, f4, f4)(x, x), (X.astype(float) ** 2).sum()),
        (reduction.get_minmax_kernel("max", f4)(x), X.max()),
        (reduction.get_subset_minmax_kernel("min", f4, i4)(on_chosen, x), X[chosen].min()),
        (reduction.get_subset_sum_kernel(None, i4, f4)(on_chosen, x), X[chosen].sum()),
        (reduction.get_subset_dot_kernel(f4, i4)(on_chosen, x, x), (X[chosen] ** 2).sum()),
    ]:
        np.testing.assert_allclose(got.get(), wanted, rtol=1e-5)
    for dtype in (np.int8, np.uint64, np.int64):
        info = np.iinfo(dtype)
        host = np.array([info.min, info.max, 3], dtype)
        assert reduction.get_minmax_kernel("min", np.dtype(dtype))(gpuarray.to_gpu(host)).get() == info.min
        assert reduction.get_minmax_kernel("max", np.dtype(dtype))(gpuarray.to_gpu(host)).get() == info.max
    with pytest.raises(ValueError, match='"min" or "max"'):
        reduction.get_minmax_neutral("mean", f4)


def test_subsets() -> None:
    x, chosen = gpuarray.to_gpu(X), np.array([9, 8, 7, 100], np.uint16)
    on_chosen = gpuarray.to_gpu(chosen)
    np.testing.assert_allclose(gpuarray.subset_sum(on_chosen, x).get(), X[chosen].sum(), rtol=1e-6)
    np.testing.assert_allclose(gpuarray.subset_dot(on_chosen, x, x).get(), (X[chosen] ** 2).sum(), rtol=1e-6)
    assert gpuarray.subset_max(on_chosen, x).get() == X[chosen].max()
    assert gpuarray.subset_min(on_chosen, x[:200][::-1]).get() == X[:200][::-1][chosen].min()
    z = (X[:50] + 1j * X[50:100]).astype(np.complex64)
    np.testing.assert_allclose(gpuarray.vdot(gpuarray.to_gpu(z), gpuarray.to_gpu(z)).get(), np.vdot(z, z), rtol=1e-5)


def test_stages_of_reductions() -> None:
    x, partial, out = gpuarray.to_gpu(X), gpuarray.zeros(10, np.float32), gpuarray.zeros(1, np.float32)
    first, types = reduction.get_reduction_kernel_and_types(
        1, "float", 96, "0", "a+b", "scale*in[i]", "const float *in, float scale"
    )
    assert types == ["P", "f"]
    first.prepared_async_call(
        (10, 1), (96, 1, 1), None, partial.gpudata, x.gpudata, 2.0, 11, 10_000, shared_size=96 * 4
    )
    second, _ = reduction.get_reduction_kernel_and_types(
        2, "float", 96, "0", "a+b", arguments="const float *in, float scale"
    )
    second.prepared_async_call(
        (1, 1), (96, 1, 1), None, out.gpudata, partial.gpudata, x.gpudata, 2.0, 1, 10, shared_size=96 * 4
    )
    np.testing.assert_allclose(out.get()[0], 2 * X.sum(), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(partial.get()[0], 2 * X[: 96 * 11].sum(), rtol=1e-3, atol=1e-3)
