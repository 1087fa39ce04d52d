"""`cuda.vectorize`, `cuda.guvectorize` and `cuda.reduce`: compared with NumPy's own functions."""

from __future__ import annotations

import functools
import math
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox import numba
from cuox.numba import cuda
from cuox.numba.cuda import deviceufunc
from cuox.numba.cuda.core import errors

RANDOM = np.random.default_rng(15)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.NumbaPerformanceWarning)
        yield


@cuda.vectorize(["int32(int32, int32)", "float32(float32, float32)", "float64(float64, float64)"])
def less_twice(a: Any, b: Any) -> Any:
    return a - 2 * b


@cuda.vectorize
def fused(a: Any, b: Any) -> Any:
    return a * b + a


# vectorize


@pytest.mark.parametrize(
    "dtype",
    exhaustive.some(
        ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"],
        ["?", "i1", "u2", "i4", "u8", "f4", "c16"],
    ),
)
@pytest.mark.parametrize("n", [0, 1, 5, 1000, 70_001])
def test_every_type_of_elements(dtype: str, n: int) -> None:
    x, y = (RANDOM.integers(0, 2 if dtype == "?" else 9, n).astype(dtype) for _ in range(2))

    ty = cuda.types.from_dtype(dtype)

    @cuda.vectorize([ty(ty, ty)])
    def same_type(a: Any, b: Any) -> Any:
        return a * b + a

    got = same_type(x, y)
    assert got.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(got, (x * y + x).astype(dtype))


def test_float16() -> None:
    @cuda.vectorize(["float16(float16, float16)"])
    def add(a: Any, b: Any) -> Any:
        return a + b

    x = RANDOM.random(1001).astype("f2")
    got = add(x, x[::-1])
    assert got.dtype == np.float16
    np.testing.assert_array_equal(got, x + x[::-1])


@pytest.mark.parametrize(
    "shapes", [((4, 1), (3,)), ((2, 3, 4), (3, 1)), ((), (5,)), ((1,), (7,)), ((2, 1, 3), (1, 5, 1)), ((0, 3), (3,))]
)
def test_broadcasting(shapes: Any) -> None:
    x, y = (RANDOM.random(shape) for shape in shapes)
    expected = x - 2 * y
    np.testing.assert_array_equal(less_twice(x, y), expected)
    there = less_twice(cuda.to_device(x), cuda.to_device(y))
    assert isinstance(there, cuda.DeviceNDArray)
    np.testing.assert_array_equal(there.copy_to_host(), expected)


@pytest.mark.parametrize("view", [np.s_[::2, :], np.s_[:, ::-1], np.s_[3:1:-1, 1::3], np.s_[:, 2:3]])
def test_views_of_any_strides(view: Any) -> None:
    x = RANDOM.random((6, 8))
    np.testing.assert_array_equal(less_twice(x[view], np.asfortranarray(x)[view]), -x[view])
    there = cuda.to_device(x)
    np.testing.assert_array_equal(less_twice(there[view], there[view]).copy_to_host(), -x[view])
    np.testing.assert_array_equal(less_twice(there.T, there.T).copy_to_host(), -x.T)


def test_results_in_given_arrays() -> None:
    x = RANDOM.random((5, 6)).astype("f4")
    host = np.zeros((5, 12), "f4")
    assert less_twice(x, x, out=host[:, ::2]) is not None
    np.testing.assert_array_equal(host[:, ::2], -x)
    assert not host[:, 1::2].any()
    there = cuda.to_device(x)
    assert less_twice(there, there, there) is there
    np.testing.assert_array_equal(there.copy_to_host(), -x)
    wide = np.zeros((5, 6))
    less_twice(x, x, out=wide)
    np.testing.assert_array_equal(wide, -x)
    with pytest.raises(ValueError, match=r"out has the shape \(5,\), the result \(5, 6\)"):
        less_twice(x, x, out=np.zeros(5, "f4"))
    with pytest.raises(TypeError, match="out has the dtype int32, the result float32"):
        less_twice(x, x, out=np.zeros((5, 6), "i4"))
    with pytest.raises(ValueError, match="both positional and keyword"):
        less_twice(x, x, x, out=x)
    read_only = np.zeros((5, 6), "f4")
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        less_twice(x, x, out=read_only)


