"""Compilation by nvcc itself, for programs that name one and for options that NVRTC lacks."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cuox import _native
from cuox._internal.errors import NotFoundError
from cuox._internal.nvcc import find_nvcc

from .linkage import SOURCE_NAME

__all__ = ["NvccError", "compile_with_nvcc", "find", "nvcc_version", "preprocess"]


class NvccError(Exception):
    """nvcc has failed: its command line, and what it printed."""

    def __init__(self, command: list[str], stdout: str, stderr: str) -> None:
        super().__init__(stderr or stdout)
        self.command = command
        self.stdout = stdout
        self.stderr = stderr


def find(nvcc: str | os.PathLike[str] | None) -> str:
    """Return nvcc's file: the one that is named, on PATH if that is no path; else the installed one. Raises
    NotFoundError.
    """
    if nvcc is None or nvcc == "nvcc":
        return str(find_nvcc())
    found = shutil.which(nvcc)
    if found is None:
        raise NotFoundError(f"nvcc={os.fspath(nvcc)!r}: there is no such program; leave nvcc out to compile with NVRTC")
    return found


@cache
def nvcc_version(nvcc: str) -> str:
    """Return what `nvcc --version` prints."""
    return subprocess.run([nvcc, "--version"], capture_output=True, text=True, errors="replace", check=True).stdout


def _run(command: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise NvccError(command, done.stdout, done.stderr)
    return done


def preprocess(source: str, options: Sequence[str], nvcc: str) -> str:
    """Return a source as the compiler's preprocessor leaves it. Raises NvccError."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, SOURCE_NAME).write_text(source, encoding="utf-8")
        return _run([nvcc, "--preprocess", *options, SOURCE_NAME, "--compiler-options", "-P"], folder).stdout


def compile_with_nvcc(
    source: str, options: Sequence[str], nvcc: str, target: str, *, keep_in: str | None, use_cache: bool
) -> tuple[bytes, str]:
    """Compile a source to "ptx", "cubin" or "fatbin".

    keep_in: a folder for nvcc's intermediate files; None keeps none. use_cache: look for what an earlier run has made.

    Returns the code and what nvcc printed. Raises NvccError.
    """
    key = None
    if use_cache and keep_in is None:
        text = preprocess(source, options, nvcc) if "#include" in source else source
        key = repr((text, list(options), nvcc_version(nvcc), target)).encode("utf-8", "surrogatepass")
        if (kept := _native.load_result(key)) is not None:
            return kept, ""
    with tempfile.TemporaryDirectory() as folder:
        work = keep_in or folder
        Path(work, SOURCE_NAME).write_text(source, encoding="utf-8")
        output = Path(work, SOURCE_NAME).with_suffix(f".{target}")
        command = [nvcc, f"--{target}", *(["--keep"] if keep_in else []), *options, SOURCE_NAME]
        done = _run(command, work)
        if not output.is_file():
            raise NvccError(command, done.stdout, done.stderr)
        code = output.read_bytes()
    if key is not None:
        _native.save_result(key, code)
    return code, done.stdout + done.stderr
