"""Parts of a device: MIG, NVLink, the InfoROM; and its events."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuox.cuda.bindings import nvml

from . import _choice
from .typing import EventType, InforomObject

if TYPE_CHECKING:
    from ._device import Device

EVENTS = _choice.Table(lambda: {one: nvml.EventType[one.name] for one in EventType})
_INFOROM = _choice.Table(lambda: {one: nvml.InforomObject[f"INFOROM_{one.name}"] for one in InforomObject})
_VERSIONS = _choice.Table(
    lambda: {
        int(getattr(nvml.NvlinkVersion, f"VERSION_{major}_{minor}")): (major, minor)
        for major, minor in ((1, 0), (2, 0), (2, 2), (3, 0), (3, 1), (4, 0), (5, 0))
    }
)


class MigInfo:
    """What of a device is divided (MIG). Everything raises NvmlError."""

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def is_mig_device(self) -> bool:
        """True if the device is a part of one."""
        return bool(nvml.device_is_mig_device_handle(self._device._handle))

    @property
    def mode(self) -> bool:
        """True if the device is divided."""
        return nvml.device_get_mig_mode(self._device._handle)[0] == nvml.EnableState.FEATURE_ENABLED

    @mode.setter
    def mode(self, mode: bool) -> None:
        state = nvml.EnableState.FEATURE_ENABLED if mode else nvml.EnableState.FEATURE_DISABLED
        nvml.device_set_mig_mode(self._device._handle, state)

    @property
    def pending_mode(self) -> bool:
        """True if the device is going to be divided when it is reset."""
        return nvml.device_get_mig_mode(self._device._handle)[1] == nvml.EnableState.FEATURE_ENABLED

    @property
    def device_count(self) -> int:
        """The largest number of parts."""
        return nvml.device_get_max_mig_device_count(self._device._handle)

    @property
    def parent(self) -> Device:
        """The device that this one is a part of."""
        handle = nvml.device_get_device_handle_from_mig_device_handle(self._device._handle)
        return self._device._of(handle)

    def get_device_by_index(self, index: int) -> Device:
        """A part."""
        return self._device._of(nvml.device_get_mig_device_handle_by_index(self._device._handle, index))

    def get_all_devices(self) -> Iterator[Device]:
        """The parts that there are."""
        for index in range(self.device_count):
            with contextlib.suppress(nvml.NotFoundError):
                yield self.get_device_by_index(index)


class _WithLinks(type):
    @property
    def max_links(cls) -> int:
        warnings.warn(
            "The `max_links` property is deprecated and will be removed in a future release. "
            "Use `Device.get_nvlink_count` instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        return nvml.NVLINK_MAX_LINKS


class NvlinkInfo(metaclass=_WithLinks):
    """A link of NVLink. Everything raises NvmlError."""

    def __init__(self, device: Device, link: int) -> None:
        self._device = device
        self._link = link

    @property
    def version(self) -> tuple[int, int]:
        """The version. Raises RuntimeError if it is not known."""
        version = nvml.device_get_nvlink_version(self._device._handle, self._link)
        if version not in _VERSIONS:
            raise RuntimeError(f"Unknown NvLink version {version} returned for device")
        return _VERSIONS[version]

    @property
    def state(self) -> bool:
        """True if the link is in use."""
        state = nvml.device_get_nvlink_state(self._device._handle, self._link)
        return state == nvml.EnableState.FEATURE_ENABLED


class InforomInfo:
    """What is in a device's InfoROM. Everything raises NvmlError."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def get_version(self, inforom: InforomObject | str) -> str:
        """The version of an object. Raises ValueError."""
        asked = _choice.number(_INFOROM, inforom, "InfoROM object")
        return nvml.device_get_inforom_version(self._device._handle, asked)

    @property
    def image_version(self) -> str:
        """The version of the image."""
        return nvml.device_get_inforom_image_version(self._device._handle)

    @property
    def configuration_checksum(self) -> int:
        """The checksum of the configuration."""
        return nvml.device_get_inforom_configuration_checksum(self._device._handle)

    def validate(self) -> None:
        """Read all of it, and raise CorruptedInforomError if it is damaged."""
        nvml.device_validate_inforom(self._device._handle)

    @property
    def bbx_flush_time(self) -> tuple[int, int]:
        """The time of the last flush of the black box, and how long it took, in microseconds."""
        return nvml.device_get_last_bbx_flush_time(self._device._handle)

    @property
    def board_part_number(self) -> str:
        """The board's part number."""
        return nvml.device_get_board_part_number(self._device._handle)


class EventData:
    """An event of a device."""

    def __init__(self, event_data: nvml.EventData) -> None:
        self._event_data = event_data

    @property
    def device(self) -> Device:
        """The device."""
        from ._device import Device

        return Device._of(self._event_data.device_)

    @property
    def event_type(self) -> EventType:
        """What happened."""
        return _choice.inverted(EVENTS)[self._event_data.event_type]

    def _of_xid(self, key: str) -> int:
        if self._event_data.event_type != nvml.EventType.XID_CRITICAL_ERROR:
            raise ValueError(f"{key} is only available for Xid critical error events.")
        return int(getattr(self._event_data, key))

    @property
    def event_data(self) -> int:
        """The error's number. Raises ValueError for events that are no errors with a number."""
        return self._of_xid("event_data")

    @property
    def gpu_instance_id(self) -> int:
        """The GPU instance. Raises ValueError for events that are no errors with a number."""
        return self._of_xid("gpu_instance_id")

    @property
    def compute_instance_id(self) -> int:
        """The compute instance. Raises ValueError for events that are no errors with a number."""
        return self._of_xid("compute_instance_id")


class DeviceEvents:
    """Events of a device that can be waited for."""

    _event_set = 0

    def __init__(self, device_handle: int, events: EventType | str | list[EventType | str]) -> None:
        bits = _choice.mask(EVENTS, events, EventType)
        self._device_handle = device_handle
        self._event_set = nvml.event_set_create()
        nvml.device_register_events(device_handle, bits, self._event_set)

    def __del__(self) -> None:
        if self._event_set:
            with contextlib.suppress(nvml.NvmlError):
                nvml.event_set_free(self._event_set)

    def wait(self, timeout_ms: int = 0) -> EventData:
        """Wait for an event, at most so many milliseconds. Raises TimeoutError if none happens, NvmlError."""
        return EventData(nvml.event_set_wait_v2(self._event_set, timeout_ms))
