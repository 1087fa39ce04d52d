"""Managed memory: where it is to be, and who is going to use it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from cuox import _native
from cuox._internal.driver_calls import bindings, call
from cuox._internal.errors import ClosedError
from cuox._native import Buffer, Device, GraphBuilder, Stream

from .copies import listed
from .live_set import LiveSet
from .places import DEVICE, HOST, KINDS, Host, Place, location_of, place_of

__all__ = ["ManagedBuffer", "discard_batch", "discard_prefetch_batch", "prefetch_batch"]

_Location = Device | Host
_ONE = "ManagedBuffer has a method for one"

# CUmem_advise: the advice, and its opposite is the next number.
_READ_MOSTLY, _PREFERRED_LOCATION, _ACCESSED_BY = 1, 3, 5


def _range(user: str, buffer: Buffer) -> tuple[int, int]:
    """Address and size of managed memory."""
    if buffer.is_closed:
        raise ClosedError(f"{user}: the buffer is closed")
    if not buffer.is_managed:
        raise ValueError(f"{user}: expected a managed-memory allocation (ManagedMemoryResource), got other memory")
    return int(buffer.handle), buffer.size


def _advise(user: str, buffer: Buffer, advice: int, place: Place = (DEVICE, 0)) -> None:
    address, size = _range(user, buffer)
    driver = bindings()
    location = driver.CUmemLocation()
    location.type, location.id = driver.CUmemLocationType(place[0]), place[1]
    call("cuMemAdvise", address, size, driver.CUmem_advise(advice), location)


def _attribute(user: str, buffer: Buffer, name: str, size: int = 4) -> Any:
    address, length = _range(user, buffer)
    attribute = getattr(bindings().CUmem_range_attribute, f"CU_MEM_RANGE_ATTRIBUTE_{name}")
    return call("cuMemRangeGetAttribute", size, attribute, address, length)


class AccessedBySet(LiveSet[_Location]):
    """The places that a buffer's memory is mapped at: `ManagedBuffer.accessed_by`. Driver API manual,
    `CU_MEM_ADVISE_SET_ACCESSED_BY`.
    """

    __slots__ = ("_buffer",)
    _USER = "accessed_by"

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer

    def _checked(self, value: Any) -> _Location:
        if not isinstance(value, (Device, Host)):
            raise TypeError(f"accessed_by entries must be Device or Host, got {type(value).__name__}")
        kind = place_of(value)[0]
        if kind not in (DEVICE, HOST):
            raise ValueError(
                f"accessed_by does not support location_type='{KINDS[kind]}': the driver takes Device(n) and Host()"
            )
        return value

    def _members(self) -> set[_Location]:
        # A number for each device and the host; -2 fills up what is left.
        room = len(Device.get_all_devices()) + 1
        numbers = _attribute(self._USER, self._buffer, "ACCESSED_BY", 4 * room)
        listed = numbers if isinstance(numbers, (list, tuple)) else [numbers]
        return {Host() if number == -1 else Device(number) for number in listed if number >= -1}

    def _change(self, added: Set[_Location], removed: Set[_Location]) -> None:
        for location in removed:
            _advise(self._USER, self._buffer, _ACCESSED_BY + 1, place_of(location))
        for location in added:
            _advise(self._USER, self._buffer, _ACCESSED_BY, place_of(location))


class ManagedBuffer(Buffer):
    """Managed memory, which moves between host and devices: with advice on where it is to be.

    `ManagedMemoryResource.allocate` makes it, `ManagedBuffer.from_handle` wraps memory of another library. All that it
    has besides a Buffer raises ValueError for memory that is not managed, and ClosedError.
    """

    @classmethod
    def from_handle(
        cls,
        ptr: int,
        size: int,
        mr: Any = None,
        owner: object | None = None,
        *,
        stream: Any = None,
    ) -> ManagedBuffer:
        """Wrap managed memory of another library; the arguments are those of `Buffer.from_handle`."""
        return _native._buffer_as(cls, Buffer.from_handle(ptr, size, mr, owner, stream=stream))

    @property
    def read_mostly(self) -> bool:
        """True if places that read the memory get copies of their own. Driver API manual,
        `CU_MEM_ADVISE_SET_READ_MOSTLY`.
        """
        return bool(_attribute("read_mostly", self, "READ_MOSTLY"))

    @read_mostly.setter
    def read_mostly(self, value: bool) -> None:
        _advise("read_mostly", self, _READ_MOSTLY if value else _READ_MOSTLY + 1)

    @property
    def preferred_location(self) -> _Location | None:
        """The Device or Host that the memory had better be on; None without advice. Driver API manual,
        `CU_MEM_ADVISE_SET_PREFERRED_LOCATION`.
        """
        kind = int(_attribute("preferred_location", self, "PREFERRED_LOCATION_TYPE"))
        return location_of((kind, int(_attribute("preferred_location", self, "PREFERRED_LOCATION_ID"))))

    @preferred_location.setter
    def preferred_location(self, value: _Location | None) -> None:
        if value is None:
            _advise("preferred_location", self, _PREFERRED_LOCATION + 1)
        else:
            _advise("preferred_location", self, _PREFERRED_LOCATION, place_of(value, "preferred_location"))

    @property
    def accessed_by(self) -> AccessedBySet:
        """The places that the memory stays mapped at: a set, whose changes are advice. Devices and `Host()` only."""
        _range("accessed_by", self)
        return AccessedBySet(self)

    @accessed_by.setter
    def accessed_by(self, locations: Iterable[_Location]) -> None:
        members = self.accessed_by
        if locations is not members:
            members._set({members._checked(location) for location in locations})

    def prefetch(self, location: _Location, *, stream: Stream | GraphBuilder) -> None:
        """Bring the memory to a Device or the Host, in the stream's order. Driver API manual, `cuMemPrefetchAsync`."""
        _native._prefetch_batch("prefetch", _given("prefetch", stream), [self], [place_of(location)], False)

    def discard(self, *, stream: Stream | GraphBuilder) -> None:
        """Give up what is in the memory, in the stream's order: it is to be written before it is read again. Driver API
        manual, `cuMemDiscardBatchAsync`, of CUDA 13.
        """
        _native._prefetch_batch("discard", _given("discard", stream), [self], None, True)

    def discard_prefetch(self, location: _Location, *, stream: Stream | GraphBuilder) -> None:
        """Give up what is in the memory and bring it to a Device or the Host, in the stream's order. Driver API manual,
        `cuMemDiscardAndPrefetchBatchAsync`, of CUDA 13.
        """
        user = "discard_prefetch"
        _native._prefetch_batch(user, _given(user, stream), [self], [place_of(location)], True)


