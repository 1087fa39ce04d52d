"""Reductions of arrays."""

from .. import Reduce as Reduce
from .. import reduce as reduce
