//! Units (S-class systems): there are none.

use crate::api::nvml_functions;
use crate::code::Code;
use crate::generated::nvmlUnit_t;
use crate::put::put;

nvml_functions! {
    fn nvmlUnitGetCount(unitCount: *mut u32) {
        put(unitCount, 0)
    }

    fn nvmlUnitGetHandleByIndex(_index: u32, _unit: *mut nvmlUnit_t) {
        Err(Code::NVML_ERROR_INVALID_ARGUMENT)
    }
}
