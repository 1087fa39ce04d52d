"""Coolers, fans and temperatures."""

from __future__ import annotations

import warnings
from typing import Any

from cuox.cuda.bindings import nvml

from . import _choice
from .typing import (
    CoolerControl,
    CoolerTarget,
    FanControlPolicy,
    TemperatureThresholds,
    ThermalController,
    ThermalTarget,
)

_CONTROLS = _choice.Table(
    lambda: {
        CoolerControl.TOGGLE: nvml.CoolerControl.THERMAL_COOLER_SIGNAL_TOGGLE,
        CoolerControl.VARIABLE: nvml.CoolerControl.THERMAL_COOLER_SIGNAL_VARIABLE,
    }
)
_COOLED = _choice.Table(
    lambda: {
        CoolerTarget.NONE: nvml.CoolerTarget.THERMAL_NONE,
        CoolerTarget.GPU: nvml.CoolerTarget.THERMAL_GPU,
        CoolerTarget.MEMORY: nvml.CoolerTarget.THERMAL_MEMORY,
        CoolerTarget.POWER_SUPPLY: nvml.CoolerTarget.THERMAL_POWER_SUPPLY,
    }
)
_POLICIES = _choice.Table(
    lambda: {
        FanControlPolicy.TEMPERATURE_CONTROLLED: nvml.FanControlPolicy.TEMPERATURE_CONTINUOUS_SW,
        FanControlPolicy.MANUAL: nvml.FanControlPolicy.MANUAL,
    }
)
_THRESHOLDS = _choice.Table(
    lambda: {one: nvml.TemperatureThresholds[f"TEMPERATURE_THRESHOLD_{one.name}"] for one in TemperatureThresholds}
)
_CONTROLLERS = _choice.Table(lambda: {one: nvml.ThermalController[one.name] for one in ThermalController})
_SENSED = _choice.Table(lambda: {one: nvml.ThermalTarget[one.name] for one in ThermalTarget})
_AS_FIELDS = {
    TemperatureThresholds.SHUTDOWN,
    TemperatureThresholds.SLOWDOWN,
    TemperatureThresholds.MEM_MAX,
    TemperatureThresholds.GPU_MAX,
}
_SENSORS = 3


class CoolerInfo:
    """A cooler."""

    def __init__(self, cooler_info: nvml.CoolerInfo_v1) -> None:
        self._cooler_info = cooler_info

    @property
    def signal_type(self) -> CoolerControl | None:
        """How it is controlled; None if that is not known."""
        return _choice.inverted(_CONTROLS).get(self._cooler_info.signal_type)

    @property
    def target(self) -> list[CoolerTarget]:
        """What it cools."""
        return _choice.members(_COOLED, self._cooler_info.target, "cooler target")


class FanInfo:
    """A fan. Everything raises NvmlError."""

    def __init__(self, handle: int, fan: int) -> None:
        self._handle = handle
        self._fan = fan

    @property
    def speed(self) -> int:
        """The speed in percent of the highest one."""
        return nvml.device_get_fan_speed_v2(self._handle, self._fan)

    @speed.setter
    def speed(self, speed: int) -> None:
        nvml.device_set_fan_speed_v2(self._handle, self._fan, speed)

    @property
    def speed_rpm(self) -> int:
        """The speed in rotations per minute."""
        return nvml.device_get_fan_speed_rpm(self._handle, self._fan)

    @property
    def target_speed(self) -> int:
        """The speed in percent that the fan is to have."""
        return nvml.device_get_target_fan_speed(self._handle, self._fan)

    @property
    def min_max_speed(self) -> tuple[int, int]:
        """The lowest and highest speeds in percent that can be set."""
        return nvml.device_get_min_max_fan_speed(self._handle)

    @property
    def control_policy(self) -> FanControlPolicy:
        """Who sets the speed."""
        return _choice.inverted(_POLICIES)[nvml.device_get_fan_control_policy_v2(self._handle, self._fan)]

    def set_default_speed(self) -> None:
        """Let the device set the speed again."""
        nvml.device_set_default_fan_speed_v2(self._handle, self._fan)


class ThermalSensor:
    """A sensor; temperatures are in degrees Celsius."""

    def __init__(self, sensor: Any) -> None:
        self._sensor = sensor

    @property
    def controller(self) -> ThermalController:
        """The chip that reads it."""
        return _choice.inverted(_CONTROLLERS).get(self._sensor.controller, ThermalController.UNKNOWN)

    @property
    def default_min_temp(self) -> int:
        """The lowest temperature that it is meant for."""
        return int(self._sensor.default_min_temp)

    @property
    def default_max_temp(self) -> int:
        """The highest temperature that it is meant for."""
        return int(self._sensor.default_max_temp)

    @property
    def current_temp(self) -> int:
        """The temperature."""
        return int(self._sensor.current_temp)

    @property
    def target(self) -> ThermalTarget:
        """What it is about."""
        return _choice.inverted(_SENSED).get(self._sensor.target, ThermalTarget.NONE)


class ThermalSettings:
    """Sensors."""

    def __init__(self, thermal_settings: nvml.GpuThermalSettings) -> None:
        self._thermal_settings = thermal_settings

    def __len__(self) -> int:
        return min(self._thermal_settings.count, _SENSORS)

    def __getitem__(self, idx: int) -> ThermalSensor:
        if not 0 <= idx < len(self):
            raise IndexError("Thermal sensor index out of range")
        return ThermalSensor(self._thermal_settings.sensor[idx])


class Temperature:
    """Temperatures in degrees Celsius. Everything raises NvmlError."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def get_sensor(self) -> int:
        """The temperature of the GPU."""
        return nvml.device_get_temperature_v(self._handle, nvml.TemperatureSensors.TEMPERATURE_GPU)

    def get_threshold(self, threshold_type: TemperatureThresholds | str) -> int:
        """A threshold. Warns if the device would rather tell it as a field. Raises ValueError."""
        asked = _choice.number(_THRESHOLDS, threshold_type, "temperature threshold type")
        if threshold_type in _AS_FIELDS and nvml.device_get_architecture(self._handle) >= nvml.DeviceArch.ADA:
            warnings.warn(
                f"{threshold_type} is no longer recommended for Ada and later architectures. "
                "Use get_field_values with NVML_FI_DEV_TEMPERATURE_* fields to retrieve this threshold.",
                DeprecationWarning,
                stacklevel=2,
            )
        return nvml.device_get_temperature_threshold(self._handle, asked)

    @property
    def margin(self) -> int:
        """Degrees until the device gets slower."""
        return nvml.device_get_margin_temperature(self._handle)

    def get_thermal_settings(self, sensor_index: ThermalTarget | str) -> ThermalSettings:
        """The sensors of a target. Raises ValueError."""
        asked = _choice.number(_SENSED, sensor_index, "thermal sensor index")
        return ThermalSettings(nvml.device_get_thermal_settings(self._handle, asked))
