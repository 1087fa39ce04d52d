"""Single items that kernels write to host memory: to read one costs no copy from the device."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import cuox


class _Slot:
    """Pinned memory for an item, as the device and as the host see it."""

    def __init__(self, device: Any, dtype: Any) -> None:
        import numpy as np

        buffer = cuox.LegacyPinnedMemoryResource(device).allocate(max(64, dtype.itemsize))
        self.array = cuox.Array((1,), dtype, buffer=buffer)
        self.host = np.frombuffer((ctypes.c_ubyte * dtype.itemsize).from_address(int(buffer.handle)), dtype)

    def is_stale(self) -> bool:
        """True if its context is gone."""
        try:
            self.array.to_host()
        except cuox.CUDAError:
            return True
        return False


_free: dict[Any, list[_Slot]] = {}
# Slots of work that was not waited for: it may still write to them.
_lost: list[_Slot] = []


def fetch(dtype: Any, stream: cuox.Stream, work: Callable[[cuox.Array], None]) -> Any:
    """The item that `work` has kernels put into an array of one, in the order of a stream, which is waited for.

    Raises CUDAError, among others if work is being captured in the stream.
    """
    device = stream.device
    slots = _free.setdefault((device, dtype), [])
    try:
        slot = slots.pop()
    except IndexError:
        slot = _Slot(device, dtype)
    try:
        try:
            work(slot.array)
        except cuox.CUDAError:
            if not slot.is_stale():
                raise
            slots.clear()
            slot = _Slot(device, dtype)
            work(slot.array)
        stream.sync()
    except BaseException:
        _lost.append(slot)
        raise
    found = slot.host[0]
    found = found.copy() if dtype.names else found
    slots.append(slot)
    return found
