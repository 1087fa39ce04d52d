"""The system's compilers of C and C++, and running any compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from . import cuda
from .errors import CompileError, NotFoundError


def host_compiler(language: str, purpose: str) -> list[str]:
    """Return the command of the compiler for "c" or "c++": of CC or CXX, or the system's. Raises NotFoundError, which
    names the purpose.
    """
    variable, default = ("CC", "cc") if language == "c" else ("CXX", "c++")
    command = shlex.split(os.environ.get(variable) or default)
    if shutil.which(command[0]) is None:
        raise NotFoundError(
            f"no C compiler '{command[0]}' found for {purpose}: install one, for example gcc, or name one by {variable}"
        )
    return command


def run_compiler(command: Sequence[str], subject: str, hints: Callable[[str], str] = lambda log: "") -> str:
    """Run a compiler and return its output. Raises CompileError with the output, which names what was not compiled, and
    hints for it.
    """
    with cuda.progress(f"compiling {subject}"):
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        log = (done.stdout + done.stderr).strip()
        hint = hints(log)
        raise CompileError(
            f"{subject} was not compiled:\n{log}" + (f"\n{hint}" if hint else ""),
            done.returncode,
            Path(command[0]).name,
            log,
        )
    return done.stdout + done.stderr
