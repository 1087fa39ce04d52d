//! Memory and events of other processes.

use core::ffi::c_void;

use cuox_abi::{CUipcEventHandle, CUipcMemHandle};

use crate::api::convert::{alike, alike_mut, device_pointer, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{cudaEvent_t, cudaIpcEventHandle_t, cudaIpcMemHandle_t};
use crate::runtime::current;

pub unsafe fn cudaIpcGetEventHandle(
    handle: *mut cudaIpcEventHandle_t,
    event: cudaEvent_t,
) -> Result {
    let handle = alike_mut::<_, CUipcEventHandle>(out(handle)?);
    // SAFETY: the driver knows its events; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuIpcGetEventHandle(handle, alike(event))
            .check()
    }
}

pub unsafe fn cudaIpcOpenEventHandle(
    event: *mut cudaEvent_t,
    handle: cudaIpcEventHandle_t,
) -> Result {
    let event = alike_mut(out(event)?);
    // SAFETY: both APIs' handles are 64 bytes; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuIpcOpenEventHandle(event, alike(handle))
            .check()
    }
}

pub unsafe fn cudaIpcGetMemHandle(handle: *mut cudaIpcMemHandle_t, devPtr: *mut c_void) -> Result {
    let handle = alike_mut::<_, CUipcMemHandle>(out(handle)?);
    // SAFETY: the driver knows its allocations; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuIpcGetMemHandle(handle, device_pointer(devPtr))
            .check()
    }
}

pub unsafe fn cudaIpcOpenMemHandle(
    devPtr: *mut *mut c_void,
    handle: cudaIpcMemHandle_t,
    flags: u32,
) -> Result {
    let devPtr = out(devPtr)?;
    let mut address = 0;
    // SAFETY: both APIs' handles are 64 bytes; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuIpcOpenMemHandle_v2(&mut address, alike(handle), flags)
            .check()?;
        devPtr.write(pointer(address));
    }
    Ok(())
}

pub unsafe fn cudaIpcCloseMemHandle(devPtr: *mut c_void) -> Result {
    // SAFETY: the driver knows what it opened.
    unsafe {
        current()?
            .driver
            .cuIpcCloseMemHandle(device_pointer(devPtr))
            .check()
    }
}
