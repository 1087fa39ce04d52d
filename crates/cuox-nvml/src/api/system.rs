//! The library and the system.

use core::ffi::c_char;

use crate::api::nvml_functions;
use crate::code::{self, Code, Res};
use crate::devices::{BRANCH, DRIVER, DRIVER_VERSION, NVML};
use crate::generated::{
    nvmlExcludedDeviceInfo_t, nvmlHwbcEntry_t, nvmlSystemDriverBranchInfo_t,
    nvmlSystemDriverBranchInfo_v1,
};
use crate::put::{array, put, put_cut_text, put_list, put_text, versioned};
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

fn process_name(pid: u32) -> Res<String> {
    let read = |file: &str| {
        std::fs::read(format!("/proc/{pid}/{file}")).map_err(|_| Code::NVML_ERROR_NOT_FOUND)
    };
    let command = read("cmdline")?;
    let called = command.split(|&byte| byte == 0).next().unwrap_or_default();
    // Threads of the kernel and processes that have ended have no command line.
    let name = match called.is_empty() {
        true => read("comm")?,
        false => called.to_vec(),
    };
    Ok(String::from_utf8_lossy(&name)
        .trim_end_matches('\n')
        .to_owned())
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

    /// The name that the process was called by (`argv[0]`), else the program's short name.
    fn nvmlSystemGetProcessName(pid: u32, name: *mut c_char, length: u32) {
        put_cut_text(name, length, &process_name(pid)?)
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
