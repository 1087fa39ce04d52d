"""Operations of a block, by their names of cuda-cccl 0.1."""

from ....coop._block import BlockExchangeType as BlockExchangeType
from ....coop._block import make_exchange as exchange
from ....coop._block import make_exclusive_scan as exclusive_scan
from ....coop._block import make_exclusive_sum as exclusive_sum
from ....coop._block import make_inclusive_scan as inclusive_scan
from ....coop._block import make_inclusive_sum as inclusive_sum
from ....coop._block import make_load as load
from ....coop._block import make_reduce as reduce
from ....coop._block import make_scan as scan
from ....coop._block import make_store as store
from ....coop._block import make_sum as sum
from ....coop._block_sorts import make_merge_sort_keys as merge_sort_keys
from ....coop._block_sorts import make_radix_sort_keys as radix_sort_keys
from ....coop._block_sorts import make_radix_sort_keys_descending as radix_sort_keys_descending

__all__ = [
    "BlockExchangeType",
    "exchange",
    "exclusive_scan",
    "exclusive_sum",
    "inclusive_scan",
    "inclusive_sum",
    "load",
    "merge_sort_keys",
    "radix_sort_keys",
    "radix_sort_keys_descending",
    "reduce",
    "scan",
    "store",
    "sum",
]
