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
from ._block import make_merge_sort_keys as make_merge_sort_keys
from ._block import make_merge_sort_keys as merge_sort_keys
from ._block import make_radix_sort_keys as make_radix_sort_keys
from ._block import make_radix_sort_keys as radix_sort_keys
from ._block import make_radix_sort_keys_descending as make_radix_sort_keys_descending
from ._block import make_radix_sort_keys_descending as radix_sort_keys_descending
from ._block import make_reduce as make_reduce
from ._block import make_reduce as reduce
from ._block import make_scan as make_scan
from ._block import make_scan as scan
from ._block import make_store as make_store
from ._block import make_store as store
from ._block import make_sum as make_sum
from ._block import make_sum as sum

__all__ = [
    "BlockExchangeType",
    "exchange",
    "exclusive_scan",
    "exclusive_sum",
    "inclusive_scan",
    "inclusive_sum",
    "load",
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
    "merge_sort_keys",
    "radix_sort_keys",
    "radix_sort_keys_descending",
    "reduce",
    "scan",
    "store",
    "sum",
]
