"""What a device says of itself: attributes, memory, fields, processes, its place on the PCI bus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuox.cuda.bindings import nvml

if TYPE_CHECKING:
    from ._device import Device
    from .typing import FieldId


class DeviceAttributes:
    """Numbers of the parts of a device."""

    def __init__(self, attributes: nvml.DeviceAttributes) -> None:
        self._attributes = attributes

    @property
    def multiprocessor_count(self) -> int:
        """The number of multiprocessors."""
        return self._attributes.multiprocessor_count

    @property
    def shared_copy_engine_count(self) -> int:
        """The number of shared copy engines."""
        return self._attributes.shared_copy_engine_count

    @property
    def shared_decoder_count(self) -> int:
        """The number of shared decoders."""
        return self._attributes.shared_decoder_count

    @property
    def shared_encoder_count(self) -> int:
        """The number of shared encoders."""
        return self._attributes.shared_encoder_count

    @property
    def shared_jpeg_count(self) -> int:
        """The number of shared JPEG engines."""
        return self._attributes.shared_jpeg_count

    @property
    def shared_ofa_count(self) -> int:
        """The number of shared OFA engines."""
        return self._attributes.shared_ofa_count

    @property
    def gpu_instance_slice_count(self) -> int:
        """The number of slices of GPU instances."""
        return self._attributes.gpu_instance_slice_count

    @property
    def compute_instance_slice_count(self) -> int:
        """The number of slices of compute instances."""
        return self._attributes.compute_instance_slice_count

    @property
    def memory_size_mb(self) -> int:
        """The size of the memory in MiB."""
        return self._attributes.memory_size_mb


class MemoryInfo:
    """Memory in bytes."""

    def __init__(self, memory_info: nvml.Memory_v2) -> None:
        self._memory_info: Any = memory_info

    @property
    def free(self) -> int:
        """Bytes that are free."""
        return int(self._memory_info.free)

    @property
    def total(self) -> int:
        """All bytes."""
        return int(self._memory_info.total)

    @property
    def used(self) -> int:
        """Bytes in use."""
        return int(self._memory_info.used)

    @property
    def reserved(self) -> int:
        """Bytes that the driver keeps for itself."""
        return int(self._memory_info.reserved)


class BAR1MemoryInfo(MemoryInfo):
    """Memory of BAR1, through which the host reaches the device's, in bytes."""

    def __init__(self, memory_info: nvml.BAR1Memory) -> None:
        self._memory_info = memory_info

    @property
    def free(self) -> int:
        """Bytes that are free."""
        return int(self._memory_info.bar1_free)

    @property
    def total(self) -> int:
        """All bytes."""
        return int(self._memory_info.bar1_total)

    @property
    def used(self) -> int:
        """Bytes in use."""
        return int(self._memory_info.bar1_used)


class FieldValue:
    """The value of a field."""

    def __init__(self, field_value: nvml.FieldValue) -> None:
        self._field_value = field_value

    @property
    def field_id(self) -> FieldId:
        """The field."""
        return nvml.FieldId(self._field_value.field_id)

    @property
    def scope_id(self) -> int:
        """The part of the device."""
        return int(self._field_value.scope_id)

    @property
    def timestamp(self) -> int:
        """The time of the value in microseconds since 1970."""
        return int(self._field_value.timestamp)

    @property
    def latency_usec(self) -> int:
        """The time in microseconds that it took to get the value."""
        return int(self._field_value.latency_usec)

    @property
    def value(self) -> int | float:
        """The value. Raises NvmlError if there is none."""
        nvml.check_status(self._field_value.nvml_return)
        kinds = nvml.ValueType
        names = {
            kinds.DOUBLE: "d_val",
            kinds.UNSIGNED_INT: "ui_val",
            # 64 bits on Linux; the record has 32 of them under `ul_val`.
            kinds.UNSIGNED_LONG: "ull_val",
            kinds.UNSIGNED_LONG_LONG: "ull_val",
            kinds.SIGNED_LONG_LONG: "sll_val",
            kinds.SIGNED_INT: "si_val",
            kinds.UNSIGNED_SHORT: "us_val",
        }
        value: int | float = self._field_value.value[names[kinds(self._field_value.value_type)]][0].item()
        return value


class FieldValues:
    """The values of fields."""

    def __init__(self, field_values: nvml.FieldValue) -> None:
        self._field_values = field_values

    def __getitem__(self, idx: int) -> FieldValue:
        return FieldValue(self._field_values[idx])

    def __len__(self) -> int:
        return len(self._field_values)

    def validate(self) -> None:
        """Raise NvmlError for the first value that there is not."""
        for at in range(len(self)):
            nvml.check_status(self._field_values[at].nvml_return)

    def get_all_values(self) -> list[int | float]:
        """The values. Raises NvmlError for the first one that there is not."""
        return [self[at].value for at in range(len(self))]


