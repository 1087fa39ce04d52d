"""Memory that is mapped at addresses of its own, so that it can grow."""

from __future__ import annotations

import operator
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

from cuox._internal.driver_calls import bindings, call
from cuox._internal.errors import ClosedError, CUDAError
from cuox._internal.idle_free import free_when_idle, wait_for
from cuox._native import Buffer, Device, MemoryResource

__all__ = ["VirtualMemoryResource", "VirtualMemoryResourceOptions"]

# The numbers of the header's enumerations.
_ACCESS = {"rw": 3, "r": 1, None: 0}
_HANDLE_TYPES = {None: 0, "posix_fd": 1, "win32_kmt": 4, "fabric": 8}
_GRANULARITIES = {"minimum": 0, "recommended": 1}
_LOCATIONS = {"device": 1, "host": 2, "host_numa": 3, "host_numa_current": 4}
_ALLOCATIONS = {"pinned": 1, "managed": 2}


@dataclass
class VirtualMemoryResourceOptions:
    """The options of a VirtualMemoryResource. Driver API manual, *Virtual Memory Management*.

    allocation_type: "pinned" or "managed".
    location_type: "device", "host", "host_numa" (the node that is nearest to the device) or "host_numa_current".
    handle_type: the handle by which other processes can get the memory, "posix_fd", "win32_kmt" or "fabric"; None is
    none. Memory of "host" has none.
    granularity: "recommended" or "minimum": sizes are rounded up to it.
    gpu_direct_rdma: other devices on the bus may access the memory.
    addr_hint: the address that is asked for; 0 or None is any.
    addr_align: the alignment of addresses, in bytes, a power of two; None is the granularity.
    peers: the numbers of other devices that are given access.
    self_access: what the memory's own place may do with it: "rw", "r", or None.
    peer_access: the same, of `peers`.
    """

    allocation_type: str = "pinned"
    location_type: str = "device"
    handle_type: str | None = "posix_fd"
    granularity: str = "recommended"
    gpu_direct_rdma: bool = False
    addr_hint: int | None = 0
    addr_align: int | None = None
    peers: Iterable[int] = field(default_factory=tuple)
    self_access: str | None = "rw"
    peer_access: str | None = "rw"


def _number(options: VirtualMemoryResourceOptions, name: str, known: Mapping[Any, int]) -> int:
    value = getattr(options, name)
    found = known.get(value) if value is None or isinstance(value, str) else None
    if found is None:
        expected = ", ".join("None" if one is None else f'"{one}"' for one in known)
        raise ValueError(f"VirtualMemoryResourceOptions: {name}: expected one of {expected}, got {value!r}")
    return found


def _options(given: Any) -> VirtualMemoryResourceOptions:
    if given is None:
        return VirtualMemoryResourceOptions()
    if isinstance(given, VirtualMemoryResourceOptions):
        return given
    if isinstance(given, Mapping):
        return VirtualMemoryResourceOptions(**given)
    raise TypeError(
        f"VirtualMemoryResource: config: expected VirtualMemoryResourceOptions, a dict or None, got {type(given).__name__}"
    )


class _Range:
    """Addresses of one buffer, and of the smaller ones that it has grown from while something still has these."""

    __slots__ = ("access", "address", "mapped", "owners", "reserved")

    def __init__(self, address: int) -> None:
        self.address = address
        # What the memory's own place may do, as the driver's flags.
        self.access = 0
        # Lengths of the mappings, and of the reservations, one behind the other.
        self.mapped: list[int] = []
        self.reserved: list[int] = []
        # How often a buffer of that size is to be freed.
        self.owners: dict[int, int] = {}

    @property
    def size(self) -> int:
        return sum(self.mapped)

    def free(self) -> None:
        """Unmap all, and free the addresses."""
        while self.mapped:
            _unmap_last(self)
        while self.reserved:
            _free_last(self)

    def mappings(self) -> Iterator[tuple[int, int]]:
        """Address and size of each mapping."""
        at = self.address
        for size in self.mapped:
            yield at, size
            at += size


