"""Outputs in the memory of inputs."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from .iterators import CacheModifiedInputIterator, IteratorBase, Pointer, TransformIterator, ZipIterator, array_of


class Sharing(IntEnum):
    """The memory that an output may have in common with an input. Native code has the same numbers."""

    NONE = 0
    # Both begin at the same place, with items of one size.
    SAME_START = 1
    # The output may also begin before the input: an item that is put at an index overwrites nothing but items up to
    # that index.
    TO_THE_LEFT = 2


SHARING_TEXT = {
    Sharing.NONE: "it must be another array",
    Sharing.SAME_START: "it may be the same array, but not begin at another item of it",
    Sharing.TO_THE_LEFT: "it may be the same array, or begin before it with items of the same size, but not overwrite what is read later",
}


class Memory(NamedTuple):
    """Memory from `start` to before `end`. The item at index i lies at `first` + i * `size`, if `is_straight`. slot:
    the argument whose memory it is.
    """

    start: int
    end: int
    first: int
    size: int
    is_straight: bool
    slot: int | None = None

    def of_items(self, count: int) -> Memory:
        """The memory of so many items, as far as is known."""
        if not self.is_straight:
            return self
        return self._replace(start=self.first, end=min(self.end, self.first + count * self.size))

    def shares(self, other: Memory) -> bool:
        """True if they have bytes in common."""
        return max(self.start, other.start) < min(self.end, other.end)

    def may_share(self, given: Memory) -> bool:
        """True if an output of such items may lie in the memory of such an input at all."""
        return self.is_straight and given.is_straight and self.size == given.size

    def may_be(self, given: Memory, sharing: Sharing) -> bool:
        """True if an output may lie in the memory of an input like this."""
        if sharing is Sharing.NONE or not self.may_share(given):
            return False
        return self.first == given.first or (sharing is Sharing.TO_THE_LEFT and self.first < given.first)


def memory_of(given: Any, is_straight: bool = True) -> Iterator[Memory]:
    """The memory of an array, or of those that an iterator reads or writes."""
    if not isinstance(given, IteratorBase):
        array = array_of(given)
        yield Memory(array.ptr, array.ptr + array.nbytes, array.ptr, array.dtype.itemsize, is_straight)
    elif isinstance(given, Pointer):
        array, size = given.array, given.item.dtype.itemsize
        yield Memory(
            array.ptr, array.ptr + array.nbytes, array.ptr + given.offset * size, size, is_straight, given.slot
        )
    else:
        is_straight &= isinstance(given, (CacheModifiedInputIterator, TransformIterator, ZipIterator))
        for value in vars(given).values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, IteratorBase):
                    yield from memory_of(one, is_straight)
