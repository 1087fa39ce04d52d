"""Commands: their environment, their output as it comes, and several at once."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, CancelledError, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

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
    # The libraries and test binaries are taken from here, wherever else a user's cargo builds.
    "CARGO_TARGET_DIR": str(ROOT / "target"),
    # All tests compile more than a user's cache keeps, and the oldest go first: nothing would be there the next time.
    "CUOX_CACHE_DIR": os.environ.get("CUOX_CACHE_DIR") or str(ROOT / "target" / "cache"),
    "CUOX_CACHE_MAXSIZE": os.environ.get("CUOX_CACHE_MAXSIZE") or str(4 << 30),
}

START = time.monotonic()


def say(text: str) -> None:
    """Print a line of progress, with the time since the start."""
    minutes, seconds = divmod(int(time.monotonic() - START), 60)
    print(f"== [{minutes:2d}:{seconds:02d}] {text}", flush=True)


def show_line(line: str) -> None:
    """Print a line of a command's output."""
    print(line, flush=True)


_children: set[subprocess.Popen[Any]] = set()


def start(command: Sequence[str | Path], **options: Any) -> subprocess.Popen[Any]:
    """Start a command that ends with the run: `end_children`."""
    options = {"cwd": ROOT, "env": ENVIRONMENT, "stdin": subprocess.DEVNULL, **options}
    child = subprocess.Popen([str(word) for word in command], **options)
    _children.add(child)
    return child


def end_children() -> None:
    """End the commands that are still at work: they hold locks of cargo's and of pip's."""
    children = [child for child in list(_children) if child.poll() is None]
    for child in children:
        child.terminate()
    for child in children:
        child.wait()


def stream(
    command: Sequence[str | Path],
    *,
    env: dict[str, str] | None = None,
    cwd: Path = ROOT,
    show: Callable[[str], None] = show_line,
) -> tuple[int, list[str]]:
    """Run a command, show its output as it comes and return its status and its lines."""
    process = start(
        command,
        cwd=cwd,
        env=env or ENVIRONMENT,
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


def in_threads(function: Callable[[T], R], items: Iterable[T], at_once: int = CORES) -> list[R]:
    """Call a function for each item, `at_once` at a time. After an exception, an interrupt too, no more begin."""
    over = threading.Event()

    def one(item: T) -> R:
        if over.is_set():
            raise CancelledError
        try:
            return function(item)
        except BaseException:
            over.set()
            raise

    with ThreadPoolExecutor(at_once) as pool:
        calls = [pool.submit(one, item) for item in items]
        try:
            ended = wait(calls, return_when=FIRST_EXCEPTION).done
            return [call.result() for call in calls if call in ended]
        except BaseException:
            over.set()
            end_children()
            raise


def together(commands: Sequence[tuple[str, Sequence[str | Path]]]) -> list[tuple[str, int]]:
    """Run named commands, several at a time; the output of each is shown when it has ended. Returns their statuses."""
    lock = threading.Lock()

    def one(named: tuple[str, Sequence[str | Path]]) -> tuple[str, int]:
        name, command = named
        began = time.monotonic()
        status, lines = stream(command, show=lambda _: None)
        seconds = time.monotonic() - began
        with lock:
            say(f"{name}: {'passed' if status == 0 else 'failed'} in {seconds:.0f} s")
            for line in lines if status else lines[-1:]:
                show_line(line)
        return name, status

    return in_threads(one, commands)


@contextmanager
def alone() -> Iterator[None]:
    """Wait for another run in this clone to end: both would build, install and keep results in the same places."""
    place = ROOT / "target" / "runner.lock"
    place.parent.mkdir(exist_ok=True)
    with place.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another run is at work in this clone: waiting for its end")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
