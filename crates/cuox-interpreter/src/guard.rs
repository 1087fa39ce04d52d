//! Rust code that the interpreter or generated code calls: panics become exceptions.

use std::any::Any;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::gate;

/// Runs what the interpreter has called. An exception is set for it, and so is a panic; `failure` is returned then.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn run<'py, R>(failure: R, body: impl FnOnce(Python<'py>) -> PyResult<R>) -> R {
    // SAFETY: the GIL is held (`# Safety`), and `py` does not outlive this call.
    let py = unsafe { Python::assume_attached() };
    let error = match catch_unwind(AssertUnwindSafe(|| gate::hang_if_thread_exits(|| body(py)))) {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => error,
        Err(panic) => {
            PyRuntimeError::new_err(format!("cuox: internal error: {}", panic_text(&*panic)))
        }
    };
    restore(error);
    failure
}

/// The message of a panic.
#[cold]
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic")
}

/// Sets an exception.
#[cold]
pub fn restore(error: PyErr) {
    // pyo3 drops references at once only while it knows that the GIL is held.
    Python::attach(|py| error.restore(py));
}

/// Drops an exception that has been dealt with.
#[cold]
pub fn forget(error: PyErr) {
    // See `restore`.
    Python::attach(|_| drop(error));
}

/// [`run`] for a function that returns an object.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn object<'py>(
    body: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    // SAFETY: the GIL is held (`# Safety`).
    unsafe { run(std::ptr::null_mut(), |py| Ok(body(py)?.into_ptr())) }
}

/// [`run`] for a function that returns 0, or -1 for an exception.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn status(body: impl FnOnce(Python<'_>) -> PyResult<()>) -> c_int {
    // SAFETY: the GIL is held (`# Safety`).
    unsafe {
        run(-1, |py| {
            body(py)?;
            Ok(0)
        })
    }
}

/// Runs Rust code for C: a panic becomes an exception, and an error is left for the interpreter.
///
/// # Safety
/// The interpreter's lock is held.
#[inline]
pub unsafe fn guard<'py, R>(failed: R, body: impl FnOnce(Python<'py>) -> PyResult<R>) -> R {
    // SAFETY: the GIL is held (`# Safety`), and `py` does not outlive this call.
    let py = unsafe { Python::assume_attached() };
    let result = catch_unwind(AssertUnwindSafe(|| gate::hang_if_thread_exits(|| body(py))))
        .unwrap_or_else(|_| {
            Err(PyRuntimeError::new_err(
                "cuox: internal error (a panic): please report it",
            ))
        });
    result.unwrap_or_else(|error| {
        error.restore(py);
        failed
    })
}

/// [`guard`] for code that drops `Py`s: pyo3 drops them at once only if it knows that the lock is held.
///
/// # Safety
/// The interpreter's lock is held.
#[inline]
pub unsafe fn guard_attached<R>(failed: R, body: impl FnOnce(Python<'_>) -> PyResult<R>) -> R {
    // SAFETY: the GIL is held (`# Safety`).
    unsafe { guard(failed, |_| attach_or_assume(body)) }
}

/// Runs code that drops `Py`s. As the interpreter ends pyo3 does not attach; what is dropped then is not given back.
///
/// # Safety
/// The interpreter's lock is held.
#[inline]
pub unsafe fn attach_or_assume<R>(body: impl FnOnce(Python<'_>) -> R) -> R {
    let mut body = Some(body);
    let mut run = |py: Python<'_>| body.take().map(|body| body(py));
    let done = Python::try_attach(&mut run).flatten();
    // SAFETY: the GIL is held (`# Safety`), though pyo3 does not attach any more.
    match done.or_else(|| run(unsafe { Python::assume_attached() })) {
        Some(result) => result,
        None => unreachable!("the code runs once, here or there"),
    }
}