class PciInfo:
    """A device's place on the PCI bus. What asks the device raises NvmlError."""

    def __init__(self, pci_info_ext: nvml.PciInfoExt_v1, handle: int) -> None:
        self._pci_info_ext = pci_info_ext
        self._handle = handle

    @property
    def bus(self) -> int:
        """The bus."""
        return self._pci_info_ext.bus

    @property
    def bus_id(self) -> str:
        """Domain, bus, device and function as a text."""
        return str(self._pci_info_ext.bus_id)

    @property
    def device(self) -> int:
        """The device on the bus."""
        return self._pci_info_ext.device_

    @property
    def domain(self) -> int:
        """The domain."""
        return self._pci_info_ext.domain

    @property
    def vendor_id(self) -> int:
        """The vendor."""
        return self._pci_info_ext.pci_device_id & 0xFFFF

    @property
    def device_id(self) -> int:
        """The vendor's number of the device."""
        return self._pci_info_ext.pci_device_id >> 16

    @property
    def subsystem_id(self) -> int:
        """The subsystem."""
        return self._pci_info_ext.pci_sub_system_id

    @property
    def base_class(self) -> int:
        """The class."""
        return self._pci_info_ext.base_class

    @property
    def sub_class(self) -> int:
        """The class inside of the class."""
        return self._pci_info_ext.sub_class

    @property
    def link_generation(self) -> int:
        """The newest generation of links that device and system have."""
        return nvml.device_get_max_pcie_link_generation(self._handle)

    @property
    def max_link_generation(self) -> int:
        """The newest generation of links that the device has."""
        return nvml.device_get_gpu_max_pcie_link_generation(self._handle)

    @property
    def max_link_width(self) -> int:
        """The largest width of the link."""
        return nvml.device_get_max_pcie_link_width(self._handle)

    @property
    def current_link_generation(self) -> int:
        """The generation of the link now."""
        return nvml.device_get_curr_pcie_link_generation(self._handle)

    @property
    def current_link_width(self) -> int:
        """The width of the link now."""
        return nvml.device_get_curr_pcie_link_width(self._handle)

    @property
    def rx_throughput(self) -> int:
        """KB per second that are received."""
        return nvml.device_get_pcie_throughput(self._handle, nvml.PcieUtilCounter.PCIE_UTIL_RX_BYTES)

    @property
    def tx_throughput(self) -> int:
        """KB per second that are sent."""
        return nvml.device_get_pcie_throughput(self._handle, nvml.PcieUtilCounter.PCIE_UTIL_TX_BYTES)

    @property
    def replay_counter(self) -> int:
        """How often something was sent again."""
        return nvml.device_get_pcie_replay_counter(self._handle)


class ProcessInfo:
    """A process that computes on a device."""

    def __init__(self, device: Device, process_info: nvml.ProcessInfo) -> None:
        self._device = device
        self._process_info = process_info

    @property
    def pid(self) -> int:
        """The process."""
        return int(self._process_info.pid)

    @property
    def used_gpu_memory(self) -> int:
        """Bytes of the device's memory that it uses."""
        return int(self._process_info.used_gpu_memory)

    def _of_mig(self, number: int) -> int:
        if not self._device.mig.is_mig_device:
            raise nvml.NotSupportedError(nvml.Return.ERROR_NOT_SUPPORTED)
        return number

    @property
    def gpu_instance_id(self) -> int:
        """The GPU instance, on MIG devices. Raises NotSupportedError on others."""
        return self._of_mig(int(self._process_info.gpu_instance_id))

    @property
    def compute_instance_id(self) -> int:
        """The compute instance, on MIG devices. Raises NotSupportedError on others."""
        return self._of_mig(int(self._process_info.compute_instance_id))


class RepairStatus:
    """Whether parts of the device are going to be repaired. Raises NvmlError."""

    def __init__(self, handle: int) -> None:
        self._repair_status = nvml.device_get_repair_status(handle)

    @property
    def channel_repair_pending(self) -> bool:
        """True if a channel is."""
        return bool(self._repair_status.b_channel_repair_pending)

    @property
    def tpc_repair_pending(self) -> bool:
        """True if a TPC is."""
        return bool(self._repair_status.b_tpc_repair_pending)


class Utilization:
    """How busy a device is, in percent of the last moments."""

    def __init__(self, utilization: nvml.Utilization) -> None:
        self._utilization = utilization

    @property
    def gpu(self) -> int:
        """The time in which a kernel ran."""
        return self._utilization.gpu

    @property
    def memory(self) -> int:
        """The time in which memory was read or written."""
        return self._utilization.memory
