//! `cuox.Stream`.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

use cuox::StreamOptions;
use cuox::driver::sys;
use cuox::memory::uses::Use;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

use crate::buffer::{Begun, Buffer};
use crate::context::{Context, resources_of};
use crate::device::{self, Device};
use crate::error::OrRaise;
use crate::event::{Event, event_options};
use crate::graph_builder;
use crate::idle;
use crate::stream_callbacks::{self, StreamWork};
use crate::support::closable::{Closable, Counted};
use crate::support::fastcall::Arguments;
use crate::support::handles;
use crate::support::names;
use crate::support::options::{check_keys, option};
use crate::support::plain_args::given;
use crate::support::pool::Reference;

/// A queue of work on a device. `Device.create_stream` makes one.
#[pyclass(frozen, subclass, weakref, module = "cuox", name = "Stream")]
pub struct Stream {
    kind: Kind,
    /// The foreign object whose stream this is, kept alive.
    owner: Option<Py<PyAny>>,
}

enum Kind {
    Real(Closable<Counted<cuox::Stream>>),
    /// A default stream of whichever device is current when it is used.
    Legacy,
    PerThread,
}

impl Stream {
    pub fn new(stream: cuox::Stream) -> Self {
        Self {
            kind: Kind::Real(Closable::new("stream", Counted::new(stream))),
            owner: None,
        }
    }

    /// `LEGACY_DEFAULT_STREAM`: no driver is opened before it is used.
    pub const fn legacy() -> Self {
        Self {
            kind: Kind::Legacy,
            owner: None,
        }
    }

    /// `PER_THREAD_DEFAULT_STREAM`.
    pub const fn per_thread() -> Self {
        Self {
            kind: Kind::PerThread,
            owner: None,
        }
    }

    /// The stream below.
    #[inline]
    pub fn get(&self, py: Python<'_>) -> PyResult<cuox::Stream> {
        match &self.kind {
            Kind::Real(slot) => clone_of(py, slot),
            _ => self.default_of(py, device::current(py)?),
        }
    }

    /// The stream below, if it is the same on every device.
    #[inline]
    pub fn own(&self) -> Option<&Closable<Counted<cuox::Stream>>> {
        match &self.kind {
            Kind::Real(slot) => Some(slot),
            _ => None,
        }
    }

    /// The stream below, where a default stream means that of `device`.
    fn get_on(&self, py: Python<'_>, device: cuox::Device) -> PyResult<cuox::Stream> {
        match &self.kind {
            Kind::Real(slot) => clone_of(py, slot),
            _ => self.default_of(py, device),
        }
    }

    #[cold]
    fn default_of(&self, py: Python<'_>, device: cuox::Device) -> PyResult<cuox::Stream> {
        let context = device.context().or_raise(py)?;
        Ok(match self.kind {
            Kind::PerThread => cuox::Stream::per_thread(&context),
            _ => cuox::Stream::legacy(&context),
        })
    }

    /// Wraps a raw handle of `device`.
    pub fn from_raw(
        py: Python<'_>,
        device: cuox::Device,
        handle: u64,
        owner: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let context = device.context().or_raise(py)?;
        let handle = usize::try_from(handle).map_err(|_| {
            PyValueError::new_err("Stream.from_handle: handle: expected a number of 64 bits")
        })?;
        if handle > cuox::stream::PER_THREAD || owner.is_some() {
            idle::others_seen();
        }
        // SAFETY: the caller of from_handle promises that the handle is a live stream; the owner is kept with it.
        let stream = unsafe { cuox::Stream::from_raw(&context, handle) };
        Ok(Self {
            kind: Kind::Real(Closable::new("stream", Counted::new(stream))),
            owner,
        })
    }
}

impl Stream {
    /// The `CUstream`, if it is open.
    fn open_handle(&self, py: Python<'_>) -> PyResult<usize> {
        match &self.kind {
            Kind::Real(slot) => {
                let stream = clone_of(py, slot)?;
                // Whoever asks gives the handle to the driver, which follows that of a stream that has ended.
                stream.context().check().or_raise(py)?;
                Ok(stream.handle())
            }
            Kind::Legacy => Ok(cuox::stream::LEGACY),
            Kind::PerThread => Ok(cuox::stream::PER_THREAD),
        }
    }

