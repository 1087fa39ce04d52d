"""Outputs in the memory of inputs."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any, NamedTuple

import cuox

from .iterators import CacheModifiedInputIterator, IteratorBase, Pointer, TransformIterator, ZipIterator, array_of


class Memory(NamedTuple):
    """Memory from `start` to before `end`. The item at index i lies at `first` + i * `size`, if `is_straight`. slot: the argument whose memory it is."""

    start: int
    end: int
    first: int
    size: int
    is_straight: bool
    slot: int | None = None

    def of_items(self, count: int) -> Memory:
        """That of so many items, as far as is known."""
        if not self.is_straight:
            return self
        return self._replace(start=self.first, end=min(self.end, self.first + count * self.size))

    def begins_like(self, other: Memory) -> bool:
        """True if items with the same index lie at the same place."""
        return self.is_straight and other.is_straight and (self.first, self.size) == (other.first, other.size)


def memory_of(given: Any, is_straight: bool = True) -> Iterator[Memory]:
    """The memory of an array, or of those that an iterator reads or writes."""
    if not isinstance(given, IteratorBase):
        array = array_of(given)
        yield Memory(array.ptr, array.ptr + array.nbytes, array.ptr, array.dtype.itemsize, is_straight)
    elif isinstance(given, Pointer):
        array, size = given.array, given.item.dtype.itemsize
        yield Memory(array.ptr, array.ptr + array.nbytes, array.ptr + given.offset * size, size, is_straight, given.slot)
    else:
        is_straight &= isinstance(given, (CacheModifiedInputIterator, TransformIterator, ZipIterator))
        for value in vars(given).values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, IteratorBase):
                    yield from memory_of(one, is_straight)


def are_apart(d_in: Any, d_out: Any, count: Any) -> bool:
    """True if so many items of two arrays or iterators have no memory in common."""
    if type(d_in) is type(d_out) is cuox.Array and (d_in.ptr + d_in.nbytes <= d_out.ptr or d_out.ptr + d_out.nbytes <= d_in.ptr):
        return True
    return not any(overlap(given, out) for given, out in _pairs(d_in, d_out, count))


def _pairs(d_in: Any, d_out: Any, count: Any) -> Iterator[tuple[Memory, Memory]]:
    number = index(count)
    for given in memory_of(d_in):
        for out in memory_of(d_out):
            yield given.of_items(number), out.of_items(number)


def overlap(given: Memory, out: Memory) -> bool:
    """True if they have bytes in common."""
    return max(given.start, out.start) < min(given.end, out.end)


def moves_to_the_left(d_in: Any, d_out: Any, count: Any) -> bool:
    """True if an item that is put at an index not above its own overwrites nothing but items up to its own, of arrays or iterators with memory in common."""
    return all(
        given.is_straight and out.is_straight and given.size == out.size and out.first <= given.first for given, out in _pairs(d_in, d_out, count) if overlap(given, out)
    )


def refuse(algorithm: str, d_in: str, d_out: str, why: str) -> ValueError:
    """The error for an output that lies in an input's memory."""
    return ValueError(f"{algorithm}: {d_out} lies in the memory of {d_in}: {why}")


def is_in_place(algorithm: str, pairs: list[tuple[str, Any, str, Any]], count: Any) -> bool:
    """True if an output has memory in common with an input: names and values of the pairs of which that may be.

    Raises ValueError for outputs that would overwrite items which are not read yet.
    """
    found = False
    for name_in, d_in, name_out, d_out in pairs:
        if not are_apart(d_in, d_out, count):
            found = True
            if not moves_to_the_left(d_in, d_out, count):
                raise refuse(algorithm, name_in, name_out, "it may be the same array, or begin before it with items of the same size, but not overwrite what is read later")
    return found
