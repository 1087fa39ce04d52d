"""Errors."""

from __future__ import annotations

from .._devices import CudaDriverError as CudaDriverError
from .._devices import CudaSupportError as CudaSupportError


class CudaRuntimeError(RuntimeError):
    """An error of CUDA's runtime, which cuox does not call."""


class CCSupportError(RuntimeError):
    """A compute capability that the compiler does not know."""


class NvvmError(Exception):
    """An error of libNVVM, which cuox does not call."""


class NvvmSupportError(ImportError):
    """libNVVM is not there; cuox does not need it."""
