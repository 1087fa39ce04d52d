//! Faults of kernels and explanations of failed calls, and the error that stays in a context.

use crate::code::{
    ASSERT, Code, ILLEGAL_ADDRESS, ILLEGAL_INSTRUCTION, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES,
    LAUNCH_TIMEOUT, MISALIGNED_ADDRESS, NOT_SUPPORTED, Res, UNKNOWN,
};
use crate::settings;
use cuox_simt::FaultKind;
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU32, Ordering};

/// The error that stays until the context is destroyed or reset, and its explanation.
#[derive(Default)]
pub struct Sticky {
    code: AtomicU32,
    message: Mutex<String>,
}

/// The explanation of the process's newest fault.
static LAST: Mutex<String> = Mutex::new(String::new());

thread_local! {
    /// True if the call that this thread is in has explained itself.
    static EXPLAINED: Cell<bool> = const { Cell::new(false) };
    /// The explanation of this thread's newest failed call, if one has failed.
    static WHY: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The explanation of this thread's newest failed call; where none has failed, of the process's newest
/// fault. Empty if that is nothing.
pub fn last_fault() -> String {
    WHY.try_with(|why| why.borrow().clone())
        .ok()
        .flatten()
        .unwrap_or_else(|| LAST.lock().clone())
}

/// A thread that is ending, and has no such variable any more, hears nothing.
fn say(text: String) {
    let _ = WHY.try_with(|why| *why.borrow_mut() = Some(text));
}

/// Explains the call that this thread is in beyond its result code.
pub fn explain(message: String) {
    log(&message);
    say(message);
    EXPLAINED.set(true);
}

fn log(message: &str) {
    if settings::log() {
        eprintln!("cuox: {message}");
    }
}

/// A call on this thread failed. If it has not explained why, there is nothing to say: an older explanation must not
/// pass for this one.
pub fn call_failed() {
    if !EXPLAINED.take() {
        say(String::new());
    }
}

impl Sticky {
    /// The error, if there is one, which explains the call that answers with it.
    pub fn check(&self) -> Res {
        match self.code.load(Ordering::Acquire) {
            0 => Ok(()),
            code => {
                say(self.message.lock().clone());
                EXPLAINED.set(true);
                Err(cuox_abi::CUresult(code))
            }
        }
    }

    /// Sets the error unless there is one; the first one counts, and only it is explained.
    pub fn set(&self, code: Code, message: impl FnOnce() -> String) {
        if self.code.load(Ordering::Acquire) != 0 {
            return;
        }
        let text = message();
        // Whoever sees the code finds its message.
        let mut said = self.message.lock();
        let first = self
            .code
            .compare_exchange(0, code.0, Ordering::AcqRel, Ordering::Acquire);
        if first.is_ok() {
            if settings::log() || settings::reports_memory() {
                eprintln!("cuox: {text}");
            }
            LAST.lock().clone_from(&text);
            *said = text;
        }
    }
}

/// The code that CUDA has for a fault.
pub fn code_of(kind: &FaultKind) -> Code {
    match kind {
        FaultKind::IllegalAddress => ILLEGAL_ADDRESS,
        FaultKind::MisalignedAddress => MISALIGNED_ADDRESS,
        FaultKind::IllegalInstruction => ILLEGAL_INSTRUCTION,
        FaultKind::Trap => LAUNCH_FAILED,
        // An H200 answers with this code.
        FaultKind::StackOverflow => ILLEGAL_ADDRESS,
        FaultKind::Assert => ASSERT,
        FaultKind::Deadlock | FaultKind::Cancelled | FaultKind::Timeout => LAUNCH_TIMEOUT,
        FaultKind::OutOfResources => LAUNCH_OUT_OF_RESOURCES,
        FaultKind::Unsupported => NOT_SUPPORTED,
        // A grid that a debugger has ended is no failure: nobody asks.
        FaultKind::Quit | FaultKind::Internal => UNKNOWN,
    }
}
