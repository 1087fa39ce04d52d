//! Stopping a compilation (`nvrtcSetFlowCallback`).
//!
//! NVRTC asks between the passes of its optimiser, not while it reads the source: so most of a long compilation can be
//! left, and the reading of large headers cannot.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::ThreadId;

/// The callback's type: NVRTC passes on the data it was given; the second parameter is reserved.
pub type Callback = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

/// The question whether to stop, for as long as a program is compiled.
pub struct Flow<'a>(Box<State>, PhantomData<&'a mut ()>);

struct State {
    /// The thread that compiles, which alone may ask: NVRTC may have others do parts of the work.
    thread: ThreadId,
    stop: RefCell<*mut (dyn FnMut() -> bool + 'static)>,
    /// NVRTC wants the same answer ever after, on all threads.
    stopped: AtomicBool,
}

impl<'a> Flow<'a> {
    pub fn new(stop: &'a mut (dyn FnMut() -> bool + 'a)) -> Self {
        let stop: *mut (dyn FnMut() -> bool + 'a) = stop;
        // SAFETY: only the lifetime changes; the pointer is followed while `Flow<'a>` lives.
        let stop: *mut (dyn FnMut() -> bool + 'static) = unsafe { std::mem::transmute(stop) };
        let state = State {
            thread: std::thread::current().id(),
            stop: RefCell::new(stop),
            stopped: AtomicBool::new(false),
        };
        Self(Box::new(state), PhantomData)
    }

    /// The data for [`asked`].
    pub fn data(&self) -> *mut c_void {
        (&raw const *self.0).cast_mut().cast()
    }

    /// True if the answer was yes.
    pub fn has_stopped(&self) -> bool {
        self.0.stopped.load(Relaxed)
    }
}

/// The callback of NVRTC: 1 stops the compilation.
///
/// # Safety
/// `data` is that of a [`Flow`] which is alive.
pub unsafe extern "C" fn asked(data: *mut c_void, _reserved: *mut c_void) -> c_int {
    // SAFETY: the caller guarantees that the flow is alive. Other threads read only `stopped`, an atomic, and `thread`,
    // which never changes.
    let state = unsafe { &*data.cast::<State>() };
    if !state.stopped.load(Relaxed) && std::thread::current().id() == state.thread {
        let stopped = catch_unwind(AssertUnwindSafe(|| {
            let Ok(mut stop) = state.stop.try_borrow_mut() else {
                return false;
            };
            // SAFETY: borrowed exclusively for as long as the `Flow` lives, and now by nobody else.
            unsafe { (**stop)() }
        }));
        state.stopped.store(stopped.unwrap_or(true), Relaxed);
    }
    state.stopped.load(Relaxed).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_stopped_it_stays_stopped_and_a_panic_stops_too() {
        let mut left = 2;
        let mut stop = || {
            left -= 1;
            left == 0
        };
        let flow = Flow::new(&mut stop);
        // SAFETY: the flow is alive.
        let ask = || unsafe { asked(flow.data(), std::ptr::null_mut()) };
        assert_eq!([ask(), ask(), ask()], [0, 1, 1]);
        assert!(flow.has_stopped());
        let mut stop = || panic!("on purpose");
        let flow = Flow::new(&mut stop);
        // SAFETY: the flow is alive.
        assert_eq!(unsafe { asked(flow.data(), std::ptr::null_mut()) }, 1);
    }
}
