"""What PyTorch calls at the end of `import torch` (entry point `torch.backends`): a program that `cuox run` has started
gets `cuox.torch`. Nothing of cuox is imported elsewhere.
"""

from __future__ import annotations

import os

__all__ = ["autoload"]

_RUNTIME = "/cuox/lib/libcudart.so.13"


def autoload() -> None:
    """Import `cuox.torch` where the software GPU was asked for and cuox's CUDA runtime is the process's."""
    if os.environ.get("CUOX_DEVICE") != "soft":
        return
    with open("/proc/self/maps") as maps:
        if not any(line.rstrip("\n").endswith(_RUNTIME) for line in maps):
            return
    import cuox.torch  # noqa: F401
