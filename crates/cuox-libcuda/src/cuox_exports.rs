//! Exports beside `cuda.h`, all named `cuox_*`, for `cuox` and other programs that look for them.

#![allow(non_upper_case_globals, reason = "C names")]

use core::ffi::{CStr, c_char, c_int};
use std::time::Duration;

use cuox_softgpu::breakpoint::{self, Debugger};

use crate::check::calls;

/// Marks the library as cuox's.
#[unsafe(no_mangle)]
pub static cuox_soft_driver: c_int = 1;

/// Turns checks of kernels' accesses to memory on (1) or off (0), for kernels that start from now on; with any other
/// number nothing changes. Returns whether they are on.
#[unsafe(no_mangle)]
pub extern "C" fn cuox_check_memory(on: c_int) -> c_int {
    if let 0 | 1 = on {
        cuox_softgpu::set_checks_memory(on == 1);
    }
    c_int::from(cuox_softgpu::checks_memory())
}

/// Writes up to `size` bytes of the explanation of the newest failure (thread, address, line
/// of the PTX), without a zero byte, cut between characters, and returns the number of bytes written.
///
/// # Safety
///
/// `text` is null, or `size` bytes there may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_last_fault(text: *mut u8, size: usize) -> usize {
    if text.is_null() {
        return 0;
    }
    std::panic::catch_unwind(|| {
        let message = cuox_softgpu::last_fault();
        let length = message.floor_char_boundary(size);
        // SAFETY: the caller gives `size` bytes, and `length` is at most that and the message's own.
        unsafe { message.as_ptr().copy_to_nonoverlapping(text, length) };
        length
    })
    .unwrap_or(0)
}

/// Waits until a stream of the process is idle or an event is reached, if that has not been since this function
/// returned `seen`, for so many nanoseconds at most: none for 0. Returns the number to give next time.
#[unsafe(no_mangle)]
pub extern "C" fn cuox_await_progress(seen: u64, nanoseconds: u64) -> u64 {
    let wait = || cuox_softgpu::await_progress(seen, Duration::from_nanos(nanoseconds));
    std::panic::catch_unwind(wait).unwrap_or(seen)
}

/// Writes what is known of a device, and returns 1; 0, and nothing is written, if it is not.
///
/// # Safety
///
/// The places are for numbers.
unsafe fn tell(
    device: c_int,
    know: fn(usize) -> Option<(u64, u64)>,
    [first, second]: [*mut u64; 2],
) -> c_int {
    let known = std::panic::catch_unwind(|| know(usize::try_from(device).ok()?));
    let Ok(Some((one, other))) = known else {
        return 0;
    };
    // SAFETY: as the caller promises.
    unsafe {
        first.write(one);
        second.write(other);
    }
    1
}

/// Writes the bytes of a device's memory that are free, and all of them. Returns 0, and writes nothing, if this process
/// has not initialised the driver, or there is no such device.
///
/// # Safety
///
/// Both are places for numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_device_memory(
    device: c_int,
    free: *mut u64,
    total: *mut u64,
) -> c_int {
    // SAFETY: places for numbers, as the caller promises.
    unsafe { tell(device, cuox_softgpu::device_memory, [free, total]) }
}

/// Writes the nanoseconds in which kernels have run on a device of this process, and those since the driver was
/// initialised. Returns 0, and writes nothing, as [`cuox_device_memory`] does.
///
/// # Safety
///
/// Both are places for numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_device_busy_time(
    device: c_int,
    busy: *mut u64,
    all: *mut u64,
) -> c_int {
    let times = |device| {
        let (ran, since) = cuox_softgpu::device_busy_time(device)?;
        Some((ran.as_nanos() as u64, since.as_nanos() as u64))
    };
    // SAFETY: as above.
    unsafe { tell(device, times, [busy, all]) }
}

/// Sets the function that is called for threads that come to a breakpoint; none, if null.
///
/// # Safety
///
/// The function can be called on any thread from now on, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_set_debugger(debugger: Option<Debugger>) {
    breakpoint::set_debugger(debugger);
}

/// Copies bytes from memory of the process to that of the device (1) or back (0), as it is now. Returns 0 if the
/// device's is not accessible.
///
/// # Safety
///
/// `bytes` bytes at `host` can be accessed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_copy_memory(
    device: u64,
    host: *mut u8,
    bytes: usize,
    to_device: c_int,
) -> c_int {
    // SAFETY: as the caller promises.
    let copy = || unsafe { breakpoint::copy(device, host, bytes, to_device != 0) };
    c_int::from(std::panic::catch_unwind(copy).unwrap_or(false))
}

/// Keeps pages of the device accessible to the process (1), also when they are freed, or ends that (0). Returns 0 if
/// they are not accessible.
#[unsafe(no_mangle)]
pub extern "C" fn cuox_pin_memory(at: u64, bytes: u64, on: c_int) -> c_int {
    let pinned = std::panic::catch_unwind(|| {
        if on == 0 {
            breakpoint::unpin(at, bytes);
            return true;
        }
        breakpoint::pin(at, bytes)
    });
    c_int::from(pinned.unwrap_or(false))
}

/// Begins a call of cuox's CUDA runtime: until it ends, calls of the driver on this thread are made for it.
#[unsafe(no_mangle)]
pub extern "C" fn cuox_runtime_call_begin() {
    calls::begin_runtime_call();
}

/// Ends a call of cuox's CUDA runtime, which has failed if the code is not 0.
///
/// # Safety
///
/// `symbol` is the function's name, a text of so many bytes, and `name` the code's, a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuox_runtime_call_end(
    symbol: *const u8,
    length: usize,
    name: *const c_char,
    code: u32,
) {
    let end = || {
        // SAFETY: as the caller promises.
        let symbol = unsafe { core::slice::from_raw_parts(symbol, length) };
        // SAFETY: as above.
        let name = unsafe { CStr::from_ptr(name) };
        calls::end_runtime_call(
            &String::from_utf8_lossy(symbol),
            &name.to_string_lossy(),
            code,
        );
    };
    // A panic must not leave.
    let _ = std::panic::catch_unwind(end);
}
