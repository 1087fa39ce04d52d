//! Page-locked host memory.

use core::ffi::c_void;

use crate::api::convert::{out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::cudaHostAllocDefault;
use crate::runtime::current;

pub unsafe fn cudaMallocHost(ptr: *mut *mut c_void, size: usize) -> Result {
    // SAFETY: as here.
    unsafe { cudaHostAlloc(ptr, size, cudaHostAllocDefault) }
}

pub unsafe fn cudaHostAlloc(pHost: *mut *mut c_void, size: usize, flags: u32) -> Result {
    let pHost = out(pHost)?;
    let runtime = current()?;
    let mut memory = core::ptr::null_mut();
    // SAFETY: the function writes to `memory`; the caller gives a pointer that may be written to.
    unsafe {
        if size != 0 {
            runtime
                .driver
                .cuMemHostAlloc(&mut memory, size, flags)
                .check()?;
        }
        pHost.write(memory);
    }
    Ok(())
}

pub unsafe fn cudaFreeHost(ptr: *mut c_void) -> Result {
    let runtime = current()?;
    if ptr.is_null() {
        return Ok(());
    }
    // SAFETY: the driver knows its allocations.
    unsafe { runtime.driver.cuMemFreeHost(ptr).check() }
}

pub unsafe fn cudaHostRegister(ptr: *mut c_void, size: usize, flags: u32) -> Result {
    // SAFETY: the caller gives `size` bytes of memory.
    unsafe {
        current()?
            .driver
            .cuMemHostRegister_v2(ptr, size, flags)
            .check()
    }
}

pub unsafe fn cudaHostUnregister(ptr: *mut c_void) -> Result {
    // SAFETY: the driver knows what is registered.
    unsafe { current()?.driver.cuMemHostUnregister(ptr).check() }
}

pub unsafe fn cudaHostGetDevicePointer(
    pDevice: *mut *mut c_void,
    pHost: *mut c_void,
    flags: u32,
) -> Result {
    let pDevice = out(pDevice)?;
    let mut address = 0;
    // SAFETY: the function writes to `address`; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuMemHostGetDevicePointer_v2(&mut address, pHost, flags)
            .check()?;
        pDevice.write(pointer(address));
    }
    Ok(())
}

pub unsafe fn cudaHostGetFlags(pFlags: *mut u32, pHost: *mut c_void) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuMemHostGetFlags(out(pFlags)?, pHost)
            .check()
    }
}
