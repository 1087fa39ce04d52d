"""What all caches of compiled programs have."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from cuox._native import ObjectCode

Key: TypeAlias = bytes | bytearray | str
Code: TypeAlias = bytes | bytearray | memoryview | ObjectCode


class ProgramCacheResource(abc.ABC):
    """A cache of compiled programs: a mapping from keys to the bytes of code. `Program.compile(cache=...)` takes it.

    A key is bytes or a text, which stands for its UTF-8 bytes; `make_program_cache_key` makes one of all that a
    compilation depends on. A value is put in as bytes or as an `ObjectCode`, and comes out as bytes: the code alone,
    without its name and its `symbol_mapping`. A subclass defines the five abstract methods.

    There is no `in`: between a test and the access another process may have removed the entry. Use `get`.
    """

    @abc.abstractmethod
    def __getitem__(self, key: Key) -> bytes:
        """Return the code that is kept under a key. Raises KeyError if there is none."""

    @abc.abstractmethod
    def __setitem__(self, key: Key, value: Code) -> None:
        """Keep code under a key, in place of what was there."""

    @abc.abstractmethod
    def __delitem__(self, key: Key) -> None:
        """Remove an entry. Raises KeyError if there is none."""

    @abc.abstractmethod
    def __len__(self) -> int:
        """Return the number of entries."""

    @abc.abstractmethod
    def clear(self) -> None:
        """Remove all entries."""

    def get(self, key: Key, default: bytes | None = None) -> bytes | None:
        """Return the code that is kept under a key, or `default` if there is none."""
        try:
            return self[key]
        except KeyError:
            return default

    def update(self, items: Mapping[Key, Code] | Iterable[tuple[Key, Code]], /) -> None:
        """Keep the values of a mapping, or of pairs of keys and values, one after the other."""
        for key, value in items.items() if isinstance(items, Mapping) else items:
            self[key] = value

    def close(self) -> None:  # noqa: B027
        """Give back what the cache holds open; here nothing."""

    def __enter__(self) -> ProgramCacheResource:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def key_bytes(key: object) -> bytes:
    """The bytes of a key."""
    if isinstance(key, str):
        return key.encode()
    if isinstance(key, (bytes, bytearray)):
        return bytes(key)
    raise TypeError(f"cache keys must be bytes or str, got {type(key).__name__}")


def code_bytes(value: object) -> bytes:
    """The bytes of a value."""
    if isinstance(value, ObjectCode):
        return bytes(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"cache values must be bytes-like or ObjectCode, got {type(value).__name__}")


def check_limit(max_size_bytes: int | None) -> int | None:
    """A limit on the bytes of all values together, or None for none."""
    if max_size_bytes is not None and not isinstance(max_size_bytes, int):
        raise TypeError(f"max_size_bytes: expected an int or None, got {type(max_size_bytes).__name__}")
    if max_size_bytes is not None and max_size_bytes <= 0:
        raise ValueError(f"max_size_bytes must be positive, or None for no limit, got {max_size_bytes}")
    return max_size_bytes
