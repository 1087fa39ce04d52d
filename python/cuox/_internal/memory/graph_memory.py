"""Memory that the launches of a graph allocate."""

from __future__ import annotations

import operator
import threading
from typing import Any, ClassVar, SupportsIndex

from cuox._internal.driver_calls import bindings, call
from cuox._native import Buffer, Device, MemoryResource

__all__ = ["GraphMemoryResource"]


class GraphMemoryResourceAttributes:
    """What the driver counts of a device's memory for graphs: `GraphMemoryResource.attributes`. Driver API manual,
    `CUgraphMem_attribute`.
    """

    __slots__ = ("_device_id",)
    _device_id: int

    def __init__(self) -> None:
        raise RuntimeError(
            "GraphMemoryResourceAttributes cannot be instantiated directly: GraphMemoryResource.attributes has them"
        )

    @classmethod
    def _of(cls, device_id: int) -> GraphMemoryResourceAttributes:
        made = super().__new__(cls)
        made._device_id = device_id
        return made

    def _get(self, name: str) -> int:
        attribute = getattr(bindings().CUgraphMem_attribute, f"CU_GRAPH_MEM_ATTR_{name}")
        return int(call("cuDeviceGetGraphMemAttribute", self._device_id, attribute))

    def _reset(self, member: str, value: int) -> None:
        if value != 0:
            raise AttributeError(f"Attribute {member!r} may only be set to zero (got {value!r}).")
        driver = bindings()
        attribute = getattr(driver.CUgraphMem_attribute, f"CU_GRAPH_MEM_ATTR_{member.upper()}")
        call("cuDeviceSetGraphMemAttribute", self._device_id, attribute, driver.cuuint64_t(0))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("reserved_mem_current", "used_mem_current"):
            raise AttributeError(f"attribute {name!r} of 'GraphMemoryResourceAttributes' objects is not writable")
        object.__setattr__(self, name, value)

    @property
    def reserved_mem_current(self) -> int:
        """Bytes that the device keeps for graphs."""
        return self._get("RESERVED_MEM_CURRENT")

    @property
    def reserved_mem_high(self) -> int:
        """The most bytes that it has kept. 0 can be set, which makes it the current number."""
        return self._get("RESERVED_MEM_HIGH")

    @reserved_mem_high.setter
    def reserved_mem_high(self, value: int) -> None:
        self._reset("reserved_mem_high", value)

    @property
    def used_mem_current(self) -> int:
        """Bytes that graphs use."""
        return self._get("USED_MEM_CURRENT")

    @property
    def used_mem_high(self) -> int:
        """The most bytes that graphs have used. 0 can be set, which makes it the current number."""
        return self._get("USED_MEM_HIGH")

    @used_mem_high.setter
    def used_mem_high(self, value: int) -> None:
        self._reset("used_mem_high", value)

    def __repr__(self) -> str:
        names = ("reserved_mem_current", "reserved_mem_high", "used_mem_current", "used_mem_high")
        return f"GraphMemoryResourceAttributes({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


class GraphMemoryResource(MemoryResource):
    """Memory that a graph allocates and frees whenever it is launched. A device has one such resource: the same number
    gives the same object. Driver API manual, *Graph Management*, `cuGraphAddMemAllocNode`.

    device_id: a Device or its number.
    """

    _made: ClassVar[dict[int, GraphMemoryResource]] = {}
    _lock: ClassVar[threading.Lock] = threading.Lock()
    _device_id: int

    def __new__(cls, device_id: Device | int) -> GraphMemoryResource:
        number = (device_id if isinstance(device_id, Device) else Device(device_id)).device_id
        with cls._lock:
            found = cls._made.get(number)
            if found is None:
                found = super().__new__(cls)
                found._device_id = number
                cls._made[number] = found
            return found

    def allocate(self, size: SupportsIndex, *, stream: Any = None) -> Buffer:
        """Allocate `size` bytes in what is captured: each launch of the graph allocates them at the same address.

        stream: a GraphBuilder, or a stream that is captured.

        Raises RuntimeError for another stream.
        """
        on = _stream(stream)
        if not _is_capturing(on):
            raise RuntimeError("GraphMemoryResource cannot perform memory operations on a non-capturing stream.")
        bytes_ = operator.index(size)
        # The driver has no nodes for nothing.
        address = int(call("cuMemAllocAsync", bytes_, on)) if bytes_ else 0
        return Buffer.from_handle(address, bytes_, self, stream=stream)

    def deallocate(self, ptr: Any, size: int, *, stream: Any = None) -> None:
        """Free memory that a graph has allocated: in what is captured, or after a launch in the stream's order."""
        on = _stream(stream)
        if ptr:
            call("cuMemFreeAsync", int(ptr), on)

    def close(self) -> None:
        """Nothing to close."""

    def trim(self) -> None:
        """Give memory back that the device keeps for graphs and that none uses. Driver API manual,
        `cuDeviceGraphMemTrim`.
        """
        call("cuDeviceGraphMemTrim", self._device_id)

    @property
    def attributes(self) -> GraphMemoryResourceAttributes:
        """What the driver counts."""
        return GraphMemoryResourceAttributes._of(self._device_id)

    @property
    def device_id(self) -> int:
        """The number of the device."""
        return self._device_id

    @property
    def is_device_accessible(self) -> bool:
        """True: kernels reach the memory."""
        return True

    @property
    def is_host_accessible(self) -> bool:
        """False: the host's processor need not reach the memory."""
        return False


def _stream(stream: Any) -> int:
    if stream is None:
        raise TypeError("GraphMemoryResource: stream is missing: pass a GraphBuilder")
    if not hasattr(stream, "__cuda_stream__"):
        raise TypeError(f"GraphMemoryResource: stream: expected a GraphBuilder or Stream, got {type(stream).__name__}")
    return int(stream.__cuda_stream__()[1])


def _is_capturing(stream: int) -> bool:
    driver = bindings()
    return bool(call("cuStreamIsCapturing", stream) != driver.CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_NONE)


for _class in (GraphMemoryResource, GraphMemoryResourceAttributes):
    _class.__module__ = "cuox.cuda.core"
del _class
