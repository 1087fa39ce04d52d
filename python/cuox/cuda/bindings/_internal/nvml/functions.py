# By tools/nvml_bindings.py from nvml.h of CUDA 13.0, with the names of cuda-bindings 13.5.0.

"""Functions, by C's names in Python's case; what C puts out is returned."""

from __future__ import annotations

from typing import Any

from . import records
from .calls import Addressed, call, field_of, four, listed, one, one_field, record, text, text_of_size, three, two

__all__ = [
    "compute_instance_destroy",
    "compute_instance_get_info_v2",
    "device_clear_accounting_pids",
    "device_clear_cpu_affinity",
    "device_clear_ecc_error_counts",
    "device_create_gpu_instance",
    "device_create_gpu_instance_with_placement",
    "device_discover_gpus",
    "device_get_accounting_buffer_size",
    "device_get_accounting_mode",
    "device_get_accounting_pids",
    "device_get_accounting_stats",
    "device_get_active_vgpus",
    "device_get_adaptive_clock_info_status",
    "device_get_addressing_mode",
    "device_get_api_restriction",
    "device_get_architecture",
    "device_get_attributes_v2",
    "device_get_auto_boosted_clocks_enabled",
    "device_get_bar1_memory_info",
    "device_get_board_id",
    "device_get_board_part_number",
    "device_get_brand",
    "device_get_bridge_chip_info",
    "device_get_bus_type",
    "device_get_c2c_mode_info_v",
    "device_get_capabilities",
    "device_get_clk_mon_status",
    "device_get_clock",
    "device_get_clock_info",
    "device_get_compute_instance_id",
    "device_get_compute_mode",
    "device_get_compute_running_processes_v3",
    "device_get_conf_compute_gpu_certificate",
    "device_get_conf_compute_mem_size_info",
    "device_get_conf_compute_protected_memory_usage",
    "device_get_cooler_info",
    "device_get_count_v2",
    "device_get_creatable_vgpus",
    "device_get_cuda_compute_capability",
    "device_get_curr_pcie_link_generation",
    "device_get_curr_pcie_link_width",
    "device_get_current_clock_freqs",
    "device_get_current_clocks_event_reasons",
    "device_get_decoder_utilization",
    "device_get_default_ecc_mode",
    "device_get_device_handle_from_mig_device_handle",
    "device_get_display_active",
    "device_get_display_mode",
    "device_get_driver_model_v2",
    "device_get_dynamic_pstates_info",
    "device_get_ecc_mode",
    "device_get_encoder_capacity",
    "device_get_encoder_sessions",
    "device_get_encoder_stats",
    "device_get_encoder_utilization",
    "device_get_enforced_power_limit",
    "device_get_fan_control_policy_v2",
    "device_get_fan_speed",
    "device_get_fan_speed_v2",
    "device_get_fbc_sessions",
    "device_get_fbc_stats",
    "device_get_gpc_clk_min_max_vf_offset",
    "device_get_gpc_clk_vf_offset",
    "device_get_gpu_fabric_info_v",
    "device_get_gpu_instance_by_id",
    "device_get_gpu_instance_id",
    "device_get_gpu_instance_remaining_capacity",
    "device_get_gpu_instances",
    "device_get_gpu_max_pcie_link_generation",
    "device_get_gpu_operation_mode",
    "device_get_graphics_running_processes_v3",
    "device_get_grid_licensable_features_v4",
    "device_get_gsp_firmware_mode",
    "device_get_handle_by_index_v2",
    "device_get_handle_by_pci_bus_id_v2",
    "device_get_handle_by_serial",
    "device_get_handle_by_uuid",
    "device_get_host_vgpu_mode",
    "device_get_index",
    "device_get_inforom_configuration_checksum",
    "device_get_inforom_image_version",
    "device_get_inforom_version",
    "device_get_irq_num",
    "device_get_jpg_utilization",
    "device_get_last_bbx_flush_time",
    "device_get_margin_temperature",
    "device_get_max_clock_info",
    "device_get_max_customer_boost_clock",
    "device_get_max_mig_device_count",
    "device_get_max_pcie_link_generation",
    "device_get_max_pcie_link_width",
    "device_get_mem_clk_min_max_vf_offset",
    "device_get_mem_clk_vf_offset",
    "device_get_memory_bus_width",
    "device_get_memory_error_counter",
    "device_get_memory_info_v2",
    "device_get_mig_device_handle_by_index",
    "device_get_mig_mode",
    "device_get_min_max_clock_of_p_state",
    "device_get_min_max_fan_speed",
    "device_get_minor_number",
    "device_get_module_id",
    "device_get_mps_compute_running_processes_v3",
    "device_get_multi_gpu_board",
    "device_get_name",
    "device_get_num_fans",
    "device_get_num_gpu_cores",
    "device_get_numa_node_id",
    "device_get_nvlink_bw_mode",
    "device_get_nvlink_capability",
    "device_get_nvlink_error_counter",
    "device_get_nvlink_info",
    "device_get_nvlink_remote_device_type",
    "device_get_nvlink_remote_pci_info_v2",
    "device_get_nvlink_state",
    "device_get_nvlink_supported_bw_modes",
    "device_get_nvlink_version",
    "device_get_ofa_utilization",
    "device_get_p2p_status",
    "device_get_pci_info_ext",
    "device_get_pci_info_v3",
    "device_get_pcie_link_max_speed",
    "device_get_pcie_replay_counter",
    "device_get_pcie_speed",
    "device_get_pcie_throughput",
    "device_get_pdi",
    "device_get_performance_modes",
    "device_get_performance_state",
    "device_get_persistence_mode",
    "device_get_pgpu_metadata_string",
    "device_get_platform_info",
    "device_get_power_management_default_limit",
    "device_get_power_management_limit",
    "device_get_power_management_limit_constraints",
    "device_get_power_mizer_mode_v1",
    "device_get_power_source",
    "device_get_power_state",
    "device_get_power_usage",
    "device_get_remapped_rows",
    "device_get_repair_status",
    "device_get_retired_pages",
    "device_get_retired_pages_pending_status",
    "device_get_retired_pages_v2",
    "device_get_row_remapper_histogram",
    "device_get_serial",
    "device_get_sram_ecc_error_status",
    "device_get_supported_clocks_event_reasons",
    "device_get_supported_event_types",
    "device_get_supported_graphics_clocks",
    "device_get_supported_memory_clocks",
    "device_get_supported_vgpus",
    "device_get_target_fan_speed",
    "device_get_temperature_threshold",
    "device_get_thermal_settings",
    "device_get_topology_common_ancestor",
    "device_get_total_ecc_errors",
    "device_get_total_energy_consumption",
    "device_get_utilization_rates",
    "device_get_uuid",
    "device_get_vbios_version",
    "device_get_vgpu_capabilities",
    "device_get_vgpu_heterogeneous_mode",
    "device_get_vgpu_instances_utilization_info",
    "device_get_vgpu_process_utilization",
    "device_get_vgpu_scheduler_capabilities",
    "device_get_vgpu_scheduler_log",
    "device_get_vgpu_scheduler_state",
    "device_get_virtualization_mode",
    "device_is_mig_device_handle",
    "device_modify_drain_state",
    "device_on_same_board",
    "device_power_smoothing_activate_preset_profile",
    "device_power_smoothing_set_state",
    "device_power_smoothing_update_preset_profile_param",
    "device_query_drain_state",
    "device_register_events",
    "device_remove_gpu_v2",
    "device_reset_gpu_locked_clocks",
    "device_reset_memory_locked_clocks",
    "device_reset_nvlink_error_counters",
    "device_set_accounting_mode",
    "device_set_api_restriction",
    "device_set_auto_boosted_clocks_enabled",
    "device_set_clock_offsets",
    "device_set_compute_mode",
    "device_set_conf_compute_unprotected_mem_size",
    "device_set_cpu_affinity",
    "device_set_default_auto_boosted_clocks_enabled",
    "device_set_default_fan_speed_v2",
    "device_set_dram_encryption_mode",
    "device_set_driver_model",
    "device_set_ecc_mode",
    "device_set_fan_control_policy",
    "device_set_fan_speed_v2",
    "device_set_gpu_locked_clocks",
    "device_set_gpu_operation_mode",
    "device_set_memory_locked_clocks",
    "device_set_mig_mode",
    "device_set_nvlink_bw_mode",
    "device_set_persistence_mode",
    "device_set_power_mizer_mode_v1",
    "device_set_temperature_threshold",
    "device_set_vgpu_capabilities",
    "device_set_vgpu_heterogeneous_mode",
    "device_set_vgpu_scheduler_state",
    "device_set_virtualization_mode",
    "device_validate_inforom",
    "event_set_create",
    "event_set_free",
    "get_excluded_device_count",
    "get_excluded_device_info_by_index",
    "get_vgpu_compatibility",
    "get_vgpu_driver_capabilities",
    "gpu_instance_create_compute_instance",
    "gpu_instance_create_compute_instance_with_placement",
    "gpu_instance_destroy",
    "gpu_instance_get_active_vgpus",
    "gpu_instance_get_compute_instance_by_id",
    "gpu_instance_get_compute_instance_profile_info_v",
    "gpu_instance_get_compute_instance_remaining_capacity",
    "gpu_instance_get_compute_instances",
    "gpu_instance_get_creatable_vgpus",
    "gpu_instance_get_info",
    "gpu_instance_get_vgpu_heterogeneous_mode",
    "gpu_instance_get_vgpu_scheduler_log",
    "gpu_instance_get_vgpu_scheduler_state",
    "gpu_instance_set_vgpu_heterogeneous_mode",
    "gpu_instance_set_vgpu_scheduler_state",
    "init_v2",
    "init_with_flags",
    "set_vgpu_version",
    "shutdown",
    "system_get_conf_compute_capabilities",
    "system_get_conf_compute_gpus_ready_state",
    "system_get_conf_compute_key_rotation_threshold_info",
    "system_get_conf_compute_settings",
    "system_get_conf_compute_state",
    "system_get_cuda_driver_version",
    "system_get_cuda_driver_version_v2",
    "system_get_driver_version",
    "system_get_hic_version",
    "system_get_nvlink_bw_mode",
    "system_get_nvml_version",
    "system_get_process_name",
    "system_get_topology_gpu_set",
    "system_set_conf_compute_gpus_ready_state",
    "system_set_conf_compute_key_rotation_threshold_info",
    "system_set_nvlink_bw_mode",
    "unit_get_count",
    "unit_get_devices",
    "unit_get_fan_speed_info",
    "unit_get_handle_by_index",
    "unit_get_led_state",
    "unit_get_psu_info",
    "unit_get_temperature",
    "unit_get_unit_info",
    "unit_set_led_state",
    "vgpu_instance_clear_accounting_pids",
    "vgpu_instance_get_accounting_mode",
    "vgpu_instance_get_accounting_pids",
    "vgpu_instance_get_accounting_stats",
    "vgpu_instance_get_ecc_mode",
    "vgpu_instance_get_encoder_capacity",
    "vgpu_instance_get_encoder_sessions",
    "vgpu_instance_get_encoder_stats",
    "vgpu_instance_get_fb_usage",
    "vgpu_instance_get_fbc_sessions",
    "vgpu_instance_get_fbc_stats",
    "vgpu_instance_get_frame_rate_limit",
    "vgpu_instance_get_gpu_instance_id",
    "vgpu_instance_get_gpu_pci_id",
    "vgpu_instance_get_license_info_v2",
    "vgpu_instance_get_license_status",
    "vgpu_instance_get_mdev_uuid",
    "vgpu_instance_get_placement_id",
    "vgpu_instance_get_runtime_state_size",
    "vgpu_instance_get_type",
    "vgpu_instance_get_uuid",
    "vgpu_instance_get_vm_driver_version",
    "vgpu_instance_set_encoder_capacity",
    "vgpu_type_get_bar1_info",
    "vgpu_type_get_capabilities",
    "vgpu_type_get_class",
    "vgpu_type_get_device_id",
    "vgpu_type_get_fb_reservation",
    "vgpu_type_get_frame_rate_limit",
    "vgpu_type_get_framebuffer_size",
    "vgpu_type_get_gpu_instance_profile_id",
    "vgpu_type_get_gsp_heap_size",
    "vgpu_type_get_license",
    "vgpu_type_get_max_instances",
    "vgpu_type_get_max_instances_per_vm",
    "vgpu_type_get_name",
    "vgpu_type_get_num_display_heads",
    "vgpu_type_get_resolution",
]


