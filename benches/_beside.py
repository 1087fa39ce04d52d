"""Code that the scripts here share: C code beside which Python is timed, and calls that are timed in turn."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def c_library(source: str, functions: Iterable[str], flags: Sequence[str] = ()) -> ctypes.CDLL:
    """A C file of this folder as a library. Its functions answer with nanoseconds, or less than 0 if they fail."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "beside.so")
        command = [
            os.environ.get("CC", "cc"),
            "-O2",
            "-shared",
            "-fPIC",
            *flags,
            "-o",
            library,
            Path(__file__).with_name(source),
        ]
        subprocess.run(command, check=True)
        opened = ctypes.CDLL(str(library))
    for name in functions:
        getattr(opened, name).restype = ctypes.c_double
    return opened


def in_turn(calls: Sequence[Callable[[], float]], idle: Callable[[], object], repetitions: int) -> list[list[float]]:
    """For each call, its figure in each repetition. The device is idle before each; a first round warms up."""
    figures: list[list[float]] = [[] for _ in calls]
    for repetition in range(repetitions + 1):
        for call, into in zip(calls, figures, strict=True):
            idle()
            figure = call()
            if figure < 0:
                raise RuntimeError("a call fails from C")
            if repetition:
                into.append(figure)
    idle()
    return figures
