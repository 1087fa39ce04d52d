"""Memory pools, buffers and events that several processes share: what they are passed on by, and their pickles.

A resource that was made with `ipc_enabled` has a handle of its pool, a file descriptor, which `multiprocessing` passes
on. Resources of other processes' pools are registered by the pool's UUID: pickles of buffers find theirs by it.
"""

from __future__ import annotations

import multiprocessing
import os
import uuid
import warnings
from multiprocessing import reduction
from operator import index
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from cuox._native import Buffer, Device, DeviceMemoryResource, Event, PinnedMemoryResource

__all__ = ["IPCAllocationHandle", "IPCBufferDescriptor", "IPCEventDescriptor"]

_Resource = DeviceMemoryResource | PinnedMemoryResource

# The resources of other processes' pools.
_REGISTRY: WeakValueDictionary[uuid.UUID, _Resource] = WeakValueDictionary()


class _Made:
    """An object that only this module makes."""

    __slots__ = ()

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise RuntimeError(f"{type(self).__name__} objects cannot be instantiated directly: {self._FROM} gives them")

    _FROM: ClassVar[str]


class IPCAllocationHandle(_Made):
    """A file descriptor by which other processes map a memory pool: `DeviceMemoryResource.allocation_handle`.

    `multiprocessing` passes it on when it starts a process, and through its queues and pipes. It is closed with the
    resource, or when nothing refers to it any more.
    """

    __slots__ = ("__weakref__", "_handle", "_uuid")
    _FROM = "DeviceMemoryResource.allocation_handle"
    _handle: int
    _uuid: uuid.UUID | None

    @classmethod
    def _init(cls, handle: int, uuid: uuid.UUID | None) -> IPCAllocationHandle:
        made = cls.__new__(cls)
        made._handle, made._uuid = -1, uuid
        if handle < 0:
            raise ValueError(f"Invalid allocation handle (fd) {handle}: must be non-negative")
        made._handle = handle
        return made

    def close(self) -> None:
        """Close the descriptor. Closing twice is fine."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", -1) >= 0:
            self.close()

    @property
    def is_closed(self) -> bool:
        """True after `close`."""
        return self._handle < 0

    @property
    def handle(self) -> int:
        """The file descriptor; -1 after `close`."""
        return self._handle

    def __int__(self) -> int:
        if self.is_closed:
            raise ValueError("Cannot convert a closed IPCAllocationHandle to int")
        return self._handle

    @property
    def uuid(self) -> uuid.UUID | None:
        """The `uuid.UUID` of the pool, the same in all processes; None for a descriptor that came without one."""
        return self._uuid

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle an IPCAllocationHandle: only multiprocessing passes file descriptors on")


class IPCBufferDescriptor(_Made):
    """What another process maps a buffer by: `Buffer.ipc_descriptor`. It can be pickled."""

    __slots__ = ("_payload", "_size")
    _FROM = "Buffer.ipc_descriptor"
    _payload: bytes
    _size: int

    @staticmethod
    def _init(reserved: bytes, size: int) -> IPCBufferDescriptor:
        made = IPCBufferDescriptor.__new__(IPCBufferDescriptor)
        made._payload, made._size = bytes(reserved), index(size)
        return made

    @property
    def size(self) -> int:
        """The size of the buffer in bytes."""
        return self._size

    def __reduce__(self) -> tuple[Any, ...]:
        return IPCBufferDescriptor._init, (self._payload, self._size)


class IPCEventDescriptor(_Made):
    """What another process opens an event by: `Event.ipc_descriptor`. It can be pickled."""

    __slots__ = ("_is_blocking_sync", "_reserved")
    _FROM = "Event.ipc_descriptor"
    _reserved: bytes
    _is_blocking_sync: bool

    @staticmethod
    def _init(reserved: bytes, is_blocking_sync: Any) -> IPCEventDescriptor:
        made = IPCEventDescriptor.__new__(IPCEventDescriptor)
        made._reserved, made._is_blocking_sync = bytes(reserved), bool(is_blocking_sync)
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IPCEventDescriptor):
            return NotImplemented
        return self._reserved == other._reserved

    def __hash__(self) -> int:
        return hash(self._reserved)

    def __reduce__(self) -> tuple[Any, ...]:
        return IPCEventDescriptor._init, (self._reserved, self._is_blocking_sync)


def new_handle(descriptor: int) -> IPCAllocationHandle:
    """The handle of a new pool, which gets a UUID."""
    return IPCAllocationHandle._init(descriptor, uuid.uuid4())


def registered(key: uuid.UUID) -> _Resource:
    """The resource that was registered with a UUID."""
    found = _REGISTRY.get(key)
    if found is None:
        raise RuntimeError(
            f"Memory resource {key} was not found: send it to this process by multiprocessing, and keep it there"
        )
    return found


def register(resource: _Resource, key: uuid.UUID) -> _Resource:
    """Register a resource, and return the one that is registered."""
    if not isinstance(key, uuid.UUID):
        raise TypeError(f"register: uuid: expected a uuid.UUID, got {type(key).__name__}")
    handle = resource.allocation_handle
    if handle.uuid not in (None, key):
        raise ValueError(f"register: uuid: this memory resource has another one, {handle.uuid}")
    handle._uuid = key
    return _REGISTRY.setdefault(key, resource)


def mapped(cls: Any, device: Device | None, alloc_handle: Any) -> _Resource:
    """The resource of another process's pool."""
    key = alloc_handle.uuid if isinstance(alloc_handle, IPCAllocationHandle) else None
    known = None if key is None else _REGISTRY.get(key)
    if known is not None:
        if not isinstance(known, cls):
            raise TypeError(
                f"{cls.__name__}.from_allocation_handle: alloc_handle: expected that of a {cls.__name__}, got that of "
                f"a {type(known).__name__}"
            )
        found: _Resource = known
        return found
    if not hasattr(type(alloc_handle), "__index__") and not isinstance(alloc_handle, IPCAllocationHandle):
        raise TypeError(
            f"{cls.__name__}.from_allocation_handle: alloc_handle: expected an IPCAllocationHandle or a file "
            f"descriptor, got {type(alloc_handle).__name__}"
        )
    # Negative numbers are refused by the class, closed descriptors by the system.
    number = int(alloc_handle)
    handle = IPCAllocationHandle._init(os.dup(number) if number >= 0 else number, key)
    resource: _Resource = cls._of_handle(device, handle)
    return resource if key is None else register(resource, key)


