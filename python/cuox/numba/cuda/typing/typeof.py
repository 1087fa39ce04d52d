"""The type of a value, and `typeof_impl`, under numba-cuda's name."""

from .._own_types import typeof_impl as typeof_impl
from ..types import typeof as typeof
