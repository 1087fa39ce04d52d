"""The same names under that of the compiler of kernels which NVIDIA's drafts of `cuda.coop` are for."""

from . import DivergenceWarning as DivergenceWarning
from . import StatefulFunction as StatefulFunction
from . import TempStorage as TempStorage
from . import ThreadData as ThreadData
from . import adjacent_difference as adjacent_difference
from . import block as block
from . import discontinuity as discontinuity
from . import exchange as exchange
from . import exclusive_scan as exclusive_scan
from . import exclusive_sum as exclusive_sum
from . import histogram as histogram
from . import inclusive_scan as inclusive_scan
from . import inclusive_sum as inclusive_sum
from . import load as load
from . import merge_sort_keys as merge_sort_keys
from . import merge_sort_pairs as merge_sort_pairs
from . import radix_rank as radix_rank
from . import radix_rank_keys as radix_rank_keys
from . import radix_sort_keys as radix_sort_keys
from . import radix_sort_pairs as radix_sort_pairs
from . import reduce as reduce
from . import reduce_batched as reduce_batched
from . import register as register
from . import run_length_decode as run_length_decode
from . import run_length_decode_into as run_length_decode_into
from . import scan as scan
from . import shuffle as shuffle
from . import store as store
from . import sum as sum
from . import this_block as this_block
from . import this_grid as this_grid
from . import this_thread as this_thread
from . import this_warp as this_warp
from . import topk_max_keys as topk_max_keys
from . import topk_max_pairs as topk_max_pairs
from . import topk_min_keys as topk_min_keys
from . import topk_min_pairs as topk_min_pairs
from . import warp as warp

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
