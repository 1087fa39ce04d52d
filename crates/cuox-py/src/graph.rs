//! `cuox.GraphBuilder` and `cuox.Graph`: work that is captured once and launched as one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use cuox::Error;
use cuox::driver::sys::{self, CUgraph, CUgraphExec, CUstreamCaptureMode};
use cuox::memory::uses::{Use, captures};
use cuox_interpreter::gate;
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::buffer::{Buffer, free_what_is_left};
use crate::device::{self, Device};
use crate::error::{OrRaise, to_py_in};
use crate::graph_uses::{GraphUses, HeldUses, take_uses};
use crate::stream::{ConsumerStream, Stream, stream_argument, stream_or_default};
use crate::support::closable::{Closable, Guarded};
use crate::support::options::{check_keys, option};
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
    /// True for a builder that `split` has made: its work goes into another one's graph.
    is_forked: bool,
}

/// Keeps a captured graph for a definition that shows it.
#[pyclass(frozen, module = "cuox._native", name = "_CapturedGraph")]
struct CapturedKeeper(#[allow(dead_code, reason = "held, never read")] Arc<Captured>);

/// The refusal of conditional nodes in what is captured.
#[cold]
fn no_conditions(method: &str) -> PyErr {
    PyNotImplementedError::new_err(format!(
        "GraphBuilder.{method}: conditional nodes cannot be captured yet; GraphDefinition has {method}, with a driver \
         that has conditional nodes"
    ))
}

/// The functions in Python behind the methods of graphs.
fn in_python<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    let module = py.import(intern!(py, "cuox._internal.graphs"))?;
    gate::call(&module.getattr(name)?, &arguments.into_pyobject(py)?, None)
}

/// The options of `GraphCompleteOptions`, as the driver's flags, and the stream to upload in.
fn instantiation<'py>(
    options: Option<&Bound<'py, PyAny>>,
) -> PyResult<(u64, Option<Bound<'py, PyAny>>)> {
    let Some(options) = options.filter(|options| !options.is_none()) else {
        return Ok((0, None));
    };
    let known = [
        "auto_free_on_launch",
        "upload_stream",
        "device_launch",
        "use_node_priority",
    ];
    check_keys(Some(options), &known)?;
    let flag = |name, bit: u64| {
        option(Some(options), name, false).map(|is_set: bool| if is_set { bit } else { 0 })
    };
    let flags =
        flag("auto_free_on_launch", 1)? | flag("device_launch", 4)? | flag("use_node_priority", 8)?;
    let stream = match options.cast::<PyDict>() {
        Ok(dict) => dict.get_item("upload_stream")?,
        Err(_) => Some(options.getattr("upload_stream")?),
    };
    Ok((flags, stream.filter(|stream| !stream.is_none())))
}

