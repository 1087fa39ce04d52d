//! `cuox.GraphBuilder`: work that is captured for a graph.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use cuox::driver::sys::{CUgraph, CUstreamCaptureMode};
use cuox::memory::uses::captures;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::buffer::free_what_is_left;
use crate::context::ContextMark;
use crate::error::{OrRaise, closed_with};
use crate::graph::{Graph, in_python, instantiate};
use crate::graph_attachments::drop_gone;
use crate::graph_captured::{Captured, CapturedKeeper};
use crate::graph_uses::{HeldUses, take_uses};
use crate::stream::{Stream, stream_or_default};
use crate::support::closable::{Closable, Guarded};
use crate::support::driver_call::call;
use crate::support::plain_args;

const FRESH: u8 = 0;
const BUILDING: u8 = 1;
const ENDED: u8 = 2;

/// Captures the work that is put into its stream: pass it to `launch` in place of a stream.
#[pyclass(frozen, weakref, module = "cuox", name = "GraphBuilder")]
pub struct GraphBuilder {
    stream: Closable<cuox::Stream>,
    state: AtomicU8,
    captured: Closable<Option<Arc<Captured>>>,
    /// True for a builder that `split` has made: its work goes into another one's graph.
    is_forked: bool,
    body: Option<Body>,
    /// What captured callbacks, graphs inside and conditional nodes use: with graphs that are made of this.
    kept: Py<PyList>,
}

/// The graph of a conditional node, which its builder captures into.
struct Body {
    graph: CUgraph,
    /// The builder of the graph around it.
    around: Py<GraphBuilder>,
}

impl GraphBuilder {
    fn new(py: Python<'_>, stream: cuox::Stream) -> Self {
        Self {
            stream: Closable::new("graph builder", stream),
            state: FRESH.into(),
            captured: Closable::new("graph", None),
            is_forked: false,
            body: None,
            kept: PyList::empty(py).unbind(),
        }
    }

    /// Begins the stream's capture.
    fn begin_capture(
        &self,
        py: Python<'_>,
        stream: &cuox::Stream,
        mode: CUstreamCaptureMode,
    ) -> PyResult<()> {
        let user = "begin_building()";
        let Some(body) = &self.body else {
            let name = "cuStreamBeginCapture";
            return call(py, user, stream.context(), name, |table| {
                // SAFETY: the stream is alive.
                unsafe { table.cuStreamBeginCapture_v2(stream.raw(), mode) }
            });
        };
        let (name, none) = ("cuStreamBeginCaptureToGraph", std::ptr::null());
        call(py, user, stream.context(), name, |table| {
            // SAFETY: the stream is alive, the builder of the graph around is held, and the lists are empty.
            unsafe {
                let graph = body.graph;
                table.cuStreamBeginCaptureToGraph(
                    stream.raw(),
                    graph,
                    none,
                    std::ptr::null(),
                    0,
                    mode,
                )
            }
        })
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

    /// Adds a conditional node: a tuple of the builders of its graphs.
    fn conditional<'py>(
        slf: &Bound<'py, Self>,
        condition: &Bound<'py, PyAny>,
        kind: &str,
        count: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.get().expect(
            BUILDING,
            "Graph builder must be building before a conditional node can be added.",
        )?;
        in_python(
            slf.py(),
            "capture_conditional",
            (slf, condition, kind, count),
        )
    }

    fn expect(&self, state: u8, what: &str) -> PyResult<()> {
        if self.state.load(Relaxed) == state {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(what.to_owned()))
    }

    /// What was captured.
    /// Raises ClosedError after a reset, whose next graphs may have the same handles.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        match self.stream.peek(py) {
            Some(stream) => stream.context().check().or_raise(py),
            None => Ok(()),
        }
    }

    fn finished(&self, py: Python<'_>) -> PyResult<Arc<Captured>> {
        let Some(captured) = self.captured.peek(py) else {
            return Err(closed_with(py, "Graph builder has been closed."));
        };
        captured.ok_or_else(|| {
            PyRuntimeError::new_err(
                "Graph has not finished building. Call end_building() before this",
            )
        })
    }
}

