"""Environment variables: mistyped names, values that mean something else than they seem to, paths to nowhere."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from .finding import Finding

# docs/environment.md has what each is for; tests/python/test_doctor.py compares this with it.
VARIABLES = (
    *("CUOX_CACHE", "CUOX_CACHE_DIR", "CUOX_CACHE_MAXSIZE", "CUOX_CALL", "CUOX_DEVICE", "CUOX_DISASM", "CUOX_LIBCLANG"),
    *("CUOX_LLVM", "CUOX_LLVM_PROGRAM"),
    *("CUOX_LIBRARY_PATH", "CUOX_LOG", "CUOX_NVCC", "CUOX_PROGRESS", "CUOX_SUMMARY", "CUOX_TRACE"),
    *(
        f"CUOX_SOFT_{word}"
        for word in ("API_ERRORS", "ARCH", "CHAOS", "CHECK", "CPU", "DEVICES", "ENGINE", "ERROR_EXITCODE", "LEAK_CHECK")
    ),
    *(f"CUOX_SOFT_{word}" for word in ("LIBRARY", "MEMORY", "MULTIPROCESSORS", "STRICT", "THREADS", "TIMEOUT")),
    *(f"CUOX_{word}_PATH" for word in ("CCCL", "CRT", "CUBLAS", "CUDART", "CUFFT", "CURAND", "CUSOLVER", "CUSPARSE")),
    *(f"CUOX_{word}_PATH" for word in ("NVFATBIN", "NVJITLINK", "NVRTC", "NVVM")),
)
# The others that are paths are looked at with what they are for.
PATHS = tuple(
    f"CUOX_{word}_PATH"
    for word in ("CRT", "CUBLAS", "CUFFT", "CURAND", "CUSOLVER", "CUSPARSE", "NVFATBIN", "NVJITLINK", "NVVM")
)
# Those that are on or off. Any value but 0 and an empty one is on; so it is for CUOX_LOG, which has others.
SWITCHES = (
    *("CUOX_LOG", "CUOX_SOFT_API_ERRORS", "CUOX_SOFT_LEAK_CHECK", "CUOX_SOFT_STRICT", "CUOX_SUMMARY", "CUOX_TRACE"),
)
# Those that are on, but for 0.
SWITCHES_OFF = ("CUOX_CACHE", "CUOX_PROGRESS")


def examine(root: Path) -> Iterator[Finding]:
    """Variables that look like one of cuox's and are none, and switches that are on where off seems to be meant."""
    for name in SWITCHES:
        value = os.environ.get(name, "")
        if value.lower() in ("off", "no", "false", "none"):
            yield Finding("variables", "warning", f"{name}={value} switches it on: off is 0", f"export {name}=0")
        elif value not in ("", "0", "1") and name != "CUOX_LOG":
            yield Finding(
                "variables", "warning", f"{name}={value} switches it on, as 1 does: expected 0 or 1", f"export {name}=1"
            )
    for name in SWITCHES_OFF:
        if (value := os.environ.get(name, "")) not in ("", "0", "1"):
            yield Finding(
                "variables", "warning", f"{name}={value} does not switch it off: only 0 does", f"export {name}=0"
            )
    yield from _paths()
    for name in sorted(os.environ):
        if not name.startswith("CUOX_") or name in VARIABLES:
            continue
        if near := difflib.get_close_matches(name, VARIABLES, 1, 0.85):
            text = f"{name} is set, and cuox has no such variable"
            yield Finding("variables", "warning", text, f"unset {name}  # did you mean {near[0]}?")


def _paths() -> Iterator[Finding]:
    """Variables that name files or folders that are not there."""
    for name in PATHS:
        if (value := os.environ.get(name, "")) and not Path(value).exists():
            yield Finding("variables", "warning", f"{name}={value}: there is no such file or folder", f"unset {name}")
    name = "CUOX_LIBRARY_PATH"
    folders = [folder for folder in os.environ.get(name, "").split(os.pathsep) if folder]
    if missing := [folder for folder in folders if not Path(folder).is_dir()]:
        rest = os.pathsep.join(folder for folder in folders if folder not in missing)
        text = f"{name} names folders that are not there: {', '.join(missing)}"
        yield Finding("variables", "warning", text, f"export {name}={shlex.quote(rest)}" if rest else f"unset {name}")
