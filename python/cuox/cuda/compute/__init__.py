"""Parallel algorithms with the caller's own operators, under the names of NVIDIA's `cuda.compute`.

    import numpy as np
    import cuox
    from cuox.cuda import compute

    print(compute.reduce(np.arange(1000.0), 0.0, lambda a, b: a + b))

    x = cuox.to_device(np.arange(1000.0))
    result = cuox.empty((1,), np.float64)
    compute.reduce_into(d_in=x, d_out=result, num_items=x.size, op=lambda a, b: a + b, h_init=np.zeros(1))
    print(result.to_host())

Operators are functions and lambdas in Python, which need no decorator; `OpKind`s; or CUDA C++ (`CppOp`). Numbers and
arrays that they capture may change from call to call. Nothing but cuox is needed, and no GPU.
"""

from __future__ import annotations

from cuox._native import _keep_compiled_texts

from . import _calls, _kernels, _operators
from ._compiled import deserialize as deserialize
from ._compiled import serialize as serialize
from ._proxy import ProxyArray as ProxyArray
from ._proxy import ProxyValue as ProxyValue
from ._short import (
    adjacent_difference as adjacent_difference,
)
from ._short import (
    histogram as histogram,
)
from ._short import (
    reduce as reduce,
)
from ._short import (
    reduce_by_key as reduce_by_key,
)
from ._short import (
    run_length_encode as run_length_encode,
)
from ._short import (
    scan as scan,
)
from ._short import (
    select as select,
)
from ._short import (
    sort as sort,
)
from ._short import (
    transform as transform,
)
from ._short import (
    unique as unique,
)
from .algorithms import (
    DoubleBuffer as DoubleBuffer,
)
from .algorithms import (
    SortOrder as SortOrder,
)
from .algorithms import (
    binary_transform as binary_transform,
)
from .algorithms import (
    exclusive_scan as exclusive_scan,
)
from .algorithms import (
    for_each as for_each,
)
from .algorithms import (
    histogram_even as histogram_even,
)
from .algorithms import (
    inclusive_scan as inclusive_scan,
)
from .algorithms import (
    lower_bound as lower_bound,
)
from .algorithms import (
    make_adjacent_difference as make_adjacent_difference,
)
from .algorithms import (
    make_binary_transform as make_binary_transform,
)
from .algorithms import (
    make_exclusive_scan as make_exclusive_scan,
)
from .algorithms import (
    make_for_each as make_for_each,
)
from .algorithms import (
    make_histogram_even as make_histogram_even,
)
from .algorithms import (
    make_inclusive_scan as make_inclusive_scan,
)
from .algorithms import (
    make_lower_bound as make_lower_bound,
)
from .algorithms import (
    make_merge_sort as make_merge_sort,
)
from .algorithms import (
    make_non_trivial_runs as make_non_trivial_runs,
)
from .algorithms import (
    make_radix_sort as make_radix_sort,
)
from .algorithms import (
    make_reduce_by_key as make_reduce_by_key,
)
from .algorithms import (
    make_reduce_into as make_reduce_into,
)
from .algorithms import (
    make_run_length_encode as make_run_length_encode,
)
from .algorithms import (
    make_segmented_reduce as make_segmented_reduce,
)
from .algorithms import (
    make_segmented_sort as make_segmented_sort,
)
from .algorithms import (
    make_select as make_select,
)
from .algorithms import (
    make_three_way_partition as make_three_way_partition,
)
from .algorithms import (
    make_unary_transform as make_unary_transform,
)
from .algorithms import (
    make_unique_by_key as make_unique_by_key,
)
from .algorithms import (
    make_upper_bound as make_upper_bound,
)
from .algorithms import (
    merge_sort as merge_sort,
)
from .algorithms import (
    non_trivial_runs as non_trivial_runs,
)
from .algorithms import (
    radix_sort as radix_sort,
)
from .algorithms import (
    reduce_into as reduce_into,
)
from .algorithms import (
    segmented_reduce as segmented_reduce,
)
from .algorithms import (
    segmented_sort as segmented_sort,
)
from .algorithms import (
    three_way_partition as three_way_partition,
)
from .algorithms import (
    unary_transform as unary_transform,
)
from .algorithms import (
    unique_by_key as unique_by_key,
)
from .algorithms import (
    upper_bound as upper_bound,
)
from .algorithms._algorithm import forget_made as _forget_made
from .determinism import Determinism as Determinism
from .iterators import (
    CacheModifiedInputIterator as CacheModifiedInputIterator,
)
from .iterators import (
    ConstantIterator as ConstantIterator,
)
from .iterators import (
    CountingIterator as CountingIterator,
)
from .iterators import (
    DiscardIterator as DiscardIterator,
)
from .iterators import (
    PermutationIterator as PermutationIterator,
)
from .iterators import (
    ReverseIterator as ReverseIterator,
)
from .iterators import (
    ShuffleIterator as ShuffleIterator,
)
from .iterators import (
    TransformIterator as TransformIterator,
)
from .iterators import (
    TransformOutputIterator as TransformOutputIterator,
)
from .iterators import (
    ZipIterator as ZipIterator,
)
from .op import CppOp as CppOp
from .op import OpKind as OpKind
from .op import RawOp as RawOp
from .struct import gpu_struct as gpu_struct

# Operators may be made by `exec` of a text.
_keep_compiled_texts()


def clear_all_caches() -> None:
    """Forget all operators and kernels of this process. What the compiler has made is kept on disk."""
    _calls.clear()
    _operators.clear()
    _kernels.clear()
    _forget_made()


def pch_cache_dir() -> None:
    """Where precompiled headers are kept: nowhere, as kernels include none."""


def clear_pch_cache() -> int:
    """Remove precompiled headers. Returns how many there were: 0, as kernels include none. `python -m cuox cache
    --clear` removes what was compiled.
    """
    return 0


# Programs for NVIDIA's ask for it. The software GPU is there where no other is.
_BINDINGS_AVAILABLE = True
