//! A `libcuda.so.1` that can only be opened and asked for its one device: for tests of the loader. With `--cfg soft`
//! it says that it is cuox's.
#![crate_type = "cdylib"]
#![allow(non_snake_case)]

use std::ffi::{c_char, c_int, c_uint};

const NAME: &[u8] = if cfg!(soft) { b"stub soft\0" } else { b"stub gpu\0" };

#[cfg(soft)]
#[unsafe(no_mangle)]
pub static cuox_soft_driver: c_int = 1;

#[cfg(soft)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_last_fault(text: *mut u8, size: usize) -> usize {
    let says = b"thread (3, 0, 0) read 0x40";
    unsafe { std::ptr::copy_nonoverlapping(says.as_ptr(), text, says.len().min(size)) };
    says.len()
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRetain(_: *mut usize, _: c_int) -> c_int {
    700
}

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(_: c_uint) -> c_int {
    let code = std::env::var("STUB_INIT").ok().and_then(|code| code.parse().ok());
    code.filter(|_| !cfg!(soft)).unwrap_or(0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    unsafe { *version = 13000 };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    unsafe { *count = 1 };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int {
    unsafe { *device = ordinal };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, _: c_int, _: c_int) -> c_int {
    unsafe { std::ptr::copy_nonoverlapping(NAME.as_ptr().cast(), name, NAME.len()) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetUuid_v2(uuid: *mut u8, _: c_int) -> c_int {
    unsafe { uuid.write_bytes(7, 16) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, _: c_int, _: c_int) -> c_int {
    unsafe { *value = 9 };
    0
}
