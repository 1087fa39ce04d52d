"""`cuox.pycuda.elementwise`: kernels of one's own, and the prepared functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuox.pycuda import driver, elementwise, gpuarray
from cuox.pycuda.elementwise import ElementwiseKernel
from cuox.pycuda.tools import ScalarArg, VectorArg, init_cuda_context_fixture


@pytest.fixture(autouse=True)
def context() -> Any:
    yield from init_cuda_context_fixture()


def on_device(*shape: int, dtype: Any = np.float32) -> gpuarray.GPUArray:
    return gpuarray.to_gpu(np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape))


def test_arguments_as_text_and_as_a_list() -> None:
    x, z = on_device(100), gpuarray.zeros(100, np.float32)
    for arguments in (
        "float a, const float *x, float *z",
        [ScalarArg(np.float32, "a"), VectorArg(np.float32, "x"), VectorArg(np.float32, "z")],
    ):
        kernel = ElementwiseKernel(arguments, "z[i] = a * x[i] + n", "scaled")
        z.fill(0)
        kernel(3, x, z)
        np.testing.assert_array_equal(z.get(), 3 * np.arange(100, dtype=np.float32) + 100)


def test_arrays_of_any_strides() -> None:
    x, z = on_device(6, 8), gpuarray.zeros((4, 6), np.float32).T
    kernel = ElementwiseKernel("float *x, float *z", "z[i] = 2 * x[i]")
    kernel(x[:, ::2], z)
    np.testing.assert_array_equal(z.get(), 2 * x.get()[:, ::2])
    numbered = ElementwiseKernel("float *x, int *z", "z[i] = i")
    places = gpuarray.zeros((6, 4), np.int32)
    numbered(x[:, ::-2], places)
    np.testing.assert_array_equal(places.get().ravel(), np.arange(24))


def test_ranges_and_slices() -> None:
    kernel = ElementwiseKernel("int *z", "z[i] = i + 1")
    for chosen in (slice(5, 20), slice(5, 20, 4), slice(30, 5, -3), slice(-10, None), slice(7, 7), slice(20, 5)):
        wanted, z = np.zeros(40, np.int32), gpuarray.zeros(40, np.int32)
        wanted[chosen] = np.arange(1, 41)[chosen]
        kernel(z, slice=chosen)
        np.testing.assert_array_equal(z.get(), wanted)
    z = gpuarray.zeros(40, np.int32)
    kernel(z, range=slice(3, 9, 2))
    assert np.flatnonzero(z.get()).tolist() == [3, 5, 7]
    with pytest.raises(TypeError, match="one of the two"):
        kernel(z, range=slice(0, 1), slice=slice(0, 1))


def test_preambles_loops_and_streams() -> None:
    kernel = ElementwiseKernel(
        "float *x, float *z",
        "z[i] = offset + twice(x[i])",
        preamble="__device__ float twice(float x) { return 2 * x; }",
        loop_prep="const float offset = 5",
        after_loop="if (n == 0) z[0] = 1",
        options=["--use_fast_math"],
    )
    x, stream = on_device(10), driver.Stream()
    z = gpuarray.empty_like(x)
    kernel(x, z, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(z.get(), 5 + 2 * x.get())


def test_complex_arguments() -> None:
    x = on_device(10, dtype=np.complex64)
    kernel = ElementwiseKernel(
        "pycuda::complex<float> a, pycuda::complex<float> *x", "x[i] = a * x[i] + pycuda::complex<float>(0, 1)"
    )
    kernel(np.complex64(2j), x)
    np.testing.assert_array_equal(x.get(), np.complex64(2j) * np.arange(10) + 1j)


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="at least one argument must be an array"):
        ElementwiseKernel("float a", "a = 1")
    kernel = ElementwiseKernel("float *x, float a", "x[i] = a", "setting")
    with pytest.raises(TypeError, match="setting"):
        kernel(on_device(3))
    with pytest.raises(TypeError, match="x"):
        kernel(on_device(3, dtype=np.float64), 1)
    with pytest.raises(driver.CompileError):
        ElementwiseKernel("float *x", "x[i] = unknown")(on_device(3))


def run(function: Any, count: int, *args: Any) -> None:
    grid, block = gpuarray.splay(count)
    values = [arg.gpudata if isinstance(arg, gpuarray.GPUArray) else arg for arg in args]
    function.prepared_async_call(grid, block, None, *values, count)


F4, I4, C8 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.complex64)
X, Y = np.linspace(-3, 4, 50, dtype=np.float32), np.linspace(1, 5, 50, dtype=np.float32)
Z = (X + 1j * Y).astype(np.complex64)

PREPARED: dict[str, tuple[Any, tuple[Any, ...], Any]] = {
    "axpbyz": (lambda: elementwise.get_axpbyz_kernel(F4, F4, F4), (2, X, 3, Y), 2 * X + 3 * Y),
    "axpbyz of one": (
        lambda: elementwise.get_axpbyz_kernel(F4, F4, F4, y_is_scalar=True),
        (2, X, 3, Y[:1]),
        2 * X + 3 * Y[0],
    ),
    "axpbz": (lambda: elementwise.get_axpbz_kernel(F4, F4), (2, X, 1), 2 * X + 1),
    "binary op": (lambda: elementwise.get_binary_op_kernel(F4, F4, F4, "*"), (X, Y), X * Y),
    "rdivide": (lambda: elementwise.get_rdivide_elwise_kernel(F4, F4), (Y, 3), 3 / Y),
    "binary func": (lambda: elementwise.get_binary_func_kernel("atan2f", F4, F4, F4), (X, Y), np.arctan2(X, Y)),
    "binary func scalar": (
        lambda: elementwise.get_binary_func_scalar_kernel("fmodf", F4, F4, F4),
        (X, 2),
        np.fmod(X, 2),
    ),
    "minmax": (
        lambda: elementwise.get_binary_minmax_kernel("min", F4, F4, F4, use_scalar=True),
        (X, 0),
        np.minimum(X, 0),
    ),
    "fill": (lambda: elementwise.get_fill_kernel(F4), (7,), np.full(50, 7, np.float32)),
    "reverse": (lambda: elementwise.get_reverse_kernel(F4), (X,), X[::-1]),
    "conversion": (
        lambda: elementwise.get_unary_func_kernel("__int2float_rn", I4, F4),
        (np.arange(50, dtype=np.int32),),
        np.arange(50, dtype=np.float32),
    ),
    "real": (lambda: elementwise.get_real_kernel(C8, F4), (Z,), Z.real),
    "imag": (lambda: elementwise.get_imag_kernel(C8, F4), (Z,), Z.imag),
    "conj": (lambda: elementwise.get_conj_kernel(C8, C8), (Z,), Z.conj()),
    "pow": (lambda: elementwise.get_pow_array_kernel(F4, F4, F4, True, False), (Y, 3), Y**3),
    "pow of arrays": (lambda: elementwise.get_pow_array_kernel(F4, F4, F4, True, True), (Y, X), Y**X),
    "fmod": (lambda: elementwise.get_fmod_kernel(), (X, Y), np.fmod(X, Y)),
    "ldexp": (lambda: elementwise.get_ldexp_kernel(), (X, Y), np.ldexp(X, Y.astype(int))),
    "unary func": (lambda: elementwise.get_unary_func_kernel("expf", F4), (X,), np.exp(X)),
    "if positive": (lambda: elementwise.get_if_positive_kernel(F4, F4), (X, X, Y), np.where(X > 0, X, Y)),
    "where": (lambda: elementwise.get_where_kernel(F4, F4), (X, X, Y), np.where(X != 0, X, Y)),
    "scalar op": (lambda: elementwise.get_scalar_op_kernel(F4, F4, F4, "-"), (X, 2), X - 2),
    "logical not": (lambda: elementwise.get_logical_not_kernel(F4, F4), (X,), (X == 0).astype(np.float32)),
}


@pytest.mark.parametrize("name", PREPARED)
def test_prepared_functions(name: str) -> None:
    make, operands, wanted = PREPARED[name]
    out = gpuarray.zeros(50, wanted.dtype)
    run(
        make(),
        50,
        *(gpuarray.to_gpu(operand) if isinstance(operand, np.ndarray) else operand for operand in operands),
        out,
    )
    np.testing.assert_allclose(out.get(), wanted, rtol=2e-6, atol=2e-6)


def test_prepared_functions_with_other_arguments() -> None:
    z = gpuarray.zeros(10, np.float32)
    run(elementwise.get_arange_kernel(F4), 10, z, 2, 3)
    np.testing.assert_array_equal(z.get(), np.arange(2, 32, 3))
    x, first, second = gpuarray.to_gpu(X), gpuarray.zeros(50, np.float32), gpuarray.zeros(50, np.float32)
    run(elementwise.get_modf_kernel(), 50, x, first, second)
    np.testing.assert_array_equal(second.get() + first.get(), X)
    run(elementwise.get_frexp_kernel(), 50, x, first, second)
    np.testing.assert_array_equal(np.ldexp(first.get(), second.get().astype(int)), X)
    run(elementwise.get_copy_kernel(F4, F4), 50, first, x)
    np.testing.assert_array_equal(first.get(), X)
    places = gpuarray.to_gpu(np.arange(9, -1, -1, dtype=np.int32))
    run(elementwise.get_put_kernel(F4, I4), 10, places, z, x)
    np.testing.assert_array_equal(z.get(), X[9::-1])


def test_prepared_functions_with_sources() -> None:
    x, places = gpuarray.to_gpu(X), gpuarray.to_gpu(np.array([4, 1, 9], np.int32))
    function, sources = elementwise.get_take_kernel(F4, I4)
    z = gpuarray.zeros(3, np.float32)
    with pytest.raises(ValueError, match="set_address"):
        run(function, 3, places, z)
    x.bind_to_texref_ext(sources[0])
    run(function, 3, places, z)
    np.testing.assert_array_equal(z.get(), X[[4, 1, 9]])
    function, sources = elementwise.get_take_put_kernel(F4, I4, with_offsets=True)
    x.bind_to_texref_ext(sources[0])
    to = gpuarray.to_gpu(np.array([2, 1, 0], np.int32))
    run(function, 3, to, places, z, 1)
    np.testing.assert_array_equal(z.get(), X[[10, 2, 5]])
    function, sources = elementwise.get_linear_combination_kernel(((True, F4, F4), (False, F4, F4)), F4)
    factor = gpuarray.to_gpu(np.array([3], np.float32))
    factor.bind_to_texref_ext(sources[0])
    z = gpuarray.zeros(50, np.float32)
    run(function, 50, x, 2, gpuarray.to_gpu(Y), z)
    np.testing.assert_allclose(z.get(), 3 * X + 2 * Y, rtol=1e-5, atol=1e-6)


def test_generated_kernels_for_contiguous_arrays() -> None:
    kernel = ElementwiseKernel("float *z", "z[i] = i")
    module, function, arguments = kernel.generate_stride_kernel_and_types(False)
    assert [argument.name for argument in arguments] == ["z", "n"] and module.get_function("kernel") is not None
    z = gpuarray.zeros(10, np.float32)
    run(function, 10, z)
    np.testing.assert_array_equal(z.get(), np.arange(10))
    _, function, arguments = kernel.generate_stride_kernel_and_types(True)
    assert [argument.name for argument in arguments] == ["z", "start", "stop", "step"]
    z.fill(-1)
    function.prepared_async_call((1, 1), (32, 1, 1), None, z.gpudata, 8, 1, -3)
    np.testing.assert_array_equal(z.get(), [-1, -1, 2, -1, -1, 5, -1, -1, 8, -1])
