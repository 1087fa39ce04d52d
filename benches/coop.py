"""Block and warp primitives in kernels in Python, `cuox.cuda.coop`, beside CUB's in CUDA C++ and NVIDIA's `cuda.coop`.

    CUOX_DEVICE=gpu python benches/coop.py [--blocks 1056] [--runs 10]
    CUOX_DEVICE=gpu python benches/coop.py --first [--runs 3]

Blocks of 256 threads with four `int32` each repeat a sum, an inclusive sum or a radix sort on what they hold, so that
memory counts little. The same in one process, in turn; the least of the runs, in ms. Results must be equal. CUB's
kernels have one barrier a turn, ours the one that the compiler puts in; `+`: with a barrier of the user's in each turn
as well, as NVIDIA's documents ask for. NVIDIA's are measured where cuda-cccl 1.0 or 1.1 and numba-cuda are installed;
on the software GPU with `--peer`, under `cuox run --shims nvrtc,nvjitlink`.

`--first`: the first launch of each in a process of its own, without a cache; from making the operation and defining the
kernel until the kernel has ended, with modules imported, the device's context made and the arrays on it.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import time
import warnings
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


def sums(coop: Any, cuda: Any, barrier: bool) -> Any:
    """A kernel that sums, with a barrier of the user's after each turn or without."""
    total = coop.block.make_sum(np.int32, THREADS, ITEMS)

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

    return sums


def scans(coop: Any, cuda: Any, barrier: bool) -> Any:
    """One that scans."""
    scan = coop.block.make_inclusive_sum(np.int32, THREADS, ITEMS)

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

    return scans


def sorts(coop: Any, cuda: Any, barrier: bool) -> Any:
    """One that sorts."""
    sort = coop.block.make_radix_sort_keys(np.int32, THREADS, ITEMS)

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

    return sorts


KERNELS = {"sum": sums, "inclusive sum": scans, "radix sort": sorts}


def peer() -> tuple[Any, Any] | None:
    """NVIDIA's modules: `cuda.coop` and `numba.cuda`."""
    try:
        return importlib.import_module("cuda.coop._experimental"), importlib.import_module("numba.cuda")
    except ImportError:
        return None


def first_launch(package: str, name: str) -> int:
    """Print how many ms a kernel takes from its definition to the end of its first launch."""
    modules = peer() if package == "NVIDIA" else (coop, cuda)
    assert modules
    numbers = np.arange(THREADS * ITEMS, dtype=np.int32)
    data, out = modules[1].to_device(numbers), modules[1].to_device(numbers)
    modules[1].synchronize()
    started = time.perf_counter()
    KERNELS[name](*modules, True)[1, THREADS](data, out)
    modules[1].synchronize()
    print((time.perf_counter() - started) * 1e3)
    return 0


def first_launches(packages: list[str], runs: int) -> int:
    """Print a table of first launches: the least of the runs, each in a new process."""
    print(f"{'first launch, ms':16}" + "".join(f"{package:>10}" for package in packages))
    for name in KERNELS:
        best = []
        for package in packages:
            command = [sys.executable, __file__, "--one", package, name]
            asked = [
                subprocess.run(
                    command, env=os.environ | {"CUOX_CACHE": "0"}, capture_output=True, text=True, check=True
                )
                for _ in range(runs)
            ]
            best.append(min(float(one.stdout.split()[-1]) for one in asked))
        ratios = " ".join(f"{best[0] / other:5.2f}" for other in best[1:])
        print(f"{name:16}" + "".join(f"{one:10.1f}" for one in best) + f"  {ratios}", flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--blocks", type=int, help="1056 on a GPU, 16 on the software GPU")
    parser.add_argument("--runs", type=int, help="10, of first launches 3")
    parser.add_argument("--first", action="store_true", help="first launches in new processes")
    parser.add_argument("--peer", action="store_true", help="NVIDIA's package on the software GPU, too")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # numba-cuda's, of small grids
    if options.one:
        return first_launch(*options.one)
    device = cuox.Device()
    others = peer() if options.peer or not device.is_soft else None
    if options.first:
        return first_launches(["cuox", *(["NVIDIA"] if others else [])], options.runs or 3)
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
        ("cuox", cuda, {name: make(coop, cuda, False) for name, make in KERNELS.items()}),
        ("cuox +", cuda, {name: make(coop, cuda, True) for name, make in KERNELS.items()}),
        ("CUB", cuda, of_cub),
    ]
    if others:
        columns.append(("NVIDIA +", others[1], {name: make(*others, True) for name, make in KERNELS.items()}))

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
        for _ in range(options.runs or 10):
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
