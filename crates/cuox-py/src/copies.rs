//! Copies between buffers and host memory.

use cuox::memory::raw;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::buffer::Buffer;
use crate::buffer_memory::Held;
use crate::error::{OrRaise, wait};
use crate::idle;
use crate::stream_callbacks::{self, StreamWork};
use crate::support::fastcall::{Arguments, none};
use crate::support::host_span::{self, Span};
use crate::support::host_view::HostView;
use crate::support::names;

/// Holds a view until the work that is now in the stream is done.
fn hold(py: Python<'_>, user: &str, stream: &cuox::Stream, view: HostView) -> PyResult<()> {
    stream_callbacks::add(py, stream, StreamWork::Release(view), user)
}

/// True if an asynchronous copy of this host memory goes on after it has returned: the driver does not touch
/// pageable memory later, but reads and writes pinned memory in its own time.
fn is_pinned(py: Python<'_>, stream: &cuox::Stream, view: &HostView) -> bool {
    crate::stream::ConsumerStream::new(py, stream).reaches(view.address() as u64)
}

/// A copy of no more than this, with nothing to wait for, ends before another thread could take the GIL.
const SMALL: usize = 4 << 10;

/// Has the driver copy: without the GIL, unless it is at once.
fn copy<T: Send>(
    py: Python<'_>,
    stream: Option<&cuox::Stream>,
    at_once: bool,
    work: impl FnOnce() -> T + Send,
) -> T {
    match stream {
        _ if at_once => work(),
        Some(stream) => idle::submit(py, stream, work),
        None => py.detach(work),
    }
}

const WRITE: &str = "buffer.copy_from_host()";
const READ: &str = "buffer.copy_to_host()";

/// Pageable memory up to this size is set aside by an asynchronous copy; for more, the driver waits for the stream.
const SET_ASIDE: usize = 64 << 10;

impl Buffer {
    fn host_size(&self, what: &str, bytes: usize) -> PyResult<()> {
        if bytes > self.size {
            return Err(PyValueError::new_err(format!(
                "{what}: {bytes} bytes of host memory do not fit a buffer of {} bytes",
                self.size
            )));
        }
        Ok(())
    }

