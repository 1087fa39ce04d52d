"""What `cuda.compute` was before, and its short forms: `reduce(data, 0.0, lambda a, b: a + b)`.

`experimental` is the older package as it was.
"""

from ...compute import (
    adjacent_difference as adjacent_difference,
)
from ...compute import (
    histogram as histogram,
)
from ...compute import (
    reduce as reduce,
)
from ...compute import (
    reduce_by_key as reduce_by_key,
)
from ...compute import (
    run_length_encode as run_length_encode,
)
from ...compute import (
    scan as scan,
)
from ...compute import (
    select as select,
)
from ...compute import (
    sort as sort,
)
from ...compute import (
    transform as transform,
)
from ...compute import (
    unique as unique,
)
from . import experimental as experimental
from .experimental import *  # noqa: F403
