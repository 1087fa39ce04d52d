# By tools/nvml_bindings.py from nvml.h of CUDA 13.0, with the names of cuda-bindings 13.5.0.

"""Records, and the layouts of their memory."""

from __future__ import annotations

from .record import Array, Number, Numbers, Part, Parts, Pointed, Real, Record, RecordArray, Text, layout

__all__ = [
    "AccountingStats",
    "ActiveVgpuInstanceInfo_v1",
    "BAR1Memory",
    "BridgeChipHierarchy",
    "BridgeChipInfo",
    "C2cModeInfo_v1",
    "ClkMonFaultInfo",
    "ClkMonStatus",
    "ClockOffset_v1",
    "ComputeInstanceInfo",
    "ComputeInstancePlacement",
    "ComputeInstanceProfileInfo_v2",
    "ComputeInstanceProfileInfo_v3",
    "ConfComputeGpuAttestationReport",
    "ConfComputeGpuCertificate",
    "ConfComputeMemSizeInfo",
    "ConfComputeSystemCaps",
    "ConfComputeSystemState",
    "CoolerInfo_v1",
    "DeviceAddressingMode_v1",
    "DeviceAttributes",
    "DevicePowerMizerModes_v1",
    "EccSramErrorStatus_v1",
    "EccSramUniqueUncorrectedErrorCounts_v1",
    "EccSramUniqueUncorrectedErrorEntry_v1",
    "EncoderSessionInfo",
    "EventData",
    "ExcludedDeviceInfo",
    "FBCSessionInfo",
    "FBCStats",
    "FieldValue",
    "GpuDynamicPstatesInfo",
    "GpuFabricInfo_v2",
    "GpuFabricInfo_v3",
    "GpuInstanceInfo",
    "GpuInstancePlacement",
    "GpuInstanceProfileInfo_v3",
    "GpuThermalSettings",
    "GridLicensableFeature",
    "GridLicensableFeatures",
    "GridLicenseExpiry",
    "HwbcEntry",
    "LedState",
    "Memory",
    "Memory_v2",
    "NvLinkInfo_v1",
    "NvLinkInfo_v2",
    "NvlinkFirmwareInfo",
    "NvlinkFirmwareVersion",
    "NvlinkGetBwMode_v1",
    "NvlinkSetBwMode_v1",
    "NvlinkSupportedBwModes_v1",
    "PSUInfo",
    "PciInfo",
    "PciInfoExt_v1",
    "PlatformInfo_v1",
    "PlatformInfo_v2",
    "ProcessDetailList_v1",
    "ProcessDetail_v1",
    "ProcessInfo",
    "ProcessUtilizationInfo_v1",
    "ProcessUtilizationSample",
    "ProcessesUtilizationInfo_v1",
    "RepairStatus_v1",
    "RowRemapperHistogramValues",
    "Sample",
    "SystemConfComputeSettings_v1",
    "SystemEventData_v1",
    "UnitFanInfo",
    "UnitFanSpeeds",
    "UnitInfo",
    "Utilization",
    "Value",
    "VgpuCreatablePlacementInfo_v1",
    "VgpuInstanceUtilizationInfo_v1",
    "VgpuInstanceUtilizationSample",
    "VgpuInstancesUtilizationInfo_v1",
    "VgpuLicenseExpiry",
    "VgpuLicenseInfo",
    "VgpuMetadata",
    "VgpuPgpuCompatibility",
    "VgpuPgpuMetadata",
    "VgpuPlacementList_v2",
    "VgpuProcessUtilizationInfo_v1",
    "VgpuProcessUtilizationSample",
    "VgpuProcessesUtilizationInfo_v1",
    "VgpuSchedulerCapabilities",
    "VgpuSchedulerGetState",
    "VgpuSchedulerLog",
    "VgpuSchedulerLogEntry",
    "VgpuSchedulerLogInfo_v1",
    "VgpuSchedulerParams",
    "VgpuSchedulerSetParams",
    "VgpuSchedulerStateInfo_v1",
    "VgpuSchedulerState_v1",
    "VgpuTypeBar1Info_v1",
    "VgpuTypeIdInfo_v1",
    "VgpuVersion",
    "accounting_stats_dtype",
    "active_vgpu_instance_info_v1_dtype",
    "ba_r1memory_dtype",
    "bridge_chip_hierarchy_dtype",
    "bridge_chip_info_dtype",
    "c2c_mode_info_v1_dtype",
    "clk_mon_fault_info_dtype",
    "clk_mon_status_dtype",
    "clock_offset_v1_dtype",
    "compute_instance_info_dtype",
    "compute_instance_placement_dtype",
    "compute_instance_profile_info_v2_dtype",
    "compute_instance_profile_info_v3_dtype",
    "conf_compute_gpu_attestation_report_dtype",
    "conf_compute_gpu_certificate_dtype",
    "conf_compute_mem_size_info_dtype",
    "conf_compute_system_caps_dtype",
    "conf_compute_system_state_dtype",
    "cooler_info_v1_dtype",
    "device_addressing_mode_v1_dtype",
    "device_attributes_dtype",
    "device_power_mizer_modes_v1_dtype",
    "ecc_sram_error_status_v1_dtype",
    "ecc_sram_unique_uncorrected_error_counts_v1_dtype",
    "ecc_sram_unique_uncorrected_error_entry_v1_dtype",
    "encoder_session_info_dtype",
    "event_data_dtype",
    "excluded_device_info_dtype",
    "fbc_session_info_dtype",
    "fbc_stats_dtype",
    "field_value_dtype",
    "gpu_dynamic_pstates_info_dtype",
    "gpu_fabric_info_v2_dtype",
    "gpu_fabric_info_v3_dtype",
    "gpu_instance_info_dtype",
    "gpu_instance_placement_dtype",
    "gpu_instance_profile_info_v3_dtype",
    "gpu_thermal_settings_dtype",
    "grid_licensable_feature_dtype",
    "grid_licensable_features_dtype",
    "grid_license_expiry_dtype",
    "hwbc_entry_dtype",
    "led_state_dtype",
    "memory_dtype",
    "memory_v2_dtype",
    "nv_link_info_v1_dtype",
    "nv_link_info_v2_dtype",
    "nvlink_firmware_info_dtype",
    "nvlink_firmware_version_dtype",
    "nvlink_get_bw_mode_v1_dtype",
    "nvlink_set_bw_mode_v1_dtype",
    "nvlink_supported_bw_modes_v1_dtype",
    "pci_info_dtype",
    "pci_info_ext_v1_dtype",
    "platform_info_v1_dtype",
    "platform_info_v2_dtype",
    "process_detail_list_v1_dtype",
    "process_detail_v1_dtype",
    "process_info_dtype",
    "process_utilization_info_v1_dtype",
    "process_utilization_sample_dtype",
    "processes_utilization_info_v1_dtype",
    "psu_info_dtype",
    "repair_status_v1_dtype",
    "row_remapper_histogram_values_dtype",
    "sample_dtype",
    "system_conf_compute_settings_v1_dtype",
    "system_event_data_v1_dtype",
    "unit_fan_info_dtype",
    "unit_fan_speeds_dtype",
    "unit_info_dtype",
    "utilization_dtype",
    "value_dtype",
    "vgpu_creatable_placement_info_v1_dtype",
    "vgpu_instance_utilization_info_v1_dtype",
    "vgpu_instance_utilization_sample_dtype",
    "vgpu_instances_utilization_info_v1_dtype",
    "vgpu_license_expiry_dtype",
    "vgpu_license_info_dtype",
    "vgpu_metadata_dtype",
    "vgpu_pgpu_compatibility_dtype",
    "vgpu_pgpu_metadata_dtype",
    "vgpu_placement_list_v2_dtype",
    "vgpu_process_utilization_info_v1_dtype",
    "vgpu_process_utilization_sample_dtype",
    "vgpu_processes_utilization_info_v1_dtype",
    "vgpu_scheduler_capabilities_dtype",
    "vgpu_scheduler_get_state_dtype",
    "vgpu_scheduler_log_dtype",
    "vgpu_scheduler_log_entry_dtype",
    "vgpu_scheduler_log_info_v1_dtype",
    "vgpu_scheduler_params_dtype",
    "vgpu_scheduler_set_params_dtype",
    "vgpu_scheduler_state_info_v1_dtype",
    "vgpu_scheduler_state_v1_dtype",
    "vgpu_type_bar1info_v1_dtype",
    "vgpu_type_id_info_v1_dtype",
    "vgpu_version_dtype",
]


