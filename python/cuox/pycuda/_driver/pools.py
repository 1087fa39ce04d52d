"""Memory pools: blocks of memory that are kept when they are freed, in bins by size."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

import cuox
from cuox import _native

from . import errors
from .context import current_device
from .errors import LogicError
from .memory import DeviceAllocation, extent
from .pagelocked import PagelockedHostAllocation, shown

__all__ = [
    "DeviceMemoryPool",
    "PageLockedAllocator",
    "PageLockedMemoryPool",
    "PooledDeviceAllocation",
    "PooledHostAllocation",
    "bitlog2",
]


def bitlog2(value: int) -> int:
    """Return the largest power of two that is not greater than an int, as its exponent; 0 for 0."""
    if value < 0:
        raise LogicError(f"bitlog2: expected an int from 0 on, got {value}")
    return max(int(value).bit_length() - 1, 0)


class PooledDeviceAllocation(DeviceAllocation):
    """Device memory of a DeviceMemoryPool. It goes back to the pool when it is collected or `free` is called."""

    __slots__ = ()

    free = cuox.Buffer._free


class DeviceMemoryPool(_native._DeviceMemoryPool):
    """A pool of device memory: memory that is freed is kept and given out again, which is much faster than the driver.

    Sizes are rounded up so that a block serves sizes within a sixteenth. As with PyCUDA, memory that is freed may be
    given out at once: work that still uses it must be in the stream of the work that comes after.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> DeviceMemoryPool:
        current_device()
        return super().__new__(cls, PooledDeviceAllocation)

    def __init__(self) -> None:
        pass


class PageLockedAllocator:
    """The allocator of a PageLockedMemoryPool.

    flags: members of `host_alloc_flags`.
    """

    def __init__(self, flags: int = 0) -> None:
        self.flags = int(flags)


class PooledHostAllocation:
    """Page-locked memory of a PageLockedMemoryPool. It is the `base` of the pool's arrays, and goes back when they are
    gone.
    """

    __array_interface__: dict[str, Any]

    def __init__(self, pool: PageLockedMemoryPool, size: int) -> None:
        self._block: PagelockedHostAllocation | None = None
        self._pool, self._size, self._freed = pool, size, False
        self._block = pool._take(size)

    def free(self) -> None:
        """Give the memory up: it goes back to the pool when the last array that shows it is gone.

        Raises LogicError if it was given up before.
        """
        if self._freed:
            raise LogicError("PooledHostAllocation.free: the memory was freed before")
        self._freed = True

    def __len__(self) -> int:
        return self._size

    def __del__(self) -> None:
        block, self._block = self._block, None
        if block is not None:
            self._pool._put(block, self._size)


class PageLockedMemoryPool:
    """A pool of page-locked host memory, of which `allocate` makes arrays.

    allocator: a PageLockedAllocator; None is one without flags.
    """

    def __init__(self, allocator: PageLockedAllocator | None = None) -> None:
        self._allocator = allocator or PageLockedAllocator()
        self._bins: dict[int, list[PagelockedHostAllocation]] = {}
        self._holding = True
        self._held_blocks = self._active_blocks = self._managed_bytes = self._active_bytes = 0
        # Of all of the above. A thread that holds it may collect garbage, which puts blocks back.
        self._lock = threading.RLock()

    def allocate(self, shape: Any, dtype: npt.DTypeLike, order: str = "C") -> npt.NDArray[Any]:
        """Return a new array in page-locked memory: in a block that was freed before, or in a new one.

        Its `base` is a PooledHostAllocation. Raises MemoryError.
        """
        sizes, kind, size = extent(shape, dtype)
        if order not in ("C", "F"):
            raise LogicError(f"order must be 'C' or 'F', got {order!r}")
        owner = PooledHostAllocation(self, size)
        block = owner._block
        assert block is not None
        return shown(owner, sizes, np.dtype(kind), order, block._address())

    def _take(self, size: int) -> PagelockedHostAllocation:
        number = self.bin_number(size)
        block = self._pop(number)
        if block is None:
            current_device()
            try:
                block = self._new(number)
            except errors.MemoryError:
                gc.collect()
                block = self._pop(number)
                if block is None:
                    self.free_held()
                    block = self._new(number)
        with self._lock:
            self._active_blocks += 1
            self._active_bytes += size
        return block

    def _pop(self, number: int) -> PagelockedHostAllocation | None:
        with self._lock:
            free = self._bins.get(number)
            if not free:
                return None
            self._held_blocks -= 1
            return free.pop()

    def _new(self, number: int) -> PagelockedHostAllocation:
        size = self.alloc_size(number)
        made = PagelockedHostAllocation(size, self._allocator.flags)
        with self._lock:
            self._managed_bytes += size
        return made

    def _put(self, block: PagelockedHostAllocation, size: int) -> None:
        number = self.bin_number(size)
        with self._lock:
            self._active_blocks -= 1
            self._active_bytes -= size
            if self._holding:
                self._bins.setdefault(number, []).append(block)
                self._held_blocks += 1
            else:
                self._managed_bytes -= self.alloc_size(number)

    def free_held(self) -> None:
        """Give the free blocks back to the driver."""
        with self._lock:
            bins, self._bins = self._bins, {}
            for number, free in bins.items():
                self._held_blocks -= len(free)
                self._managed_bytes -= len(free) * self.alloc_size(number)

    def stop_holding(self) -> None:
        """Give the free blocks back to the driver, now and whenever one becomes free."""
        with self._lock:
            self._holding = False
        self.free_held()

    @staticmethod
    def bin_number(size: int) -> int:
        """Return the number of the bin that blocks of a size are in."""
        return _native._pool_bin_number(size)

    @staticmethod
    def alloc_size(bin: int) -> int:
        """Return the size of the blocks of a bin, in bytes. Raises ValueError for numbers that no bin has."""
        return _native._pool_alloc_size(bin)

    @property
    def held_blocks(self) -> int:
        """The number of free blocks that are kept."""
        return self._held_blocks

    @property
    def active_blocks(self) -> int:
        """The number of blocks in use."""
        return self._active_blocks

    @property
    def managed_bytes(self) -> int:
        """The bytes of all blocks, in use and free."""
        return self._managed_bytes

    @property
    def active_bytes(self) -> int:
        """The bytes that were asked for, of the blocks in use."""
        return self._active_bytes