    /// The `CUstream`, or 0 if the stream is closed.
    fn number(&self, py: Python<'_>) -> PyResult<usize> {
        match &self.kind {
            Kind::Real(slot) if !slot.is_open(py) => Ok(0),
            _ => self.open_handle(py),
        }
    }

    /// `record`, as `methods` lists it.
    #[inline]
    pub fn record<'py>(
        this: &Bound<'py, Self>,
        [event, options]: Arguments<'_, 'py, 2>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, stream) = (this.py(), this.get());
        let Some(event) = given(event) else {
            let options = given(options);
            let (stream, options) = (stream.get(py)?, event_options(options)?);
            let made = py
                .detach(|| stream.record(options))
                .or_raise_in(py, "stream.record()")?;
            let made = Event::new(made).in_green(stream.green());
            return Ok(Bound::new(py, made)?.into_any());
        };
        let Ok(known) = event.cast::<Event>() else {
            return Err(PyTypeError::new_err(format!(
                "Stream.record: event: expected a cuox.Event, got {}",
                names::type_name(event)
            )));
        };
        known.get().check_recordable()?;
        match known.get().record_in(py, stream) {
            Some(recorded) => recorded,
            None => {
                let (event, stream) = (known.get().get(py)?, stream.get(py)?);
                py.detach(|| event.record(&stream))
            }
        }
        .or_raise_in(py, "stream.record()")?;
        Ok(event.clone())
    }
}

/// A handle of the kind that any thread may hold.
#[inline]
fn clone_of(py: Python<'_>, slot: &Closable<Counted<cuox::Stream>>) -> PyResult<cuox::Stream> {
    // SAFETY: a clone runs no Python code.
    let stream = unsafe { slot.look(py, |stream| cuox::Stream::clone(stream)) };
    stream.ok_or_else(|| slot.closed(py))
}

/// A stream that a Python object holds on to.
pub enum StreamRef {
    /// Shared with the `Stream` object.
    Shared(Counted<cuox::Stream>),
    Own(cuox::Stream),
    /// A device's default stream, of which there is always a handle.
    Default(&'static cuox::Stream),
}

impl StreamRef {
    /// Another reference, without atomic counting if that can be.
    #[inline]
    pub fn share(&self, py: Python<'_>) -> Self {
        match self {
            Self::Shared(stream) => Self::Shared(stream.share(py)),
            Self::Own(stream) => Self::Own(stream.clone()),
            Self::Default(stream) => Self::Default(stream),
        }
    }
}

impl Deref for StreamRef {
    type Target = cuox::Stream;

