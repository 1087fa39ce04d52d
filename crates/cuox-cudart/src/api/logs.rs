//! The driver's log of errors.

use core::ffi::{c_char, c_void};

use crate::api::convert::{alike, alike_mut, out};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaLogIterator, cudaLogsCallback_t, cudaLogsCallbackHandle};
use crate::runtime::runtime;

pub unsafe fn cudaLogsRegisterCallback(
    callbackFunc: cudaLogsCallback_t,
    userData: *mut c_void,
    callback_out: *mut cudaLogsCallbackHandle,
) -> Result {
    if callbackFunc.is_none() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: the callbacks of both APIs get values of the same layout; the handle's pointer may be null.
    unsafe {
        runtime()?
            .driver
            .cuLogsRegisterCallback(alike(callbackFunc), userData, alike_mut(callback_out))
            .check()
    }
}

pub unsafe fn cudaLogsUnregisterCallback(callback: cudaLogsCallbackHandle) -> Result {
    if callback.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: the handle is the driver's own.
    unsafe {
        runtime()?
            .driver
            .cuLogsUnregisterCallback(alike(callback))
            .check()
    }
}

pub unsafe fn cudaLogsCurrent(iterator_out: *mut cudaLogIterator, flags: u32) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuLogsCurrent(out(iterator_out)?, flags)
            .check()
    }
}

pub unsafe fn cudaLogsDumpToFile(
    iterator: *mut cudaLogIterator,
    pathToFile: *const c_char,
    flags: u32,
) -> Result {
    if pathToFile.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: the caller gives a C string, and null or an iterator.
    unsafe {
        runtime()?
            .driver
            .cuLogsDumpToFile(iterator, pathToFile, flags)
            .check()
    }
}

pub unsafe fn cudaLogsDumpToMemory(
    iterator: *mut cudaLogIterator,
    buffer: *mut c_char,
    size: *mut usize,
    flags: u32,
) -> Result {
    // SAFETY: the caller gives a buffer of the size at `size`, and null or an iterator.
    unsafe {
        runtime()?
            .driver
            .cuLogsDumpToMemory(iterator, out(buffer)?, out(size)?, flags)
            .check()
    }
}
