//! The base classes of `pycuda.driver.Stream` and `pycuda.driver.Event`: objects that, unlike cuox's own, a program
//! makes by calling their class.

use cuox::driver::sys;
use cuox::{EventOptions, StreamOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::device;
use crate::error::OrRaise;
use crate::event::Event;
use crate::stream::Stream;

/// A stream of the current device, with flags of `cuStreamCreate`.
#[pyclass(frozen, subclass, extends = Stream, module = "cuox._native", name = "_PyCudaStream")]
pub struct PyCudaStream;

#[pymethods]
impl PyCudaStream {
    #[new]
    #[pyo3(signature = (flags=0))]
    fn new(py: Python<'_>, flags: u32) -> PyResult<PyClassInitializer<Self>> {
        const NON_BLOCKING: u32 = sys::CUstream_flags::CU_STREAM_NON_BLOCKING.0;
        if flags & !NON_BLOCKING != 0 {
            return Err(PyValueError::new_err(format!(
                "Stream: flags: expected 0 or 1 (CU_STREAM_NON_BLOCKING), got {flags}"
            )));
        }
        let options = StreamOptions {
            nonblocking: flags & NON_BLOCKING != 0,
            ..StreamOptions::default()
        };
        let device = device::current(py)?;
        let stream = py
            .detach(|| device.create_stream(options))
            .or_raise_in(py, "Stream()")?;
        Ok(PyClassInitializer::from(Stream::new(stream)).add_subclass(Self))
    }
}

/// An event of the current device.
#[pyclass(frozen, subclass, extends = Event, module = "cuox._native", name = "_PyCudaEvent")]
pub struct PyCudaEvent;

#[pymethods]
impl PyCudaEvent {
    #[new]
    #[pyo3(signature = (timing=true, blocking=false))]
    fn new(py: Python<'_>, timing: bool, blocking: bool) -> PyResult<PyClassInitializer<Self>> {
        let device = device::current(py)?;
        let context = device.context().or_raise(py)?;
        let options = EventOptions {
            timing,
            blocking,
            interprocess: false,
        };
        let event = cuox::Event::new(&context, options).or_raise_in(py, "Event()")?;
        Ok(PyClassInitializer::from(Event::new(event)).add_subclass(Self))
    }
}
