"""Grids and blocks for kernels over a number of elements."""

from __future__ import annotations

import functools
from typing import Any

from .. import driver


def splay(n: int, dev: Any = None) -> tuple[tuple[int, int], tuple[int, int, int]]:
    """Return a grid and a block for a kernel that strides over `n` elements.

    dev: the Device; None is the current context's.
    """
    return _splay(n, driver.Context.get_device() if dev is None else dev)


@functools.lru_cache(4096)
def _splay(n: int, dev: Any) -> tuple[tuple[int, int], tuple[int, int, int]]:
    from ..tools import DeviceData

    data = DeviceData(dev)
    most_blocks = 4 * data.thread_blocks_per_mp * dev.get_attribute(driver.device_attribute.MULTIPROCESSOR_COUNT)
    warp, most_threads = data.warp_size, 128
    warps = max(-(-n // warp), 1)
    if warps <= most_blocks:
        return (warps, 1), (warp, 1, 1)
    # More threads for each block, and then more elements for each thread.
    threads = min(-(-warps // most_blocks) * warp, most_threads)
    return (most_blocks, 1), (threads, 1, 1)