def test_signatures_are_chosen_as_numpy_does() -> None:
    ints = np.arange(5, dtype="i4")
    assert less_twice(ints, ints).dtype == np.int32
    assert less_twice(ints.astype("i2"), ints).dtype == np.int32
    assert less_twice(ints.astype("i2"), ints.astype("f4")).dtype == np.float32
    assert less_twice(ints, ints.astype("f4")).dtype == np.float64
    # A Python number takes the type of the arrays.
    assert less_twice(ints.astype("f4"), 2.5).dtype == np.float32
    assert less_twice(ints, 2).dtype == np.int32
    assert less_twice(ints, 2.5).dtype == np.float64
    assert less_twice(1.25, 2.5) == -3.75
    assert less_twice(np.int64(5), ints).dtype == np.float64
    with pytest.raises(
        TypeError,
        match=r"no matching definition for arguments of types \(complex128, int32\); it was declared for \(int32, int32\)",
    ):
        less_twice(ints + 1j, ints)
    with pytest.raises(TypeError, match=r"\(int64, float64\); .* An array on a device does not support .astype\(\)"):
        less_twice(cuda.to_device(np.arange(3)), np.arange(3.0))


def test_without_signatures_the_types_are_those_of_the_arguments() -> None:
    for dtype in ("i4", "i8", "f4", "f8", "c8", "c16"):
        x = np.arange(4).astype(dtype)
        got = fused(x, x)
        np.testing.assert_array_equal(got, x * x + x)
    assert fused(np.arange(4, dtype="f4"), 2.0).dtype == np.float32
    assert fused(3, 4) == 15
    assert fused(2j, 1.0) == 4j


def test_other_forms_of_arguments() -> None:
    np.testing.assert_array_equal(less_twice((1.0, 2.0), [3.0, 4.0]), [-5.0, -6.0])
    result = less_twice(np.float64(1), np.array(2.0))
    assert result == -3 and isinstance(result, np.float64)
    assert less_twice(np.zeros((0, 3)), 1.0).shape == (0, 3)
    with pytest.raises(TypeError, match=r"less_twice\(\) takes 2 positional arguments, got 1"):
        less_twice(1.0)
    with pytest.raises(ValueError, match="shape mismatch"):
        less_twice(np.zeros(3), np.zeros(4))


def test_streams_order_the_work() -> None:
    stream = cuda.stream()
    x = RANDOM.random(100_000)
    there = cuda.to_device(x, stream=stream)
    for _ in range(5):
        less_twice(there, there, out=there, stream=stream)
    np.testing.assert_array_equal(less_twice(x, x, stream=stream), -x)
    np.testing.assert_array_equal(there.copy_to_host(stream=stream), -x)


def test_functions_with_branches_globals_and_device_functions() -> None:
    table = np.array([1.0, 10.0, 100.0])

    @cuda.jit(device=True)
    def scaled(x: Any, which: Any) -> Any:
        return x * table[which]

    @numba.vectorize(["float64(float64, int32)"], target="cuda")
    def sinc(x: Any, which: Any) -> Any:
        if x == 0.0:
            return scaled(1.0, which)
        return scaled(math.sin(x * math.pi) / (math.pi * x), which)

    x = np.arange(-5, 5) / 4
    which = (np.arange(10) % 3).astype("i4")
    np.testing.assert_allclose(sinc(x, which), np.sinc(x) * table[which], rtol=1e-13, atol=1e-14)
    assert sinc.__name__ == "sinc"
    assert sinc.types == ["di->d"]


def test_a_ufunc_is_a_function_in_kernels() -> None:
    @cuda.jit
    def kernel(x: Any) -> None:
        x[0] = less_twice(x[1], x[2])

    x = cuda.to_device(np.array([0.0, 7.0, 2.0]))
    kernel[1, 1](x)
    assert x[0] == 3.0


