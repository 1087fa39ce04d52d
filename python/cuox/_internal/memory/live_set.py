"""Sets that the driver keeps: each look asks it, each change is one call."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, MutableSet, Set
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class LiveSet(MutableSet[_T], Generic[_T]):
    """A set of places. Operators such as `|` give a plain set."""

    @abstractmethod
    def _members(self) -> set[_T]:
        """Ask the driver."""

    @abstractmethod
    def _change(self, added: Set[_T], removed: Set[_T]) -> None:
        """Change the set, of which `added` are no members yet and `removed` are members."""

    def _checked(self, value: Any) -> _T:
        """Return the member that a value means. Raises TypeError, ValueError."""
        return value  # type: ignore[no-any-return]

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> set[Any]:
        return set(it)

    def _known(self, values: Iterable[Any]) -> set[_T]:
        """The members that values mean, less those that can be none."""
        known = set()
        for value in values:
            try:
                known.add(self._checked(value))
            except (TypeError, ValueError):
                continue
        return known

    def __contains__(self, value: object) -> bool:
        return bool(self._known([value]) & self._members())

    def __iter__(self) -> Iterator[_T]:
        return iter(self._members())

    def __len__(self) -> int:
        return len(self._members())

    def _set(self, wanted: set[_T]) -> None:
        """Make it these."""
        now = self._members()
        if wanted != now:
            self._change(wanted - now, now - wanted)

    def add(self, value: Any) -> None:
        """Add a member; one that is there stays."""
        self.update([value])

    def discard(self, value: Any) -> None:
        """Take a member out; of another value nothing is done."""
        self.difference_update([value])

    def clear(self) -> None:
        """Take all members out."""
        self._set(set())

    def update(self, *others: Iterable[Any]) -> None:
        """Add the members of all `others`."""
        self._set(self._members() | {self._checked(value) for other in others for value in other})

    def difference_update(self, *others: Iterable[Any]) -> None:
        """Take out the members of all `others`."""
        self._set(self._members() - self._known(value for other in others for value in other))

    def intersection_update(self, *others: Iterable[Any]) -> None:
        """Keep only what is in all `others` too."""
        wanted = self._members()
        for other in others:
            wanted &= self._known(other)
        self._set(wanted)

    def symmetric_difference_update(self, other: Iterable[Any]) -> None:
        """Take out the members that `other` has too, and add what it has besides."""
        self._set(self._members() ^ {self._checked(value) for value in other})

    def __ior__(self, other: Iterable[Any]) -> LiveSet[_T]:  # type: ignore[misc]
        self.update(other)
        return self

    def __iand__(self, other: Iterable[Any]) -> LiveSet[_T]:
        self.intersection_update(other)
        return self

    def __isub__(self, other: Iterable[Any]) -> LiveSet[_T]:
        self.difference_update(list(other))
        return self

    def __ixor__(self, other: Iterable[Any]) -> LiveSet[_T]:  # type: ignore[misc]
        self.symmetric_difference_update(list(other))
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._members()!r})"
