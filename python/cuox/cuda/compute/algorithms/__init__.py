"""The algorithms."""

from __future__ import annotations

from typing import Any

from . import _adjacent, _for_each, _histogram, _reduce, _runs, _scan, _search, _segmented, _select, _sort, _transform
from ._adjacent import adjacent_difference as adjacent_difference, make_adjacent_difference as make_adjacent_difference
from ._algorithm import Algorithm
from ._for_each import for_each as for_each, make_for_each as make_for_each
from ._histogram import histogram_even as histogram_even, make_histogram_even as make_histogram_even
from ._reduce import make_reduce_into as make_reduce_into, reduce_into as reduce_into
from ._runs import (
    make_non_trivial_runs as make_non_trivial_runs,
    make_reduce_by_key as make_reduce_by_key,
    make_run_length_encode as make_run_length_encode,
    non_trivial_runs as non_trivial_runs,
    reduce_by_key as reduce_by_key,
    run_length_encode as run_length_encode,
)
from ._scan import (
    exclusive_scan as exclusive_scan,
    inclusive_scan as inclusive_scan,
    make_exclusive_scan as make_exclusive_scan,
    make_inclusive_scan as make_inclusive_scan,
)
from ._search import lower_bound as lower_bound, make_lower_bound as make_lower_bound, make_upper_bound as make_upper_bound, upper_bound as upper_bound
from ._segmented import make_segmented_reduce as make_segmented_reduce, segmented_reduce as segmented_reduce
from ._select import (
    make_select as make_select,
    make_three_way_partition as make_three_way_partition,
    make_unique_by_key as make_unique_by_key,
    select as select,
    three_way_partition as three_way_partition,
    unique_by_key as unique_by_key,
)
from ._sort import (
    DoubleBuffer as DoubleBuffer,
    SortOrder as SortOrder,
    make_merge_sort as make_merge_sort,
    make_radix_sort as make_radix_sort,
    make_segmented_sort as make_segmented_sort,
    merge_sort as merge_sort,
    radix_sort as radix_sort,
    segmented_sort as segmented_sort,
)
from ._transform import (
    binary_transform as binary_transform,
    make_binary_transform as make_binary_transform,
    make_unary_transform as make_unary_transform,
    unary_transform as unary_transform,
)


def made_by_name(name: str, options: dict[str, Any]) -> Algorithm:
    """The algorithm of this name, with the options of its `make_…` that are no arguments of its calls. Raises ValueError for other names."""
    if name in ("radix_sort", "segmented_sort"):
        order = SortOrder[options["order"]]
        return _sort._RadixSort(order) if name == "radix_sort" else _sort._SegmentedSort(order)
    if name == "adjacent_difference":
        return _adjacent._AdjacentDifference(options["side"])
    if name not in _PLAIN:
        raise ValueError(f"there is no algorithm {name!r}")
    made: Algorithm = _PLAIN[name]()
    return made


_PLAIN: dict[str, Any] = {
    "binary_transform": _transform._BinaryTransform,
    "exclusive_scan": lambda: _scan._ScanOf(_scan._exclusive_calls),
    "for_each": _for_each._ForEach,
    "histogram_even": _histogram._Histogram,
    "inclusive_scan": lambda: _scan._ScanOf(_scan._inclusive_calls),
    "lower_bound": lambda: _search._Search(False),
    "merge_sort": _sort._MergeSort,
    "non_trivial_runs": _runs._NonTrivialRuns,
    "reduce_by_key": _runs._ReduceByKey,
    "reduce_into": _reduce._Reduce,
    "run_length_encode": _runs._RunLengthEncode,
    "segmented_reduce": _segmented._SegmentedReduce,
    "select": _select._Select,
    "three_way_partition": _select._ThreeWayPartition,
    "unary_transform": _transform._UnaryTransform,
    "unique_by_key": _select._UniqueByKey,
    "upper_bound": lambda: _search._Search(True),
}
