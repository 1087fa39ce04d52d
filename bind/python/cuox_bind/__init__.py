"""C libraries from Python by their headers: what `cuox.bind` and `cuox.load` are, without CUDA."""

from ._native import __version__

__all__ = ["__version__"]
