//! Codes and their names, and the driver's start.

use crate::api::{driver_functions, put};
use crate::code::INVALID_VALUE;
use crate::{current, device, driver};
use core::ffi::c_char;
use cuox_abi::{CUmoduleLoadingMode, CUoutput_mode, CUresult};

driver_functions! {
    fn cuInit(Flags: u32) {
        if Flags != 0 {
            return Err(INVALID_VALUE);
        }
        driver::init()
    }

    fn cuDriverGetVersion(driverVersion: *mut i32) {
        put(driverVersion, device::DRIVER_VERSION)
    }

    fn cuGetErrorName(error: CUresult, pStr: *mut *const c_char) {
        let name = cuox_abi::result_name(error);
        put(pStr, name.map_or(core::ptr::null(), |n| n.as_ptr()))?;
        name.map(drop).ok_or(INVALID_VALUE)
    }

    fn cuGetErrorString(error: CUresult, pStr: *mut *const c_char) {
        let text = cuox_abi::result_description(error);
        put(pStr, text.map_or(core::ptr::null(), |n| n.as_ptr()))?;
        text.map(drop).ok_or(INVALID_VALUE)
    }

    fn cuModuleGetLoadingMode(mode: *mut CUmoduleLoadingMode) {
        driver::get()?;
        put(mode, CUmoduleLoadingMode::CU_MODULE_LAZY_LOADING)
    }

    fn cuProfilerInitialize(_configFile: *const c_char, _outputFile: *const c_char, _outputMode: CUoutput_mode) {
        driver::get().map(drop)
    }

    fn cuProfilerStart() {
        current::context(driver::get()?).map(drop)
    }

    fn cuProfilerStop() {
        current::context(driver::get()?).map(drop)
    }
}
