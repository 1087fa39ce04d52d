"""The class of kernels, under the names that Numba's module has for it."""

from ._dispatcher import CUDADispatcher as CUDADispatcher

Dispatcher = CUDADispatcher
"""Its name up to Numba 0.54."""
