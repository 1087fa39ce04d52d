"""The programs of examples/tutorial: CUDA files with host code, from C, ctypes and Cython, as tutorials write it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ctools import needs_nvcc

TUTORIAL = Path(__file__).resolve().parents[2] / "examples" / "tutorial"
LINES = ["Hello from the CPU", "Hello from the GPU, thread 0", "Hello from the GPU, thread 1"]


pytestmark = needs_nvcc


def run(command: list[str], folder: Path, **environment: str) -> list[str]:
    """Run a command as a user would, with the device that the tests have; return its output's lines."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tutorial's files and libraries."""
    place = tmp_path_factory.mktemp("tutorial") / "files"
    shutil.copytree(TUTORIAL, place)
    cuox_nvcc = [sys.executable, "-m", "cuox", "nvcc"]
    run([*cuox_nvcc, "-c", "hello.cu", "-Xcompiler", "-fPIC", "-o", "libhello.so"], place)
    run([*cuox_nvcc, "-shared", "-Xcompiler", "-fPIC", "add.cu", "-o", "libadd.so"], place)
    return place


def test_c_opens_the_library(folder: Path) -> None:
    run(["cc", "hello_c.c", "-o", "hello_c", "-ldl"], folder)
    assert run(["./hello_c"], folder) == LINES


def test_c_finds_the_library_through_a_variable(folder: Path, tmp_path: Path) -> None:
    run(["cc", "hello_c.c", "-o", str(tmp_path / "hello_c"), "-ldl"], folder)
    assert run(["./hello_c"], tmp_path, HELLO_LIBRARY=str(folder / "libhello.so")) == LINES


def test_cython_builds_a_module_that_runs_it(folder: Path) -> None:
    for module in ("Cython", "setuptools"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    # The command `cythonize` is this.
    run([sys.executable, "-m", "Cython.Build.Cythonize", "-i", "hello.pyx"], folder)
    assert run([sys.executable, "-c", "import hello; hello.run_cuda()"], folder) == LINES


def test_ctypes_with_argument_types(folder: Path, tmp_path: Path) -> None:
    lines = ["0 no error", "True"]
    assert run([sys.executable, "add_ctypes.py"], folder) == lines
    program = str(folder / "add_ctypes.py")
    assert run([sys.executable, program], tmp_path, ADD_LIBRARY=str(folder / "libadd.so")) == lines


def test_a_program(folder: Path) -> None:
    run([sys.executable, "-m", "cuox", "nvcc", "hello.cu", "-o", "hello"], folder)
    assert run(["./hello"], folder) == LINES


def test_load_prints_what_main_prints(folder: Path) -> None:
    program = "import cuox; print(cuox.load('hello.cu').main())"
    assert run([sys.executable, "-c", program], folder) == [*LINES, "0"]