def compute_instance_destroy(compute_instance: int) -> None:
    """Destroy compute instance.

    `nvmlComputeInstanceDestroy` of C. Raises NvmlError.
    """
    call("nvmlComputeInstanceDestroy", "P", compute_instance)


def compute_instance_get_info_v2(compute_instance: int) -> records.ComputeInstanceInfo:
    """Get compute instance information.

    `nvmlComputeInstanceGetInfo_v2` of C. Raises NvmlError.
    """
    return record(records.ComputeInstanceInfo, "nvmlComputeInstanceGetInfo_v2", "P", compute_instance)


def device_clear_accounting_pids(device: int) -> None:
    """Clears accounting information about all processes that have already terminated.

    `nvmlDeviceClearAccountingPids` of C. Raises NvmlError.
    """
    call("nvmlDeviceClearAccountingPids", "P", device)


def device_clear_cpu_affinity(device: int) -> None:
    """Clear all affinity bindings for the calling thread.

    `nvmlDeviceClearCpuAffinity` of C. Raises NvmlError.
    """
    call("nvmlDeviceClearCpuAffinity", "P", device)


def device_clear_ecc_error_counts(device: int, counter_type: int) -> None:
    """Clear the ECC error and other memory error counts for the device.

    `nvmlDeviceClearEccErrorCounts` of C. Raises NvmlError.
    """
    call("nvmlDeviceClearEccErrorCounts", "P I", device, counter_type)


def device_create_gpu_instance(device: int, profile_id: int) -> int:
    """Create GPU instance.

    `nvmlDeviceCreateGpuInstance` of C. Raises NvmlError.
    """
    return one("nvmlDeviceCreateGpuInstance", "P I *P", device, profile_id)


def device_create_gpu_instance_with_placement(device: int, profile_id: int, placement: Addressed) -> int:
    """Create GPU instance with the specified placement.

    `nvmlDeviceCreateGpuInstanceWithPlacement` of C. Raises NvmlError.
    """
    return one("nvmlDeviceCreateGpuInstanceWithPlacement", "P I @ *P", device, profile_id, placement)


def device_discover_gpus(pci_info: Addressed) -> None:
    """See NVML's manual.

    `nvmlDeviceDiscoverGpus` of C. Raises NvmlError.
    """
    call("nvmlDeviceDiscoverGpus", "@", pci_info)


def device_get_accounting_buffer_size(device: int) -> int:
    """Returns the number of processes that the circular buffer with accounting pids can hold.

    `nvmlDeviceGetAccountingBufferSize` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetAccountingBufferSize", "P *I", device)


def device_get_accounting_mode(device: int) -> int:
    """Queries the state of per process accounting mode.

    `nvmlDeviceGetAccountingMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetAccountingMode", "P *I", device)


def device_get_accounting_pids(device: int) -> Any:
    """Queries list of processes that can be queried for accounting stats.

    `nvmlDeviceGetAccountingPids` of C. Raises NvmlError.
    """
    return listed("I", "nvmlDeviceGetAccountingPids", "P", device)


def device_get_accounting_stats(device: int, pid: int) -> records.AccountingStats:
    """Queries process's accounting stats.

    `nvmlDeviceGetAccountingStats` of C. Raises NvmlError.
    """
    return record(records.AccountingStats, "nvmlDeviceGetAccountingStats", "P I", device, pid)


def device_get_active_vgpus(device: int) -> Any:
    """Retrieve the active vGPU instances on a device.

    `nvmlDeviceGetActiveVgpus` of C. Raises NvmlError.
    """
    return listed("I", "nvmlDeviceGetActiveVgpus", "P", device)


def device_get_adaptive_clock_info_status(device: int) -> int:
    """Gets the device's Adaptive Clock status.

    `nvmlDeviceGetAdaptiveClockInfoStatus` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetAdaptiveClockInfoStatus", "P *I", device)


def device_get_addressing_mode(device: int) -> records.DeviceAddressingMode_v1:
    """Get the addressing mode for a given GPU.

    `nvmlDeviceGetAddressingMode` of C. Raises NvmlError.
    """
    return record(records.DeviceAddressingMode_v1, "nvmlDeviceGetAddressingMode", "P", device)


def device_get_api_restriction(device: int, api_type: int) -> int:
    """Retrieves the root/admin permissions on the target API.

    `nvmlDeviceGetAPIRestriction` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetAPIRestriction", "P I *I", device, api_type)


def device_get_architecture(device: int) -> int:
    """Get architecture for device.

    `nvmlDeviceGetArchitecture` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetArchitecture", "P *I", device)


def device_get_attributes_v2(device: int) -> records.DeviceAttributes:
    """Get attributes (engine counts etc.) for the given NVML device handle.

    `nvmlDeviceGetAttributes_v2` of C. Raises NvmlError.
    """
    return record(records.DeviceAttributes, "nvmlDeviceGetAttributes_v2", "P", device)


def device_get_auto_boosted_clocks_enabled(device: int) -> tuple[int, int]:
    """Retrieve the current state of Auto Boosted clocks on a device and store it in isEnabled.

    `nvmlDeviceGetAutoBoostedClocksEnabled` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetAutoBoostedClocksEnabled", "P *I *I", device)


def device_get_bar1_memory_info(device: int) -> records.BAR1Memory:
    """Gets Total, Available and Used size of BAR1 memory.

    `nvmlDeviceGetBAR1MemoryInfo` of C. Raises NvmlError.
    """
    return record(records.BAR1Memory, "nvmlDeviceGetBAR1MemoryInfo", "P", device)


def device_get_board_id(device: int) -> int:
    """Retrieves the device boardId from 0-N.

    `nvmlDeviceGetBoardId` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetBoardId", "P *I", device)


def device_get_board_part_number(device: int) -> str:
    """Retrieves the the device board part number which is programmed into the board's InfoROM For all products.

    `nvmlDeviceGetBoardPartNumber` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetBoardPartNumber", "P", device)


def device_get_brand(device: int) -> int:
    """Retrieves the brand of this device.

    `nvmlDeviceGetBrand` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetBrand", "P *I", device)


def device_get_bridge_chip_info(device: int) -> records.BridgeChipHierarchy:
    """Get Bridge Chip Information for all the bridge chips on the board.

    `nvmlDeviceGetBridgeChipInfo` of C. Raises NvmlError.
    """
    return record(records.BridgeChipHierarchy, "nvmlDeviceGetBridgeChipInfo", "P", device)


def device_get_bus_type(device: int) -> int:
    """Get the type of the GPU Bus (PCIe, PCI, ...).

    `nvmlDeviceGetBusType` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetBusType", "P *I", device)


def device_get_c2c_mode_info_v(device: int) -> records.C2cModeInfo_v1:
    """Retrieves the Device's C2C Mode information.

    `nvmlDeviceGetC2cModeInfoV` of C. Raises NvmlError.
    """
    return record(records.C2cModeInfo_v1, "nvmlDeviceGetC2cModeInfoV", "P", device)


def device_get_capabilities(device: int) -> int:
    """Get device capabilities See nvmlDeviceCapabilities_v1_t for more information on the struct.

    `nvmlDeviceGetCapabilities` of C. Raises NvmlError.
    """
    return int(field_of("nvmlDeviceGetCapabilities", "P @", 8, 16777224, "I", 4, device))


def device_get_clk_mon_status(device: int) -> records.ClkMonStatus:
    """Retrieves the frequency monitor fault status for the device.

    `nvmlDeviceGetClkMonStatus` of C. Raises NvmlError.
    """
    return record(records.ClkMonStatus, "nvmlDeviceGetClkMonStatus", "P", device)


def device_get_clock(device: int, clock_type: int, clock_id: int) -> int:
    """Retrieves the clock speed for the clock specified by the clock type and clock ID.

    `nvmlDeviceGetClock` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetClock", "P I I *I", device, clock_type, clock_id)


def device_get_clock_info(device: int, type: int) -> int:
    """Retrieves the current clock speeds for the device.

    `nvmlDeviceGetClockInfo` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetClockInfo", "P I *I", device, type)


def device_get_compute_instance_id(device: int) -> int:
    """Get compute instance ID for the given MIG device handle.

    `nvmlDeviceGetComputeInstanceId` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetComputeInstanceId", "P *I", device)


def device_get_compute_mode(device: int) -> int:
    """Retrieves the current compute mode for the device.

    `nvmlDeviceGetComputeMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetComputeMode", "P *I", device)


def device_get_compute_running_processes_v3(device: int) -> records.ProcessInfo:
    """Get information about processes with a compute context on a device.

    `nvmlDeviceGetComputeRunningProcesses_v3` of C. Raises NvmlError.
    """
    return listed(records.ProcessInfo, "nvmlDeviceGetComputeRunningProcesses_v3", "P", device)


def device_get_conf_compute_gpu_certificate(device: int) -> records.ConfComputeGpuCertificate:
    """Get Conf Computing GPU certificate details.

    `nvmlDeviceGetConfComputeGpuCertificate` of C. Raises NvmlError.
    """
    return record(records.ConfComputeGpuCertificate, "nvmlDeviceGetConfComputeGpuCertificate", "P", device)


def device_get_conf_compute_mem_size_info(device: int) -> records.ConfComputeMemSizeInfo:
    """Get Conf Computing Protected and Unprotected Memory Sizes.

    `nvmlDeviceGetConfComputeMemSizeInfo` of C. Raises NvmlError.
    """
    return record(records.ConfComputeMemSizeInfo, "nvmlDeviceGetConfComputeMemSizeInfo", "P", device)


def device_get_conf_compute_protected_memory_usage(device: int) -> records.Memory:
    """Get Conf Computing protected memory usage.

    `nvmlDeviceGetConfComputeProtectedMemoryUsage` of C. Raises NvmlError.
    """
    return record(records.Memory, "nvmlDeviceGetConfComputeProtectedMemoryUsage", "P", device)


def device_get_cooler_info(device: int) -> records.CoolerInfo_v1:
    """Retrieves the cooler's information.

    `nvmlDeviceGetCoolerInfo` of C. Raises NvmlError.
    """
    return record(records.CoolerInfo_v1, "nvmlDeviceGetCoolerInfo", "P", device)


def device_get_count_v2() -> int:
    """Retrieves the number of compute devices in the system.

    `nvmlDeviceGetCount_v2` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetCount_v2", "*I")


def device_get_creatable_vgpus(device: int) -> Any:
    """Retrieve the currently creatable vGPU types on a physical GPU (device). An array of creatable vGPU types for
    the physical GPU indicated by device is returned in the caller-supplied buffer pointed at by vgpuTypeIds.

    `nvmlDeviceGetCreatableVgpus` of C. Raises NvmlError.
    """
    return listed("I", "nvmlDeviceGetCreatableVgpus", "P", device)


def device_get_cuda_compute_capability(device: int) -> tuple[int, int]:
    """Retrieves the CUDA compute capability of the device.

    `nvmlDeviceGetCudaComputeCapability` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetCudaComputeCapability", "P *i *i", device)


def device_get_curr_pcie_link_generation(device: int) -> int:
    """Retrieves the current PCIe link generation.

    `nvmlDeviceGetCurrPcieLinkGeneration` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetCurrPcieLinkGeneration", "P *I", device)


def device_get_curr_pcie_link_width(device: int) -> int:
    """Retrieves the current PCIe link width.

    `nvmlDeviceGetCurrPcieLinkWidth` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetCurrPcieLinkWidth", "P *I", device)


def device_get_current_clock_freqs(device: int) -> str:
    """Retrieves a string with the associated current GPU Clock and Memory Clock values.

    `nvmlDeviceGetCurrentClockFreqs` of C. Raises NvmlError.
    """
    return str(field_of("nvmlDeviceGetCurrentClockFreqs", "P @", 2052, 16779268, "s2048", 4, device))


def device_get_current_clocks_event_reasons(device: int) -> int:
    """Retrieves current clocks event reasons.

    `nvmlDeviceGetCurrentClocksEventReasons` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetCurrentClocksEventReasons", "P *Q", device)


def device_get_decoder_utilization(device: int) -> tuple[int, int]:
    """Retrieves the current utilization and sampling size in microseconds for the Decoder.

    `nvmlDeviceGetDecoderUtilization` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetDecoderUtilization", "P *I *I", device)


