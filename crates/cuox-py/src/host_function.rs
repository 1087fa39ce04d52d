//! `cuox._native._HostFunction`: a function in Python that nodes of graphs call.

use pyo3::prelude::*;

use crate::device;
use crate::error::OrRaise;
use crate::stream_callbacks;

/// A function in Python for the nodes of graphs: the driver gets `address` and `data`, and calls it in each launch
/// until this object is gone.
#[pyclass(frozen, module = "cuox._native", name = "_HostFunction")]
pub struct HostFunction(usize);

#[pymethods]
impl HostFunction {
    #[new]
    fn new(py: Python<'_>, function: Py<PyAny>) -> PyResult<Self> {
        let stream = device::current(py)?.default_stream().or_raise(py)?;
        Ok(Self(stream_callbacks::keep(stream, function, py)))
    }

    /// The address of the function that the driver calls.
    #[getter]
    fn address(&self) -> usize {
        stream_callbacks::function_address()
    }

    /// What it is called with.
    #[getter]
    fn data(&self) -> usize {
        self.0
    }
}

impl Drop for HostFunction {
    fn drop(&mut self) {
        stream_callbacks::forget(self.0);
    }
}
