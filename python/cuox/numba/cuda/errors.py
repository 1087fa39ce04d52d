"""Errors, under Numba's names."""

from .core.errors import *  # noqa: F403


class KernelRuntimeError(RuntimeError):
    """An error of a kernel while it runs."""