def device_get_default_ecc_mode(device: int) -> int:
    """Retrieves the default ECC modes for the device.

    `nvmlDeviceGetDefaultEccMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetDefaultEccMode", "P *I", device)


def device_get_device_handle_from_mig_device_handle(mig_device: int) -> int:
    """Get parent device handle from a MIG device handle.

    `nvmlDeviceGetDeviceHandleFromMigDeviceHandle` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", "P *P", mig_device)


def device_get_display_active(device: int) -> int:
    """Retrieves the display active state for the device.

    `nvmlDeviceGetDisplayActive` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetDisplayActive", "P *I", device)


def device_get_display_mode(device: int) -> int:
    """Retrieves the display mode for the device.

    `nvmlDeviceGetDisplayMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetDisplayMode", "P *I", device)


def device_get_driver_model_v2(device: int) -> tuple[int, int]:
    """Retrieves the current and pending driver model for the device.

    `nvmlDeviceGetDriverModel_v2` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetDriverModel_v2", "P *I *I", device)


def device_get_dynamic_pstates_info(device: int) -> records.GpuDynamicPstatesInfo:
    """Retrieve performance monitor samples from the associated subdevice.

    `nvmlDeviceGetDynamicPstatesInfo` of C. Raises NvmlError.
    """
    return record(records.GpuDynamicPstatesInfo, "nvmlDeviceGetDynamicPstatesInfo", "P", device)


def device_get_ecc_mode(device: int) -> tuple[int, int]:
    """Retrieves the current and pending ECC modes for the device.

    `nvmlDeviceGetEccMode` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetEccMode", "P *I *I", device)


def device_get_encoder_capacity(device: int, encoder_query_type: int) -> int:
    """See NVML's manual.

    `nvmlDeviceGetEncoderCapacity` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetEncoderCapacity", "P I *I", device, encoder_query_type)


def device_get_encoder_sessions(device: int) -> records.EncoderSessionInfo:
    """Retrieves information about active encoder sessions on a target device.

    `nvmlDeviceGetEncoderSessions` of C. Raises NvmlError.
    """
    return listed(records.EncoderSessionInfo, "nvmlDeviceGetEncoderSessions", "P", device)


def device_get_encoder_stats(device: int) -> tuple[int, int, int]:
    """See NVML's manual.

    `nvmlDeviceGetEncoderStats` of C. Raises NvmlError.
    """
    return three("nvmlDeviceGetEncoderStats", "P *I *I *I", device)


def device_get_encoder_utilization(device: int) -> tuple[int, int]:
    """Retrieves the current utilization and sampling size in microseconds for the Encoder.

    `nvmlDeviceGetEncoderUtilization` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetEncoderUtilization", "P *I *I", device)


def device_get_enforced_power_limit(device: int) -> int:
    """Get the effective power limit that the driver enforces after taking into account all limiters Note: This can
    be different from the nvmlDeviceGetPowerManagementLimit if other limits are set elsewhere This includes the out
    of band power limit interface.

    `nvmlDeviceGetEnforcedPowerLimit` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetEnforcedPowerLimit", "P *I", device)


def device_get_fan_control_policy_v2(device: int, fan: int) -> int:
    """Gets current fan control policy.

    `nvmlDeviceGetFanControlPolicy_v2` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetFanControlPolicy_v2", "P I *I", device, fan)


def device_get_fan_speed(device: int) -> int:
    """Retrieves the intended operating speed of the device's fan.

    `nvmlDeviceGetFanSpeed` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetFanSpeed", "P *I", device)


def device_get_fan_speed_v2(device: int, fan: int) -> int:
    """Retrieves the intended operating speed of the device's specified fan.

    `nvmlDeviceGetFanSpeed_v2` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetFanSpeed_v2", "P I *I", device, fan)


def device_get_fbc_sessions(device: int) -> records.FBCSessionInfo:
    """Retrieves information about active frame buffer capture sessions on a target device.

    `nvmlDeviceGetFBCSessions` of C. Raises NvmlError.
    """
    return listed(records.FBCSessionInfo, "nvmlDeviceGetFBCSessions", "P", device)


def device_get_fbc_stats(device: int) -> records.FBCStats:
    """Retrieves the active frame buffer capture sessions statistics for a given device.

    `nvmlDeviceGetFBCStats` of C. Raises NvmlError.
    """
    return record(records.FBCStats, "nvmlDeviceGetFBCStats", "P", device)


def device_get_gpc_clk_min_max_vf_offset(device: int) -> tuple[int, int]:
    """Retrieve the GPCCLK min max VF offset value.

    `nvmlDeviceGetGpcClkMinMaxVfOffset` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetGpcClkMinMaxVfOffset", "P *i *i", device)


def device_get_gpc_clk_vf_offset(device: int) -> int:
    """Retrieve the GPCCLK VF offset value.

    `nvmlDeviceGetGpcClkVfOffset` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetGpcClkVfOffset", "P *i", device)


def device_get_gpu_fabric_info_v(device: int) -> records.GpuFabricInfo_v3:
    """Versioned wrapper around nvmlDeviceGetGpuFabricInfo that accepts a versioned nvmlGpuFabricInfo_v2_t or later
    output structure.

    `nvmlDeviceGetGpuFabricInfoV` of C. Raises NvmlError.
    """
    return record(records.GpuFabricInfo_v3, "nvmlDeviceGetGpuFabricInfoV", "P", device)


def device_get_gpu_instance_by_id(device: int, id: int) -> int:
    """Get GPU instances for given instance ID.

    `nvmlDeviceGetGpuInstanceById` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetGpuInstanceById", "P I *P", device, id)


def device_get_gpu_instance_id(device: int) -> int:
    """Get GPU instance ID for the given MIG device handle.

    `nvmlDeviceGetGpuInstanceId` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetGpuInstanceId", "P *I", device)


def device_get_gpu_instance_remaining_capacity(device: int, profile_id: int) -> int:
    """Get GPU instance profile capacity.

    `nvmlDeviceGetGpuInstanceRemainingCapacity` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetGpuInstanceRemainingCapacity", "P I *I", device, profile_id)


def device_get_gpu_instances(device: int, profile_id: int) -> tuple[int, int]:
    """Get GPU instances for given profile ID.

    `nvmlDeviceGetGpuInstances` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetGpuInstances", "P I *P *I", device, profile_id)


def device_get_gpu_max_pcie_link_generation(device: int) -> int:
    """Retrieves the maximum PCIe link generation supported by this device.

    `nvmlDeviceGetGpuMaxPcieLinkGeneration` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetGpuMaxPcieLinkGeneration", "P *I", device)


def device_get_gpu_operation_mode(device: int) -> tuple[int, int]:
    """Retrieves the current GOM and pending GOM (the one that GPU will switch to after reboot).

    `nvmlDeviceGetGpuOperationMode` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetGpuOperationMode", "P *I *I", device)


def device_get_graphics_running_processes_v3(device: int) -> records.ProcessInfo:
    """Get information about processes with a graphics context on a device.

    `nvmlDeviceGetGraphicsRunningProcesses_v3` of C. Raises NvmlError.
    """
    return listed(records.ProcessInfo, "nvmlDeviceGetGraphicsRunningProcesses_v3", "P", device)


def device_get_grid_licensable_features_v4(device: int) -> records.GridLicensableFeatures:
    """Retrieve the vGPU Software licensable features.

    `nvmlDeviceGetGridLicensableFeatures_v4` of C. Raises NvmlError.
    """
    return record(records.GridLicensableFeatures, "nvmlDeviceGetGridLicensableFeatures_v4", "P", device)


def device_get_gsp_firmware_mode(device: int) -> tuple[int, int]:
    """Retrieve GSP firmware mode.

    `nvmlDeviceGetGspFirmwareMode` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetGspFirmwareMode", "P *I *I", device)


def device_get_handle_by_index_v2(index: int) -> int:
    """Acquire the handle for a particular device, based on its index.

    `nvmlDeviceGetHandleByIndex_v2` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetHandleByIndex_v2", "I *P", index)


def device_get_handle_by_pci_bus_id_v2(pci_bus_id: str) -> int:
    """Acquire the handle for a particular device, based on its PCI bus id.

    `nvmlDeviceGetHandleByPciBusId_v2` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetHandleByPciBusId_v2", "z *P", pci_bus_id)


def device_get_handle_by_serial(serial: str) -> int:
    """Acquire the handle for a particular device, based on its board serial number.

    `nvmlDeviceGetHandleBySerial` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetHandleBySerial", "z *P", serial)


def device_get_handle_by_uuid(uuid: str) -> int:
    """Acquire the handle for a particular device, based on its globally unique immutable UUID (in ASCII format)
    associated with each device.

    `nvmlDeviceGetHandleByUUID` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetHandleByUUID", "z *P", uuid)


def device_get_host_vgpu_mode(device: int) -> int:
    """Queries if SR-IOV host operation is supported on a vGPU supported device.

    `nvmlDeviceGetHostVgpuMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetHostVgpuMode", "P *I", device)


def device_get_index(device: int) -> int:
    """Retrieves the NVML index of this device.

    `nvmlDeviceGetIndex` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetIndex", "P *I", device)


def device_get_inforom_configuration_checksum(device: int) -> int:
    """Retrieves the checksum of the configuration stored in the device's infoROM.

    `nvmlDeviceGetInforomConfigurationChecksum` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetInforomConfigurationChecksum", "P *I", device)


def device_get_inforom_image_version(device: int) -> str:
    """Retrieves the global infoROM image version For all products with an inforom.

    `nvmlDeviceGetInforomImageVersion` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetInforomImageVersion", "P", device)


def device_get_inforom_version(device: int, object: int) -> str:
    """Retrieves the version information for the device's infoROM object.

    `nvmlDeviceGetInforomVersion` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetInforomVersion", "P I", device, object)


def device_get_irq_num(device: int) -> int:
    """Gets the device's interrupt number.

    `nvmlDeviceGetIrqNum` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetIrqNum", "P *I", device)


def device_get_jpg_utilization(device: int) -> tuple[int, int]:
    """Retrieves the current utilization and sampling size in microseconds for the JPG.

    `nvmlDeviceGetJpgUtilization` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetJpgUtilization", "P *I *I", device)


def device_get_last_bbx_flush_time(device: int) -> tuple[int, int]:
    """Retrieves the timestamp and the duration of the last flush of the BBX (blackbox) infoROM object during the
    current run.

    `nvmlDeviceGetLastBBXFlushTime` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetLastBBXFlushTime", "P *Q *Q", device)


def device_get_margin_temperature(device: int) -> int:
    """Retrieves the thermal margin temperature (distance to nearest slowdown threshold).

    `nvmlDeviceGetMarginTemperature` of C. Raises NvmlError.
    """
    return int(field_of("nvmlDeviceGetMarginTemperature", "P @", 8, 16777224, "i", 4, device))


def device_get_max_clock_info(device: int, type: int) -> int:
    """Retrieves the maximum clock speeds for the device.

    `nvmlDeviceGetMaxClockInfo` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMaxClockInfo", "P I *I", device, type)


def device_get_max_customer_boost_clock(device: int, clock_type: int) -> int:
    """Retrieves the customer defined maximum boost clock speed specified by the given clock type.

    `nvmlDeviceGetMaxCustomerBoostClock` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMaxCustomerBoostClock", "P I *I", device, clock_type)


def device_get_max_mig_device_count(device: int) -> int:
    """Get the maximum number of MIG devices that can exist under a given parent NVML device.

    `nvmlDeviceGetMaxMigDeviceCount` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMaxMigDeviceCount", "P *I", device)


def device_get_max_pcie_link_generation(device: int) -> int:
    """Retrieves the maximum PCIe link generation possible with this device and system I.E.

    `nvmlDeviceGetMaxPcieLinkGeneration` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMaxPcieLinkGeneration", "P *I", device)


def device_get_max_pcie_link_width(device: int) -> int:
    """Retrieves the maximum PCIe link width possible with this device and system I.E.

    `nvmlDeviceGetMaxPcieLinkWidth` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMaxPcieLinkWidth", "P *I", device)