/// Makes a graph that can be launched.
fn instantiate(
    py: Python<'_>,
    user: &str,
    context: &cuox::Context,
    graph: CUgraph,
    uses: GraphUses,
    keeper: Option<Py<PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<Graph> {
    let (flags, upload) = instantiation(options)?;
    let mut raw = CUgraphExec::null();
    call(
        py,
        user,
        context,
        "cuGraphInstantiateWithFlags",
        // SAFETY: the graph is alive, and the pointer is to a live local.
        |table| unsafe { table.cuGraphInstantiateWithFlags(&mut raw, graph, flags) },
    )?;
    let executable = Executable {
        context: context.clone(),
        raw,
        uses,
    };
    let made = Graph {
        executable: Closable::new("graph", Arc::new(executable)),
        keeper: Guarded::new(keeper),
    };
    if let Some(stream) = upload {
        made.upload(py, &stream)?;
    }
    Ok(made)
}

/// Makes a graph that can be launched of a definition: `graph` is its `CUgraph`, and `keeper` is kept with it.
#[pyfunction]
#[pyo3(signature = (graph, keeper, options=None))]
pub fn _instantiate_graph(
    py: Python<'_>,
    graph: usize,
    keeper: Py<PyAny>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<Graph> {
    let context = device::current(py)?.context().or_raise(py)?;
    let graph = CUgraph(graph as *mut _);
    let uses = Arc::new(Guarded::new(Vec::new()));
    instantiate(
        py,
        "instantiate()",
        &context,
        graph,
        uses,
        Some(keeper),
        options,
    )
}

impl GraphBuilder {
    pub fn new(stream: cuox::Stream) -> Self {
        Self {
            stream: Closable::new("graph builder", stream),
            state: FRESH.into(),
            captured: Closable::new("graph", None),
            is_forked: false,
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
        Err(PyRuntimeError::new_err(what.to_owned()))
    }

    /// What was captured.
    fn finished(&self, py: Python<'_>) -> PyResult<Arc<Captured>> {
        self.captured.get(py)?.ok_or_else(|| {
            PyRuntimeError::new_err(
                "Graph has not finished building. Call end_building() before this",
            )
        })
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
            uses: Arc::new(Guarded::new(uses)),
        });
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
        // Nodes that were added by `graph_definition` keep what they use.
        let keeper = in_python(py, "retained", (slf,))?.unbind();
        instantiate(
            py,
            "complete()",
            &captured.context,
            captured.raw,
            captured.uses.clone(),
            Some(keeper),
            options,
        )
    }

    /// The `CUgraph` of the captured work, and an object that keeps it.
    fn _graph(&self, py: Python<'_>) -> PyResult<(usize, CapturedKeeper)> {
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
        if self.state.load(Relaxed) == FRESH {
            return Err(PyRuntimeError::new_err(
                "graph_definition: there is no graph before begin_building() and end_building()",
            ));
        }
        let captured = self.finished(py)?;
        Ok((captured.raw.0.addr(), CapturedKeeper(captured)))
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
            let mut builder = Self::new(side);
            builder.state = BUILDING.into();
            builder.is_forked = true;
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
    /// Raises NotImplementedError: graphs inside of a captured one are not captured yet; the methods of
    /// `GraphDefinition` put them together.
    #[pyo3(signature = (default_value=None))]
    fn create_condition(&self, default_value: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let _ = default_value;
        Err(no_conditions("create_condition"))
    }

    /// Capture a graph that runs if a condition is not 0.
    ///
    /// Raises NotImplementedError: graphs inside of a captured one are not captured yet; the methods of
    /// `GraphDefinition` put them together.
    fn if_then(&self, condition: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = condition;
        Err(no_conditions("if_then"))
    }

    /// Capture two graphs, of which a condition says which one runs.
    ///
    /// Raises NotImplementedError: graphs inside of a captured one are not captured yet; the methods of
    /// `GraphDefinition` put them together.
    fn if_else(&self, condition: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = condition;
        Err(no_conditions("if_else"))
    }

    /// Capture a graph that runs again as long as a condition is not 0.
    ///
    /// Raises NotImplementedError: graphs inside of a captured one are not captured yet; the methods of
    /// `GraphDefinition` put them together.
    fn while_loop(&self, condition: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = condition;
        Err(no_conditions("while_loop"))
    }

    /// Capture `count` graphs, of which that runs whose number a condition has.
    ///
    /// Raises NotImplementedError: graphs inside of a captured one are not captured yet; the methods of
    /// `GraphDefinition` put them together.
    fn switch(&self, condition: &Bound<'_, PyAny>, count: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = (condition, count);
        Err(no_conditions("switch"))
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
    /// What its nodes use, if that was given by the objects of a definition.
    keeper: Guarded<Option<Py<PyAny>>>,
}

impl Graph {
    /// Keeps an object, besides what is kept: launches that are under way use that.
    fn keep(&self, py: Python<'_>, object: Py<PyAny>) {
        // SAFETY: moving runs no Python code.
        let before = unsafe { self.keeper.look(py, Option::take) };
        let both = (before, object)
            .into_pyobject(py)
            .map(|pair| pair.into_any().unbind());
        // SAFETY: as above.
        unsafe { self.keeper.look(py, |held| *held = both.ok()) };
    }

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

    /// The `CUgraphExec`, as an int; 0 after `close`.
    #[getter]
    fn handle(&self, py: Python<'_>) -> usize {
        let executable = self.executable.peek(py);
        executable.map_or(0, |executable| executable.raw.0.addr())
    }

    /// Take over the parameters of another graph of the same shape.
    ///
    /// source: a GraphBuilder after `end_building`, or a GraphDefinition.
    ///
    /// Raises TypeError for others, ValueError for a builder that has not ended, CUDAError for a graph of another
    /// shape. Driver API manual, `cuGraphExecUpdate`.
    fn update(slf: &Bound<'_, Self>, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, this) = (slf.py(), slf.get());
        this.executable.get(py)?;
        if let Ok(builder) = source.cast::<GraphBuilder>() {
            if !builder.get().stream.is_open(py) {
                return Err(PyValueError::new_err(
                    "Source graph builder has been closed.",
                ));
            }
            if builder.get().captured.peek(py).flatten().is_none() {
                return Err(PyValueError::new_err(
                    "Graph has not finished building: call end_building() on the source first",
                ));
            }
        }
        let keeper = in_python(py, "update_graph", (slf, source))?.unbind();
        this.keep(py, keeper);
        Ok(())
    }

    /// A view of a node in this graph, whose `update` sets the node's parameters for later launches.
    ///
    /// node: a node of the definition that the graph was made of.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        node: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        in_python(slf.py(), "executable_node", (slf, node))
    }

    /// Keep an object, besides what is kept, until the graph goes.
    fn _keep(&self, py: Python<'_>, object: Py<PyAny>) {
        self.keep(py, object);
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
