//! Host functions in streams and graphs: whether a thread is in one.

use std::sync::atomic::{AtomicUsize, Ordering};

/// True if this thread is inside a host function: CUDA forbids it to submit or wait.
#[inline]
pub fn in_host_call() -> bool {
    HOST_CALLS.load(Ordering::Relaxed) != 0 && IN_HOST_CALL.get()
}

/// The number of host functions that run just now: while it is 0, no thread needs to look whether it is in one.
static HOST_CALLS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static IN_HOST_CALL: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Calls a function of the program's.
pub fn as_host_call(f: impl FnOnce()) {
    struct Leave;

    impl Drop for Leave {
        fn drop(&mut self) {
            IN_HOST_CALL.set(false);
            HOST_CALLS.fetch_sub(1, Ordering::Relaxed);
        }
    }

    HOST_CALLS.fetch_add(1, Ordering::Relaxed);
    IN_HOST_CALL.set(true);
    let _leave = Leave;
    f();
}