def device_get_mem_clk_min_max_vf_offset(device: int) -> tuple[int, int]:
    """Retrieve the MemClk (Memory Clock) min max VF offset value.

    `nvmlDeviceGetMemClkMinMaxVfOffset` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetMemClkMinMaxVfOffset", "P *i *i", device)


def device_get_mem_clk_vf_offset(device: int) -> int:
    """Retrieve the MemClk (Memory Clock) VF offset value.

    `nvmlDeviceGetMemClkVfOffset` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMemClkVfOffset", "P *i", device)


def device_get_memory_bus_width(device: int) -> int:
    """Gets the device's memory bus width.

    `nvmlDeviceGetMemoryBusWidth` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMemoryBusWidth", "P *I", device)


def device_get_memory_error_counter(device: int, error_type: int, counter_type: int, location_type: int) -> int:
    """Retrieves the requested memory error counter for the device.

    `nvmlDeviceGetMemoryErrorCounter` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMemoryErrorCounter", "P I I I *Q", device, error_type, counter_type, location_type)


def device_get_memory_info_v2(device: int) -> records.Memory_v2:
    """nvmlDeviceGetMemoryInfo_v2 accounts separately for reserved memory and includes it in the used memory amount.

    `nvmlDeviceGetMemoryInfo_v2` of C. Raises NvmlError.
    """
    return record(records.Memory_v2, "nvmlDeviceGetMemoryInfo_v2", "P", device)


def device_get_mig_device_handle_by_index(device: int, index: int) -> int:
    """Get MIG device handle for the given index under its parent NVML device.

    `nvmlDeviceGetMigDeviceHandleByIndex` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMigDeviceHandleByIndex", "P I *P", device, index)


def device_get_mig_mode(device: int) -> tuple[int, int]:
    """Get MIG mode for the device.

    `nvmlDeviceGetMigMode` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetMigMode", "P *I *I", device)


def device_get_min_max_clock_of_p_state(device: int, type: int, pstate: int) -> tuple[int, int]:
    """Retrieve min and max clocks of some clock domain for a given PState.

    `nvmlDeviceGetMinMaxClockOfPState` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetMinMaxClockOfPState", "P I I *I *I", device, type, pstate)


def device_get_min_max_fan_speed(device: int) -> tuple[int, int]:
    """Retrieves the min and max fan speed that user can set for the GPU fan.

    `nvmlDeviceGetMinMaxFanSpeed` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetMinMaxFanSpeed", "P *I *I", device)


def device_get_minor_number(device: int) -> int:
    """Retrieves minor number for the device.

    `nvmlDeviceGetMinorNumber` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMinorNumber", "P *I", device)


def device_get_module_id(device: int) -> int:
    """Get a unique identifier for the device module on the baseboard This API retrieves a unique identifier for
    each GPU module that exists on a given baseboard.

    `nvmlDeviceGetModuleId` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetModuleId", "P *I", device)


def device_get_mps_compute_running_processes_v3(device: int) -> records.ProcessInfo:
    """Get information about processes with a Multi-Process Service (MPS) compute context on a device.

    `nvmlDeviceGetMPSComputeRunningProcesses_v3` of C. Raises NvmlError.
    """
    return listed(records.ProcessInfo, "nvmlDeviceGetMPSComputeRunningProcesses_v3", "P", device)


def device_get_multi_gpu_board(device: int) -> int:
    """Retrieves whether the device is on a Multi-GPU Board Devices that are on multi-GPU boards will set
    multiGpuBool to a non-zero value.

    `nvmlDeviceGetMultiGpuBoard` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetMultiGpuBoard", "P *I", device)


def device_get_name(device: int) -> str:
    """Retrieves the name of this device.

    `nvmlDeviceGetName` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetName", "P", device)


def device_get_num_fans(device: int) -> int:
    """Retrieves the number of fans on the device.

    `nvmlDeviceGetNumFans` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNumFans", "P *I", device)


def device_get_num_gpu_cores(device: int) -> int:
    """Gets the device's core count.

    `nvmlDeviceGetNumGpuCores` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNumGpuCores", "P *I", device)


def device_get_numa_node_id(device: int) -> int:
    """Get the NUMA node of the given GPU device.

    `nvmlDeviceGetNumaNodeId` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNumaNodeId", "P *I", device)


def device_get_nvlink_bw_mode(device: int) -> records.NvlinkGetBwMode_v1:
    """Get the NvLink Reduced Bandwidth Mode for the device.

    `nvmlDeviceGetNvlinkBwMode` of C. Raises NvmlError.
    """
    return record(records.NvlinkGetBwMode_v1, "nvmlDeviceGetNvlinkBwMode", "P", device)


def device_get_nvlink_capability(device: int, link: int, capability: int) -> int:
    """Retrieves the requested capability from the device's NvLink for the link specified Please refer to the
    nvmlNvLinkCapability_t structure for the specific caps that can be queried The return value should be treated as
    a boolean.

    `nvmlDeviceGetNvLinkCapability` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNvLinkCapability", "P I I *I", device, link, capability)


def device_get_nvlink_error_counter(device: int, link: int, counter: int) -> int:
    """Retrieves the specified error counter value Please refer to nvmlNvLinkErrorCounter_t for error counters that
    are available.

    `nvmlDeviceGetNvLinkErrorCounter` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNvLinkErrorCounter", "P I I *Q", device, link, counter)


def device_get_nvlink_info(device: int) -> records.NvLinkInfo_v2:
    """Query NVLINK information associated with this device.

    `nvmlDeviceGetNvLinkInfo` of C. Raises NvmlError.
    """
    return record(records.NvLinkInfo_v2, "nvmlDeviceGetNvLinkInfo", "P", device)


def device_get_nvlink_remote_device_type(device: int, link: int) -> int:
    """Get the NVLink device type of the remote device connected over the given link.

    `nvmlDeviceGetNvLinkRemoteDeviceType` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNvLinkRemoteDeviceType", "P I *I", device, link)


def device_get_nvlink_remote_pci_info_v2(device: int, link: int) -> records.PciInfo:
    """Retrieves the PCI information for the remote node on a NvLink link Note: pciSubSystemId is not filled in this
    function and is indeterminate.

    `nvmlDeviceGetNvLinkRemotePciInfo_v2` of C. Raises NvmlError.
    """
    return record(records.PciInfo, "nvmlDeviceGetNvLinkRemotePciInfo_v2", "P I", device, link)


def device_get_nvlink_state(device: int, link: int) -> int:
    """Retrieves the state of the device's NvLink for the link specified.

    `nvmlDeviceGetNvLinkState` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNvLinkState", "P I *I", device, link)


def device_get_nvlink_supported_bw_modes(device: int) -> records.NvlinkSupportedBwModes_v1:
    """Get the supported NvLink Reduced Bandwidth Modes of the device.

    `nvmlDeviceGetNvlinkSupportedBwModes` of C. Raises NvmlError.
    """
    return record(records.NvlinkSupportedBwModes_v1, "nvmlDeviceGetNvlinkSupportedBwModes", "P", device)


def device_get_nvlink_version(device: int, link: int) -> int:
    """Retrieves the version of the device's NvLink for the link specified.

    `nvmlDeviceGetNvLinkVersion` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetNvLinkVersion", "P I *I", device, link)


def device_get_ofa_utilization(device: int) -> tuple[int, int]:
    """Retrieves the current utilization and sampling size in microseconds for the OFA (Optical Flow Accelerator).

    `nvmlDeviceGetOfaUtilization` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetOfaUtilization", "P *I *I", device)


def device_get_p2p_status(device1: int, device2: int, p2p_index: int) -> int:
    """Retrieve the status for a given p2p capability index between a given pair of GPU.

    `nvmlDeviceGetP2PStatus` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetP2PStatus", "P P I *I", device1, device2, p2p_index)


def device_get_pci_info_ext(device: int) -> records.PciInfoExt_v1:
    """Retrieves PCI attributes of this device.

    `nvmlDeviceGetPciInfoExt` of C. Raises NvmlError.
    """
    return record(records.PciInfoExt_v1, "nvmlDeviceGetPciInfoExt", "P", device)


def device_get_pci_info_v3(device: int) -> records.PciInfo:
    """Retrieves the PCI attributes of this device.

    `nvmlDeviceGetPciInfo_v3` of C. Raises NvmlError.
    """
    return record(records.PciInfo, "nvmlDeviceGetPciInfo_v3", "P", device)


def device_get_pcie_link_max_speed(device: int) -> int:
    """Gets the device's PCIE Max Link speed in MBPS.

    `nvmlDeviceGetPcieLinkMaxSpeed` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPcieLinkMaxSpeed", "P *I", device)


def device_get_pcie_replay_counter(device: int) -> int:
    """Retrieve the PCIe replay counter.

    `nvmlDeviceGetPcieReplayCounter` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPcieReplayCounter", "P *I", device)


def device_get_pcie_speed(device: int) -> int:
    """Gets the device's PCIe Link speed in Mbps.

    `nvmlDeviceGetPcieSpeed` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPcieSpeed", "P *I", device)


def device_get_pcie_throughput(device: int, counter: int) -> int:
    """Retrieve PCIe utilization information.

    `nvmlDeviceGetPcieThroughput` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPcieThroughput", "P I *I", device, counter)


def device_get_pdi(device: int) -> int:
    """Retrieves the Per Device Identifier (PDI) associated with this device.

    `nvmlDeviceGetPdi` of C. Raises NvmlError.
    """
    return int(field_of("nvmlDeviceGetPdi", "P @", 16, 16777232, "Q", 8, device))


def device_get_performance_modes(device: int) -> str:
    """Retrieves a performance mode string with all the performance modes defined for this device along with their
    associated GPU Clock and Memory Clock values.

    `nvmlDeviceGetPerformanceModes` of C. Raises NvmlError.
    """
    return str(field_of("nvmlDeviceGetPerformanceModes", "P @", 2052, 16779268, "s2048", 4, device))


