//! Calls with no code made at run time.
//!
//! One function does every call: it reads arguments by [`convert`](crate::convert) and calls through a trampoline ([`sysv`]). It is what
//! generated code falls back to as soon as an argument is not of the usual kind, so all errors and all rules are here; alone it serves where
//! memory cannot be made executable, and for signatures that generated code does not cover.

mod arguments;
mod call;
pub mod give;
pub mod sysv;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::callable::Owner;

/// Runs Rust code for C: a panic becomes an exception, and an error is left for the interpreter.
pub fn guard<R>(py: Python<'_>, failed: R, body: impl FnOnce() -> PyResult<R>) -> R {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        Err(PyRuntimeError::new_err(
            "a panic in cuox: this is a bug; please report it",
        ))
    });
    result.unwrap_or_else(|error| {
        error.restore(py);
        failed
    })
}

/// What the interpreter calls.
///
/// # Safety
/// `this` is an [`Owner`]; the rest is as for any function of this kind.
pub unsafe extern "C" fn entry(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this with its lock held.
    let py = unsafe { Python::assume_attached() };
    let owner = this.cast::<Owner>();
    guard(py, std::ptr::null_mut(), || {
        // SAFETY: the object owns the callable and is alive during the call.
        let callable = unsafe { &*(*owner).callable };
        // SAFETY: the interpreter's promise.
        let given = unsafe { arguments::bind(py, callable, given, count as usize, keywords) }?;
        call::call(py, owner, callable, &given).map(|result| result.into_ptr())
    })
}
