"""`cuda.bindings.runtime`, under the name that it had in cuda-python up to version 12: `from cuda import cudart`."""

import sys

from .bindings import runtime

# The module itself: both names have the same attributes, whoever sets them.
sys.modules[__name__] = runtime
