//! The driver's functions for programs that call them without linking with it.

use core::ffi::{c_char, c_void};

use cuox_abi::{
    CU_GET_PROC_ADDRESS_DEFAULT, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
    CUdriverProcAddressQueryResult, CUresult,
};

use crate::api::convert::out;
use crate::error::{Check as _, Result};
use crate::generated::{CUDART_VERSION, cudaDriverEntryPointQueryResult, cudaError, cudaUUID_t};
use crate::runtime::runtime;
use crate::thread::per_thread_stream;

pub unsafe fn cudaGetDriverEntryPoint(
    symbol: *const c_char,
    funcPtr: *mut *mut c_void,
    flags: u64,
    driverStatus: *mut cudaDriverEntryPointQueryResult,
) -> Result {
    let version = CUDART_VERSION as u32;
    // SAFETY: as here.
    unsafe { cudaGetDriverEntryPointByVersion(symbol, funcPtr, version, flags, driverStatus) }
}

pub unsafe fn cudaGetDriverEntryPointByVersion(
    symbol: *const c_char,
    funcPtr: *mut *mut c_void,
    cudaVersion: u32,
    flags: u64,
    driverStatus: *mut cudaDriverEntryPointQueryResult,
) -> Result {
    let funcPtr = out(funcPtr)?;
    let version = i32::try_from(cudaVersion).map_err(|_| cudaError::cudaErrorInvalidValue)?;
    if symbol.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let default = u64::from(CU_GET_PROC_ADDRESS_DEFAULT.0);
    let flags = if flags == default && per_thread_stream() {
        u64::from(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.0)
    } else {
        flags
    };
    let mut status = CUdriverProcAddressQueryResult::CU_GET_PROC_ADDRESS_SUCCESS;
    let mut found = core::ptr::null_mut();
    // SAFETY: the caller gives a C string; the function writes to both.
    let result = unsafe {
        runtime()?
            .driver
            .cuGetProcAddress_v2(symbol, &mut found, version, flags, &mut status)
    };
    // A function that is not there is an answer, which the status has.
    if result != CUresult::CUDA_ERROR_NOT_FOUND {
        result.check()?;
    }
    // SAFETY: the caller gives a pointer that may be written to, and null or another one.
    unsafe {
        funcPtr.write(found);
        if !driverStatus.is_null() {
            driverStatus.write(cudaDriverEntryPointQueryResult(status.0));
        }
    }
    Ok(())
}

/// There are no tables for NVIDIA's own tools here.
pub unsafe fn cudaGetExportTable(
    ppExportTable: *mut *const c_void,
    _pExportTableId: *const cudaUUID_t,
) -> Result {
    if !ppExportTable.is_null() {
        // SAFETY: the caller gives null or a pointer that may be written to.
        unsafe { ppExportTable.write(core::ptr::null()) };
    }
    Err(cudaError::cudaErrorInvalidValue)
}
