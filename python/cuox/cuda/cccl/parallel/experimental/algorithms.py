"""Algorithms, called by position: `reduce_into(d_in, d_out, op, h_init)` returns an object, `reduce_into(d_in, d_out,
op, num_items, h_init)` does the work.
"""

from ....compute import DoubleBuffer as DoubleBuffer
from ....compute import SortOrder as SortOrder
from ._positional import (
    binary_transform as binary_transform,
)
from ._positional import (
    exclusive_scan as exclusive_scan,
)
from ._positional import (
    histogram_even as histogram_even,
)
from ._positional import (
    inclusive_scan as inclusive_scan,
)
from ._positional import (
    merge_sort as merge_sort,
)
from ._positional import (
    radix_sort as radix_sort,
)
from ._positional import (
    reduce_into as reduce_into,
)
from ._positional import (
    segmented_reduce as segmented_reduce,
)
from ._positional import (
    three_way_partition as three_way_partition,
)
from ._positional import (
    unary_transform as unary_transform,
)
from ._positional import (
    unique_by_key as unique_by_key,
)

make_binary_transform = binary_transform.made
make_exclusive_scan = exclusive_scan.made
make_histogram_even = histogram_even.made
make_inclusive_scan = inclusive_scan.made
make_merge_sort = merge_sort.made
make_radix_sort = radix_sort.made
make_reduce_into = reduce_into.made
make_segmented_reduce = segmented_reduce.made
make_three_way_partition = three_way_partition.made
make_unary_transform = unary_transform.made
make_unique_by_key = unique_by_key.made
