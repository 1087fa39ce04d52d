//! The process's driver, if it is ours and has been initialised. It is only asked, never loaded.

use core::ffi::{CStr, c_int, c_void};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

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

/// A function of cuox's driver. It is looked for until it is found, and kept then: the loader's lock may be taken for
/// good in a process that was forked while another thread held it.
struct Function {
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Function {
    const fn named(name: &'static CStr) -> Self {
        Self {
            name,
            found: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Both numbers that it gives of a device. `None` if the process has not initialised a driver that has it.
    fn ask(&self, device: usize) -> Option<(u64, u64)> {
        let mut function = self.found.load(Ordering::Relaxed);
        if !function.is_null() {
            return Self::call(function, device);
        }
        candidates().iter().find_map(|library| {
            function = self.of(library)?;
            let told = Self::call(function, device)?;
            self.found.store(function, Ordering::Relaxed);
            Some(told)
        })
    }

    /// The address in a library that is loaded.
    fn of(&self, library: &CStr) -> Option<*mut c_void> {
        // SAFETY: a C string; nothing is loaded that is not loaded.
        let library =
            unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if library.is_null() {
            return None;
        }
        // SAFETY: an open library and a C string. Our driver stays in the process (`-z nodelete`), so the address is
        // good after the library was given back.
        let found = unsafe { libc::dlsym(library, self.name.as_ptr()) };
        // SAFETY: opened above.
        unsafe { libc::dlclose(library) };
        (!found.is_null()).then_some(found)
    }

    fn call(function: *mut c_void, device: usize) -> Option<(u64, u64)> {
        // SAFETY: the functions of these names have this signature (crates/cuox-libcuda/src/cuox_exports.rs).
        let function = unsafe { core::mem::transmute::<*mut c_void, OfDevice>(function) };
        let (mut first, mut second) = (0, 0);
        // SAFETY: two places for numbers.
        let known = unsafe { function(device as c_int, &mut first, &mut second) };
        (known == 1).then_some((first, second))
    }
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
    static FUNCTION: Function = Function::named(c"cuox_device_memory");
    let known = FUNCTION.ask(device);
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
    static FUNCTION: Function = Function::named(c"cuox_device_busy_time");
    const SHORTEST: u64 = 1_000_000_000 / 6;
    let Some((busy, all)) = FUNCTION.ask(device) else {
        return 0;
    };
    // Another thread asks at this moment, or did when the process was forked: the percentage of all the time.
    let Ok(mut samples) = SAMPLES.try_lock() else {
        return (busy.saturating_mul(100) / all.max(1)).min(100) as u32;
    };
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
