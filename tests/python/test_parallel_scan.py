"""Scans: inclusive, exclusive, by segments, in place, with operators that do not commute."""

from __future__ import annotations

import string
import threading
from typing import Any

import cuox
import exhaustive
import numpy as np
import pytest
from cuox._native import _Scan

SIZES = [1, 2, 31, 32, 33, 255, 3840, 3841, 8000, 100_003]


def running_sum(c_type: str, statement: str = "y[i] = item", **keywords: Any) -> _Scan:
    parameters = [(f"const {c_type}", "x", True), (c_type, "y", True)]
    return _Scan(c_type, parameters, "x[i]", "a + b", "0", statement, **keywords)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("dtype", "c_type"), [("i", "int"), ("q", "long long"), ("d", "double"), ("b", "signed char")])
def test_inclusive_and_exclusive_sums(n: int, dtype: str, c_type: str) -> None:
    host = np.random.default_rng(n).integers(-50, 50, n).astype(dtype)
    x, y = cuox.to_device(host), cuox.empty(n, dtype)
    running_sum(c_type)(x, y)
    want = host.cumsum(dtype=dtype)
    np.testing.assert_array_equal(y.to_host(), want)
    running_sum(c_type, "y[i] = prev_item")(x, y)
    np.testing.assert_array_equal(y.to_host(), np.concatenate([[0], want[:-1]]).astype(dtype))


def test_no_elements() -> None:
    kernel = running_sum("int")
    kernel(cuox.empty(0, "i"), cuox.empty(0, "i"))
    y = cuox.full(5, 7, "i")
    kernel(cuox.zeros(5, "i"), y, n=0)
    assert y.to_host().tolist() == [7] * 5
    kernel(cuox.zeros(5, "i"), y, n=2)
    assert y.to_host().tolist() == [0, 0, 7, 7, 7]


@pytest.mark.parametrize("n", [1, 1000, 50_000])
def test_the_output_may_be_the_input(n: int) -> None:
    host = np.random.default_rng(n).integers(-50, 50, n).astype("i")
    x = cuox.to_device(host)
    _Scan("int", [("int", "x", True)], "x[i]", "a + b", "0", "x[i] = prev_item")(x)
    np.testing.assert_array_equal(x.to_host(), np.concatenate([[0], host.cumsum()[:-1]]))


@pytest.mark.parametrize("n", SIZES)
def test_last_item_and_count(n: int) -> None:
    host = np.random.default_rng(n).integers(0, 50, n).astype("i")
    x = cuox.to_device(host)
    # Moves even numbers to the front and odd ones to the back, in order.
    kernel = _Scan(
        "int",
        [("const int", "x", True), ("int", "y", True), ("long long", "counts", True)],
        "x[i] % 2 == 0",
        "a + b",
        "0",
        "y[x[i] % 2 == 0 ? prev_item : last_item + i - prev_item] = x[i]; if (i == N - 1) { counts[0] = last_item; counts[1] = N; }",
    )
    y, counts = cuox.empty(n, "i"), cuox.zeros(2, "q")
    for _ in range(2):
        kernel(x, y, counts)
        np.testing.assert_array_equal(y.to_host(), np.concatenate([host[host % 2 == 0], host[host % 2 == 1]]))
        assert counts.to_host().tolist() == [np.count_nonzero(host % 2 == 0), n]


@pytest.mark.parametrize("n", SIZES)
def test_last_item_in_place(n: int) -> None:
    host = np.random.default_rng(n).integers(0, 50, n).astype("i")
    x = cuox.to_device(host)
    _Scan("int", [("int", "x", True)], "x[i]", "a + b", None, "x[i] = last_item - item")(x)
    np.testing.assert_array_equal(x.to_host(), host.sum() - host.cumsum())


MATRIX = """
struct matrix { unsigned int a, b, c, d; };
__device__ matrix times(matrix x, matrix y)
{
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}
"""