def test_reduce_of_a_ufunc() -> None:
    @cuda.vectorize(["int32(int32, int32)", "float64(float64, float64)"])
    def larger(a: Any, b: Any) -> Any:
        return a if a > b else b

    for n in (1, 8, 1025, 100_001):
        x = RANDOM.integers(-(10**6), -1, n).astype("i4")
        got = larger.reduce(x)
        assert got == x.max() and got.dtype == np.int32
        stream = cuda.stream()
        assert larger.reduce(cuda.to_device(x.astype("f8"), stream=stream), stream=stream) == x.max()
    with pytest.raises(TypeError, match="without elements"):
        larger.reduce(np.zeros(0))
    with pytest.raises(TypeError, match="one dimension"):
        larger.reduce(np.zeros((2, 2)))


def test_what_cannot_be_vectorized_says_so() -> None:
    with pytest.raises(KeyError, match="Unrecognized options"):
        cuda.vectorize(["float32(float32)"], nonexistent=2)
    with pytest.raises(ValueError, match="target must be 'cuda'"):
        numba.vectorize(["float32(float32)"], target="parallel")
    with pytest.raises(ValueError, match="target must be 'cuda'"):
        numba.vectorize(["float32(float32)"])
    with pytest.raises(TypeError, match="takes 1 arguments, but the signature"):
        cuda.vectorize(["float32(float32, float32)"])(lambda a: a)
    with pytest.raises(NotImplementedError, match="may raise ValueError"):

        @cuda.vectorize(["float32(float32)"])
        def refuses(x: Any) -> Any:
            if x < 0:
                raise ValueError("negative")
            return x

    with pytest.raises(errors.TypingError):
        cuda.vectorize(["float32(float32)"])(lambda a: a.nothing)
    with pytest.raises(TypeError, match="elements must be numbers"):
        cuda.vectorize(["float32(float32[:])"])(lambda a: a[0])


# guvectorize


def test_matrices() -> None:
    @cuda.guvectorize(["void(float64[:, :], float64[:, :], float64[:, :])"], "(m,n),(n,p)->(m,p)")
    def product(a: Any, b: Any, c: Any) -> None:
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                total = 0.0
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

    a, b = RANDOM.random((7, 2, 4)), RANDOM.random((7, 4, 5))
    same = functools.partial(np.testing.assert_allclose, rtol=1e-12)
    same(product(a, b), a @ b)
    same(product(a[0], b[0]), a[0] @ b[0])
    same(product(a, b[3]), a @ b[3])
    same(product(a[:, None], b[None]), a[:, None] @ b[None])
    same(product(a[::2], np.asfortranarray(b)[::2]), a[::2] @ b[::2])
    same(product(cuda.to_device(a)[:, :, ::-1], b).copy_to_host(), a[:, :, ::-1] @ b)
    # Results in views.
    out = np.full((7, 2, 10), -1.0)
    product(a, b, out=out[:, :, ::2])
    same(out[:, :, ::2], a @ b)
    assert (out[:, :, 1::2] == -1).all()
    there = cuda.to_device(np.full((7, 2, 10), -1.0))
    product(a, b, there[:, :, 1::2])
    same(there.copy_to_host()[:, :, 1::2], a @ b)
    product(a[0], b[0], there[2, :, ::2])
    same(there.copy_to_host()[2, :, ::2], a[0] @ b[0])
    assert (there.copy_to_host()[3, :, ::2] == -1).all()

    assert product(np.zeros((0, 2, 4)), b[0]).shape == (0, 2, 5)
    with pytest.raises(ValueError, match=r"arg #2: shape\[1\] mismatch argument: the dimension n is 4, here 2"):
        product(a, a)
    with pytest.raises(ValueError, match="insufficient inner dimension"):
        product(a[0, 0], b)
    with pytest.raises(ValueError, match="outer dimension mismatch"):
        product(a, b[:3])
    with pytest.raises(ValueError, match=r"an output has the shape \(7, 2, 4\), it must have \(7, 2, 5\)"):
        product(a, b, np.zeros((7, 2, 4)))


def test_outputs_can_be_read() -> None:
    @cuda.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def accumulate(x: Any, total: Any) -> None:
        for i in range(x.shape[0]):
            total[i] += x[i]

    total = np.arange(12.0).reshape(4, 3)
    accumulate(np.ones((4, 3)), total)
    np.testing.assert_array_equal(total, np.arange(12.0).reshape(4, 3) + 1)


