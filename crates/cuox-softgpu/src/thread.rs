//! State of a thread: its stack of contexts, its number, the default stream that it means.
//!
//! Plain cells without destructors: these are read from exit handlers, after thread-locals with
//! destructors are gone.

use crate::code::{OUT_OF_MEMORY, Res};
use cuox_abi::CUstreamCaptureMode;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

const DEEPEST: usize = 128;

thread_local! {
    static STACK: [Cell<u64>; DEEPEST] = const { [const { Cell::new(0) }; DEEPEST] };
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static NUMBER: Cell<u64> = const { Cell::new(0) };
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
    static CAPTURE_MODE: Cell<CUstreamCaptureMode> = const { Cell::new(CUstreamCaptureMode(0)) };
}

/// The context on top of this thread's stack; 0 for none.
pub fn top() -> u64 {
    match DEPTH.get() {
        0 => 0,
        depth => STACK.with(|s| s[depth - 1].get()),
    }
}

/// Puts a context on the stack.
pub fn push(context: u64) -> Res {
    let depth = DEPTH.get();
    if depth == DEEPEST {
        return Err(OUT_OF_MEMORY);
    }
    STACK.with(|s| s[depth].set(context));
    DEPTH.set(depth + 1);
    Ok(())
}

/// Takes the top off; `None` when the stack is empty.
pub fn pop() -> Option<u64> {
    let top = top();
    let depth = DEPTH.get().checked_sub(1)?;
    DEPTH.set(depth);
    Some(top)
}

/// Replaces the top; 0 takes it off.
pub fn set(context: u64) -> Res {
    if context == 0 {
        pop();
        return Ok(());
    }
    match DEPTH.get() {
        0 => push(context),
        depth => {
            STACK.with(|s| s[depth - 1].set(context));
            Ok(())
        }
    }
}

/// A number of this thread that no other thread ever has.
pub fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    if NUMBER.get() == 0 {
        NUMBER.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    NUMBER.get()
}

/// The calls that this thread may make while streams are captured.
pub fn capture_mode() -> CUstreamCaptureMode {
    CAPTURE_MODE.get()
}

/// Changes the capture mode; answers the one before.
pub fn exchange_capture_mode(mode: CUstreamCaptureMode) -> CUstreamCaptureMode {
    CAPTURE_MODE.replace(mode)
}

/// True if stream 0 means this thread's default stream in the call being made.
pub fn per_thread_default() -> bool {
    PER_THREAD.get()
}

/// Runs `f` with stream 0 meaning the per-thread default stream.
pub fn with_per_thread_default<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            PER_THREAD.set(self.0);
        }
    }
    let _restore = Restore(PER_THREAD.replace(true));
    f()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_replaces_pops_and_ends() {
        assert_eq!((top(), pop()), (0, None));
        set(5).unwrap();
        push(6).unwrap();
        set(7).unwrap();
        assert_eq!((pop(), top()), (Some(7), 5));
        set(0).unwrap();
        assert_eq!(top(), 0);
        for i in 0..DEEPEST as u64 {
            push(i + 1).unwrap();
        }
        assert_eq!(push(1), Err(OUT_OF_MEMORY));
        while pop().is_some() {}
        assert_ne!(number(), std::thread::spawn(number).join().unwrap());
    }
}
