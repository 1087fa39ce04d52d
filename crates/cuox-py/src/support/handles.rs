//! Handles of the driver as numbers, and in objects of other libraries.

use cuox_interpreter::gate;
use cuox_interpreter::integer::is_integer;
use pyo3::exceptions::{PyAttributeError, PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use super::names::type_name;

/// A handle or an address that a caller promises to be one.
pub fn handle_argument(what: &str, object: &Bound<'_, PyAny>) -> PyResult<u64> {
    if !is_integer(object) {
        return Err(PyTypeError::new_err(format!(
            "{what}: expected an int, got {}",
            type_name(object)
        )));
    }
    let value: PyResult<u64> = object.extract();
    value.map_err(|_| {
        PyOverflowError::new_err(format!("{what}: {object} does not fit a 64-bit address"))
    })
}

/// A `CUstream`, for Python: an int that passes for the class of `cuda.bindings`.
pub fn stream_object(py: Python<'_>, handle: usize) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    handle_object(py, &CLASS, "CUstream", handle)
}

/// A `CUevent`, in the same way.
pub fn event_object(py: Python<'_>, handle: usize) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    handle_object(py, &CLASS, "CUevent", handle)
}

fn handle_object<'py>(
    py: Python<'py>,
    class: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
    handle: usize,
) -> PyResult<Bound<'py, PyAny>> {
    gate::hang_if_thread_exits(|| {
        class
            .import(py, "cuox._internal.handles", name)?
            .call1((handle,))
    })
}

/// An attribute that need not be there.
pub fn attribute<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, pyo3::types::PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match gate::getattr(object, name) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A raw stream handle from an object with `__cuda_stream__`.
pub fn stream_handle(object: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let py = object.py();
    let Some(method) = attribute(object, intern!(py, "__cuda_stream__"))? else {
        return Ok(None);
    };
    // Some early producers made it a property.
    let pair = if method.is_callable() {
        gate::call0(&method)?
    } else {
        method
    };
    let pair = pair.cast_into::<PyTuple>().map_err(|_| {
        PyTypeError::new_err(
            "__cuda_stream__() must return a tuple of two ints, the version and the handle",
        )
    })?;
    let (version, handle): (u32, u64) = pair.extract()?;
    if version != 0 {
        return Err(PyTypeError::new_err(format!(
            "__cuda_stream__() must return version 0 of the protocol, got version {version}"
        )));
    }
    Ok(Some(handle))
}
