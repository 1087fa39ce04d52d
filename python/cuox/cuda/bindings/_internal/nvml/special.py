"""Functions whose parameters or results in Python are parts of a record of C's."""

from __future__ import annotations

import array
import ctypes
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from . import records
from .calls import Made, bits, call, check_status_size, one, status_of
from .enumerations import UUIDType
from .record import Record, RecordArray, layout

Several = TypeVar("Several", bound=RecordArray)

__all__ = [
    "device_clear_field_values",
    "device_get_clock_offsets",
    "device_get_conf_compute_gpu_attestation_report",
    "device_get_cpu_affinity",
    "device_get_cpu_affinity_within_scope",
    "device_get_dram_encryption_mode",
    "device_get_fan_speed_rpm",
    "device_get_field_values",
    "device_get_gpu_instance_possible_placements_v2",
    "device_get_gpu_instance_profile_info_by_id_v",
    "device_get_gpu_instance_profile_info_v",
    "device_get_gsp_firmware_version",
    "device_get_handle_by_uuidv",
    "device_get_hostname_v1",
    "device_get_memory_affinity",
    "device_get_process_utilization",
    "device_get_processes_utilization_info",
    "device_get_running_process_detail_list",
    "device_get_samples",
    "device_get_sram_unique_uncorrected_ecc_error_counts",
    "device_get_supported_performance_states",
    "device_get_temperature_v",
    "device_get_topology_nearest_gpus",
    "device_read_write_prm_v1",
    "device_set_hostname_v1",
    "device_set_nvlink_device_low_power_threshold",
    "device_set_power_management_limit_v2",
    "event_set_wait_v2",
    "get_vgpu_version",
    "gpu_instance_get_compute_instance_possible_placements",
    "system_event_set_create",
    "system_event_set_free",
    "system_event_set_wait",
    "system_get_driver_branch",
    "system_register_events",
    "vgpu_instance_get_vm_id",
    "vgpu_type_get_max_instances_per_gpu_instance",
]


def _filled(size: int, version: int, /, **fields: tuple[str, int, Any]) -> Record:
    """A record of so many bytes that begins with its version, with these fields: format, place and value."""
    shape = layout(size, ("version", "u4", 0), *((key, kind, at) for key, (kind, at, _) in fields.items()))
    made = Record._view(np.zeros(1, shape))
    made._data["version"] = size | version << 24
    for key, (_, _, value) in fields.items():
        made._data[key] = value
    return made


def _read(made: Record, key: str) -> int:
    return int(made._data[key][0])


def _versioned(kind: type[Made]) -> Made:
    made = kind()
    made._data["version"] = kind._version
    return made


# -- fields --


def _field_values(values: Any) -> records.FieldValue:
    if isinstance(values, records.FieldValue):
        return values
    made = records.FieldValue(len(values))
    for at, value in enumerate(values):
        field, scope = value if isinstance(value, tuple) else (value, 0)
        made[at].field_id, made[at].scope_id = int(field), int(scope)
    return made


def device_get_field_values(
    device: int, values: records.FieldValue | Sequence[int | tuple[int, int]]
) -> records.FieldValue:
    """Ask for the values of fields: members of `FieldId`, or pairs of one and a scope. Each value has a status.

    `nvmlDeviceGetFieldValues` of C. Raises NvmlError.
    """
    made = _field_values(values)
    if len(made):
        call("nvmlDeviceGetFieldValues", "P i @", device, len(made), made)
    return made


def device_clear_field_values(
    device: int, values: records.FieldValue | Sequence[int | tuple[int, int]]
) -> records.FieldValue:
    """Clear the values of fields, as `device_get_field_values` takes them.

    `nvmlDeviceClearFieldValues` of C. Raises NvmlError.
    """
    made = _field_values(values)
    if len(made):
        call("nvmlDeviceClearFieldValues", "P i @", device, len(made), made)
    return made


# -- the system --


def system_get_driver_branch() -> str:
    """Return the branch of the driver.

    `nvmlSystemGetDriverBranch` of C. Raises NvmlError.
    """
    made = _filled(84, 1)
    call("nvmlSystemGetDriverBranch", "@ I", made, 80)
    return ctypes.string_at(made.ptr + 4).decode(errors="replace")


def system_event_set_create() -> int:
    """Create a set of events of the system, and return its handle.

    `nvmlSystemEventSetCreate` of C. Raises NvmlError.
    """
    made = _filled(16, 1, set=("u8", 8, 0))
    call("nvmlSystemEventSetCreate", "@", made)
    return _read(made, "set")


