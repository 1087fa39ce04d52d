"""What a thread of the kernels in Python costs in the simulator of numba-cuda: one block of each, microseconds per
thread.

    python benches/kernels/in_simulator.py

It needs numba-cuda (and, by its version 0.30, NVIDIA's libcudart where the loader finds it), but no GPU.
"""

from __future__ import annotations

import math
import os
import sys
import time
import types

import numpy as np

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

from numba import cuda

# The simulator has no libdevice: the two functions that the kernels use of it.
libdevice = types.ModuleType("cuox.numba.cuda.libdevice")
libdevice.rsqrtf = lambda x: np.float32(1 / math.sqrt(x))  # type: ignore[attr-defined]
libdevice.cospif = lambda x: np.float32(math.cos(math.pi * x))  # type: ignore[attr-defined]
cuda.libdevice = libdevice
package = types.ModuleType("cuox.numba")
package.cuda = cuda  # type: ignore[attr-defined]
sys.modules.update({"cuox.numba": package, "cuox.numba.cuda": cuda, "cuox.numba.cuda.libdevice": libdevice})

import in_python
from cases import CASES


def main() -> None:
    for name in sys.argv[1:] or CASES:
        case = CASES[name]()
        arrays = {key: np.ravel(values).copy() for key, values in case.arrays.items()}
        seconds = threads = total = 0.0
        for launch in case.launches:
            block = math.prod(launch.block)
            begin = time.perf_counter()
            try:
                with np.errstate(all="ignore"):
                    getattr(in_python, launch.entry)[(1, 1, 1), launch.block](
                        *(arrays[a] if isinstance(a, str) else a for a in launch.arguments)
                    )
            except Exception as error:
                print(
                    f"{name:<14} {launch.entry}: {type(error).__name__}: {str(error).splitlines()[0][:120]}", flush=True
                )
                break
            spent = time.perf_counter() - begin
            seconds, threads = seconds + spent, threads + block
            total += spent * math.prod(launch.grid)
        else:
            print(f"{name:<14} {1e6 * seconds / threads:10.0f} us a thread, {total:12.0f} s for the whole", flush=True)


if __name__ == "__main__":
    main()
