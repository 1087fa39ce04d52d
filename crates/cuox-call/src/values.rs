//! What a call needs of the objects that stand for C values.

use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;

pub use crate::objects::callback::{LIVE, enter, leave};

use crate::objects::base::This;
use crate::objects::{self, CObject, CallbackInfo, Class, callback, handle};

/// The object's C part, if it is one of ours. No Python code runs.
pub fn as_object(value: &Bound<'_, PyAny>) -> Option<*mut CObject> {
    objects::as_object(value).map(|this| this.raw().cast())
}

/// A handle, pointer or callback. It keeps `keep` alive.
pub fn new_value<'py>(
    py: Python<'py>,
    class: &Arc<Class>,
    value: u64,
    owned: bool,
    keep: Option<Bound<'py, PyAny>>,
) -> PyResult<*mut ffi::PyObject> {
    objects::wrap(py, class, value, owned, keep).map(Bound::into_ptr)
}

/// A record with zeroed memory of its own.
pub fn new_record(py: Python<'_>, class: &Arc<Class>) -> PyResult<*mut ffi::PyObject> {
    objects::new_record(py, class).map(Bound::into_ptr)
}

/// Closes a handle that C has taken, without destroying it.
///
/// # Safety
/// A live object of one of our classes, with the GIL held.
pub unsafe fn close_consumed(object: *mut CObject) {
    // SAFETY: the caller's promise.
    let (py, object) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, object.cast()))
    };
    let _ = py;
    handle::consumed(This { object: &object });
}

/// A C function pointer for a callable, and what has to live as long as the call.
pub fn callback(
    py: Python<'_>,
    info: &Arc<CallbackInfo>,
    value: &Bound<'_, PyAny>,
    kept: bool,
) -> PyResult<(u64, Option<Py<PyAny>>)> {
    callback::pointer(py, info, value, kept)
}

/// The class of function pointers of this kind.
pub fn callback_class(py: Python<'_>, info: &Arc<CallbackInfo>) -> PyResult<Arc<Class>> {
    callback::class(py, info)
}