/// `mode` of `begin_building`: a word, or how another object shows itself.
struct BuildMode(Cow<'static, str>);

impl BuildMode {
    fn relaxed() -> Self {
        Self("relaxed".into())
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for BuildMode {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = match object.extract::<String>() {
            Ok(word) => word,
            Err(_) => object.repr()?.to_string(),
        };
        Ok(Self(text.into()))
    }
}

#[pymethods]
impl GraphBuilder {
    /// Begin to capture.
    ///
    /// mode: "global", "thread_local" or "relaxed": the calls of this process that are an error meanwhile.
    ///
    /// Returns the builder. Driver API manual, `cuStreamBeginCapture`.
    #[pyo3(signature = (mode=BuildMode::relaxed()), text_signature = "($self, mode='relaxed')")]
    fn begin_building<'py>(slf: Bound<'py, Self>, mode: BuildMode) -> PyResult<Bound<'py, Self>> {
        let (py, this) = (slf.py(), slf.get());
        let mode = match mode.0.as_ref() {
            "global" => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
            "thread_local" => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
            "relaxed" => CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
            other => {
                return Err(PyValueError::new_err(format!(
                    "Unsupported build mode: begin_building: mode must be \"global\", \"thread_local\" or \"relaxed\", not \"{other}\""
                )));
            }
        };
        if this.is_building() {
            return Err(PyRuntimeError::new_err(
                "Graph builder is already building.",
            ));
        }
        this.expect(FRESH, "Cannot resume building after building has ended.")?;
        let stream = this.stream.get(py)?;
        // Another builder may be capturing in it: the driver says so.
        let is_first = captures::before(&stream).is_none();
        if is_first {
            captures::begin(&stream).or_raise_in(py, "begin_building()")?;
        }
        let begun = this.begin_capture(py, &stream, mode);
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
        this.expect(
            BUILDING,
            "Graph builder is not building: end_building needs begin_building before it",
        )?;
        if this.is_forked {
            return Err(PyRuntimeError::new_err(
                "end_building: a builder that split() has made cannot end the graph: join() it first",
            ));
        }
        let stream = this.stream.get(py)?;
        this.state.store(ENDED, Relaxed);
        let (raw, uses) = Self::end_capture(py, "end_building()", &stream);
        let captured = Arc::new(Captured {
            context: stream.context().clone(),
            raw: raw?,
            is_owner: this.body.is_none(),
            uses: Arc::new(Guarded::new(uses)),
        });
        if this.body.is_some() {
            // Its work is that of the graph around.
            this.kept
                .bind(py)
                .append(CapturedKeeper(captured.clone()))?;
        }
        drop(this.captured.replace(py, Some(captured))?);
        Ok(slf)
    }

    /// Make a graph of the captured work, which can be launched any number of times. Driver API manual,
    /// `cuGraphInstantiate`.
    ///
    /// options: GraphCompleteOptions, or a dict with some of its fields.
    ///
    /// Raises RuntimeError before `end_building`, CUDAError.
    #[pyo3(signature = (options=None))]
    fn complete(slf: &Bound<'_, Self>, options: Option<&Bound<'_, PyAny>>) -> PyResult<Graph> {
        let py = slf.py();
        let captured = slf.get().finished(py)?;
        if slf.get().body.is_some() {
            return Err(PyRuntimeError::new_err(
                "complete: the graph of a conditional node is launched with the graph around it",
            ));
        }
        // Nodes that were added by `graph_definition` keep what they use.
        let keeper = in_python(py, "retained", (slf,))?;
        instantiate(
            "complete()",
            &captured.context,
            captured.raw,
            keeper,
            options,
        )
    }

    /// The `CUgraph` of the captured work, and an object that keeps it.
    fn _graph(&self, py: Python<'_>) -> PyResult<(usize, Py<PyAny>)> {
        self.check(py)?;
        if self.is_forked {
            return Err(PyRuntimeError::new_err(
                "graph_definition: a forked builder has no graph of its own: ask the one that was split",
            ));
        }
        if self.is_building() {
            return Err(PyRuntimeError::new_err(
                "graph_definition: capture is in progress: call end_building() first",
            ));
        }
        if let Some(body) = &self.body {
            return Ok((body.graph.0.addr(), body.around.clone_ref(py).into_any()));
        }
        if self.state.load(Relaxed) == FRESH {
            return Err(PyRuntimeError::new_err(
                "graph_definition: there is no graph before begin_building() and end_building()",
            ));
        }
        let captured = self.finished(py)?;
        let keeper = Py::new(py, CapturedKeeper(captured.clone()))?;
        Ok((captured.raw.0.addr(), keeper.into_any()))
    }

    /// True if there is a captured graph.
    #[getter]
    fn _is_finished(&self, py: Python<'_>) -> bool {
        self.captured.peek(py).flatten().is_some()
    }

    /// What captured callbacks, graphs inside and conditional nodes use.
    #[getter]
    fn _kept(&self, py: Python<'_>) -> Py<PyList> {
        self.kept.clone_ref(py)
    }

    /// The context that it captures in.
    fn _mark(&self, py: Python<'_>) -> PyResult<ContextMark> {
        Ok(ContextMark::of(self.stream.get(py)?.context()))
    }

    /// A builder for a graph of a conditional node of this one's: `graph` is its `CUgraph`.
    fn _body(slf: &Bound<'_, Self>, graph: usize) -> PyResult<Self> {
        let (py, this) = (slf.py(), slf.get());
        let device = this.stream.get(py)?.device();
        let stream = device.create_stream(cuox::StreamOptions::default());
        let mut body = Self::new(py, stream.or_raise(py)?);
        body.body = Some(Body {
            graph: CUgraph(graph as *mut _),
            around: slf.clone().unbind(),
        });
        this.kept.bind(py).append(&body.kept)?;
        Ok(body)
    }

    /// The captured graph as a `GraphDefinition`, to look at its nodes and to add some.
    ///
    /// Raises RuntimeError before `end_building`, and for a builder that `split` has made.
    #[getter]
    fn graph_definition<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        in_python(slf.py(), "definition_of", (slf,))
    }

    /// Write the captured graph as text for Graphviz.
    ///
    /// path: the file to write. options: GraphDebugPrintOptions.
    ///
    /// Driver API manual, `cuGraphDebugDotPrint`.
    #[pyo3(signature = (path, options=None))]
    fn debug_dot_print(
        slf: &Bound<'_, Self>,
        path: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        slf.get().finished(slf.py())?;
        let definition = Self::graph_definition(slf)?;
        definition
            .call_method1("debug_dot_print", (path, options))
            .map(drop)
    }

    /// True for a builder that `split` has made: it has to be joined before the graph is ended.
    #[getter]
    fn is_join_required(&self) -> bool {
        self.is_forked
    }

    /// Split the builder into `count` ones, whose work goes on from here side by side.
    ///
    /// Returns a tuple of them, of which the first is this one. Raises RuntimeError before `begin_building`, ValueError
    /// for less than two.
    fn split<'py>(
        slf: &Bound<'py, Self>,
        count: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (py, this) = (slf.py(), slf.get());
        let count = plain_args::count::<i64>("split: count", count)?;
        if count < 2 {
            return Err(PyValueError::new_err(format!(
                "Invalid split count: expecting >= 2, got {count}"
            )));
        }
        this.expect(
            BUILDING,
            "Graph builder must be building before it can be split.",
        )?;
        let stream = this.stream.get(py)?;
        let mut all = vec![slf.clone()];
        for _ in 1..count {
            let side = stream
                .device()
                .create_stream(cuox::StreamOptions::default())
                .or_raise_in(py, "split()")?;
            side.wait_stream(&stream).or_raise_in(py, "split()")?;
            let mut builder = Self::new(py, side);
            builder.state = BUILDING.into();
            builder.is_forked = true;
            builder.kept = this.kept.clone_ref(py);
            all.push(Bound::new(py, builder)?);
        }
        PyTuple::new(py, all)
    }

    /// Join builders that `split` has made, and close all but the one that is returned: later work in that comes after
    /// all of theirs.
    ///
    /// Raises ValueError for less than two, RuntimeError if one is not building.
    #[staticmethod]
    #[pyo3(signature = (*graph_builders))]
    fn join<'py>(graph_builders: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, Self>> {
        let py = graph_builders.py();
        let mut all = Vec::new();
        for builder in graph_builders {
            let builder = builder.cast_into::<Self>().map_err(|error| {
                plain_args::wrong_kind("join", "graph builders", &error.into_inner())
            })?;
            builder.get().expect(
                BUILDING,
                "Graph builder must be building before it can be joined.",
            )?;
            all.push(builder);
        }
        if all.len() < 2 {
            return Err(PyValueError::new_err(
                "Must join with at least two graph builders",
            ));
        }
        let place = all.iter().position(|builder| !builder.get().is_forked);
        let root = all.remove(place.unwrap_or(0));
        let stream = root.get().stream.get(py)?;
        for other in all.into_iter().filter(|other| !other.is(&root)) {
            let side = other.get().stream.get(py)?;
            stream.wait_stream(&side).or_raise_in(py, "join()")?;
            other.get().close(py);
        }
        Ok(root)
    }

    /// Call a function on a thread of the driver at this point of the graph.
    ///
    /// fn: a callable without parameters, which must not use CUDA, or a ctypes function `void (*)(void *)`.
    /// user_data: for a ctypes function, what it is given: an address, or bytes, which are copied.
    ///
    /// Raises TypeError for a ctypes function of another kind, ValueError for `user_data` of a Python function. Driver
    /// API manual, `cuLaunchHostFunc`.
    #[pyo3(signature = (r#fn, *, user_data=None))]
    fn callback(
        slf: &Bound<'_, Self>,
        r#fn: &Bound<'_, PyAny>,
        user_data: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        slf.get().expect(
            BUILDING,
            "Graph builder must be building before a callback can be added.",
        )?;
        in_python(slf.py(), "capture_callback", (slf, r#fn, user_data)).map(drop)
    }

    /// Add a graph that another builder has captured, as one node.
    ///
    /// child: a builder after `end_building`.
    ///
    /// Raises ValueError if it has not ended. Driver API manual, `cuGraphAddChildGraphNode`.
    fn embed(slf: &Bound<'_, Self>, child: &Bound<'_, Self>) -> PyResult<()> {
        slf.get().expect(
            BUILDING,
            "Graph builder must be building before a graph can be embedded.",
        )?;
        if child.get().captured.peek(slf.py()).flatten().is_none() {
            return Err(PyValueError::new_err(
                "Child graph has not finished building: call end_building() on it first",
            ));
        }
        in_python(slf.py(), "capture_child", (slf, child)).map(drop)
    }

    /// Create a condition for conditional nodes.
    ///
    /// default_value: its number at the beginning of each launch; without one kernels have to set it.
    ///
    /// Returns a GraphCondition, which kernels take as `cudaGraphConditionalHandle`, to set it by
    /// `cudaGraphSetConditional`. Raises RuntimeError before `begin_building` and after `end_building`. Driver API
    /// manual, `cuGraphConditionalHandleCreate`.
    #[pyo3(signature = (default_value=None))]
    fn create_condition<'py>(
        slf: &Bound<'py, Self>,
        default_value: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.get().expect(
            BUILDING,
            "Cannot create a condition when graph is not being built",
        )?;
        in_python(slf.py(), "create_condition", (slf, default_value))
    }

    /// Add a graph that runs if a condition is not 0.
    ///
    /// Returns its builder: `begin_building` and `end_building` capture the graph, or its `graph_definition` has
    /// methods that add nodes. Raises TypeError for other objects than conditions, CUDAError. Driver API manual,
    /// `cuGraphAddNode`.
    fn if_then<'py>(
        slf: &Bound<'py, Self>,
        condition: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::conditional(slf, condition, "if", 1)?.get_item(0)
    }

    /// Add two graphs, of which the first runs if a condition is not 0, else the second.
    ///
    /// Returns a tuple of their builders, as `if_then` one. Raises TypeError, CUDAError.
    fn if_else<'py>(
        slf: &Bound<'py, Self>,
        condition: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::conditional(slf, condition, "if", 2)
    }

    /// Add a graph that runs again as long as a condition is not 0.
    ///
    /// Returns its builder, as `if_then`. Raises TypeError, CUDAError.
    fn while_loop<'py>(
        slf: &Bound<'py, Self>,
        condition: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::conditional(slf, condition, "while", 1)?.get_item(0)
    }

    /// Add `count` graphs, of which that runs whose number a condition has.
    ///
    /// Returns a tuple of their builders, as `if_then` one. Raises TypeError, CUDAError.
    fn switch<'py>(
        slf: &Bound<'py, Self>,
        condition: &Bound<'py, PyAny>,
        count: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = plain_args::count::<u32>("switch: count", count)?;
        Self::conditional(slf, condition, "switch", count)
    }

    /// Destroy the captured work; graphs that were made of it stay. Closing twice is fine.
    fn close(&self, py: Python<'_>) {
        if self.state.swap(ENDED, Relaxed) == BUILDING
            && !self.is_forked
            && let Some(stream) = self.stream.peek(py)
            && let (Ok(raw), _) = Self::end_capture(py, "close()", &stream)
        {
            drop(Captured {
                context: stream.context().clone(),
                raw,
                is_owner: self.body.is_none(),
                uses: Arc::new(Guarded::new(Vec::new())),
            });
        }
        drop_gone(py);
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

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.kept)?;
        self.body
            .iter()
            .try_for_each(|body| visit.call(&body.around))
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
    Ok(GraphBuilder::new(py, stream))
}
