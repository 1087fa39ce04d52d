"""Elementwise kernels, arithmetic and copies of `cuox._native` beside NumPy's, on arrays of many layouts and types."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import cuox
import exhaustive
import numpy as np
import numpy.typing as npt
import pytest
from cuox._native import _binary, _cast, _Elementwise, _unary

DTYPES = "?bhilBHILefdFD"
# Each combination of an operation and types is a kernel to compile: only so many types for each, all in all of them.
STEP = exhaustive.rounds(7, 2)
INTEGERS = "bhilBHIL"

BINARY = (
    "add subtract multiply true_divide floor_divide remainder less less_equal greater greater_equal equal not_equal maximum minimum fmax fmin fmod "
    "bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor left_shift right_shift copysign"
).split()
UNARY = "negative positive absolute conjugate real imag invert logical_not square reciprocal isnan isinf isfinite sqrt ceil floor trunc rint fabs".split()
FUNCTIONS = "sin cos tan asin acos atan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p cbrt".split()
COMPLEX_FUNCTIONS = "sin cos tan sinh cosh tanh exp log log10 sqrt absolute square".split()
NUMPY_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}


@pytest.fixture(autouse=True)
def _current(device: cuox.Device) -> None:
    device.set_current()


def values(random: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return random numbers, with those that arithmetic treats in special ways among them."""
    kind, count = np.dtype(dtype).kind, int(np.prod(shape))
    if kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        info = np.iinfo(dtype)
        flat = random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        small = random.integers(-5 if kind == "i" else 0, 6, count).astype(dtype)
        flat = np.where(random.random(count) < 0.5, flat, small)
        flat[: min(count, 2)] = [info.min, info.max][:count]
        return random.permutation(flat).reshape(shape)
    if kind == "f":
        flat = (random.standard_normal(count) * 10).astype(dtype)
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2, 0.5, -3], dtype)
        flat[: min(count, 10)] = special[:count]
        return random.permutation(flat).reshape(shape)
    return (random.standard_normal(shape) * 3 + 1j * random.standard_normal(shape) * 3).astype(dtype)


def laid_out(random: np.random.Generator, host: npt.NDArray[Any]) -> cuox.Array:
    """Return the elements on the device in some layout: in either order, with gaps, backwards or transposed."""
    way = random.integers(0, 5)
    if way == 0 or host.ndim == 0:
        return cuox.to_device(host)
    if way == 1:
        return cuox.to_device(np.asfortranarray(host))
    if way == 2:
        return cuox.to_device(np.ascontiguousarray(host[::-1]))[::-1]
    if way == 3:
        return cuox.to_device(np.ascontiguousarray(host.T)).T
    wide = np.zeros((*host.shape[:-1], 2 * host.shape[-1] + 1), host.dtype)
    wide[..., 1::2] = host
    return cuox.to_device(wide)[..., 1::2]


