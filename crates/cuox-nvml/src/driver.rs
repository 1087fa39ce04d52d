//! The process's driver, if it is ours and has been initialised. It is only asked, never loaded.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

use cuox_softgpu::description;

type DeviceMemory = unsafe extern "C" fn(c_int, *mut u64, *mut u64) -> c_int;

/// The libraries of the process whose file is a driver.
fn candidates() -> Vec<CString> {
    unsafe extern "C" fn see(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
        // SAFETY: the loader gives its description of a library, and the list is that of `candidates`.
        let (name, found) = unsafe { ((*info).dlpi_name, &mut *found.cast::<Vec<CString>>()) };
        if !name.is_null() {
            // SAFETY: the loader's names are C strings.
            let name = unsafe { CStr::from_ptr(name) };
            let file = name.to_bytes().rsplit(|&byte| byte == b'/').next();
            if file.is_some_and(|file| file.starts_with(b"libcuda.so")) {
                found.push(name.to_owned());
            }
        }
        0
    }
    let mut found: Vec<CString> = Vec::new();
    // SAFETY: the function does not unwind, and takes the list only while this call lasts.
    unsafe { libc::dl_iterate_phdr(Some(see), (&raw mut found).cast()) };
    found
}

/// cuox's function in a library that is loaded already.
fn function(name: &CStr) -> Option<DeviceMemory> {
    const NAME: *const c_char = c"cuox_device_memory".as_ptr();
    // SAFETY: a C string; nothing is loaded that is not loaded.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if library.is_null() {
        return None;
    }
    // SAFETY: an open library and a C string. Our driver stays in the process (`-z nodelete`), so the address is good
    // after the library was given back.
    let found = unsafe { libc::dlsym(library, NAME) };
    // SAFETY: opened above.
    unsafe { libc::dlclose(library) };
    // SAFETY: the function of that name has this signature (crates/cuox-libcuda/src/cuox_exports.rs).
    (!found.is_null()).then(|| unsafe { core::mem::transmute::<*mut c_void, DeviceMemory>(found) })
}

/// The memory of a device.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Bytes that are free.
    pub free: u64,
    /// All bytes.
    pub total: u64,
    /// True if this process has initialised the driver.
    pub in_use: bool,
}

/// A device's memory: as the process's driver says, else all of it is free.
pub fn memory(device: usize) -> Memory {
    for name in candidates() {
        let (mut free, mut total) = (0, 0);
        let asked = function(&name).map(|ask| {
            // SAFETY: two places for numbers.
            unsafe { ask(device as c_int, &mut free, &mut total) }
        });
        if asked == Some(1) {
            return Memory {
                free,
                total,
                in_use: true,
            };
        }
    }
    let total = description::expected_memory_bytes();
    Memory {
        free: total,
        total,
        in_use: false,
    }
}
