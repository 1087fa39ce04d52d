//! The library and the system.

use core::ffi::c_char;

use crate::api::nvml_functions;
use crate::code::{self, Code};
use crate::devices::{BRANCH, DRIVER, DRIVER_VERSION, NVML};
use crate::generated::{
    nvmlExcludedDeviceInfo_t, nvmlHwbcEntry_t, nvmlSystemDriverBranchInfo_t,
    nvmlSystemDriverBranchInfo_v1,
};
use crate::put::{array, put, put_list, put_text, versioned};
use crate::state;

/// `nvmlErrorString` of NVML.
///
/// # Safety
///
/// None is needed.
#[allow(non_snake_case, reason = "the header's names")]
pub unsafe fn nvmlErrorString(result: Code) -> *const c_char {
    code::text(result).as_ptr()
}

nvml_functions! {
    fn nvmlInit() {
        state::initialize();
        Ok(())
    }

    fn nvmlInit_v2() {
        state::initialize();
        Ok(())
    }

    fn nvmlInitWithFlags(_flags: u32) {
        state::initialize();
        Ok(())
    }

    fn nvmlShutdown() {
        state::shut_down()
    }

    fn nvmlSystemGetDriverVersion(version: *mut c_char, length: u32) {
        put_text(version, length, DRIVER)
    }

    fn nvmlSystemGetNVMLVersion(version: *mut c_char, length: u32) {
        put_text(version, length, NVML)
    }

    fn nvmlSystemGetCudaDriverVersion(cudaDriverVersion: *mut i32) {
        put(cudaDriverVersion, DRIVER_VERSION)
    }

    fn nvmlSystemGetCudaDriverVersion_v2(cudaDriverVersion: *mut i32) {
        put(cudaDriverVersion, DRIVER_VERSION)
    }

    fn nvmlSystemGetDriverBranch(branchInfo: *mut nvmlSystemDriverBranchInfo_t, length: u32) {
        let info = versioned(branchInfo, nvmlSystemDriverBranchInfo_v1)?;
        if BRANCH.len() >= length as usize {
            return Err(Code::NVML_ERROR_INSUFFICIENT_SIZE);
        }
        info.branch = array(BRANCH);
        Ok(())
    }

    /// The path of the process's program, of which its user has to be the caller, else its short name.
    fn nvmlSystemGetProcessName(pid: u32, name: *mut c_char, length: u32) {
        if name.is_null() || length == 0 {
            return Err(Code::NVML_ERROR_INVALID_ARGUMENT);
        }
        let program = std::fs::read_link(format!("/proc/{pid}/exe"))
            .map(|path| path.to_string_lossy().into_owned())
            .or_else(|_| std::fs::read_to_string(format!("/proc/{pid}/comm")))
            .map_err(|_| Code::NVML_ERROR_NOT_FOUND)?;
        put_text(name, length, program.trim_end_matches('\n'))
    }

    fn nvmlSystemGetHicVersion(hwbcCount: *mut u32, hwbcEntries: *mut nvmlHwbcEntry_t) {
        put_list(hwbcCount, hwbcEntries, &[])
    }

    fn nvmlGetExcludedDeviceCount(deviceCount: *mut u32) {
        put(deviceCount, 0)
    }

    fn nvmlGetExcludedDeviceInfoByIndex(_index: u32, _info: *mut nvmlExcludedDeviceInfo_t) {
        Err(Code::NVML_ERROR_INVALID_ARGUMENT)
    }
}
