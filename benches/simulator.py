"""Kernels in Python on the software GPU beside Numba's simulator: a matrix product with shared memory.

    python benches/simulator.py --numba PYTHON    # an interpreter whose environment has numba, or numba-cuda

One program runs in both, in processes of their own. `NUMBA_ENABLE_CUDASIM=1` chooses Numba's simulator. Times are
those of a launch that has run before, on the clock and of all processors, and of the whole process with nothing in the
cache.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from typing import Any

PROGRAM = """
import json, sys, time
import numpy as np
from numba import cuda, float32

TILE = 16


@cuda.jit
def product(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    column, row = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for tile in range(a.shape[1] // TILE):
        left[row, column] = a[y, tile * TILE + column]
        right[row, column] = b[tile * TILE + row, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[row, k] * right[k, column]
        cuda.syncthreads()
    c[y, x] = total


n, rounds = int(sys.argv[1]), int(sys.argv[2])
a, b = np.random.default_rng(1).random((2, n, n), np.float32)
on_device = cuda.to_device(a), cuda.to_device(b), cuda.to_device(np.zeros((n, n), np.float32))


def run():
    product[(n // TILE, n // TILE), (TILE, TILE)](*on_device)
    cuda.synchronize()


run()
assert np.allclose(on_device[2].copy_to_host(), a @ b, rtol=1e-4)
clock, processor = time.perf_counter(), time.process_time()
for _ in range(rounds):
    run()
print(json.dumps([(time.perf_counter() - clock) / rounds, (time.process_time() - processor) / rounds]))
"""


def measured(command: list[str], size: int, rounds: int, **variables: str) -> dict[str, float]:
    """Seconds of a launch and of the process."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "CUOX_CACHE_DIR": cache, **variables}
        with open(os.path.join(cache, "product.py"), "w") as file:
            file.write(PROGRAM)
        before = os.times()
        process = subprocess.run(
            [*command, file.name, str(size), str(rounds)], env=environment, capture_output=True, text=True, check=False
        )
        after = os.times()
    if process.returncode:
        sys.exit(process.stderr)
    clock, processor = json.loads(process.stdout.splitlines()[-1])
    return {"launch": clock, "CPU of a launch": processor, "process": after.elapsed - before.elapsed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numba", metavar="PYTHON", help="the interpreter that has Numba")
    parser.add_argument("--size", type=int, default=64, help="rows and columns, a multiple of 16 (64)")
    arguments: Any = parser.parse_args()
    rows = {"cuox": measured([sys.executable, "-m", "cuox.numba"], arguments.size, 200, CUOX_DEVICE="soft")}
    if arguments.numba:
        rows["simulator"] = measured([arguments.numba], arguments.size, 1, NUMBA_ENABLE_CUDASIM="1")
    else:
        print("without Numba's simulator: name an interpreter with --numba")
    print(f"the product of two matrices of {arguments.size} x {arguments.size} float32, in seconds")
    for name, figures in rows.items():
        print(f"  {name:<10}" + "".join(f"  {what} {seconds:.6f}" for what, seconds in figures.items()))
    if "simulator" in rows:
        ratios = (f"{what} {rows['simulator'][what] / rows['cuox'][what]:.0f}" for what in rows["cuox"])
        print("  times as long in the simulator: " + ", ".join(ratios))


if __name__ == "__main__":
    main()
