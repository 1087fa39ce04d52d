"""The default size of the tests and the whole: `CUOX_TESTS=all` runs what is marked `exhaustive`, too.

A test that takes more than a second or two keeps a few of its parameters, of each kind at least one, and leaves the
others to the whole. Random tests have more rounds there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

EXHAUSTIVE = os.environ.get("CUOX_TESTS", "") == "all"
if not EXHAUSTIVE and os.environ.get("CUOX_TESTS"):
    raise pytest.UsageError(f"CUOX_TESTS must be all or unset, got {os.environ['CUOX_TESTS']!r}")

mark = pytest.mark.exhaustive


def some(
    values: Iterable[Any], kept: int | Collection[Any] | Callable[[Any], bool], *, several: bool = False
) -> list[Any]:
    """Return parameters for `pytest.mark.parametrize`, all but some of which are marked `exhaustive`.

    `kept` are those of the default size: so many of the first, these, or those for which a function is true. `several`:
    each is a tuple of the values of several arguments.
    """

    def is_kept(place: int, value: Any) -> bool:
        if isinstance(kept, int):
            return place < kept
        return kept(value) if callable(kept) else value in kept

    return [
        value if is_kept(place, value) else pytest.param(*(value if several else (value,)), marks=mark)
        for place, value in enumerate(values)
    ]


def rounds(default: T, whole: T) -> T:
    """Return one of two numbers of rounds, or other things that the size decides."""
    return whole if EXHAUSTIVE else default
