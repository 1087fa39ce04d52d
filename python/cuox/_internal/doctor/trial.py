"""A first kernel, in a process of its own: what fails there fails for the user's programs."""

from __future__ import annotations

import os
import subprocess
import sys

from .finding import Finding

SECONDS = 120
PROGRAM = """
import numpy as np
import cuox
device = cuox.Device()
device.set_current()
source = 'extern "C" __global__ void twice(int *x) { x[threadIdx.x] *= 2; }'
kernel = cuox.Program(source, "c++").compile("ptx").get_kernel("twice")
x = cuox.to_device(np.arange(4, dtype=np.int32))
kernel[1, 4](x)
assert x.to_host().tolist() == [0, 2, 4, 6], x.to_host().tolist()
print(device.name)
"""


def examine(program: str = PROGRAM, seconds: float = SECONDS) -> Finding:
    """Compile a kernel, run it and look at its results."""
    try:
        # Without the folder of the user's program, whose modules may have names of Python's.
        ended = subprocess.run(
            [sys.executable, "-P", "-c", program],
            # What is kept of an earlier run would hide a compiler that is broken now.
            env={**os.environ, "CUOX_CACHE": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Finding("a kernel", "broken", f"a first kernel did not end within {seconds:g} seconds", REMEDY)
    if ended.returncode == 0:
        return Finding("a kernel", "ok", f"compiled, run and right on {ended.stdout.strip()}")
    lines = [line for line in ended.stderr.splitlines() if line.strip()]
    if ended.returncode < 0:
        return Finding("a kernel", "broken", f"a first kernel's process died of signal {-ended.returncode}", REMEDY)
    return Finding("a kernel", "broken", lines[-1] if lines else f"exit status {ended.returncode}", REMEDY)


REMEDY = "mend what is broken above; if nothing is, `cuox doctor --report` makes the text of a bug report"
