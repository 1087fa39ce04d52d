"""The cost of `cuox.pycuda`, beside the original and CuPy where they are installed.

    python benches/pycuda_calls.py                      # each package that is installed, in a process of its own
    python benches/pycuda_calls.py cuox.pycuda          # one of them

All processes run on one machine, one after another, twice in turn; each times the same launch from C beside its own,
because hosts differ and their clocks drift. Figures are medians. SourceModule is timed with a text that no cache has
seen, and with one that was compiled before, by another process.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
import uuid
from collections.abc import Callable
from typing import Any

from _beside import c_library, in_turn

COUNT, REPETITIONS = 500, 31
PTX = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry empty4(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    ret;
}
"""
SOURCE = """
__global__ void empty4(float a, float *x, float *y, int n) {}
__global__ void scale(float a, float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= a; // %s
}
"""
KEPT = SOURCE % "kept"


def statement(text: str, **names: object) -> Callable[[], float]:
    """Time a statement as it stands in a program."""
    timer = timeit.Timer(text, globals=names)
    return lambda: timer.timeit(COUNT) / COUNT * 1e9


def driver_library() -> ctypes.CDLL:
    """Return the driver that the package under test uses."""
    if "cuox" in sys.modules:
        from cuox import _native

        return ctypes.CDLL(str(_native.driver_path()))
    return ctypes.CDLL("libcuda.so.1")


class Floor:
    """The same launch from C, in the current context."""

    def __init__(self) -> None:
        self.driver = driver_library()
        self.library = c_library("calls.c", ("launch",))
        module, self.kernel, self.x = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
        for status in (
            self.driver.cuModuleLoadData(ctypes.byref(module), PTX),
            self.driver.cuModuleGetFunction(ctypes.byref(self.kernel), module, b"empty4"),
            self.driver.cuMemAlloc_v2(ctypes.byref(self.x), ctypes.c_size_t(1 << 20)),
        ):
            if status:
                raise RuntimeError(f"the driver answers {status}")
        self.values = (ctypes.c_float(1), self.x, self.x, ctypes.c_int(128))
        self.params = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in self.values))
        self.entry = ctypes.cast(self.driver.cuLaunchKernel, ctypes.c_void_p)

    def launch(self) -> float:
        return float(self.library.launch(self.entry, self.kernel, None, self.params, COUNT))


def show(name: str, figure: float, unit: str, more: str = "") -> None:
    print(f"    {name:<58} {figure:10.2f} {unit:<5} {more}", flush=True)


def beside_c(floor: Floor, rows: dict[str, Callable[[], float]], idle: Callable[[], object]) -> None:
    repeated = in_turn([floor.launch, *rows.values()], idle, REPETITIONS)
    c_costs = repeated[0]
    show("launch from C, 4 arguments", statistics.median(c_costs), "ns")
    for name, costs in zip(rows, repeated[1:], strict=True):
        ratio = statistics.median(cost / c for cost, c in zip(costs, c_costs, strict=True))
        more = statistics.median(cost - c for cost, c in zip(costs, c_costs, strict=True))
        show(name, statistics.median(costs), "ns", f"{ratio:5.2f} x C, C + {more:.0f} ns")


def best_rate(work: Callable[[], object], synchronize: Callable[[], object], nbytes: int) -> float:
    """TB/s of the best of several runs of ten."""
    work()
    synchronize()
    best = 0.0
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(10):
            kept = work()
        synchronize()
        best = max(best, 10 * nbytes / (time.perf_counter() - start) / 1e12)
        del kept
    return best


def milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def pycuda(package: str) -> None:
    import numpy as np

    importlib.import_module(f"{package}.autoinit")
    drv: Any = importlib.import_module(f"{package}.driver")
    source_module: Any = importlib.import_module(f"{package}.compiler").SourceModule
    tools: Any = importlib.import_module(f"{package}.tools")
    synchronize = drv.Context.synchronize

    first = milliseconds(lambda: source_module(KEPT))
    show("SourceModule of a text that another process compiled", first, "ms")
    cold = statistics.median(milliseconds(lambda: source_module(SOURCE % uuid.uuid4())) for _ in range(9))
    again = statistics.median(milliseconds(lambda: source_module(KEPT)) for _ in range(9))
    show("SourceModule of a new text", cold, "ms")
    show("SourceModule of a text compiled before", again, "ms")

    f = source_module(KEPT).get_function("empty4")
    x, y = drv.mem_alloc(1 << 20), drv.mem_alloc(1 << 20)
    p = source_module(KEPT).get_function("empty4").prepare("fPPi")
    names = {
        "f": f,
        "p": p,
        "x": x,
        "y": y,
        "one": np.float32(1),
        "n": np.int32(128),
        "block": (32, 1, 1),
        "grid": (1, 1),
    }
    beside_c(
        Floor(),
        {
            "f(one, x, y, n, block=block, grid=grid)": statement("f(one, x, y, n, block=block, grid=grid)", **names),
            "p.prepared_call(grid, block, 1.0, x, y, 128)": statement(
                "p.prepared_call(grid, block, 1.0, x, y, 128)", **names
            ),
        },
        synchronize,
    )
    pool = tools.DeviceMemoryPool()
    pool.allocate(1 << 20).free()
    cost = statistics.median(
        in_turn([statement("allocate(1048576)", allocate=pool.allocate)], synchronize, REPETITIONS)[0]
    )
    show("DeviceMemoryPool: allocate and free 1 MiB", cost, "ns")

    gpuarray: Any = importlib.import_module(f"{package}.gpuarray")
    a = gpuarray.to_gpu(np.ones(1 << 20, np.float32))
    b = gpuarray.to_gpu(np.ones(1 << 20, np.float32))
    elementwise(a, b, synchronize)
    total = float((a + b).get().sum())
    if total != 2 << 20:
        raise RuntimeError(f"a + b is wrong: {total}")
    large = gpuarray.zeros(1 << 28, np.float32)
    large.fill(np.float32(1))
    if float(gpuarray.sum(large).get()) != 1 << 28:
        raise RuntimeError("the sum is wrong")
    show("gpuarray.sum of 2^28 floats", best_rate(lambda: gpuarray.sum(large), synchronize, 4 << 28), "TB/s")


def elementwise(a: object, b: object, synchronize: Callable[[], object]) -> None:
    """Time `a + b` up to the submission: few at a time, so that no queue fills."""
    timer = timeit.Timer("a + b", globals={"a": a, "b": b})

    def call() -> float:
        return timer.timeit(100) / 100 * 1e9

    cost = statistics.median(in_turn([call], synchronize, REPETITIONS)[0])
    show("a + b of 2^20 floats, submitted", cost / 1e3, "us")


def cupy(_package: str) -> None:
    import cupy as cp

    synchronize = cp.cuda.runtime.deviceSynchronize
    a, b = cp.ones(1 << 20, cp.float32), cp.ones(1 << 20, cp.float32)
    elementwise(a, b, synchronize)
    large = cp.ones(1 << 28, cp.float32)
    show("cupy.sum of 2^28 floats", best_rate(lambda: cp.sum(large), synchronize, 4 << 28), "TB/s")


PACKAGES: dict[str, Callable[[str], None]] = {"cuox.pycuda": pycuda, "pycuda": pycuda, "cupy": cupy}


def main() -> int:
    if len(sys.argv) > 1:
        PACKAGES[sys.argv[1]](sys.argv[1])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"CUOX_CACHE_DIR": folder, "PYCUDA_CACHE_DIR": folder, "XDG_CACHE_HOME": folder}
        failed = 0
        for turn in range(2):
            for package in PACKAGES:
                if importlib.util.find_spec(package.split(".")[0]) is None:
                    print(f"{package}: not installed")
                    continue
                print(f"{package}, turn {turn + 1}", flush=True)
                done = subprocess.run([sys.executable, __file__, package], env=environment, check=False)
                failed += done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
