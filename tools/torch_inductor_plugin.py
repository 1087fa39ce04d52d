"""For pytest (`-p torch_inductor_plugin`): names that Inductor's tests of PyTorch 2.12 import and PyTorch 2.11 lacks.

`test/inductor/test_torchinductor.py` of a release needs helpers of that release's `torch.testing._internal`. Those that
it imports as it is loaded are put there where they are missing; a test that needs another part of the later release
fails, on every device alike.
"""

from __future__ import annotations

from typing import Any


def highest_precision_float(device: Any) -> Any:
    """The widest floating-point dtype of a device (`torch.testing._internal.common_dtype` of 2.12)."""
    import torch

    return torch.float32 if torch.device(device).type in ("mps", "tpu") else torch.float64


def pytest_configure() -> None:
    """Supply the names, before the tests are collected."""
    from torch.testing._internal import common_dtype, common_utils

    for module, name, value in (
        (common_dtype, "highest_precision_float", highest_precision_float),
        (common_utils, "IS_CPU_EXT_SVE_SUPPORTED", False),
    ):
        if not hasattr(module, name):
            setattr(module, name, value)