def device_get_performance_state(device: int) -> int:
    """Retrieves the current performance state for the device.

    `nvmlDeviceGetPerformanceState` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPerformanceState", "P *I", device)


def device_get_persistence_mode(device: int) -> int:
    """Retrieves the persistence mode associated with this device.

    `nvmlDeviceGetPersistenceMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPersistenceMode", "P *I", device)


def device_get_pgpu_metadata_string(device: int) -> str:
    """Returns the properties of the physical GPU indicated by the device in an ascii-encoded string format.

    `nvmlDeviceGetPgpuMetadataString` of C. Raises NvmlError.
    """
    return text_of_size("nvmlDeviceGetPgpuMetadataString", "P", device)


def device_get_platform_info(device: int) -> records.PlatformInfo_v2:
    """Get platform information of this device.

    `nvmlDeviceGetPlatformInfo` of C. Raises NvmlError.
    """
    return record(records.PlatformInfo_v2, "nvmlDeviceGetPlatformInfo", "P", device)


def device_get_power_management_default_limit(device: int) -> int:
    """Retrieves default power management limit on this device, in milliwatts.

    `nvmlDeviceGetPowerManagementDefaultLimit` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPowerManagementDefaultLimit", "P *I", device)


def device_get_power_management_limit(device: int) -> int:
    """Retrieves the power management limit associated with this device.

    `nvmlDeviceGetPowerManagementLimit` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPowerManagementLimit", "P *I", device)


def device_get_power_management_limit_constraints(device: int) -> tuple[int, int]:
    """Retrieves information about possible values of power management limits on this device.

    `nvmlDeviceGetPowerManagementLimitConstraints` of C. Raises NvmlError.
    """
    return two("nvmlDeviceGetPowerManagementLimitConstraints", "P *I *I", device)


def device_get_power_mizer_mode_v1(device: int) -> records.DevicePowerMizerModes_v1:
    """Retrieves current power mizer mode on this device.

    `nvmlDeviceGetPowerMizerMode_v1` of C. Raises NvmlError.
    """
    return record(records.DevicePowerMizerModes_v1, "nvmlDeviceGetPowerMizerMode_v1", "P", device)


def device_get_power_source(device: int) -> int:
    """Gets the devices power source.

    `nvmlDeviceGetPowerSource` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPowerSource", "P *I", device)


def device_get_power_state(device: int) -> int:
    """See NVML's manual.

    `nvmlDeviceGetPowerState` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPowerState", "P *I", device)


def device_get_power_usage(device: int) -> int:
    """Retrieves power usage for this GPU in milliwatts and its associated circuitry (e.g.

    `nvmlDeviceGetPowerUsage` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetPowerUsage", "P *I", device)


def device_get_remapped_rows(device: int) -> tuple[int, int, int, int]:
    """Get number of remapped rows.

    `nvmlDeviceGetRemappedRows` of C. Raises NvmlError.
    """
    return four("nvmlDeviceGetRemappedRows", "P *I *I *I *I", device)


def device_get_repair_status(device: int) -> records.RepairStatus_v1:
    """Get the repair status for TPC/Channel repair.

    `nvmlDeviceGetRepairStatus` of C. Raises NvmlError.
    """
    return record(records.RepairStatus_v1, "nvmlDeviceGetRepairStatus", "P", device)


def device_get_retired_pages(device: int, cause: int) -> Any:
    """Returns the list of retired pages by source, including pages that are pending retirement The address
    information provided from this API is the hardware address of the page that was retired.

    `nvmlDeviceGetRetiredPages` of C. Raises NvmlError.
    """
    return listed("Q", "nvmlDeviceGetRetiredPages", "P I", device, cause)


def device_get_retired_pages_pending_status(device: int) -> int:
    """Check if any pages are pending retirement and need a reboot to fully retire.

    `nvmlDeviceGetRetiredPagesPendingStatus` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetRetiredPagesPendingStatus", "P *I", device)


def device_get_retired_pages_v2(device: int, cause: int) -> tuple[int, int, int]:
    """Returns the list of retired pages by source, including pages that are pending retirement The address
    information provided from this API is the hardware address of the page that was retired.

    `nvmlDeviceGetRetiredPages_v2` of C. Raises NvmlError.
    """
    return three("nvmlDeviceGetRetiredPages_v2", "P I *I *Q *Q", device, cause)


def device_get_row_remapper_histogram(device: int) -> records.RowRemapperHistogramValues:
    """Get the row remapper histogram.

    `nvmlDeviceGetRowRemapperHistogram` of C. Raises NvmlError.
    """
    return record(records.RowRemapperHistogramValues, "nvmlDeviceGetRowRemapperHistogram", "P", device)


def device_get_serial(device: int) -> str:
    """Retrieves the globally unique board serial number associated with this device's board.

    `nvmlDeviceGetSerial` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetSerial", "P", device)


def device_get_sram_ecc_error_status(device: int) -> records.EccSramErrorStatus_v1:
    """Get SRAM ECC error status of this device.

    `nvmlDeviceGetSramEccErrorStatus` of C. Raises NvmlError.
    """
    return record(records.EccSramErrorStatus_v1, "nvmlDeviceGetSramEccErrorStatus", "P", device)


def device_get_supported_clocks_event_reasons(device: int) -> int:
    """Retrieves bitmask of supported clocks event reasons that can be returned by
    nvmlDeviceGetCurrentClocksEventReasons For all fully supported products.

    `nvmlDeviceGetSupportedClocksEventReasons` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetSupportedClocksEventReasons", "P *Q", device)


def device_get_supported_event_types(device: int) -> int:
    """Returns information about events supported on device.

    `nvmlDeviceGetSupportedEventTypes` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetSupportedEventTypes", "P *Q", device)


def device_get_supported_graphics_clocks(device: int, memory_clock_m_hz: int) -> Any:
    """Retrieves the list of possible graphics clocks that can be used as an argument for
    nvmlDeviceSetGpuLockedClocks.

    `nvmlDeviceGetSupportedGraphicsClocks` of C. Raises NvmlError.
    """
    return listed("I", "nvmlDeviceGetSupportedGraphicsClocks", "P I", device, memory_clock_m_hz)


def device_get_supported_memory_clocks(device: int) -> Any:
    """Retrieves the list of possible memory clocks that can be used as an argument for
    nvmlDeviceSetMemoryLockedClocks.

    `nvmlDeviceGetSupportedMemoryClocks` of C. Raises NvmlError.
    """
    return listed("I", "nvmlDeviceGetSupportedMemoryClocks", "P", device)


def device_get_supported_vgpus(device: int) -> Any:
    """Retrieve the supported vGPU types on a physical GPU (device). An array of supported vGPU types for the
    physical GPU indicated by device is returned in the caller-supplied buffer pointed at by vgpuTypeIds.

    `nvmlDeviceGetSupportedVgpus` of C. Raises NvmlError.
    """
    return listed("I", "nvmlDeviceGetSupportedVgpus", "P", device)


def device_get_target_fan_speed(device: int, fan: int) -> int:
    """Retrieves the intended target speed of the device's specified fan.

    `nvmlDeviceGetTargetFanSpeed` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetTargetFanSpeed", "P I *I", device, fan)


def device_get_temperature_threshold(device: int, threshold_type: int) -> int:
    """Retrieves the temperature threshold for the GPU with the specified threshold type in degrees C.

    `nvmlDeviceGetTemperatureThreshold` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetTemperatureThreshold", "P I *I", device, threshold_type)


def device_get_thermal_settings(device: int, sensor_index: int) -> records.GpuThermalSettings:
    """Used to execute a list of thermal system instructions.

    `nvmlDeviceGetThermalSettings` of C. Raises NvmlError.
    """
    return record(records.GpuThermalSettings, "nvmlDeviceGetThermalSettings", "P I", device, sensor_index)


def device_get_topology_common_ancestor(device1: int, device2: int) -> int:
    """See NVML's manual.

    `nvmlDeviceGetTopologyCommonAncestor` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetTopologyCommonAncestor", "P P *I", device1, device2)


def device_get_total_ecc_errors(device: int, error_type: int, counter_type: int) -> int:
    """Retrieves the total ECC error counts for the device.

    `nvmlDeviceGetTotalEccErrors` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetTotalEccErrors", "P I I *Q", device, error_type, counter_type)


def device_get_total_energy_consumption(device: int) -> int:
    """Retrieves total energy consumption for this GPU in millijoules (mJ) since the driver was last reloaded.

    `nvmlDeviceGetTotalEnergyConsumption` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetTotalEnergyConsumption", "P *Q", device)


def device_get_utilization_rates(device: int) -> records.Utilization:
    """Retrieves the current utilization rates for the device's major subsystems.

    `nvmlDeviceGetUtilizationRates` of C. Raises NvmlError.
    """
    return record(records.Utilization, "nvmlDeviceGetUtilizationRates", "P", device)


def device_get_uuid(device: int) -> str:
    """Retrieves the globally unique immutable UUID associated with this device, as a 5 part hexadecimal string,
    that augments the immutable, board serial identifier.

    `nvmlDeviceGetUUID` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetUUID", "P", device)


def device_get_vbios_version(device: int) -> str:
    """Get VBIOS version of the device.

    `nvmlDeviceGetVbiosVersion` of C. Raises NvmlError.
    """
    return text("nvmlDeviceGetVbiosVersion", "P", device)


def device_get_vgpu_capabilities(device: int, capability: int) -> int:
    """Retrieve the requested vGPU capability for GPU.

    `nvmlDeviceGetVgpuCapabilities` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetVgpuCapabilities", "P I *I", device, capability)


def device_get_vgpu_heterogeneous_mode(device: int) -> int:
    """Get the vGPU heterogeneous mode for the device.

    `nvmlDeviceGetVgpuHeterogeneousMode` of C. Raises NvmlError.
    """
    return int(field_of("nvmlDeviceGetVgpuHeterogeneousMode", "P @", 8, 16777224, "I", 4, device))


def device_get_vgpu_instances_utilization_info(device: int) -> records.VgpuInstancesUtilizationInfo_v1:
    """Retrieves recent utilization for vGPU instances running on a physical GPU (device).

    `nvmlDeviceGetVgpuInstancesUtilizationInfo` of C. Raises NvmlError.
    """
    return record(records.VgpuInstancesUtilizationInfo_v1, "nvmlDeviceGetVgpuInstancesUtilizationInfo", "P", device)


def device_get_vgpu_process_utilization(device: int, last_seen_time_stamp: int) -> records.VgpuProcessUtilizationSample:
    """Retrieves current utilization for processes running on vGPUs on a physical GPU (device).

    `nvmlDeviceGetVgpuProcessUtilization` of C. Raises NvmlError.
    """
    return listed(
        records.VgpuProcessUtilizationSample, "nvmlDeviceGetVgpuProcessUtilization", "P Q", device, last_seen_time_stamp
    )


def device_get_vgpu_scheduler_capabilities(device: int) -> records.VgpuSchedulerCapabilities:
    """Returns the vGPU scheduler capabilities.

    `nvmlDeviceGetVgpuSchedulerCapabilities` of C. Raises NvmlError.
    """
    return record(records.VgpuSchedulerCapabilities, "nvmlDeviceGetVgpuSchedulerCapabilities", "P", device)


def device_get_vgpu_scheduler_log(device: int) -> records.VgpuSchedulerLog:
    """Returns the vGPU Software scheduler logs.

    `nvmlDeviceGetVgpuSchedulerLog` of C. Raises NvmlError.
    """
    return record(records.VgpuSchedulerLog, "nvmlDeviceGetVgpuSchedulerLog", "P", device)


def device_get_vgpu_scheduler_state(device: int) -> records.VgpuSchedulerGetState:
    """Returns the vGPU scheduler state.

    `nvmlDeviceGetVgpuSchedulerState` of C. Raises NvmlError.
    """
    return record(records.VgpuSchedulerGetState, "nvmlDeviceGetVgpuSchedulerState", "P", device)


def device_get_virtualization_mode(device: int) -> int:
    """This method is used to get the virtualization mode corresponding to the GPU.

    `nvmlDeviceGetVirtualizationMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceGetVirtualizationMode", "P *I", device)


def device_is_mig_device_handle(device: int) -> int:
    """Test if the given handle refers to a MIG device.

    `nvmlDeviceIsMigDeviceHandle` of C. Raises NvmlError.
    """
    return one("nvmlDeviceIsMigDeviceHandle", "P *I", device)


def device_modify_drain_state(pci_info: Addressed, new_state: int) -> None:
    """See NVML's manual.

    `nvmlDeviceModifyDrainState` of C. Raises NvmlError.
    """
    call("nvmlDeviceModifyDrainState", "@ I", pci_info, new_state)


def device_on_same_board(device1: int, device2: int) -> int:
    """Check if the GPU devices are on the same physical board.

    `nvmlDeviceOnSameBoard` of C. Raises NvmlError.
    """
    return one("nvmlDeviceOnSameBoard", "P P *i", device1, device2)


def device_power_smoothing_activate_preset_profile(device: int, profile: Addressed) -> None:
    """Activiate a specific preset profile for datacenter power smoothing.

    `nvmlDevicePowerSmoothingActivatePresetProfile` of C. Raises NvmlError.
    """
    call("nvmlDevicePowerSmoothingActivatePresetProfile", "P @", device, profile)


def device_power_smoothing_set_state(device: int, state: Addressed) -> None:
    """Enable or disable the Power Smoothing Feature.

    `nvmlDevicePowerSmoothingSetState` of C. Raises NvmlError.
    """
    call("nvmlDevicePowerSmoothingSetState", "P @", device, state)


def device_power_smoothing_update_preset_profile_param(device: int, profile: Addressed) -> None:
    """Update the value of a specific profile parameter contained within nvmlPowerSmoothingProfile_v1_t.

    `nvmlDevicePowerSmoothingUpdatePresetProfileParam` of C. Raises NvmlError.
    """
    call("nvmlDevicePowerSmoothingUpdatePresetProfileParam", "P @", device, profile)


def device_query_drain_state(pci_info: Addressed) -> int:
    """See NVML's manual.

    `nvmlDeviceQueryDrainState` of C. Raises NvmlError.
    """
    return one("nvmlDeviceQueryDrainState", "@ *I", pci_info)


def device_register_events(device: int, event_types: int, set: int) -> None:
    """Starts recording of events on a specified devices and add the events to specified nvmlEventSet_t.

    `nvmlDeviceRegisterEvents` of C. Raises NvmlError.
    """
    call("nvmlDeviceRegisterEvents", "P Q P", device, event_types, set)


def device_remove_gpu_v2(pci_info: Addressed, gpu_state: int, link_state: int) -> None:
    """This method will remove the specified GPU from the view of both NVML and the NVIDIA kernel driver as long as
    no other processes are attached.

    `nvmlDeviceRemoveGpu_v2` of C. Raises NvmlError.
    """
    call("nvmlDeviceRemoveGpu_v2", "@ I I", pci_info, gpu_state, link_state)


