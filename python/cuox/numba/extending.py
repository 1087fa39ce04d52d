"""Types of a program's own, under Numba's name: `cuox.numba.cuda.extending`."""

from .cuda.extending import *  # noqa: F403
from .cuda.extending import __getattr__ as __getattr__
