//! Fields: each value says for itself whether it is supported.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::api::nvml_functions;
use crate::code::{Code, Res};
use crate::devices::find;
use crate::generated::{
    NVML_FI_DEV_NVLINK_LINK_COUNT, nvmlDevice_t, nvmlFieldValue_t, nvmlValue_t, nvmlValueType_t,
};

/// # Safety
/// `values` is null or an array of so many.
unsafe fn answer_all(device: nvmlDevice_t, count: i32, values: *mut nvmlFieldValue_t) -> Res {
    find(device)?;
    let count = usize::try_from(count).map_err(|_| Code::NVML_ERROR_INVALID_ARGUMENT)?;
    if values.is_null() || count == 0 {
        return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let microseconds = now.map_or(0, |now| now.as_micros() as i64);
    // SAFETY: an array of so many, which nothing else uses during this call.
    for value in unsafe { core::slice::from_raw_parts_mut(values, count) } {
        value.timestamp = microseconds;
        value.latencyUsec = 0;
        value.valueType = nvmlValueType_t::default();
        value.value = nvmlValue_t::default();
        value.nvmlReturn = match value.fieldId {
            NVML_FI_DEV_NVLINK_LINK_COUNT => {
                value.valueType = nvmlValueType_t::NVML_VALUE_TYPE_UNSIGNED_INT;
                Code::NVML_SUCCESS
            }
            _ => Code::NVML_ERROR_NOT_SUPPORTED,
        };
    }
    Ok(())
}

nvml_functions! {
    fn nvmlDeviceGetFieldValues(device: nvmlDevice_t, valuesCount: i32, values: *mut nvmlFieldValue_t) {
        answer_all(device, valuesCount, values)
    }

    fn nvmlDeviceClearFieldValues(device: nvmlDevice_t, valuesCount: i32, values: *mut nvmlFieldValue_t) {
        answer_all(device, valuesCount, values)
    }
}