pci_info_ext_v1_dtype = layout(
    64,
    ("version", "u4", 0),
    ("domain", "u4", 4),
    ("bus", "u4", 8),
    ("device_", "u4", 12),
    ("pci_device_id", "u4", 16),
    ("pci_sub_system_id", "u4", 20),
    ("base_class", "u4", 24),
    ("sub_class", "u4", 28),
    ("bus_id", ("i1", 32), 32),
)


class PciInfoExt_v1(Record):
    """`nvmlPciInfoExt_v1_t` of C."""

    _layout = pci_info_ext_v1_dtype
    _version = 16777280
    version = Number()
    domain = Number()
    bus = Number()
    device_ = Number()
    pci_device_id = Number()
    pci_sub_system_id = Number()
    base_class = Number()
    sub_class = Number()
    bus_id = Text()


pci_info_dtype = layout(
    68,
    ("bus_id_legacy", ("i1", 16), 0),
    ("domain", "u4", 16),
    ("bus", "u4", 20),
    ("device_", "u4", 24),
    ("pci_device_id", "u4", 28),
    ("pci_sub_system_id", "u4", 32),
    ("bus_id", ("i1", 32), 36),
)


class PciInfo(Record):
    """`nvmlPciInfo_t` of C."""

    _layout = pci_info_dtype
    bus_id_legacy = Text()
    domain = Number()
    bus = Number()
    device_ = Number()
    pci_device_id = Number()
    pci_sub_system_id = Number()
    bus_id = Text()


utilization_dtype = layout(8, ("gpu", "u4", 0), ("memory", "u4", 4))


class Utilization(Record):
    """`nvmlUtilization_t` of C."""

    _layout = utilization_dtype
    gpu = Number()
    memory = Number()


memory_dtype = layout(24, ("total", "u8", 0), ("free", "u8", 8), ("used", "u8", 16))


class Memory(Record):
    """`nvmlMemory_t` of C."""

    _layout = memory_dtype
    total = Number()
    free = Number()
    used = Number()


memory_v2_dtype = layout(
    40, ("version", "u4", 0), ("total", "u8", 8), ("reserved", "u8", 16), ("free", "u8", 24), ("used", "u8", 32)
)


class Memory_v2(Record):
    """`nvmlMemory_v2_t` of C."""

    _layout = memory_v2_dtype
    _version = 33554472
    version = Number()
    total = Number()
    reserved = Number()
    free = Number()
    used = Number()


ba_r1memory_dtype = layout(24, ("bar1_total", "u8", 0), ("bar1_free", "u8", 8), ("bar1_used", "u8", 16))


class BAR1Memory(Record):
    """`nvmlBAR1Memory_t` of C."""

    _layout = ba_r1memory_dtype
    bar1_total = Number()
    bar1_free = Number()
    bar1_used = Number()


process_info_dtype = layout(
    24, ("pid", "u4", 0), ("used_gpu_memory", "u8", 8), ("gpu_instance_id", "u4", 16), ("compute_instance_id", "u4", 20)
)


class ProcessInfo(RecordArray):
    """`nvmlProcessInfo_v2_t` of C."""

    _layout = process_info_dtype
    pid = Numbers()
    used_gpu_memory = Numbers()
    gpu_instance_id = Numbers()
    compute_instance_id = Numbers()


process_detail_v1_dtype = layout(
    32,
    ("pid", "u4", 0),
    ("used_gpu_memory", "u8", 8),
    ("gpu_instance_id", "u4", 16),
    ("compute_instance_id", "u4", 20),
    ("used_gpu_cc_protected_memory", "u8", 24),
)


class ProcessDetail_v1(RecordArray):
    """`nvmlProcessDetail_v1_t` of C."""

    _layout = process_detail_v1_dtype
    pid = Numbers()
    used_gpu_memory = Numbers()
    gpu_instance_id = Numbers()
    compute_instance_id = Numbers()
    used_gpu_cc_protected_memory = Numbers()


device_attributes_dtype = layout(
    40,
    ("multiprocessor_count", "u4", 0),
    ("shared_copy_engine_count", "u4", 4),
    ("shared_decoder_count", "u4", 8),
    ("shared_encoder_count", "u4", 12),
    ("shared_jpeg_count", "u4", 16),
    ("shared_ofa_count", "u4", 20),
    ("gpu_instance_slice_count", "u4", 24),
    ("compute_instance_slice_count", "u4", 28),
    ("memory_size_mb", "u8", 32),
)


class DeviceAttributes(Record):
    """`nvmlDeviceAttributes_t` of C."""

    _layout = device_attributes_dtype
    multiprocessor_count = Number()
    shared_copy_engine_count = Number()
    shared_decoder_count = Number()
    shared_encoder_count = Number()
    shared_jpeg_count = Number()
    shared_ofa_count = Number()
    gpu_instance_slice_count = Number()
    compute_instance_slice_count = Number()
    memory_size_mb = Number()


c2c_mode_info_v1_dtype = layout(4, ("is_c2c_enabled", "u4", 0))


class C2cModeInfo_v1(Record):
    """`nvmlC2cModeInfo_v1_t` of C."""

    _layout = c2c_mode_info_v1_dtype
    is_c2c_enabled = Number()


row_remapper_histogram_values_dtype = layout(
    20, ("max_", "u4", 0), ("high", "u4", 4), ("partial", "u4", 8), ("low", "u4", 12), ("none", "u4", 16)
)


class RowRemapperHistogramValues(Record):
    """`nvmlRowRemapperHistogramValues_t` of C."""

    _layout = row_remapper_histogram_values_dtype
    max_ = Number()
    high = Number()
    partial = Number()
    low = Number()
    none = Number()


bridge_chip_info_dtype = layout(8, ("type", "i4", 0), ("fw_version", "u4", 4))


class BridgeChipInfo(RecordArray):
    """`nvmlBridgeChipInfo_t` of C."""

    _layout = bridge_chip_info_dtype
    type = Numbers()
    fw_version = Numbers()


value_dtype = layout(
    8,
    ("d_val", "f8", 0),
    ("si_val", "i4", 0),
    ("ui_val", "u4", 0),
    ("ul_val", "u4", 0),
    ("ull_val", "u8", 0),
    ("sll_val", "i8", 0),
    ("us_val", "u2", 0),
)


class Value(Record):
    """`nvmlValue_t` of C."""

    _layout = value_dtype
    d_val = Real()
    si_val = Number()
    ui_val = Number()
    ul_val = Number()
    ull_val = Number()
    sll_val = Number()
    us_val = Number()


cooler_info_v1_dtype = layout(
    16, ("version", "u4", 0), ("index", "u4", 4), ("signal_type", "i4", 8), ("target", "i4", 12)
)


class CoolerInfo_v1(Record):
    """`nvmlCoolerInfo_v1_t` of C."""

    _layout = cooler_info_v1_dtype
    _version = 16777232
    version = Number()
    index = Number()
    signal_type = Number()
    target = Number()


clk_mon_fault_info_dtype = layout(8, ("clk_api_domain", "u4", 0), ("clk_domain_fault_mask", "u4", 4))


class ClkMonFaultInfo(RecordArray):
    """`nvmlClkMonFaultInfo_t` of C."""

    _layout = clk_mon_fault_info_dtype
    clk_api_domain = Numbers()
    clk_domain_fault_mask = Numbers()


clock_offset_v1_dtype = layout(
    24,
    ("version", "u4", 0),
    ("type", "i4", 4),
    ("pstate", "i4", 8),
    ("clock_offset_m_hz", "i4", 12),
    ("min_clock_offset_m_hz", "i4", 16),
    ("max_clock_offset_m_hz", "i4", 20),
)


class ClockOffset_v1(Record):
    """`nvmlClockOffset_v1_t` of C."""

    _layout = clock_offset_v1_dtype
    _version = 16777240
    version = Number()
    type = Number()
    pstate = Number()
    clock_offset_m_hz = Number()
    min_clock_offset_m_hz = Number()
    max_clock_offset_m_hz = Number()


process_utilization_sample_dtype = layout(
    32,
    ("pid", "u4", 0),
    ("time_stamp", "u8", 8),
    ("sm_util", "u4", 16),
    ("mem_util", "u4", 20),
    ("enc_util", "u4", 24),
    ("dec_util", "u4", 28),
)


class ProcessUtilizationSample(RecordArray):
    """`nvmlProcessUtilizationSample_t` of C."""

    _layout = process_utilization_sample_dtype
    pid = Numbers()
    time_stamp = Numbers()
    sm_util = Numbers()
    mem_util = Numbers()
    enc_util = Numbers()
    dec_util = Numbers()


