"""Operations of all threads of a block or warp together, which kernels in Python call: NVIDIA's `cuda.coop`.

`block.sum` and `block.make_sum` are the same: older and newer versions of cuda-cccl have these names.
"""

from . import block as block
from . import warp as warp
from ._collective import StatefulFunction as StatefulFunction

__all__ = ["StatefulFunction", "block", "warp"]
