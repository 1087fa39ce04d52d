"""Reductions: sums and other operators over whole arrays and along axes, compared with NumPy's."""

from __future__ import annotations

import itertools
import string
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox._native import _Reduction

C_TYPES = {
    "?": "bool",
    "b": "signed char",
    "B": "unsigned char",
    "h": "short",
    "H": "unsigned short",
    "i": "int",
    "I": "unsigned int",
    "q": "long long",
    "f": "float",
    "d": "double",
}


def sum_of(dtype: str, out: str | None = None) -> _Reduction:
    out_type = C_TYPES[out or dtype]
    return _Reduction(out_type, "0", "a + b", f"({out_type})x[i]", [("const " + C_TYPES[dtype], "x", True)])


def reduced(kernel: _Reduction, *args: Any, dtype: Any, axis: Any = None, **keywords: Any) -> np.ndarray:
    first = next(a for a in args if isinstance(a, cuox.Array))
    given = tuple(range(first.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {one % first.ndim for one in given} if first.ndim else set()
    shape = tuple(size for one, size in enumerate(first.shape) if one not in axes)
    out = cuox.empty(shape, dtype)
    out.fill(7)
    kernel(*args, out=out, axis=axis, **keywords)
    return out.to_host()


@pytest.mark.parametrize("dtype", sorted(C_TYPES))
@pytest.mark.parametrize("n", [0, 1, 2, 31, 255, 1024, 5000, 100_003])
def test_sums_of_every_type(dtype: str, n: int) -> None:
    out = "d" if dtype in "fd" else "q"
    x = np.random.default_rng(n).integers(0, 2 if dtype == "?" else 100, n).astype(dtype)
    got = reduced(sum_of(dtype, out), cuox.to_device(x), dtype=out)
    assert got.shape == ()
    assert got == x.astype(out).sum()


@pytest.mark.parametrize("offset", [0, 1, 2, 3, 5])
def test_alignment_does_not_change_the_bits(offset: int) -> None:
    x = np.random.default_rng(1).random(70_000).astype("f")
    aligned = reduced(sum_of("f"), cuox.to_device(x[offset : offset + 60_000]), dtype="f")
    moved = reduced(sum_of("f"), cuox.to_device(x)[offset : offset + 60_000], dtype="f")
    assert aligned.tobytes() == moved.tobytes()


def test_the_same_input_gives_the_same_bits() -> None:
    x = cuox.to_device(np.random.default_rng(2).random(1_000_000).astype("f"))
    kernel = sum_of("f")
    results = {reduced(kernel, x, dtype="f").tobytes() for _ in range(10)}
    assert len(results) == 1


def test_sums_are_accurate() -> None:
    x = np.full(1 << 22, 0.1, "f")
    got = reduced(sum_of("f"), cuox.to_device(x), dtype="f")
    assert abs(float(got) / x.astype("d").sum() - 1) < 1e-5


VIEWS: dict[str, Callable[[Any], Any]] = {
    "plain": lambda x: x,
    "transposed": lambda x: x.T,
    "stepped": lambda x: x[..., ::2],
    "stepped_outer": lambda x: x[::3],
    "reversed": lambda x: x[..., ::-1],
    "moved": lambda x: x[1:, ..., 1:],
}


SHAPES = [(7,), (300, 5), (5, 300), (3, 4, 5), (17, 1, 33), (2, 3, 4, 5), (600, 70)]


@pytest.mark.parametrize("view", exhaustive.some(sorted(VIEWS), ["moved", "plain", "reversed", "transposed"]))
@pytest.mark.parametrize("shape", exhaustive.some(SHAPES, [(7,), (300, 5), (3, 4, 5)]))
def test_axes_of_any_strides(view: str, shape: tuple[int, ...]) -> None:
    host = np.random.default_rng(3).integers(-50, 50, shape).astype("i")
    device = cuox.to_device(host)
    if view == "moved" and len(shape) == 1:
        host, device = host[1:], device[1:]
    else:
        host, device = VIEWS[view](host), VIEWS[view](device)
    kernel = sum_of("i", "q")
    everything = range(host.ndim)
    for count in range(1, host.ndim + 1):
        for axes in itertools.combinations(everything, count):
            got = reduced(kernel, device, dtype="q", axis=axes)
            np.testing.assert_array_equal(got, host.sum(axes, dtype="q"), err_msg=str(axes))
    assert reduced(kernel, device, dtype="q", axis=-1).tolist() == host.sum(-1, dtype="q").tolist()
    assert reduced(kernel, device, dtype="q") == host.sum(dtype="q")


@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((4000, 3), 1),
        ((3, 70_000), 1),
        ((70_000, 3), 0),
        ((40, 3000), 0),
        ((50, 200, 20), 1),
        ((9000, 40), 1),
        ((100_000, 2), 1),
    ],
)
def test_every_way_to_share_the_work(shape: tuple[int, ...], axis: int) -> None:
    host = np.random.default_rng(4).random(shape)
    device = cuox.to_device(host)
    kernel = sum_of("d")
    first = reduced(kernel, device, dtype="d", axis=axis)
    np.testing.assert_allclose(first, host.sum(axis), rtol=1e-12)
    assert reduced(kernel, device, dtype="d", axis=axis).tobytes() == first.tobytes()


