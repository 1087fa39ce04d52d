"""Compiles C for tests that need some."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import cuox
import pytest
from cuox_bind import _native as native

COMPILER = shutil.which("cc") or shutil.which("gcc")


def has_nvcc() -> bool:
    """True if there is an nvcc whose programs cuox's CUDA runtime takes, and a C++ compiler for it."""
    from cuox._internal import nvcc

    try:
        nvcc.check_version(nvcc.find_nvcc())
    except cuox.NotFoundError:
        return False
    return shutil.which("c++") is not None


needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
needs_nvcc = pytest.mark.skipif(not has_nvcc(), reason="no nvcc of CUDA 13, or no C++ compiler")


def build(source: str, *options: str) -> ctypes.CDLL:
    """A shared library from C source. It stays loaded."""
    assert COMPILER
    directory = Path(tempfile.gettempdir())
    name = hashlib.sha256(repr((source, options)).encode()).hexdigest()[:16]
    with tempfile.TemporaryDirectory(dir=directory) as where:
        path = Path(where) / f"{name}.c"
        path.write_text(source)
        library = path.with_suffix(".so")
        command = [COMPILER, "-shared", "-fPIC", "-O1", "-w", "-pthread", *options, str(path), "-o", str(library)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return ctypes.CDLL(str(library))


def address(library: ctypes.CDLL, name: str) -> int:
    """The address of a function."""
    value = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert value
    return value


def call(library: ctypes.CDLL, name: str, *arguments: object, release_gil: bool = False) -> int:
    """Calls a function of integers and pointers as a bound call does."""
    words = [int(a) & (2**64 - 1) for a in arguments]  # type: ignore[call-overload]
    return native._c_call(address(library, name), words, release_gil=release_gil)
