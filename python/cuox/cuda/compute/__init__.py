"""Parallel algorithms with the caller's own operators, under the names of NVIDIA's `cuda.compute`.

    import numpy as np
    import cuox
    from cuox.cuda import compute

    print(compute.reduce(np.arange(1000.0), 0.0, lambda a, b: a + b))

    x = cuox.to_device(np.arange(1000.0))
    result = cuox.empty((1,), np.float64)
    compute.reduce_into(d_in=x, d_out=result, num_items=x.size, op=lambda a, b: a + b, h_init=np.zeros(1))
    print(result.to_host())

Operators are functions and lambdas in Python, which need no decorator; `OpKind`s; or CUDA C++ (`CppOp`). Numbers and arrays that they capture may change
from call to call. Nothing but cuox is needed, and no GPU.
"""

from __future__ import annotations

from cuox._native import _keep_compiled_texts

from . import _calls, _kernels, _operators
from ._compiled import deserialize as deserialize, serialize as serialize
from ._proxy import ProxyArray as ProxyArray, ProxyValue as ProxyValue
from ._short import (
    adjacent_difference as adjacent_difference,
    histogram as histogram,
    reduce as reduce,
    reduce_by_key as reduce_by_key,
    run_length_encode as run_length_encode,
    scan as scan,
    select as select,
    sort as sort,
    transform as transform,
    unique as unique,
)
from .algorithms import (
    DoubleBuffer as DoubleBuffer,
    SortOrder as SortOrder,
    binary_transform as binary_transform,
    exclusive_scan as exclusive_scan,
    for_each as for_each,
    histogram_even as histogram_even,
    inclusive_scan as inclusive_scan,
    lower_bound as lower_bound,
    make_adjacent_difference as make_adjacent_difference,
    make_binary_transform as make_binary_transform,
    make_exclusive_scan as make_exclusive_scan,
    make_for_each as make_for_each,
    make_histogram_even as make_histogram_even,
    make_inclusive_scan as make_inclusive_scan,
    make_lower_bound as make_lower_bound,
    make_merge_sort as make_merge_sort,
    make_non_trivial_runs as make_non_trivial_runs,
    make_radix_sort as make_radix_sort,
    make_reduce_by_key as make_reduce_by_key,
    make_reduce_into as make_reduce_into,
    make_run_length_encode as make_run_length_encode,
    make_segmented_reduce as make_segmented_reduce,
    make_segmented_sort as make_segmented_sort,
    make_select as make_select,
    make_three_way_partition as make_three_way_partition,
    make_unary_transform as make_unary_transform,
    make_unique_by_key as make_unique_by_key,
    make_upper_bound as make_upper_bound,
    merge_sort as merge_sort,
    non_trivial_runs as non_trivial_runs,
    radix_sort as radix_sort,
    reduce_into as reduce_into,
    segmented_reduce as segmented_reduce,
    segmented_sort as segmented_sort,
    three_way_partition as three_way_partition,
    unary_transform as unary_transform,
    unique_by_key as unique_by_key,
    upper_bound as upper_bound,
)
from .algorithms._algorithm import forget_made as _forget_made
from .determinism import Determinism as Determinism
from .iterators import (
    CacheModifiedInputIterator as CacheModifiedInputIterator,
    ConstantIterator as ConstantIterator,
    CountingIterator as CountingIterator,
    DiscardIterator as DiscardIterator,
    PermutationIterator as PermutationIterator,
    ReverseIterator as ReverseIterator,
    ShuffleIterator as ShuffleIterator,
    TransformIterator as TransformIterator,
    TransformOutputIterator as TransformOutputIterator,
    ZipIterator as ZipIterator,
)
from .op import CppOp as CppOp, OpKind as OpKind, RawOp as RawOp
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
    """Remove precompiled headers. Returns how many there were: 0, as kernels include none. `python -m cuox cache --clear` removes what was compiled."""
    return 0


# Programs for NVIDIA's ask for it. The software GPU is there where no other is.
_BINDINGS_AVAILABLE = True
