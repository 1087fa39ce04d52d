"""`lower_builtin` and `lower_constant`, under numba-cuda's name."""

from ..extending import __getattr__ as __getattr__
from ..extending import lower_builtin as lower_builtin
from ..extending import lower_constant as lower_constant