def test_random_views_and_axes() -> None:
    random = np.random.default_rng(5)
    kernel = sum_of("h", "q")
    for _ in range(exhaustive.rounds(20, 60)):
        shape = tuple(random.integers(1, 40, random.integers(1, 4)))
        host = random.integers(-100, 100, shape).astype("h")
        order = tuple(random.permutation(host.ndim))
        steps = tuple(slice(int(random.integers(0, 2)), None, int(random.choice([1, 2, -1]))) for _ in shape)
        device = cuox.to_device(host).transpose(order)[tuple(steps[a] for a in order)]
        host = host.transpose(order)[tuple(steps[a] for a in order)]
        axes = tuple(int(a) for a in random.permutation(host.ndim)[: random.integers(1, host.ndim + 1)])
        np.testing.assert_array_equal(reduced(kernel, device, dtype="q", axis=axes), host.sum(axes, dtype="q"))


def test_the_index_is_that_of_c_order() -> None:
    kernel = _Reduction("long long", "0", "a + b", "(long long)(i % 1000) * x[i]", [("int", "x", True)])
    host = np.random.default_rng(6).integers(0, 9, (30, 50)).astype("i")
    index = np.arange(1500).reshape(30, 50) % 1000
    for subscript in (np.s_[:, :], np.s_[::2, ::3], np.s_[:, ::-1]):
        part = cuox.to_device(host)[subscript]
        numbers = np.arange(part.size).reshape(part.shape) % 1000
        for axis in (None, 0, 1, (1, 0)):
            got = reduced(kernel, part, dtype="q", axis=axis)
            np.testing.assert_array_equal(got, (numbers * host[subscript]).sum(axis))
    assert reduced(kernel, cuox.to_device(host), dtype="q") == (index * host).sum()


def test_other_elements_than_the_own() -> None:
    kernel = _Reduction(
        "long long",
        "0",
        "a + b",
        "(long long)x[i] * y[(i + 1) % m] + t[2]",
        [("int", "x", True), ("const int", "y", True), ("const short", "t", True), ("int", "m", False)],
    )
    random = np.random.default_rng(7)
    x, y = random.integers(0, 99, (2, 40, 60)).astype("i")
    t = np.array([1, 2, 3, 4, 5], "h")
    for part in (np.s_[:, :], np.s_[::2, ::3], np.s_[:, ::-1]):
        a, b = x[part], y[part]
        want = a.astype("q") * np.roll(b.ravel(), -1).reshape(a.shape) + t[::2][2]
        args = cuox.to_device(x)[part], cuox.to_device(y)[part], cuox.to_device(t)[::2], a.size
        for axis in (None, 0, 1):
            np.testing.assert_array_equal(reduced(kernel, *args, dtype="q", axis=axis), want.sum(axis))