def system_event_set_free(event_set: int) -> None:
    """Free a set of events of the system.

    `nvmlSystemEventSetFree` of C. Raises NvmlError.
    """
    call("nvmlSystemEventSetFree", "@", _filled(16, 1, set=("u8", 8, event_set)))


def system_register_events(event_types: int, event_set: int) -> None:
    """Add events, members of `SystemEventType`, to a set.

    `nvmlSystemRegisterEvents` of C. Raises NvmlError.
    """
    made = _filled(24, 1, types=("u8", 8, event_types), set=("u8", 16, event_set))
    call("nvmlSystemRegisterEvents", "@", made)


def system_event_set_wait(event_set: int, timeout_ms: int, buffer_size: int) -> records.SystemEventData_v1:
    """Wait until an event of a set happens, or so many milliseconds, and return at most so many events.

    `nvmlSystemEventSetWait` of C. Raises NvmlError.
    """
    events = records.SystemEventData_v1(buffer_size)
    made = _filled(
        32, 1, timeout=("u4", 4, timeout_ms), set=("u8", 8, event_set), data=("u8", 16, events.ptr), size=("u4", 24, buffer_size), count=("u4", 28, 0)
    )  # fmt: skip
    call("nvmlSystemEventSetWait", "@", made)
    return events[: _read(made, "count")]


def event_set_wait_v2(set: int, timeoutms: int) -> records.EventData:
    """Wait until an event of a set happens, or so many milliseconds.

    `nvmlEventSetWait_v2` of C. Raises NvmlError.
    """
    event = records.EventData()
    call("nvmlEventSetWait_v2", "P @ I", set, event, timeoutms)
    return event


# -- devices --


def device_get_handle_by_uuidv(type: int, uuid: bytes) -> int:
    """Return the handle of the device with a UUID: its text of 40 bytes, or 16 bytes, as `UUIDType` says.

    `nvmlDeviceGetHandleByUUIDV` of C. Raises NvmlError, ValueError.
    """
    lengths = {UUIDType.ASCII: 40, UUIDType.BINARY: 16}
    if type not in lengths:
        raise ValueError(f"type: expected {' or '.join(str(int(one)) for one in lengths)}, got {type!r}")
    expected = lengths[UUIDType(type)]
    if len(uuid) != expected:
        raise ValueError(f"uuid: expected {expected} bytes, got {len(uuid)}")
    made = _filled(52, 1, type=("u4", 4, int(type)))
    ctypes.memmove(made.ptr + 8, bytes(uuid), len(uuid))
    return one("nvmlDeviceGetHandleByUUIDV", "@ *P", made)


def device_get_memory_affinity(device: int, node_set_size: int, scope: int) -> array.array[int]:
    """Return the NUMA nodes that are near to a device, as bits in so many words of 64.

    `nvmlDeviceGetMemoryAffinity` of C. Raises NvmlError.
    """
    return bits(node_set_size, "nvmlDeviceGetMemoryAffinity", "I", device, scope)


def device_get_cpu_affinity_within_scope(device: int, cpu_set_size: int, scope: int) -> array.array[int]:
    """Return the processor's cores that are near to a device, as bits in so many words of 64.

    `nvmlDeviceGetCpuAffinityWithinScope` of C. Raises NvmlError.
    """
    return bits(cpu_set_size, "nvmlDeviceGetCpuAffinityWithinScope", "I", device, scope)


def device_get_cpu_affinity(device: int, cpu_set_size: int) -> array.array[int]:
    """Return the processor's cores that are near to a device, as bits in so many words of 64.

    `nvmlDeviceGetCpuAffinity` of C. Raises NvmlError.
    """
    return bits(cpu_set_size, "nvmlDeviceGetCpuAffinity", "", device)


def device_get_topology_nearest_gpus(device: int, level: int) -> array.array[int]:
    """Return the handles of the devices at a level, a member of `GpuTopologyLevel`, from a device.

    `nvmlDeviceGetTopologyNearestGpus` of C. Raises NvmlError.
    """
    count = ctypes.c_uint32(0)
    codes = "P I @ @"
    name = "nvmlDeviceGetTopologyNearestGpus"
    check_status_size(status_of(name, codes, device, level, ctypes.addressof(count), None))
    handles = array.array("Q", bytes(8 * count.value))
    if count.value:
        call(name, codes, device, level, ctypes.addressof(count), handles.buffer_info()[0])
    return handles[: count.value]