process_utilization_info_v1_dtype = layout(
    40,
    ("time_stamp", "u8", 0),
    ("pid", "u4", 8),
    ("sm_util", "u4", 12),
    ("mem_util", "u4", 16),
    ("enc_util", "u4", 20),
    ("dec_util", "u4", 24),
    ("jpg_util", "u4", 28),
    ("ofa_util", "u4", 32),
)


class ProcessUtilizationInfo_v1(RecordArray):
    """`nvmlProcessUtilizationInfo_v1_t` of C."""

    _layout = process_utilization_info_v1_dtype
    time_stamp = Numbers()
    pid = Numbers()
    sm_util = Numbers()
    mem_util = Numbers()
    enc_util = Numbers()
    dec_util = Numbers()
    jpg_util = Numbers()
    ofa_util = Numbers()


ecc_sram_error_status_v1_dtype = layout(
    104,
    ("version", "u4", 0),
    ("aggregate_unc_parity", "u8", 8),
    ("aggregate_unc_sec_ded", "u8", 16),
    ("aggregate_cor", "u8", 24),
    ("volatile_unc_parity", "u8", 32),
    ("volatile_unc_sec_ded", "u8", 40),
    ("volatile_cor", "u8", 48),
    ("aggregate_unc_bucket_l2", "u8", 56),
    ("aggregate_unc_bucket_sm", "u8", 64),
    ("aggregate_unc_bucket_pcie", "u8", 72),
    ("aggregate_unc_bucket_mcu", "u8", 80),
    ("aggregate_unc_bucket_other", "u8", 88),
    ("b_threshold_exceeded", "u4", 96),
)


class EccSramErrorStatus_v1(Record):
    """`nvmlEccSramErrorStatus_v1_t` of C."""

    _layout = ecc_sram_error_status_v1_dtype
    _version = 16777320
    version = Number()
    aggregate_unc_parity = Number()
    aggregate_unc_sec_ded = Number()
    aggregate_cor = Number()
    volatile_unc_parity = Number()
    volatile_unc_sec_ded = Number()
    volatile_cor = Number()
    aggregate_unc_bucket_l2 = Number()
    aggregate_unc_bucket_sm = Number()
    aggregate_unc_bucket_pcie = Number()
    aggregate_unc_bucket_mcu = Number()
    aggregate_unc_bucket_other = Number()
    b_threshold_exceeded = Number()


platform_info_v1_dtype = layout(
    44,
    ("version", "u4", 0),
    ("ib_guid", ("u1", 16), 4),
    ("rack_guid", ("u1", 16), 20),
    ("chassis_physical_slot_number", "u1", 36),
    ("compute_slot_index", "u1", 37),
    ("node_index", "u1", 38),
    ("peer_type", "u1", 39),
    ("module_id", "u1", 40),
)


class PlatformInfo_v1(Record):
    """`nvmlPlatformInfo_v1_t` of C."""

    _layout = platform_info_v1_dtype
    _version = 16777260
    version = Number()
    ib_guid = Array()
    rack_guid = Array()
    chassis_physical_slot_number = Number()
    compute_slot_index = Number()
    node_index = Number()
    peer_type = Number()
    module_id = Number()


platform_info_v2_dtype = layout(
    44,
    ("version", "u4", 0),
    ("ib_guid", ("u1", 16), 4),
    ("chassis_serial_number", ("u1", 16), 20),
    ("slot_number", "u1", 36),
    ("tray_index", "u1", 37),
    ("host_id", "u1", 38),
    ("peer_type", "u1", 39),
    ("module_id", "u1", 40),
)


class PlatformInfo_v2(Record):
    """`nvmlPlatformInfo_v2_t` of C."""

    _layout = platform_info_v2_dtype
    _version = 33554476
    version = Number()
    ib_guid = Array()
    chassis_serial_number = Array()
    slot_number = Number()
    tray_index = Number()
    host_id = Number()
    peer_type = Number()
    module_id = Number()


vgpu_placement_list_v2_dtype = layout(
    32,
    ("version", "u4", 0),
    ("placement_size", "u4", 4),
    ("count", "u4", 8),
    ("placement_ids", "i8", 16),
    ("mode", "u4", 24),
)


class VgpuPlacementList_v2(Record):
    """`nvmlVgpuPlacementList_v2_t` of C."""

    _layout = vgpu_placement_list_v2_dtype
    _version = 33554464
    version = Number()
    placement_size = Number()
    placement_ids = Pointed("I", "count")
    mode = Number()


vgpu_type_bar1info_v1_dtype = layout(16, ("version", "u4", 0), ("bar1size", "u8", 8))


class VgpuTypeBar1Info_v1(Record):
    """`nvmlVgpuTypeBar1Info_v1_t` of C."""

    _layout = vgpu_type_bar1info_v1_dtype
    _version = 16777232
    version = Number()
    bar1size = Number()


vgpu_process_utilization_sample_dtype = layout(
    96,
    ("vgpu_instance", "u4", 0),
    ("pid", "u4", 4),
    ("process_name", ("i1", 64), 8),
    ("time_stamp", "u8", 72),
    ("sm_util", "u4", 80),
    ("mem_util", "u4", 84),
    ("enc_util", "u4", 88),
    ("dec_util", "u4", 92),
)


class VgpuProcessUtilizationSample(RecordArray):
    """`nvmlVgpuProcessUtilizationSample_t` of C."""

    _layout = vgpu_process_utilization_sample_dtype
    vgpu_instance = Numbers()
    pid = Numbers()
    process_name = Text()
    time_stamp = Numbers()
    sm_util = Numbers()
    mem_util = Numbers()
    enc_util = Numbers()
    dec_util = Numbers()


vgpu_process_utilization_info_v1_dtype = layout(
    104,
    ("process_name", ("i1", 64), 0),
    ("time_stamp", "u8", 64),
    ("vgpu_instance", "u4", 72),
    ("pid", "u4", 76),
    ("sm_util", "u4", 80),
    ("mem_util", "u4", 84),
    ("enc_util", "u4", 88),
    ("dec_util", "u4", 92),
    ("jpg_util", "u4", 96),
    ("ofa_util", "u4", 100),
)


class VgpuProcessUtilizationInfo_v1(RecordArray):
    """`nvmlVgpuProcessUtilizationInfo_v1_t` of C."""

    _layout = vgpu_process_utilization_info_v1_dtype
    process_name = Text()
    time_stamp = Numbers()
    vgpu_instance = Numbers()
    pid = Numbers()
    sm_util = Numbers()
    mem_util = Numbers()
    enc_util = Numbers()
    dec_util = Numbers()
    jpg_util = Numbers()
    ofa_util = Numbers()


vgpu_scheduler_log_entry_dtype = layout(
    48,
    ("timestamp", "u8", 0),
    ("time_run_total", "u8", 8),
    ("time_run", "u8", 16),
    ("sw_runlist_id", "u4", 24),
    ("target_time_slice", "u8", 32),
    ("cumulative_preemption_time", "u8", 40),
)


class VgpuSchedulerLogEntry(RecordArray):
    """`nvmlVgpuSchedulerLogEntry_t` of C."""

    _layout = vgpu_scheduler_log_entry_dtype
    timestamp = Numbers()
    time_run_total = Numbers()
    time_run = Numbers()
    sw_runlist_id = Numbers()
    target_time_slice = Numbers()
    cumulative_preemption_time = Numbers()


vgpu_scheduler_capabilities_dtype = layout(
    40,
    ("supported_schedulers", ("u4", 3), 0),
    ("max_timeslice", "u4", 12),
    ("min_timeslice", "u4", 16),
    ("is_arr_mode_supported", "u4", 20),
    ("max_frequency_for_arr", "u4", 24),
    ("min_frequency_for_arr", "u4", 28),
    ("max_avg_factor_for_arr", "u4", 32),
    ("min_avg_factor_for_arr", "u4", 36),
)


class VgpuSchedulerCapabilities(Record):
    """`nvmlVgpuSchedulerCapabilities_t` of C."""

    _layout = vgpu_scheduler_capabilities_dtype
    supported_schedulers = Array()
    max_timeslice = Number()
    min_timeslice = Number()
    is_arr_mode_supported = Number()
    max_frequency_for_arr = Number()
    min_frequency_for_arr = Number()
    max_avg_factor_for_arr = Number()
    min_avg_factor_for_arr = Number()


vgpu_license_expiry_dtype = layout(
    16,
    ("year", "u4", 0),
    ("month", "u2", 4),
    ("day", "u2", 6),
    ("hour", "u2", 8),
    ("min_", "u2", 10),
    ("sec", "u2", 12),
    ("status", "u1", 14),
)


