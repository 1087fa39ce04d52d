"""`cuda.bindings.driver`, under the name that it had in cuda-python up to version 12: `from cuda import cuda`."""

import sys

from .bindings import driver

# The module itself: both names have the same attributes, whoever sets them.
sys.modules[__name__] = driver
