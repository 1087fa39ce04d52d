"""The kernels' inputs, launches and right answers.

A case's source is NAME.cu, its OpenCL version NAME.cl; C (../kernels.c) and Numba (in_numba.py) have functions called
NAME.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

f32, i32, u32, u8 = np.float32, np.int32, np.uint32, np.uint8
Argument = str | np.generic
Triple = tuple[int, int, int]


@dataclass
class Launch:
    """A kernel, its grid and block, and its arguments: names of the case's arrays, and scalars."""

    entry: str
    grid: Triple
    block: Triple
    arguments: tuple[Argument, ...]


@dataclass
class Case:
    size: str
    arrays: dict[str, np.ndarray]
    """The buffers and what is in them before the first run; no run changes what a run reads."""
    launches: list[Launch]
    """One run on a GPU and in OpenCL."""
    native: tuple[Argument, ...]
    """The arguments of the C function and of Numba's."""
    expected: Callable[[], dict[str, np.ndarray]]
    """The arrays that a run writes, by NumPy."""
    tolerance: float = 0.0
    """Relative to the element or to the mean, whichever is more; 0 for exact."""
    may_differ: float = 0.0
    """The share of elements that may be off: an escape count hangs on one rounding."""
    zeroed: tuple[str, ...] = ()
    """Arrays that a run adds to."""

    @functools.cached_property
    def answers(self) -> dict[str, np.ndarray]:
        return self.expected()

    def wrong(self, got: dict[str, np.ndarray]) -> str:
        """The fault in results; empty if there is none."""
        for name, want in self.answers.items():
            have, want = got[name].astype(np.float64), np.ravel(want).astype(np.float64)
            limit = self.tolerance * np.maximum(np.abs(want), np.abs(want).mean())
            bad = ~(np.abs(have - want) <= limit)  # so that a NaN is bad
            if bad.mean() > self.may_differ:
                at = int(np.argmax(bad))
                return f"{name}: {int(bad.sum())} of {bad.size} are off, the first [{at}]: {have[at]:.9g}, not {want[at]:.9g}"
        return ""


def uniform(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).random(shape, dtype=f32)


def one(name: str, grid: Triple, block: Triple, arguments: tuple[Argument, ...], **rest: object) -> dict:
    """The fields of a case that is one launch, with the same arguments for all."""
    return {"launches": [Launch(name, grid, block, arguments)], "native": arguments, **rest}