def device_get_clock_offsets(device: int, clock_type: int, pstate: int) -> records.ClockOffset_v1:
    """Return the offset of a clock in a performance state, and its limits, in MHz.

    `nvmlDeviceGetClockOffsets` of C. Raises NvmlError.
    """
    made = _versioned(records.ClockOffset_v1)
    made._data["type"], made._data["pstate"] = clock_type, pstate
    call("nvmlDeviceGetClockOffsets", "P @", device, made)
    return made


def device_get_temperature_v(device: int, sensor_type: int) -> int:
    """Return the temperature of a sensor, a member of `TemperatureSensors`, in degrees Celsius.

    `nvmlDeviceGetTemperatureV` of C. Raises NvmlError.
    """
    made = _filled(12, 1, sensor=("u4", 4, sensor_type), temperature=("i4", 8, 0))
    call("nvmlDeviceGetTemperatureV", "P @", device, made)
    return _read(made, "temperature")


def device_get_fan_speed_rpm(device: int, fan: int) -> int:
    """Return the speed of a fan in rotations per minute.

    `nvmlDeviceGetFanSpeedRPM` of C. Raises NvmlError.
    """
    made = _filled(12, 1, fan=("u4", 4, fan), speed=("u4", 8, 0))
    call("nvmlDeviceGetFanSpeedRPM", "P @", device, made)
    return _read(made, "speed")


def device_set_power_management_limit_v2(device: int, power_scope: int, power_value_mw: int) -> None:
    """Set the power limit of a scope, a member of `PowerScope`, in milliwatts.

    `nvmlDeviceSetPowerManagementLimit_v2` of C. Raises NvmlError.
    """
    made = _filled(12, 2, scope=("u4", 4, power_scope), limit=("u4", 8, power_value_mw))
    call("nvmlDeviceSetPowerManagementLimit_v2", "P @", device, made)


def device_set_nvlink_device_low_power_threshold(device: int, threshold: int) -> None:
    """Set the threshold below which links use less power.

    `nvmlDeviceSetNvLinkDeviceLowPowerThreshold` of C. Raises NvmlError.
    """
    value = ctypes.c_uint32(threshold)
    call("nvmlDeviceSetNvLinkDeviceLowPowerThreshold", "P @", device, ctypes.addressof(value))


def device_get_gsp_firmware_version(device: int) -> str:
    """Return the version of the GSP's firmware.

    `nvmlDeviceGetGspFirmwareVersion` of C. Raises NvmlError.
    """
    room = ctypes.create_string_buffer(4096)
    call("nvmlDeviceGetGspFirmwareVersion", "P @", device, ctypes.addressof(room))
    return room.value.decode(errors="replace")


def device_get_hostname_v1(device: int) -> str:
    """Return the host's name that a device has been given.

    `nvmlDeviceGetHostname_v1` of C. Raises NvmlError.
    """
    room = ctypes.create_string_buffer(64)
    call("nvmlDeviceGetHostname_v1", "P @", device, ctypes.addressof(room))
    return room.value.decode(errors="replace")


def device_set_hostname_v1(device: int, hostname: str) -> None:
    """Give a device a host's name of less than 64 bytes.

    `nvmlDeviceSetHostname_v1` of C. Raises NvmlError, ValueError.
    """
    encoded = hostname.encode()
    if len(encoded) >= 64:
        raise ValueError(f"hostname: expected less than 64 bytes, got {len(encoded)}")
    room = ctypes.create_string_buffer(encoded, 64)
    call("nvmlDeviceSetHostname_v1", "P @", device, ctypes.addressof(room))


def device_get_dram_encryption_mode(device: int) -> tuple[int, int]:
    """Return whether memory is encrypted, and whether it is after a restart: members of `EnableState`.

    `nvmlDeviceGetDramEncryptionMode` of C. Raises NvmlError.
    """
    now, later = (_filled(8, 1, state=("u4", 4, 0)) for _ in range(2))
    call("nvmlDeviceGetDramEncryptionMode", "P @ @", device, now, later)
    return _read(now, "state"), _read(later, "state")


def device_get_supported_performance_states(device: int) -> array.array[int]:
    """Return the performance states of a device, members of `Pstates`: 16 of them, behind the last one unknown ones.

    `nvmlDeviceGetSupportedPerformanceStates` of C. Raises NvmlError.
    """
    states = array.array("I", bytes(4 * 16))
    place, _ = states.buffer_info()
    call("nvmlDeviceGetSupportedPerformanceStates", "P @ I", device, place, 4 * 16)
    return states


