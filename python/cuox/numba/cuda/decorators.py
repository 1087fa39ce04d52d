"""`jit` and `declare_device`, under the name that Numba's module has for them."""

from . import declare_device as declare_device
from . import jit as jit
from ._decorators import autojit as autojit