def dot_product() -> Case:
    n = 1 << 24
    x, y = uniform(1, n), uniform(2, n)
    return Case(
        size="16 M f32",
        arrays={"x": x, "y": y, "sum": np.zeros(1, f32)},
        **one("dot_product", (n // 4096, 1, 1), (256, 1, 1), (i32(n), "x", "y", "sum")),
        expected=lambda: {"sum": np.array([np.dot(x.astype(np.float64), y)])},
        tolerance=1e-4,
        zeroed=("sum",),
    )


def scan() -> Case:
    n = 1 << 22
    blocks = n // 2048
    x = np.random.default_rng(3).integers(-1000, 1000, n, dtype=i32)
    return Case(
        size="4 M i32",
        arrays={"x": x, "y": np.zeros(n, i32), "totals": np.zeros(blocks, i32), "all": np.zeros(1, i32)},
        launches=[
            Launch("scan_blocks", (blocks, 1, 1), (256, 1, 1), (i32(n), "x", "y", "totals")),
            Launch("scan_blocks", (1, 1, 1), (256, 1, 1), (i32(blocks), "totals", "totals", "all")),
            Launch("add_offsets", (blocks, 1, 1), (256, 1, 1), (i32(n), "y", "totals")),
        ],
        native=(i32(n), "x", "y"),
        expected=lambda: {"y": np.cumsum(x, dtype=i32) - x},
    )


def matmul() -> Case:
    n = 768
    a, b = uniform(4, n, n), uniform(5, n, n)
    return Case(
        size=f"{n} x {n} f32",
        arrays={"a": a, "b": b, "c": np.zeros(n * n, f32)},
        **one("matmul", (n // 32, n // 32, 1), (32, 8, 1), (i32(n), "a", "b", "c")),
        expected=lambda: {"c": a.astype(np.float64) @ b},
        tolerance=1e-5,
    )


def convolution() -> Case:
    w, h = 3000, 2000
    image = uniform(6, h, w)

    def expected() -> dict[str, np.ndarray]:
        a = np.pad(image, 1, mode="edge")
        f = np.outer([0.25, 0.5, 0.25], [0.25, 0.5, 0.25])
        return {"out": sum(f[dy, dx] * a[dy : dy + h, dx : dx + w] for dy in range(3) for dx in range(3))}

    return Case(
        size=f"{w} x {h} f32",
        arrays={"image": image, "out": np.zeros(w * h, f32)},
        **one("convolution", (-(-w // 32), -(-h // 8), 1), (32, 8, 1), (i32(w), i32(h), "image", "out")),
        expected=expected,
        tolerance=1e-6,
    )


def histogram() -> Case:
    n = 1 << 24
    rng = np.random.default_rng(7)
    # Half of it anywhere, half of it close together, so that neighbours do meet in one bin.
    data = np.where(rng.random(n) < 0.5, rng.integers(0, 256, n), rng.normal(100, 4, n)).astype(u8)
    return Case(
        size="16 M u8",
        arrays={"data": data, "bins": np.zeros(256, u32)},
        **one("histogram", (n // 16384, 1, 1), (256, 1, 1), (i32(n), "data", "bins")),
        expected=lambda: {"bins": np.bincount(data, minlength=256)},
        zeroed=("bins",),
    )


def julia() -> Case:
    w, h, limit = 1536, 1024, 200
    cx, cy = f32(-0.8), f32(0.156)

    def expected() -> dict[str, np.ndarray]:
        x = np.tile(f32(3) * np.arange(w, dtype=f32) / f32(w) - f32(1.5), h)
        y = np.repeat(f32(2) * np.arange(h, dtype=f32) / f32(h) - f32(1), w)
        out, inside = np.zeros(w * h, i32), np.arange(w * h)
        for _ in range(limit):
            keep = x * x + y * y <= 4
            inside, x, y = inside[keep], x[keep], y[keep]
            out[inside] += 1
            x, y = x * x - y * y + cx, f32(2) * x * y + cy
        return {"out": out}

    return Case(
        size=f"{w} x {h}",
        arrays={"out": np.zeros(w * h, i32)},
        **one("julia", (w // 32, h // 8, 1), (32, 8, 1), (i32(w), i32(h), i32(limit), cx, cy, "out")),
        expected=expected,
        may_differ=0.02,
    )


def forces() -> Case:
    n = 4096
    body = uniform(8, n, 4)

    def expected() -> dict[str, np.ndarray]:
        p = body.astype(np.float64)
        out = np.zeros((n, 4))
        for at in range(0, n, 256):
            d = p[None, :, :3] - p[at : at + 256, None, :3]
            f = p[:, 3] * ((d * d).sum(axis=2) + 0.01) ** -1.5
            out[at : at + 256, :3] = (d * f[:, :, None]).sum(axis=1)
        return {"acceleration": out}

    return Case(
        size=f"{n} bodies",
        arrays={"body": body, "acceleration": np.zeros(4 * n, f32)},
        **one("forces", (n // 256, 1, 1), (256, 1, 1), (i32(n), "body", "acceleration")),
        expected=expected,
        tolerance=1e-4,
    )


def options() -> Case:
    n, paths = 8192, 128
    spot, rate, volatility = f32(100), f32(0.03), f32(0.25)
    strike = f32(60) + f32(80) * uniform(9, n)

    def expected() -> dict[str, np.ndarray]:
        r = np.arange(1, n + 1, dtype=u32) * u32(2654435769)
        total = np.zeros(n)

        def draw() -> np.ndarray:
            nonlocal r
            r = r ^ (r << u32(13))
            r = r ^ (r >> u32(17))
            r = r ^ (r << u32(5))
            return ((r >> u32(9)) + 0.5) / (1 << 23)

        for _ in range(paths):
            u = draw()
            z = np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * draw())
            total += np.maximum(100 * np.exp(0.03 - 0.5 * 0.25**2 + 0.25 * z) - strike, 0)
        return {"price": math.exp(-0.03) * total / paths}

    return Case(
        size=f"{n} options, {paths} paths",
        arrays={"strike": strike, "price": np.zeros(n, f32)},
        **one(
            "options", (n // 256, 1, 1), (256, 1, 1), (i32(n), i32(paths), spot, rate, volatility, "strike", "price")
        ),
        expected=expected,
        tolerance=1e-4,
    )


def block_sort() -> Case:
    blocks = 1024
    keys = np.random.default_rng(10).integers(0, 1 << 32, (blocks, 1024), dtype=u32)
    return Case(
        size=f"{blocks} x 1024 u32",
        arrays={"keys": keys, "sorted": np.zeros(blocks * 1024, u32)},
        launches=[Launch("block_sort", (blocks, 1, 1), (512, 1, 1), ("keys", "sorted"))],
        native=(i32(blocks), "keys", "sorted"),
        expected=lambda: {"sorted": np.sort(keys, axis=1)},
    )


def spmv() -> Case:
    rows = 1 << 17
    rng = np.random.default_rng(11)
    # From 1 to some hundred elements a row, 32 on average.
    length = np.minimum(1 + rng.exponential(31, rows).astype(i32), 512)
    start = np.concatenate([[0], np.cumsum(length)]).astype(i32)
    column = rng.integers(0, rows, start[-1], dtype=i32)
    value, x = uniform(12, int(start[-1])), uniform(13, rows)
    return Case(
        size=f"{rows} rows, {start[-1] / 1e6:.1f} M elements",
        arrays={"start": start, "column": column, "value": value, "x": x, "y": np.zeros(rows, f32)},
        **one("spmv", (rows // 4, 1, 1), (128, 1, 1), (i32(rows), "start", "column", "value", "x", "y")),
        expected=lambda: {"y": np.add.reduceat(value.astype(np.float64) * x[column], start[:-1])},
        tolerance=1e-5,
    )


def jacobi() -> Case:
    w, h = 2048, 2048
    source, first = uniform(14, h, w), uniform(15, h, w)

    def expected() -> dict[str, np.ndarray]:
        a = first.astype(np.float64)
        for _ in range(4):
            b = a.copy()
            b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + source[1:-1, 1:-1])
            a = b
        return {"q": a}

    def launch(of: str, to: str) -> Launch:
        return Launch("jacobi", (w // 32, h // 8, 1), (32, 8, 1), (i32(w), i32(h), "source", of, to))

    return Case(
        size=f"{w} x {h} f32, 4 steps",
        arrays={"source": source, "first": first, "p": np.zeros(w * h, f32), "q": np.zeros(w * h, f32)},
        launches=[launch("first", "p"), launch("p", "q"), launch("q", "p"), launch("p", "q")],
        native=(i32(w), i32(h), "source", "first", "p", "q"),
        expected=expected,
        tolerance=1e-6,
    )


def text() -> Case:
    n = 1 << 25
    letters = np.frombuffer(b"etaoin shrdlu ETAOIN, 0123. cmfwyp vbgkj\n", u8)
    source = letters[np.random.default_rng(16).integers(0, letters.size, n)]

    def expected() -> dict[str, np.ndarray]:
        low = source | 32
        letter = (low >= ord("a")) & (low <= ord("z"))
        words = np.count_nonzero(letter[1:] & ~letter[:-1]) + int(letter[0])
        return {"out": np.where(letter, source & 0xDF, source), "words": np.array([words])}

    return Case(
        size="32 M u8",
        arrays={"in": source, "out": np.zeros(n, u8), "words": np.zeros(1, u32)},
        **one("text", (n // 256, 1, 1), (256, 1, 1), (i32(n), "in", "out", "words")),
        expected=expected,
        zeroed=("words",),
    )


def transposition() -> Case:
    # A row is not a power of two long: then a column would be in a few lines of the cache only.
    w, h = 3104, 2080
    source = uniform(17, h, w)
    return Case(
        size=f"{w} x {h} f32",
        arrays={"in": source, "out": np.zeros(w * h, f32)},
        **one("transposition", (w // 32, h // 32, 1), (32, 8, 1), (i32(w), i32(h), "in", "out")),
        expected=lambda: {"out": source.T},
    )


CASES: dict[str, Callable[[], Case]] = {
    case.__name__: case
    for case in (
        dot_product, scan, matmul, convolution, histogram, julia, forces, options, block_sort, spmv, jacobi, text, transposition,
    )
}  # fmt: skip