@pytest.mark.parametrize("n", SIZES)
def test_operators_that_do_not_commute(n: int) -> None:
    dtype = np.dtype([(name, "u4") for name in "abcd"])
    host = np.random.default_rng(n).integers(0, 2**32, (n, 4), dtype="u4")
    x = cuox.to_device(host.view(dtype).reshape(n))
    y = cuox.empty(n, dtype)
    kernel = _Scan(
        "matrix",
        [("const matrix", "x", True), ("matrix", "y", True)],
        "x[i]",
        "times(a, b)",
        None,
        "y[i] = item",
        preamble=MATRIX,
    )
    kernel(x, y)
    got = y.to_host().view("u4").reshape(n, 2, 2)
    want = np.eye(2, dtype="u4")
    for i, factor in enumerate(host.reshape(n, 2, 2)):
        want = want @ factor
        if i < 5000 or i > n - 3:
            assert (got[i] == want).all(), i


@pytest.mark.parametrize("size", exhaustive.some([3, 12, 40, 67, 100, 200, 400, 1000, 1021], [3, 12, 67, 400, 1021]))
def test_items_of_any_size(size: int) -> None:
    # Each item is the last element to its left that is not 0: it does not commute.
    preamble = f"""
struct item_t {{ unsigned char v[{size}]; }};
__device__ item_t make(unsigned char x) {{ item_t m; for (int j = 0; j < {size}; ++j) m.v[j] = x; return m; }}
__device__ item_t latest(const item_t &a, const item_t &b)
{{ item_t m; for (int j = 0; j < {size}; ++j) m.v[j] = b.v[j] ? b.v[j] : a.v[j]; return m; }}
"""
    n = 6000
    host = np.random.default_rng(size).integers(1, 200, n).astype("B") * (np.random.default_rng(1).random(n) < 0.1)
    host = host.astype("B")
    kernel = _Scan(
        "item_t",
        [("const unsigned char", "x", True), ("unsigned char", "y", True), ("unsigned char", "z", True)],
        "make(x[i])",
        "latest(a, b)",
        "make(0)",
        f"y[i] = item.v[{size - 1}]; z[i] = prev_item.v[0]",
        preamble=preamble,
    )
    y, z = cuox.empty(n, "B"), cuox.empty(n, "B")
    kernel(cuox.to_device(host), y, z)
    at = np.maximum.accumulate(np.where(host != 0, np.arange(n), 0))
    np.testing.assert_array_equal(y.to_host(), host[at])
    np.testing.assert_array_equal(z.to_host(), np.concatenate([[0], host[at][:-1]]))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("density", [0.0, 0.0001, 0.02, 0.5, 1.0])
def test_segments(n: int, density: float) -> None:
    random = np.random.default_rng(n)
    host = random.integers(-50, 50, n).astype("i")
    flags = (random.random(n) < density).astype("B")
    kernel = _Scan(
        "int",
        [("const int", "x", True), ("const unsigned char", "f", True), ("int", "y", True), ("int", "z", True)],
        "x[i]",
        "across_seg_boundary ? b : a + b",
        "0",
        "y[i] = item; z[i] = prev_item",
        is_segment_start_expr="f[i]",
    )
    y, z = cuox.empty(n, "i"), cuox.empty(n, "i")
    kernel(cuox.to_device(host), cuox.to_device(flags), y, z)
    sums = host.cumsum()
    starts = np.maximum.accumulate(np.where(flags != 0, np.arange(n), 0))
    want = sums - np.where(starts > 0, sums[starts - 1], 0)
    np.testing.assert_array_equal(y.to_host(), want)
    before = np.concatenate([[0], want[:-1]])
    before[flags != 0] = 0
    np.testing.assert_array_equal(z.to_host(), before)