def device_get_samples(
    device: int, type: int, last_seen_time_stamp: int
) -> tuple[int, records.Sample]:  # fmt: skip
    """Return the type of the values of samples, and those of a kind, a member of `SamplingType`, that are newer than a
    time stamp.

    `nvmlDeviceGetSamples` of C. Raises NvmlError.
    """
    kind, count = ctypes.c_uint32(0), ctypes.c_uint32(0)
    places = ctypes.addressof(kind), ctypes.addressof(count)
    name, codes = "nvmlDeviceGetSamples", "P I Q @ @ @"
    given = device, type, last_seen_time_stamp, *places
    check_status_size(status_of(name, codes, *given, None))
    samples = records.Sample(count.value)
    if count.value:
        call(name, codes, *given, samples)
    return kind.value, samples[: count.value]


def device_get_process_utilization(device: int, last_seen_time_stamp: int) -> records.ProcessUtilizationSample:
    """Return what processes use of a device, in samples that are newer than a time stamp.

    `nvmlDeviceGetProcessUtilization` of C. Raises NvmlError.
    """
    count = ctypes.c_uint32(0)
    name, codes = "nvmlDeviceGetProcessUtilization", "P @ @ Q"
    place = ctypes.addressof(count)
    check_status_size(status_of(name, codes, device, None, place, last_seen_time_stamp))
    samples = records.ProcessUtilizationSample(count.value)
    if count.value:
        call(name, codes, device, samples, place, last_seen_time_stamp)
    return samples[: count.value]


def _pointed(made: Made, name: str, device: int, count: str, key: str, element: Any) -> Made:  # fmt: skip
    """A record that points to an array: first the function tells its length, then it fills it."""
    check_status_size(status_of(name, "P @", device, made))
    length = _read(made, count)
    if length:
        setattr(made, key, element(length))
        call(name, "P @", device, made)
    return made


def device_get_running_process_detail_list(device: int, mode: int) -> records.ProcessDetailList_v1:
    """Return the processes that use a device in a mode: 0 for computing, 1 for graphics, 2 for MPS.

    `nvmlDeviceGetRunningProcessDetailList` of C. Raises NvmlError.
    """
    made = _versioned(records.ProcessDetailList_v1)
    made._data["mode"] = mode
    name = "nvmlDeviceGetRunningProcessDetailList"
    return _pointed(made, name, device, "num_proc_array_entries", "proc_array", records.ProcessDetail_v1)


def device_get_processes_utilization_info(
    device: int, last_seen_time_stamp: int
) -> records.ProcessesUtilizationInfo_v1:
    """Return what processes use of a device, in samples that are newer than a time stamp.

    `nvmlDeviceGetProcessesUtilizationInfo` of C. Raises NvmlError.
    """
    made = _versioned(records.ProcessesUtilizationInfo_v1)
    made._data["last_seen_time_stamp"] = last_seen_time_stamp
    name = "nvmlDeviceGetProcessesUtilizationInfo"
    return _pointed(made, name, device, "process_samples_count", "proc_util_array", records.ProcessUtilizationInfo_v1)


def device_get_sram_unique_uncorrected_ecc_error_counts(
    device: int,
) -> records.EccSramUniqueUncorrectedErrorCounts_v1:
    """Return the places of errors in SRAM that were not corrected, with how often they were.

    `nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts` of C. Raises NvmlError.
    """
    made = _versioned(records.EccSramUniqueUncorrectedErrorCounts_v1)
    name = "nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts"
    return _pointed(made, name, device, "entry_count", "entries", records.EccSramUniqueUncorrectedErrorEntry_v1)


def device_get_conf_compute_gpu_attestation_report(
    device: int, nonce: bytes
) -> records.ConfComputeGpuAttestationReport:
    """Return a report that attests the device's state, for up to 32 bytes of the caller's.

    `nvmlDeviceGetConfComputeGpuAttestationReport` of C. Raises NvmlError, ValueError.
    """
    if len(nonce) > 32:
        raise ValueError(f"nonce: expected at most 32 bytes, got {len(nonce)}")
    made = records.ConfComputeGpuAttestationReport()
    made.nonce = list(bytes(nonce).ljust(32, b"\0"))
    call("nvmlDeviceGetConfComputeGpuAttestationReport", "P @", device, made)
    return made


