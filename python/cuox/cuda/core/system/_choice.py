"""Members of an enumeration of texts for NVML's numbers, and the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

Text = TypeVar("Text", bound=str)
Key = TypeVar("Key")
Value = TypeVar("Value")


class Table(Mapping[Key, Value]):
    """A dict that is made when something is first looked up in it: NVML's enumerations take long to import."""

    def __init__(self, make: Callable[[], dict[Key, Value]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> dict[Key, Value]:
        return self._make()

    def __getitem__(self, key: Key) -> Value:
        return self._made[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def number(table: Mapping[Text, int], asked: str, what: str) -> int:
    """NVML's number of a member or its text. Raises ValueError for another text."""
    for member, found in table.items():
        if member == asked:
            return int(found)
    raise ValueError(f"Invalid {what}: {asked}. Must be one of {list(table)}")


def inverted(table: Mapping[Text, int]) -> dict[int, Text]:
    """The members by NVML's numbers."""
    return {int(found): member for member, found in table.items()}


def unpack_bitmask(words: Iterable[int]) -> list[int]:
    """The places of the bits that are set in words of 64."""
    return [64 * at + bit for at, word in enumerate(words) for bit in range(64) if int(word) >> bit & 1]


def members(table: Mapping[Text, int], mask: int, what: str) -> list[Text]:
    """The members whose bits are set. Raises ValueError for a bit of none."""
    known = inverted(table)
    found = []
    for bit in unpack_bitmask([mask]):
        if 1 << bit not in known:
            raise ValueError(f"Unknown {what} bit: {1 << bit}")
        found.append(known[1 << bit])
    return found


def mask(table: Mapping[Text, int], asked: object, kind: type[Text]) -> int:
    """The bits of a member, or of a list of them. Raises TypeError, ValueError."""
    if isinstance(asked, str):
        asked = [asked]
    if not isinstance(asked, list):
        raise TypeError(f"events must be an {kind.__name__}, str, or list of {kind.__name__} or str")
    bits = 0
    for one in asked:
        bits |= number(table, one, "event type")
    return bits
