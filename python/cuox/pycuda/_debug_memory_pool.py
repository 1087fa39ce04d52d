"""A memory pool that says what it allocates, and for whom."""

from __future__ import annotations

import operator
import sys
import traceback
from collections import Counter
from os.path import commonprefix
from typing import Any, Self, SupportsIndex, TextIO
from weakref import WeakKeyDictionary

from cuox import _native

from . import driver
from ._driver.pools import DeviceMemoryPool, PooledDeviceAllocation

__all__ = ["DebugMemoryPool"]


class _TrackedAllocation(PooledDeviceAllocation):
    """Memory of a DebugMemoryPool, which the pool can look at as long as it is in use."""

    __slots__ = ()


class DebugMemoryPool(DeviceMemoryPool):
    """A DeviceMemoryPool that prints each allocation, and the live ones by the code that asked for them.

    interactive: wait for Enter at each allocation, and ask for a name for each place that allocates; False takes the
    names of the functions on the stack. logfile: where to print; None is `sys.stdout`.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        return _native._DeviceMemoryPool.__new__(cls, _TrackedAllocation)

    def __init__(self, interactive: bool = True, logfile: TextIO | None = None) -> None:
        super().__init__()
        self.interactive = interactive
        self.logfile = sys.stdout if logfile is None else logfile
        self.last_free: int = driver.mem_get_info()[0]
        self.blocks: WeakKeyDictionary[Any, tuple[int, str]] = WeakKeyDictionary()
        self.stacktrace_mnemonics: dict[tuple[tuple[str, ...], int], str] = {}

    def allocate(self, size: SupportsIndex) -> PooledDeviceAllocation:
        """Allocate `size` bytes, and print what is allocated."""
        size = operator.index(size)
        stack = tuple(frame.name for frame in traceback.extract_stack()[:-1])
        description = self.describe(stack, size)
        free, total = driver.mem_get_info()
        self._print(
            f"\n  Allocation of size {size} (mem: last_free:{self.last_free}, free: {free}, total:{total}) "
            f"(pool: held:{self.held_blocks}, active:{self.active_blocks}):\n      at: {description}"
        )
        live = Counter(self.blocks.values())
        prefix = len(commonprefix([place for _, place in live])) if len(live) > 1 else 0  # noqa: RUF071
        for (block_size, place), count in sorted(live.items()):
            self._print(f"  {place[prefix:]} ({block_size} bytes): {count}x")
        if self.interactive:
            input("  [Enter]")
        allocation: PooledDeviceAllocation = super().allocate(size)
        self.blocks[allocation] = size, description
        self.last_free = driver.mem_get_info()[0]
        return allocation

    def describe(self, stack: tuple[str, ...], size: int) -> str:
        """Return the name of a place that allocates; interactively, ask for it the first time."""
        if not self.interactive:
            return "|".join(stack)
        known = self.stacktrace_mnemonics.get((stack, size))
        while not known:
            self._print(f"{size} bytes from {' > '.join(stack)}")
            known = input("Enter a name for this place, or [Enter] to see the stack: ")
            if known:
                self.stacktrace_mnemonics[stack, size] = known
            else:
                traceback.print_stack(file=self.logfile)
        return known

    def _print(self, text: str) -> None:
        print(text, file=self.logfile)
