//! `cuox.GraphBuilder` and `cuox.Graph`: work that is captured once and launched as one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use cuox::Error;
use cuox::driver::sys::{self, CUgraph, CUgraphExec, CUstreamCaptureMode};
use cuox::memory::uses::{Use, captures};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::buffer::{Buffer, free_what_is_left};
use crate::device::Device;
use crate::error::{OrRaise, to_py_in};
use crate::stream::{ConsumerStream, Stream, stream_argument, stream_or_default};
use crate::support::closable::{Closable, Guarded};
use crate::support::plain_args;
use crate::support::pool::Reference;

/// Calls a function of the stream's driver with its context current.
fn call(
    py: Python<'_>,
    user: &str,
    context: &cuox::Context,
    name: &'static str,
    function: impl FnOnce(&sys::DriverTable) -> sys::CUresult,
) -> PyResult<()> {
    context.bind().or_raise_in(py, user)?;
    match function(context.driver().table()) {
        sys::CUresult::CUDA_SUCCESS => Ok(()),
        code => Err(to_py_in(py, Error::driver(code.0 as i32, name), user)),
    }
}

/// A use of an array's memory by work that is being captured.
struct CapturedUse {
    buffer: Reference<Buffer>,
    stream: cuox::Stream,
    used: Use,
}

/// Uses of which memory, which is held.
type HeldUses = Vec<(Reference<Buffer>, Use)>;

/// What the work of a graph uses: each launch is such a use.
type GraphUses = Arc<Guarded<HeldUses>>;

/// The uses by work that is being captured, each with its capture's number.
static USES: Guarded<Vec<(u64, CapturedUse)>> = Guarded::new(Vec::new());

/// Adds a use by work that is put into a stream whose work is captured. Uses in several streams of one capture get the
/// edges that put them in order, if `is_ordered`.
pub fn add_use(
    py: Python<'_>,
    capture: u64,
    stream: &cuox::Stream,
    buffer: &Reference<Buffer>,
    used: Use,
    is_ordered: bool,
) -> PyResult<()> {
    // SAFETY: neither comparing nor cloning runs Python code.
    let (is_known, others) = unsafe {
        USES.look(py, |uses| {
            let same = uses
                .iter()
                .filter(|(of, one)| *of == capture && one.buffer.is(&**buffer));
            let mut others: SmallVec<[cuox::Stream; 2]> = SmallVec::new();
            let mut is_known = false;
            for (_, one) in same {
                if one.stream == *stream {
                    is_known |= one.used == used;
                } else if is_ordered && one.used.conflicts(&used) && !others.contains(&one.stream) {
                    others.push(one.stream.clone());
                }
            }
            (is_known, others)
        })
    };
    for other in &others {
        // One that has not joined the capture yet has nothing in it to wait for.
        if other.capture().or_raise(py)? == Some(capture) {
            stream.wait_stream(other).or_raise(py)?;
        }
    }
    if !is_known {
        let one = CapturedUse {
            buffer: buffer.clone_ref(py).into(),
            stream: stream.clone(),
            used,
        };
        // SAFETY: as above.
        unsafe { USES.look(py, |uses| uses.push((capture, one))) };
    }
    Ok(())
}

/// The uses of a capture that has ended, one for each buffer.
fn take_uses(py: Python<'_>, capture: u64) -> HeldUses {
    // SAFETY: moving values runs no Python code.
    let taken: Vec<_> = unsafe {
        USES.look(py, |uses| {
            uses.extract_if(.., |(of, _)| *of == capture).collect()
        })
    };
    let mut found = HeldUses::new();
    for (_, one) in taken {
        // In the graph's launch all of its uses are one.
        match found.iter_mut().find(|(of, _)| of.is(&*one.buffer)) {
            Some((_, used)) => used.extend(&one.used),
            None => found.push((one.buffer, one.used)),
        }
    }
    found
}

/// A captured graph.
struct Captured {
    context: cuox::Context,
    raw: CUgraph,
    uses: GraphUses,
}

impl Drop for Captured {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: it came from cuStreamEndCapture and is destroyed once.
            unsafe { self.context.driver().table().cuGraphDestroy(self.raw) };
        }
    }
}

/// A graph that can be launched.
struct Executable {
    context: cuox::Context,
    raw: CUgraphExec,
    uses: GraphUses,
}

impl Executable {
    /// Puts a stream behind all that a launch has to wait for.
    fn begin_uses(&self, py: Python<'_>, consumer: &ConsumerStream<'_>) -> PyResult<()> {
        // SAFETY: cloning runs no Python code.
        let uses: HeldUses = unsafe {
            self.uses.look(py, |uses| {
                let of = |(buffer, used): &(Reference<Buffer>, Use)| {
                    (buffer.clone_ref(py).into(), used.clone())
                };
                uses.iter().map(of).collect()
            })
        };
        uses.into_iter()
            .try_for_each(|(buffer, used)| consumer.begin(&buffer, used))
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        if self.context.bind().is_ok() {
            // SAFETY: it came from cuGraphInstantiateWithFlags and is destroyed once.
            unsafe { self.context.driver().table().cuGraphExecDestroy(self.raw) };
        }
    }
}