class VirtualMemoryResource(MemoryResource):
    """Memory that is made, mapped at addresses and made accessible each for itself: it can grow, keeping what is in it
    (`modify_allocation`). Driver API manual, *Virtual Memory Management*.

    device_id: a Device or its number.
    config: VirtualMemoryResourceOptions, or a dict with some of its fields.

    Raises RuntimeError if the device has no virtual memory management, or no GPUDirect RDMA that is asked for.
    """

    config: VirtualMemoryResourceOptions
    device: Device | None

    def __init__(
        self, device_id: Device | int, config: VirtualMemoryResourceOptions | Mapping[str, Any] | None = None
    ) -> None:
        self.config = _options(config)
        near = device_id if isinstance(device_id, Device) else Device(device_id)
        self._near = near
        self.device = None if _is_host(self.config) else near
        if self.device is not None:
            if not near.properties.virtual_memory_management_supported:
                raise RuntimeError("VirtualMemoryResource requires CUDA VMM API support")
            if self.config.gpu_direct_rdma and not near.properties.gpu_direct_rdma_supported:
                raise RuntimeError("GPU Direct RDMA is not supported on this device")
        self._ranges: dict[int, _Range] = {}
        self._lock = threading.Lock()
        # Held while a buffer grows: its memory has one end.
        self._growing = threading.Lock()

    def _properties(self) -> Any:
        """What is asked for, as the driver has it."""
        driver, config = bindings(), self.config
        made = driver.CUmemAllocationProp()
        made.type = driver.CUmemAllocationType(_number(config, "allocation_type", _ALLOCATIONS))
        made.requestedHandleTypes = driver.CUmemAllocationHandleType(_number(config, "handle_type", _HANDLE_TYPES))
        location = _number(config, "location_type", _LOCATIONS)
        made.location.type = driver.CUmemLocationType(location)
        if location == _LOCATIONS["device"]:
            made.location.id = self._near.device_id
        elif location == _LOCATIONS["host_numa"]:
            made.location.id = max(self._near.properties.host_numa_id, 0)
        made.allocFlags.gpuDirectRDMACapable = int(config.gpu_direct_rdma)
        return made

    def _granularity(self, properties: Any) -> int:
        option = _number(self.config, "granularity", _GRANULARITIES)
        flags = bindings().CUmemAllocationGranularity_flags(option)
        return int(call("cuMemGetAllocationGranularity", properties, flags))

    def _give_access(self, properties: Any, range_: _Range) -> None:
        """Let the memory's own place and the peers use what is mapped as the options say."""
        driver, config = bindings(), self.config
        own, peers = (_number(config, name, _ACCESS) for name in ("self_access", "peer_access"))
        device = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        places = [(properties.location.type, properties.location.id, own)]
        places += [(device, operator.index(peer), peers) for peer in config.peers]
        descriptions = []
        for kind, number, flags in places:
            if not flags:
                continue
            one = driver.CUmemAccessDesc()
            one.location.type, one.location.id = kind, number
            one.flags = driver.CUmemAccess_flags(flags)
            descriptions.append(one)
        if descriptions:
            for address, size in range_.mappings():
                call("cuMemSetAccess", address, size, descriptions, len(descriptions))
        range_.access = own or range_.access

    def _users(self) -> tuple[Device, ...]:
        """The devices whose work may use the memory. The driver of a GPU does not wait for it, so that kernels would
        fail.
        """
        return (self._near, *map(Device, self.config.peers))

    def _wait(self) -> None:
        """Wait for work that may use the memory."""
        wait_for(self._users())

    @staticmethod
    def _extend(undo: ExitStack, properties: Any, range_: _Range, size: int) -> None:
        """Map new memory behind what is mapped in a range."""
        handle = call("cuMemCreate", size, properties, 0)
        try:
            _map_behind(undo, range_, size, handle)
        finally:
            # The memory lives until it is unmapped.
            call("cuMemRelease", handle)

    def allocate(self, size: SupportsIndex, *, stream: Any = None) -> Buffer:
        """Allocate at least `size` bytes, a multiple of the granularity.

        stream: the stream whose device the buffer is of; nothing is done in its order.

        Raises CUDAError.
        """
        bytes_ = operator.index(size)
        if bytes_ < 0:
            raise ValueError(f"VirtualMemoryResource.allocate: size: expected at least 0, got {bytes_}")
        properties = self._properties()
        granularity = self._granularity(properties)
        whole = max(_round_up(bytes_, granularity), granularity)
        align = self.config.addr_align or granularity
        with ExitStack() as undo:
            range_ = _reserve(undo, whole, align, self.config.addr_hint or 0)
            self._extend(undo, properties, range_, whole)
            self._give_access(properties, range_)
            return self._own(undo, range_, stream)

    def _own(self, undo: ExitStack, range_: _Range, stream: Any = None) -> Buffer:
        """Make a buffer of all of a range; nothing is undone any more."""
        size = range_.size
        with self._lock:
            self._ranges[range_.address] = range_
            range_.owners[size] = range_.owners.get(size, 0) + 1
        undo.pop_all()
        try:
            return Buffer.from_handle(range_.address, size, self, stream=stream)
        except BaseException:
            self.deallocate(range_.address, size)
            raise

    def deallocate(self, ptr: Any, size: int, *, stream: Any = None) -> None:
        """Unmap memory, and free its addresses. Waits for the work of the devices that were given access; nothing is
        done in the order of `stream`. If Ctrl-C ends the wait, the memory is freed later.

        Raises ValueError for another size than that of a buffer at the address.
        """
        address = 0 if ptr is None else int(ptr)
        with self._lock:
            range_ = self._ranges.get(address)
            if range_ is not None:
                if not range_.owners.get(size, 0):
                    sizes = ", ".join(str(one) for one, owners in range_.owners.items() if owners)
                    raise ValueError(
                        f"VirtualMemoryResource.deallocate: size: at {address:#x} there are buffers of {sizes} bytes, "
                        f"none of {size}"
                    )
                range_.owners[size] -= 1
                if any(range_.owners.values()):
                    return
                del self._ranges[address]
        if range_ is None:
            # Somebody else has made it.
            range_ = _Range(address)
            range_.mapped, range_.reserved = [size], [size]
        free_when_idle(self._users(), range_.free)

    def modify_allocation(
        self, buf: Buffer, new_size: int, config: VirtualMemoryResourceOptions | Mapping[str, Any] | None = None
    ) -> Buffer:
        """Let a buffer of this resource grow: returns one of at least `new_size` bytes with the same bytes of memory at
        its beginning, at the same address if what is behind it is free. `buf` is closed then. A size that is not
        larger than the buffer's gives the buffer itself, with the access that the options say.

        config: options that are the resource's from now on.

        Raises ValueError for a buffer of another resource, BufferError for options with less access for the memory's
        own place than it has, while NumPy arrays or memoryviews show the memory, ClosedError, CUDAError; then `buf` is
        as it was.
        """
        if not isinstance(buf, Buffer):
            raise TypeError(
                f"VirtualMemoryResource.modify_allocation: buf: expected a Buffer, got {type(buf).__name__}"
            )
        wanted = operator.index(new_size)
        chosen = self.config if config is None else _options(config)
        with self._growing:
            return self._grow(buf, wanted, chosen)

    def _grow(self, buf: Buffer, wanted: int, chosen: VirtualMemoryResourceOptions) -> Buffer:
        if buf.is_closed:
            raise ClosedError("VirtualMemoryResource.modify_allocation: buf is closed")
        address = int(buf.handle)
        with self._lock:
            old = self._ranges.get(address)
        if old is None or buf.memory_resource is not self:
            raise ValueError("VirtualMemoryResource.modify_allocation: buf: expected a buffer that this resource made")
        own = _number(chosen, "self_access", _ACCESS)
        if own and own < old.access and buf._views():
            raise BufferError(
                "VirtualMemoryResource.modify_allocation: buf: arrays or memoryviews show the memory, which the options "
                "let nobody write any more: delete them first"
            )
        self.config = chosen
        properties = self._properties()
        if wanted <= buf.size:
            # It may be less.
            self._wait()
            self._give_access(properties, old)
            return buf
        granularity = self._granularity(properties)
        more = _round_up(wanted, granularity) - old.size
        align = self.config.addr_align or granularity
        with ExitStack() as undo:
            behind = _reserve_at(address + old.size, more, align) if buf.size == old.size else False
            if behind:
                range_ = old
                range_.reserved.append(more)
                undo.callback(_free_last, range_)
            else:
                range_ = _reserve(undo, old.size + more, align, 0)
                _map_again(undo, old, range_)
            self._extend(undo, properties, range_, more)
            self._give_access(properties, range_)
            grown = self._own(undo, range_)
        buf.close()
        return grown

    @property
    def is_device_accessible(self) -> bool:
        """True for memory of a device; of the host's, `peers` may use it."""
        return self.config.location_type == "device"

    @property
    def is_host_accessible(self) -> bool:
        """True for memory of the host."""
        return _is_host(self.config)

    @property
    def device_id(self) -> int:
        """The number of the device; -1 for memory of the host."""
        return -1 if self.device is None else self.device.device_id

    def __repr__(self) -> str:
        return f"<VirtualMemoryResource device={self.device}>"


