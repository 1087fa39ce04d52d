//! The report that `cuox run --check` asks for: calls that failed, memory that nobody freed, and an exit status that
//! says so.
//!
//! * [`calls`]: `CUOX_SOFT_API_ERRORS=1`; [`leaks`]: `CUOX_SOFT_LEAK_CHECK=1`, [`allocations`]: the functions that it
//!   watches; [`place`]: where in the program a call was made.
//! * `CUOX_SOFT_ERROR_EXITCODE=N`: the exit status of a process that would have ended with 0.
//!
//! A kernel's fault is reported by the software GPU itself, and counted here.

pub mod allocations;
pub mod calls;
mod leaks;
mod place;

use core::ffi::{c_int, c_void};
use std::io::Write as _;
use std::sync::OnceLock;

unsafe extern "C" {
    /// glibc's: `atexit` with the exit status.
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// The exit status of a process in which something was found, if one was asked for.
fn exit_code() -> Option<c_int> {
    let text = std::env::var("CUOX_SOFT_ERROR_EXITCODE").ok()?;
    let code = text.trim().parse::<u8>().ok();
    if code.is_none() && !text.is_empty() {
        say(&format!(
            "CUOX_SOFT_ERROR_EXITCODE={text} is ignored: expected a number from 0 to 255"
        ));
    }
    code.map(c_int::from).filter(|&code| code != 0)
}

static EXIT_CODE: OnceLock<Option<c_int>> = OnceLock::new();

/// Has the report written at the end of the process, if one is asked for. A program that ends by `_exit` or a signal
/// gets none.
pub fn install() {
    let code = *EXIT_CODE.get_or_init(exit_code);
    if code.is_some() || calls::enabled() || leaks::enabled() {
        let process = std::process::id() as usize;
        // SAFETY: the function stays where it is: this library is not unloaded. Its argument is a number.
        unsafe { on_exit(at_exit, core::ptr::without_provenance_mut(process)) };
    }
}

extern "C" fn at_exit(status: c_int, process: *mut c_void) {
    // A forked child has the counts of its parent.
    if process.addr() != std::process::id() as usize {
        return;
    }
    // A panic must not leave.
    let found = std::panic::catch_unwind(report).unwrap_or(false);
    let code = EXIT_CODE.get().copied().flatten();
    if let Some(code) = code.filter(|_| found && status == 0) {
        // SAFETY: glibc goes on with the functions that are left, and ends with the new status.
        unsafe { libc::exit(code) };
    }
}

/// Writes the report. Returns true if something was found.
fn report() -> bool {
    let fault = fault();
    let mut parts = Vec::new();
    if !fault.is_empty() {
        parts.push("a kernel's fault".to_owned());
    }
    match calls::count() {
        0 => {}
        1 => parts.push("1 call failed".to_owned()),
        count => parts.push(format!("{count} calls failed")),
    }
    if leaks::enabled() {
        if fault.is_empty() {
            parts.extend(leaks::report());
        } else {
            say("no check of leaks: after a fault nothing can be freed");
        }
    }
    if !parts.is_empty() {
        say(&parts.join(", "));
    }
    !parts.is_empty()
}

/// The explanation of the process's newest fault, or nothing. A thread that has made failing calls has another one for
/// itself.
fn fault() -> String {
    let asking = std::thread::Builder::new().spawn(cuox_softgpu::last_fault);
    asking
        .ok()
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default()
}

/// Writes lines in one piece. The program may have closed its standard error.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(format!("cuox check: {text}\n").as_bytes());
}
