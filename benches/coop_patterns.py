"""Patterns of kernels in Python with `cuox.cuda.coop`, beside the loops with `syncthreads` that they replace.

CUOX_DEVICE=gpu python benches/coop_patterns.py [--size 4194304] [--runs 10]

A sum of each block, a scan over all blocks in one pass, the greatest items of each tile, a histogram, a softmax of
rows. Both kernels of a pattern have the same arguments and results; they run in turn, and the least of the runs is
printed, in ms. A sum of floats may differ in its last bits.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
from cuox.cuda import coop
from cuox.numba import cuda, types

THREADS, ITEMS, BINS, COLUMNS = 256, 4, 64, 1024
TILE = THREADS * ITEMS


@cuda.jit
def block_sums(data, sums):
    block = coop.this_block()
    items = coop.ThreadData(ITEMS)
    coop.load(block, data, items, algorithm="striped", offset=cuda.blockIdx.x * TILE)
    total = coop.sum(block, items, broadcast=False)
    if block.rank() == 0:
        sums[cuda.blockIdx.x] = total


@cuda.jit
def block_sums_by_hand(data, sums):
    partial = cuda.shared.array(THREADS, types.int32)
    rank = cuda.threadIdx.x
    own = types.int32(0)
    for i in range(ITEMS):
        own += data[cuda.blockIdx.x * TILE + i * THREADS + rank]
    partial[rank] = own
    cuda.syncthreads()
    width = THREADS // 2
    while width > 0:
        if rank < width:
            partial[rank] += partial[rank + width]
        cuda.syncthreads()
        width //= 2
    if rank == 0:
        sums[cuda.blockIdx.x] = partial[0]


@cuda.jit
def scan(data, out, sums, ready):
    block = coop.this_block()
    tile = cuda.blockIdx.x

    def before(aggregate):
        # The first warp is here, and its first thread's result counts.
        prefix = types.int32(0)
        if cuda.threadIdx.x == 0:
            if tile > 0:
                while cuda.atomic.add(ready, tile - 1, 0) == 0:
                    pass
                prefix = sums[tile - 1]
            sums[tile] = prefix + aggregate
            cuda.threadfence()
            cuda.atomic.add(ready, tile, 1)
        return prefix

    items = coop.ThreadData(ITEMS)
    coop.load(block, data, items, algorithm="transpose", offset=tile * TILE)
    scanned = coop.inclusive_sum(block, items, prefix_op=before)
    coop.store(block, out, scanned, algorithm="transpose", offset=tile * TILE)


@cuda.jit
def scan_by_hand(data, out, sums, ready):
    shared = cuda.shared.array(TILE, types.int32)
    partial = cuda.shared.array((2, THREADS), types.int32)
    first = cuda.shared.array(1, types.int32)
    tile, rank = cuda.blockIdx.x, cuda.threadIdx.x
    for i in range(ITEMS):
        shared[i * THREADS + rank] = data[tile * TILE + i * THREADS + rank]
    cuda.syncthreads()
    own = types.int32(0)
    for i in range(ITEMS):
        own += shared[rank * ITEMS + i]
    partial[0, rank] = own
    cuda.syncthreads()
    now, delta = 0, 1
    while delta < THREADS:
        value = partial[now, rank]
        if rank >= delta:
            value += partial[now, rank - delta]
        partial[1 - now, rank] = value
        cuda.syncthreads()
        now, delta = 1 - now, delta * 2
    if rank == 0:
        prefix = types.int32(0)
        if tile > 0:
            while cuda.atomic.add(ready, tile - 1, 0) == 0:
                pass
            prefix = sums[tile - 1]
        sums[tile] = prefix + partial[now, THREADS - 1]
        cuda.threadfence()
        cuda.atomic.add(ready, tile, 1)
        first[0] = prefix
    cuda.syncthreads()
    running = first[0] + partial[now, rank] - own
    for i in range(ITEMS):
        running += shared[rank * ITEMS + i]
        shared[rank * ITEMS + i] = running
    cuda.syncthreads()
    for i in range(ITEMS):
        out[tile * TILE + i * THREADS + rank] = shared[i * THREADS + rank]


@cuda.jit
def greatest(data, top):
    block = coop.this_block()
    items = coop.ThreadData(ITEMS)
    coop.load(block, data, items, algorithm="transpose", offset=cuda.blockIdx.x * TILE)
    found = coop.radix_sort_keys(block, items, descending=True)
    count = top.shape[1]
    coop.store(block, top[cuda.blockIdx.x], found, valid_items=count)


@cuda.jit
def greatest_by_hand(data, top):
    keys = cuda.shared.array(TILE, types.int32)
    rank = cuda.threadIdx.x
    for i in range(rank, TILE, THREADS):
        keys[i] = data[cuda.blockIdx.x * TILE + i]
    cuda.syncthreads()
    size = 2
    while size <= TILE:
        step = size // 2
        while step > 0:
            for i in range(rank, TILE, THREADS):
                other = i ^ step
                if other > i and (keys[i] < keys[other]) == ((i & size) == 0):
                    keys[i], keys[other] = keys[other], keys[i]
            cuda.syncthreads()
            step //= 2
        size *= 2
    for i in range(rank, top.shape[1], THREADS):
        top[cuda.blockIdx.x, i] = keys[i]


@cuda.jit
def histogram(data, counts):
    block = coop.this_block()
    items = coop.ThreadData(ITEMS)
    coop.load(block, data, items, algorithm="striped", offset=cuda.blockIdx.x * TILE)
    found = coop.histogram(block, items, bins=BINS)
    if block.rank() < BINS:
        cuda.atomic.add(counts, block.rank(), found[0])


@cuda.jit
def histogram_by_hand(data, counts):
    bins = cuda.shared.array(BINS, types.int32)
    rank = cuda.threadIdx.x
    if rank < BINS:
        bins[rank] = 0
    cuda.syncthreads()
    for i in range(ITEMS):
        cuda.atomic.add(bins, data[cuda.blockIdx.x * TILE + i * THREADS + rank], 1)
    cuda.syncthreads()
    if rank < BINS:
        cuda.atomic.add(counts, rank, bins[rank])


@cuda.jit(fastmath=True)
def softmax(rows, out):
    block = coop.this_block()
    own = coop.ThreadData(ITEMS)
    coop.load(block, rows[cuda.blockIdx.x], own, algorithm="striped")
    most = coop.reduce(block, own, binary_op="max")
    for i in range(ITEMS):
        own[i] = np.exp(own[i] - most)
    total = coop.sum(block, own)
    for i in range(ITEMS):
        own[i] /= total
    coop.store(block, out[cuda.blockIdx.x], own, algorithm="striped")


@cuda.jit(fastmath=True)
def softmax_by_hand(rows, out):
    partial = cuda.shared.array(THREADS, types.float32)
    own = cuda.local.array(ITEMS, types.float32)
    rank = cuda.threadIdx.x
    most = types.float32(-np.inf)
    for i in range(ITEMS):
        own[i] = rows[cuda.blockIdx.x, i * THREADS + rank]
        most = max(most, own[i])
    partial[rank] = most
    cuda.syncthreads()
    width = THREADS // 2
    while width > 0:
        if rank < width:
            partial[rank] = max(partial[rank], partial[rank + width])
        cuda.syncthreads()
        width //= 2
    most = partial[0]
    cuda.syncthreads()
    total = types.float32(0)
    for i in range(ITEMS):
        own[i] = np.exp(own[i] - most)
        total += own[i]
    partial[rank] = total
    cuda.syncthreads()
    width = THREADS // 2
    while width > 0:
        if rank < width:
            partial[rank] += partial[rank + width]
        cuda.syncthreads()
        width //= 2
    total = partial[0]
    for i in range(ITEMS):
        out[cuda.blockIdx.x, i * THREADS + rank] = own[i] / total


Pattern = tuple[str, Any, Any, Callable[[], list[Any]], Any]


def patterns(size: int) -> list[Pattern]:
    """The name of each, its two kernels, what makes their arguments, and the result that is compared."""
    blocks = size // TILE
    rng = np.random.default_rng(0)
    numbers = rng.integers(-1000, 1000, size).astype(np.int32)
    samples = rng.integers(0, BINS, size).astype(np.int32)
    rows = rng.random((blocks, COLUMNS), np.float32) * 8
    data, few, floats = map(cuda.to_device, (numbers, samples, rows))

    def new(shape: Any, dtype: Any = np.int32) -> Any:
        return cuda.to_device(np.zeros(shape, dtype))

    exponents = np.exp(rows - rows.max(axis=1, keepdims=True))
    return [
        ("block sum", block_sums, block_sums_by_hand, lambda: [data, new(blocks)], numbers.reshape(-1, TILE).sum(1)),
        (
            "scan in one pass", scan, scan_by_hand,
            lambda: [data, new(size), new(blocks), new(blocks)], np.cumsum(numbers, dtype=np.int32),
        ),
        (
            "greatest 16 of 1024", greatest, greatest_by_hand,
            lambda: [data, new((blocks, 16))], np.sort(numbers.reshape(-1, TILE), axis=1)[:, ::-1][:, :16],
        ),
        ("histogram", histogram, histogram_by_hand, lambda: [few, new(BINS)], np.bincount(samples, minlength=BINS)),
        (
            "softmax of rows", softmax, softmax_by_hand,
            lambda: [floats, new(rows.shape, np.float32)], exponents / exponents.sum(axis=1, keepdims=True),
        ),
    ]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--size", type=int, help="4 Mi on a GPU, 128 Ki on the software GPU; a multiple of 1024")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    device = cuox.Device()
    device.set_current()
    size = options.size or (1 << 17 if device.is_soft else 1 << 22)
    if size % TILE or size < TILE:
        parser.error(f"--size must be a multiple of {TILE}")
    print(f"{device.name}, {size} items in blocks of {THREADS} threads with {ITEMS} each")
    print(f"{'':20} {'cuox':>9} {'loops':>9} {'/':>6}")
    for name, kernel, by_hand, arguments, expected in patterns(size):
        best = [float("inf")] * 2
        for run in range(options.runs + 1):
            for at, one in enumerate((kernel, by_hand)):
                given = arguments()
                begin, end = cuda.event(), cuda.event()
                begin.record()
                one[size // TILE, THREADS](*given)
                end.record()
                end.synchronize()
                # The first run compiles.
                if run > 0:
                    best[at] = min(best[at], cuda.event_elapsed_time(begin, end))
                if not np.allclose(given[1].copy_to_host(), expected, rtol=1e-5):
                    print(f"{name}: {'the loops give' if at else 'cuox gives'} another result")
                    return 1
        print(f"{name:20} {best[0]:9.4f} {best[1]:9.4f} {best[0] / best[1]:6.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
