"""Enumerations of `cuox.cuda.core.system`, of texts but for architectures and fields."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from cuox.cuda.bindings._internal.nvml import codes as _nvml

if TYPE_CHECKING:
    from cuox.cuda.bindings._internal.nvml.enumerations import FieldId

__all__ = [
    "AddressingMode",
    "AffinityScope",
    "ClockId",
    "ClockType",
    "ClocksEventReasons",
    "CoolerControl",
    "CoolerTarget",
    "DeviceArch",
    "EventType",
    "FanControlPolicy",
    "FieldId",
    "GpuP2PCapsIndex",
    "GpuP2PStatus",
    "GpuTopologyLevel",
    "InforomObject",
    "SystemEventType",
    "TemperatureThresholds",
    "ThermalController",
    "ThermalTarget",
]


class AddressingMode(StrEnum):
    """How a device reaches memory that the system has allocated."""

    HMM = "hmm"
    ATS = "ats"


class AffinityScope(StrEnum):
    """What is near: the same NUMA node, or the same socket."""

    NODE = "node"
    SOCKET = "socket"


class ClockId(StrEnum):
    """Which speed of a clock."""

    CURRENT = "current"
    CUSTOMER_BOOST_MAX = "customer_boost_max"


class ClocksEventReasons(StrEnum):
    """Why clocks are slower than they could be."""

    NONE = "none"
    GPU_IDLE = "gpu_idle"
    APPLICATIONS_CLOCKS_SETTING = "applications_clocks_setting"
    SW_POWER_CAP = "sw_power_cap"
    HW_SLOWDOWN = "hw_slowdown"
    SYNC_BOOST = "sync_boost"
    SW_THERMAL_SLOWDOWN = "sw_thermal_slowdown"
    HW_THERMAL_SLOWDOWN = "hw_thermal_slowdown"
    HW_POWER_BRAKE_SLOWDOWN = "hw_power_brake_slowdown"
    DISPLAY_CLOCK_SETTING = "display_clock_setting"


class ClockType(StrEnum):
    """Clocks; speeds are in MHz."""

    GRAPHICS = "graphics"
    SM = "sm"
    MEMORY = "memory"
    VIDEO = "video"


class CoolerControl(StrEnum):
    """A cooler that is switched on or off, or whose level is adjusted."""

    TOGGLE = "toggle"
    VARIABLE = "variable"


class CoolerTarget(StrEnum):
    """What a cooler cools."""

    NONE = "none"
    GPU = "gpu"
    MEMORY = "memory"
    POWER_SUPPLY = "power_supply"


class DeviceArch(IntEnum):
    """Architectures, in their order."""

    KEPLER = int(_nvml.DeviceArch.KEPLER)
    MAXWELL = int(_nvml.DeviceArch.MAXWELL)
    PASCAL = int(_nvml.DeviceArch.PASCAL)
    VOLTA = int(_nvml.DeviceArch.VOLTA)
    TURING = int(_nvml.DeviceArch.TURING)
    AMPERE = int(_nvml.DeviceArch.AMPERE)
    ADA = int(_nvml.DeviceArch.ADA)
    HOPPER = int(_nvml.DeviceArch.HOPPER)
    BLACKWELL = int(_nvml.DeviceArch.BLACKWELL)
    UNKNOWN = int(_nvml.DeviceArch.UNKNOWN)


class EventType(StrEnum):
    """Events of a device."""

    NONE = "none"
    SINGLE_BIT_ECC_ERROR = "single_bit_ecc_error"
    DOUBLE_BIT_ECC_ERROR = "double_bit_ecc_error"
    PSTATE = "pstate"
    XID_CRITICAL_ERROR = "xid_critical_error"
    CLOCK = "clock"
    POWER_SOURCE_CHANGE = "power_source_change"
    MIG_CONFIG_CHANGE = "mig_config_change"
    SINGLE_BIT_ECC_ERROR_STORM = "single_bit_ecc_error_storm"
    DRAM_RETIREMENT_EVENT = "dram_retirement_event"
    DRAM_RETIREMENT_FAILURE = "dram_retirement_failure"
    NON_FATAL_POISON_ERROR = "non_fatal_poison_error"
    FATAL_POISON_ERROR = "fatal_poison_error"
    GPU_UNAVAILABLE_ERROR = "gpu_unavailable_error"
    GPU_RECOVERY_ACTION = "gpu_recovery_action"


class FanControlPolicy(StrEnum):
    """Who sets a fan's speed."""

    TEMPERATURE_CONTROLLED = "temperature_controlled"
    MANUAL = "manual"


