"""Iterators, with the two names that `ReverseIterator` had first."""

from ....compute import (
    CacheModifiedInputIterator as CacheModifiedInputIterator,
    ConstantIterator as ConstantIterator,
    CountingIterator as CountingIterator,
    ReverseIterator as ReverseIterator,
    TransformIterator as TransformIterator,
    TransformOutputIterator as TransformOutputIterator,
    ZipIterator as ZipIterator,
)

ReverseInputIterator = ReverseIterator
ReverseOutputIterator = ReverseIterator
