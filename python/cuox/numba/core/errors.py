"""Numba's errors, as far as kernels raise them."""

from ..cuda.core.errors import *  # noqa: F403
