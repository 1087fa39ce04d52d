"""`cuox.torch`: PyTorch's CUDA build on the software GPU. What needs PyTorch is skipped where it is not installed."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from torch_process import parameters, python, results_of

CASES = Path(__file__).with_name("torch_cases.py")
# Inductor and Triton start other processes, a C compiler among them.
SLOW = ("case_torch_compile",)


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    return results_of(CASES, SLOW)


@pytest.mark.parametrize("name", parameters(CASES, SLOW))
def test_torch_on_the_device(results: dict[str, str], name: str) -> None:
    assert not results[name], results[name]


def test_programs_under_cuox_run_need_no_import(results: dict[str, str], soft: None) -> None:
    program = "import torch; x = torch.ones(3, device='cuda'); print((x @ x).item(), torch.cuda.get_device_name())"
    ended = python("-m", "cuox", "run", "--", sys.executable, "-c", program)
    assert ended.stdout == "3.0 cuox software GPU\n", ended.stderr


@pytest.mark.exhaustive
def test_torch_that_was_imported_before_is_refused(results: dict[str, str], soft: None) -> None:
    ended = python("-c", "import torch, cuox.torch")
    assert "ImportError: torch was imported before cuox.torch" in ended.stderr, ended.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", ["expandable_segments:True", "backend:cudaMallocAsync"])
def test_other_allocators_of_torch(results: dict[str, str], soft: None, setting: str) -> None:
    program = "import cuox.torch, torch; x = torch.ones(3 << 20, device='cuda'); print((x * 2).sum().item())"
    ended = python("-c", program, PYTORCH_CUDA_ALLOC_CONF=setting)
    assert ended.stdout == f"{float(6 << 20)}\n", ended.stderr


@pytest.fixture
def soft(device: Any) -> None:
    if not device.is_soft:
        pytest.skip("on a GPU nothing is looked at")


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (None, r"needs PyTorch's CUDA build, which is not installed: .*pip install --force-reinstall torch"),
        ('__version__ = "2.11.0+cpu"\ncuda: Optional[str] = None\n', r"2\.11\.0\+cpu is a build without CUDA"),
        ("__version__ = '2.11.0+cu129'\ncuda: str | None = '12.9'\n", r"for CUDA 13; torch 2\.11\.0\+cu129 is for CUDA 12\.9"),
        ("__version__ = '2.10.1'\ncuda = '13.0'\n", r"needs PyTorch 2\.11 or newer; installed is 2\.10\.1"),
    ],
    ids=["none", "cpu", "cuda12", "old"],
)  # fmt: skip
def test_builds_that_do_not_do_are_refused(soft: None, tmp_path: Path, version: str | None, words: str) -> None:
    if version is None:
        # An import that finds nothing, whether PyTorch is installed or not.
        program = "import importlib.util as u, sys; f = u.find_spec\nu.find_spec = lambda n, *a: None if n == 'torch' else f(n, *a)\nimport cuox.torch"
    else:
        (tmp_path / "torch").mkdir()
        (tmp_path / "torch" / "__init__.py").write_text("raise SystemExit('imported')")
        (tmp_path / "torch" / "version.py").write_text(version)
        program = "import cuox.torch"
    ended = python("-c", program, PYTHONPATH=str(tmp_path))
    assert ended.returncode == 1
    assert re.search(f"ImportError: cuox.torch {words}|ImportError: .*{words}", ended.stderr), ended.stderr
