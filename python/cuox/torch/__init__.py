"""PyTorch's CUDA build on the software GPU, and kernels of one's own on PyTorch's tensors.

    import cuox.torch  # before torch, or: cuox run python train.py
    import torch

    model = torch.nn.Linear(8, 1).to("cuda")

Where cuox's device is the software GPU, importing this puts cuox's driver and CUDA runtime in front of NVIDIA's,
imports PyTorch, and lets PyTorch's own CPU kernels do the operations of tensors on `cuda`, in place: the memory of the
software GPU is the host's. Where the device is a GPU, importing this changes nothing. docs/pytorch.md has what runs and
what differs.

Raises ImportError where PyTorch is not installed, is a build without CUDA or for another CUDA, or was imported before
with NVIDIA's runtime.
"""

from __future__ import annotations

from ._kernels import Kernel, compile_kernel
from ._load import Extension, load, load_inline
from ._register import register
from ._start import is_active, start

__all__ = ["Extension", "Kernel", "compile_kernel", "is_active", "load", "load_inline", "register"]

start()
