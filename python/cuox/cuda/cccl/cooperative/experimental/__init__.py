"""`cuda.coop` as cuda-cccl 0.1 had it: its makers have plain names."""

from ....coop._collective import StatefulFunction as StatefulFunction
from . import block as block
from . import warp as warp

__all__ = ["StatefulFunction", "block", "warp"]
