"""Iterators, with the two names that `ReverseIterator` had first."""

from ....compute import (
    CacheModifiedInputIterator as CacheModifiedInputIterator,
)
from ....compute import (
    ConstantIterator as ConstantIterator,
)
from ....compute import (
    CountingIterator as CountingIterator,
)
from ....compute import (
    ReverseIterator as ReverseIterator,
)
from ....compute import (
    TransformIterator as TransformIterator,
)
from ....compute import (
    TransformOutputIterator as TransformOutputIterator,
)
from ....compute import (
    ZipIterator as ZipIterator,
)

ReverseInputIterator = ReverseIterator
ReverseOutputIterator = ReverseIterator