class VgpuLicenseExpiry(Record):
    """`nvmlVgpuLicenseExpiry_t` of C."""

    _layout = vgpu_license_expiry_dtype
    year = Number()
    month = Number()
    day = Number()
    hour = Number()
    min_ = Number()
    sec = Number()
    status = Number()


grid_license_expiry_dtype = layout(
    16,
    ("year", "u4", 0),
    ("month", "u2", 4),
    ("day", "u2", 6),
    ("hour", "u2", 8),
    ("min_", "u2", 10),
    ("sec", "u2", 12),
    ("status", "u1", 14),
)


class GridLicenseExpiry(Record):
    """`nvmlGridLicenseExpiry_t` of C."""

    _layout = grid_license_expiry_dtype
    year = Number()
    month = Number()
    day = Number()
    hour = Number()
    min_ = Number()
    sec = Number()
    status = Number()


vgpu_type_id_info_v1_dtype = layout(16, ("version", "u4", 0), ("vgpu_count", "u4", 4), ("vgpu_type_ids", "i8", 8))


class VgpuTypeIdInfo_v1(Record):
    """`nvmlVgpuTypeIdInfo_v1_t` of C."""

    _layout = vgpu_type_id_info_v1_dtype
    _version = 16777232
    version = Number()
    vgpu_type_ids = Pointed("I", "vgpu_count")


active_vgpu_instance_info_v1_dtype = layout(
    16, ("version", "u4", 0), ("vgpu_count", "u4", 4), ("vgpu_instances", "i8", 8)
)


class ActiveVgpuInstanceInfo_v1(Record):
    """`nvmlActiveVgpuInstanceInfo_v1_t` of C."""

    _layout = active_vgpu_instance_info_v1_dtype
    _version = 16777232
    version = Number()
    vgpu_instances = Pointed("I", "vgpu_count")


vgpu_creatable_placement_info_v1_dtype = layout(
    32,
    ("version", "u4", 0),
    ("vgpu_type_id", "u4", 4),
    ("count", "u4", 8),
    ("placement_ids", "i8", 16),
    ("placement_size", "u4", 24),
)


class VgpuCreatablePlacementInfo_v1(Record):
    """`nvmlVgpuCreatablePlacementInfo_v1_t` of C."""

    _layout = vgpu_creatable_placement_info_v1_dtype
    _version = 16777248
    version = Number()
    vgpu_type_id = Number()
    count = Number()
    placement_ids = Pointed("I", "placement_size")


hwbc_entry_dtype = layout(36, ("hwbc_id", "u4", 0), ("firmware_version", ("i1", 32), 4))


class HwbcEntry(RecordArray):
    """`nvmlHwbcEntry_t` of C."""

    _layout = hwbc_entry_dtype
    hwbc_id = Numbers()
    firmware_version = Text()


led_state_dtype = layout(260, ("cause", ("i1", 256), 0), ("color", "i4", 256))


class LedState(Record):
    """`nvmlLedState_t` of C."""

    _layout = led_state_dtype
    cause = Text()
    color = Number()


unit_info_dtype = layout(
    384,
    ("name", ("i1", 96), 0),
    ("id", ("i1", 96), 96),
    ("serial", ("i1", 96), 192),
    ("firmware_version", ("i1", 96), 288),
)


class UnitInfo(Record):
    """`nvmlUnitInfo_t` of C."""

    _layout = unit_info_dtype
    name = Text()
    id = Text()
    serial = Text()
    firmware_version = Text()


psu_info_dtype = layout(
    268, ("state", ("i1", 256), 0), ("current", "u4", 256), ("voltage", "u4", 260), ("power", "u4", 264)
)


class PSUInfo(Record):
    """`nvmlPSUInfo_t` of C."""

    _layout = psu_info_dtype
    state = Text()
    current = Number()
    voltage = Number()
    power = Number()


unit_fan_info_dtype = layout(8, ("speed", "u4", 0), ("state", "i4", 4))


class UnitFanInfo(RecordArray):
    """`nvmlUnitFanInfo_t` of C."""

    _layout = unit_fan_info_dtype
    speed = Numbers()
    state = Numbers()


event_data_dtype = layout(
    32,
    ("device_", "i8", 0),
    ("event_type", "u8", 8),
    ("event_data", "u8", 16),
    ("gpu_instance_id", "u4", 24),
    ("compute_instance_id", "u4", 28),
)


class EventData(Record):
    """`nvmlEventData_t` of C."""

    _layout = event_data_dtype
    device_ = Number()
    event_type = Number()
    event_data = Number()
    gpu_instance_id = Number()
    compute_instance_id = Number()


system_event_data_v1_dtype = layout(16, ("event_type", "u8", 0), ("gpu_id", "u4", 8))


class SystemEventData_v1(RecordArray):
    """`nvmlSystemEventData_v1_t` of C."""

    _layout = system_event_data_v1_dtype
    event_type = Numbers()
    gpu_id = Numbers()


accounting_stats_dtype = layout(
    56,
    ("gpu_utilization", "u4", 0),
    ("memory_utilization", "u4", 4),
    ("max_memory_usage", "u8", 8),
    ("time", "u8", 16),
    ("start_time", "u8", 24),
    ("is_running", "u4", 32),
    ("reserved", ("u4", 5), 36),
)


class AccountingStats(Record):
    """`nvmlAccountingStats_t` of C."""

    _layout = accounting_stats_dtype
    gpu_utilization = Number()
    memory_utilization = Number()
    max_memory_usage = Number()
    time = Number()
    start_time = Number()
    is_running = Number()


encoder_session_info_dtype = layout(
    32,
    ("session_id", "u4", 0),
    ("pid", "u4", 4),
    ("vgpu_instance", "u4", 8),
    ("codec_type", "i4", 12),
    ("h_resolution", "u4", 16),
    ("v_resolution", "u4", 20),
    ("average_fps", "u4", 24),
    ("average_latency", "u4", 28),
)


class EncoderSessionInfo(RecordArray):
    """`nvmlEncoderSessionInfo_t` of C."""

    _layout = encoder_session_info_dtype
    session_id = Numbers()
    pid = Numbers()
    vgpu_instance = Numbers()
    codec_type = Numbers()
    h_resolution = Numbers()
    v_resolution = Numbers()
    average_fps = Numbers()
    average_latency = Numbers()


fbc_stats_dtype = layout(12, ("sessions_count", "u4", 0), ("average_fps", "u4", 4), ("average_latency", "u4", 8))


class FBCStats(Record):
    """`nvmlFBCStats_t` of C."""

    _layout = fbc_stats_dtype
    sessions_count = Number()
    average_fps = Number()
    average_latency = Number()


fbc_session_info_dtype = layout(
    48,
    ("session_id", "u4", 0),
    ("pid", "u4", 4),
    ("vgpu_instance", "u4", 8),
    ("display_ordinal", "u4", 12),
    ("session_type", "i4", 16),
    ("session_flags", "u4", 20),
    ("h_max_resolution", "u4", 24),
    ("v_max_resolution", "u4", 28),
    ("h_resolution", "u4", 32),
    ("v_resolution", "u4", 36),
    ("average_fps", "u4", 40),
    ("average_latency", "u4", 44),
)


class FBCSessionInfo(RecordArray):
    """`nvmlFBCSessionInfo_t` of C."""

    _layout = fbc_session_info_dtype
    session_id = Numbers()
    pid = Numbers()
    vgpu_instance = Numbers()
    display_ordinal = Numbers()
    session_type = Numbers()
    session_flags = Numbers()
    h_max_resolution = Numbers()
    v_max_resolution = Numbers()
    h_resolution = Numbers()
    v_resolution = Numbers()
    average_fps = Numbers()
    average_latency = Numbers()


conf_compute_system_caps_dtype = layout(8, ("cpu_caps", "u4", 0), ("gpus_caps", "u4", 4))


class ConfComputeSystemCaps(Record):
    """`nvmlConfComputeSystemCaps_t` of C."""

    _layout = conf_compute_system_caps_dtype
    cpu_caps = Number()
    gpus_caps = Number()


conf_compute_system_state_dtype = layout(
    12, ("environment", "u4", 0), ("cc_feature", "u4", 4), ("dev_tools_mode", "u4", 8)
)


class ConfComputeSystemState(Record):
    """`nvmlConfComputeSystemState_t` of C."""

    _layout = conf_compute_system_state_dtype
    environment = Number()
    cc_feature = Number()
    dev_tools_mode = Number()


