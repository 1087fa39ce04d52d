"""The algorithms."""

from __future__ import annotations

from typing import Any

from . import _adjacent, _for_each, _histogram, _reduce, _runs, _scan, _search, _segmented, _select, _sort, _transform
from ._adjacent import adjacent_difference as adjacent_difference
from ._adjacent import make_adjacent_difference as make_adjacent_difference
from ._algorithm import Algorithm
from ._for_each import for_each as for_each
from ._for_each import make_for_each as make_for_each
from ._histogram import histogram_even as histogram_even
from ._histogram import make_histogram_even as make_histogram_even
from ._reduce import make_reduce_into as make_reduce_into
from ._reduce import reduce_into as reduce_into
from ._runs import (
    make_non_trivial_runs as make_non_trivial_runs,
)
from ._runs import (
    make_reduce_by_key as make_reduce_by_key,
)
from ._runs import (
    make_run_length_encode as make_run_length_encode,
)
from ._runs import (
    non_trivial_runs as non_trivial_runs,
)
from ._runs import (
    reduce_by_key as reduce_by_key,
)
from ._runs import (
    run_length_encode as run_length_encode,
)
from ._scan import (
    exclusive_scan as exclusive_scan,
)
from ._scan import (
    inclusive_scan as inclusive_scan,
)
from ._scan import (
    make_exclusive_scan as make_exclusive_scan,
)
from ._scan import (
    make_inclusive_scan as make_inclusive_scan,
)
from ._search import (
    lower_bound as lower_bound,
)
from ._search import (
    make_lower_bound as make_lower_bound,
)
from ._search import (
    make_upper_bound as make_upper_bound,
)
from ._search import (
    upper_bound as upper_bound,
)
from ._segmented import make_segmented_reduce as make_segmented_reduce
from ._segmented import segmented_reduce as segmented_reduce
from ._select import (
    make_select as make_select,
)
from ._select import (
    make_three_way_partition as make_three_way_partition,
)
from ._select import (
    make_unique_by_key as make_unique_by_key,
)
from ._select import (
    select as select,
)
from ._select import (
    three_way_partition as three_way_partition,
)
from ._select import (
    unique_by_key as unique_by_key,
)
from ._sort import (
    DoubleBuffer as DoubleBuffer,
)
from ._sort import (
    SortOrder as SortOrder,
)
from ._sort import (
    make_merge_sort as make_merge_sort,
)
from ._sort import (
    make_radix_sort as make_radix_sort,
)
from ._sort import (
    make_segmented_sort as make_segmented_sort,
)
from ._sort import (
    merge_sort as merge_sort,
)
from ._sort import (
    radix_sort as radix_sort,
)
from ._sort import (
    segmented_sort as segmented_sort,
)
from ._transform import (
    binary_transform as binary_transform,
)
from ._transform import (
    make_binary_transform as make_binary_transform,
)
from ._transform import (
    make_unary_transform as make_unary_transform,
)
from ._transform import (
    unary_transform as unary_transform,
)


def made_by_name(name: str, options: dict[str, Any]) -> Algorithm:
    """The algorithm of this name, with the options of its `make_…` that are no arguments of its calls. Raises
    ValueError for other names.
    """
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
