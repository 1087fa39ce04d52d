"""Operations of all threads of a block or warp together, which kernels in Python call: NVIDIA's `cuda.coop`.

`block` and `warp` make operations outside of kernels, `block.sum` and `block.make_sum` alike: older and newer versions
of cuda-cccl have these names. The functions of this module are called in kernels, with the threads as the first
argument.
"""

from . import block as block
from . import warp as warp
from ._collective import StatefulFunction as StatefulFunction
from ._single import TempStorage as TempStorage
from ._single import ThreadData as ThreadData
from ._single import exclusive_scan as exclusive_scan
from ._single import exclusive_sum as exclusive_sum
from ._single import inclusive_scan as inclusive_scan
from ._single import inclusive_sum as inclusive_sum
from ._single import load as load
from ._single import reduce as reduce
from ._single import register as register
from ._single import scan as scan
from ._single import store as store
from ._single import sum as sum
from ._single import this_block as this_block
from ._single import this_warp as this_warp

__all__ = [
    "StatefulFunction",
    "TempStorage",
    "ThreadData",
    "block",
    "exclusive_scan",
    "exclusive_sum",
    "inclusive_scan",
    "inclusive_sum",
    "load",
    "reduce",
    "register",
    "scan",
    "store",
    "sum",
    "this_block",
    "this_warp",
    "warp",
]
