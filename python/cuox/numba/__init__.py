"""Numba's names for CUDA: `from cuox.numba import cuda`."""

from __future__ import annotations

from typing import Any

from . import cuda as cuda
from .cuda import types as types
from .cuda.types import *  # noqa: F403
from .cuda.types import from_dtype as from_dtype, typeof as typeof


def __getattr__(name: str) -> Any:
    if name in ("vectorize", "guvectorize"):
        return getattr(cuda, name)
    if name in ("jit", "njit", "prange", "stencil", "cfunc", "jitclass"):
        raise AttributeError(f"numba.{name} compiles for the CPU, which cuox does not do: cuda.jit makes kernels, which also run where there is no GPU")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
