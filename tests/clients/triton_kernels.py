"""Kernels written in Triton, without PyTorch: each runs once and its results are compared with NumPy's.

    cuox run --shims ptxas -- python tests/clients/triton_kernels.py

Needs triton >= 3.9 (whose CUDA driver works without PyTorch), numpy and a C compiler, with which Triton builds its
launcher. Nothing of cuox is imported: device memory comes from the CUDA driver, whichever is found. On a device of
compute capability 9.0 Triton multiplies tiles of 64 rows with `wgmma`, and smaller ones (`--tile 32`) with `mma`.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
import time
import traceback
from collections.abc import Callable

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # unset, Triton 3.9 warns

import numpy as np
import triton
import triton.language as tl

# -- device memory, by the CUDA driver -------------------------------------------------------------

_cuda = ctypes.CDLL("libcuda.so.1")


def _call(name: str, *arguments: object) -> None:
    status = getattr(_cuda, name)(*arguments)
    if status != 0:
        text = ctypes.c_char_p()
        _cuda.cuGetErrorName(status, ctypes.byref(text))
        raise RuntimeError(f"{name}: {(text.value or b'unknown error').decode()} ({status})")


class DeviceArray:
    """An array on the device. Triton takes any object with `data_ptr()` and `dtype` as a pointer."""

    def __init__(self, host: np.ndarray) -> None:
        host = np.ascontiguousarray(host)
        self.dtype, self.shape, self._bytes = host.dtype, host.shape, host.nbytes
        pointer = ctypes.c_uint64()
        _call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(host.nbytes, 1)))
        self._pointer = pointer.value
        _call(
            "cuMemcpyHtoD_v2",
            ctypes.c_uint64(self._pointer),
            ctypes.c_void_p(host.ctypes.data),
            ctypes.c_size_t(host.nbytes),
        )

    def data_ptr(self) -> int:
        return self._pointer

    def numpy(self) -> np.ndarray:
        """The array's values, after all kernels before."""
        host = np.empty(self.shape, self.dtype)
        _call(
            "cuMemcpyDtoH_v2",
            ctypes.c_void_p(host.ctypes.data),
            ctypes.c_uint64(self._pointer),
            ctypes.c_size_t(self._bytes),
        )
        return host

    def __del__(self) -> None:
        if getattr(self, "_pointer", 0):
            _cuda.cuMemFree_v2(ctypes.c_uint64(self._pointer))


def zeros(shape: int | tuple[int, ...], dtype: str) -> DeviceArray:
    return DeviceArray(np.zeros(shape, dtype))


def capability() -> int:
    """The device's compute capability: 80 for 8.0."""
    return triton.runtime.driver.active.get_current_target().arch


def rows_of_a_tile() -> int:
    """The rows of the tiles that are multiplied."""
    return _tile or (64 if capability() < 100 else 32)


_tile = 0


def close(got: np.ndarray, expected: np.ndarray, rtol: float, atol: float = 0.0) -> None:
    np.testing.assert_allclose(got.astype(np.float64), np.asarray(expected, np.float64), rtol=rtol, atol=atol)


# -- kernels ---------------------------------------------------------------------------------------


@triton.jit
def gelu_kernel(x, bias, y, n, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside, other=0.0) + tl.load(bias + at % columns, mask=inside, other=0.0)
    cubic = 0.7978845608 * (value + 0.044715 * value * value * value)
    tanh = 1.0 - 2.0 / (tl.exp(2.0 * cubic) + 1.0)
    tl.store(y + at, 0.5 * value * (1.0 + tanh), mask=inside)


