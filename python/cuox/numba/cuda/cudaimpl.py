"""`lower`, the name that numba-cuda has for `lower_builtin`, too."""

from ._own_types import lower_builtin as lower
from .extending import __getattr__ as __getattr__

__all__ = ["lower"]
