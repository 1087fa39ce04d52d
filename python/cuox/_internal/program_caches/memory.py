"""A cache of compiled programs in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict

from .resource import Code, Key, ProgramCacheResource, check_limit, code_bytes, key_bytes


class InMemoryProgramCache(ProgramCacheResource):
    """A cache of compiled programs that lives as long as the process. Threads can share it.

    max_size_bytes: a limit on the bytes of all values together, above which the entries whose last use is longest ago
        go; None for no limit. A value that is larger than the limit is not kept.

    Raises ValueError for a limit that is not positive.
    """

    def __init__(self, *, max_size_bytes: int | None = None) -> None:
        self._limit = check_limit(max_size_bytes)
        self._lock = threading.Lock()
        # The last use longest ago comes first.
        self._entries: OrderedDict[bytes, bytes] = OrderedDict()
        self._total_bytes = 0

    def __getitem__(self, key: Key) -> bytes:
        name = key_bytes(key)
        with self._lock:
            if name not in self._entries:
                raise KeyError(key)
            self._entries.move_to_end(name)
            return self._entries[name]

    def __setitem__(self, key: Key, value: Code) -> None:
        name, code = key_bytes(key), code_bytes(value)
        with self._lock:
            self._total_bytes += len(code) - len(self._entries.pop(name, b""))
            self._entries[name] = code
            while self._limit is not None and self._total_bytes > self._limit:
                _, oldest = self._entries.popitem(last=False)
                self._total_bytes -= len(oldest)

    def __delitem__(self, key: Key) -> None:
        name = key_bytes(key)
        with self._lock:
            if name not in self._entries:
                raise KeyError(key)
            self._total_bytes -= len(self._entries.pop(name))

    def __len__(self) -> int:
        with self._lock:
            return len(self._entries)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._total_bytes = 0