    #[inline]
    fn deref(&self) -> &cuox::Stream {
        match self {
            Self::Shared(stream) => stream,
            Self::Own(stream) => stream,
            Self::Default(stream) => stream,
        }
    }
}

impl From<cuox::Stream> for StreamRef {
    fn from(stream: cuox::Stream) -> Self {
        Self::Own(stream)
    }
}

/// As [`stream_or_default`], for a Python object to hold on to.
#[inline(always)]
pub fn stream_ref_or_default(
    py: Python<'_>,
    object: Option<&Bound<'_, PyAny>>,
    device: cuox::Device,
) -> PyResult<StreamRef> {
    if let Some(Ok(stream)) = object.map(|object| object.cast::<Stream>())
        && let Some(slot) = stream.get().own()
        // SAFETY: counting runs no Python code.
        && let Some(shared) = unsafe { slot.look(py, |stream| stream.share(py)) }
    {
        return Ok(StreamRef::Shared(shared));
    }
    if object.is_none_or(|object| object.is_none()) {
        return default_stream(py, device);
    }
    hold_other(py, object, device)
}

/// A device's default stream.
#[inline]
pub fn default_stream(py: Python<'_>, device: cuox::Device) -> PyResult<StreamRef> {
    let stream = device.default_stream_ref().or_raise(py)?;
    Ok(StreamRef::Default(stream))
}

#[cold]
fn hold_other(
    py: Python<'_>,
    object: Option<&Bound<'_, PyAny>>,
    device: cuox::Device,
) -> PyResult<StreamRef> {
    stream_or_default(py, object, device).map(StreamRef::Own)
}

/// A stream argument: a `Stream`, or anything with `__cuda_stream__`, which is taken to be of `device`.
#[inline]
pub fn stream_argument(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    device: Option<cuox::Device>,
) -> PyResult<cuox::Stream> {
    if let Ok(stream) = object.cast::<Stream>() {
        return match device {
            Some(device) => stream.get().get_on(py, device),
            None => stream.get().get(py),
        };
    }
    foreign_stream(py, object, device)
}

#[cold]
fn foreign_stream(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    device: Option<cuox::Device>,
) -> PyResult<cuox::Stream> {
    if object.is_none() {
        return Err(PyTypeError::new_err(
            "stream is required and must not be None: pass a cuox.Stream, such as device.default_stream",
        ));
    }
    let Some(handle) = handles::stream_handle(object)? else {
        let hint = if object.is_instance_of::<PyInt>() {
            "; cuox.Stream.from_handle takes a handle"
        } else {
            ""
        };
        return Err(PyTypeError::new_err(format!(
            "stream: expected a cuox.Stream or an object with __cuda_stream__, got {}{hint}",
            names::type_name(object)
        )));
    };
    let device = match device {
        Some(device) => device,
        None => device::current(py)?,
    };
    let context = device.context().or_raise(py)?;
    idle::others_seen();
    // SAFETY: the protocol promises a live stream; the object that owns it is the caller's argument.
    Ok(unsafe { cuox::Stream::from_raw(&context, handle as usize) })
}

/// A stream argument that may be left out: then it is the device's default stream.
#[inline]
pub fn stream_or_default(
    py: Python<'_>,
    object: Option<&Bound<'_, PyAny>>,
    device: cuox::Device,
) -> PyResult<cuox::Stream> {
    match object {
        Some(object) if !object.is_none() => stream_argument(py, object, Some(device)),
        _ => device.default_stream().or_raise(py),
    }
}

/// The stream that uses a kernel's arguments: work of other streams on them is put in front of it. It is dropped when
/// the use has been put into the stream: then other streams may have to wait for it.
pub struct ConsumerStream<'a> {
    pub py: Python<'a>,
    pub stream: &'a cuox::Stream,
    begun: Begun,
    /// The library and the device whose current stream this one is behind, by the library's functions and the number.
    behind: Cell<(usize, i32)>,
}

impl<'a> ConsumerStream<'a> {
    #[inline]
    pub fn new(py: Python<'a>, stream: &'a cuox::Stream) -> Self {
        Self {
            py,
            stream,
            begun: Begun::default(),
            behind: Cell::new((0, 0)),
        }
    }

    /// Puts the stream behind all that a use of an array's memory has to wait for.
    #[inline]
    pub fn begin(&self, buffer: &Reference<Buffer>, used: Use) -> PyResult<()> {
        if buffer.get().has_use(self.py, self.stream, &used) {
            return Ok(());
        }
        self.begun.begin(self.py, self.stream, buffer, used)
    }

    /// Makes the stream wait for what is now in the producer's stream.
    pub fn after(&self, producer: u64) -> PyResult<()> {
        if producer == self.stream.handle() as u64 {
            return Ok(());
        }
        // SAFETY: the producer's interface promises a live stream of this device.
        let producer = unsafe { cuox::Stream::from_raw(self.stream.context(), producer as usize) };
        let wait = || self.stream.wait_stream(&producer);
        idle::submit_at_once(self.py, self.stream, wait).or_raise(self.py)
    }

    /// True if the stream is behind this library's current one, which stays so while arguments are converted; else it
    /// is from now on.
    #[inline]
    pub fn is_behind(&self, library: usize, device: i32) -> bool {
        self.behind.replace((library, device)) == (library, device)
    }

