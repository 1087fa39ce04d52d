"""A first kernel, in a process of its own: what fails there fails for the user's programs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

from ... import _native
from . import apart
from .finding import Finding

SECONDS = 60
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


def examine(program: str = PROGRAM, seconds: float = SECONDS) -> Iterator[Finding]:
    """Compile a kernel, run it and look at its results; also what cuox says of variables meanwhile."""
    try:
        with _native._Progress("compiling and running a first kernel"):
            ended = subprocess.run(
                apart.command(program),
                # What is kept of an earlier run would hide a compiler that is broken now.
                env={**os.environ, "CUOX_CACHE": "0"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                check=False,
            )
    except subprocess.TimeoutExpired:
        yield Finding("a kernel", "broken", f"a first kernel did not end within {seconds:g} seconds", REMEDY)
        return
    lines = ended.stdout.splitlines()
    if ended.returncode == 0 and lines:
        yield Finding("a kernel", "ok", f"compiled, run and right on {lines[-1]}")
    elif ended.returncode > 0 and (said := raised(ended.stderr)):
        remedy = apart.again("NVRTC") if "libnvrtc-builtins" in said else REMEDY
        yield Finding("a kernel", "broken", said, remedy)
    else:
        yield Finding("a kernel", "broken", f"a first kernel {apart.how_it_ended(ended.returncode)}", REMEDY)
    yield from apart.ignored(ended.stderr)


def raised(said: str) -> str:
    """The exception that a traceback ends with: its first line, and the others where that only begins a list."""
    lines = said.rpartition("Traceback (most recent call last):\n")[2].splitlines()
    first = next((index for index, line in enumerate(lines) if line[:1].strip()), len(lines))
    end = None if lines[first : first + 1] and lines[first].endswith(":") else first + 1
    return " ".join(line.strip() for line in lines[first:end])


REMEDY = "mend what is broken above; if nothing is, `cuox doctor --report` makes the text of a bug report"
