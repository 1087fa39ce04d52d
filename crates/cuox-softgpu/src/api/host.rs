//! Page-locked host memory and registered host memory.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_VALUE, Res};
use crate::graphs::capture;
use crate::memory::{Kind, Request};
use crate::{current, driver};
use core::ffi::c_void;
use cuox_abi::CUdeviceptr;

const ALLOC_FLAGS: u32 = 0x7;
const REGISTER_FLAGS: u32 = 0xf;
/// Every page-locked allocation can be mapped here.
const DEVICE_MAP: u32 = 2;

fn allocate(pp: *mut *mut c_void, len: usize, flags: u32) -> Res<*mut c_void> {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    if pp.is_null() || flags & !ALLOC_FLAGS != 0 {
        return Err(INVALID_VALUE);
    }
    capture::check_unsafe_call()?;
    let mut request = Request::new(len as u64, Kind::Host, now.state.owner());
    request.flags = flags | DEVICE_MAP;
    Ok(driver.memory.allocate(request)?.start as *mut c_void)
}

fn register(p: *mut c_void, len: usize, flags: u32) -> Res {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    if flags & !REGISTER_FLAGS != 0 {
        return Err(INVALID_VALUE);
    }
    if !is_mapped(p as usize, len) {
        return Err(INVALID_VALUE);
    }
    driver
        .memory
        .register(p as u64, len as u64, now.state.owner(), flags | DEVICE_MAP)
}

/// True if the process has memory in the whole range.
fn is_mapped(start: usize, len: usize) -> bool {
    const PAGE: usize = 4096;
    let first = start & !(PAGE - 1);
    let Some(end) = start.checked_add(len) else {
        return false;
    };
    // SAFETY: looks at the mappings and begins to write back pages of files; it reads and changes no memory.
    let answer = unsafe { libc::msync(first as *mut c_void, end - first, libc::MS_ASYNC) };
    answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ENOMEM)
}

driver_functions! {
    fn cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, Flags: u32) {
        put(pp, allocate(pp, bytesize, Flags)?)
    }

    fn cuMemAllocHost_v2(pp: *mut *mut c_void, bytesize: usize) {
        put(pp, allocate(pp, bytesize, 0)?)
    }

    fn cuMemFreeHost(p: *mut c_void) {
        let driver = driver::get()?;
        let now = match driver.memory.find(p as u64) {
            Some(found) => current::healthy_or_owner(driver, found.owner.context)?,
            None => current::healthy(driver)?,
        };
        if p.is_null() {
            return Ok(());
        }
        now.state.wait();
        driver.memory.free(p as u64, |a| a.kind == Kind::Host).map(drop)
    }

    fn cuMemHostRegister(p: *mut c_void, bytesize: usize, Flags: u32) { register(p, bytesize, Flags) }

    fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: u32) { register(p, bytesize, Flags) }

    fn cuMemHostUnregister(p: *mut c_void) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        if p.is_null() {
            return Err(INVALID_VALUE);
        }
        now.state.wait();
        driver.memory.unregister(p as u64)
    }

    fn cuMemHostGetDevicePointer_v2(pdptr: *mut CUdeviceptr, p: *mut c_void, Flags: u32) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        if Flags != 0 {
            return Err(INVALID_VALUE);
        }
        let found = driver.memory.find(p as u64).ok_or(INVALID_VALUE)?;
        if !found.kind.is_host() {
            return Err(INVALID_VALUE);
        }
        put(pdptr, p as u64)
    }

    fn cuMemHostGetFlags(pFlags: *mut u32, p: *mut c_void) {
        let driver = driver::get()?;
        current::healthy(driver)?;
        let found = driver.memory.find(p as u64).filter(|a| a.kind.is_host()).ok_or(INVALID_VALUE)?;
        put(pFlags, found.flags)
    }
}