    /// A host object as it is read or written, with a clear word for what is none.
    pub fn view(what: &str, object: &Bound<'_, PyAny>, writable: bool) -> PyResult<HostView> {
        // SAFETY: a live object.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err(format!(
                "{what}: expected host memory (a NumPy array, bytes, anything with the buffer protocol), got {}",
                names::type_name(object)
            )));
        }
        HostView::new(object, writable).map_err(|error| {
            let py = object.py();
            // Objects of Python's are a TypeError, which says all.
            let why = match error.is_instance_of::<PyTypeError>(py) {
                true => Some(error.value(py).to_string()),
                false => HostView::refusal(object, writable),
            };
            match why {
                Some(why) => PyErr::from_type(error.get_type(py), format!("{what}: {why}")),
                None => error,
            }
        })
    }

    /// A short copy with nothing to wait for: says whether it was one, and done.
    #[inline(always)]
    fn copy_small(
        &self,
        py: Python<'_>,
        host: &Bound<'_, PyAny>,
        writable: bool,
    ) -> PyResult<bool> {
        if !idle::is_quiet(self.device) {
            return Ok(false);
        }
        match host_span::span(host, writable) {
            // SAFETY: the GIL is held until the copy is done, so that nothing happens to the host memory.
            Some(span) => unsafe { self.copy_span(py, &span, writable) },
            None => self.copy_small_view(py, host, writable),
        }
    }

    /// As `copy_small`, by the buffer protocol.
    fn copy_small_view(
        &self,
        py: Python<'_>,
        host: &Bound<'_, PyAny>,
        writable: bool,
    ) -> PyResult<bool> {
        host_span::learn(host);
        // Whoever looks again finds the words for what is wrong.
        let Ok(view) = HostView::new(host, writable) else {
            return Ok(false);
        };
        let span = Span {
            address: view.address().cast(),
            bytes: view.len(),
        };
        // SAFETY: the view holds the host memory.
        unsafe { self.copy_span(py, &span, writable) }
    }

    /// # Safety
    /// The span is host memory until this returns; writable, if so said.
    #[inline(always)]
    unsafe fn copy_span(&self, py: Python<'_>, span: &Span, writable: bool) -> PyResult<bool> {
        if span.bytes == 0 || span.bytes > SMALL.min(self.size) {
            return Ok(false);
        }
        let copy = |held: &mut Held| {
            let Held::Shared(memory) = held else {
                return None;
            };
            if memory.ordered_by().is_some() {
                return None;
            }
            let (context, host, here) = (
                memory.context(),
                span.address.expose_provenance() as u64,
                self.address,
            );
            // SAFETY: the caller vouches for the span's memory; the range was checked, and the copy is done on
            // return.
            Some(unsafe {
                let (to, from) = if writable { (host, here) } else { (here, host) };
                raw::copy(context, to, from, span.bytes, None)
            })
        };
        // SAFETY: a copy runs no Python code.
        match unsafe { self.held.look(py, copy) }.flatten() {
            Some(copied) => copied
                .or_raise_in(py, if writable { READ } else { WRITE })
                .map(|()| true),
            None => Ok(false),
        }
    }

    /// Copy host memory to the buffer's start. Without a stream the copy is done on return; with one it is in that
    /// stream's order, and the host memory must stay as it is until then.
    fn write_from(
        &self,
        py: Python<'_>,
        src: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.check(py)?;
        let view = Self::view("copy_from_host", src, false)?;
        self.host_size("copy_from_host", view.len())?;
        if view.len() == 0 {
            return Ok(());
        }
        let given = self.stream_argument(py, stream)?;
        self.write_view(py, WRITE, 0, view, given)
    }

    /// Copies host memory to the buffer, from `offset` on: done on return without a stream, with one in its order.
    pub fn write_view(
        &self,
        py: Python<'_>,
        user: &str,
        offset: usize,
        view: HostView,
        given: Option<cuox::Stream>,
    ) -> PyResult<()> {
        let memory = self.as_device(py)?;
        let bytes = view.len();
        let own = if given.is_none() {
            memory.stream().cloned()
        } else {
            None
        };
        let stream = given.as_ref().or(own.as_ref());
        let pinned = given
            .as_ref()
            .is_some_and(|stream| is_pinned(py, stream, &view));
        // The driver's own wait does not end with Ctrl-C: wait here.
        let quiet = if stream.is_none() || bytes > SET_ASIDE && !pinned {
            idle::wait_for_work(py, user, self.device, stream)?
        } else {
            false
        };
        let source = view.address() as usize;
        // SAFETY: the view holds the memory until the copy is done: `hold` or the wait below sees to that.
        let copied = copy(py, stream, quiet && bytes <= SMALL, || unsafe {
            memory.copy_from_host(offset, source as *const u8, bytes, stream)
        });
        copied.or_raise_in(py, user)?;
        match (&given, &own) {
            (Some(stream), _) if pinned => hold(py, user, stream, view),
            (None, Some(stream)) => wait(py, user, |stop| stream.sync_with(stop)),
            _ => Ok(()),
        }
    }

    /// Copy from the buffer's start to host memory. Without a stream the copy is done on return; with one it is in
    /// that stream's order: synchronise before reading.
    fn read_to(
        &self,
        py: Python<'_>,
        dst: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.check(py)?;
        let view = Self::view("copy_to_host", dst, true)?;
        self.host_size("copy_to_host", view.len())?;
        if view.len() == 0 {
            return Ok(());
        }
        let given = self.stream_argument(py, stream)?;
        self.read_view(py, READ, 0, view, given, None)
    }

    /// Copies from the buffer, from `offset` on, to host memory: done on return, but for pinned memory with a stream
    /// given. Without one it goes into `order`, else into the memory's own.
    pub fn read_view(
        &self,
        py: Python<'_>,
        user: &str,
        offset: usize,
        view: HostView,
        given: Option<cuox::Stream>,
        order: Option<&cuox::Stream>,
    ) -> PyResult<()> {
        let memory = self.as_device(py)?;
        let bytes = view.len();
        let target = view.address() as usize;
        if let Some(stream) = &given
            && is_pinned(py, stream, &view)
        {
            // SAFETY: `hold` keeps the memory until the copy is done.
            let copied = idle::submit(py, stream, || unsafe {
                memory.copy_to_host(offset, target as *mut u8, bytes, Some(stream))
            });
            copied.or_raise_in(py, user)?;
            return hold(py, user, stream, view);
        }
        let stream = given.or_else(|| order.or(memory.stream()).cloned());
        // Such a copy waits in the driver, where Ctrl-C would not end it: wait here for what is before it.
        let quiet = idle::wait_for_work(py, user, self.device, stream.as_ref())?;
        // SAFETY: the view is held here, and the copy is done on return (pageable memory) or after the wait.
        let copied = copy(py, stream.as_ref(), quiet && bytes <= SMALL, || unsafe {
            memory.copy_to_host(offset, target as *mut u8, bytes, stream.as_ref())
        });
        copied.or_raise_in(py, user)?;
        match &stream {
            Some(stream) => wait(py, user, |stop| stream.sync_with(stop)),
            None => Ok(()),
        }
    }

    /// `copy_from_host`, as `methods` lists it.
    #[inline]
    pub fn copy_from_host<'py>(
        this: &Bound<'py, Self>,
        [src, stream]: Arguments<'_, 'py, 2>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, buffer) = (this.py(), this.get());
        if let Some(src) = src
            && (stream.is_some() || !buffer.copy_small(py, src, false)?)
        {
            buffer.write_from(py, src, stream)?;
        }
        Ok(none(py))
    }

    /// `copy_to_host`, as `methods` lists it.
    #[inline]
    pub fn copy_to_host<'py>(
        this: &Bound<'py, Self>,
        [dst, stream]: Arguments<'_, 'py, 2>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, buffer) = (this.py(), this.get());
        if let Some(dst) = dst
            && (stream.is_some() || !buffer.copy_small(py, dst, true)?)
        {
            buffer.read_to(py, dst, stream)?;
        }
        Ok(none(py))
    }
}
