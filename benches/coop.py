"""Block and warp primitives in kernels in Python, `cuox.cuda.coop`, beside CUB's in CUDA C++ and NVIDIA's `cuda.coop`.

    CUOX_DEVICE=gpu python benches/coop.py [--blocks 1056] [--runs 10]

Blocks of 256 threads with four `int32` each repeat a sum, an inclusive sum or a radix sort on what they hold, so that
memory counts little. The same in one process, in turn; the least of the runs, in ms. Results must be equal. CUB's
kernels have one barrier a turn, ours the one that the compiler puts in; `+`: with a barrier of the user's in each turn
as well, as NVIDIA's documents ask for. NVIDIA's are measured where cuda-cccl 1.0 or 1.1 and numba-cuda are installed.
"""

from __future__ import annotations

import argparse
import importlib
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
// Keeps the GPU busy until the kernel behind it is submitted, however long that takes.
extern "C" __global__ void waits() { for (long long end = clock64() + 2000000; clock64() < end;) {} }
KERNEL(sums, Reduce, 200, made += Block(storage).Sum(own); own[0] += 1, if (threadIdx.x == 0) out[blockIdx.x] = made)
KERNEL(scans, Scan, 200, Block(storage).InclusiveSum(own, own), ALL)
KERNEL(sorts, Sort, 20, Block(storage).Sort(own); NEXT, ALL)
"""


def kernels(coop: Any, cuda: Any, barrier: bool) -> dict[str, Any]:
    """The kernels in Python, with a barrier of the user's after each turn or without."""
    total = coop.block.make_sum(np.int32, THREADS, ITEMS)
    scan = coop.block.make_inclusive_sum(np.int32, THREADS, ITEMS)
    sort = coop.block.make_radix_sort_keys(np.int32, THREADS, ITEMS)

    @cuda.jit(link=total.files)
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

    @cuda.jit(link=scan.files)
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

    @cuda.jit(link=sort.files)
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


def peer() -> tuple[Any, Any] | None:
    """NVIDIA's modules: `cuda.coop` and `numba.cuda`."""
    try:
        return importlib.import_module("cuda.coop._experimental"), importlib.import_module("numba.cuda")
    except ImportError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--blocks", type=int, help="1056 on a GPU, 16 on the software GPU")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    device = cuox.Device()
    device.set_current()
    blocks = options.blocks or (16 if device.is_soft else 1056)
    numbers = np.random.default_rng(0).integers(-(10**6), 10**6, blocks * THREADS * ITEMS).astype(np.int32)
    started = time.perf_counter()
    code = cuox.Program(CUB, code_type="c++").compile("ptx")
    print(f"{device.name}, {blocks} blocks; CUB's kernels compile in {time.perf_counter() - started:.2f} s")
    waits = code.get_kernel("waits")
    names = {"sum": "sums", "inclusive sum": "scans", "radix sort": "sorts"}
    of_cub = {name: code.get_kernel(entry) for name, entry in names.items()}
    columns: list[tuple[str, Any, dict[str, Any]]] = [
        ("cuox", cuda, kernels(coop, cuda, False)),
        ("cuox +", cuda, kernels(coop, cuda, True)),
        ("CUB", cuda, of_cub),
    ]
    if not device.is_soft and (others := peer()):
        columns.append(("NVIDIA +", others[1], kernels(*others, True)))

    def launch(of: Any, kernel: Any) -> tuple[Callable[[], None], Any, float]:
        data, out = of.to_device(numbers), of.to_device(np.zeros_like(numbers))
        started = time.perf_counter()
        kernel[blocks, THREADS](data, out)
        of.synchronize()
        first = (time.perf_counter() - started) * 1e3
        return lambda: kernel[blocks, THREADS](data, out), out, first

    print(f"{'':16}" + "".join(f"{title:>10}" for title, _, _ in columns) + "   / CUB        first launch, ms")
    for name in names:
        made = [launch(of, made[name]) for _, of, made in columns]
        best = [float("inf")] * len(made)
        for _ in range(options.runs):
            for at, (run, _, _) in enumerate(made):
                if not device.is_soft:
                    waits[1, 1]()
                begin, end = cuda.event(), cuda.event()
                begin.record()
                run()
                end.record()
                end.synchronize()
                best[at] = min(best[at], cuda.event_elapsed_time(begin, end))
        results = [out.copy_to_host() for _, out, _ in made]
        if not all(np.array_equal(results[0], other) for other in results):
            print(f"{name}: the results differ")
            return 1
        ratios = " ".join(f"{one / best[2]:5.2f}" for one in (best[0], best[1], *best[3:]))
        firsts = " ".join(
            f"{first:6.0f}" for (title, _, _), (_, _, first) in zip(columns, made, strict=True) if title != "CUB"
        )
        print(f"{name:16}" + "".join(f"{one:10.4f}" for one in best) + f"  {ratios}  {firsts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