system_conf_compute_settings_v1_dtype = layout(
    20,
    ("version", "u4", 0),
    ("environment", "u4", 4),
    ("cc_feature", "u4", 8),
    ("dev_tools_mode", "u4", 12),
    ("multi_gpu_mode", "u4", 16),
)


class SystemConfComputeSettings_v1(Record):
    """`nvmlSystemConfComputeSettings_v1_t` of C."""

    _layout = system_conf_compute_settings_v1_dtype
    _version = 16777236
    version = Number()
    environment = Number()
    cc_feature = Number()
    dev_tools_mode = Number()
    multi_gpu_mode = Number()


conf_compute_mem_size_info_dtype = layout(
    16, ("protected_mem_size_kib", "u8", 0), ("unprotected_mem_size_kib", "u8", 8)
)


class ConfComputeMemSizeInfo(Record):
    """`nvmlConfComputeMemSizeInfo_t` of C."""

    _layout = conf_compute_mem_size_info_dtype
    protected_mem_size_kib = Number()
    unprotected_mem_size_kib = Number()


conf_compute_gpu_certificate_dtype = layout(
    9224,
    ("cert_chain_size", "u4", 0),
    ("attestation_cert_chain_size", "u4", 4),
    ("cert_chain", ("u1", 4096), 8),
    ("attestation_cert_chain", ("u1", 5120), 4104),
)


class ConfComputeGpuCertificate(Record):
    """`nvmlConfComputeGpuCertificate_t` of C."""

    _layout = conf_compute_gpu_certificate_dtype
    cert_chain = Array("cert_chain_size")
    attestation_cert_chain = Array("attestation_cert_chain_size")


conf_compute_gpu_attestation_report_dtype = layout(
    12332,
    ("is_cec_attestation_report_present", "u4", 0),
    ("attestation_report_size", "u4", 4),
    ("cec_attestation_report_size", "u4", 8),
    ("nonce", ("u1", 32), 12),
    ("attestation_report", ("u1", 8192), 44),
    ("cec_attestation_report", ("u1", 4096), 8236),
)


class ConfComputeGpuAttestationReport(Record):
    """`nvmlConfComputeGpuAttestationReport_t` of C."""

    _layout = conf_compute_gpu_attestation_report_dtype
    is_cec_attestation_report_present = Number()
    nonce = Array()
    attestation_report = Array("attestation_report_size")
    cec_attestation_report = Array("cec_attestation_report_size")


gpu_fabric_info_v2_dtype = layout(
    36,
    ("version", "u4", 0),
    ("cluster_uuid", ("u1", 16), 4),
    ("status", "i4", 20),
    ("clique_id", "u4", 24),
    ("state", "u1", 28),
    ("health_mask", "u4", 32),
)


class GpuFabricInfo_v2(Record):
    """`nvmlGpuFabricInfo_v2_t` of C."""

    _layout = gpu_fabric_info_v2_dtype
    _version = 33554468
    version = Number()
    cluster_uuid = Array()
    status = Number()
    clique_id = Number()
    state = Number()
    health_mask = Number()


nvlink_supported_bw_modes_v1_dtype = layout(
    28, ("version", "u4", 0), ("bw_modes", ("u1", 23), 4), ("total_bw_modes", "u1", 27)
)


class NvlinkSupportedBwModes_v1(Record):
    """`nvmlNvlinkSupportedBwModes_v1_t` of C."""

    _layout = nvlink_supported_bw_modes_v1_dtype
    _version = 16777244
    version = Number()
    bw_modes = Array("total_bw_modes")


nvlink_get_bw_mode_v1_dtype = layout(12, ("version", "u4", 0), ("b_is_best", "u4", 4), ("bw_mode", "u1", 8))


class NvlinkGetBwMode_v1(Record):
    """`nvmlNvlinkGetBwMode_v1_t` of C."""

    _layout = nvlink_get_bw_mode_v1_dtype
    _version = 16777228
    version = Number()
    b_is_best = Number()
    bw_mode = Number()


nvlink_set_bw_mode_v1_dtype = layout(12, ("version", "u4", 0), ("b_set_best", "u4", 4), ("bw_mode", "u1", 8))


class NvlinkSetBwMode_v1(Record):
    """`nvmlNvlinkSetBwMode_v1_t` of C."""

    _layout = nvlink_set_bw_mode_v1_dtype
    _version = 16777228
    version = Number()
    b_set_best = Number()
    bw_mode = Number()


vgpu_version_dtype = layout(8, ("min_version", "u4", 0), ("max_version", "u4", 4))


class VgpuVersion(Record):
    """`nvmlVgpuVersion_t` of C."""

    _layout = vgpu_version_dtype
    min_version = Number()
    max_version = Number()


vgpu_metadata_dtype = layout(
    212,
    ("version", "u4", 0),
    ("revision", "u4", 4),
    ("guest_info_state", "i4", 8),
    ("guest_driver_version", ("i1", 80), 12),
    ("host_driver_version", ("i1", 80), 92),
    ("reserved", ("u4", 6), 172),
    ("vgpu_virtualization_caps", "u4", 196),
    ("guest_vgpu_version", "u4", 200),
    ("opaque_data_size", "u4", 204),
    ("opaque_data", ("i1", 4), 208),
)


class VgpuMetadata(Record):
    """`nvmlVgpuMetadata_t` of C."""

    _layout = vgpu_metadata_dtype
    version = Number()
    revision = Number()
    guest_info_state = Number()
    guest_driver_version = Text()
    host_driver_version = Text()
    vgpu_virtualization_caps = Number()
    guest_vgpu_version = Number()
    opaque_data_size = Number()
    opaque_data = Text()


vgpu_pgpu_compatibility_dtype = layout(8, ("vgpu_vm_compatibility", "i4", 0), ("compatibility_limit_code", "i4", 4))


class VgpuPgpuCompatibility(Record):
    """`nvmlVgpuPgpuCompatibility_t` of C."""

    _layout = vgpu_pgpu_compatibility_dtype
    vgpu_vm_compatibility = Number()
    compatibility_limit_code = Number()


gpu_instance_placement_dtype = layout(8, ("start", "u4", 0), ("size_", "u4", 4))


class GpuInstancePlacement(RecordArray):
    """`nvmlGpuInstancePlacement_t` of C."""

    _layout = gpu_instance_placement_dtype
    start = Numbers()
    size_ = Numbers()


gpu_instance_profile_info_v3_dtype = layout(
    152,
    ("version", "u4", 0),
    ("id", "u4", 4),
    ("slice_count", "u4", 8),
    ("instance_count", "u4", 12),
    ("multiprocessor_count", "u4", 16),
    ("copy_engine_count", "u4", 20),
    ("decoder_count", "u4", 24),
    ("encoder_count", "u4", 28),
    ("jpeg_count", "u4", 32),
    ("ofa_count", "u4", 36),
    ("memory_size_mb", "u8", 40),
    ("name", ("i1", 96), 48),
    ("capabilities", "u4", 144),
)


class GpuInstanceProfileInfo_v3(Record):
    """`nvmlGpuInstanceProfileInfo_v3_t` of C."""

    _layout = gpu_instance_profile_info_v3_dtype
    _version = 50331800
    version = Number()
    id = Number()
    slice_count = Number()
    instance_count = Number()
    multiprocessor_count = Number()
    copy_engine_count = Number()
    decoder_count = Number()
    encoder_count = Number()
    jpeg_count = Number()
    ofa_count = Number()
    memory_size_mb = Number()
    name = Text()
    capabilities = Number()


compute_instance_placement_dtype = layout(8, ("start", "u4", 0), ("size_", "u4", 4))


class ComputeInstancePlacement(RecordArray):
    """`nvmlComputeInstancePlacement_t` of C."""

    _layout = compute_instance_placement_dtype
    start = Numbers()
    size_ = Numbers()


compute_instance_profile_info_v2_dtype = layout(
    136,
    ("version", "u4", 0),
    ("id", "u4", 4),
    ("slice_count", "u4", 8),
    ("instance_count", "u4", 12),
    ("multiprocessor_count", "u4", 16),
    ("shared_copy_engine_count", "u4", 20),
    ("shared_decoder_count", "u4", 24),
    ("shared_encoder_count", "u4", 28),
    ("shared_jpeg_count", "u4", 32),
    ("shared_ofa_count", "u4", 36),
    ("name", ("i1", 96), 40),
)