def test_dot_of_different_types() -> None:
    kernel = _Reduction("double", "0", "a + b", "x[i] * y[i]", [("float", "x", True), ("const double", "y", True)])
    random = np.random.default_rng(8)
    x, y = random.random(12_345).astype("f"), random.random(12_345)
    got = reduced(kernel, cuox.to_device(x), cuox.to_device(y), dtype="d")
    np.testing.assert_allclose(got, x.astype("d") @ y, rtol=1e-12)
    b = cuox.to_device(y[:1]).broadcast_to(x.shape)
    np.testing.assert_allclose(reduced(kernel, cuox.to_device(x), b, dtype="d"), x.astype("d").sum() * y[0], rtol=1e-12)


def test_without_a_map_the_first_vector_is_combined() -> None:
    kernel = _Reduction("float", "-1e30f", "a > b ? a : b", "", [("const float", "x", True)])
    x = np.random.default_rng(9).random((33, 44)).astype("f")
    np.testing.assert_array_equal(reduced(kernel, cuox.to_device(x), dtype="f", axis=1), x.max(1))


MINMAX = """
struct minmax {
    int low, high;
    long long where;
    __device__ minmax() {}
    __device__ minmax(int low, int high, long long where) : low(low), high(high), where(where) {}
};
__device__ minmax join(minmax a, minmax b)
{
    minmax c = a;
    if (b.low < a.low || (b.low == a.low && b.where < a.where)) { c.low = b.low; c.where = b.where; }
    if (b.high > a.high) c.high = b.high;
    return c;
}
"""


def test_structures() -> None:
    dtype = np.dtype([("low", "i4"), ("high", "i4"), ("where", "i8")])
    kernel = _Reduction(
        "minmax",
        "minmax(2147483647, -2147483648, 0x7fffffffffffffffll)",
        "join(a, b)",
        "minmax(x[i], x[i], i)",
        [("const int", "x", True)],
        preamble=MINMAX,
    )
    for n in (1, 100, 54_321):
        x = np.random.default_rng(n).integers(-10_000, 10_000, n).astype("i")
        out = cuox.empty((), dtype)
        kernel(cuox.to_device(x), out=out)
        assert out.to_host().item() == (x.min(), x.max(), x.argmin())
    x = np.random.default_rng(1).integers(-99, 99, (40, 30)).astype("i")
    out = cuox.empty(30, dtype)
    kernel(cuox.to_device(x), out=out, axis=0)
    np.testing.assert_array_equal(out.to_host()["low"], x.min(0))
    np.testing.assert_array_equal(out.to_host()["high"], x.max(0))


@pytest.mark.parametrize("size", [12, 100, 200, 1000])
def test_large_results(size: int) -> None:
    count = size // 4
    preamble = f"""
struct many {{ int v[{count}]; }};
__device__ many fill(int x) {{ many m; for (int j = 0; j < {count}; ++j) m.v[j] = x + j; return m; }}
__device__ many add(const many &a, const many &b)
{{ many m; for (int j = 0; j < {count}; ++j) m.v[j] = a.v[j] + b.v[j]; return m; }}
"""
    kernel = _Reduction("many", "{}", "add(a, b)", "fill(x[i])", [("int", "x", True)], preamble=preamble)
    x = np.random.default_rng(size).integers(0, 99, 3000).astype("i")
    out = cuox.empty((), np.dtype((np.void, size)))
    kernel(cuox.to_device(x), out=out)
    got = np.frombuffer(out.to_host().tobytes(), "i")
    np.testing.assert_array_equal(got, x.sum() + 3000 * np.arange(count))


HEADERS = Path(cuox.__file__).parent / "pycuda" / "cuda"


