"""What `cuda.coop` was before."""

from . import experimental as experimental