@pytest.mark.parametrize("n", [1, 33, 300, 30000])
@pytest.mark.parametrize("last", [False, True])
def test_segments_of_large_items(n: int, last: bool) -> None:
    preamble = """
struct item_t { int sum, more[24]; };
__device__ item_t make(int x) { item_t m = {}; m.sum = x; m.more[23] = 2 * x; return m; }
// It changes an operand, which is its own.
__device__ item_t add(item_t &a, const item_t &b) { a.sum += b.sum; a.more[23] += b.more[23]; return a; }
"""
    random = np.random.default_rng(n)
    host = random.integers(-50, 50, n).astype("i")
    flags = (random.random(n) < 0.002).astype("B")
    put = "y[i] = item.sum; z[i] = prev_item.more[23]; item.sum = 0;"
    kernel = _Scan(
        "item_t",
        [("const int", "x", True), ("const unsigned char", "f", True), ("int", "y", True), ("int", "z", True)],
        "make(x[i])",
        "across_seg_boundary ? b : add(a, b)",
        "make(5)",
        put + " y[i] += last_item.sum;" if last else put,
        is_segment_start_expr="f[i]",
        preamble=preamble,
    )
    y, z = cuox.empty(n, "i"), cuox.empty(n, "i")
    kernel(cuox.to_device(host), cuox.to_device(flags), y, z)
    sums = host.cumsum()
    starts = np.maximum.accumulate(np.where(flags != 0, np.arange(n), 0))
    want = sums - np.where(starts > 0, sums[starts - 1], 0)
    before = np.concatenate([[5], want[:-1]])
    before[flags != 0] = 5
    np.testing.assert_array_equal(y.to_host(), want + (want[-1] if last else 0))
    np.testing.assert_array_equal(z.to_host(), 2 * before)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("n", SIZES)
def test_elements_are_fetched_before_they_are_overwritten(n: int, last: bool) -> None:
    host = np.random.default_rng(n).integers(0, 3, n).astype("i")
    x = cuox.to_device(host)
    # The number of the run of equal elements.
    kernel = _Scan(
        "int",
        [("int", "x", True)],
        "i > 0 && before != now ? 1 : 0",
        "a + b",
        "0",
        "x[i] = item + (last_item - last_item)" if last else "x[i] = item",
        input_fetch_exprs=[("before", "x", -1), ("now", "x", 0)],
    )
    kernel(x)
    want = np.concatenate([[0], np.diff(host) != 0]).cumsum()
    np.testing.assert_array_equal(x.to_host(), want)