class ComputeInstanceProfileInfo_v2(Record):
    """`nvmlComputeInstanceProfileInfo_v2_t` of C."""

    _layout = compute_instance_profile_info_v2_dtype
    _version = 33554568
    version = Number()
    id = Number()
    slice_count = Number()
    instance_count = Number()
    multiprocessor_count = Number()
    shared_copy_engine_count = Number()
    shared_decoder_count = Number()
    shared_encoder_count = Number()
    shared_jpeg_count = Number()
    shared_ofa_count = Number()
    name = Text()


compute_instance_profile_info_v3_dtype = layout(
    140,
    ("version", "u4", 0),
    ("id", "u4", 4),
    ("slice_count", "u4", 8),
    ("instance_count", "u4", 12),
    ("multiprocessor_count", "u4", 16),
    ("shared_copy_engine_count", "u4", 20),
    ("shared_decoder_count", "u4", 24),
    ("shared_encoder_count", "u4", 28),
    ("shared_jpeg_count", "u4", 32),
    ("shared_ofa_count", "u4", 36),
    ("name", ("i1", 96), 40),
    ("capabilities", "u4", 136),
)


class ComputeInstanceProfileInfo_v3(Record):
    """`nvmlComputeInstanceProfileInfo_v3_t` of C."""

    _layout = compute_instance_profile_info_v3_dtype
    _version = 50331788
    version = Number()
    id = Number()
    slice_count = Number()
    instance_count = Number()
    multiprocessor_count = Number()
    shared_copy_engine_count = Number()
    shared_decoder_count = Number()
    shared_encoder_count = Number()
    shared_jpeg_count = Number()
    shared_ofa_count = Number()
    name = Text()
    capabilities = Number()


device_addressing_mode_v1_dtype = layout(8, ("version", "u4", 0), ("value", "u4", 4))


class DeviceAddressingMode_v1(Record):
    """`nvmlDeviceAddressingMode_v1_t` of C."""

    _layout = device_addressing_mode_v1_dtype
    _version = 16777224
    version = Number()
    value = Number()


repair_status_v1_dtype = layout(
    12, ("version", "u4", 0), ("b_channel_repair_pending", "u4", 4), ("b_tpc_repair_pending", "u4", 8)
)


class RepairStatus_v1(Record):
    """`nvmlRepairStatus_v1_t` of C."""

    _layout = repair_status_v1_dtype
    _version = 16777228
    version = Number()
    b_channel_repair_pending = Number()
    b_tpc_repair_pending = Number()


device_power_mizer_modes_v1_dtype = layout(
    12, ("current_mode", "u4", 0), ("mode", "u4", 4), ("supported_power_mizer_modes", "u4", 8)
)


class DevicePowerMizerModes_v1(Record):
    """`nvmlDevicePowerMizerModes_v1_t` of C."""

    _layout = device_power_mizer_modes_v1_dtype
    current_mode = Number()
    mode = Number()
    supported_power_mizer_modes = Number()


ecc_sram_unique_uncorrected_error_entry_v1_dtype = layout(
    28,
    ("unit", "u4", 0),
    ("location", "u4", 4),
    ("sublocation", "u4", 8),
    ("extlocation", "u4", 12),
    ("address", "u4", 16),
    ("is_parity", "u4", 20),
    ("count", "u4", 24),
)


class EccSramUniqueUncorrectedErrorEntry_v1(RecordArray):
    """`nvmlEccSramUniqueUncorrectedErrorEntry_v1_t` of C."""

    _layout = ecc_sram_unique_uncorrected_error_entry_v1_dtype
    unit = Numbers()
    location = Numbers()
    sublocation = Numbers()
    extlocation = Numbers()
    address = Numbers()
    is_parity = Numbers()
    count = Numbers()


gpu_fabric_info_v3_dtype = layout(
    40,
    ("version", "u4", 0),
    ("cluster_uuid", ("u1", 16), 4),
    ("status", "i4", 20),
    ("clique_id", "u4", 24),
    ("state", "u1", 28),
    ("health_mask", "u4", 32),
    ("health_summary", "u1", 36),
)


class GpuFabricInfo_v3(Record):
    """`nvmlGpuFabricInfo_v3_t` of C."""

    _layout = gpu_fabric_info_v3_dtype
    _version = 50331688
    version = Number()
    cluster_uuid = Array()
    status = Number()
    clique_id = Number()
    state = Number()
    health_mask = Number()
    health_summary = Number()


nv_link_info_v1_dtype = layout(8, ("version", "u4", 0), ("is_nvle_enabled", "u4", 4))


class NvLinkInfo_v1(Record):
    """`nvmlNvLinkInfo_v1_t` of C."""

    _layout = nv_link_info_v1_dtype
    _version = 16777224
    version = Number()
    is_nvle_enabled = Number()


nvlink_firmware_version_dtype = layout(
    16, ("ucode_type", "u1", 0), ("major", "u4", 4), ("minor", "u4", 8), ("sub_minor", "u4", 12)
)


class NvlinkFirmwareVersion(RecordArray):
    """`nvmlNvlinkFirmwareVersion_t` of C."""

    _layout = nvlink_firmware_version_dtype
    ucode_type = Numbers()
    major = Numbers()
    minor = Numbers()
    sub_minor = Numbers()


_gputhermalsettings_sensor_dtype = layout(
    20,
    ("controller", "i4", 0),
    ("default_min_temp", "i4", 4),
    ("default_max_temp", "i4", 8),
    ("current_temp", "i4", 12),
    ("target", "i4", 16),
)


class _GpuThermalSettings_sensor(RecordArray):
    """A part of a record, without a name in C."""

    _layout = _gputhermalsettings_sensor_dtype
    controller = Numbers()
    default_min_temp = Numbers()
    default_max_temp = Numbers()
    current_temp = Numbers()
    target = Numbers()


gpu_thermal_settings_dtype = layout(
    64,
    ("count", "u4", 0),
    (
        "sensor",
        (
            layout(
                20,
                ("controller", "i4", 0),
                ("default_min_temp", "i4", 4),
                ("default_max_temp", "i4", 8),
                ("current_temp", "i4", 12),
                ("target", "i4", 16),
            ),
            3,
        ),
        4,
    ),
)


class GpuThermalSettings(Record):
    """`nvmlGpuThermalSettings_t` of C."""

    _layout = gpu_thermal_settings_dtype
    count = Number()
    sensor = Parts(_GpuThermalSettings_sensor, None)


_gpudynamicpstatesinfo_utilization_dtype = layout(
    16, ("b_is_present", "u4", 0), ("percentage", "u4", 4), ("inc_threshold", "u4", 8), ("dec_threshold", "u4", 12)
)


class _GpuDynamicPstatesInfo_utilization(RecordArray):
    """A part of a record, without a name in C."""

    _layout = _gpudynamicpstatesinfo_utilization_dtype
    b_is_present = Numbers()
    percentage = Numbers()
    inc_threshold = Numbers()
    dec_threshold = Numbers()


gpu_dynamic_pstates_info_dtype = layout(
    132,
    ("flags_", "u4", 0),
    (
        "utilization",
        (
            layout(
                16,
                ("b_is_present", "u4", 0),
                ("percentage", "u4", 4),
                ("inc_threshold", "u4", 8),
                ("dec_threshold", "u4", 12),
            ),
            8,
        ),
        4,
    ),
)


class GpuDynamicPstatesInfo(Record):
    """`nvmlGpuDynamicPstatesInfo_t` of C."""

    _layout = gpu_dynamic_pstates_info_dtype
    flags_ = Number()
    utilization = Parts(_GpuDynamicPstatesInfo_utilization, None)


_vgpuschedulerparams_vgpu_sched_data_with_arr_dtype = layout(8, ("avg_factor", "u4", 0), ("timeslice", "u4", 4))


class _VgpuSchedulerParams_vgpu_sched_data_with_arr(RecordArray):
    """A part of a record, without a name in C."""

    _layout = _vgpuschedulerparams_vgpu_sched_data_with_arr_dtype
    avg_factor = Numbers()
    timeslice = Numbers()


_vgpuschedulerparams_vgpu_sched_data_dtype = layout(4, ("timeslice", "u4", 0))


class _VgpuSchedulerParams_vgpu_sched_data(RecordArray):
    """A part of a record, without a name in C."""

    _layout = _vgpuschedulerparams_vgpu_sched_data_dtype
    timeslice = Numbers()


vgpu_scheduler_params_dtype = layout(
    8,
    ("vgpu_sched_data_with_arr", layout(8, ("avg_factor", "u4", 0), ("timeslice", "u4", 4)), 0),
    ("vgpu_sched_data", layout(4, ("timeslice", "u4", 0)), 0),
)


