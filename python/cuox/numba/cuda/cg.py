"""`cuda.cg`: groups of threads. CUDA programming guide, *Cooperative Groups*."""

from __future__ import annotations

from ._names import KernelName

this_grid = KernelName(
    "cuda.cg.this_grid",
    "`this_grid()`: the group of all threads of the grid; its `sync()` waits for them. The launch is a cooperative one.",
)

__all__ = ["this_grid"]
