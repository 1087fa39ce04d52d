//! `cuox.Event`.

use std::hash::{DefaultHasher, Hash, Hasher};

use cuox::{EventOptions, GreenContext};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::context::Context;
use crate::device::{Device, device_argument};
use crate::error::{OrRaise, to_py_in, wait};
use crate::idle;
use crate::memory_resource::sharing;
use crate::stream::{Stream, stream_or_default};
use crate::support::closable::Closable;
use crate::support::fastcall::{Arguments, none};
use crate::support::handles;
use crate::support::names::not_by_hand;
use crate::support::options::{check_keys, option};

/// A mark in a stream that can be waited for and timed.
///
/// `later - earlier` is the time between two events in milliseconds, if both were made with `timing_enabled`.
#[pyclass(frozen, subclass, weakref, module = "cuox", name = "Event")]
pub struct Event {
    slot: Closable<cuox::Event>,
    options: EventOptions,
    /// It was made by another process.
    is_foreign: bool,
    /// The green context of the stream that has made it.
    green: Option<GreenContext>,
}

impl Event {
    pub fn new(event: cuox::Event) -> Self {
        let options = event.options();
        Self {
            slot: Closable::new("event", event),
            options,
            is_foreign: false,
            green: None,
        }
    }

    /// The same event, made by a stream of a green context.
    pub fn in_green(mut self, green: Option<GreenContext>) -> Self {
        self.green = green;
        self
    }

    pub fn get(&self, py: Python<'_>) -> PyResult<cuox::Event> {
        self.slot.get(py)
    }

    /// The `CUevent`, or 0 if the event is closed.
    fn number(&self, py: Python<'_>) -> usize {
        self.slot.peek(py).map_or(0, |event| event.handle())
    }

    /// `record`, as `methods` lists it.
    #[inline]
    pub fn record<'py>(
        this: &Bound<'py, Self>,
        [stream]: Arguments<'_, 'py, 1>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, event) = (this.py(), this.get());
        event.check_recordable()?;
        if let Some(stream) = stream
            && let Ok(stream) = stream.cast::<Stream>()
            && let Some(recorded) = event.record_in(py, stream.get())
        {
            recorded.or_raise_in(py, "event.record()")?;
            return Ok(none(py));
        }
        let event = event.get(py)?;
        let stream = stream_or_default(py, stream, event.device())?;
        py.detach(|| event.record(&stream))
            .or_raise_in(py, "event.record()")?;
        Ok(none(py))
    }

    /// Refuses an event that other processes have: what they wait for is to stay what it is.
    #[inline]
    pub fn check_recordable(&self) -> PyResult<()> {
        match self.options.interprocess {
            false => Ok(()),
            true => Err(PyTypeError::new_err(
                "IPC-enabled events should not be re-recorded, instead create a new event by supplying options.",
            )),
        }
    }

    /// Records the event behind the work that is now in a stream; `None` if either is closed, or if that may wait.
    #[inline]
    pub fn record_in(&self, py: Python<'_>, stream: &Stream) -> Option<cuox::Result<()>> {
        // SAFETY: a driver call, which runs no Python code.
        unsafe {
            let own = stream.own()?;
            if !idle::has_room(py) {
                return None;
            }
            own.look(py, |stream| {
                self.slot.look(py, |event| event.record(stream))
            })?
        }
    }
}

/// Reads an `EventOptions`.
pub fn event_options(given: Option<&Bound<'_, PyAny>>) -> PyResult<EventOptions> {
    check_keys(given, &["timing_enabled", "blocking_sync", "ipc_enabled"])?;
    let options = EventOptions {
        timing: option(given, "timing_enabled", false)?,
        blocking: option(given, "blocking_sync", false)?,
        interprocess: option(given, "ipc_enabled", false)?,
    };
    if options.interprocess {
        if options.timing {
            return Err(PyTypeError::new_err(
                "IPC-enabled events cannot use timing.",
            ));
        }
        if let Some(given) = given {
            // It tells `multiprocessing` about events.
            sharing::python(given.py())?;
        }
    }
    Ok(options)
}

/// The error of a time that the driver does not give, with the reason where that is known.
#[cold]
fn why_no_time(
    py: Python<'_>,
    error: cuox::Error,
    stop: &cuox::Event,
    start: &cuox::Event,
) -> PyErr {
    let why = match error.driver_code() {
        Some(400) if !(stop.options().timing && start.options().timing) => {
            "Both Events must be created with timing enabled (EventOptions(timing_enabled=True))"
        }
        Some(400) => "Both Events must be recorded before their time can be told",
        Some(600) => "One or both events have not completed: call sync() on the later one",
        _ => return to_py_in(py, error, "event - event"),
    };
    let why = format!("{why}: event - event");
    to_py_in(py, error, &why)
}