class VgpuSchedulerParams(Record):
    """`nvmlVgpuSchedulerParams_t` of C."""

    _layout = vgpu_scheduler_params_dtype
    vgpu_sched_data_with_arr = Part(_VgpuSchedulerParams_vgpu_sched_data_with_arr)
    vgpu_sched_data = Part(_VgpuSchedulerParams_vgpu_sched_data)


_vgpuschedulersetparams_vgpu_sched_data_with_arr_dtype = layout(8, ("avg_factor", "u4", 0), ("frequency", "u4", 4))


class _VgpuSchedulerSetParams_vgpu_sched_data_with_arr(RecordArray):
    """A part of a record, without a name in C."""

    _layout = _vgpuschedulersetparams_vgpu_sched_data_with_arr_dtype
    avg_factor = Numbers()
    frequency = Numbers()


_vgpuschedulersetparams_vgpu_sched_data_dtype = layout(4, ("timeslice", "u4", 0))


class _VgpuSchedulerSetParams_vgpu_sched_data(RecordArray):
    """A part of a record, without a name in C."""

    _layout = _vgpuschedulersetparams_vgpu_sched_data_dtype
    timeslice = Numbers()


vgpu_scheduler_set_params_dtype = layout(
    8,
    ("vgpu_sched_data_with_arr", layout(8, ("avg_factor", "u4", 0), ("frequency", "u4", 4)), 0),
    ("vgpu_sched_data", layout(4, ("timeslice", "u4", 0)), 0),
)


class VgpuSchedulerSetParams(Record):
    """`nvmlVgpuSchedulerSetParams_t` of C."""

    _layout = vgpu_scheduler_set_params_dtype
    vgpu_sched_data_with_arr = Part(_VgpuSchedulerSetParams_vgpu_sched_data_with_arr)
    vgpu_sched_data = Part(_VgpuSchedulerSetParams_vgpu_sched_data)


excluded_device_info_dtype = layout(148, ("pci_info", pci_info_dtype, 0), ("uuid", ("i1", 80), 68))


class ExcludedDeviceInfo(Record):
    """`nvmlExcludedDeviceInfo_t` of C."""

    _layout = excluded_device_info_dtype
    pci_info = Part(PciInfo)
    uuid = Text()


process_detail_list_v1_dtype = layout(
    24, ("version", "u4", 0), ("mode", "u4", 4), ("num_proc_array_entries", "u4", 8), ("proc_array", "i8", 16)
)


class ProcessDetailList_v1(Record):
    """`nvmlProcessDetailList_v1_t` of C."""

    _layout = process_detail_list_v1_dtype
    _version = 16777240
    version = Number()
    mode = Number()
    proc_array = Pointed(ProcessDetail_v1, "num_proc_array_entries")


bridge_chip_hierarchy_dtype = layout(
    1028, ("bridge_count", "u1", 0), ("bridge_chip_info", (bridge_chip_info_dtype, 128), 4)
)


class BridgeChipHierarchy(Record):
    """`nvmlBridgeChipHierarchy_t` of C."""

    _layout = bridge_chip_hierarchy_dtype
    bridge_chip_info = Parts(BridgeChipInfo, "bridge_count")


sample_dtype = layout(16, ("time_stamp", "u8", 0), ("sample_value", value_dtype, 8))


class Sample(RecordArray):
    """`nvmlSample_t` of C."""

    _layout = sample_dtype
    time_stamp = Numbers()
    sample_value = Array()


vgpu_instance_utilization_sample_dtype = layout(
    48,
    ("vgpu_instance", "u4", 0),
    ("time_stamp", "u8", 8),
    ("sm_util", value_dtype, 16),
    ("mem_util", value_dtype, 24),
    ("enc_util", value_dtype, 32),
    ("dec_util", value_dtype, 40),
)


class VgpuInstanceUtilizationSample(RecordArray):
    """`nvmlVgpuInstanceUtilizationSample_t` of C."""

    _layout = vgpu_instance_utilization_sample_dtype
    vgpu_instance = Numbers()
    time_stamp = Numbers()
    sm_util = Array()
    mem_util = Array()
    enc_util = Array()
    dec_util = Array()


vgpu_instance_utilization_info_v1_dtype = layout(
    64,
    ("time_stamp", "u8", 0),
    ("vgpu_instance", "u4", 8),
    ("sm_util", value_dtype, 16),
    ("mem_util", value_dtype, 24),
    ("enc_util", value_dtype, 32),
    ("dec_util", value_dtype, 40),
    ("jpg_util", value_dtype, 48),
    ("ofa_util", value_dtype, 56),
)


class VgpuInstanceUtilizationInfo_v1(RecordArray):
    """`nvmlVgpuInstanceUtilizationInfo_v1_t` of C."""

    _layout = vgpu_instance_utilization_info_v1_dtype
    time_stamp = Numbers()
    vgpu_instance = Numbers()
    sm_util = Array()
    mem_util = Array()
    enc_util = Array()
    dec_util = Array()
    jpg_util = Array()
    ofa_util = Array()


field_value_dtype = layout(
    40,
    ("field_id", "u4", 0),
    ("scope_id", "u4", 4),
    ("timestamp", "i8", 8),
    ("latency_usec", "i8", 16),
    ("value_type", "i4", 24),
    ("nvml_return", "i4", 28),
    ("value", value_dtype, 32),
)


class FieldValue(RecordArray):
    """`nvmlFieldValue_t` of C."""

    _layout = field_value_dtype
    field_id = Numbers()
    scope_id = Numbers()
    timestamp = Numbers()
    latency_usec = Numbers()
    value_type = Numbers()
    nvml_return = Numbers()
    value = Array()


clk_mon_status_dtype = layout(
    264,
    ("b_global_status", "u4", 0),
    ("clk_mon_list_size", "u4", 4),
    ("clk_mon_list", (clk_mon_fault_info_dtype, 32), 8),
)


class ClkMonStatus(Record):
    """`nvmlClkMonStatus_t` of C."""

    _layout = clk_mon_status_dtype
    b_global_status = Number()
    clk_mon_list = Parts(ClkMonFaultInfo, "clk_mon_list_size")


processes_utilization_info_v1_dtype = layout(
    24,
    ("version", "u4", 0),
    ("process_samples_count", "u4", 4),
    ("last_seen_time_stamp", "u8", 8),
    ("proc_util_array", "i8", 16),
)


class ProcessesUtilizationInfo_v1(Record):
    """`nvmlProcessesUtilizationInfo_v1_t` of C."""

    _layout = processes_utilization_info_v1_dtype
    _version = 16777240
    version = Number()
    last_seen_time_stamp = Number()
    proc_util_array = Pointed(ProcessUtilizationInfo_v1, "process_samples_count")


vgpu_processes_utilization_info_v1_dtype = layout(
    24,
    ("version", "u4", 0),
    ("vgpu_process_count", "u4", 4),
    ("last_seen_time_stamp", "u8", 8),
    ("vgpu_proc_util_array", "i8", 16),
)


class VgpuProcessesUtilizationInfo_v1(Record):
    """`nvmlVgpuProcessesUtilizationInfo_v1_t` of C."""

    _layout = vgpu_processes_utilization_info_v1_dtype
    _version = 16777240
    version = Number()
    last_seen_time_stamp = Number()
    vgpu_proc_util_array = Pointed(VgpuProcessUtilizationInfo_v1, "vgpu_process_count")


vgpu_license_info_dtype = layout(
    24, ("is_licensed", "u1", 0), ("license_expiry", vgpu_license_expiry_dtype, 4), ("current_state", "u4", 20)
)


class VgpuLicenseInfo(Record):
    """`nvmlVgpuLicenseInfo_t` of C."""

    _layout = vgpu_license_info_dtype
    is_licensed = Number()
    license_expiry = Part(VgpuLicenseExpiry)
    current_state = Number()


grid_licensable_feature_dtype = layout(
    284,
    ("feature_code", "i4", 0),
    ("feature_state", "u4", 4),
    ("license_info", ("i1", 128), 8),
    ("product_name", ("i1", 128), 136),
    ("feature_enabled", "u4", 264),
    ("license_expiry", grid_license_expiry_dtype, 268),
)


class GridLicensableFeature(RecordArray):
    """`nvmlGridLicensableFeature_t` of C."""

    _layout = grid_licensable_feature_dtype
    feature_code = Numbers()
    feature_state = Numbers()
    license_info = Text()
    product_name = Text()
    feature_enabled = Numbers()
    license_expiry = Array()