def device_reset_gpu_locked_clocks(device: int) -> None:
    """Resets the gpu clock to the default value This is the gpu clock that will be used after system reboot or
    driver reload.

    `nvmlDeviceResetGpuLockedClocks` of C. Raises NvmlError.
    """
    call("nvmlDeviceResetGpuLockedClocks", "P", device)


def device_reset_memory_locked_clocks(device: int) -> None:
    """Resets the memory clock to the default value This is the memory clock that will be used after system reboot
    or driver reload.

    `nvmlDeviceResetMemoryLockedClocks` of C. Raises NvmlError.
    """
    call("nvmlDeviceResetMemoryLockedClocks", "P", device)


def device_reset_nvlink_error_counters(device: int, link: int) -> None:
    """Resets all error counters to zero Please refer to nvmlNvLinkErrorCounter_t for the list of error counters
    that are reset.

    `nvmlDeviceResetNvLinkErrorCounters` of C. Raises NvmlError.
    """
    call("nvmlDeviceResetNvLinkErrorCounters", "P I", device, link)


def device_set_accounting_mode(device: int, mode: int) -> None:
    """Enables or disables per process accounting.

    `nvmlDeviceSetAccountingMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetAccountingMode", "P I", device, mode)


def device_set_api_restriction(device: int, api_type: int, is_restricted: int) -> None:
    """Changes the root/admin restructions on certain APIs.

    `nvmlDeviceSetAPIRestriction` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetAPIRestriction", "P I I", device, api_type, is_restricted)


def device_set_auto_boosted_clocks_enabled(device: int, enabled: int) -> None:
    """Try to set the current state of Auto Boosted clocks on a device.

    `nvmlDeviceSetAutoBoostedClocksEnabled` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetAutoBoostedClocksEnabled", "P I", device, enabled)


def device_set_clock_offsets(device: int, info: Addressed) -> None:
    """Control current clock offset of some clock domain for a given PState.

    `nvmlDeviceSetClockOffsets` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetClockOffsets", "P @", device, info)


def device_set_compute_mode(device: int, mode: int) -> None:
    """Set the compute mode for the device.

    `nvmlDeviceSetComputeMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetComputeMode", "P I", device, mode)


def device_set_conf_compute_unprotected_mem_size(device: int, size_ki_b: int) -> None:
    """Set Conf Computing Unprotected Memory Size.

    `nvmlDeviceSetConfComputeUnprotectedMemSize` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetConfComputeUnprotectedMemSize", "P Q", device, size_ki_b)


def device_set_cpu_affinity(device: int) -> None:
    """Sets the ideal affinity for the calling thread and device using the guidelines given in
    nvmlDeviceGetCpuAffinity(). Note, this is a change as of version 8.0.

    `nvmlDeviceSetCpuAffinity` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetCpuAffinity", "P", device)


def device_set_default_auto_boosted_clocks_enabled(device: int, enabled: int, flags: int) -> None:
    """Try to set the default state of Auto Boosted clocks on a device.

    `nvmlDeviceSetDefaultAutoBoostedClocksEnabled` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetDefaultAutoBoostedClocksEnabled", "P I I", device, enabled, flags)


def device_set_default_fan_speed_v2(device: int, fan: int) -> None:
    """Sets the speed of the fan control policy to default.

    `nvmlDeviceSetDefaultFanSpeed_v2` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetDefaultFanSpeed_v2", "P I", device, fan)


def device_set_dram_encryption_mode(device: int, dram_encryption: Addressed) -> None:
    """Set the DRAM Encryption mode for the device.

    `nvmlDeviceSetDramEncryptionMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetDramEncryptionMode", "P @", device, dram_encryption)


def device_set_driver_model(device: int, driver_model: int, flags: int) -> None:
    """Set the driver model for the device.

    `nvmlDeviceSetDriverModel` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetDriverModel", "P I I", device, driver_model, flags)


def device_set_ecc_mode(device: int, ecc: int) -> None:
    """Set the ECC mode for the device.

    `nvmlDeviceSetEccMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetEccMode", "P I", device, ecc)


def device_set_fan_control_policy(device: int, fan: int, policy: int) -> None:
    """Sets current fan control policy.

    `nvmlDeviceSetFanControlPolicy` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetFanControlPolicy", "P I I", device, fan, policy)


def device_set_fan_speed_v2(device: int, fan: int, speed: int) -> None:
    """Sets the speed of a specified fan.

    `nvmlDeviceSetFanSpeed_v2` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetFanSpeed_v2", "P I I", device, fan, speed)


def device_set_gpu_locked_clocks(device: int, min_gpu_clock_m_hz: int, max_gpu_clock_m_hz: int) -> None:
    """Set clocks that device will lock to.

    `nvmlDeviceSetGpuLockedClocks` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetGpuLockedClocks", "P I I", device, min_gpu_clock_m_hz, max_gpu_clock_m_hz)


def device_set_gpu_operation_mode(device: int, mode: int) -> None:
    """Sets new GOM.

    `nvmlDeviceSetGpuOperationMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetGpuOperationMode", "P I", device, mode)


def device_set_memory_locked_clocks(device: int, min_mem_clock_m_hz: int, max_mem_clock_m_hz: int) -> None:
    """Set memory clocks that device will lock to.

    `nvmlDeviceSetMemoryLockedClocks` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetMemoryLockedClocks", "P I I", device, min_mem_clock_m_hz, max_mem_clock_m_hz)


def device_set_mig_mode(device: int, mode: int) -> int:
    """Set MIG mode for the device.

    `nvmlDeviceSetMigMode` of C. Raises NvmlError.
    """
    return one("nvmlDeviceSetMigMode", "P I *I", device, mode)


def device_set_nvlink_bw_mode(device: int, set_bw_mode: Addressed) -> None:
    """Set the NvLink Reduced Bandwidth Mode for the device.

    `nvmlDeviceSetNvlinkBwMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetNvlinkBwMode", "P @", device, set_bw_mode)


def device_set_persistence_mode(device: int, mode: int) -> None:
    """Set the persistence mode for the device.

    `nvmlDeviceSetPersistenceMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetPersistenceMode", "P I", device, mode)


def device_set_power_mizer_mode_v1(device: int, power_mizer_mode: Addressed) -> None:
    """Sets the new power mizer mode.

    `nvmlDeviceSetPowerMizerMode_v1` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetPowerMizerMode_v1", "P @", device, power_mizer_mode)


def device_set_temperature_threshold(device: int, threshold_type: int, temp: Addressed) -> None:
    """Sets the temperature threshold for the GPU with the specified threshold type in degrees C.

    `nvmlDeviceSetTemperatureThreshold` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetTemperatureThreshold", "P I @", device, threshold_type, temp)


def device_set_vgpu_capabilities(device: int, capability: int, state: int) -> None:
    """Set the desirable vGPU capability of a device Refer to the nvmlDeviceVgpuCapability_t structure for the
    specific capabilities that can be set.

    `nvmlDeviceSetVgpuCapabilities` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetVgpuCapabilities", "P I I", device, capability, state)


def device_set_vgpu_heterogeneous_mode(device: int, mode: int) -> None:
    """Enable or disable vGPU heterogeneous mode for the device.

    `nvmlDeviceSetVgpuHeterogeneousMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetVgpuHeterogeneousMode", "P @", device, one_field(8, 16777224, "I", 4, mode))


def device_set_vgpu_scheduler_state(device: int, p_scheduler_state: Addressed) -> None:
    """Sets the vGPU scheduler state.

    `nvmlDeviceSetVgpuSchedulerState` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetVgpuSchedulerState", "P @", device, p_scheduler_state)


def device_set_virtualization_mode(device: int, virtual_mode: int) -> None:
    """This method is used to set the virtualization mode corresponding to the GPU.

    `nvmlDeviceSetVirtualizationMode` of C. Raises NvmlError.
    """
    call("nvmlDeviceSetVirtualizationMode", "P I", device, virtual_mode)


def device_validate_inforom(device: int) -> None:
    """Reads the infoROM from the flash and verifies the checksums.

    `nvmlDeviceValidateInforom` of C. Raises NvmlError.
    """
    call("nvmlDeviceValidateInforom", "P", device)


def event_set_create() -> int:
    """Create an empty set of events.

    `nvmlEventSetCreate` of C. Raises NvmlError.
    """
    return one("nvmlEventSetCreate", "*P")


def event_set_free(set: int) -> None:
    """Releases events in the set.

    `nvmlEventSetFree` of C. Raises NvmlError.
    """
    call("nvmlEventSetFree", "P", set)


def get_excluded_device_count() -> int:
    """Retrieves the number of excluded GPU devices in the system.

    `nvmlGetExcludedDeviceCount` of C. Raises NvmlError.
    """
    return one("nvmlGetExcludedDeviceCount", "*I")


def get_excluded_device_info_by_index(index: int) -> records.ExcludedDeviceInfo:
    """Acquire the device information for an excluded GPU device, based on its index.

    `nvmlGetExcludedDeviceInfoByIndex` of C. Raises NvmlError.
    """
    return record(records.ExcludedDeviceInfo, "nvmlGetExcludedDeviceInfoByIndex", "I", index)


def get_vgpu_compatibility(vgpu_metadata: Addressed, pgpu_metadata: Addressed) -> records.VgpuPgpuCompatibility:
    """Takes a vGPU instance metadata structure read from nvmlVgpuInstanceGetMetadata(), and a vGPU metadata
    structure for a physical GPU read from nvmlDeviceGetVgpuMetadata(), and returns compatibility information of the
    vGPU instance and the physical GPU.

    `nvmlGetVgpuCompatibility` of C. Raises NvmlError.
    """
    return record(records.VgpuPgpuCompatibility, "nvmlGetVgpuCompatibility", "@ @", vgpu_metadata, pgpu_metadata)


def get_vgpu_driver_capabilities(capability: int) -> int:
    """Retrieve the requested vGPU driver capability.

    `nvmlGetVgpuDriverCapabilities` of C. Raises NvmlError.
    """
    return one("nvmlGetVgpuDriverCapabilities", "I *I", capability)


def gpu_instance_create_compute_instance(gpu_instance: int, profile_id: int) -> int:
    """Create compute instance.

    `nvmlGpuInstanceCreateComputeInstance` of C. Raises NvmlError.
    """
    return one("nvmlGpuInstanceCreateComputeInstance", "P I *P", gpu_instance, profile_id)


def gpu_instance_create_compute_instance_with_placement(
    gpu_instance: int, profile_id: int, placement: Addressed
) -> int:
    """Create compute instance with the specified placement.

    `nvmlGpuInstanceCreateComputeInstanceWithPlacement` of C. Raises NvmlError.
    """
    return one("nvmlGpuInstanceCreateComputeInstanceWithPlacement", "P I @ *P", gpu_instance, profile_id, placement)


def gpu_instance_destroy(gpu_instance: int) -> None:
    """Destroy GPU instance.

    `nvmlGpuInstanceDestroy` of C. Raises NvmlError.
    """
    call("nvmlGpuInstanceDestroy", "P", gpu_instance)


def gpu_instance_get_active_vgpus(gpu_instance: int) -> records.ActiveVgpuInstanceInfo_v1:
    """Retrieve the active vGPU instances within a GPU instance.

    `nvmlGpuInstanceGetActiveVgpus` of C. Raises NvmlError.
    """
    return record(records.ActiveVgpuInstanceInfo_v1, "nvmlGpuInstanceGetActiveVgpus", "P", gpu_instance)


def gpu_instance_get_compute_instance_by_id(gpu_instance: int, id: int) -> int:
    """Get compute instance for given instance ID.

    `nvmlGpuInstanceGetComputeInstanceById` of C. Raises NvmlError.
    """
    return one("nvmlGpuInstanceGetComputeInstanceById", "P I *P", gpu_instance, id)


def gpu_instance_get_compute_instance_profile_info_v(
    gpu_instance: int, profile: int, eng_profile: int
) -> records.ComputeInstanceProfileInfo_v2:
    """Versioned wrapper around nvmlGpuInstanceGetComputeInstanceProfileInfo that accepts a versioned
    nvmlComputeInstanceProfileInfo_v2_t or later output structure.

    `nvmlGpuInstanceGetComputeInstanceProfileInfoV` of C. Raises NvmlError.
    """
    return record(
        records.ComputeInstanceProfileInfo_v2,
        "nvmlGpuInstanceGetComputeInstanceProfileInfoV",
        "P I I",
        gpu_instance,
        profile,
        eng_profile,
    )


