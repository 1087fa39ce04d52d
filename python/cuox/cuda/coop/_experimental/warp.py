"""Operations of a warp, by their names of cuda-cccl 1.0."""

from .._warp import make_exclusive_sum as make_exclusive_sum
from .._warp import make_merge_sort_keys as make_merge_sort_keys
from .._warp import make_reduce as make_reduce
from .._warp import make_sum as make_sum

__all__ = ["make_exclusive_sum", "make_merge_sort_keys", "make_reduce", "make_sum"]
