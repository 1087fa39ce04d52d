"""`cuda.bindings.nvrtc`, under the name that it had in cuda-python up to version 12: `from cuda import nvrtc`."""

import sys

from .bindings import nvrtc

# The module itself: both names have the same attributes, whoever sets them.
sys.modules[__name__] = nvrtc
