"""`lower_builtin` and `lower_constant`, under Numba's name."""

from ..cuda.core.imputils import __getattr__ as __getattr__
from ..cuda.core.imputils import lower_builtin as lower_builtin
from ..cuda.core.imputils import lower_constant as lower_constant