const FRESH: u8 = 0;
const BUILDING: u8 = 1;
const ENDED: u8 = 2;

/// Captures the work that is put into its stream: pass it to `launch` in place of a stream.
#[pyclass(frozen, weakref, module = "cuox", name = "GraphBuilder")]
pub struct GraphBuilder {
    stream: Closable<cuox::Stream>,
    state: AtomicU8,
    captured: Closable<Option<Arc<Captured>>>,
}

impl GraphBuilder {
    pub fn new(stream: cuox::Stream) -> Self {
        Self {
            stream: Closable::new("graph builder", stream),
            state: FRESH.into(),
            captured: Closable::new("graph", None),
        }
    }

    /// Ends the stream's capture, which is over also where the driver gives no graph: the graph, and what that uses.
    fn end_capture(
        py: Python<'_>,
        user: &str,
        stream: &cuox::Stream,
    ) -> (PyResult<CUgraph>, HeldUses) {
        let capture = stream.capture();
        free_what_is_left(Some(stream));
        let mut raw = CUgraph::null();
        let ended = call(
            py,
            user,
            stream.context(),
            "cuStreamEndCapture",
            // SAFETY: the stream is alive, and the pointer is to a live local.
            |table| unsafe { table.cuStreamEndCapture(stream.raw(), &mut raw) },
        );
        captures::end(stream);
        free_what_is_left(None);
        let uses = match capture {
            Ok(Some(capture)) => take_uses(py, capture),
            _ => Vec::new(),
        };
        (ended.map(|()| raw), uses)
    }

    fn expect(&self, state: u8, what: &str) -> PyResult<()> {
        if self.state.load(Relaxed) == state {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(format!("GraphBuilder: {what}")))
    }
}

#[pymethods]
impl GraphBuilder {
    /// Begin to capture.
    ///
    /// mode: "global", "thread_local" or "relaxed": the calls of this process that are an error meanwhile.
    ///
    /// Returns the builder. Driver API manual, `cuStreamBeginCapture`.
    #[pyo3(signature = (mode=None), text_signature = "($self, mode='relaxed')")]
    fn begin_building<'py>(
        slf: Bound<'py, Self>,
        mode: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, this) = (slf.py(), slf.get());
        let mode = plain_args::text_or_none("begin_building: mode", mode)?;
        let mode = match mode.as_deref().unwrap_or("relaxed") {
            "global" => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
            "thread_local" => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
            "relaxed" => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
            other => {
                return Err(PyValueError::new_err(format!(
                    "begin_building: mode must be \"global\", \"thread_local\" or \"relaxed\", not \"{other}\""
                )));
            }
        };
        this.expect(FRESH, "begin_building was called before")?;
        let stream = this.stream.get(py)?;
        // Another builder may be capturing in it: the driver says so.
        let is_first = captures::before(&stream).is_none();
        if is_first {
            captures::begin(&stream).or_raise_in(py, "begin_building()")?;
        }
        let begun = call(
            py,
            "begin_building()",
            stream.context(),
            "cuStreamBeginCapture",
            // SAFETY: the stream is alive.
            |table| unsafe { table.cuStreamBeginCapture_v2(stream.raw(), mode) },
        );
        if begun.is_err() && is_first {
            captures::end(&stream);
        }
        begun?;
        this.state.store(BUILDING, Relaxed);
        Ok(slf)
    }

    /// End the capture.
    ///
    /// Returns the builder. Driver API manual, `cuStreamEndCapture`.
    fn end_building(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let (py, this) = (slf.py(), slf.get());
        this.expect(BUILDING, "end_building needs begin_building before it")?;
        let stream = this.stream.get(py)?;
        this.state.store(ENDED, Relaxed);
        let (raw, uses) = Self::end_capture(py, "end_building()", &stream);
        let captured = Arc::new(Captured {
            context: stream.context().clone(),
            raw: raw?,
            uses: Arc::new(Guarded::new(uses)),
        });
        drop(this.captured.replace(py, Some(captured))?);
        Ok(slf)
    }

    /// Make a graph of the captured work, which can be launched any number of times. Driver API manual,
    /// `cuGraphInstantiate`.
    #[pyo3(signature = (options=None))]
    fn complete(&self, py: Python<'_>, options: Option<&Bound<'_, PyAny>>) -> PyResult<Graph> {
        if options.is_some_and(|options| !options.is_none()) {
            return Err(PyValueError::new_err(
                "GraphBuilder.complete: options are not supported",
            ));
        }
        let Some(captured) = self.captured.get(py)? else {
            return Err(PyRuntimeError::new_err(
                "GraphBuilder: complete needs end_building before it",
            ));
        };
        let mut raw = CUgraphExec::null();
        call(
            py,
            "complete()",
            &captured.context,
            "cuGraphInstantiateWithFlags",
            // SAFETY: the graph is alive, and the pointer is to a live local.
            |table| unsafe { table.cuGraphInstantiateWithFlags(&mut raw, captured.raw, 0) },
        )?;
        let executable = Executable {
            context: captured.context.clone(),
            raw,
            uses: captured.uses.clone(),
        };
        Ok(Graph {
            executable: Closable::new("graph", Arc::new(executable)),
        })
    }

    /// Destroy the captured work; graphs that were made of it stay. Closing twice is fine.
    fn close(&self, py: Python<'_>) {
        if self.state.swap(ENDED, Relaxed) == BUILDING
            && let Some(stream) = self.stream.peek(py)
            && let (Ok(raw), _) = Self::end_capture(py, "close()", &stream)
        {
            drop(Captured {
                context: stream.context().clone(),
                raw,
                uses: Arc::new(Guarded::new(Vec::new())),
            });
        }
        drop(self.stream.take(py));
        drop(self.captured.take(py));
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        !self.stream.is_open(py)
    }

    /// True between `begin_building` and `end_building`.
    #[getter]
    fn is_building(&self) -> bool {
        self.state.load(Relaxed) == BUILDING
    }

    /// The stream whose work is captured.
    #[getter]
    fn stream(&self, py: Python<'_>) -> PyResult<Stream> {
        Ok(Stream::new(self.stream.get(py)?))
    }

    fn __cuda_stream__(&self, py: Python<'_>) -> PyResult<(u32, usize)> {
        let stream = self.stream.get(py)?;
        // Whoever asks gives the handle to the driver, which follows that of a stream that has ended.
        stream.context().check().or_raise(py)?;
        Ok((0, stream.handle()))
    }
}