def test_numbers_and_arrays_of_one_element() -> None:
    @cuda.guvectorize(["void(int32, int32[:], int32[:])", "void(float64, float64[:], float64[:])"], "(),(n)->()")
    def scaled_sum(factor: Any, x: Any, out: Any) -> None:
        total = x[0] - x[0]
        for value in x:
            total += value
        out[0] = factor * total

    x = np.arange(12, dtype="i4").reshape(4, 3)
    assert scaled_sum(2, x[0]) == 6
    np.testing.assert_array_equal(scaled_sum(2, x), 2 * x.sum(1))
    np.testing.assert_array_equal(scaled_sum(np.arange(4, dtype="i4"), x), np.arange(4) * x.sum(1))
    np.testing.assert_array_equal(scaled_sum(np.arange(5, dtype="i4")[:, None], x), np.arange(5)[:, None] * x.sum(1))
    assert scaled_sum(0.5, x.astype("f8")).dtype == np.float64
    there = scaled_sum(np.int64(3), cuda.to_device(x))
    np.testing.assert_array_equal(there.copy_to_host(), 3 * x.sum(1))

    @cuda.guvectorize(["void(int32[:], int32[:], int32[:])"], "(n),()->(n)")
    def old_style(x: Any, y: Any, out: Any) -> None:
        for i in range(x.shape[0]):
            out[i] = x[i] + y[0]

    np.testing.assert_array_equal(old_style(x, np.array([1, 2, 3, 4], "i4")), x + np.array([[1], [2], [3], [4]]))


def test_several_outputs() -> None:
    @cuda.guvectorize(["void(int32[:], int32[:], float64[:])"], "(n)->(n),()", target="cuda")
    def parts(x: Any, reversed_x: Any, mean: Any) -> None:
        total = 0.0
        for i in range(x.shape[0]):
            reversed_x[i] = x[x.shape[0] - 1 - i]
            total += x[i]
        mean[0] = total / x.shape[0]

    x = RANDOM.integers(0, 99, (6, 5)).astype("i4")
    backwards, mean = parts(x)
    np.testing.assert_array_equal(backwards, x[:, ::-1])
    np.testing.assert_allclose(mean, x.mean(1))
    outputs = (np.zeros_like(x), np.zeros(6))
    stream = cuda.stream()
    assert parts(x, out=outputs, stream=stream)[1] is outputs[1]
    np.testing.assert_allclose(outputs[1], x.mean(1))
    with pytest.raises(
        TypeError,
        match=r"accepts 1 positional arguments \(inputs\), or 3 positional arguments .* Got 2 positional arguments\.",
    ):
        parts(x, x)
    with pytest.raises(ValueError, match="out must be a tuple of 2 arrays, got 1"):
        parts(x, out=x)


def test_sizes_of_blocks() -> None:
    assert less_twice.max_blocksize >= 1024
    with pytest.raises(NotImplementedError, match="blocks of 256 threads, which cannot be made smaller; got 32"):
        less_twice.max_blocksize = 32

    @cuda.guvectorize(["void(int32, int32[:])"], "()->()")
    def threads(_: Any, out: Any) -> None:
        out[0] = cuda.blockDim.x

    x = np.zeros(1000, "i4")
    assert (threads(x) == 128).all()
    threads.max_blocksize = 64
    assert (threads(x) == 64).all()


