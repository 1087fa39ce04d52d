"""Clocks and performance states."""

from __future__ import annotations

from cuox.cuda.bindings import nvml

from . import _choice
from .typing import ClockId, ClocksEventReasons, ClockType

_IDS = _choice.Table(
    lambda: {ClockId.CURRENT: nvml.ClockId.CURRENT, ClockId.CUSTOMER_BOOST_MAX: nvml.ClockId.CUSTOMER_BOOST_MAX}
)
_TYPES = _choice.Table(
    lambda: {
        ClockType.GRAPHICS: nvml.ClockType.CLOCK_GRAPHICS,
        ClockType.SM: nvml.ClockType.CLOCK_SM,
        ClockType.MEMORY: nvml.ClockType.CLOCK_MEM,
        ClockType.VIDEO: nvml.ClockType.CLOCK_VIDEO,
    }
)
REASONS = _choice.Table(
    lambda: {
        ClocksEventReasons.NONE: nvml.ClocksEventReasons.EVENT_REASON_NONE,
        ClocksEventReasons.GPU_IDLE: nvml.ClocksEventReasons.EVENT_REASON_GPU_IDLE,
        ClocksEventReasons.APPLICATIONS_CLOCKS_SETTING: nvml.ClocksEventReasons.EVENT_REASON_APPLICATIONS_CLOCKS_SETTING,
        ClocksEventReasons.SW_POWER_CAP: nvml.ClocksEventReasons.EVENT_REASON_SW_POWER_CAP,
        ClocksEventReasons.HW_SLOWDOWN: nvml.ClocksEventReasons.THROTTLE_REASON_HW_SLOWDOWN,
        ClocksEventReasons.SYNC_BOOST: nvml.ClocksEventReasons.EVENT_REASON_SYNC_BOOST,
        ClocksEventReasons.SW_THERMAL_SLOWDOWN: nvml.ClocksEventReasons.EVENT_REASON_SW_THERMAL_SLOWDOWN,
        ClocksEventReasons.HW_THERMAL_SLOWDOWN: nvml.ClocksEventReasons.THROTTLE_REASON_HW_THERMAL_SLOWDOWN,
        ClocksEventReasons.HW_POWER_BRAKE_SLOWDOWN: nvml.ClocksEventReasons.THROTTLE_REASON_HW_POWER_BRAKE_SLOWDOWN,
        ClocksEventReasons.DISPLAY_CLOCK_SETTING: nvml.ClocksEventReasons.EVENT_REASON_DISPLAY_CLOCK_SETTING,
    }
)


def pstate_number(pstate: int) -> int | None:
    """A performance state of NVML's as a number from 0 to 15; None if it is not known."""
    if pstate == nvml.Pstates.PSTATE_UNKNOWN:
        return None
    return int(pstate) - int(nvml.Pstates.PSTATE_0)


def _pstate(pstate: int) -> int:
    if not 0 <= pstate <= 15:
        raise ValueError(f"Invalid P-state: {pstate}. Must be between 0 and 15 inclusive.")
    return pstate + int(nvml.Pstates.PSTATE_0)


class ClockOffsets:
    """Offsets of a clock in MHz."""

    def __init__(self, clock_offset: nvml.ClockOffset_v1) -> None:
        self._clock_offset = clock_offset

    @property
    def clock_offset_mhz(self) -> int:
        """The offset."""
        return self._clock_offset.clock_offset_m_hz

    @property
    def max_offset_mhz(self) -> int:
        """The largest offset."""
        return self._clock_offset.max_clock_offset_m_hz

    @property
    def min_offset_mhz(self) -> int:
        """The smallest offset."""
        return self._clock_offset.min_clock_offset_m_hz


class ClockInfo:
    """A clock; speeds are in MHz. Everything raises NvmlError."""

    def __init__(self, handle: int, clock_type: ClockType | str) -> None:
        self._handle = handle
        self._clock_type = _choice.number(_TYPES, clock_type, "clock type")

    def get_current_mhz(self, clock_id: ClockId | str = ClockId.CURRENT) -> int:
        """The speed now, or another one of the clock. Raises ValueError."""
        return nvml.device_get_clock(self._handle, self._clock_type, _choice.number(_IDS, clock_id, "clock ID"))

    def get_max_mhz(self) -> int:
        """The highest speed."""
        return nvml.device_get_max_clock_info(self._handle, self._clock_type)

    def get_max_customer_boost_mhz(self) -> int:
        """The highest speed that the maker of the board allows."""
        return nvml.device_get_max_customer_boost_clock(self._handle, self._clock_type)

    def get_min_max_clock_of_pstate_mhz(self, pstate: int) -> tuple[int, int]:
        """The lowest and highest speeds in a performance state, 0 (fastest) to 15. Raises ValueError."""
        return nvml.device_get_min_max_clock_of_p_state(self._handle, self._clock_type, _pstate(pstate))

    def get_offsets(self, pstate: int) -> ClockOffsets:
        """The offsets in a performance state, 0 (fastest) to 15. Raises ValueError."""
        return ClockOffsets(nvml.device_get_clock_offsets(self._handle, self._clock_type, _pstate(pstate)))


class GpuDynamicPstatesUtilization:
    """How busy a part of the device is."""

    def __init__(self, utilization: object) -> None:
        self._utilization = utilization

    def _number(self, key: str) -> int:
        return int(getattr(self._utilization, key))

    @property
    def is_present(self) -> bool:
        """True if there is such a part."""
        return bool(self._number("b_is_present"))

    @property
    def percentage(self) -> int:
        """Percent of the last second in which it was busy."""
        return self._number("percentage")

    @property
    def inc_threshold(self) -> int:
        """The percentage above which the device gets faster."""
        return self._number("inc_threshold")

    @property
    def dec_threshold(self) -> int:
        """The percentage below which the device gets slower."""
        return self._number("dec_threshold")


class GpuDynamicPstatesInfo:
    """How busy the parts of the device are."""

    def __init__(self, gpu_dynamic_pstates_info: nvml.GpuDynamicPstatesInfo) -> None:
        self._gpu_dynamic_pstates_info = gpu_dynamic_pstates_info

    def __len__(self) -> int:
        return nvml.MAX_GPU_UTILIZATIONS

    def __getitem__(self, idx: int) -> GpuDynamicPstatesUtilization:
        if not 0 <= idx < len(self):
            raise IndexError("GPU dynamic P-states index out of range")
        return GpuDynamicPstatesUtilization(self._gpu_dynamic_pstates_info.utilization[idx])