def device_read_write_prm_v1(device: int, in_data: bytes) -> tuple[int, bytes]:
    """Read or write a register of the device's port management: TLVs go in, the status and TLVs come out.

    `nvmlDeviceReadWritePRM_v1` of C. Raises NvmlError, ValueError.
    """
    if len(in_data) > 496:
        raise ValueError(f"in_data: expected at most 496 bytes, got {len(in_data)}")
    room = ctypes.create_string_buffer(8 + 496)
    ctypes.memmove(room, len(in_data).to_bytes(4, "little"), 4)
    ctypes.memmove(ctypes.addressof(room) + 8, bytes(in_data), len(in_data))
    call("nvmlDeviceReadWritePRM_v1", "P @", device, ctypes.addressof(room))
    size, status = (int.from_bytes(room.raw[at : at + 4], "little") for at in (0, 4))
    return status, room.raw[8 : 8 + min(size, 496)]


# -- parts of devices --


def _profile(name: str, device: int, profile: int) -> records.GpuInstanceProfileInfo_v3:
    made = _versioned(records.GpuInstanceProfileInfo_v3)
    call(name, "P I @", device, profile, made)
    return made


def device_get_gpu_instance_profile_info_v(device: int, profile: int) -> records.GpuInstanceProfileInfo_v3:
    """Return what a profile of GPU instances is, a member of `GpuInstanceProfile`.

    `nvmlDeviceGetGpuInstanceProfileInfoV` of C. Raises NvmlError.
    """
    return _profile("nvmlDeviceGetGpuInstanceProfileInfoV", device, profile)


def device_get_gpu_instance_profile_info_by_id_v(device: int, profile_id: int) -> records.GpuInstanceProfileInfo_v3:
    """Return what a profile of GPU instances is, by its number.

    `nvmlDeviceGetGpuInstanceProfileInfoByIdV` of C. Raises NvmlError.
    """
    return _profile("nvmlDeviceGetGpuInstanceProfileInfoByIdV", device, profile_id)


def _placements(kind: type[Several], name: str, handle: int, profile_id: int) -> Several:
    count = ctypes.c_uint32(0)
    place = ctypes.addressof(count)
    check_status_size(status_of(name, "P I @ @", handle, profile_id, None, place))
    made = kind(count.value)
    if count.value:
        call(name, "P I @ @", handle, profile_id, made, place)
    return made[: count.value]


def device_get_gpu_instance_possible_placements_v2(device: int, profile_id: int) -> records.GpuInstancePlacement:
    """Return where GPU instances of a profile may be.

    `nvmlDeviceGetGpuInstancePossiblePlacements_v2` of C. Raises NvmlError.
    """
    name = "nvmlDeviceGetGpuInstancePossiblePlacements_v2"
    return _placements(records.GpuInstancePlacement, name, device, profile_id)


def gpu_instance_get_compute_instance_possible_placements(
    gpu_instance: int, profile_id: int
) -> records.ComputeInstancePlacement:
    """Return where compute instances of a profile may be in a GPU instance.

    `nvmlGpuInstanceGetComputeInstancePossiblePlacements` of C. Raises NvmlError.
    """
    name = "nvmlGpuInstanceGetComputeInstancePossiblePlacements"
    return _placements(records.ComputeInstancePlacement, name, gpu_instance, profile_id)


# -- virtual GPUs --


def get_vgpu_version() -> tuple[records.VgpuVersion, records.VgpuVersion]:
    """Return the versions of virtual GPUs that the driver supports, and those that were chosen.

    `nvmlGetVgpuVersion` of C. Raises NvmlError.
    """
    supported, current = records.VgpuVersion(), records.VgpuVersion()
    call("nvmlGetVgpuVersion", "@ @", supported, current)
    return supported, current


def vgpu_instance_get_vm_id(vgpu_instance: int) -> tuple[str, int]:
    """Return the name of the virtual machine that has a virtual GPU, and its kind, a member of `VgpuVmIdType`.

    `nvmlVgpuInstanceGetVmID` of C. Raises NvmlError.
    """
    room = ctypes.create_string_buffer(80)
    kind = one("nvmlVgpuInstanceGetVmID", "I @ I *I", vgpu_instance, ctypes.addressof(room), 80)
    return room.value.decode(errors="replace"), kind


def vgpu_type_get_max_instances_per_gpu_instance(vgpu_type_id: int) -> int:
    """Return how many virtual GPUs of a type a GPU instance has room for.

    `nvmlVgpuTypeGetMaxInstancesPerGpuInstance` of C. Raises NvmlError.
    """
    made = _filled(12, 1, type=("u4", 4, vgpu_type_id), most=("u4", 8, 0))
    call("nvmlVgpuTypeGetMaxInstancesPerGpuInstance", "@", made)
    return _read(made, "most")
