//! How fast devices are and how busy: they have one performance state, and nothing slows them down on purpose.

use core::fmt::Write as _;

use crate::api::clock::speed;
use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::find;
use crate::driver;
use crate::generated::{
    NVML_FEATURE_DISABLED, nvmlClockOffset_t, nvmlClockOffset_v1, nvmlClockType_t, nvmlDevice_t,
    nvmlDeviceCurrentClockFreqs_t, nvmlDeviceCurrentClockFreqs_v1, nvmlDevicePerfModes_t,
    nvmlDevicePerfModes_v1, nvmlEnableState_t, nvmlGpuDynamicPstatesInfo_t,
    nvmlGpuDynamicPstatesInfo_t_utilization as Part, nvmlPstates_t, nvmlUtilization_t,
};
use crate::put::{array, put, put_both, versioned};

const STATE: nvmlPstates_t = nvmlPstates_t::NVML_PSTATE_0;

fn check_state(state: nvmlPstates_t) -> Res {
    match state {
        STATE => Ok(()),
        _ => Err(Code::NVML_ERROR_INVALID_ARGUMENT),
    }
}

/// The only state and its clocks: names and values.
fn clocks(device: nvmlDevice_t) -> Res<String> {
    let graphics = speed(device, nvmlClockType_t::NVML_CLOCK_GRAPHICS)?;
    let memory = speed(device, nvmlClockType_t::NVML_CLOCK_MEM)?;
    let mut text = "perf=0".to_owned();
    for (name, clock) in [("nvclock", graphics), ("memclock", memory)] {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            ", {name}={clock}, {name}min={clock}, {name}max={clock}, {name}editable=0"
        );
    }
    Ok(text)
}

unsafe fn put_no_reasons(device: nvmlDevice_t, reasons: *mut u64) -> Res {
    find(device)?;
    // SAFETY: as the caller of the API promises.
    unsafe { put(reasons, 0) }
}

unsafe fn put_state(device: nvmlDevice_t, state: *mut nvmlPstates_t) -> Res {
    find(device)?;
    // SAFETY: as the caller of the API promises.
    unsafe { put(state, STATE) }
}

nvml_functions! {
    /// Kernels of this process: what others do on their devices is not known. All that kernels do may be accesses to
    /// memory.
    fn nvmlDeviceGetUtilizationRates(device: nvmlDevice_t, utilization: *mut nvmlUtilization_t) {
        let percent = driver::utilization(find(device)?);
        put(utilization, nvmlUtilization_t { gpu: percent, memory: percent })
    }

    fn nvmlDeviceGetDynamicPstatesInfo(device: nvmlDevice_t, pDynamicPstatesInfo: *mut nvmlGpuDynamicPstatesInfo_t) {
        let percentage = driver::utilization(find(device)?);
        let mut info = nvmlGpuDynamicPstatesInfo_t::default();
        // The kernels' part, and that of memory; those of video and of the bus are not there.
        for part in &mut info.utilization[..2] {
            *part = Part { bIsPresent: 1, percentage, ..Part::default() };
        }
        put(pDynamicPstatesInfo, info)
    }

    fn nvmlDeviceGetPerformanceState(device: nvmlDevice_t, pState: *mut nvmlPstates_t) {
        put_state(device, pState)
    }

    fn nvmlDeviceGetPowerState(device: nvmlDevice_t, pState: *mut nvmlPstates_t) {
        put_state(device, pState)
    }

    fn nvmlDeviceGetSupportedPerformanceStates(device: nvmlDevice_t, pstates: *mut nvmlPstates_t, size: u32) {
        find(device)?;
        let room = size as usize / size_of::<nvmlPstates_t>();
        if pstates.is_null() || room == 0 {
            return Err(if pstates.is_null() { Code::NVML_ERROR_INVALID_ARGUMENT } else { Code::NVML_ERROR_INSUFFICIENT_SIZE });
        }
        for at in 0..room {
            let state = if at == 0 { STATE } else { nvmlPstates_t::NVML_PSTATE_UNKNOWN };
            put(pstates.add(at), state)?;
        }
        Ok(())
    }

    fn nvmlDeviceGetMinMaxClockOfPState(device: nvmlDevice_t, type_: nvmlClockType_t, pstate: nvmlPstates_t, minClockMHz: *mut u32, maxClockMHz: *mut u32) {
        let speed = speed(device, type_)?;
        check_state(pstate)?;
        put_both(minClockMHz, speed, maxClockMHz, speed)
    }

    /// Clocks cannot be moved.
    fn nvmlDeviceGetClockOffsets(device: nvmlDevice_t, info: *mut nvmlClockOffset_t) {
        find(device)?;
        let info = versioned(info, nvmlClockOffset_v1)?;
        speed(device, info.type_)?;
        check_state(info.pstate)?;
        (info.clockOffsetMHz, info.minClockOffsetMHz, info.maxClockOffsetMHz) = (0, 0, 0);
        Ok(())
    }

    fn nvmlDeviceGetCurrentClockFreqs(device: nvmlDevice_t, currentClockFreqs: *mut nvmlDeviceCurrentClockFreqs_t) {
        let text = clocks(device)?;
        versioned(currentClockFreqs, nvmlDeviceCurrentClockFreqs_v1)?.str = array(&text);
        Ok(())
    }

    fn nvmlDeviceGetPerformanceModes(device: nvmlDevice_t, perfModes: *mut nvmlDevicePerfModes_t) {
        let text = clocks(device)?;
        versioned(perfModes, nvmlDevicePerfModes_v1)?.str = array(&text);
        Ok(())
    }

    fn nvmlDeviceGetAutoBoostedClocksEnabled(device: nvmlDevice_t, isEnabled: *mut nvmlEnableState_t, defaultIsEnabled: *mut nvmlEnableState_t) {
        find(device)?;
        put_both(isEnabled, NVML_FEATURE_DISABLED, defaultIsEnabled, NVML_FEATURE_DISABLED)
    }

    fn nvmlDeviceGetCurrentClocksEventReasons(device: nvmlDevice_t, clocksEventReasons: *mut u64) {
        put_no_reasons(device, clocksEventReasons)
    }

    fn nvmlDeviceGetCurrentClocksThrottleReasons(device: nvmlDevice_t, clocksThrottleReasons: *mut u64) {
        put_no_reasons(device, clocksThrottleReasons)
    }

    fn nvmlDeviceGetSupportedClocksEventReasons(device: nvmlDevice_t, supportedClocksEventReasons: *mut u64) {
        put_no_reasons(device, supportedClocksEventReasons)
    }

    fn nvmlDeviceGetSupportedClocksThrottleReasons(device: nvmlDevice_t, supportedClocksThrottleReasons: *mut u64) {
        put_no_reasons(device, supportedClocksThrottleReasons)
    }
}
