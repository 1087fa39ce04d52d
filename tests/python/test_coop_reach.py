"""Calls of `cuox.cuda.coop` that not all threads get to: what loops and names leave unknown is not taken for known."""

from __future__ import annotations

import linecache
import time
import warnings
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda import coop
from cuox.numba import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore:Host array used", "ignore:Grid size")

# The begin of each kernel, and the last test before its sum, which holds for a part of the threads.
DIVIDED = {
    "named": ("x = 0; (x := rank) + 1", "x < 10"),
    "named behind a test": ("x = 0; data[rank] > 3 and (x := 1)", "x"),
    "a nested target": ("x = 0; a, (x, b) = 1, (rank, 2)", "x < 10"),
    "a nested target of a loop": (
        "x = 0\n    for a, (b, x) in enumerate(zip((1, 2), (rank, rank))):\n        pass",
        "x > 3",
    ),
    "turns until a break": (
        "i = 0\n    while True:\n        i += 1\n        if data[rank] < i:\n            break",
        "i > 3",
    ),
    "a loop's variable": ("for i in range(10):\n        if data[rank] < i:\n            break", "i > 3"),
    "turns that go on": (
        "i = 0\n    for j in range(10):\n        if data[rank] > j:\n            continue\n        i += 1",
        "i > 5",
    ),
    "a break of a loop's else": (
        "x = 0\n    for i in range(5):\n        x = i\n        for j in range(3):\n            if data[rank] == j:\n"
        "                break\n        else:\n            break",
        "x > 3",
    ),
    "a loop's else": (
        "x = i = 0\n    while i < 3:\n        i += 1\n        if data[rank] == i:\n            break\n    else:\n"
        "        x = 1",
        "x",
    ),
    "numbers of turns": ("n = 0\n    for i in range(data[rank]):\n        n += 1", "n > 3"),
    "itself": ("x = rank\n    for i in range(3):\n        x = x + 1", "x > 30"),
}


def _kernel(name: str, begin: str, test: str) -> Any:
    text = f"""def kernel(data, out):
    rank = cuda.threadIdx.x
    {begin}
    {test}:
        out[rank] = coop.sum(coop.this_block(), data[rank])
"""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"cuda": cuda, "coop": coop}
    exec(compile(text, file, "exec"), scope)
    return cuda.jit(scope["kernel"])


@pytest.fixture(autouse=True)
def _device() -> None:
    cuox.Device().set_current()


def _is_refused(kernel: Any) -> None:
    data, out = np.arange(64, dtype=np.int32) % 7, np.zeros(64, np.int64)
    # A GPU would hang in what the launch refuses.
    if cuox.Device().is_soft:
        with (
            pytest.warns(coop.DivergenceWarning, match="the test in line"),
            pytest.raises(RuntimeError, match=r"coop.sum\(\) was called by a part of the 64 threads of a block"),
        ):
            kernel[1, 64](data, out)
            cuda.synchronize()


@pytest.mark.parametrize("name", DIVIDED)
def test_names_that_differ(name: str) -> None:
    begin, test = DIVIDED[name]
    _is_refused(_kernel(name, begin, f"if {test}"))


@pytest.mark.parametrize(
    "loop", ["for x in data[:rank]", "for i, x in enumerate(part)", "for x in part if rank else data"]
)
def test_parts_of_arrays_with_different_lengths(loop: str) -> None:
    _is_refused(_kernel(loop, "part = data[:rank]", loop))


def test_what_all_threads_have_is_not_warned_of() -> None:
    """Among them a loop whose variables depend on themselves and each other, which was followed for minutes."""

    @cuda.jit
    def kernel(data: Any, out: Any) -> None:
        block, rank = coop.this_block(), cuda.threadIdx.x
        i = n = 0
        while i < len(data):
            out[rank] += coop.sum(block, data[rank])
            i += 16
            n = n + i
            if n > 1000:
                break
        while n > 3:
            n //= 2
            out[rank] += coop.sum(block, data[rank])
        x, y = 1, 2
        for _ in range(3):
            x, y = y, x
        (a, b), c = (x, y), 3
        for _ in enumerate(data[:c]):
            if a + b > 2:
                out[rank] += coop.sum(block, data[rank])
        best = np.int64(-1)
        for i, (value, _) in enumerate(zip((3, 4), data)):
            best = max(best, types.int64(coop.reduce(block, data[rank], binary_op="max")))
            if i + value > 2 and best > 0:
                out[rank] += coop.sum(block, data[rank])

    data, out = np.arange(64, dtype=np.int32) % 7, np.zeros(64, np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error", coop.DivergenceWarning)
        kernel[1, 64](data, out)
    assert out.tolist() == [int(data.sum()) * (4 + 6 + 3 + 2)] * 64


def test_long_chains_of_names_are_followed_in_little_time() -> None:
    begin = "a0 = len(data)\n" + "\n".join(f"    a{i + 1} = a{i} + a{i} * a{i}" for i in range(60))
    kernel = _kernel("chain", begin, "if a60 != 1")
    data, out = np.ones(64, np.int32), np.zeros(64, np.int64)
    began = time.monotonic()
    with warnings.catch_warnings():
        # What is not followed to its end may differ.
        warnings.simplefilter("ignore", coop.DivergenceWarning)
        kernel[1, 64](data, out)
    assert out.tolist() == [64] * 64
    assert time.monotonic() - began < 30