ManagedBuffer.__module__ = "cuox.cuda.core"


def _given(user: str, stream: Any) -> Any:
    if stream is None:
        raise TypeError(f"{user}: stream is missing: pass a Stream or a GraphBuilder")
    return stream


def _batch(user: str, stream: Any, buffers: Any, locations: Any, discard: bool) -> None:
    each = listed(user, "buffers", buffers, _ONE)
    places: list[Place] | None = None
    if not (discard and locations is ...):
        if isinstance(locations, Sequence):
            if len(locations) != len(each):
                raise ValueError(f"{user}: locations has the length {len(locations)}, buffers {len(each)}")
            places = [place_of(location) for location in locations]
        else:
            places = [place_of(locations)] * len(each)
    _native._prefetch_batch(user, _given(user, stream), each, places, discard)


def prefetch_batch(
    stream: Stream | GraphBuilder, buffers: Sequence[Buffer], locations: _Location | Sequence[_Location]
) -> None:
    """Bring several buffers of managed memory to places, in one call of the driver and in the stream's order.

    locations: a Device or Host for all buffers, or a sequence with one for each.

    Raises TypeError for a single buffer, ValueError for other memory and another length, CUDAError. Driver API manual,
    `cuMemPrefetchBatchAsync`.
    """
    _batch("prefetch_batch", stream, buffers, locations, False)


def discard_batch(stream: Stream | GraphBuilder, buffers: Sequence[Buffer]) -> None:
    """Give up what is in several buffers of managed memory, in one call of the driver and in the stream's order.

    Raises as `prefetch_batch` does. Driver API manual, `cuMemDiscardBatchAsync`, of CUDA 13.
    """
    _batch("discard_batch", stream, buffers, ..., True)


def discard_prefetch_batch(
    stream: Stream | GraphBuilder, buffers: Sequence[Buffer], locations: _Location | Sequence[_Location]
) -> None:
    """Give up what is in several buffers of managed memory and bring them to places, in one call of the driver and in
    the stream's order.

    Raises as `prefetch_batch` does. Driver API manual, `cuMemDiscardAndPrefetchBatchAsync`, of CUDA 13.
    """
    _batch("discard_prefetch_batch", stream, buffers, locations, True)
