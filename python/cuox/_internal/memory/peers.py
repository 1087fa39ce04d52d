"""The devices that reach the memory of another device's pool."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

from cuox._native import Device, DeviceMemoryResource

from .live_set import LiveSet


class PeerAccessibleBySet(LiveSet[Device]):
    """The devices, besides its own, that read and write a pool's memory: `DeviceMemoryResource.peer_accessible_by`. It
    takes devices and their numbers; the pool's own device is passed over. Driver API manual, `cuMemPoolSetAccess`.
    """

    __slots__ = ("_resource",)

    def __init__(self, resource: DeviceMemoryResource) -> None:
        self._resource = resource

    def _checked(self, value: Any) -> Device:
        return value if isinstance(value, Device) else Device(value)

    def _own(self, devices: Iterable[Device]) -> set[Device]:
        return {device for device in devices if device.device_id != self._resource.device_id}

    def _members(self) -> set[Device]:
        return {
            device for device in self._own(Device.get_all_devices()) if self._resource._has_access(device.device_id)
        }

    def _set(self, wanted: set[Device]) -> None:
        super()._set(self._own(wanted))

    def _change(self, added: Set[Device], removed: Set[Device]) -> None:
        owner = self._resource.device
        for device in added:
            if not device.can_access_peer(owner):
                raise ValueError(f"device {device.device_id} cannot access memory of device {owner.device_id}")
        changes = [(device.device_id, True) for device in added] + [(device.device_id, False) for device in removed]
        self._resource._set_access(changes)


def replace(resource: DeviceMemoryResource, devices: Iterable[Any]) -> None:
    """Make the devices that reach a pool's memory these."""
    members = PeerAccessibleBySet(resource)
    members._set({members._checked(device) for device in devices})