@pytest.mark.parametrize(("number", "dtype"), [("float", "F"), ("double", "D")])
def test_complex_numbers(number: str, dtype: str) -> None:
    c_type = f"pycuda::complex<{number}>"
    random = np.random.default_rng(12)
    x = (random.integers(-9, 9, (70, 311)) + 1j * random.integers(-9, 9, (70, 311))).astype(dtype)
    preamble, options = "#include <pycuda-complex.hpp>", [f"-I{HEADERS}"]
    squares = _Reduction(
        c_type, "0", "a + b", "x[i] * x[i]", [("const " + c_type, "x", True)], preamble=preamble, options=options
    )
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::3, ::-2]):
        given = view(x)
        for axis in (None, 0, 1):
            np.testing.assert_array_equal(
                reduced(squares, view(cuox.to_device(x)), dtype=dtype, axis=axis), (given * given).sum(axis)
            )
    product = _Reduction(c_type, "1", "a * b", "", [("const " + c_type, "x", True)], preamble=preamble, options=options)
    turns = np.resize(np.array([1j, -1, 1, -1j], dtype), 4003)
    assert reduced(product, cuox.to_device(turns), dtype=dtype) == np.prod(turns)


def test_half_precision() -> None:
    x = np.random.default_rng(13).integers(-4, 4, (33, 100)).astype("e")
    parameters = [("const __half", "x", True)]
    of_half = _Reduction(
        "__half", "__float2half(0)", "__hadd(a, b)", "x[i]", parameters, preamble="#include <cuda_fp16.h>"
    )
    of_float = _Reduction("float", "0", "a + b", "__half2float(x[i])", parameters, preamble="#include <cuda_fp16.h>")
    largest = _Reduction(
        "__half", "__float2half(-65504)", "__hmax(a, b)", "x[i]", parameters, preamble="#include <cuda_fp16.h>"
    )
    for axis in (None, 0, 1):
        # Small integers, so that every order of adding gives the same.
        np.testing.assert_array_equal(
            reduced(of_half, cuox.to_device(x), dtype="e", axis=axis), x.sum(axis, dtype="f").astype("e")
        )
        np.testing.assert_array_equal(
            reduced(of_float, cuox.to_device(x), dtype="f", axis=axis), x.sum(axis, dtype="f")
        )
        np.testing.assert_array_equal(reduced(largest, cuox.to_device(x), dtype="e", axis=axis), x.max(axis))


def test_more_elements_than_32_bits_count() -> None:
    n = 2**31 + 7
    kernel = _Reduction(
        "long long",
        "0",
        "a + b",
        f"x[i] + (i == {n - 1} ? n : 0)",
        [("const unsigned char", "x", True), ("long long", "n", False)],
    )
    one = cuox.to_device(np.ones(1, np.uint8)).broadcast_to((n,))
    assert reduced(kernel, one, n, dtype="q") == 2 * n


@pytest.mark.parametrize("axis", [None, 1])
def test_a_programs_macros(axis: int | None) -> None:
    macros = "".join(f"#define {letter} +\n" for letter in string.ascii_uppercase)
    kernel = _Reduction("float", "0", "a + b", "x[i]", [("const float", "x", True)], preamble=macros)
    x = np.arange(600, dtype="f").reshape(20, 30)
    np.testing.assert_array_equal(reduced(kernel, cuox.to_device(x), dtype="f", axis=axis), x.sum(axis))


def test_ranges_and_counts() -> None:
    kernel = sum_of("i", "q")
    host = np.random.default_rng(10).integers(0, 99, 5000).astype("i")
    for x in (cuox.to_device(host), cuox.to_device(np.repeat(host, 2))[::2]):
        for start, stop, step in [(0, 5000, 1), (10, 4000, 3), (4999, -1, -1), (4000, 10, -7), (5, 5, 1), (9, 3, 2)]:
            want = host[list(range(start, stop, step))].sum(dtype="q")
            assert reduced(kernel, x, dtype="q", range=(start, stop, step)) == want
        for n in (0, 1, 999, 5000):
            assert reduced(kernel, x, dtype="q", n=n) == host[:n].sum()


def test_pointers_are_elements_one_after_another() -> None:
    kernel = sum_of("i", "q")
    host = np.arange(10_000, dtype="i")
    x = cuox.to_device(host)
    out = cuox.empty((), "q")
    kernel(x.ptr, out=out, n=10_000, stream=x.device.default_stream)
    assert out.to_host() == host.sum()
    with pytest.raises(ValueError, match="pass n="):
        kernel(x.ptr, out=out)


