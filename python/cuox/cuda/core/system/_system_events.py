"""Events of the system."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from cuox.cuda.bindings import nvml

from . import _choice
from ._nvml_context import initialize
from .typing import SystemEventType

if TYPE_CHECKING:
    from ._device import Device

__all__ = ["register_events"]

_TYPES = _choice.Table(
    lambda: {
        SystemEventType.UNBIND: nvml.SystemEventType.GPU_DRIVER_UNBIND,
        SystemEventType.BIND: nvml.SystemEventType.GPU_DRIVER_BIND,
    }
)


class SystemEvent:
    """An event."""

    def __init__(self, event_data: nvml.SystemEventData_v1) -> None:
        self._event_data = event_data

    @property
    def event_type(self) -> SystemEventType:
        """What happened."""
        return _choice.inverted(_TYPES)[self._event_data.event_type]

    @property
    def gpu_id(self) -> int:
        """The device's number in the form of PCI."""
        return int(self._event_data.gpu_id)

    @property
    def device(self) -> Device:
        """The device. Raises NvmlError if it is not there."""
        from ._device import Device

        return Device(pci_bus_id=str(self.gpu_id))


class SystemEvents:
    """Events that have happened."""

    def __init__(self, event_data: nvml.SystemEventData_v1) -> None:
        self._event_data = event_data

    def __len__(self) -> int:
        return len(self._event_data)

    def __getitem__(self, idx: int) -> SystemEvent:
        return SystemEvent(self._event_data[idx])


class RegisteredSystemEvents:
    """Events that can be waited for."""

    _event_set = 0

    def __init__(self, events: SystemEventType | str | list[SystemEventType | str]) -> None:
        bits = _choice.mask(_TYPES, events, SystemEventType)
        initialize()
        self._event_set = nvml.system_event_set_create()
        nvml.system_register_events(bits, self._event_set)

    def __del__(self) -> None:
        if self._event_set:
            with contextlib.suppress(nvml.NvmlError):
                nvml.system_event_set_free(self._event_set)

    def wait(self, timeout_ms: int = 0, buffer_size: int = 1) -> SystemEvents:
        """Wait for events, at most so many milliseconds, and return at most so many. Raises TimeoutError if none
        happens, NvmlError.
        """
        return SystemEvents(nvml.system_event_set_wait(self._event_set, timeout_ms, buffer_size))


def register_events(events: SystemEventType | str | list[SystemEventType | str]) -> RegisteredSystemEvents:
    """Record events of the system from now on; Linux only. Raises TypeError, ValueError, NvmlError."""
    return RegisteredSystemEvents(events)
