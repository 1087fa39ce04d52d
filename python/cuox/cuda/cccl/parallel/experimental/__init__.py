"""What `cuda.compute` was first: algorithms are called by position, and return objects unless a number of items is
given.
"""

from ....compute import OpKind as OpKind
from . import algorithms as algorithms
from . import iterators as iterators
from . import struct as struct
from .algorithms import *  # noqa: F403
from .iterators import *  # noqa: F403
from .struct import gpu_struct as gpu_struct