    /// The same for a handle, of which null is the legacy default stream.
    #[inline]
    pub fn after_handle(&self, producer: usize) -> PyResult<()> {
        let producer = producer.max(cuox::stream::LEGACY);
        match producer == self.stream.handle().max(cuox::stream::LEGACY) {
            true => Ok(()),
            false => self.after(producer as u64),
        }
    }

    /// The stream as DLPack's `__dlpack__(stream=...)` takes it: the legacy default stream is 1 there, 0 is refused.
    pub fn dlpack_stream(&self) -> u64 {
        self.stream.handle().max(1) as u64
    }

    /// True if the driver knows this address: device memory, or host memory that it has pinned.
    pub fn reaches(&self, address: u64) -> bool {
        let mut kind = 0u32;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        if self.stream.context().bind().is_err() {
            return false;
        }
        let table = self.stream.context().driver().table();
        // SAFETY: the attribute is a u32, and the pointer is to a live local.
        let code =
            unsafe { table.cuPointerGetAttribute((&raw mut kind).cast(), attribute, address) };
        code == sys::CUresult::CUDA_SUCCESS && kind != 0
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(names::not_by_hand(
            "Stream objects",
            "Device.create_stream, Stream.from_handle and Device.default_stream give them",
        ))
    }

    /// Wrap a stream of another library by its `CUstream`, which must live as long as it is used here.
    #[staticmethod]
    fn from_handle(py: Python<'_>, handle: &Bound<'_, PyAny>) -> PyResult<Self> {
        let handle = handles::handle_argument("Stream.from_handle: handle", handle)?;
        Self::from_raw(py, device::current(py)?, handle, None)
    }

    /// Destroy the stream when its work is done. Closing twice is fine; the default streams stay.
    fn close(&self, py: Python<'_>) {
        if let Kind::Real(slot) = &self.kind {
            drop(slot.take(py));
        }
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        matches!(&self.kind, Kind::Real(slot) if !slot.is_open(py))
    }

    fn __cuda_stream__(&self, py: Python<'_>) -> PyResult<(u32, usize)> {
        Ok((0, self.open_handle(py)?))
    }

