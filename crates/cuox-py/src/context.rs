//! `cuox.Context`.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::device::Device;
use crate::support::closable::Closable;
use crate::support::names::not_by_hand;

/// A context: the memory, streams and code of a device in this process. `Device.context` and `Stream.context` get it.
///
/// Driver API manual, *Context Management*.
#[pyclass(frozen, weakref, module = "cuox", name = "Context")]
pub struct Context {
    slot: Closable<cuox::Context>,
}

impl Context {
    pub fn new(context: cuox::Context) -> Self {
        Self {
            slot: Closable::new("context", context),
        }
    }

    /// The context below.
    pub fn get(&self, py: Python<'_>) -> PyResult<cuox::Context> {
        self.slot.get(py)
    }

    /// The context, unless it is closed or gone.
    fn living(&self, py: Python<'_>) -> Option<cuox::Context> {
        self.slot.peek(py).filter(|context| context.check().is_ok())
    }

    /// The number of the `CUcontext`; 0 if it is closed.
    fn number(&self, py: Python<'_>) -> usize {
        self.living(py).map_or(0, |context| context.raw().addr())
    }
}

#[pymethods]
impl Context {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(not_by_hand("Context objects", "Device.context is one"))
    }

    /// The `CUcontext`, as an int; None after `close` and after `Device.reset`.
    #[getter]
    fn handle(&self, py: Python<'_>) -> Option<usize> {
        self.living(py).map(|context| context.raw().addr())
    }

    /// True after `close` and after `Device.reset`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        self.living(py).is_none()
    }

    /// True for a context with a part of the device's resources. Never, so far.
    #[getter]
    fn is_green(&self) -> bool {
        false
    }

    /// The device.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.slot.get(py)?.device())
    }

    /// The parts of the device that the context has. Raises NotImplementedError: green contexts are not supported yet.
    #[getter]
    fn resources(&self, py: Python<'_>) -> PyResult<()> {
        self.slot.get(py)?;
        Err(PyNotImplementedError::new_err(
            "context.resources: green contexts, which share a device's resources out, are not supported yet",
        ))
    }

    /// Create a stream in a green context. Raises RuntimeError: this is none, and `Device.create_stream` makes streams.
    #[pyo3(signature = (options=None))]
    fn create_stream(&self, py: Python<'_>, options: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let _ = options;
        self.slot.get(py)?;
        Err(PyRuntimeError::new_err(
            "context.create_stream(): expected a green context; device.create_stream() makes a stream of this one",
        ))
    }

    /// Let go of the context; the device keeps it. Closing twice is fine.
    fn close(&self, py: Python<'_>) {
        drop(self.slot.take(py));
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            std::ptr::eq(self, other.get())
                || matches!((self.number(py), other.get().number(py)), (a, b) if a == b && a != 0)
        })
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        ("context", self.number(py)).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.living(py) {
            Some(context) => format!(
                "<Context handle={:#x} device={}>",
                context.raw().addr(),
                context.device().ordinal()
            ),
            None => "<Context, closed>".into(),
        }
    }
}