#[pymethods]
impl Event {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(not_by_hand(
            "Event objects",
            "Device.create_event and Stream.record make them",
        ))
    }

    /// Destroy the event. Closing twice is fine.
    fn close(&self, py: Python<'_>) {
        drop(self.slot.take(py));
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        self.slot.peek(py).is_none()
    }

    /// Wait until the event is reached; Ctrl-C ends the wait.
    ///
    /// Raises ClosedError, CUDAError, also for a kernel before it that has failed. Driver API manual,
    /// `cuEventSynchronize`.
    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        let event = self.slot.get(py)?;
        wait(py, "event.sync()", |stop| event.sync_with(stop))
    }

    /// Wait until the event is reached; the same as `sync`.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.sync(py)
    }

    /// True if the event is reached, or was never recorded; does not wait. Driver API manual, `cuEventQuery`.
    #[getter]
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        self.slot
            .get(py)?
            .is_done()
            .or_raise_in(py, "event.is_done")
    }

    /// True if the event keeps its time.
    #[getter]
    fn is_timing_enabled(&self) -> bool {
        self.options.timing
    }

    /// True if a thread that waits for the event sleeps instead of polling.
    #[getter]
    fn is_blocking_sync(&self) -> bool {
        self.options.blocking
    }

    /// True for events that other processes use too.
    #[getter]
    fn is_ipc_enabled(&self) -> bool {
        self.options.interprocess
    }

    /// What another process opens the event by (`from_ipc_descriptor`): an `IPCEventDescriptor`, which can be pickled.
    ///
    /// Raises RuntimeError if the event was made without `ipc_enabled`, ClosedError. Driver API manual,
    /// `cuIpcGetEventHandle`.
    #[getter]
    fn ipc_descriptor<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        sharing::python(slf.py())?.call_method1("event_descriptor", (slf,))
    }

    /// Open an event of another process by the `ipc_descriptor` that it has there. Its `device` and `context` are None.
    ///
    /// Raises TypeError, CUDAError, also in the process that has made the event. Driver API manual,
    /// `cuIpcOpenEventHandle`.
    #[classmethod]
    fn from_ipc_descriptor<'py>(
        _cls: &Bound<'py, PyType>,
        ipc_descriptor: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sharing::python(ipc_descriptor.py())?.call_method1("opened_event", (ipc_descriptor,))
    }

    /// The bytes of `cuIpcGetEventHandle`.
    fn _exported(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let exported = self.slot.get(py)?.export();
        let exported = exported.or_raise_in(py, "event.ipc_descriptor")?;
        Ok(PyBytes::new(py, &exported).unbind())
    }

    /// An event of another process, by these bytes, on the current device.
    #[staticmethod]
    fn _opened(py: Python<'_>, exported: &[u8], blocking: bool) -> PyResult<Self> {
        let Some(exported) = exported.first_chunk() else {
            return Err(PyValueError::new_err(format!(
                "ipc_descriptor: the reserved field is {} bytes; expected at least {}",
                exported.len(),
                size_of::<cuox::event::ExportedEvent>()
            )));
        };
        let context = device_argument(py, None)?.context().or_raise(py)?;
        let event = cuox::Event::open(&context, exported, blocking)
            .or_raise_in(py, "Event.from_ipc_descriptor()")?;
        Ok(Self {
            is_foreign: true,
            green: None,
            ..Self::new(event)
        })
    }

    /// The `CUevent`: an int, which is taken for a `cuox.cuda.bindings.driver.CUevent`, too; 0 after `close`.
    #[getter]
    fn handle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handles::event_object(py, self.number(py))
    }

    /// The device that the event belongs to; None for another process's.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Device>>> {
        let device = self.slot.get(py)?.device();
        match self.is_foreign {
            true => Ok(None),
            false => Device::object(py, device).map(Some),
        }
    }

    /// The context that the event belongs to; None for another process's.
    #[getter]
    fn context<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Context>>> {
        let context = self.slot.get(py)?.device().context().or_raise(py)?;
        match self.is_foreign {
            true => Ok(None),
            false => Context::object(py, context, self.green.clone()).map(Some),
        }
    }

    /// Milliseconds between two events: `stop - start`.
    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(start) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        let (stop, start) = (self.slot.get(py)?, start.get().slot.get(py)?);
        match stop.elapsed_ms(&start) {
            Ok(milliseconds) => Ok(f64::from(milliseconds)
                .into_pyobject(py)?
                .into_any()
                .unbind()),
            Err(error) => Err(why_no_time(py, error, &stop, &start)),
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            std::ptr::eq(self, other.get())
                || matches!((self.slot.peek(py), other.get().slot.peek(py)), (Some(a), Some(b)) if a == b)
        })
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        ("event", self.number(py)).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.slot.peek(py) {
            Some(event) => format!("<Event handle={:#x}>", event.handle()),
            None => "<Event handle=0x0>".into(),
        }
    }
}