    /// The `CUstream`: an int, which is taken for a `cuox.cuda.bindings.driver.CUstream`, too; 0 after `close`. Raises
    /// ClosedError after `Device.reset`.
    #[getter]
    fn handle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        handles::stream_object(py, self.number(py)?)
    }

    /// True if the stream does not wait for the default stream, nor the other way round.
    #[getter]
    fn is_nonblocking(&self, py: Python<'_>) -> PyResult<bool> {
        self.get(py)?
            .is_nonblocking()
            .or_raise_in(py, "stream.is_nonblocking")
    }

    /// The priority; lower numbers run first. Driver API manual, `cuStreamGetPriority`.
    #[getter]
    fn priority(&self, py: Python<'_>) -> PyResult<i32> {
        self.get(py)?.priority().or_raise_in(py, "stream.priority")
    }

    /// The device that the stream is on.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.get(py)?.device())
    }

    /// The context that the stream is in; the current one for a default stream.
    #[getter]
    fn context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Context>> {
        let stream = self.get(py)?;
        Context::object(py, stream.context().clone(), stream.green())
    }

    /// The multiprocessors that kernels in the stream run on, as those of its context: DeviceResources.
    #[getter]
    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().get(slf.py())?;
        resources_of(slf.as_any())
    }

    /// True if all work in the stream is done; does not wait. Driver API manual, `cuStreamQuery`.
    #[getter]
    fn is_done(&self, py: Python<'_>) -> PyResult<bool> {
        self.get(py)?.is_done().or_raise_in(py, "stream.is_done")
    }

    /// Wait until all work in the stream is done; Ctrl-C ends the wait.
    ///
    /// Raises ClosedError, CUDAError, also for a kernel that has failed. Driver API manual, `cuStreamSynchronize`.
    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        idle::sync(py, "stream.sync()", &self.get(py)?)
    }

    /// Wait until all work in the stream is done; the same as `sync`.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.sync(py)
    }

    /// Make later work wait for an event, or for the work that is now in another stream.
    ///
    /// Raises ValueError for anything else, ClosedError, CUDAError. Driver API manual, `cuStreamWaitEvent`.
    fn wait(&self, py: Python<'_>, event_or_stream: &Bound<'_, PyAny>) -> PyResult<()> {
        let stream = self.get(py)?;
        if let Ok(event) = event_or_stream.cast::<Event>() {
            let event = event.get().get(py)?;
            return idle::submit(py, &stream, || stream.wait(&event))
                .or_raise_in(py, "stream.wait()");
        }
        if !event_or_stream.is_none()
            && !event_or_stream.is_instance_of::<Stream>()
            && handles::stream_handle(event_or_stream)?.is_none()
        {
            return Err(PyValueError::new_err(format!(
                "stream.wait: only an Event, a Stream or an object with __cuda_stream__ can be waited for, got {}",
                names::type_name(event_or_stream)
            )));
        }
        let other = stream_argument(py, event_or_stream, Some(stream.device()))?;
        idle::submit(py, &stream, || stream.wait_stream(&other)).or_raise_in(py, "stream.wait()")
    }

    /// Call `function(*args)` on a thread of the driver when the work before it is done; never if that fails.
    ///
    /// It must not use CUDA: a call in which a driver could wait raises `CUDAError` with `CUDA_ERROR_NOT_PERMITTED`. An
    /// exception in it is
    /// printed, as those of `__del__` are. The program's end waits for callbacks; then this raises RuntimeError
    /// (docs/exits-and-interrupts.md). Driver API manual, `cuLaunchHostFunc`.
    #[pyo3(signature = (function, /, *args))]
    fn add_callback(&self, py: Python<'_>, function: Py<PyAny>, args: Py<PyTuple>) -> PyResult<()> {
        if !function.bind(py).is_callable() {
            return Err(PyTypeError::new_err(
                "Stream.add_callback: function: expected a callable",
            ));
        }
        let stream = self.get(py)?;
        stream_callbacks::add(
            py,
            &stream,
            StreamWork::Call(function, args),
            "stream.add_callback()",
        )
    }

    /// Create a builder of graphs that captures the work that is put into this stream.
    fn create_graph_builder(slf: &Bound<'_, Self>) -> PyResult<graph_builder::GraphBuilder> {
        let device = slf.get().get(slf.py())?.device();
        graph_builder::builder(slf.py(), device, Some(slf.as_any()))
    }

    /// The foreign object that owns the stream, or None.
    #[getter]
    fn owner(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.owner.as_ref().map(|owner| owner.clone_ref(py))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else {
            return false;
        };
        let other = other.get();
        if std::ptr::eq(self, other) {
            return true;
        }
        match (&self.kind, &other.kind) {
            (Kind::Real(a), Kind::Real(b)) => {
                matches!((clone_of(py, a), clone_of(py, b)), (Ok(a), Ok(b)) if a == b)
            }
            // A default stream of the driver is that of any device.
            _ => matches!((self.open_handle(py), other.open_handle(py)), (Ok(a), Ok(b)) if a == b),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        ("stream", self.number(py).ok()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match &self.kind {
            Kind::Real(slot) => match clone_of(py, slot) {
                Ok(stream) => format!(
                    "<Stream handle={:#x} context={:#x}>",
                    stream.handle(),
                    stream.context().raw().addr()
                ),
                Err(_) => "<Stream handle=0x0>".into(),
            },
            Kind::Legacy => "<Stream, the current device's legacy default>".into(),
            Kind::PerThread => "<Stream, the current thread's default>".into(),
        }
    }
}

/// Reads a `StreamOptions`.
pub fn stream_options(options: Option<&Bound<'_, PyAny>>) -> PyResult<StreamOptions> {
    check_keys(options, &["nonblocking", "priority"])?;
    let default = StreamOptions::default();
    Ok(StreamOptions {
        nonblocking: option(options, "nonblocking", default.nonblocking)?,
        priority: option(options, "priority", default.priority)?,
    })
}

impl Drop for ConsumerStream<'_> {
    #[inline]
    fn drop(&mut self) {
        self.begun.end(self.py, self.stream);
    }
}