def same(found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    equal: npt.NDArray[np.bool_] = (found == expected) | (np.isnan(found) & np.isnan(expected))
    return equal


def check(found: cuox.Array, expected: Any, ulps: float = 0) -> None:
    """Compare to the last bit, or so many units of the last place of the number, for complex ones of its absolute
    value.
    """
    expected = np.asarray(expected)
    host = found.to_host()
    assert (host.dtype, host.shape) == (expected.dtype, expected.shape)
    wrong = ~same(host, expected)
    if ulps and wrong.any():
        size = np.maximum(np.abs(expected[wrong]).astype(np.float64), np.finfo(expected.dtype).tiny)
        distance = np.abs(host[wrong].astype(np.complex128) - expected[wrong]) / size / np.finfo(expected.dtype).eps
        assert distance.max() <= ulps, (host[wrong], expected[wrong])
        return
    assert not wrong.any(), (host[wrong][:5], expected[wrong][:5])


def outcome(call: Callable[[], Any]) -> Any:
    with np.errstate(all="ignore"):
        try:
            return call()
        except TypeError as error:
            return error


@pytest.mark.parametrize("name", BINARY)
def test_binary_operations_are_numpys(name: str) -> None:
    random = np.random.default_rng(BINARY.index(name))
    numpy_function = getattr(np, name)
    computed = 0
    pairs = [(a, a) for a in DTYPES[BINARY.index(name) % STEP :: STEP]] + [
        tuple(random.choice(list(DTYPES), 2)) for _ in range(exhaustive.rounds(2, 5))
    ]
    for a_type, b_type in pairs:
        shape = tuple(random.integers(1, 9, random.integers(1, 4)).tolist())
        b_shape = (
            shape
            if random.random() < 0.6
            else tuple(1 if random.random() < 0.5 else size for size in shape)[random.integers(0, len(shape)) :]
        )
        a, b = values(random, a_type, shape), values(random, b_type, b_shape)
        expected = outcome(lambda a=a, b=b: numpy_function(a, b))  # type: ignore[misc]
        x, y = laid_out(random, a), laid_out(random, b)
        found = outcome(lambda x=x, y=y: _binary(name, x, y))  # type: ignore[misc]
        assert isinstance(found, TypeError) == isinstance(expected, TypeError), (a_type, b_type, found, expected)
        if isinstance(expected, TypeError):
            continue
        computed += 1
        # NumPy may compute complex products and quotients with fewer roundings.
        check(found, expected, 4 if np.result_type(a, b).kind == "c" else 0)
    assert computed


@pytest.mark.parametrize("name", UNARY + FUNCTIONS)
def test_unary_operations_are_numpys(name: str) -> None:
    random = np.random.default_rng(len(name))
    numpy_function = getattr(np, NUMPY_NAMES.get(name, name))
    computed = 0
    for dtype in DTYPES[(UNARY + FUNCTIONS).index(name) % STEP :: STEP] + "d":
        if dtype in "FD" and name not in UNARY + COMPLEX_FUNCTIONS:
            continue
        a = values(random, dtype, (7, 9))
        if name == "reciprocal" and dtype in INTEGERS:
            a[a == 0] = 1
        expected = outcome(lambda a=a: numpy_function(a))  # type: ignore[misc]
        x = laid_out(random, a)
        found = outcome(lambda x=x: _unary(name, x))  # type: ignore[misc]
        assert isinstance(found, TypeError) == isinstance(expected, TypeError), (dtype, found, expected)
        if isinstance(expected, TypeError):
            continue
        computed += 1
        exact = name in UNARY and dtype not in "FD"
        check(found, expected, 0 if exact else 16)
    assert computed


@pytest.mark.parametrize("dtype", exhaustive.some("bBhHilILefdFD", "bHiLefdF"))
def test_powers(dtype: str) -> None:
    random = np.random.default_rng(1)
    a, b = values(random, dtype, (50,)), values(random, dtype, (50,))
    if dtype in INTEGERS:
        b = (b % 7).astype(dtype)
    with np.errstate(all="ignore"):
        expected = np.power(a, b)
    check(_binary("power", cuox.to_device(a), cuox.to_device(b)), expected, 0 if dtype in INTEGERS else 64)


@pytest.mark.parametrize("dtype", exhaustive.some(DTYPES, "?bHiLefdF"))
def test_pythons_numbers_take_the_arrays_type(dtype: str) -> None:
    random = np.random.default_rng(2)
    a = values(random, dtype, (40,))
    x = cuox.to_device(a)
    scalars: list[Any] = [True, 3, 2.5, 1 - 2j, np.float32(2.5), np.array(7)]
    for scalar in scalars:
        for left in (False, True)[:: 1 if dtype in "bf" else 2]:
            with np.errstate(all="ignore"):
                expected = scalar * a if left else a * scalar
            check(_binary("multiply", scalar, x) if left else _binary("multiply", x, scalar), np.asarray(expected), 4)
    # Comparisons take integers of any size.
    if dtype in INTEGERS:
        for scalar in (300, -(10**6), 2**64, -(2**70)):
            check(_binary("less", x, scalar), a < scalar)
            check(_binary("equal", scalar, x), scalar == a)


def test_numbers_that_the_type_does_not_have_are_refused() -> None:
    x = cuox.to_device(np.arange(3, dtype=np.uint8))
    with pytest.raises(OverflowError):
        _binary("add", x, 300)
    with pytest.raises(ValueError, match="negative integer powers"):
        _binary("power", x, -1)
    with pytest.raises(TypeError, match="bitwise_and"):
        _binary("bitwise_and", x, 2.5)
    with pytest.raises(ValueError, match="no operation"):
        _binary("plus", x, x)
    with pytest.raises(ValueError, match="broadcast"):
        _binary("add", x, cuox.empty(4))
    assert _binary("add", x, "text") is NotImplemented
    assert _binary("add", x, np.arange(3)) is NotImplemented
    with pytest.raises(TypeError, match="no arithmetic"):
        _binary("add", cuox.empty(3, "V4"), 1)


def test_results_go_to_out() -> None:
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    x = cuox.to_device(a)
    assert _binary("add", x, 1, out=x) is x
    check(x, a + 1)
    # What is overwritten is read first.
    y = cuox.to_device(a)
    _binary("add", y, y[::-1], out=y)
    check(y, a + a[::-1])
    z = cuox.empty((4, 3), np.float64)
    _binary("multiply", y, 2, out=z.T)
    check(z, (np.float64(2) * (a + a[::-1])).T)
    with pytest.raises(TypeError):
        _binary("add", x, 1, out=cuox.empty((3, 4), np.int32))
    with pytest.raises(ValueError, match="shape"):
        _binary("add", x, 1, out=cuox.empty((4, 3), np.float32))
    with pytest.raises(ValueError, match="read-only"):
        _binary("add", x, 1, out=cuox.empty(4, np.float32).broadcast_to((3, 4)))


class Sub(cuox.Array):
    pass


def test_results_are_of_the_first_arrays_class_and_order(device: cuox.Device, stream: cuox.Stream) -> None:
    x = Sub((3, 4), np.float32, order="F")
    x.fill(2)
    y = cuox.to_device(np.ones((3, 4), np.float32))
    made = _binary("add", x, y)
    assert type(made) is Sub
    assert made.is_c_contiguous
    assert _binary("add", x, 1).is_f_contiguous
    sizes: list[int] = []

    def allocate(size: int) -> cuox.Buffer:
        sizes.append(size)
        return device.allocate(size, stream=stream)

    made = _unary("negative", x, allocator=allocate, stream=stream)
    check(made, np.full((3, 4), -2, np.float32, order="F"))
    assert sizes == [48]
    with pytest.raises(TypeError, match="allocator"):
        _unary("negative", x, allocator=lambda size: size)  # type: ignore[arg-type, return-value]
    assert _binary("add", cuox.empty((0, 3)), 1).shape == (0, 3)


@pytest.mark.parametrize("to", list(DTYPES))
def test_casts_are_numpys(to: str) -> None:
    random = np.random.default_rng(3)
    for dtype in np.random.default_rng(DTYPES.index(to)).choice(list(DTYPES), exhaustive.rounds(3, 7), replace=False):
        a = values(random, dtype, (6, 7))
        if dtype in "efdFD":
            # Numbers that an integer does not have become whatever the machine makes of them.
            a = np.clip(np.nan_to_num(a.real), 0, 100).astype(dtype) if to in INTEGERS else a
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            expected = a.astype(to)
        check(_cast(laid_out(random, a), to), expected)


def test_copies_of_all_layouts() -> None:
    random = np.random.default_rng(4)
    for dtype in (
        np.uint8,
        np.float16,
        np.float32,
        np.float64,
        np.complex128,
        "V12",
        "V3",
        np.dtype([("a", "u1"), ("b", "<f4")]),
    ):
        for _ in range(6):
            shape = tuple(random.integers(1, 150, 2).tolist()) + tuple(
                random.integers(1, 4, random.integers(0, 2)).tolist()
            )
            bytes_ = random.integers(0, 256, int(np.prod(shape)) * np.dtype(dtype).itemsize, dtype=np.uint8)
            if np.dtype(dtype).kind in "fc":
                host = random.standard_normal(shape).astype(dtype)
            else:
                host = bytes_.view(dtype).reshape(shape)
            axes = random.permutation(len(shape)).tolist()
            x, h = cuox.to_device(host).transpose(*axes), host.transpose(axes)
            if random.random() < 0.5:
                x, h = x[::-1, 1::2], h[::-1, 1::2]
            assert x.copy().to_host().tobytes() == h.tobytes()
            assert x.copy("F").to_host().tobytes("F") == h.tobytes("F")
            target = cuox.empty((*h.shape, 2), dtype)
            target[..., 0] = x
            assert target[..., 0].to_host().tobytes() == h.tobytes()


def test_fills_of_parts() -> None:
    for dtype, value in (
        (np.int8, 3),
        (np.float16, 1.5),
        (np.float32, 2.5),
        (np.float64, -1.25),
        (np.complex128, 1 + 2j),
        ("V12", b"x" * 12),
    ):
        x = cuox.zeros((50, 40), dtype)
        x[::3, 1::2].fill(value)
        expected = np.zeros((50, 40), dtype)
        expected[::3, 1::2] = value
        assert (x.to_host() == expected).all()


def test_fields_that_are_not_aligned() -> None:
    record = np.dtype([("a", "u1"), ("b", "<f4"), ("c", "<f8")])
    host = np.zeros((20, 30), record)
    host["b"] = np.arange(600).reshape(20, 30)
    x = cuox.to_device(host)
    assert (x["b"].copy().to_host() == host["b"]).all()
    x["b"][::2].copy_from(cuox.to_device(-host["b"][::2].copy()))
    host["b"][::2] *= -1
    assert (x.to_host() == host).all()


AXPY = [("float", "z", True), ("const float", "x", True), ("float", "a", False)]


@pytest.mark.parametrize("seed", exhaustive.some(range(12), 6))
def test_expressions_on_all_layouts(seed: int) -> None:
    random = np.random.default_rng(seed)
    axpy = _Elementwise(AXPY, "z[i] = a * x[i] + i", name="axpy")
    shape = tuple(random.integers(1, 12, random.integers(1, 5)).tolist())
    x = random.standard_normal(shape).astype(np.float32)
    z = laid_out(random, np.zeros(shape, np.float32))
    other = laid_out(random, x)
    axpy(z, other, 2)
    both_fortran = z.is_f_contiguous and other.is_f_contiguous and not (z.is_c_contiguous and other.is_c_contiguous)
    index = np.arange(x.size, dtype=np.float32).reshape(shape, order="F" if both_fortran else "C")
    check(z, np.float32(2) * x + index)


def test_ranges_counts_and_names() -> None:
    fill = _Elementwise(AXPY, "z[i] = x[0] + a", name="fill")
    x = cuox.to_device(np.array([5], np.float32))
    for start, stop, step in ((0, 20, 1), (3, 18, 4), (19, -1, -3), (5, 5, 1), (7, 3, 2)):
        z = cuox.zeros(20, np.float32)
        fill(z, x, 1.5, range=(start, stop, step))
        expected = np.zeros(20, np.float32)
        expected[list(range(start, stop, step))] = 6.5
        check(z, expected)
    z = cuox.zeros(20, np.float32)
    fill(z, x, 0, n=7)
    assert z.to_host().tolist() == [5.0] * 7 + [0.0] * 13
    fill(z.buffer, x.ptr, -5, n=20)
    assert not z.to_host().any()
    # A parameter's name hides that of a number.
    own = _Elementwise([("int", "n", False), ("int", "z", True)], "z[i] = n", name="own")
    whole = cuox.zeros(3, np.int32)
    own(8, whole)
    assert whole.to_host().tolist() == [8, 8, 8]


def test_indices_of_64_bits() -> None:
    columns = cuox.to_device(np.arange(1 << 16, dtype=np.float32))
    many = columns.broadcast_to((1 << 16, 1 << 16))
    z = cuox.zeros(1000, np.float32)
    take = _Elementwise(AXPY, "z[i] = x[(1LL << 31) + 65536 * i + i] + sizeof(i)", name="take")
    take(z, many, 0)
    check(z, np.arange(1000, dtype=np.float32) + 8)
    far = _Elementwise(AXPY, "z[i - (1LL << 40)] = a + sizeof(i)", name="far")
    far(z, columns, 1, range=(1 << 40, (1 << 40) + 1000, 2))
    expected = np.arange(1000, dtype=np.float32) + 8
    expected[::2] = 9
    check(z, expected)
    # The same of an array whose indices fit in 32 bits.
    narrow = _Elementwise(AXPY, "z[i] = sizeof(i)", name="narrow")
    narrow(z, columns, 0)
    check(z, np.full(1000, 4, np.float32))


def test_preambles_and_loops() -> None:
    sums = _Elementwise(
        [("int", "total", True), ("const int", "x", True)],
        "own += twice(x[i]);",
        name="sums",
        preamble="__device__ int twice(int x)\n{\n    return 2 * x; // doubled\n}",
        loop_prep="int own = 0; // of this thread",
        after_loop="if (own) atomicAdd(total.here(), own)".replace("total.here()", "&total[0]"),
        options=["-DUNUSED=1"],
    )
    total = cuox.zeros(1, np.int32)
    sums(total, cuox.to_device(np.arange(1000, dtype=np.int32)), n=1000)
    assert total.to_host().tolist() == [999000]


def test_errors_name_what_is_wrong() -> None:
    axpy = _Elementwise(AXPY, "z[i] = a * x[i]", name="axpy")
    x = cuox.zeros(4, np.float32)
    with pytest.raises(TypeError, match=r"axpy\(\) takes 3 arguments, got 2"):
        axpy(x, x)
    with pytest.raises(TypeError, match=r'"x" \(const float \*\).*float64'):
        axpy(x, cuox.zeros(4), 1)
    with pytest.raises(TypeError, match='"a"'):
        axpy(x, x, "1")
    with pytest.raises(TypeError, match="read-only"):
        axpy(x.broadcast_to((2, 4)), x, 1)
    with pytest.raises(ValueError, match="n="):
        axpy(x.ptr, x.ptr, 1)
    with pytest.raises(ValueError, match="step"):
        axpy(x, x, 1, range=(0, 4, 0))
    with pytest.raises(ValueError, match="one of the two"):
        axpy(x, x, 1, n=3, range=(0, 4, 1))
    with pytest.raises(ValueError, match="identifier"):
        _Elementwise([("int", "a b", True)], "")
    with pytest.raises(cuox.CompileError, match=r'operation\(2\)[^\n]*"missing"'):
        _Elementwise(AXPY, "float y = 1;\nz[i] = missing + y")(x, x, 1)
    with pytest.raises(cuox.CompileError, match=r"preamble\(1\)"):
        _Elementwise(AXPY, "z[i] = 1", preamble="wrong wrong;")(x, x, 1)


def test_nothing_is_compiled_for_no_elements() -> None:
    wrong = _Elementwise(AXPY, "this is no C++")
    none = cuox.empty((0, 3), np.float32)
    wrong(none, none, 1)
    wrong(cuox.empty(3, np.float32), none, 1, n=0)


def test_threads_share_a_kernel() -> None:
    axpy = _Elementwise(AXPY, "z[i] = a * x[i]", name="shared_by_threads")
    x = cuox.to_device(np.ones(100, np.float32))
    results = [cuox.zeros(100, np.float32)[:: 1 + i % 2] for i in range(8)]

    def run(place: int) -> None:
        for _ in range(20):
            axpy(results[place], x[: len(results[place])], place)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for place, result in enumerate(results):
        assert (result.to_host() == place).all()