def gpu_instance_get_compute_instance_remaining_capacity(gpu_instance: int, profile_id: int) -> int:
    """Get compute instance profile capacity.

    `nvmlGpuInstanceGetComputeInstanceRemainingCapacity` of C. Raises NvmlError.
    """
    return one("nvmlGpuInstanceGetComputeInstanceRemainingCapacity", "P I *I", gpu_instance, profile_id)


def gpu_instance_get_compute_instances(gpu_instance: int, profile_id: int) -> tuple[int, int]:
    """Get compute instances for given profile ID.

    `nvmlGpuInstanceGetComputeInstances` of C. Raises NvmlError.
    """
    return two("nvmlGpuInstanceGetComputeInstances", "P I *P *I", gpu_instance, profile_id)


def gpu_instance_get_creatable_vgpus(gpu_instance: int) -> records.VgpuTypeIdInfo_v1:
    """Query the currently creatable vGPU types on a specific GPU Instance.

    `nvmlGpuInstanceGetCreatableVgpus` of C. Raises NvmlError.
    """
    return record(records.VgpuTypeIdInfo_v1, "nvmlGpuInstanceGetCreatableVgpus", "P", gpu_instance)


def gpu_instance_get_info(gpu_instance: int) -> records.GpuInstanceInfo:
    """Get GPU instance information.

    `nvmlGpuInstanceGetInfo` of C. Raises NvmlError.
    """
    return record(records.GpuInstanceInfo, "nvmlGpuInstanceGetInfo", "P", gpu_instance)


def gpu_instance_get_vgpu_heterogeneous_mode(gpu_instance: int) -> int:
    """Get the vGPU heterogeneous mode for the GPU instance.

    `nvmlGpuInstanceGetVgpuHeterogeneousMode` of C. Raises NvmlError.
    """
    return int(field_of("nvmlGpuInstanceGetVgpuHeterogeneousMode", "P @", 8, 16777224, "I", 4, gpu_instance))


def gpu_instance_get_vgpu_scheduler_log(gpu_instance: int) -> records.VgpuSchedulerLogInfo_v1:
    """Returns the vGPU scheduler logs for the given GPU instance.

    `nvmlGpuInstanceGetVgpuSchedulerLog` of C. Raises NvmlError.
    """
    return record(records.VgpuSchedulerLogInfo_v1, "nvmlGpuInstanceGetVgpuSchedulerLog", "P", gpu_instance)


def gpu_instance_get_vgpu_scheduler_state(gpu_instance: int) -> records.VgpuSchedulerStateInfo_v1:
    """Returns the vGPU scheduler state for the given GPU instance.

    `nvmlGpuInstanceGetVgpuSchedulerState` of C. Raises NvmlError.
    """
    return record(records.VgpuSchedulerStateInfo_v1, "nvmlGpuInstanceGetVgpuSchedulerState", "P", gpu_instance)


def gpu_instance_set_vgpu_heterogeneous_mode(gpu_instance: int, mode: int) -> None:
    """Enable or disable vGPU heterogeneous mode for the GPU instance.

    `nvmlGpuInstanceSetVgpuHeterogeneousMode` of C. Raises NvmlError.
    """
    call("nvmlGpuInstanceSetVgpuHeterogeneousMode", "P @", gpu_instance, one_field(8, 16777224, "I", 4, mode))


def gpu_instance_set_vgpu_scheduler_state(gpu_instance: int, p_scheduler: Addressed) -> None:
    """Set vGPU scheduler state for the given GPU instance.

    `nvmlGpuInstanceSetVgpuSchedulerState` of C. Raises NvmlError.
    """
    call("nvmlGpuInstanceSetVgpuSchedulerState", "P @", gpu_instance, p_scheduler)


def init_v2() -> None:
    """Initialize NVML, but don't initialize any GPUs yet.

    `nvmlInit_v2` of C. Raises NvmlError.
    """
    call("nvmlInit_v2", "")


def init_with_flags(flags: int) -> None:
    """nvmlInitWithFlags is a variant of nvmlInit(), that allows passing a set of boolean values modifying the
    behaviour of nvmlInit(). Other than the 'flags' parameter it is completely similar to nvmlInit_v2.

    `nvmlInitWithFlags` of C. Raises NvmlError.
    """
    call("nvmlInitWithFlags", "I", flags)


def set_vgpu_version(vgpu_version: Addressed) -> None:
    """Override the preset range of vGPU versions supported by the NVIDIA vGPU Manager with a range set by an
    administrator.

    `nvmlSetVgpuVersion` of C. Raises NvmlError.
    """
    call("nvmlSetVgpuVersion", "@", vgpu_version)


def shutdown() -> None:
    """Shut down NVML by releasing all GPU resources previously allocated with nvmlInit_v2(). For all products.

    `nvmlShutdown` of C. Raises NvmlError.
    """
    call("nvmlShutdown", "")


def system_get_conf_compute_capabilities() -> records.ConfComputeSystemCaps:
    """Get Conf Computing System capabilities.

    `nvmlSystemGetConfComputeCapabilities` of C. Raises NvmlError.
    """
    return record(records.ConfComputeSystemCaps, "nvmlSystemGetConfComputeCapabilities", "")


def system_get_conf_compute_gpus_ready_state() -> int:
    """Get Conf Computing GPUs ready state.

    `nvmlSystemGetConfComputeGpusReadyState` of C. Raises NvmlError.
    """
    return one("nvmlSystemGetConfComputeGpusReadyState", "*I")


def system_get_conf_compute_key_rotation_threshold_info() -> int:
    """Get Conf Computing key rotation threshold detail.

    `nvmlSystemGetConfComputeKeyRotationThresholdInfo` of C. Raises NvmlError.
    """
    return int(field_of("nvmlSystemGetConfComputeKeyRotationThresholdInfo", "@", 16, 16777232, "Q", 8))


def system_get_conf_compute_settings() -> records.SystemConfComputeSettings_v1:
    """Get Conf Computing System Settings.

    `nvmlSystemGetConfComputeSettings` of C. Raises NvmlError.
    """
    return record(records.SystemConfComputeSettings_v1, "nvmlSystemGetConfComputeSettings", "")


def system_get_conf_compute_state() -> records.ConfComputeSystemState:
    """Get Conf Computing System State.

    `nvmlSystemGetConfComputeState` of C. Raises NvmlError.
    """
    return record(records.ConfComputeSystemState, "nvmlSystemGetConfComputeState", "")


def system_get_cuda_driver_version() -> int:
    """Retrieves the version of the CUDA driver.

    `nvmlSystemGetCudaDriverVersion` of C. Raises NvmlError.
    """
    return one("nvmlSystemGetCudaDriverVersion", "*i")


def system_get_cuda_driver_version_v2() -> int:
    """Retrieves the version of the CUDA driver from the shared library.

    `nvmlSystemGetCudaDriverVersion_v2` of C. Raises NvmlError.
    """
    return one("nvmlSystemGetCudaDriverVersion_v2", "*i")


def system_get_driver_version() -> str:
    """Retrieves the version of the system's graphics driver.

    `nvmlSystemGetDriverVersion` of C. Raises NvmlError.
    """
    return text("nvmlSystemGetDriverVersion", "")


def system_get_hic_version() -> records.HwbcEntry:
    """Retrieves the IDs and firmware versions for any Host Interface Cards (HICs) in the system.

    `nvmlSystemGetHicVersion` of C. Raises NvmlError.
    """
    return listed(records.HwbcEntry, "nvmlSystemGetHicVersion", "")


def system_get_nvlink_bw_mode() -> int:
    """Get the global nvlink bandwith mode.

    `nvmlSystemGetNvlinkBwMode` of C. Raises NvmlError.
    """
    return one("nvmlSystemGetNvlinkBwMode", "*I")


def system_get_nvml_version() -> str:
    """Retrieves the version of the NVML library.

    `nvmlSystemGetNVMLVersion` of C. Raises NvmlError.
    """
    return text("nvmlSystemGetNVMLVersion", "")


def system_get_process_name(pid: int) -> str:
    """Gets name of the process with provided process id For all products.

    `nvmlSystemGetProcessName` of C. Raises NvmlError.
    """
    return text("nvmlSystemGetProcessName", "I", pid)


def system_get_topology_gpu_set(cpu_number: int) -> Any:
    """Retrieve the set of GPUs that have a CPU affinity with the given CPU number For all products.

    `nvmlSystemGetTopologyGpuSet` of C. Raises NvmlError.
    """
    return listed("P", "nvmlSystemGetTopologyGpuSet", "I", cpu_number)


def system_set_conf_compute_gpus_ready_state(is_accepting_work: int) -> None:
    """Set Conf Computing GPUs ready state.

    `nvmlSystemSetConfComputeGpusReadyState` of C. Raises NvmlError.
    """
    call("nvmlSystemSetConfComputeGpusReadyState", "I", is_accepting_work)


def system_set_conf_compute_key_rotation_threshold_info(max_attacker_advantage: int) -> None:
    """Set Conf Computing key rotation threshold.

    `nvmlSystemSetConfComputeKeyRotationThresholdInfo` of C. Raises NvmlError.
    """
    call(
        "nvmlSystemSetConfComputeKeyRotationThresholdInfo", "@", one_field(16, 16777232, "Q", 8, max_attacker_advantage)
    )


def system_set_nvlink_bw_mode(nvlink_bw_mode: int) -> None:
    """Set the global nvlink bandwith mode.

    `nvmlSystemSetNvlinkBwMode` of C. Raises NvmlError.
    """
    call("nvmlSystemSetNvlinkBwMode", "I", nvlink_bw_mode)


def unit_get_count() -> int:
    """Retrieves the number of units in the system.

    `nvmlUnitGetCount` of C. Raises NvmlError.
    """
    return one("nvmlUnitGetCount", "*I")


def unit_get_devices(unit: int) -> Any:
    """Retrieves the set of GPU devices that are attached to the specified unit.

    `nvmlUnitGetDevices` of C. Raises NvmlError.
    """
    return listed("P", "nvmlUnitGetDevices", "P", unit)


def unit_get_fan_speed_info(unit: int) -> records.UnitFanSpeeds:
    """Retrieves the fan speed readings for the unit.

    `nvmlUnitGetFanSpeedInfo` of C. Raises NvmlError.
    """
    return record(records.UnitFanSpeeds, "nvmlUnitGetFanSpeedInfo", "P", unit)


def unit_get_handle_by_index(index: int) -> int:
    """Acquire the handle for a particular unit, based on its index.

    `nvmlUnitGetHandleByIndex` of C. Raises NvmlError.
    """
    return one("nvmlUnitGetHandleByIndex", "I *P", index)


def unit_get_led_state(unit: int) -> records.LedState:
    """Retrieves the LED state associated with this unit.

    `nvmlUnitGetLedState` of C. Raises NvmlError.
    """
    return record(records.LedState, "nvmlUnitGetLedState", "P", unit)


def unit_get_psu_info(unit: int) -> records.PSUInfo:
    """Retrieves the PSU stats for the unit.

    `nvmlUnitGetPsuInfo` of C. Raises NvmlError.
    """
    return record(records.PSUInfo, "nvmlUnitGetPsuInfo", "P", unit)


def unit_get_temperature(unit: int, type: int) -> int:
    """Retrieves the temperature readings for the unit, in degrees C.

    `nvmlUnitGetTemperature` of C. Raises NvmlError.
    """
    return one("nvmlUnitGetTemperature", "P I *I", unit, type)


def unit_get_unit_info(unit: int) -> records.UnitInfo:
    """Retrieves the static information associated with a unit.

    `nvmlUnitGetUnitInfo` of C. Raises NvmlError.
    """
    return record(records.UnitInfo, "nvmlUnitGetUnitInfo", "P", unit)


def unit_set_led_state(unit: int, color: int) -> None:
    """Set the LED state for the unit.

    `nvmlUnitSetLedState` of C. Raises NvmlError.
    """
    call("nvmlUnitSetLedState", "P I", unit, color)


def vgpu_instance_clear_accounting_pids(vgpu_instance: int) -> None:
    """Clears accounting information of the vGPU instance that have already terminated.

    `nvmlVgpuInstanceClearAccountingPids` of C. Raises NvmlError.
    """
    call("nvmlVgpuInstanceClearAccountingPids", "I", vgpu_instance)


