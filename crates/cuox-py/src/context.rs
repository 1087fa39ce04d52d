//! `cuox.Context`.

use std::hash::{DefaultHasher, Hash, Hasher};

use cuox::GreenContext;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use crate::device::{self, Device};
use crate::error::OrRaise;
use crate::stream::{Stream, stream_options};
use crate::support::closable::Closable;
use crate::support::names::not_by_hand;

/// A context: the memory, streams and code of a device in this process. `Device.context` and `Stream.context` get it;
/// `Device.create_context` makes one with a part of the device's multiprocessors, a green one.
///
/// Driver API manual, *Context Management*, *Green Contexts*.
#[pyclass(frozen, weakref, module = "cuox", name = "Context")]
pub struct Context {
    slot: Closable<Kind>,
    is_green: bool,
}

#[derive(Clone)]
enum Kind {
    Primary(cuox::Context),
    Green(GreenContext),
}

impl Kind {
    /// The context whose memory and code it has.
    fn base(&self) -> &cuox::Context {
        match self {
            Self::Primary(context) => context,
            Self::Green(green) => green.context(),
        }
    }
}

/// The objects of green contexts, by their handles, as long as something has them.
static GREEN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Takes a `CUgreenCtx` of a device over, which is destroyed when nothing has it any more.
#[pyfunction]
pub fn _green_context<'py>(
    py: Python<'py>,
    device: &Bound<'py, Device>,
    handle: usize,
) -> PyResult<Bound<'py, Context>> {
    let context = device.get().inner().context().or_raise(py)?;
    // SAFETY: the package's own code, which has made it for this device, gives it away.
    let green = unsafe { GreenContext::from_raw(&context, handle) };
    Context::of_green(py, green.or_raise_in(py, "device.create_context()")?)
}

impl Context {
    /// The object of a context, or of a green one in it.
    pub fn object(
        py: Python<'_>,
        context: cuox::Context,
        green: Option<GreenContext>,
    ) -> PyResult<Bound<'_, Self>> {
        match green {
            Some(green) => Self::of_green(py, green),
            None => Bound::new(
                py,
                Self {
                    slot: Closable::new("context", Kind::Primary(context)),
                    is_green: false,
                },
            ),
        }
    }

    /// The object of a green context: always the same.
    fn of_green(py: Python<'_>, green: GreenContext) -> PyResult<Bound<'_, Self>> {
        let known = GREEN.get_or_try_init(py, || {
            let class = py.import("weakref")?.getattr("WeakValueDictionary")?;
            class.call0().map(Bound::unbind)
        })?;
        let handle = green.handle();
        let found = known.bind(py).call_method1("get", (handle,))?;
        if let Ok(found) = found.cast_into::<Self>()
            && matches!(found.get().slot.peek(py), Some(Kind::Green(own)) if own == green)
        {
            return Ok(found);
        }
        let made = Bound::new(
            py,
            Self {
                slot: Closable::new("context", Kind::Green(green)),
                is_green: true,
            },
        )?;
        known.bind(py).set_item(handle, &made)?;
        Ok(made)
    }

    /// The context below: of a green one the primary one.
    pub fn get(&self, py: Python<'_>) -> PyResult<cuox::Context> {
        Ok(self.slot.get(py)?.base().clone())
    }

    /// The green context below, if it is one.
    pub fn green(&self, py: Python<'_>) -> PyResult<Option<GreenContext>> {
        Ok(match self.slot.get(py)? {
            Kind::Green(green) => Some(green),
            Kind::Primary(_) => None,
        })
    }

    /// The context, unless it is closed or gone.
    fn living(&self, py: Python<'_>) -> Option<Kind> {
        let kind = self.slot.peek(py);
        kind.filter(|kind| kind.base().check().is_ok())
    }

    /// The number of the `CUcontext`; 0 if it is closed.
    fn number(&self, py: Python<'_>) -> usize {
        self.living(py).map_or(0, |kind| match kind {
            Kind::Primary(context) => context.raw().addr(),
            Kind::Green(green) => green.raw().addr(),
        })
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
        Some(self.number(py)).filter(|&number| number != 0)
    }

    /// True after `close` and after `Device.reset`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        self.living(py).is_none()
    }

    /// True for a context with a part of the device's multiprocessors.
    #[getter]
    fn is_green(&self) -> bool {
        self.is_green
    }

    /// The device.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.get(py)?.device())
    }

    /// The multiprocessors that the context has: DeviceResources. Raises ClosedError.
    #[getter]
    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().slot.get(slf.py())?;
        resources_of(slf.as_any())
    }

    /// Create a stream in a green context: its kernels run on the context's multiprocessors.
    ///
    /// options: StreamOptions, or a dict with some of its fields.
    ///
    /// Raises RuntimeError for another context, whose streams `Device.create_stream` makes, ValueError for a stream
    /// that waits for the default stream, CUDAError. Driver API manual, `cuGreenCtxStreamCreate`.
    #[pyo3(signature = (options=None))]
    fn create_stream(
        &self,
        py: Python<'_>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Stream> {
        let Some(green) = self.green(py)? else {
            return Err(PyRuntimeError::new_err(
                "context.create_stream() is only supported on green contexts; device.create_stream() makes a stream of \
                 this one",
            ));
        };
        let options = stream_options(options)?;
        if !options.nonblocking {
            return Err(PyValueError::new_err(
                "context.create_stream(): streams of green contexts must be non-blocking",
            ));
        }
        let made = py.detach(|| green.create_stream(options));
        Ok(Stream::new(
            made.or_raise_in(py, "context.create_stream()")?,
        ))
    }

    /// Let go of the context: a green one is destroyed when its streams and events are gone, another one the device
    /// keeps. Closing twice is fine. Raises RuntimeError for a green context that is current in this thread.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(Kind::Green(green)) = self.slot.peek(py)
            && GreenContext::current().is_some_and(|current| current == green)
        {
            return Err(PyRuntimeError::new_err(
                "context.close(): cannot close a context while it is current; device.set_current() makes another one current",
            ));
        }
        drop(self.slot.take(py));
        Ok(())
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
            Some(kind) => format!(
                "<Context handle={:#x} device={}>",
                self.number(py),
                kind.base().device().ordinal()
            ),
            None => "<Context, closed>".into(),
        }
    }
}

/// The context of a device at one time: it tells objects in Python of a later reset.
#[pyclass(frozen, module = "cuox._native", name = "_ContextMark")]
pub struct ContextMark(cuox::Context);

impl ContextMark {
    pub fn of(context: &cuox::Context) -> Self {
        Self(context.clone())
    }
}

#[pymethods]
impl ContextMark {
    /// The context that the current device has now.
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        device::current(py)?.context().or_raise(py).map(Self)
    }

    /// Raise ClosedError after `Device.reset`.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.0.check().or_raise(py)
    }

    /// True after `Device.reset`.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.check().is_err()
    }
}

/// The `DeviceResources` of a device, a context or a stream.
pub fn resources_of<'py>(of: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let class = of
        .py()
        .import("cuox._internal.resources")?
        .getattr("DeviceResources")?;
    class.call_method1("_of", (of,))
}
