//! What went wrong in a kernel, and the context that remembers it.

use crate::code::{
    ASSERT, Code, ILLEGAL_ADDRESS, ILLEGAL_INSTRUCTION, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES,
    LAUNCH_TIMEOUT, MISALIGNED_ADDRESS, NOT_SUPPORTED, Res,
};
use crate::settings;
use cuox_simt::FaultKind;
use parking_lot::Mutex;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The error that stays until the context is destroyed or reset.
#[derive(Default)]
pub struct Sticky {
    code: AtomicU32,
}

static LAST: Mutex<String> = Mutex::new(String::new());

thread_local! {
    /// Whether the call that this thread is in has explained itself.
    static EXPLAINED: Cell<bool> = const { Cell::new(false) };
}

/// The text of the newest fault or refusal of this process, empty if there was none or if it has nothing to add.
pub fn last_fault() -> String {
    LAST.lock().clone()
}

/// Remembers an explanation that a code alone cannot carry.
pub fn explain(message: String) {
    if settings::log() {
        eprintln!("cuox: {message}");
    }
    *LAST.lock() = message;
    EXPLAINED.set(true);
}

/// A call on this thread failed. If neither it nor a kernel has explained why, an older explanation must not pass for
/// this one.
pub fn call_failed(code: cuox_abi::CUresult) {
    if !EXPLAINED.take() && !is_sticky(code) {
        LAST.lock().clear();
    }
}

/// Whether a code may be what a kernel did, which every later call answers.
fn is_sticky(code: cuox_abi::CUresult) -> bool {
    [
        ASSERT,
        ILLEGAL_ADDRESS,
        ILLEGAL_INSTRUCTION,
        LAUNCH_FAILED,
        LAUNCH_OUT_OF_RESOURCES,
        LAUNCH_TIMEOUT,
        MISALIGNED_ADDRESS,
    ]
    .contains(&code)
}

impl Sticky {
    /// The error, if there is one.
    pub fn check(&self) -> Res {
        match self.code.load(Ordering::Acquire) {
            0 => Ok(()),
            code => Err(cuox_abi::CUresult(code)),
        }
    }

    /// Sets the error unless there is one; the first one counts, and only it is explained.
    pub fn set(&self, code: Code, message: impl FnOnce() -> String) {
        if self
            .code
            .compare_exchange(0, code.0, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
        {
            explain(message());
        }
    }
}

/// The code that CUDA has for a fault.
pub fn code_of(kind: &FaultKind) -> Code {
    match kind {
        FaultKind::IllegalAddress => ILLEGAL_ADDRESS,
        FaultKind::MisalignedAddress => MISALIGNED_ADDRESS,
        FaultKind::IllegalInstruction => ILLEGAL_INSTRUCTION,
        FaultKind::Trap | FaultKind::StackOverflow => LAUNCH_FAILED,
        FaultKind::Assert => ASSERT,
        FaultKind::Deadlock | FaultKind::Cancelled => LAUNCH_TIMEOUT,
        FaultKind::OutOfResources => LAUNCH_OUT_OF_RESOURCES,
        FaultKind::Unsupported => NOT_SUPPORTED,
    }
}
