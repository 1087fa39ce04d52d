"""A cache of things that can be made again: those that were used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class Recent(Generic[_T]):
    """At most so many things by keys: the one that was not used for the longest time goes first. Threads may
    share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Any, _T] = OrderedDict()
        self._lock = threading.RLock()

    def get(self, key: Any) -> _T | None:
        """The thing, if it is there."""
        with self._lock:
            found = self._found.get(key)
            if found is not None:
                self._found.move_to_end(key)
            return found

    def put(self, key: Any, value: _T) -> _T:
        """Keep a thing. Returns it, or the one that another thread has put meanwhile."""
        gone = None
        with self._lock:
            kept = self._found.setdefault(key, value)
            if len(self._found) > self._most:
                gone = self._found.popitem(last=False)
        # Without the lock: to free it may run code.
        del gone
        return kept

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            gone, self._found = self._found, OrderedDict()
        del gone

    def __len__(self) -> int:
        return len(self._found)
