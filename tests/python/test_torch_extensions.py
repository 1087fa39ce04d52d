"""Extensions of PyTorch in C++, built by its own `setup.py` under `cuox run`, with and without nvcc."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ctools import needs_compiler, needs_nvcc
from exhaustive import mark

SOURCES = Path(__file__).with_name("torch_extensions")
TIME = 600  # seconds for a build


def run(folder: Path, *command: str, **variables: str) -> str:
    """Run a command of Python's under `cuox run`."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CUDA_HOME", "CUDA_PATH")}
    ended = subprocess.run(
        [sys.executable, "-m", "cuox", "run", "--", sys.executable, *command],
        cwd=folder,
        env={**environment, "OMP_NUM_THREADS": "1", "MAX_JOBS": "1", **variables},
        capture_output=True,
        text=True,
        timeout=TIME,
    )
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    return ended.stdout


@pytest.fixture
def project(device: Any, tmp_path: Path) -> Path:
    if not device.is_soft:
        pytest.skip("on a GPU extensions are built as without cuox")
    for needed in ("torch", "setuptools"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"needs {needed}, which is not installed")
    return Path(shutil.copytree(SOURCES, tmp_path / "project"))


@mark
@needs_compiler
def test_an_extension_that_calls_the_runtime_needs_no_toolkit(project: Path) -> None:
    run(project, "setup.py", "build_ext", "--inplace", CUOX_NVCC=str(project / "none"))
    program = """
import torch, gpu_driver
x, y = torch.arange(5.0, device="cuda"), torch.zeros(5, device="cuda")
print(gpu_driver.copy_twice(y, x), y.tolist())
"""
    assert run(project, "-c", program) == "0 [0.0, 1.0, 2.0, 3.0, 4.0]\n"


@mark
@needs_nvcc
def test_an_extension_with_kernels(project: Path) -> None:
    run(project, "setup.py", "build_ext", "--inplace", WITH_KERNELS="1")
    program = """
import torch, scaling
x = torch.arange(5.0, device="cuda")
with torch.cuda.stream(torch.cuda.Stream()):
    y = torch.ops.scaling.scale(x, 0.5) * 2
    print(y.tolist(), torch.equal(torch.ops.scaling.scale(x.cpu(), 3.0), x.cpu() * 3))
"""
    assert run(project, "-c", program) == "[0.0, 1.0, 2.0, 3.0, 4.0] True\n"
