"""Commands: their environment, their output as it comes, and several at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
CORES = len(os.sched_getaffinity(0))

ENVIRONMENT = {
    **os.environ,
    # The same interpreter for every build of pyo3, or cargo builds it anew each time.
    "PYO3_PYTHON": PYTHON,
    # `_native` takes its Python symbols from the process that imports it.
    "PYO3_BUILD_EXTENSION_MODULE": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONUNBUFFERED": "1",
    "CARGO_TERM_PROGRESS_WHEN": "never",
}

START = time.monotonic()


def say(text: str) -> None:
    """Print a line of progress, with the time since the start."""
    minutes, seconds = divmod(int(time.monotonic() - START), 60)
    print(f"== [{minutes:2d}:{seconds:02d}] {text}", flush=True)


def show_line(line: str) -> None:
    """Print a line of a command's output."""
    print(line, flush=True)


def stream(
    command: Sequence[str | Path],
    *,
    env: dict[str, str] | None = None,
    cwd: Path = ROOT,
    show: Callable[[str], None] = show_line,
) -> tuple[int, list[str]]:
    """Run a command, show its output as it comes and return its status and its lines."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=env or ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        show(lines[-1])
    return process.wait(), lines


@dataclass
class Done:
    """A command that has ended: its name, exit status, output and duration in seconds."""

    name: str
    status: int
    lines: list[str]
    seconds: float


def together(commands: Sequence[tuple[str, Sequence[str | Path]]], at_once: int = CORES) -> list[Done]:
    """Run named commands, `at_once` at a time; the output of each is shown when it has ended."""
    lock = threading.Lock()

    def one(name: str, command: Sequence[str | Path]) -> Done:
        began = time.monotonic()
        status, lines = stream(command, show=lambda _: None)
        seconds = time.monotonic() - began
        with lock:
            say(f"{name}: {'passed' if status == 0 else 'failed'} in {seconds:.0f} s")
            for line in lines if status else lines[-1:]:
                show_line(line)
        return Done(name, status, lines, seconds)

    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda item: one(*item), commands))
