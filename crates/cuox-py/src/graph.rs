//! `cuox.GraphBuilder` and `cuox.Graph`: work that is captured once and launched as one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use cuox::Error;
use cuox::driver::sys::{self, CUgraph, CUgraphExec, CUstreamCaptureMode};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::device::Device;
use crate::error::{OrRaise, to_py_in};
use crate::stream::{Stream, stream_argument, stream_or_default};
use crate::support::closable::Closable;
use crate::support::plain_args;

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

/// A captured graph.
struct Captured {
    context: cuox::Context,
    raw: CUgraph,
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
#[pyclass(frozen, module = "cuox", name = "GraphBuilder")]
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
        call(
            py,
            "begin_building()",
            stream.context(),
            "cuStreamBeginCapture",
            // SAFETY: the stream is alive.
            |table| unsafe { table.cuStreamBeginCapture_v2(stream.raw(), mode) },
        )?;
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
        let mut raw = CUgraph::null();
        this.state.store(ENDED, Relaxed);
        call(
            py,
            "end_building()",
            stream.context(),
            "cuStreamEndCapture",
            // SAFETY: the stream is alive, and the pointer is to a live local.
            |table| unsafe { table.cuStreamEndCapture(stream.raw(), &mut raw) },
        )?;
        let captured = Arc::new(Captured {
            context: stream.context().clone(),
            raw,
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
        };
        Ok(Graph {
            executable: Closable::new("graph", Arc::new(executable)),
        })
    }

    /// Destroy the captured work; graphs that were made of it stay. Closing twice is fine.
    fn close(&self, py: Python<'_>) {
        if self.state.swap(ENDED, Relaxed) == BUILDING
            && let Some(stream) = self.stream.peek(py)
        {
            let mut raw = CUgraph::null();
            // SAFETY: the stream is alive, and the pointer is to a live local; a failed capture has no graph.
            let _ = call(
                py,
                "close()",
                stream.context(),
                "cuStreamEndCapture",
                // SAFETY: the stream is alive, and the pointer is to a live local.
                |table| unsafe { table.cuStreamEndCapture(stream.raw(), &mut raw) },
            );
            if !raw.is_null() {
                drop(Captured {
                    context: stream.context().clone(),
                    raw,
                });
            }
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

/// A graph of work, launched as one. `GraphBuilder.complete` makes it.
#[pyclass(frozen, module = "cuox", name = "Graph")]
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
        function: unsafe fn(&sys::DriverTable, CUgraphExec, sys::CUstream) -> sys::CUresult,
    ) -> PyResult<()> {
        let graph = self.executable.get(py)?;
        let stream = stream_argument(py, stream, Some(graph.context.device()))?;
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
    fn device(&self, py: Python<'_>) -> PyResult<Device> {
        Ok(Device::new(self.executable.get(py)?.context.device()))
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
