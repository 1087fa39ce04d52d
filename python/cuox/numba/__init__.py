"""Numba's names for CUDA: `from cuox.numba import cuda`."""

from __future__ import annotations

from . import cuda as cuda
