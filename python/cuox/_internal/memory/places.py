"""The places of managed memory: a `Device`, or the `Host`."""

from __future__ import annotations

from typing import Any

from cuox._native import Device

__all__ = ["Host"]

# CUmemLocationType.
DEVICE, HOST, HOST_NUMA, HOST_NUMA_CURRENT = 1, 2, 3, 4
KINDS = {DEVICE: "device", HOST: "host", HOST_NUMA: "host_numa", HOST_NUMA_CURRENT: "host_numa_current"}

Place = tuple[int, int]
"""A `CUmemLocation`: its type and its id."""


class Host:
    """The host as a place of managed memory.

    `Host()` is any of its NUMA nodes, `Host(numa_id=n)` node n, `Host.numa_current()` the node of the calling thread.
    The same arguments give the same object.

    Raises ValueError for a number that is no node's, and for both arguments.
    """

    __slots__ = ("__weakref__", "_is_numa_current", "_numa_id")
    _numa_id: int | None
    _is_numa_current: bool

    def __new__(cls, numa_id: int | None = None, *, is_numa_current: bool = False) -> Host:
        if is_numa_current and numa_id is not None:
            raise ValueError("numa_id and is_numa_current are mutually exclusive")
        if numa_id is not None and (type(numa_id) is bool or not isinstance(numa_id, int) or numa_id < 0):
            raise ValueError(f"numa_id must be a non-negative int, got {numa_id!r}")
        made = super().__new__(cls)
        made._numa_id, made._is_numa_current = numa_id, bool(is_numa_current)
        # One call, so that two threads get one object.
        return _HOSTS.setdefault((cls, numa_id, made._is_numa_current), made)

    @classmethod
    def numa_current(cls) -> Host:
        """Return the NUMA node of the calling thread, whichever that is when it is used."""
        return cls(is_numa_current=True)

    @property
    def numa_id(self) -> int | None:
        """The number of the NUMA node; None for any."""
        return self._numa_id

    @property
    def is_numa_current(self) -> bool:
        """True for the NUMA node of the calling thread."""
        return self._is_numa_current

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, Host) else NotImplemented

    def __hash__(self) -> int:
        return hash((Host, self._numa_id, self._is_numa_current))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._is_numa_current:
            return Host.numa_current, ()
        return Host, (self._numa_id,)

    def __repr__(self) -> str:
        if self._is_numa_current:
            return "Host.numa_current()"
        return "Host()" if self._numa_id is None else f"Host(numa_id={self._numa_id})"


_HOSTS: dict[tuple[type, int | None, bool], Host] = {}
Host.__module__ = "cuox.cuda.core"


def place_of(location: object, what: str = "location") -> Place:
    """Return the driver's numbers of a place. Raises ValueError for None, TypeError for other objects."""
    if isinstance(location, Device):
        return DEVICE, location.device_id
    if isinstance(location, Host):
        if location.is_numa_current:
            return HOST_NUMA_CURRENT, 0
        return (HOST, 0) if location.numa_id is None else (HOST_NUMA, location.numa_id)
    if location is None:
        raise ValueError(f"{what} is required: a Device or a Host")
    raise TypeError(f"{what} must be a Device, Host, or None; got {type(location).__name__}")


def location_of(place: Place) -> Device | Host | None:
    """Return the object of a place that the driver tells; None for no place."""
    kind, number = place
    if kind == DEVICE:
        return Device(number)
    if kind == HOST_NUMA:
        return Host(numa_id=number)
    return Host() if kind in (HOST, HOST_NUMA_CURRENT) else None