def event_descriptor(event: Event) -> IPCEventDescriptor:
    """`Event.ipc_descriptor`."""
    if not event.is_ipc_enabled:
        raise RuntimeError("Event is not IPC-enabled: make it by stream.record(options=EventOptions(ipc_enabled=True))")
    known = _OPENED.get(event)
    return known or IPCEventDescriptor._init(event._exported(), event.is_blocking_sync)


# The descriptors of events that other processes have made: the driver gives none of these.
_OPENED: WeakKeyDictionary[Event, IPCEventDescriptor] = WeakKeyDictionary()


def opened_event(descriptor: IPCEventDescriptor) -> Event:
    """`Event.from_ipc_descriptor`."""
    if not isinstance(descriptor, IPCEventDescriptor):
        raise TypeError(
            "Argument 'ipc_descriptor' has incorrect type (expected IPCEventDescriptor, got "
            f"{type(descriptor).__name__})"
        )
    event = Event._opened(descriptor._reserved, descriptor._is_blocking_sync)
    _OPENED[event] = descriptor
    return event


# Pickles: those of `pickle` have no descriptors of files, those of `multiprocessing` have.


def reduced_resource(resource: _Resource) -> tuple[Any, ...]:
    """For `pickle`: the other process has the resource."""
    return registered, (resource.uuid,)


def reduced_buffer(buffer: Buffer, resource: Any) -> tuple[Any, ...]:
    """A buffer of a resource, which is pickled with it."""
    if not getattr(resource, "is_ipc_enabled", False):
        raise TypeError(
            f"cannot pickle 'cuox.{type(buffer).__name__}' object: Memory resource is not IPC-enabled, so that other "
            "processes do not reach the memory"
        )
    return mapped_buffer, (resource, buffer.ipc_descriptor)


def mapped_buffer(resource: Any, descriptor: IPCBufferDescriptor) -> Buffer:
    """A buffer that was pickled."""
    return Buffer.from_ipc_descriptor(resource, descriptor)


class _Fork:
    """Warns of processes that are forked, once."""

    warned = False

    @classmethod
    def warn(cls) -> None:
        if cls.warned or multiprocessing.get_start_method() != "fork":
            return
        cls.warned = True
        warnings.warn(
            "the start method of multiprocessing is 'fork', and CUDA in a process that was forked is undefined behavior: "
            "call multiprocessing.set_start_method('spawn') first",
            UserWarning,
            stacklevel=3,
        )


def _handle_for_process(handle: IPCAllocationHandle) -> tuple[Any, ...]:
    _Fork.warn()
    return _received_handle, (reduction.DupFd(int(handle)), handle.uuid)


def _received_handle(descriptor: Any, key: uuid.UUID | None) -> IPCAllocationHandle:
    return IPCAllocationHandle._init(descriptor.detach(), key)


def _device_resource_for_process(resource: DeviceMemoryResource) -> tuple[Any, ...]:
    _Fork.warn()
    return mapped, (DeviceMemoryResource, resource.device, resource.allocation_handle)


def _pinned_resource_for_process(resource: PinnedMemoryResource) -> tuple[Any, ...]:
    _Fork.warn()
    return mapped, (PinnedMemoryResource, None, resource.allocation_handle)


def _event_for_process(event: Event) -> tuple[Any, ...]:
    _Fork.warn()
    return opened_event, (event.ipc_descriptor,)


# Whoever makes a resource or event for other processes imports this module.
reduction.register(IPCAllocationHandle, _handle_for_process)
reduction.register(DeviceMemoryResource, _device_resource_for_process)
reduction.register(PinnedMemoryResource, _pinned_resource_for_process)
reduction.register(Event, _event_for_process)
