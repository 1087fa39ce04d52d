//! Panic guard for helper functions. A panic must not unwind through generated frames, which have no unwind tables; it
//! ends the kernel with a fault.

use crate::fault::{Fault, FaultKind};
use crate::jit::code::helper::Helper;
use crate::space;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Fault left by a panicking helper, for the caller of the generated code.
    static PANICKED: RefCell<Option<Fault>> = const { RefCell::new(None) };
}

/// Calls a helper's function. If that panics, ends the generated code that called it.
///
/// # Safety
/// The caller must be generated code that runs in a protected call on this thread, whose caller checks [`take_panic`]
/// after a trap.
#[inline(always)]
pub unsafe fn guarded(helper: Helper, call: impl FnOnce() -> u64) -> u64 {
    let call = || {
        #[cfg(test)]
        tests::panic_if_asked(helper);
        call()
    };
    // State that the helper leaves inconsistent belongs to the grid, which ends.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        // SAFETY: the caller guarantees that a protected call is in progress, and the panic has unwound everything that
        // the helper held.
        Err(payload) => unsafe { leave_with(helper, payload) },
    }
}

/// Leaves generated code with a fault that describes a panic.
///
/// # Safety
/// A protected call must be in progress on this thread. The frames up to it must have no destructor pending but the
/// payload's, and hold no lock.
#[cold]
#[inline(never)]
unsafe fn leave_with(helper: Helper, payload: Box<dyn Any + Send>) -> ! {
    keep(helper, payload);
    // SAFETY: the caller guarantees that a protected call is in progress. `keep` has dropped the payload; the message
    // is in thread-local storage.
    unsafe { leave() }
}

fn keep(helper: Helper, payload: Box<dyn Any + Send>) {
    let said = match (payload.downcast_ref::<&str>(), payload.downcast_ref()) {
        (Some(text), _) => text,
        (None, Some(text)) => String::as_str(text),
        (None, None) => "no message",
    };
    let message = format!(
        "internal error: `{}`, called by a kernel, panicked; this is a bug in cuox: {said}",
        helper.name()
    );
    PANICKED.set(Some(Fault::new(FaultKind::Internal, message)));
}

/// Takes the fault of a helper that panicked on this thread.
pub fn take_panic() -> Option<Fault> {
    PANICKED.take()
}

/// Ends generated code where it has no exit, by an access to memory that is never mapped. The fault is the one recorded
/// in the runtime, or by [`guarded`].
///
/// # Safety
/// A protected call must be in progress on this thread. The frames up to it must have no destructor pending and hold no
/// lock, since they are discarded.
pub unsafe fn leave() -> ! {
    // SAFETY: the first page of the device range is reserved and never committed, so the access traps. The caller
    // guarantees that a protected call, which handles the trap, is in progress, and that discarding the frames loses
    // nothing.
    unsafe { (space::range().0 as *const u8).read_volatile() };
    // The access did not trap, so there is no protected call to return to.
    std::process::abort()
}

#[cfg(test)]
mod tests;