def test_few_turns_are_warned_of() -> None:
    from cuox.numba.cuda import config

    @cuda.guvectorize(["void(int32[:], int32[:])"], "(n)->(n)")
    def copied(x: Any, out: Any) -> None:
        for i in range(x.shape[0]):
            out[i] = x[i]

    before = config.CUDA_LOW_OCCUPANCY_WARNINGS
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 1
    try:
        with pytest.warns(errors.NumbaPerformanceWarning, match="Grid size 1 will likely .* low occupancy"):
            copied(np.arange(9, dtype="i4"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            copied(np.zeros((200_000, 1), "i4"))
    finally:
        config.CUDA_LOW_OCCUPANCY_WARNINGS = before


def test_exceptions_in_a_gufunc_arrive() -> None:
    @cuda.guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", debug=True)
    def checked(x: Any, out: Any) -> None:
        for i in range(x.shape[0]):
            if x[i] < 0:
                raise ValueError("negative")
            out[i] = x[i]

    with pytest.raises(ValueError, match="negative"):
        checked(np.array([[1, 2], [3, -4]], "i4"))


def test_what_cannot_be_a_gufunc_says_so() -> None:
    def nothing(x: Any, y: Any) -> None:
        pass

    with pytest.raises(TypeError, match=r"guvectorized functions cannot return values: .* specifies int32 return type"):
        cuda.guvectorize(["int32(int32[:], int32[:])"], "(n)->(n)")(nothing)
    with pytest.raises(TypeError, match="nopython flag must be True"):
        cuda.guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", nopython=False)
    with pytest.raises(TypeError, match="The following target options are not supported: 'what'"):
        cuda.guvectorize(["void(int32[:], int32[:])"], "(n)->(n)", what=1)
    with pytest.raises(TypeError, match=r"argument 1 has 2 dimensions, its layout \(n\) says 1"):
        cuda.guvectorize(["void(int32[:, :], int32[:])"], "(n)->(n)")(nothing)
    with pytest.raises(TypeError, match="argument 2 has 0 dimensions"):
        cuda.guvectorize(["void(int32, int32)"], "()->()")(nothing)
    for layout in ("(n)", "(n)->", "(n->(n)", "(n)(m)->(n)", "n->n"):
        with pytest.raises(ValueError, match="layout"):
            cuda.guvectorize(["void(int32[:], int32[:])"], layout)(nothing)
    made = cuda.guvectorize(["void(int32[:], int32[:])"], "(n)->(m)")(nothing)
    with pytest.raises(ValueError, match="no input tells the size of the output's dimension m"):
        made(np.zeros(3, "i4"))
    made(np.zeros(3, "i4"), np.zeros(2, "i4"))


def test_schedules() -> None:
    engine = deviceufunc.GUFuncEngine.from_signature("(m, n), (n, p) -> (m, p)")
    plan = engine.schedule([(100, 4, 5), (1, 5, 7)])
    assert (plan.loopdims, plan.oshapes, plan.pinned, plan.loopn) == ((100,), [(4, 7)], [False, True], 100)
    plan = engine.schedule([(3, 1, 4, 5), (2, 5, 7)])
    assert (plan.loopdims, plan.output_shapes, plan.pinned) == ((3, 2), [(3, 2, 4, 7)], [False, False])
    with pytest.raises(TypeError, match="expected 2 inputs, got 1"):
        engine.schedule([(4, 5)])


# reduce


@pytest.mark.parametrize(
    "dtype",
    exhaustive.some(["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"], ["i1", "u2", "u4", "i8", "f4"]),
)
@pytest.mark.parametrize("n", [1, 2, 33, 1024, 100_003])
def test_known_operators_on_every_type(dtype: str, n: int) -> None:
    x = RANDOM.integers(1, 100, n).astype(dtype)
    there = cuda.to_device(x)
    wide = x.astype("i8")
    cases: list[tuple[Any, Any, Any]] = [
        (lambda a, b: a + b, 0, wide.sum()),
        (lambda a, b: max(a, b), 0, wide.max()),
        (lambda a, b: min(b, a), 100, wide.min()),
        (lambda a, b: a if a > b else b, 0, wide.max()),
    ]
    if np.dtype(dtype).kind != "f":
        cases += [
            (lambda a, b: a & b, -1 if dtype[0] == "i" else np.iinfo(dtype).max, np.bitwise_and.reduce(x)),
            (lambda a, b: b | a, 0, np.bitwise_or.reduce(x)),
            (lambda a, b: a ^ b, 0, np.bitwise_xor.reduce(x)),
            (lambda a, b: a * b, 1, np.multiply.reduce(x, dtype=dtype)),
        ]
    for function, init, expected in cases:
        got = cuda.reduce(function)(there, init=init)
        assert got.dtype == x.dtype
        assert got == np.array(expected).astype(dtype), function


def test_extremes_of_numbers_below_and_above_zero() -> None:
    largest, least = cuda.reduce(lambda a, b: max(a, b)), cuda.reduce(lambda a, b: min(a, b))
    for dtype in ("i1", "i4", "i8", "f4", "f8"):
        x = -RANDOM.integers(1, 100, 5000).astype(dtype)
        assert largest(x, init=-127) == x.max()
        assert least(-x, init=127) == (-x).min()


def test_functions_of_which_nothing_is_known() -> None:
    # Nothing is neutral for this one: an element that is not there must not take part.
    carry = cuda.Reduce(lambda a, b: (a * b + a + b) % 1009)
    x = RANDOM.integers(0, 1009, 4321)
    expected = functools.reduce(lambda a, b: (a * b + a + b) % 1009, x.tolist(), 5)
    assert carry(x, init=5) == expected
    assert carry(x[:1], init=5) == (x[0] * 5 + x[0] + 5) % 1009

    @cuda.reduce
    def product(a: Any, b: Any) -> Any:
        return a * b

    z = np.exp(1j * RANDOM.random(1000))
    np.testing.assert_allclose(product(z, init=2), 2 * np.prod(z))
    np.testing.assert_allclose(product(z.astype("c8"), init=1), np.prod(z), rtol=1e-3)


def test_initial_values_and_sizes() -> None:
    total = cuda.reduce(lambda a, b: a + b)
    x = np.arange(1, 1001.0)
    assert total(x) == 500_500
    assert total(x, init=3) == 500_503
    assert total(x, size=10) == 55
    assert total(cuda.to_device(x), size=10, init=1) == 56
    assert total(x, size=0, init=7) == 7
    assert total(x[:0]) == 0
    first = cuda.reduce(lambda a, b: a if a < b else b)
    assert first(x[:0], init=9) == 9
    assert first(x) == 0
    with pytest.raises(ValueError, match="size must be from 0 to the array's 1000 elements, got 1001"):
        total(cuda.to_device(x), size=1001)
    with pytest.raises(ValueError, match="size must be from 0 to the array's 1000 elements, got -1"):
        total(x, size=-1)


@pytest.mark.parametrize("function", [lambda a, b: a + b, lambda a, b: b + (a + 0)])
def test_results_on_the_device(function: Any) -> None:
    total = cuda.reduce(function)
    stream = cuda.stream()
    x = cuda.to_device(np.arange(5000.0), stream=stream)
    res = cuda.to_device(np.full(3, -1.0), stream=stream)
    assert total(x[::2], res=res, stream=stream, init=2) is None
    np.testing.assert_array_equal(res.copy_to_host(stream=stream), [np.arange(0, 5000, 2).sum() + 2, -1, -1])
    with pytest.raises(TypeError, match="res must be an array of float64"):
        total(x, res=cuda.device_array(1, "f4"))
    with pytest.raises(TypeError, match="res must be an array of float64"):
        total(x, res=cuda.device_array(0, "f8"))


def test_what_cannot_be_reduced_says_so() -> None:
    total = cuda.reduce(lambda a, b: a + b)
    with pytest.raises(TypeError, match="one dimension"):
        total(np.zeros((2, 2)))
    with pytest.raises(TypeError, match="must have two parameters, it has 1"):
        cuda.reduce(lambda a: a)
    with pytest.raises(TypeError, match="expected a Python function, got int"):
        cuda.reduce(3)


# NumPy's functions in kernels


def test_numpy_functions_put_results_into_arrays() -> None:
    @cuda.jit
    def kernel(x: Any, y: Any, out: Any, flags: Any) -> None:
        np.sin(x, out[0])
        np.add(x, y, out=out[1])
        np.multiply(x, 2, out[2])
        np.maximum(x, 0.5, out=(out[3],))
        np.power(2.0, x, out[4])
        np.less(x, y, flags)
        np.subtract(out, x, out)

    x, y = RANDOM.random(9), RANDOM.random(1)
    out, flags = np.zeros((5, 9)), np.zeros(9, "?")
    kernel[1, 1](x, y, out, flags)
    np.testing.assert_allclose(
        out, [np.sin(x) - x, np.broadcast_to(y, 9), x, np.maximum(x, 0.5) - x, 2**x - x], rtol=1e-14, atol=1e-15
    )
    np.testing.assert_array_equal(flags, x < y)


def test_numpy_functions_order_complex_numbers() -> None:
    @cuda.jit
    def kernel(x: Any, y: Any, flags: Any, out: Any) -> None:
        np.less(x, y, flags[0])
        np.less_equal(x, y, flags[1])
        np.greater(x, y, flags[2])
        np.greater_equal(x, y, flags[3])
        np.maximum(x, y, out[0])
        np.minimum(x, y, out[1])
        np.fmax(x, y, out[2])
        np.fmin(x, y, out[3])
        np.log2(x, out[4])
        np.exp2(x, out[5])

    numbers = np.array([0, 1, -1, 1j, 1 + 1j, 1 - 1j, complex(np.nan, 1), complex(1, np.nan)])
    x, y = (part.ravel() for part in np.meshgrid(numbers, numbers))
    flags, out = np.zeros((4, x.size), "?"), np.zeros((6, x.size), complex)
    kernel[1, 1](x, y, flags, out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(
            flags, [np.less(x, y), np.less_equal(x, y), np.greater(x, y), np.greater_equal(x, y)]
        )
        np.testing.assert_array_equal(out[:4], [np.maximum(x, y), np.minimum(x, y), np.fmax(x, y), np.fmin(x, y)])
        usual = (x != 0) & (x == x)
        np.testing.assert_allclose(out[4:, usual], [np.log2(x[usual]), np.exp2(x[usual])], rtol=1e-14, atol=1e-15)


def test_numpy_functions_name_what_they_cannot_take() -> None:
    def refuse(function: Any, *args: Any, match: str) -> None:
        with pytest.raises(errors.TypingError, match=match):
            cuda.jit(function)[1, 1](*args)

    x, y = cuda.to_device(np.zeros((2, 2))), cuda.to_device(np.zeros(2))

    def number(x: Any) -> None:
        np.sin(x, 1.0)

    def dimensions(x: Any, y: Any) -> None:
        np.sin(x, y)

    def keyword(x: Any) -> None:
        np.sin(x, out=x, where=True)

    refuse(number, x, match=r"np\.sin\(\): the results must be put into an array, got float64")
    refuse(dimensions, x, y, match="more dimensions than the array for the results")
    refuse(keyword, x, match="'where' is not supported in kernels")


def test_elementwise_kernels_are_made_once() -> None:
    x = cuox.to_device(np.arange(6.0))
    np.testing.assert_array_equal(fused(x, x).to_host(), np.arange(6.0) * np.arange(6.0) + np.arange(6.0))
    known = dict(fused._kernels)
    fused(x[::2], x[::2])
    assert fused._kernels == known


class Foreign:
    """An array of another library: known by its interface only."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def test_results_go_into_arrays_of_other_libraries():
    @cuda.vectorize(["float64(float64, float64)"])
    def add(a, b):
        return a + b

    x, out = cuda.to_device(np.arange(4.0)), cuda.to_device(np.zeros(4))
    made = add(Foreign(x), 1.0, out=Foreign(out))
    assert made.copy_to_host().tolist() == out.copy_to_host().tolist() == [1, 2, 3, 4]
    with pytest.raises(TypeError, match="out: expected an array, got list"):
        add(x, 1.0, out=[0, 0, 0, 0])

    @cuda.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def twice(a, b):
        for i in range(a.size):
            b[i] = 2 * a[i]

    made = twice(Foreign(x), Foreign(out))
    assert made.copy_to_host().tolist() == out.copy_to_host().tolist() == [0, 2, 4, 6]


def test_functions_of_arrays_are_pickled():
    factor = 3

    @cuda.vectorize(["float64(float64)", "(int32,)"])
    def scaled(a):
        return a * factor

    again = pickle.loads(pickle.dumps(scaled))
    assert again(np.arange(3.0)).tolist() == [0, 3, 6] and again.types == scaled.types
    assert again.__name__ == "scaled"


@pytest.mark.parametrize(
    "op",
    [lambda a, b: max(a, b), lambda a, b: min(a, b), lambda a, b: a if a < b else b, lambda a, b: a if a > b else b],
)
def test_reductions_of_nan(op):
    nan = float("nan")
    for values in ([nan], [nan, nan], [1.0, nan], [nan] * 3000):
        total = op(5.0, values[0])
        # The order is not said: only what does not hang on it is compared.
        if len(set(map(str, values))) == 1:
            for value in values[1:]:
                total = op(total, value)
            np.testing.assert_equal(cuda.reduce(op)(np.array(values), init=5.0), total)
    np.testing.assert_equal(cuda.vectorize(["float64(float64, float64)"])(op).reduce(np.array([nan, nan])), nan)