def vgpu_instance_get_accounting_mode(vgpu_instance: int) -> int:
    """Queries the state of per process accounting mode on vGPU.

    `nvmlVgpuInstanceGetAccountingMode` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetAccountingMode", "I *I", vgpu_instance)


def vgpu_instance_get_accounting_pids(vgpu_instance: int) -> Any:
    """Queries list of processes running on vGPU that can be queried for accounting stats.

    `nvmlVgpuInstanceGetAccountingPids` of C. Raises NvmlError.
    """
    return listed("I", "nvmlVgpuInstanceGetAccountingPids", "I", vgpu_instance)


def vgpu_instance_get_accounting_stats(vgpu_instance: int, pid: int) -> records.AccountingStats:
    """Queries process's accounting stats.

    `nvmlVgpuInstanceGetAccountingStats` of C. Raises NvmlError.
    """
    return record(records.AccountingStats, "nvmlVgpuInstanceGetAccountingStats", "I I", vgpu_instance, pid)


def vgpu_instance_get_ecc_mode(vgpu_instance: int) -> int:
    """Retrieve the current ECC mode of vGPU instance.

    `nvmlVgpuInstanceGetEccMode` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetEccMode", "I *I", vgpu_instance)


def vgpu_instance_get_encoder_capacity(vgpu_instance: int) -> int:
    """Retrieve the encoder capacity of a vGPU instance, as a percentage of maximum encoder capacity with valid
    values in the range 0-100.

    `nvmlVgpuInstanceGetEncoderCapacity` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetEncoderCapacity", "I *I", vgpu_instance)


def vgpu_instance_get_encoder_sessions(vgpu_instance: int) -> records.EncoderSessionInfo:
    """Retrieves information about all active encoder sessions on a vGPU Instance.

    `nvmlVgpuInstanceGetEncoderSessions` of C. Raises NvmlError.
    """
    return listed(records.EncoderSessionInfo, "nvmlVgpuInstanceGetEncoderSessions", "I", vgpu_instance)


def vgpu_instance_get_encoder_stats(vgpu_instance: int) -> tuple[int, int, int]:
    """Retrieves the current encoder statistics of a vGPU Instance.

    `nvmlVgpuInstanceGetEncoderStats` of C. Raises NvmlError.
    """
    return three("nvmlVgpuInstanceGetEncoderStats", "I *I *I *I", vgpu_instance)


def vgpu_instance_get_fb_usage(vgpu_instance: int) -> int:
    """Retrieve the framebuffer usage in bytes.

    `nvmlVgpuInstanceGetFbUsage` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetFbUsage", "I *Q", vgpu_instance)


def vgpu_instance_get_fbc_sessions(vgpu_instance: int) -> records.FBCSessionInfo:
    """Retrieves information about active frame buffer capture sessions on a vGPU Instance.

    `nvmlVgpuInstanceGetFBCSessions` of C. Raises NvmlError.
    """
    return listed(records.FBCSessionInfo, "nvmlVgpuInstanceGetFBCSessions", "I", vgpu_instance)


def vgpu_instance_get_fbc_stats(vgpu_instance: int) -> records.FBCStats:
    """Retrieves the active frame buffer capture sessions statistics of a vGPU Instance.

    `nvmlVgpuInstanceGetFBCStats` of C. Raises NvmlError.
    """
    return record(records.FBCStats, "nvmlVgpuInstanceGetFBCStats", "I", vgpu_instance)


def vgpu_instance_get_frame_rate_limit(vgpu_instance: int) -> int:
    """Retrieve the frame rate limit set for the vGPU instance.

    `nvmlVgpuInstanceGetFrameRateLimit` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetFrameRateLimit", "I *I", vgpu_instance)


def vgpu_instance_get_gpu_instance_id(vgpu_instance: int) -> int:
    """Retrieve the GPU Instance ID for the given vGPU Instance.

    `nvmlVgpuInstanceGetGpuInstanceId` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetGpuInstanceId", "I *I", vgpu_instance)


def vgpu_instance_get_gpu_pci_id(vgpu_instance: int) -> str:
    """Retrieves the PCI Id of the given vGPU Instance i.e.

    `nvmlVgpuInstanceGetGpuPciId` of C. Raises NvmlError.
    """
    return text_of_size("nvmlVgpuInstanceGetGpuPciId", "I", vgpu_instance)


def vgpu_instance_get_license_info_v2(vgpu_instance: int) -> records.VgpuLicenseInfo:
    """Query the license information of the vGPU instance.

    `nvmlVgpuInstanceGetLicenseInfo_v2` of C. Raises NvmlError.
    """
    return record(records.VgpuLicenseInfo, "nvmlVgpuInstanceGetLicenseInfo_v2", "I", vgpu_instance)


def vgpu_instance_get_license_status(vgpu_instance: int) -> int:
    """See NVML's manual.

    `nvmlVgpuInstanceGetLicenseStatus` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetLicenseStatus", "I *I", vgpu_instance)


def vgpu_instance_get_mdev_uuid(vgpu_instance: int) -> str:
    """Retrieve the MDEV UUID of a vGPU instance.

    `nvmlVgpuInstanceGetMdevUUID` of C. Raises NvmlError.
    """
    return text("nvmlVgpuInstanceGetMdevUUID", "I", vgpu_instance)


def vgpu_instance_get_placement_id(vgpu_instance: int) -> int:
    """Query the placement ID of active vGPU instance.

    `nvmlVgpuInstanceGetPlacementId` of C. Raises NvmlError.
    """
    return int(field_of("nvmlVgpuInstanceGetPlacementId", "I @", 8, 16777224, "I", 4, vgpu_instance))


def vgpu_instance_get_runtime_state_size(vgpu_instance: int) -> int:
    """Retrieve the currently used runtime state size of the vGPU instance This size represents the maximum in-
    memory data size utilized by a vGPU instance during standard operation.

    `nvmlVgpuInstanceGetRuntimeStateSize` of C. Raises NvmlError.
    """
    return int(field_of("nvmlVgpuInstanceGetRuntimeStateSize", "I @", 16, 16777232, "Q", 8, vgpu_instance))


def vgpu_instance_get_type(vgpu_instance: int) -> int:
    """Retrieve the vGPU type of a vGPU instance.

    `nvmlVgpuInstanceGetType` of C. Raises NvmlError.
    """
    return one("nvmlVgpuInstanceGetType", "I *I", vgpu_instance)


def vgpu_instance_get_uuid(vgpu_instance: int) -> str:
    """Retrieve the UUID of a vGPU instance.

    `nvmlVgpuInstanceGetUUID` of C. Raises NvmlError.
    """
    return text("nvmlVgpuInstanceGetUUID", "I", vgpu_instance)


def vgpu_instance_get_vm_driver_version(vgpu_instance: int) -> str:
    """Retrieve the NVIDIA driver version installed in the VM associated with a vGPU.

    `nvmlVgpuInstanceGetVmDriverVersion` of C. Raises NvmlError.
    """
    return text("nvmlVgpuInstanceGetVmDriverVersion", "I", vgpu_instance)


def vgpu_instance_set_encoder_capacity(vgpu_instance: int, encoder_capacity: int) -> None:
    """Set the encoder capacity of a vGPU instance, as a percentage of maximum encoder capacity with valid values in
    the range 0-100.

    `nvmlVgpuInstanceSetEncoderCapacity` of C. Raises NvmlError.
    """
    call("nvmlVgpuInstanceSetEncoderCapacity", "I I", vgpu_instance, encoder_capacity)


def vgpu_type_get_bar1_info(vgpu_type_id: int) -> records.VgpuTypeBar1Info_v1:
    """Retrieve the BAR1 info for given vGPU type.

    `nvmlVgpuTypeGetBAR1Info` of C. Raises NvmlError.
    """
    return record(records.VgpuTypeBar1Info_v1, "nvmlVgpuTypeGetBAR1Info", "I", vgpu_type_id)


def vgpu_type_get_capabilities(vgpu_type_id: int, capability: int) -> int:
    """Retrieve the requested capability for a given vGPU type.

    `nvmlVgpuTypeGetCapabilities` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetCapabilities", "I I *I", vgpu_type_id, capability)


def vgpu_type_get_class(vgpu_type_id: int) -> str:
    """Retrieve the class of a vGPU type.

    `nvmlVgpuTypeGetClass` of C. Raises NvmlError.
    """
    return text_of_size("nvmlVgpuTypeGetClass", "I", vgpu_type_id)


def vgpu_type_get_device_id(vgpu_type_id: int) -> tuple[int, int]:
    """Retrieve the device ID of a vGPU type.

    `nvmlVgpuTypeGetDeviceID` of C. Raises NvmlError.
    """
    return two("nvmlVgpuTypeGetDeviceID", "I *Q *Q", vgpu_type_id)


def vgpu_type_get_fb_reservation(vgpu_type_id: int) -> int:
    """Retrieve the static framebuffer reservation of the vGPU type in bytes.

    `nvmlVgpuTypeGetFbReservation` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetFbReservation", "I *Q", vgpu_type_id)


def vgpu_type_get_frame_rate_limit(vgpu_type_id: int) -> int:
    """Retrieve the static frame rate limit value of the vGPU type.

    `nvmlVgpuTypeGetFrameRateLimit` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetFrameRateLimit", "I *I", vgpu_type_id)


def vgpu_type_get_framebuffer_size(vgpu_type_id: int) -> int:
    """Retrieve the vGPU framebuffer size in bytes.

    `nvmlVgpuTypeGetFramebufferSize` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetFramebufferSize", "I *Q", vgpu_type_id)


def vgpu_type_get_gpu_instance_profile_id(vgpu_type_id: int) -> int:
    """Retrieve the GPU Instance Profile ID for the given vGPU type ID.

    `nvmlVgpuTypeGetGpuInstanceProfileId` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetGpuInstanceProfileId", "I *I", vgpu_type_id)


def vgpu_type_get_gsp_heap_size(vgpu_type_id: int) -> int:
    """Retrieve the static GSP heap size of the vGPU type in bytes.

    `nvmlVgpuTypeGetGspHeapSize` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetGspHeapSize", "I *Q", vgpu_type_id)


def vgpu_type_get_license(vgpu_type_id: int) -> str:
    """Retrieve license requirements for a vGPU type The license type and version required to run the specified vGPU
    type is returned as an alphanumeric string, in the form '<license name>,<version>', for example 'GRID-Virtual-
    PC,2.0'. If a vGPU is runnable with* more than one type of license, the ...

    `nvmlVgpuTypeGetLicense` of C. Raises NvmlError.
    """
    return text("nvmlVgpuTypeGetLicense", "I", vgpu_type_id)


def vgpu_type_get_max_instances(device: int, vgpu_type_id: int) -> int:
    """Retrieve the maximum number of vGPU instances creatable on a device for given vGPU type.

    `nvmlVgpuTypeGetMaxInstances` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetMaxInstances", "P I *I", device, vgpu_type_id)


def vgpu_type_get_max_instances_per_vm(vgpu_type_id: int) -> int:
    """Retrieve the maximum number of vGPU instances supported per VM for given vGPU type.

    `nvmlVgpuTypeGetMaxInstancesPerVm` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetMaxInstancesPerVm", "I *I", vgpu_type_id)


def vgpu_type_get_name(vgpu_type_id: int) -> str:
    """Retrieve the vGPU type name.

    `nvmlVgpuTypeGetName` of C. Raises NvmlError.
    """
    return text_of_size("nvmlVgpuTypeGetName", "I", vgpu_type_id)


def vgpu_type_get_num_display_heads(vgpu_type_id: int) -> int:
    """Retrieve count of vGPU's supported display heads.

    `nvmlVgpuTypeGetNumDisplayHeads` of C. Raises NvmlError.
    """
    return one("nvmlVgpuTypeGetNumDisplayHeads", "I *I", vgpu_type_id)


def vgpu_type_get_resolution(vgpu_type_id: int, display_index: int) -> tuple[int, int]:
    """Retrieve vGPU display head's maximum supported resolution.

    `nvmlVgpuTypeGetResolution` of C. Raises NvmlError.
    """
    return two("nvmlVgpuTypeGetResolution", "I I *I *I", vgpu_type_id, display_index)
