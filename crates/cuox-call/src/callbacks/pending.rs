//! Exceptions that callbacks raise, carried over the C function that has called them.

use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::interpreter::guard;

/// The calls into C that a thread is in.
pub struct CallTracker {
    /// The number of calls into C since Python code last ran, counted by [`enter`].
    pub(super) depth: Cell<u32>,
    /// An exception that a callback of the current call has raised.
    pub(super) pending: Cell<*mut ffi::PyObject>,
    /// The callback that has raised it.
    pub(super) raised_by: Cell<*mut ffi::PyObject>,
}

thread_local! {
    pub(super) static TRACKER: CallTracker = const {
        CallTracker {
            depth: Cell::new(0),
            pending: Cell::new(ptr::null_mut()),
            raised_by: Cell::new(ptr::null_mut()),
        }
    };
}

/// Begins a call into C that may call back. [`leave`] takes the result.
pub extern "C" fn enter() -> *mut ffi::PyObject {
    TRACKER.with(|watch| {
        watch.depth.set(watch.depth.get() + 1);
        watch.pending.replace(ptr::null_mut())
    })
}

/// Ends a call into C. If a callback has raised an exception, it is set, and the result is 1.
///
/// # Safety
/// The GIL is held, and `saved` is from [`enter`].
pub unsafe extern "C" fn leave(saved: *mut ffi::PyObject) -> c_int {
    let raised = TRACKER.with(|watch| {
        watch.depth.set(watch.depth.get().saturating_sub(1));
        watch.raised_by.set(ptr::null_mut());
        watch.pending.replace(saved)
    });
    if raised.is_null() {
        return 0;
    }
    // SAFETY: an exception that `callback_entry` counted.
    unsafe {
        let py = Python::assume_attached();
        guard::restore(PyErr::from_value(Bound::from_owned_ptr(py, raised)));
    }
    1
}
