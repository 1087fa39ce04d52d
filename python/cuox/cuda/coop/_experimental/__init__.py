"""`cuda.coop` as cuda-cccl 1.0 and 1.1 have it: its makers begin with `make_`."""

from .._collective import StatefulFunction as StatefulFunction
from . import block as block
from . import warp as warp

__all__ = ["StatefulFunction", "block", "warp"]