def _is_host(config: VirtualMemoryResourceOptions) -> bool:
    return isinstance(config.location_type, str) and config.location_type.startswith("host")


def _round_up(size: int, granularity: int) -> int:
    return -(-size // granularity) * granularity


def _reserve(undo: ExitStack, size: int, align: int, hint: int) -> _Range:
    """Reserve addresses."""
    range_ = _Range(int(call("cuMemAddressReserve", size, align, hint, 0)))
    range_.reserved.append(size)
    undo.callback(_free_last, range_)
    return range_


def _reserve_at(address: int, size: int, align: int) -> bool:
    """Reserve these addresses; False if they are not free."""
    try:
        got = int(call("cuMemAddressReserve", size, align, address, 0))
    except CUDAError:
        # Also for an address that is no multiple of the alignment: others will do.
        return False
    if got != address:
        call("cuMemAddressFree", got, size)
    return got == address


def _map_again(undo: ExitStack, old: _Range, new: _Range) -> None:
    """Map what is mapped in a range in another one too."""
    for address, size in old.mappings():
        handle = call("cuMemRetainAllocationHandle", address)
        try:
            _map_behind(undo, new, size, handle)
        finally:
            call("cuMemRelease", handle)


def _map_behind(undo: ExitStack, range_: _Range, size: int, handle: Any) -> None:
    """Map memory behind what is mapped in a range."""
    call("cuMemMap", range_.address + range_.size, size, 0, handle, 0)
    range_.mapped.append(size)
    undo.callback(_unmap_last, range_)


def _unmap_last(range_: _Range) -> None:
    size = range_.mapped[-1]
    call("cuMemUnmap", range_.address + range_.size - size, size)
    range_.mapped.pop()


def _free_last(range_: _Range) -> None:
    size = range_.reserved[-1]
    call("cuMemAddressFree", range_.address + sum(range_.reserved) - size, size)
    range_.reserved.pop()


for _class in (VirtualMemoryResource, VirtualMemoryResourceOptions):
    _class.__module__ = "cuox.cuda.core"
del _class
