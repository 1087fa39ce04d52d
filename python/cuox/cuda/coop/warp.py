"""Operations of a warp."""

from ._warp import make_exclusive_sum as exclusive_sum
from ._warp import make_exclusive_sum as make_exclusive_sum
from ._warp import make_merge_sort_keys as make_merge_sort_keys
from ._warp import make_merge_sort_keys as merge_sort_keys
from ._warp import make_reduce as make_reduce
from ._warp import make_reduce as reduce
from ._warp import make_sum as make_sum
from ._warp import make_sum as sum

__all__ = [
    "exclusive_sum",
    "make_exclusive_sum",
    "make_merge_sort_keys",
    "make_reduce",
    "make_sum",
    "merge_sort_keys",
    "reduce",
    "sum",
]

for _name in __all__:
    if _name.startswith("make_"):
        # By this name the compiler of kernels refuses it.
        vars()[_name]._kernel_path = f"cuda.coop.warp.{_name}"
