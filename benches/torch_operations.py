"""Operations of PyTorch on `cuda` of the software GPU, beside the same on PyTorch's `cpu`: microseconds for each, of
small tensors, of which most is overhead.

    CUOX_DEVICE=soft OMP_NUM_THREADS=1 python benches/torch_operations.py

Needs PyTorch's CUDA build.
"""

from __future__ import annotations

import importlib.util
import sys
import timeit
from collections.abc import Callable
from typing import Any


def microseconds(call: Callable[[], Any]) -> float:
    """The time of a call: the least of several rounds."""
    for _ in range(200):
        call()
    return min(timeit.repeat(call, number=2000, repeat=15)) / 2000 * 1e6


def calls(device: str) -> dict[str, Callable[[], Any]]:
    """What is measured."""
    import torch

    torch.manual_seed(0)
    a, square = torch.randn(16, device=device), torch.randn(64, 64, device=device)
    large = torch.randn(512, 512, device=device)
    layer = torch.nn.Linear(64, 64).to(device)

    def step() -> None:
        layer.zero_grad()
        layer(square).sum().backward()

    return {
        "x + x, 16 numbers": lambda: a + a,
        "x.add_(x)": lambda: a.add_(a),
        "x.relu()": a.relu,
        "x.sum()": a.sum,
        "x @ x, 64 x 64": lambda: square @ square,
        "x + x, 512 x 512": lambda: large + large,
        "Linear(64, 64): forward and backward": step,
    }


def main() -> int:
    if importlib.util.find_spec("torch") is None:
        print("skipped: needs PyTorch's CUDA build")
        return 0
    import cuox.torch
    import torch

    if not cuox.torch.is_active():
        print("skipped: measures the software GPU (CUOX_DEVICE=soft)")
        return 0
    torch.set_num_threads(1)
    print(f"{'':38} {'cpu':>8} {'cuda':>8} {'more':>8}")
    on_cpu, on_cuda = calls("cpu"), calls("cuda")
    for name in on_cpu:
        cpu, cuda = microseconds(on_cpu[name]), microseconds(on_cuda[name])
        print(f"{name:38} {cpu:8.1f} {cuda:8.1f} {cuda - cpu:8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