class GpuP2PCapsIndex(StrEnum):
    """What a device may be able to do with another one's memory."""

    READ = "read"
    WRITE = "write"
    NVLINK = "nvlink"
    ATOMICS = "atomics"
    PCI = "pci"
    PROP = "prop"
    UNKNOWN = "unknown"


class GpuP2PStatus(StrEnum):
    """Whether it can, or why not."""

    OK = "ok"
    CHIPSET_NOT_SUPPORTED = "chipset not supported"
    GPU_NOT_SUPPORTED = "GPU not supported"
    IOH_TOPOLOGY_NOT_SUPPORTED = "IOH topology not supported"
    DISABLED_BY_REGKEY = "disabled by regkey"
    NOT_SUPPORTED = "not supported"
    UNKNOWN = "unknown"


class GpuTopologyLevel(StrEnum):
    """What two devices have in common, from the nearest to the farthest."""

    INTERNAL = "internal"
    SINGLE = "single"
    MULTIPLE = "multiple"
    HOSTBRIDGE = "hostbridge"
    NODE = "node"
    SYSTEM = "system"


class InforomObject(StrEnum):
    """Objects of the InfoROM."""

    OEM = "oem"
    ECC = "ecc"
    POWER = "power"
    DEN = "den"


class SystemEventType(StrEnum):
    """Events of the system: a device's driver is bound or unbound."""

    UNBIND = "unbind"
    BIND = "bind"


class TemperatureThresholds(StrEnum):
    """Thresholds of temperature."""

    SHUTDOWN = "shutdown"
    SLOWDOWN = "slowdown"
    MEM_MAX = "mem_max"
    GPU_MAX = "gpu_max"
    ACOUSTIC_MIN = "acoustic_min"
    ACOUSTIC_CURR = "acoustic_curr"
    ACOUSTIC_MAX = "acoustic_max"
    GPS_CURR = "gps_curr"


class ThermalController(StrEnum):
    """Chips that read sensors."""

    GPU_INTERNAL = "gpu_internal"
    ADM1032 = "adm1032"
    ADT7461 = "adt7461"
    MAX6649 = "max6649"
    MAX1617 = "max1617"
    LM99 = "lm99"
    LM89 = "lm89"
    LM64 = "lm64"
    G781 = "g781"
    ADT7473 = "adt7473"
    SBMAX6649 = "sbmax6649"
    VBIOSEVT = "vbiosevt"
    OS = "os"
    NVSYSCON_CANOAS = "nvsyscon_canoas"
    NVSYSCON_E551 = "nvsyscon_e551"
    MAX6649R = "max6649r"
    ADT7473S = "adt7473s"
    UNKNOWN = "unknown"


class ThermalTarget(StrEnum):
    """What a sensor is about."""

    NONE = "none"
    GPU = "gpu"
    MEMORY = "memory"
    POWER_SUPPLY = "power_supply"
    BOARD = "board"
    VCD_BOARD = "vcd_board"
    VCD_INLET = "vcd_inlet"
    VCD_OUTLET = "vcd_outlet"
    ALL = "all"


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # It has hundreds of members.
        if name == "FieldId":
            from cuox.cuda.bindings._internal.nvml.enumerations import FieldId

            globals()[name] = FieldId
            return FieldId
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
