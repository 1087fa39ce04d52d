//! Calls with no code made at run time.
//!
//! One function does every call: it reads arguments by [`convert`](crate::convert) and calls through a trampoline ([`sysv`]). It is what
//! generated code falls back to as soon as an argument is not of the usual kind, so all errors and all rules are here; alone it serves where
//! memory cannot be made executable, and for signatures that generated code does not cover.

mod arguments;
mod call;
pub mod give;
mod more;
pub mod sysv;
mod take;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::callable::Owner;
use crate::gate;

/// Runs Rust code for C: a panic becomes an exception, and an error is left for the interpreter.
///
/// # Safety
/// The interpreter's lock is held.
pub unsafe fn guard<'py, R>(failed: R, body: impl FnOnce(Python<'py>) -> PyResult<R>) -> R {
    // SAFETY: the caller's promise.
    let py = unsafe { Python::assume_attached() };
    let result = catch_unwind(AssertUnwindSafe(|| gate::kept(|| body(py)))).unwrap_or_else(|_| {
        Err(PyRuntimeError::new_err(
            "a panic in cuox: this is a bug; please report it",
        ))
    });
    result.unwrap_or_else(|error| {
        error.restore(py);
        failed
    })
}

/// As [`guard`], for code that drops `Py`s: they are dropped at once only where pyo3 knows that the lock is held.
///
/// # Safety
/// The interpreter's lock is held.
pub unsafe fn guard_attached<R>(failed: R, body: impl FnOnce(Python<'_>) -> PyResult<R>) -> R {
    // SAFETY: the caller's promise.
    unsafe { guard(failed, |_| attached(body)) }
}

/// Runs code that drops `Py`s. As the interpreter ends pyo3 does not attach; what is dropped then is not given back.
///
/// # Safety
/// The interpreter's lock is held.
pub unsafe fn attached<R>(body: impl FnOnce(Python<'_>) -> R) -> R {
    let mut body = Some(body);
    let mut run = |py: Python<'_>| body.take().map(|body| body(py));
    let done = Python::try_attach(&mut run).flatten();
    // SAFETY: the caller's promise.
    match done.or_else(|| run(unsafe { Python::assume_attached() })) {
        Some(result) => result,
        None => unreachable!("the code runs once, here or there"),
    }
}

/// As [`entry`], for a function that takes nothing by name.
///
/// # Safety
/// As for [`entry`].
pub unsafe extern "C" fn entry_without_names(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise.
    unsafe { entry(this, given, count, std::ptr::null_mut()) }
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
    let owner = this.cast::<Owner>();
    // SAFETY: the interpreter calls this with its lock held, and with what it promises for a function of this kind. The object owns the
    // callable and is alive during the call.
    unsafe {
        guard_attached(std::ptr::null_mut(), |py| {
            let callable = &*(*owner).callable;
            let mut bound = arguments::Given::default();
            let count = count as usize;
            arguments::bind(py, callable, given, count, keywords, &mut bound)?;
            call::call(py, owner, callable, &bound).map(|result| result.into_ptr())
        })
    }
}
