//! Threads of kernels that stop in a debugger: the function that the process has registered for it, and the memory that
//! a debugger looks at.

use core::ffi::{c_int, c_uint};
use cuox_simt::{Breakpoint, Resume, space, trap};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A thread at a breakpoint, as a debugger is told of it. Only valid during the call.
#[repr(C)]
#[derive(Debug)]
pub struct Stopped {
    /// Bytes of this structure.
    pub size: usize,
    /// The text that the kernel gave, without a zero at its end.
    pub place: *const u8,
    /// Its bytes.
    pub place_bytes: usize,
    /// The address of the addresses of variables.
    pub variables: u64,
    /// The stream of the kernel (`cuStreamGetId`).
    pub stream: u64,
    /// `gridDim`, `blockDim`, `blockIdx`, `threadIdx`.
    pub indices: [[c_uint; 3]; 4],
}

/// Called on a thread of the driver, which waits in it; several may be in it at once. The result is what the kernel
/// gets, at most 31 bits; a negative one ends the grid, without an error. It must not unwind.
pub type Debugger = unsafe extern "C" fn(stopped: *const Stopped) -> c_int;

/// The address of the process's [`Debugger`], 0 if it has none.
static DEBUGGER: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The id of the stream whose thread this is.
    static STREAM: Cell<u64> = const { Cell::new(0) };
}

/// Says that this is the thread of a stream, named by its id.
pub(crate) fn begin_stream(id: u64) {
    STREAM.set(id);
}

/// The id of the stream whose thread this is; 0 if it is none's.
pub(crate) fn stream() -> u64 {
    STREAM.get()
}

/// Sets the function that is called for threads at breakpoints.
pub fn set_debugger(debugger: Option<Debugger>) {
    let address = debugger.map_or(0, |function| function as usize);
    DEBUGGER.store(address, Ordering::Release);
}

/// Stops a thread, if there is a debugger.
pub(crate) fn stop(at: &Breakpoint<'_>, stream: u64) -> Resume {
    let address = DEBUGGER.load(Ordering::Acquire);
    if address == 0 {
        return Resume::With(0);
    }
    // SAFETY: the address is one that `set_debugger` was given, and not 0.
    let debugger = unsafe { core::mem::transmute::<usize, Debugger>(address) };
    let stopped = Stopped {
        size: size_of::<Stopped>(),
        place: at.place.as_ptr(),
        place_bytes: at.place.len(),
        variables: at.variables,
        stream,
        indices: [at.grid, at.block, at.block_index, at.thread_index],
    };
    // SAFETY: the structure and its text live until the call returns.
    let answer = unsafe { debugger(&raw const stopped) };
    u32::try_from(answer).map_or(Resume::Quit, Resume::With)
}

/// Copies bytes between ordinary memory and memory of the device as it is now; returns false if that is not accessible,
/// or not the device's.
///
/// # Safety
/// `bytes` bytes at `host` belong to the caller.
pub unsafe fn copy(device: u64, host: *mut u8, bytes: usize, to_device: bool) -> bool {
    if !space::contains(device, bytes as u64) {
        return false;
    }
    let host = host as u64;
    let (to, from) = if to_device {
        (device, host)
    } else {
        (host, device)
    };
    // SAFETY: as the caller promises; an inaccessible page of the device is an error.
    unsafe { trap::copy(to, from, bytes) }.is_ok()
}

/// Keeps memory of the device accessible for the process, even if it is freed meanwhile: see [`space::pin`]. Returns
/// false if it is not.
pub fn pin(at: u64, bytes: u64) -> bool {
    space::pin(at, bytes)
}

/// Ends a [`pin`].
pub fn unpin(at: u64, bytes: u64) {
    space::unpin(at, bytes);
}