unit_fan_speeds_dtype = layout(196, ("fans", (unit_fan_info_dtype, 24), 0), ("count", "u4", 192))


class UnitFanSpeeds(Record):
    """`nvmlUnitFanSpeeds_t` of C."""

    _layout = unit_fan_speeds_dtype
    fans = Parts(UnitFanInfo, None)
    count = Number()


vgpu_pgpu_metadata_dtype = layout(
    128,
    ("version", "u4", 0),
    ("revision", "u4", 4),
    ("host_driver_version", ("i1", 80), 8),
    ("pgpu_virtualization_caps", "u4", 88),
    ("reserved", ("u4", 5), 92),
    ("host_supported_vgpu_range", vgpu_version_dtype, 112),
    ("opaque_data_size", "u4", 120),
    ("opaque_data", ("i1", 4), 124),
)


class VgpuPgpuMetadata(Record):
    """`nvmlVgpuPgpuMetadata_t` of C."""

    _layout = vgpu_pgpu_metadata_dtype
    version = Number()
    revision = Number()
    host_driver_version = Text()
    pgpu_virtualization_caps = Number()
    host_supported_vgpu_range = Part(VgpuVersion)
    opaque_data_size = Number()
    opaque_data = Text()


gpu_instance_info_dtype = layout(
    24, ("device_", "i8", 0), ("id", "u4", 8), ("profile_id", "u4", 12), ("placement", gpu_instance_placement_dtype, 16)
)


class GpuInstanceInfo(Record):
    """`nvmlGpuInstanceInfo_t` of C."""

    _layout = gpu_instance_info_dtype
    device_ = Number()
    id = Number()
    profile_id = Number()
    placement = Part(GpuInstancePlacement)


compute_instance_info_dtype = layout(
    32,
    ("device_", "i8", 0),
    ("gpu_instance", "i8", 8),
    ("id", "u4", 16),
    ("profile_id", "u4", 20),
    ("placement", compute_instance_placement_dtype, 24),
)


class ComputeInstanceInfo(Record):
    """`nvmlComputeInstanceInfo_t` of C."""

    _layout = compute_instance_info_dtype
    device_ = Number()
    gpu_instance = Number()
    id = Number()
    profile_id = Number()
    placement = Part(ComputeInstancePlacement)


ecc_sram_unique_uncorrected_error_counts_v1_dtype = layout(
    16, ("version", "u4", 0), ("entry_count", "u4", 4), ("entries", "i8", 8)
)


class EccSramUniqueUncorrectedErrorCounts_v1(Record):
    """`nvmlEccSramUniqueUncorrectedErrorCounts_v1_t` of C."""

    _layout = ecc_sram_unique_uncorrected_error_counts_v1_dtype
    _version = 16777232
    version = Number()
    entries = Pointed(EccSramUniqueUncorrectedErrorEntry_v1, "entry_count")


nvlink_firmware_info_dtype = layout(
    1604, ("firmware_version", (nvlink_firmware_version_dtype, 100), 0), ("num_valid_entries", "u4", 1600)
)


class NvlinkFirmwareInfo(Record):
    """`nvmlNvlinkFirmwareInfo_t` of C."""

    _layout = nvlink_firmware_info_dtype
    firmware_version = Parts(NvlinkFirmwareVersion, "num_valid_entries")


vgpu_scheduler_log_dtype = layout(
    9624,
    ("engine_id", "u4", 0),
    ("scheduler_policy", "u4", 4),
    ("arr_mode", "u4", 8),
    ("scheduler_params", vgpu_scheduler_params_dtype, 12),
    ("entries_count", "u4", 20),
    ("log_entries", (vgpu_scheduler_log_entry_dtype, 200), 24),
)


class VgpuSchedulerLog(Record):
    """`nvmlVgpuSchedulerLog_t` of C."""

    _layout = vgpu_scheduler_log_dtype
    engine_id = Number()
    scheduler_policy = Number()
    arr_mode = Number()
    scheduler_params = Part(VgpuSchedulerParams)
    entries_count = Number()
    log_entries = Parts(VgpuSchedulerLogEntry, None)


vgpu_scheduler_get_state_dtype = layout(
    16, ("scheduler_policy", "u4", 0), ("arr_mode", "u4", 4), ("scheduler_params", vgpu_scheduler_params_dtype, 8)
)


class VgpuSchedulerGetState(Record):
    """`nvmlVgpuSchedulerGetState_t` of C."""

    _layout = vgpu_scheduler_get_state_dtype
    scheduler_policy = Number()
    arr_mode = Number()
    scheduler_params = Part(VgpuSchedulerParams)


vgpu_scheduler_state_info_v1_dtype = layout(
    24,
    ("version", "u4", 0),
    ("engine_id", "u4", 4),
    ("scheduler_policy", "u4", 8),
    ("arr_mode", "u4", 12),
    ("scheduler_params", vgpu_scheduler_params_dtype, 16),
)


class VgpuSchedulerStateInfo_v1(Record):
    """`nvmlVgpuSchedulerStateInfo_v1_t` of C."""

    _layout = vgpu_scheduler_state_info_v1_dtype
    _version = 16777240
    version = Number()
    engine_id = Number()
    scheduler_policy = Number()
    arr_mode = Number()
    scheduler_params = Part(VgpuSchedulerParams)


vgpu_scheduler_log_info_v1_dtype = layout(
    9632,
    ("version", "u4", 0),
    ("engine_id", "u4", 4),
    ("scheduler_policy", "u4", 8),
    ("arr_mode", "u4", 12),
    ("scheduler_params", vgpu_scheduler_params_dtype, 16),
    ("entries_count", "u4", 24),
    ("log_entries", (vgpu_scheduler_log_entry_dtype, 200), 32),
)


class VgpuSchedulerLogInfo_v1(Record):
    """`nvmlVgpuSchedulerLogInfo_v1_t` of C."""

    _layout = vgpu_scheduler_log_info_v1_dtype
    _version = 16786848
    version = Number()
    engine_id = Number()
    scheduler_policy = Number()
    arr_mode = Number()
    scheduler_params = Part(VgpuSchedulerParams)
    entries_count = Number()
    log_entries = Parts(VgpuSchedulerLogEntry, None)


vgpu_scheduler_state_v1_dtype = layout(
    24,
    ("version", "u4", 0),
    ("engine_id", "u4", 4),
    ("scheduler_policy", "u4", 8),
    ("enable_arr_mode", "u4", 12),
    ("scheduler_params", vgpu_scheduler_set_params_dtype, 16),
)


class VgpuSchedulerState_v1(Record):
    """`nvmlVgpuSchedulerState_v1_t` of C."""

    _layout = vgpu_scheduler_state_v1_dtype
    _version = 16777240
    version = Number()
    engine_id = Number()
    scheduler_policy = Number()
    enable_arr_mode = Number()
    scheduler_params = Part(VgpuSchedulerSetParams)


vgpu_instances_utilization_info_v1_dtype = layout(
    32,
    ("version", "u4", 0),
    ("sample_val_type", "i4", 4),
    ("vgpu_instance_count", "u4", 8),
    ("last_seen_time_stamp", "u8", 16),
    ("vgpu_util_array", "i8", 24),
)


class VgpuInstancesUtilizationInfo_v1(Record):
    """`nvmlVgpuInstancesUtilizationInfo_v1_t` of C."""

    _layout = vgpu_instances_utilization_info_v1_dtype
    _version = 16777248
    version = Number()
    sample_val_type = Number()
    last_seen_time_stamp = Number()
    vgpu_util_array = Pointed(VgpuInstanceUtilizationInfo_v1, "vgpu_instance_count")


grid_licensable_features_dtype = layout(
    860,
    ("is_grid_license_supported", "i4", 0),
    ("licensable_features_count", "u4", 4),
    ("grid_licensable_features", (grid_licensable_feature_dtype, 3), 8),
)


class GridLicensableFeatures(Record):
    """`nvmlGridLicensableFeatures_t` of C."""

    _layout = grid_licensable_features_dtype
    is_grid_license_supported = Number()
    grid_licensable_features = Parts(GridLicensableFeature, "licensable_features_count")


nv_link_info_v2_dtype = layout(
    1612, ("version", "u4", 0), ("is_nvle_enabled", "u4", 4), ("firmware_info", nvlink_firmware_info_dtype, 8)
)


class NvLinkInfo_v2(Record):
    """`nvmlNvLinkInfo_v2_t` of C."""

    _layout = nv_link_info_v2_dtype
    _version = 33556044
    version = Number()
    is_nvle_enabled = Number()
    firmware_info = Part(NvlinkFirmwareInfo)
