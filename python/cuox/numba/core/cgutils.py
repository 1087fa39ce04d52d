"""What functions of `lower_builtin` and `lower_constant` make structures with."""

from ..cuda.cgutils import *  # noqa: F403
from ..cuda.cgutils import __getattr__ as __getattr__
