//! The process's driver, if it is ours and has been initialised. It is only asked, never loaded.

use core::ffi::{CStr, c_int, c_void};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use cuox_softgpu::description;

/// Writes two numbers about a device, and returns 1, or 0.
type OfDevice = unsafe extern "C" fn(c_int, *mut u64, *mut u64) -> c_int;

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

/// Both numbers that cuox's function of this name gives of a device. `None` if the process has not initialised a driver
/// that has it.
fn ask(function: &CStr, device: usize) -> Option<(u64, u64)> {
    candidates().iter().find_map(|library| {
        // SAFETY: a C string; nothing is loaded that is not loaded.
        let library =
            unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if library.is_null() {
            return None;
        }
        // SAFETY: an open library and a C string. Our driver stays in the process (`-z nodelete`), so the address is
        // good after the library was given back.
        let found = unsafe { libc::dlsym(library, function.as_ptr()) };
        // SAFETY: opened above.
        unsafe { libc::dlclose(library) };
        if found.is_null() {
            return None;
        }
        // SAFETY: the functions of these names have this signature (crates/cuox-libcuda/src/cuox_exports.rs).
        let found = unsafe { core::mem::transmute::<*mut c_void, OfDevice>(found) };
        let (mut first, mut second) = (0, 0);
        // SAFETY: two places for numbers.
        let known = unsafe { found(device as c_int, &mut first, &mut second) };
        (known == 1).then_some((first, second))
    })
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
    let known = ask(c"cuox_device_memory", device);
    let all = description::expected_memory_bytes();
    let (free, total) = known.unwrap_or((all, all));
    let in_use = known.is_some();
    Memory {
        free,
        total,
        in_use,
    }
}

/// The part of the time in which kernels ran on a device, in percent: of the time since the answer before, if that is a
/// sixth of a second or more ago, and that answer else. The first is of all the time since the driver was initialised;
/// 0 where the process has not done that.
pub fn utilization(device: usize) -> u32 {
    #[derive(Clone, Copy, Default)]
    struct Sample {
        busy: u64,
        all: u64,
        percent: u32,
    }
    static SAMPLES: Mutex<BTreeMap<usize, Sample>> = Mutex::new(BTreeMap::new());
    const SHORTEST: u64 = 1_000_000_000 / 6;
    let Some((busy, all)) = ask(c"cuox_device_busy_time", device) else {
        return 0;
    };
    let mut samples = SAMPLES.lock().unwrap_or_else(PoisonError::into_inner);
    let sample = samples.entry(device).or_default();
    let (ran, passed) = (
        busy.saturating_sub(sample.busy),
        all.saturating_sub(sample.all),
    );
    if sample.all == 0 || passed >= SHORTEST {
        let percent = (ran.saturating_mul(100) / passed.max(1)).min(100) as u32;
        *sample = Sample { busy, all, percent };
    }
    sample.percent
}
