//! Clocks, in MHz: `clock64()` counts at the speed that the driver gives.

use cuox_abi::CUdevice_attribute as A;

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::{self, find};
use crate::generated::{nvmlClockId_t, nvmlClockType_t, nvmlDevice_t};
use crate::put::put;

/// A clock's speed, which does not change.
pub(super) fn speed(device: nvmlDevice_t, clock: nvmlClockType_t) -> Res<u32> {
    let device = find(device)?;
    let attribute = match clock {
        nvmlClockType_t::NVML_CLOCK_GRAPHICS | nvmlClockType_t::NVML_CLOCK_SM => {
            A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE
        }
        nvmlClockType_t::NVML_CLOCK_MEM => A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
        nvmlClockType_t::NVML_CLOCK_VIDEO => return Err(Code::NVML_ERROR_NOT_SUPPORTED),
        _ => return Err(Code::NVML_ERROR_INVALID_ARGUMENT),
    };
    Ok(devices::attribute(device, attribute)? / 1000)
}

nvml_functions! {
    fn nvmlDeviceGetClockInfo(device: nvmlDevice_t, type_: nvmlClockType_t, clock: *mut u32) {
        put(clock, speed(device, type_)?)
    }

    fn nvmlDeviceGetMaxClockInfo(device: nvmlDevice_t, type_: nvmlClockType_t, clock: *mut u32) {
        put(clock, speed(device, type_)?)
    }

    fn nvmlDeviceGetClock(device: nvmlDevice_t, clockType: nvmlClockType_t, clockId: nvmlClockId_t, clockMHz: *mut u32) {
        let speed = speed(device, clockType)?;
        match clockId {
            nvmlClockId_t::NVML_CLOCK_ID_CURRENT => put(clockMHz, speed),
            _ if clockId.0 < nvmlClockId_t::NVML_CLOCK_ID_COUNT.0 => Err(Code::NVML_ERROR_NOT_SUPPORTED),
            _ => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
        }
    }
}
