"""The same names under that of the compiler of kernels which NVIDIA's drafts of `cuda.coop` are for."""

from . import *  # noqa: F403
from . import __all__ as __all__
