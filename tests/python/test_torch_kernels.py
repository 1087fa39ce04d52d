"""Kernels of one's own on PyTorch's tensors, on all devices: `cuox.torch.compile_kernel`, `load` and `register`, and
those of `cuox.numba.cuda`, `cuox.cuda.compute` and `cuox.cuda.core`. What needs PyTorch is skipped without.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from torch_process import parameters, results_of

CASES = Path(__file__).with_name("torch_kernel_cases.py")
# Inductor and Triton start other processes, a C compiler among them.
SLOW = ("case_operators_are_compiled_without_graph_breaks",)


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    return results_of(CASES, SLOW)


@pytest.mark.parametrize("name", parameters(CASES, SLOW))
def test_kernels_on_tensors(results: dict[str, str], name: str) -> None:
    assert not results[name], results[name]
