//! Code addresses for callbacks, on machines that `thunk.rs` has no code for: there are none.

use pyo3::exceptions::PyNotImplementedError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Refuses to make a code address.
///
/// # Safety
/// None is needed; that of the other machines.
pub unsafe fn take(_: *mut ffi::PyObject) -> PyResult<usize> {
    Err(PyNotImplementedError::new_err(format!(
        "callbacks are supported on x86-64 only; this is {}",
        std::env::consts::ARCH
    )))
}

/// Takes a code address back; there are none.
///
/// # Safety
/// None is needed; that of the other machines.
pub unsafe fn give_back(_: usize) {}
