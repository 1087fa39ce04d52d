"""Run a program with device code that a debugger can follow: `python -m cuox.pycuda.debug PROGRAM [ARGUMENTS]`.

Kernels are compiled with debugging information (`-G`), and their sources are kept. Under cuda-gdb breakpoints may be
set in them:

    cuda-gdb --args python -m cuox.pycuda.debug program.py

`--cuda-gdb` starts it so.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a program, compiling its kernels for a debugger. Returns the exit status where the program does not run."""
    parser = argparse.ArgumentParser(
        prog="python -m cuox.pycuda.debug",
        description="Run a PyCUDA program whose kernels are compiled for a debugger.",
        allow_abbrev=False,
    )
    parser.add_argument("--cuda-gdb", action="store_true", help="run the program under cuda-gdb")
    parser.add_argument("program", help="the Python file to run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own arguments")
    chosen = parser.parse_args(arguments)
    if not os.path.exists(chosen.program):
        print(f"Error: {chosen.program} does not exist", file=sys.stderr)
        return 1
    if chosen.cuda_gdb:
        return _run_in_debugger(chosen.program, chosen.arguments)

    from . import driver

    driver.set_debugging()
    sys.argv = [chosen.program, *chosen.arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(chosen.program)))
    runpy.run_path(chosen.program, run_name="__main__")
    return 0


def _run_in_debugger(program: str, arguments: Sequence[str]) -> int:
    debugger = shutil.which("cuda-gdb")
    if debugger is None:
        print(
            "Error: there is no cuda-gdb on PATH; it is part of NVIDIA's CUDA toolkit, and needs an NVIDIA GPU",
            file=sys.stderr,
        )
        return 1
    os.execv(debugger, [debugger, "--args", sys.executable, "-m", "cuox.pycuda.debug", program, *arguments])


if __name__ == "__main__":
    sys.exit(main())
