"""Operations of a warp, by their names of cuda-cccl 0.1."""

from ....coop._warp import make_exclusive_sum as exclusive_sum
from ....coop._warp import make_merge_sort_keys as merge_sort_keys
from ....coop._warp import make_reduce as reduce
from ....coop._warp import make_sum as sum

__all__ = ["exclusive_sum", "merge_sort_keys", "reduce", "sum"]