def test_no_elements() -> None:
    kernel = _Reduction("int", "-42", "a > b ? a : b", "", [("const int", "x", True)])
    assert reduced(kernel, cuox.empty((0,), "i"), dtype="i") == -42
    assert reduced(kernel, cuox.empty((3, 0), "i"), dtype="i", axis=1).tolist() == [-42, -42, -42]
    assert reduced(kernel, cuox.empty((3, 0), "i"), dtype="i", axis=0).shape == (0,)


def test_results_go_to_any_strides() -> None:
    host = np.random.default_rng(11).integers(0, 99, (20, 30, 4)).astype("i")
    out = cuox.zeros((4, 40), "q").T[::2]
    sum_of("i", "q")(cuox.to_device(host), out=out, axis=1)
    np.testing.assert_array_equal(out.to_host(), host.sum(1))
    assert out.base is not None
    assert not out.base.to_host().ravel().reshape(4, 40)[:, 1::2].any()


@pytest.mark.parametrize("n", [0, 1, 33, 100_003])
def test_without_a_neutral_element(n: int) -> None:
    text = "cuox_a > cuox_b ? a : b"
    kernel = _Reduction("int", None, text, "", [("const int", "x", True)], store="out = has_sum ? sum : -7")
    host, out = np.random.default_rng(n).integers(0, 10**6, n).astype("i"), cuox.empty((), "i")
    kernel(cuox.to_device(host), out=out)
    assert out.to_host() == (host.max() if n else -7)
    rows = np.random.default_rng(n).integers(0, 10**6, (90, n % 100)).astype("i")
    for axis in (0, 1):
        found = reduced(kernel, cuox.to_device(rows), dtype="i", axis=axis)
        np.testing.assert_array_equal(found, rows.max(axis, initial=-7))


def test_streams_and_threads_at_once(device: cuox.Device) -> None:
    kernel = sum_of("i", "q")
    hosts = [np.random.default_rng(k).integers(0, 999, 200_000 + k).astype("i") for k in range(4)]
    failures: list[object] = []

    def work(k: int) -> None:
        try:
            device.set_current()
            streams = [device.create_stream(), device.create_stream()]
            x = cuox.to_device(hosts[k])
            for stream in streams:
                stream.wait(x.device.default_stream.record())
            outs = [cuox.empty((), "q") for _ in range(20)]
            device.default_stream.sync()
            for turn, out in enumerate(outs):
                kernel(x, out=out, stream=streams[turn % 2])
            for stream in streams:
                stream.sync()
            failures.extend((k, out.to_host()) for out in outs if out.to_host() != hosts[k].sum())
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_wrong_calls(device: cuox.Device) -> None:
    kernel = sum_of("i", "q")
    x = cuox.zeros((3, 4), "i")
    with pytest.raises(ValueError, match=r"out must have the shape \(4,\), got \(3,\)"):
        kernel(x, out=cuox.empty(3, "q"), axis=0)
    with pytest.raises(np.exceptions.AxisError):
        kernel(x, out=cuox.empty(3, "q"), axis=2)
    with pytest.raises(ValueError, match="duplicate"):
        kernel(x, out=cuox.empty((), "q"), axis=(0, -2))
    with pytest.raises(TypeError, match="takes 1 argument, got 2"):
        kernel(x, x, out=cuox.empty((), "q"))
    with pytest.raises(ValueError, match="not with n or range"):
        kernel(x, out=cuox.empty(4, "q"), axis=0, n=5)
    with pytest.raises(ValueError, match="read-only"):
        kernel(x, out=cuox.empty((), "q").broadcast_to((4,)), axis=0)
    with pytest.raises(cuox.CompileError, match="another size than out_type"):
        kernel(x, out=cuox.empty((), "i"))
    with pytest.raises(TypeError, match="float"):
        kernel(cuox.zeros(3, "d"), out=cuox.empty((), "q"))
    with pytest.raises(ValueError, match="must not be empty"):
        _Reduction("int", "", "a + b", "", [("int", "x", True)])
    with pytest.raises(cuox.CompileError, match="reduce_expr"):
        _Reduction("int", "0", "a + nonsense", "", [("int", "x", True)])(x, out=cuox.empty((), "i"))
