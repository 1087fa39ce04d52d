"""The memory of arrays as allocations of the driver's module."""

from __future__ import annotations

from cuox import Buffer

from .._driver.memory import DeviceAllocation, made_as


class ArrayMemory(DeviceAllocation):
    """The memory of an array: `array.gpudata`. `free` gives it back before the array is collected."""

    __slots__ = ()

    def free(self) -> None:
        """Give the memory back; the array and its views raise ClosedError from then on. Raises LogicError if that was
        done before.
        """
        owner = self.owner
        super().free()
        owner.close()


def memory_of(buffer: Buffer) -> ArrayMemory:
    """Return an allocation that shows the memory of a buffer, and keeps it."""
    return made_as(ArrayMemory, Buffer.from_handle(int(buffer), buffer.size, owner=buffer))