impl Drop for GraphBuilder {
    fn drop(&mut self) {
        // A stream whose capture nobody can end would make all waits for the device errors.
        if self.is_building() {
            Python::attach(|py| self.close(py));
        }
    }
}

/// A graph of work, launched as one. `GraphBuilder.complete` makes it.
#[pyclass(frozen, weakref, module = "cuox", name = "Graph")]
pub struct Graph {
    executable: Closable<Arc<Executable>>,
}

impl Graph {
    fn on(
        &self,
        py: Python<'_>,
        stream: &Bound<'_, PyAny>,
        user: &str,
        name: &'static str,
        is_launch: bool,
        function: unsafe fn(&sys::DriverTable, CUgraphExec, sys::CUstream) -> sys::CUresult,
    ) -> PyResult<()> {
        let graph = self.executable.get(py)?;
        let stream = stream_argument(py, stream, Some(graph.context.device()))?;
        let consumer = ConsumerStream::new(py, &stream);
        if is_launch {
            graph.begin_uses(py, &consumer)?;
        }
        // It may have callbacks.
        crate::idle::needs_gil(py);
        crate::idle::submit(py, &stream, || {
            graph.context.bind()?;
            stream.context().check()?;
            // SAFETY: graph and stream are alive.
            match unsafe { function(graph.context.driver().table(), graph.raw, stream.raw()) } {
                sys::CUresult::CUDA_SUCCESS => Ok(()),
                code => Err(Error::driver(code.0 as i32, name)),
            }
        })
        .or_raise_in(py, user)
    }
}

#[pymethods]
impl Graph {
    /// Put the whole graph into a stream. Driver API manual, `cuGraphLaunch`.
    fn launch(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        self.on(
            py,
            stream,
            "graph.launch()",
            "cuGraphLaunch",
            true,
            sys::DriverTable::cuGraphLaunch,
        )
    }

    /// Bring the graph to the device, so that its first launch costs no more than later ones. Driver API manual,
    /// `cuGraphUpload`.
    fn upload(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        self.on(
            py,
            stream,
            "graph.upload()",
            "cuGraphUpload",
            false,
            sys::DriverTable::cuGraphUpload,
        )
    }

    /// Destroy the graph. Closing twice is fine.
    fn close(&self, py: Python<'_>) {
        drop(self.executable.take(py));
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        !self.executable.is_open(py)
    }

    /// The device that the graph runs on.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.executable.get(py)?.context.device())
    }
}

/// A builder on the given stream; without one, on a stream of its own.
pub fn builder(
    py: Python<'_>,
    device: cuox::Device,
    stream: Option<&Bound<'_, PyAny>>,
) -> PyResult<GraphBuilder> {
    let stream = match stream {
        Some(_) => stream_or_default(py, stream, device)?,
        None => device
            .create_stream(cuox::StreamOptions::default())
            .or_raise_in(py, "create_graph_builder()")?,
    };
    Ok(GraphBuilder::new(stream))
}