def elementwise(random: np.random.Generator) -> None:
    x, bias = random.standard_normal((37, 129), np.float32) * 3, random.standard_normal(129, np.float32)
    y = zeros(x.shape, "float32")
    gelu_kernel[(triton.cdiv(x.size, 256),)](DeviceArray(x), DeviceArray(bias), y, x.size, 129, BLOCK=256)
    value = (x + bias).astype(np.float64)
    close(y.numpy(), 0.5 * value * (1 + np.tanh(0.7978845608 * (value + 0.044715 * value**3))), rtol=2e-5, atol=1e-6)


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=-float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + row * columns + at, (value / tl.sum(value, axis=0)).to(y.dtype.element_ty), mask=inside)


def softmax(random: np.random.Generator) -> None:
    for dtype, rtol, atol in (("float32", 2e-6, 1e-8), ("float16", 1e-3, 6e-8)):
        x = (random.standard_normal((21, 781)) * 4).astype(dtype)
        y = zeros(x.shape, dtype)
        softmax_kernel[(21,)](DeviceArray(x), y, 781, BLOCK=1024)
        wide = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
        close(y.numpy(), wide / wide.sum(axis=1, keepdims=True), rtol, atol)


@triton.jit
def matmul_kernel(
    a,
    b,
    c,
    M,
    N,
    K,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    GROUP: tl.constexpr,
    PRECISION: tl.constexpr,
):
    # Tiles are taken in groups of rows, as for a cache.
    across = tl.cdiv(N, BLOCK_N)
    group = tl.program_id(0) // (GROUP * across)
    rows = min(tl.cdiv(M, BLOCK_M) - group * GROUP, GROUP)
    tile_m = group * GROUP + tl.program_id(0) % (GROUP * across) % rows
    tile_n = tl.program_id(0) % (GROUP * across) // rows
    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        left = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        right = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(left, right, total, input_precision=PRECISION)
    tl.store(c + m[:, None] * N + n[None, :], total.to(c.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


def _matmul(
    random: np.random.Generator, dtype: str, precision: str, M: int, N: int, K: int, rtol: float, atol: float
) -> None:
    a, b = (random.standard_normal(shape).astype(dtype) for shape in ((M, K), (K, N)))
    c = zeros((M, N), dtype)
    tile = rows_of_a_tile()
    grid = (triton.cdiv(M, tile) * triton.cdiv(N, 64),)
    matmul_kernel[grid](
        DeviceArray(a),
        DeviceArray(b),
        c,
        M,
        N,
        K,
        BLOCK_M=tile,
        BLOCK_N=64,
        BLOCK_K=32,
        GROUP=4,
        PRECISION=precision,
        num_stages=3,
    )
    close(c.numpy(), a.astype(np.float64) @ b.astype(np.float64), rtol, atol)


def matmul_fp16(random: np.random.Generator) -> None:
    _matmul(random, "float16", "tf32", 128, 192, 160, 1e-3, 2e-3)  # every load aligned: cp.async and ldmatrix
    _matmul(random, "float16", "tf32", 99, 77, 53, 1e-3, 2e-3)


def matmul_fp32(random: np.random.Generator) -> None:
    _matmul(random, "float32", "ieee", 128, 64, 96, 1e-5, 1e-5)
    _matmul(random, "float32", "ieee", 70, 81, 45, 1e-5, 1e-5)


def matmul_tf32(random: np.random.Generator) -> None:
    _matmul(random, "float32", "tf32", 128, 64, 96, 2e-3, 5e-2)  # ten bits of mantissa
    _matmul(random, "float32", "tf32x3", 70, 81, 45, 1e-5, 1e-4)  # three products make up for them


@triton.jit
def attention_kernel(
    q, k, v, out, length, scale, CAUSAL: tl.constexpr, WIDTH: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr
):
    first = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1) * length * WIDTH
    m = first + tl.arange(0, BLOCK_M)
    d = tl.arange(0, WIDTH)
    query = tl.load(q + head + m[:, None] * WIDTH + d[None, :], mask=m[:, None] < length, other=0.0)
    largest = tl.full((BLOCK_M,), -float("inf"), tl.float32)
    weight = tl.zeros((BLOCK_M,), tl.float32)
    total = tl.zeros((BLOCK_M, WIDTH), tl.float32)
    last = min(first + BLOCK_M, length) if CAUSAL else length
    for start in range(0, last, BLOCK_N):
        n = start + tl.arange(0, BLOCK_N)
        key = tl.load(k + head + n[None, :] * WIDTH + d[:, None], mask=n[None, :] < length, other=0.0)
        score = tl.dot(query, key) * (scale * 1.4426950408889634)
        seen = n[None, :] < length
        if CAUSAL:
            seen = seen & (n[None, :] <= m[:, None])
        score = tl.where(seen, score, -1.0e30)
        now = tl.maximum(largest, tl.max(score, 1))
        part = tl.exp2(score - now[:, None])
        old = tl.exp2(largest - now)
        weight = weight * old + tl.sum(part, 1)
        value = tl.load(v + head + n[:, None] * WIDTH + d[None, :], mask=n[:, None] < length, other=0.0)
        total = tl.dot(part.to(value.dtype), value, total * old[:, None])
        largest = now
    tl.store(
        out + head + m[:, None] * WIDTH + d[None, :],
        (total / weight[:, None]).to(out.dtype.element_ty),
        mask=m[:, None] < length,
    )


def attention(random: np.random.Generator) -> None:
    heads, length, width = 2, 150, 64
    q, k, v = (random.standard_normal((heads, length, width)).astype(np.float16) for _ in range(3))
    tile = rows_of_a_tile()
    for causal in (False, True):
        out = zeros(q.shape, "float16")
        grid = (triton.cdiv(length, tile), heads)
        attention_kernel[grid](
            DeviceArray(q),
            DeviceArray(k),
            DeviceArray(v),
            out,
            length,
            width**-0.5,
            CAUSAL=causal,
            WIDTH=width,
            BLOCK_M=tile,
            BLOCK_N=32,
        )
        score = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * width**-0.5
        if causal:
            score[:, np.triu(np.ones((length, length), bool), 1)] = -np.inf
        score = np.exp(score - score.max(axis=2, keepdims=True))
        close(out.numpy(), score / score.sum(axis=2, keepdims=True) @ v.astype(np.float64), rtol=2e-3, atol=2e-3)


@triton.jit
def atomics_kernel(keys, weights, count, total, largest, smallest, bits, lock, shared, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    key = tl.load(keys + at, mask=inside, other=0)
    weight = tl.load(weights + at, mask=inside, other=0.0)
    tl.atomic_add(count + key, 1, mask=inside)
    tl.atomic_add(total + key, weight, mask=inside)
    tl.atomic_max(largest + key, weight, mask=inside)
    tl.atomic_min(smallest + key, at, mask=inside)
    tl.atomic_or(bits + key, (1 << (at % 31)).to(tl.int32), mask=inside)
    # A lock around a plain read and write, which loses counts if two blocks are inside.
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(shared, tl.load(shared) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


def atomics(random: np.random.Generator) -> None:
    n, kinds = 5000, 23
    keys, weights = random.integers(0, kinds, n).astype(np.int32), random.standard_normal(n, np.float32)
    count, total, bits, lock, shared = (
        zeros(kinds, "int32"),
        zeros(kinds, "float32"),
        zeros(kinds, "int32"),
        zeros(1, "int32"),
        zeros(1, "int32"),
    )
    largest, smallest = DeviceArray(np.full(kinds, -np.inf, np.float32)), DeviceArray(np.full(kinds, n, np.int32))
    blocks = triton.cdiv(n, 256)
    atomics_kernel[(blocks,)](
        DeviceArray(keys), DeviceArray(weights), count, total, largest, smallest, bits, lock, shared, n, BLOCK=256
    )
    np.testing.assert_array_equal(count.numpy(), np.bincount(keys, minlength=kinds))
    close(total.numpy(), np.bincount(keys, weights.astype(np.float64), kinds), rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(largest.numpy(), [weights[keys == kind].max() for kind in range(kinds)])
    np.testing.assert_array_equal(smallest.numpy(), [np.flatnonzero(keys == kind)[0] for kind in range(kinds)])
    np.testing.assert_array_equal(
        bits.numpy(), [np.bitwise_or.reduce(1 << (np.flatnonzero(keys == kind) % 31)) for kind in range(kinds)]
    )
    assert shared.numpy()[0] == blocks and lock.numpy()[0] == 0, (
        f"the lock let {blocks - shared.numpy()[0]} of {blocks} blocks in at once"
    )


@triton.jit
def _first_order(decay, value, decay_after, value_after):
    return decay * decay_after, value * decay_after + value_after


@triton.jit
def scan_kernel(x, decay, sums, products, recurrent, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row + at, mask=inside, other=0.0)
    factor = tl.load(decay + row + at, mask=inside, other=1.0)
    tl.store(sums + row + at, tl.cumsum(value, 0), mask=inside)
    tl.store(products + row + at, tl.cumprod(factor, 0, reverse=True), mask=inside)
    _, state = tl.associative_scan((factor, value), 0, _first_order)
    tl.store(recurrent + row + at, state, mask=inside)


def scan(random: np.random.Generator) -> None:
    x, decay = random.standard_normal((9, 500), np.float32), random.uniform(0.9, 1.05, (9, 500)).astype(np.float32)
    sums, products, recurrent = (zeros(x.shape, "float32") for _ in range(3))
    scan_kernel[(9,)](DeviceArray(x), DeviceArray(decay), sums, products, recurrent, 500, BLOCK=512)
    wide, factor = x.astype(np.float64), decay.astype(np.float64)
    close(sums.numpy(), np.cumsum(wide, axis=1), rtol=1e-4, atol=1e-4)
    close(products.numpy(), np.cumprod(factor[:, ::-1], axis=1)[:, ::-1], rtol=1e-4)
    state, expected = np.zeros(9), np.empty_like(wide)
    for column in range(500):
        state = state * factor[:, column] + wide[:, column]
        expected[:, column] = state
    close(recurrent.numpy(), expected, rtol=1e-4, atol=1e-3)


@triton.jit
def reduction_kernel(x, total, largest, where, parity, rows, columns, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    sums = tl.zeros((BLOCK_R,), tl.float32)
    top = tl.full((BLOCK_R,), -float("inf"), tl.float32)
    index = tl.zeros((BLOCK_R,), tl.int32)
    bits = tl.zeros((BLOCK_R,), tl.int32)
    for start in range(0, columns, BLOCK_C):
        c = start + tl.arange(0, BLOCK_C)
        inside = (r[:, None] < rows) & (c[None, :] < columns)
        tile = tl.load(x + r[:, None] * columns + c[None, :], mask=inside, other=0.0)
        sums += tl.sum(tile, 1)
        best, place = tl.max(tl.where(inside, tile, -float("inf")), 1, return_indices=True)
        index = tl.where(best > top, place + start, index)
        top = tl.maximum(best, top)
        bits ^= tl.xor_sum(tile.to(tl.int32, bitcast=True), 1)
    tl.store(total + r, sums, mask=r < rows)
    tl.store(largest + r, top, mask=r < rows)
    tl.store(where + r, index, mask=r < rows)
    tl.store(parity + r, bits, mask=r < rows)


def reduction(random: np.random.Generator) -> None:
    x = random.standard_normal((45, 700), np.float32)
    total, largest, where, parity = zeros(45, "float32"), zeros(45, "float32"), zeros(45, "int32"), zeros(45, "int32")
    reduction_kernel[(triton.cdiv(45, 16),)](
        DeviceArray(x), total, largest, where, parity, 45, 700, BLOCK_R=16, BLOCK_C=128
    )
    close(total.numpy(), x.astype(np.float64).sum(axis=1), rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(largest.numpy(), x.max(axis=1))
    np.testing.assert_array_equal(where.numpy(), x.argmax(axis=1))
    np.testing.assert_array_equal(parity.numpy(), np.bitwise_xor.reduce(x.view(np.int32), axis=1))


@triton.jit
def layer_norm_kernel(x, gain, bias, y, mean, rstd, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    middle = tl.sum(value, 0) / columns
    apart = tl.where(inside, value - middle, 0.0)
    scale = tl.rsqrt(tl.sum(apart * apart, 0) / columns + eps)
    tl.store(mean + row, middle)
    tl.store(rstd + row, scale)
    result = apart * scale * tl.load(gain + at, mask=inside, other=0.0) + tl.load(bias + at, mask=inside, other=0.0)
    tl.store(y + row * columns + at, result.to(y.dtype.element_ty), mask=inside)


def layer_norm(random: np.random.Generator) -> None:
    x = (random.standard_normal((33, 640)) * 2 + 5).astype(np.float16)
    gain, bias = random.standard_normal(640, np.float32), random.standard_normal(640, np.float32)
    y, mean, rstd = zeros(x.shape, "float16"), zeros(33, "float32"), zeros(33, "float32")
    layer_norm_kernel[(33,)](
        DeviceArray(x), DeviceArray(gain), DeviceArray(bias), y, mean, rstd, 640, 1e-5, BLOCK=1024, num_warps=8
    )
    wide = x.astype(np.float64)
    scale = 1 / np.sqrt(wide.var(axis=1) + 1e-5)
    close(mean.numpy(), wide.mean(axis=1), rtol=1e-5)
    close(rstd.numpy(), scale, rtol=1e-5)
    close(y.numpy(), (wide - wide.mean(axis=1, keepdims=True)) * scale[:, None] * gain + bias, rtol=1e-3, atol=2e-3)


@triton.jit
def dropout_kernel(x, y, normal, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    kept = tl.rand(seed, at) > p
    tl.store(y + at, tl.where(kept, tl.load(x + at, mask=inside, other=0.0) / (1 - p), 0.0), mask=inside)
    tl.store(normal + at, tl.randn(seed, at), mask=inside)


def _philox(seed: int, counter: np.ndarray) -> list[np.ndarray]:
    """Philox 4x32 with ten rounds, by its paper (Salmon and others, 2011)."""
    low = np.uint64(0xFFFFFFFF)
    c = [counter.astype(np.uint64), *(np.zeros(counter.shape, np.uint64) for _ in range(3))]
    k = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        first, second = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        shift = np.uint64(32)
        c = [
            (second >> shift) ^ c[1] ^ np.uint64(k[0]),
            second & low,
            (first >> shift) ^ c[3] ^ np.uint64(k[1]),
            first & low,
        ]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def _uniform(word: np.ndarray) -> np.ndarray:
    signed = word.astype(np.uint32).view(np.int32)
    return np.where(signed < 0, -(signed + 1), signed).astype(np.float32) * np.float32(4.6566127342e-10)


def dropout(random: np.random.Generator) -> None:
    n, p, seed = 6000, 0.3, 0x1234_5678_9ABC
    x = random.standard_normal(n, np.float32)
    y, normal = zeros(n, "float32"), zeros(n, "float32")
    dropout_kernel[(triton.cdiv(n, 512),)](DeviceArray(x), y, normal, n, p, seed, BLOCK=512)
    words = _philox(seed, np.arange(n))
    kept = _uniform(words[0]) > np.float32(p)
    assert 0.65 < kept.mean() < 0.75
    np.testing.assert_array_equal(y.numpy() != 0, kept)
    close(y.numpy(), np.where(kept, x / np.float32(1 - p), 0), rtol=1e-6)
    radius = np.sqrt(-2 * np.log(np.maximum(_uniform(words[0]), np.float32(1e-7)).astype(np.float64)))
    close(normal.numpy(), radius * np.cos(2 * np.pi * _uniform(words[1]).astype(np.float64)), rtol=1e-4, atol=2e-5)


@triton.jit
def transpose_kernel(x, y, rows, columns, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x + r[:, None] * columns + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < columns))
    tl.store(y + c[:, None] * rows + r[None, :], tl.trans(tile), mask=(c[:, None] < columns) & (r[None, :] < rows))


def transposed_copy(random: np.random.Generator) -> None:
    for dtype in ("uint8", "float16", "int32", "float64"):
        x = random.integers(0, 200, (75, 130)).astype(dtype)
        y = zeros((130, 75), dtype)
        transpose_kernel[(triton.cdiv(75, 32), triton.cdiv(130, 32))](DeviceArray(x), y, 75, 130, BLOCK=32)
        np.testing.assert_array_equal(y.numpy(), x.T)


@triton.jit
def sort_kernel(x, ascending, descending, median, rows, BLOCK_R: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R)
    c = tl.arange(0, COLUMNS)
    at = r[:, None] * COLUMNS + c[None, :]
    inside = r[:, None] < rows
    tile = tl.load(x + at, mask=inside, other=0)
    ordered = tl.sort(tile, 1)
    tl.store(ascending + at, ordered, mask=inside)
    tl.store(descending + at, tl.sort(tile, 1, descending=True), mask=inside)
    tl.store(median + r, tl.sum(tl.where(c[None, :] == COLUMNS // 2, ordered, 0), 1), mask=r < rows)


def sort(random: np.random.Generator) -> None:
    x = random.integers(-1000, 1000, (10, 128)).astype(np.int32)
    ascending, descending, median = zeros(x.shape, "int32"), zeros(x.shape, "int32"), zeros(10, "int32")
    sort_kernel[(triton.cdiv(10, 4),)](DeviceArray(x), ascending, descending, median, 10, BLOCK_R=4, COLUMNS=128)
    expected = np.sort(x, axis=1)
    np.testing.assert_array_equal(ascending.numpy(), expected)
    np.testing.assert_array_equal(descending.numpy(), expected[:, ::-1])
    np.testing.assert_array_equal(median.numpy(), expected[:, 64])


# -- the command -----------------------------------------------------------------------------------

CASES: list[Callable[[np.random.Generator], None]] = [
    elementwise,
    softmax,
    matmul_fp16,
    matmul_fp32,
    matmul_tf32,
    attention,
    atomics,
    scan,
    reduction,
    layer_norm,
    dropout,
    transposed_copy,
    sort,
]


def main() -> int:
    parser = argparse.ArgumentParser(description="Run Triton kernels on the CUDA driver that is found.")
    parser.add_argument("names", nargs="*", help="run these only")
    parser.add_argument(
        "--tile",
        type=int,
        default=0,
        metavar="ROWS",
        help="rows of the tiles of matrix products (64, or 32 on 10.0 and later)",
    )
    options = parser.parse_args()
    global _tile
    _tile = options.tile
    if unknown := set(options.names) - {case.__name__ for case in CASES}:
        parser.error(f"no kernel {', '.join(sorted(unknown))}; available: {', '.join(case.__name__ for case in CASES)}")
    target = triton.runtime.driver.active.get_current_target()
    assert target.backend == "cuda", f"Triton chose {target}"
    print(f"triton {triton.__version__}, compute capability {target.arch / 10}", flush=True)
    begin, ran, failed = time.perf_counter(), 0, 0
    for case in CASES:
        if options.names and case.__name__ not in options.names:
            continue
        started, ran = time.perf_counter(), ran + 1
        try:
            case(np.random.default_rng(14))
            result = "passed"
        except Exception:
            traceback.print_exc()
            result, failed = "FAILED", failed + 1
        print(f"{result}  {case.__name__:16} {time.perf_counter() - started:6.2f} s", flush=True)
    print(f"{ran - failed} of {ran} Triton kernels passed in {time.perf_counter() - begin:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
