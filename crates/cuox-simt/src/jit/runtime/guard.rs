//! Panics in functions that generated code calls: such a panic must not unwind through generated frames, which have no unwind tables, and
//! ends the kernel with a fault.

use crate::fault::{Fault, FaultKind};
use crate::jit::code::helper::Helper;
use crate::space;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The fault that a panicking helper leaves on its way out of generated code, for the caller of that code.
    static PANICKED: RefCell<Option<Fault>> = const { RefCell::new(None) };
}

/// Calls a helper's function; if that panics, ends the generated code that called it.
///
/// # Safety
/// Called by generated code, and so in a protected call on this thread, whose caller asks [`take_panic`] after a trap.
#[inline(always)]
pub unsafe fn guarded(helper: Helper, call: impl FnOnce() -> u64) -> u64 {
    let call = || {
        #[cfg(test)]
        tests::panic_if_asked(helper);
        call()
    };
    // What a helper may have left half done belongs to the grid, which ends.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        // SAFETY: a protected call is in progress, as the caller has promised, and the panic has unwound all that the helper held.
        Err(payload) => unsafe { leave_with(helper, payload) },
    }
}

/// Leaves generated code with a fault that tells of a panic.
///
/// # Safety
/// Called in a protected call on this thread, by code that owes no destructor but the payload's and holds no lock.
#[cold]
#[inline(never)]
unsafe fn leave_with(helper: Helper, payload: Box<dyn Any + Send>) -> ! {
    keep(helper, payload);
    // SAFETY: a protected call is in progress, as the caller has promised; the payload is dropped, and the message belongs to the thread.
    unsafe { leave() }
}

fn keep(helper: Helper, payload: Box<dyn Any + Send>) {
    let said = match (payload.downcast_ref::<&str>(), payload.downcast_ref()) {
        (Some(text), _) => text,
        (None, Some(text)) => String::as_str(text),
        (None, None) => "no message",
    };
    let message = format!(
        "internal error: `{}`, which a kernel's code calls, panicked, which is a bug of cuox: {said}",
        helper.name()
    );
    PANICKED.set(Some(Fault::new(FaultKind::Internal, message)));
}

/// The fault of a helper that has panicked on this thread.
pub fn take_panic() -> Option<Fault> {
    PANICKED.take()
}

/// Ends generated code where it has no way out, by an access to memory that is never there. The fault is the one left in the runtime, or
/// by [`guarded`].
///
/// # Safety
/// Called in a protected call on this thread, by code that owes no destructor and holds no lock: its frames are thrown away.
pub unsafe fn leave() -> ! {
    // SAFETY: the first page of the device range is reserved and never committed, so that this traps; by contract a protected call,
    // which takes the trap, is in progress, and nothing is lost with the frames.
    unsafe { (space::range().0 as *const u8).read_volatile() };
    // The access did not trap: there is no protected call to go back to, and nowhere else to go.
    std::process::abort()
}

#[cfg(test)]
mod tests;
