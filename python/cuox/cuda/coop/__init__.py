"""Operations of all threads of a block or warp together, which kernels in Python call: NVIDIA's `cuda.coop`.

`block` and `warp` make operations outside of kernels, `block.sum` and `block.make_sum` alike: older and newer versions
of cuda-cccl have these names. The functions of this module are called in kernels, with the threads as the first
argument.
"""

from cuox._internal.kernel_errors import DivergenceWarning as DivergenceWarning

from . import block as block
from . import warp as warp
from ._collective import StatefulFunction as StatefulFunction
from ._single import TempStorage as TempStorage
from ._single import ThreadData as ThreadData
from ._single import adjacent_difference as adjacent_difference
from ._single import discontinuity as discontinuity
from ._single import exchange as exchange
from ._single import exclusive_scan as exclusive_scan
from ._single import exclusive_sum as exclusive_sum
from ._single import histogram as histogram
from ._single import inclusive_scan as inclusive_scan
from ._single import inclusive_sum as inclusive_sum
from ._single import load as load
from ._single import merge_sort_keys as merge_sort_keys
from ._single import merge_sort_pairs as merge_sort_pairs
from ._single import radix_rank as radix_rank
from ._single import radix_rank as radix_rank_keys
from ._single import radix_sort_keys as radix_sort_keys
from ._single import radix_sort_pairs as radix_sort_pairs
from ._single import reduce as reduce
from ._single import reduce_batched as reduce_batched
from ._single import register as register
from ._single import run_length_decode as run_length_decode
from ._single import run_length_decode_into as run_length_decode_into
from ._single import scan as scan
from ._single import shuffle as shuffle
from ._single import store as store
from ._single import sum as sum
from ._single import this_block as this_block
from ._single import this_grid as this_grid
from ._single import this_thread as this_thread
from ._single import this_warp as this_warp
from ._single import topk_max_keys as topk_max_keys
from ._single import topk_max_pairs as topk_max_pairs
from ._single import topk_min_keys as topk_min_keys
from ._single import topk_min_pairs as topk_min_pairs

__all__ = [
    "DivergenceWarning",
    "StatefulFunction",
    "TempStorage",
    "ThreadData",
    "adjacent_difference",
    "block",
    "discontinuity",
    "exchange",
    "exclusive_scan",
    "exclusive_sum",
    "histogram",
    "inclusive_scan",
    "inclusive_sum",
    "load",
    "merge_sort_keys",
    "merge_sort_pairs",
    "radix_rank",
    "radix_rank_keys",
    "radix_sort_keys",
    "radix_sort_pairs",
    "reduce",
    "reduce_batched",
    "register",
    "run_length_decode",
    "run_length_decode_into",
    "scan",
    "shuffle",
    "store",
    "sum",
    "this_block",
    "this_grid",
    "this_thread",
    "this_warp",
    "topk_max_keys",
    "topk_max_pairs",
    "topk_min_keys",
    "topk_min_pairs",
    "warp",
]
