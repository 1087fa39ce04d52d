"""Operations of a block, by their names of cuda-cccl 1.0."""

from .._block import BlockExchangeType as BlockExchangeType
from .._block import make_exchange as make_exchange
from .._block import make_exclusive_scan as make_exclusive_scan
from .._block import make_exclusive_sum as make_exclusive_sum
from .._block import make_inclusive_scan as make_inclusive_scan
from .._block import make_inclusive_sum as make_inclusive_sum
from .._block import make_load as make_load
from .._block import make_reduce as make_reduce
from .._block import make_scan as make_scan
from .._block import make_store as make_store
from .._block import make_sum as make_sum
from .._block_sorts import make_merge_sort_keys as make_merge_sort_keys
from .._block_sorts import make_radix_sort_keys as make_radix_sort_keys
from .._block_sorts import make_radix_sort_keys_descending as make_radix_sort_keys_descending

__all__ = [
    "BlockExchangeType",
    "make_exchange",
    "make_exclusive_scan",
    "make_exclusive_sum",
    "make_inclusive_scan",
    "make_inclusive_sum",
    "make_load",
    "make_merge_sort_keys",
    "make_radix_sort_keys",
    "make_radix_sort_keys_descending",
    "make_reduce",
    "make_scan",
    "make_store",
    "make_sum",
]
