"""Devices as NVML knows them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuox.cuda.bindings import nvml

from . import _choice
from ._choice import unpack_bitmask as _unpack_bitmask
from ._clocks import (
    REASONS,
    ClockInfo,
    ClockOffsets,
    GpuDynamicPstatesInfo,
    GpuDynamicPstatesUtilization,
    pstate_number,
)
from ._cooling import CoolerInfo, FanInfo, Temperature, ThermalSensor, ThermalSettings
from ._info import (
    BAR1MemoryInfo,
    DeviceAttributes,
    FieldValue,
    FieldValues,
    MemoryInfo,
    PciInfo,
    ProcessInfo,
    RepairStatus,
    Utilization,
)
from ._nvml_context import initialize
from ._parts import EVENTS, DeviceEvents, EventData, InforomInfo, MigInfo, NvlinkInfo
from .typing import (
    AddressingMode,
    AffinityScope,
    ClocksEventReasons,
    ClockType,
    DeviceArch,
    EventType,
    GpuP2PCapsIndex,
    GpuP2PStatus,
    GpuTopologyLevel,
)

if TYPE_CHECKING:
    import cuox

__all__ = ["Device", "NvlinkInfo", "get_p2p_status", "get_topology_common_ancestor"]

# Names that are public in the peer's module of this name.
_ALSO = (
    _unpack_bitmask,
    ClockOffsets,
    GpuDynamicPstatesUtilization,
    ThermalSensor,
    ThermalSettings,
    FieldValue,
    EventData,
)

_ADDRESSING = _choice.Table(
    lambda: {
        AddressingMode.HMM: nvml.DeviceAddressingModeType.DEVICE_ADDRESSING_MODE_HMM,
        AddressingMode.ATS: nvml.DeviceAddressingModeType.DEVICE_ADDRESSING_MODE_ATS,
    }
)
_SCOPES = _choice.Table(lambda: {one: nvml.AffinityScope[one.name] for one in AffinityScope})
_CAPABILITIES = _choice.Table(
    lambda: {one: nvml.GpuP2PCapsIndex[f"P2P_CAPS_INDEX_{one.name}"] for one in GpuP2PCapsIndex}
)
_STATUSES = _choice.Table(lambda: {one: nvml.GpuP2PStatus[f"P2P_STATUS_{one.name}"] for one in GpuP2PStatus})
_LEVELS = _choice.Table(lambda: {one: nvml.GpuTopologyLevel[f"TOPOLOGY_{one.name}"] for one in GpuTopologyLevel})
_BRANDS = _choice.Table(
    lambda: {
        nvml.BrandType.BRAND_QUADRO: "Quadro",
        nvml.BrandType.BRAND_TESLA: "Tesla",
        nvml.BrandType.BRAND_NVS: "NVS",
        nvml.BrandType.BRAND_GRID: "GRID",
        nvml.BrandType.BRAND_GEFORCE: "GeForce",
        nvml.BrandType.BRAND_TITAN: "Titan",
        nvml.BrandType.BRAND_NVIDIA_VAPPS: "NVIDIA vApps",
        nvml.BrandType.BRAND_NVIDIA_VPC: "NVIDIA VPC",
        nvml.BrandType.BRAND_NVIDIA_VCS: "NVIDIA VCS",
        nvml.BrandType.BRAND_NVIDIA_VWS: "NVIDIA VWS",
        nvml.BrandType.BRAND_NVIDIA_CLOUD_GAMING: "NVIDIA Cloud Gaming",
        nvml.BrandType.BRAND_NVIDIA_VGAMING: "NVIDIA vGaming",
        nvml.BrandType.BRAND_QUADRO_RTX: "Quadro RTX",
        nvml.BrandType.BRAND_NVIDIA_RTX: "NVIDIA RTX",
        nvml.BrandType.BRAND_NVIDIA: "NVIDIA",
        nvml.BrandType.BRAND_GEFORCE_RTX: "GeForce RTX",
        nvml.BrandType.BRAND_TITAN_RTX: "Titan RTX",
    }
)


def _enabled(state: int) -> bool:
    return state == nvml.EnableState.FEATURE_ENABLED


def _words() -> int:
    """Words of 64 bits for all of the processor's cores."""
    return -(-(os.cpu_count() or 1) // 64)


class Device:
    """A device as NVML knows it, found by its number, its UUID or its place on the PCI bus. No CUDA context is made.

    Everything raises NvmlError, the class of it for the code: NotSupportedError where there is nothing to tell. Raises
    ValueError if not one of the three is given.
    """

    _handle: int

    def __init__(
        self, *, index: int | None = None, uuid: bytes | str | None = None, pci_bus_id: bytes | str | None = None
    ) -> None:
        given = sum(one is not None for one in (index, uuid, pci_bus_id))
        if given != 1:
            raise ValueError(
                f"Handle requires {'only' if given else 'either a device'} "
                f"{'one of ' if given else ''}`index`, `uuid`, or `pci_bus_id`."
            )
        initialize()
        if index is not None:
            self._handle = nvml.device_get_handle_by_index_v2(index)
        elif uuid is not None:
            self._handle = nvml.device_get_handle_by_uuid(_text(uuid))
        elif pci_bus_id is not None:
            self._handle = nvml.device_get_handle_by_pci_bus_id_v2(_text(pci_bus_id))

    @classmethod
    def _of(cls, handle: int) -> Device:
        made = cls.__new__(cls)
        made._handle = handle
        return made

    @classmethod
    def get_device_count(cls) -> int:
        """Return the number of devices."""
        initialize()
        return nvml.device_get_count_v2()

    @classmethod
    def get_all_devices(cls) -> Iterator[Device]:
        """Return all devices."""
        for index in range(cls.get_device_count()):
            yield cls(index=index)

    @classmethod
    def get_all_devices_with_cpu_affinity(cls, cpu_index: int) -> Iterator[Device]:
        """Return the devices that are near to a core of the processor."""
        initialize()
        for handle in nvml.system_get_topology_gpu_set(cpu_index):
            yield cls._of(handle)

    def to_cuda_device(self) -> cuox.Device:
        """Return the same device for CUDA. Raises RuntimeError if there is none."""
        from cuox import Device as CudaDevice

        for device in CudaDevice.get_all_devices():
            if device.uuid == self.uuid_without_prefix:
                return device
        raise RuntimeError("No corresponding CUDA device found for this NVML device.")

    @property
    def index(self) -> int:
        """The device's number."""
        return nvml.device_get_index(self._handle)

    @property
    def uuid(self) -> str:
        """The UUID, behind `GPU-` or `MIG-`."""
        return nvml.device_get_uuid(self._handle)

    @property
    def uuid_without_prefix(self) -> str:
        """The UUID, as CUDA gives it."""
        return self.uuid[4:]

    @property
    def pci_bus_id(self) -> str:
        """The place on the PCI bus."""
        return self.pci_info.bus_id

    @property
    def numa_node_id(self) -> int:
        """The NUMA node of the device's memory."""
        return nvml.device_get_numa_node_id(self._handle)

    @property
    def arch(self) -> DeviceArch:
        """The architecture."""
        try:
            return DeviceArch(nvml.device_get_architecture(self._handle))
        except ValueError:
            return DeviceArch.UNKNOWN

    @property
    def name(self) -> str:
        """The name."""
        return nvml.device_get_name(self._handle)

    @property
    def brand(self) -> str:
        """The brand, or `Unknown`."""
        return {int(key): name for key, name in _BRANDS.items()}.get(nvml.device_get_brand(self._handle), "Unknown")

    @property
    def serial(self) -> str:
        """The serial number of the board."""
        return nvml.device_get_serial(self._handle)

    @property
    def module_id(self) -> int:
        """The number of the module on its board."""
        return nvml.device_get_module_id(self._handle)

    @property
    def minor_number(self) -> int:
        """The number in the name of the device's file, `/dev/nvidia0`."""
        return nvml.device_get_minor_number(self._handle)

    @property
    def is_c2c_enabled(self) -> bool:
        """True if the device is linked to the processor by NVLink-C2C."""
        return bool(nvml.device_get_c2c_mode_info_v(self._handle).is_c2c_enabled)

    @property
    def is_persistence_mode_enabled(self) -> bool:
        """True if the driver keeps the device ready when nothing uses it."""
        return _enabled(nvml.device_get_persistence_mode(self._handle))

    @is_persistence_mode_enabled.setter
    def is_persistence_mode_enabled(self, enabled: bool) -> None:
        state = nvml.EnableState.FEATURE_ENABLED if enabled else nvml.EnableState.FEATURE_DISABLED
        nvml.device_set_persistence_mode(self._handle, state)

    @property
    def cuda_compute_capability(self) -> tuple[int, int]:
        """The compute capability: major, minor."""
        return nvml.device_get_cuda_compute_capability(self._handle)

    @property
    def addressing_mode(self) -> AddressingMode | None:
        """How the device reaches memory that the system has allocated; None if it does not."""
        return _choice.inverted(_ADDRESSING).get(nvml.device_get_addressing_mode(self._handle).value)

    @property
    def mig(self) -> MigInfo:
        """The parts of a divided device."""
        return MigInfo(self)

    def get_memory_affinity(self, scope: AffinityScope | str = AffinityScope.NODE) -> list[int]:
        """Return the NUMA nodes that are near. Raises ValueError."""
        asked = _choice.number(_SCOPES, scope, "affinity scope")
        return _unpack_bitmask(nvml.device_get_memory_affinity(self._handle, _words(), asked))

    def get_cpu_affinity(self, scope: AffinityScope | str = AffinityScope.NODE) -> list[int]:
        """Return the processor's cores that are near. Raises ValueError."""
        asked = _choice.number(_SCOPES, scope, "affinity scope")
        return _unpack_bitmask(nvml.device_get_cpu_affinity_within_scope(self._handle, _words(), asked))

    def set_cpu_affinity(self) -> None:
        """Let the calling thread run on the cores that are near."""
        nvml.device_set_cpu_affinity(self._handle)

    def clear_cpu_affinity(self) -> None:
        """Let the calling thread run on all cores."""
        nvml.device_clear_cpu_affinity(self._handle)

    def get_clock(self, clock_type: ClockType | str) -> ClockInfo:
        """Return a clock. Raises ValueError."""
        return ClockInfo(self._handle, clock_type)

    @property
    def is_auto_boosted_clocks_enabled(self) -> tuple[bool, bool]:
        """True if clocks are raised by themselves, now and by default."""
        current, default = nvml.device_get_auto_boosted_clocks_enabled(self._handle)
        return _enabled(current), _enabled(default)

    @property
    def current_clock_event_reasons(self) -> list[ClocksEventReasons]:
        """Why clocks are slower than they could be."""
        return _choice.members(
            REASONS, nvml.device_get_current_clocks_event_reasons(self._handle), "clock event reason"
        )

    @property
    def supported_clock_event_reasons(self) -> list[ClocksEventReasons]:
        """The reasons that the device tells."""
        return _choice.members(
            REASONS, nvml.device_get_supported_clocks_event_reasons(self._handle), "clock event reason"
        )

    @property
    def cooler(self) -> CoolerInfo:
        """The cooler."""
        return CoolerInfo(nvml.device_get_cooler_info(self._handle))

    @property
    def attributes(self) -> DeviceAttributes:
        """Numbers of the device's parts."""
        return DeviceAttributes(nvml.device_get_attributes_v2(self._handle))

    @property
    def is_display_connected(self) -> bool:
        """True if a display is connected."""
        return _enabled(nvml.device_get_display_mode(self._handle))

    @property
    def is_display_active(self) -> bool:
        """True if a display is in use."""
        return _enabled(nvml.device_get_display_active(self._handle))

    def register_events(self, events: EventType | str | list[EventType | str]) -> DeviceEvents:
        """Record events from now on; Linux only. Raises TypeError, ValueError."""
        return DeviceEvents(self._handle, events)

    def get_supported_event_types(self) -> list[EventType]:
        """Return the events that the device has."""
        return _choice.members(EVENTS, nvml.device_get_supported_event_types(self._handle), "event type")

    def get_fan(self, fan: int = 0) -> FanInfo:
        """Return a fan. Raises ValueError if there is none of that number."""
        if not 0 <= fan < self.num_fans:
            raise ValueError(f"Fan index {fan} is out of range [0, {self.num_fans})")
        return FanInfo(self._handle, fan)

    @property
    def num_fans(self) -> int:
        """The number of fans."""
        return nvml.device_get_num_fans(self._handle)

    def get_field_values(self, field_ids: list[int | tuple[int, int]]) -> FieldValues:
        """Return the values of fields: members of `FieldId`, or pairs of one and a scope."""
        return FieldValues(nvml.device_get_field_values(self._handle, field_ids))

    def clear_field_values(self, field_ids: list[int | tuple[int, int]]) -> None:
        """Set the values of fields to zero."""
        nvml.device_clear_field_values(self._handle, field_ids)

    @property
    def inforom(self) -> InforomInfo:
        """What is in the InfoROM."""
        return InforomInfo(self)

    @property
    def bar1_memory_info(self) -> BAR1MemoryInfo:
        """Memory of BAR1."""
        return BAR1MemoryInfo(nvml.device_get_bar1_memory_info(self._handle))

    @property
    def memory_info(self) -> MemoryInfo:
        """Memory."""
        return MemoryInfo(nvml.device_get_memory_info_v2(self._handle))

    def get_nvlink(self, link: int) -> NvlinkInfo:
        """Return a link of NVLink. Raises ValueError if there is none of that number."""
        count = self.get_nvlink_count()
        if not 0 <= link < count:
            raise ValueError(f"Link index {link} is out of range [0, {count})")
        return NvlinkInfo(self, link)

    def get_nvlink_count(self) -> int:
        """Return the number of links of NVLink."""
        return int(self.get_field_values([nvml.FieldId.DEV_NVLINK_LINK_COUNT])[0].value)

    def get_nvlinks(self) -> Iterator[NvlinkInfo]:
        """Return all links of NVLink."""
        for link in range(self.get_nvlink_count()):
            yield NvlinkInfo(self, link)

    @property
    def pci_info(self) -> PciInfo:
        """The place on the PCI bus. Raises RuntimeError if the device is not on one."""
        try:
            return PciInfo(nvml.device_get_pci_info_ext(self._handle), self._handle)
        except nvml.InvalidArgumentError:
            raise RuntimeError("This device does not have PCI attributes") from None

    @property
    def performance_state(self) -> int | None:
        """The performance state, 0 (fastest) to 15; None if it is not known."""
        return pstate_number(nvml.device_get_performance_state(self._handle))

    @property
    def dynamic_pstates_info(self) -> GpuDynamicPstatesInfo:
        """How busy the device's parts are."""
        return GpuDynamicPstatesInfo(nvml.device_get_dynamic_pstates_info(self._handle))

    @property
    def supported_pstates(self) -> list[int]:
        """The performance states that the device has."""
        states = map(pstate_number, nvml.device_get_supported_performance_states(self._handle))
        return [state for state in states if state is not None]

    @property
    def compute_running_processes(self) -> list[ProcessInfo]:
        """The processes that compute on the device; on the software GPU this process alone."""
        found = nvml.device_get_compute_running_processes_v3(self._handle)
        return [ProcessInfo(self, found[at]) for at in range(len(found))]

    @property
    def repair_status(self) -> RepairStatus:
        """Whether parts are going to be repaired."""
        return RepairStatus(self._handle)

    @property
    def temperature(self) -> Temperature:
        """Temperatures."""
        return Temperature(self._handle)

    def get_topology_nearest_gpus(self, level: GpuTopologyLevel | str) -> Iterator[Device]:
        """Return the devices that have this in common with the device. Raises ValueError."""
        asked = _choice.number(_LEVELS, level, "topology level")
        for handle in nvml.device_get_topology_nearest_gpus(self._handle, asked):
            yield self._of(handle)

    @property
    def utilization(self) -> Utilization:
        """How busy the device is."""
        return Utilization(nvml.device_get_utilization_rates(self._handle))


def of_cuda_device(device: cuox.Device) -> Device:
    """Return the device that CUDA has under the same UUID. Raises NvmlError."""
    return Device(uuid=f"GPU-{device.uuid}")


def _text(value: bytes | str) -> str:
    return value.decode("ascii") if isinstance(value, bytes) else value


def get_topology_common_ancestor(device1: Device, device2: Device) -> GpuTopologyLevel:
    """Return what two devices have in common. Raises NvmlError."""
    level = nvml.device_get_topology_common_ancestor(device1._handle, device2._handle)
    return _choice.inverted(_LEVELS)[level]


def get_p2p_status(device1: Device, device2: Device, index: GpuP2PCapsIndex | str) -> GpuP2PStatus:
    """Return whether a device can do something with another one's memory. Raises ValueError, NvmlError."""
    asked = _choice.number(_CAPABILITIES, index, "P2P caps index")
    status = nvml.device_get_p2p_status(device1._handle, device2._handle, asked)
    return _choice.inverted(_STATUSES).get(status, GpuP2PStatus.UNKNOWN)