@pytest.mark.parametrize("n", [10, 5000, 20_000])
def test_segments_by_fetched_keys(n: int) -> None:
    keys = np.sort(np.random.default_rng(n).integers(0, n // 7 + 1, n)).astype("h")
    host = np.random.default_rng(n).integers(0, 9, n).astype("i")
    kernel = _Scan(
        "int",
        [("int", "x", True), ("const short", "keys", True)],
        "x[i]",
        "across_seg_boundary ? b : a + b",
        "0",
        "x[i] = item",
        is_segment_start_expr="i == 0 || key != previous",
        input_fetch_exprs=[("key", "keys", 0), ("previous", "keys", -1)],
    )
    x = cuox.to_device(host)
    kernel(x, cuox.to_device(keys))
    want = np.concatenate([host[keys == key].cumsum() for key in np.unique(keys)])
    np.testing.assert_array_equal(x.to_host(), want)


def test_arrays_of_any_strides() -> None:
    host = np.random.default_rng(0).integers(0, 99, (60, 90)).astype("i")
    out = cuox.zeros((120, 90), "i")
    running_sum("int")(cuox.to_device(host)[:, ::-1], out[::2])
    want = host[:, ::-1].ravel().cumsum().reshape(60, 90)
    np.testing.assert_array_equal(out.to_host()[::2], want)
    assert not out.to_host()[1::2].any()


def test_names_of_any_kind() -> None:
    # None of these is hidden by a name of the kernel's.
    names = ["tile", "first", "count", "lane", "base", "valid", "sum", "left", "total", "tag", "place", "now"]
    parameters = [("int", name, False) for name in names] + [("const int", "end", True), ("int", "found", True)]
    kernel = _Scan(
        "int", parameters, "end[i] + " + " + ".join(names), "a + b", "tile", "found[i] = item + prev_item - tile"
    )
    x, y = cuox.to_device(np.arange(5000, dtype="i")), cuox.empty(5000, "i")
    kernel(*[0] * len(names), x, y)
    sums = np.arange(5000).cumsum()
    np.testing.assert_array_equal(y.to_host(), sums + np.concatenate([[0], sums[:-1]]))


def test_a_programs_macros() -> None:
    # N is the number of elements in expressions.
    macros = "".join(f"#define {letter} +\n" for letter in string.ascii_uppercase if letter != "N")
    x, y = cuox.to_device(np.arange(5000, dtype="i")), cuox.empty(5000, "i")
    running_sum("int", preamble=macros)(x, y)
    np.testing.assert_array_equal(y.to_host(), np.arange(5000, dtype="i").cumsum(dtype="i"))


def test_half_precision() -> None:
    host = np.random.default_rng(3).integers(-1, 2, 2000).astype("e")
    y = cuox.empty(2000, "e")
    parameters = [("const __half", "x", True), ("__half", "y", True)]
    scan = _Scan(
        "__half",
        parameters,
        "x[i]",
        "__hadd(a, b)",
        "__float2half(0)",
        "y[i] = item",
        preamble="#include <cuda_fp16.h>",
    )
    scan(cuox.to_device(host), y)
    # Small integers, so that every order of adding gives the same.
    np.testing.assert_array_equal(y.to_host(), host.cumsum(dtype="f").astype("e"))


def test_the_same_input_gives_the_same_bits() -> None:
    x = cuox.to_device(np.random.default_rng(1).random(2_000_000).astype("f"))
    kernel = running_sum("float")
    results = set()
    for _ in range(5):
        y = cuox.empty(x.shape, "f")
        kernel(x, y)
        results.add(y.to_host().tobytes())
    assert len(results) == 1
    np.testing.assert_allclose(y.to_host(), x.to_host().cumsum(dtype="d"), rtol=1e-4)


def test_kernels_of_other_sizes_share_memory() -> None:
    random = np.random.default_rng(2)
    small, large = running_sum("int"), running_sum("long long")
    for _ in range(30):
        n = int(random.integers(1, 60_000))
        for kernel, dtype in ((small, "i"), (large, "q")):
            host = random.integers(0, 9, n).astype(dtype)
            y = cuox.empty(n, dtype)
            kernel(cuox.to_device(host), y)
            np.testing.assert_array_equal(y.to_host(), host.cumsum())


def test_streams_and_threads_at_once(device: cuox.Device) -> None:
    kernel = running_sum("int")
    last = _Scan(
        "int", [("const int", "x", True), ("int", "y", True)], "x[i]", "a + b", None, "y[i] = last_item - item"
    )
    failures: list[object] = []

    def work(k: int) -> None:
        try:
            device.set_current()
            host = np.random.default_rng(k).integers(0, 9, 50_000 + k).astype("i")
            streams = [device.create_stream(), device.create_stream()]
            x = cuox.to_device(host)
            outs = [(cuox.empty(x.shape, "i"), cuox.empty(x.shape, "i")) for _ in range(10)]
            device.default_stream.sync()
            for turn, (y, z) in enumerate(outs):
                kernel(x, y, stream=streams[turn % 2])
                last(x, z, stream=streams[turn % 2])
            for stream in streams:
                stream.sync()
            sums = host.cumsum()
            for y, z in outs:
                np.testing.assert_array_equal(y.to_host(), sums)
                np.testing.assert_array_equal(z.to_host(), sums[-1] - sums)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_wrong_calls() -> None:
    with pytest.raises(ValueError, match="prev_item needs a neutral"):
        _Scan("int", [("int", "x", True)], "x[i]", "a + b", None, "x[i] = prev_item")
    with pytest.raises(ValueError, match="must be 0 or -1"):
        _Scan("int", [("int", "x", True)], "x[i]", "a + b", None, "", input_fetch_exprs=[("p", "x", 1)])
    with pytest.raises(ValueError, match="not a vector"):
        _Scan("int", [("int", "x", True)], "x[i]", "a + b", None, "", input_fetch_exprs=[("p", "y", -1)])
    kernel = running_sum("int")
    with pytest.raises(TypeError, match="takes 2 arguments, got 1"):
        kernel(cuox.zeros(3, "i"))
    with pytest.raises(TypeError, match="int"):
        kernel(cuox.zeros(3, "q"), cuox.zeros(3, "q"))
    with pytest.raises(cuox.CompileError, match="output_statement"):
        running_sum("int", "y[i] = nonsense")(cuox.zeros(3, "i"), cuox.zeros(3, "i"))
