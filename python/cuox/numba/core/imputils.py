"""`lower_builtin` and `lower_constant`, under Numba's name."""

from ..cuda.extending import __getattr__ as __getattr__
from ..cuda.extending import lower_builtin as lower_builtin
from ..cuda.extending import lower_constant as lower_constant
