"""Block and warp primitives in kernels in Python, beside CUB's in CUDA C++: `cuox.cuda.coop`.

    CUOX_DEVICE=gpu python benches/coop.py [--blocks 1056] [--runs 10]

Blocks of 256 threads with four `int32` each repeat a sum, an inclusive sum or a radix sort on what they hold, so that
memory counts little. The same in one process, in turn; the least of the runs, in ms. Results must be equal. CUB's
kernels have one barrier a turn, ours the one that the compiler puts in; `+`: with a barrier of the user's in each turn
as well, as NVIDIA's documents ask for.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
from cuox.cuda import coop
from cuox.numba import cuda

THREADS, ITEMS, TURNS, SORTS = 256, 4, 200, 20
CUB = r"""
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_radix_sort.cuh>
#define KERNEL(NAME, BLOCK, TURNS, WORK, END) \
extern "C" __global__ void __launch_bounds__(256) NAME(const int *data, int *out) { \
    using Block = BLOCK; __shared__ typename Block::TempStorage storage; \
    int own[4], made = 0; const int at = (blockIdx.x * 256 + threadIdx.x) * 4; \
    for (int i = 0; i < 4; i++) own[i] = data[at + i]; \
    _Pragma("unroll 1") for (int turn = 0; turn < TURNS; turn++) { WORK; __syncthreads(); } \
    END; }
#define ALL for (int i = 0; i < 4; i++) out[at + i] = own[i]
#define NEXT for (int i = 0; i < 4; i++) own[i] = own[i] * 1664525u + 1013904223u
using Reduce = cub::BlockReduce<int, 256>;
using Scan = cub::BlockScan<int, 256, cub::BLOCK_SCAN_WARP_SCANS>;
using Sort = cub::BlockRadixSort<int, 256, 4>;
KERNEL(sums, Reduce, 200, made += Block(storage).Sum(own); own[0] += 1, if (threadIdx.x == 0) out[blockIdx.x] = made)
KERNEL(scans, Scan, 200, Block(storage).InclusiveSum(own, own), ALL)
KERNEL(sorts, Sort, 20, Block(storage).Sort(own); NEXT, ALL)
"""


def kernels(barrier: bool) -> dict[str, Any]:
    """The kernels in Python, with a barrier of the user's after each turn or without."""
    total = coop.block.sum(np.int32, THREADS, ITEMS)
    scan = coop.block.inclusive_sum(np.int32, THREADS, ITEMS)
    sort = coop.block.radix_sort_keys(np.int32, THREADS, ITEMS)

    @cuda.jit
    def sums(data, out):
        own = cuda.local.array(ITEMS, np.int32)
        at = (cuda.blockIdx.x * THREADS + cuda.threadIdx.x) * ITEMS
        for i in range(ITEMS):
            own[i] = data[at + i]
        made = np.int32(0)
        for _ in range(TURNS):
            made = np.int32(made + total(own))
            own[0] = np.int32(own[0] + np.int32(1))
            if barrier:
                cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            out[cuda.blockIdx.x] = made

    @cuda.jit
    def scans(data, out):
        own = cuda.local.array(ITEMS, np.int32)
        at = (cuda.blockIdx.x * THREADS + cuda.threadIdx.x) * ITEMS
        for i in range(ITEMS):
            own[i] = data[at + i]
        for _ in range(TURNS):
            scan(own, own)
            if barrier:
                cuda.syncthreads()
        for i in range(ITEMS):
            out[at + i] = own[i]

    @cuda.jit
    def sorts(data, out):
        own = cuda.local.array(ITEMS, np.int32)
        at = (cuda.blockIdx.x * THREADS + cuda.threadIdx.x) * ITEMS
        for i in range(ITEMS):
            own[i] = data[at + i]
        for _ in range(SORTS):
            sort(own)
            for i in range(ITEMS):
                own[i] = np.int32(own[i] * np.int32(1664525) + np.int32(1013904223))
            if barrier:
                cuda.syncthreads()
        for i in range(ITEMS):
            out[at + i] = own[i]

    return {"sum": sums, "inclusive sum": scans, "radix sort": sorts}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--blocks", type=int, help="1056 on a GPU, 16 on the software GPU")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    device = cuox.Device()
    device.set_current()
    blocks = options.blocks or (16 if "software" in device.name else 1056)
    numbers = np.random.default_rng(0).integers(-(10**6), 10**6, blocks * THREADS * ITEMS).astype(np.int32)
    data = cuda.to_device(numbers)
    started = time.perf_counter()
    code = cuox.Program(CUB, code_type="c++").compile("ptx")
    print(f"{device.name}, {blocks} blocks; CUB's kernels compile in {time.perf_counter() - started:.2f} s")
    bare, with_barrier = kernels(False), kernels(True)
    names = {"sum": "sums", "inclusive sum": "scans", "radix sort": "sorts"}

    def launch(kernel: Any) -> tuple[Callable[[], None], Any]:
        out = cuda.to_device(np.zeros_like(numbers))
        started = time.perf_counter()
        kernel[blocks, THREADS](data, out)
        cuda.synchronize()
        firsts.append((time.perf_counter() - started) * 1e3)
        return lambda: kernel[blocks, THREADS](data, out), out

    print(f"{'':16} {'cuox':>9} {'cuox +':>9} {'CUB':>9} {'/':>6} {'+ /':>6}  first launch")
    for name, entry in names.items():
        firsts: list[float] = []
        made = [launch(kernel) for kernel in (bare[name], with_barrier[name], code.get_kernel(entry))]
        best = [float("inf")] * len(made)
        for _ in range(options.runs):
            for at, (run, _) in enumerate(made):
                begin, end = cuda.event(), cuda.event()
                begin.record()
                run()
                end.record()
                end.synchronize()
                best[at] = min(best[at], cuda.event_elapsed_time(begin, end))
        results = [out.copy_to_host() for _, out in made]
        if not all(np.array_equal(results[0], other) for other in results):
            print(f"{name}: the results differ")
            return 1
        ours, ours_with, cub = best
        print(
            f"{name:16} {ours:9.4f} {ours_with:9.4f} {cub:9.4f} {ours / cub:6.2f} {ours_with / cub:6.2f}  {firsts[0]:.0f} ms"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
