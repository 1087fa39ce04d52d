//! Functions about this library's own exports.

#![allow(non_snake_case, reason = "the header's functions")]

use core::ffi::{CStr, c_char, c_void};

use cuox_abi::{
    CU_GET_PROC_ADDRESS_LEGACY_STREAM, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
    CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_FOUND, CUDA_SUCCESS, CUdriverProcAddressQueryResult,
    CUresult, CUuuid, cuuint64_t, proc_lookup_entry,
};

use crate::{exports, nvidia_runtime};

const KNOWN_FLAGS: u32 =
    CU_GET_PROC_ADDRESS_LEGACY_STREAM.0 | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.0;

/// The form of CUDA 11.3, without a status.
pub unsafe fn cuGetProcAddress(
    symbol: *const c_char,
    pfn: *mut *mut c_void,
    cudaVersion: i32,
    flags: cuuint64_t,
) -> CUresult {
    // SAFETY: `symbol` and `pfn` are null or valid, as the driver API asks; the status may be null.
    unsafe { cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, core::ptr::null_mut()) }
}

/// Answers from the header's versions with our own exports.
pub unsafe fn cuGetProcAddress_v2(
    symbol: *const c_char,
    pfn: *mut *mut c_void,
    cudaVersion: i32,
    flags: cuuint64_t,
    symbolStatus: *mut CUdriverProcAddressQueryResult,
) -> CUresult {
    if symbol.is_null() || pfn.is_null() || flags & !u64::from(KNOWN_FLAGS) != 0 {
        return CUDA_ERROR_INVALID_VALUE;
    }
    // SAFETY: the caller gives a C string.
    let name = unsafe { CStr::from_ptr(symbol) };
    let found = proc_lookup_entry(name.to_str().unwrap_or_default(), cudaVersion, flags);
    let (address, status, result) = match found {
        Ok(entry) => (
            exports::address(entry.function),
            CUdriverProcAddressQueryResult::CU_GET_PROC_ADDRESS_SUCCESS,
            CUDA_SUCCESS,
        ),
        Err(miss) => (core::ptr::null_mut(), miss.status(), CUDA_ERROR_NOT_FOUND),
    };
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { pfn.write(address) };
    if !symbolStatus.is_null() {
        // SAFETY: the caller gives null or a pointer that may be written to.
        unsafe { symbolStatus.write(status) };
    }
    result
}

/// There are no tables for NVIDIA's own tools and runtime here.
pub unsafe fn cuGetExportTable(
    ppExportTable: *mut *const c_void,
    _pExportTableId: *const CUuuid,
) -> CUresult {
    if !ppExportTable.is_null() {
        // SAFETY: the caller gives null or a pointer that may be written to.
        unsafe { ppExportTable.write(core::ptr::null()) };
    }
    nvidia_runtime::explain();
    CUDA_ERROR_INVALID_VALUE
}
