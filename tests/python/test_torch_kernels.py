"""Kernels of one's own on PyTorch's tensors, on all devices: `cuox.torch.compile_kernel`, `load` and `register`, and
those of `cuox.numba.cuda`, `cuox.cuda.compute` and `cuox.cuda.core`. What needs PyTorch is skipped without.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from torch_process import parameters, python, results_of

CASES = Path(__file__).with_name("torch_kernel_cases.py")
# Inductor and Triton start other processes, a C compiler among them.
SLOW = ("case_operators_are_compiled_without_graph_breaks",)


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    return results_of(CASES, SLOW)


@pytest.mark.parametrize("name", parameters(CASES, SLOW))
def test_kernels_on_tensors(results: dict[str, str], name: str) -> None:
    assert not results[name], results[name]


def test_kernels_run_on_the_device_of_their_tensors(results: dict[str, str], device: Any) -> None:
    if not device.is_soft:
        pytest.skip("needs two devices")
    program = """
import cuox.torch, torch
kernel = cuox.torch.compile_kernel('extern "C" __global__ void add(float *x) { x[threadIdx.x] += 1; }', "add")
operator = cuox.torch.register(kernel, "cuox_tests::add(Tensor(a!) x) -> ()", grid=1, block=8)
for place in (0, 1):
    x = torch.ones(8, device=f"cuda:{place}")
    with torch.cuda.device(1), torch.cuda.stream(torch.cuda.Stream(place)):
        kernel[1, 8](x)
        kernel(1, 8, [x])
        operator(x)
        x *= 2
        print(x.tolist() == [8.0] * 8, kernel.on().device.device_id)
"""
    ended = python("-c", program, CUOX_SOFT_DEVICES="2")
    # A stream of PyTorch's makes its device current.
    assert ended.stdout == "True 0\nTrue 1\n", ended.stderr
