"""Operations of a block."""

from ._block import BlockExchangeType as BlockExchangeType
from ._block import make_exchange as exchange
from ._block import make_exchange as make_exchange
from ._block import make_exclusive_scan as exclusive_scan
from ._block import make_exclusive_scan as make_exclusive_scan
from ._block import make_exclusive_sum as exclusive_sum
from ._block import make_exclusive_sum as make_exclusive_sum
from ._block import make_inclusive_scan as inclusive_scan
from ._block import make_inclusive_scan as make_inclusive_scan
from ._block import make_inclusive_sum as inclusive_sum
from ._block import make_inclusive_sum as make_inclusive_sum
from ._block import make_load as load
from ._block import make_load as make_load
from ._block import make_reduce as make_reduce
from ._block import make_reduce as reduce
from ._block import make_scan as make_scan
from ._block import make_scan as scan
from ._block import make_store as make_store
from ._block import make_store as store
from ._block import make_sum as make_sum
from ._block import make_sum as sum
from ._block_counts import make_histogram as histogram
from ._block_counts import make_histogram as make_histogram
from ._block_counts import make_run_length as make_run_length
from ._block_counts import make_run_length as run_length
from ._block_neighbours import BlockAdjacentDifferenceType as BlockAdjacentDifferenceType
from ._block_neighbours import BlockDiscontinuityType as BlockDiscontinuityType
from ._block_neighbours import BlockShuffleType as BlockShuffleType
from ._block_neighbours import make_adjacent_difference as adjacent_difference
from ._block_neighbours import make_adjacent_difference as make_adjacent_difference
from ._block_neighbours import make_discontinuity as discontinuity
from ._block_neighbours import make_discontinuity as make_discontinuity
from ._block_neighbours import make_shuffle as make_shuffle
from ._block_neighbours import make_shuffle as shuffle
from ._block_sorts import make_merge_sort_keys as make_merge_sort_keys
from ._block_sorts import make_merge_sort_keys as merge_sort_keys
from ._block_sorts import make_merge_sort_pairs as make_merge_sort_pairs
from ._block_sorts import make_merge_sort_pairs as merge_sort_pairs
from ._block_sorts import make_radix_rank as make_radix_rank
from ._block_sorts import make_radix_rank as radix_rank
from ._block_sorts import make_radix_sort_keys as make_radix_sort_keys
from ._block_sorts import make_radix_sort_keys as radix_sort_keys
from ._block_sorts import make_radix_sort_keys_descending as make_radix_sort_keys_descending
from ._block_sorts import make_radix_sort_keys_descending as radix_sort_keys_descending
from ._block_sorts import make_radix_sort_pairs as make_radix_sort_pairs
from ._block_sorts import make_radix_sort_pairs as radix_sort_pairs
from ._block_sorts import make_radix_sort_pairs_descending as make_radix_sort_pairs_descending
from ._block_sorts import make_radix_sort_pairs_descending as radix_sort_pairs_descending

__all__ = [
    "BlockAdjacentDifferenceType",
    "BlockDiscontinuityType",
    "BlockExchangeType",
    "BlockShuffleType",
    "adjacent_difference",
    "discontinuity",
    "exchange",
    "exclusive_scan",
    "exclusive_sum",
    "histogram",
    "inclusive_scan",
    "inclusive_sum",
    "load",
    "make_adjacent_difference",
    "make_discontinuity",
    "make_exchange",
    "make_exclusive_scan",
    "make_exclusive_sum",
    "make_histogram",
    "make_inclusive_scan",
    "make_inclusive_sum",
    "make_load",
    "make_merge_sort_keys",
    "make_merge_sort_pairs",
    "make_radix_rank",
    "make_radix_sort_keys",
    "make_radix_sort_keys_descending",
    "make_radix_sort_pairs",
    "make_radix_sort_pairs_descending",
    "make_reduce",
    "make_run_length",
    "make_scan",
    "make_shuffle",
    "make_store",
    "make_sum",
    "merge_sort_keys",
    "merge_sort_pairs",
    "radix_rank",
    "radix_sort_keys",
    "radix_sort_keys_descending",
    "radix_sort_pairs",
    "radix_sort_pairs_descending",
    "reduce",
    "run_length",
    "scan",
    "shuffle",
    "store",
    "sum",
]

for _name in __all__:
    if _name.startswith("make_"):
        # By this name the compiler of kernels refuses it.
        vars()[_name]._kernel_path = f"cuda.coop.block.{_name}"
