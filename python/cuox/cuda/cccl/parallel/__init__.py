"""What `cuda.compute` was before."""

from . import experimental as experimental
from .experimental import *  # noqa: F403
