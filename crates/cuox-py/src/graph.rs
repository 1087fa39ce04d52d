//! `cuox.Graph`: work that is launched as one, of a captured graph or a definition.

use std::sync::Arc;

use cuox::driver::sys::{self, CUgraph, CUgraphExec, CUuserObject};
use cuox_interpreter::gate;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::device::{self, Device};
use crate::error::OrRaise;
use crate::graph_attachments::{attach, detach};
use crate::graph_captured;
use crate::graph_kept::{self, Kept};
use crate::stream::{ConsumerStream, stream_argument};
use crate::stream_callbacks;
use crate::support::closable::{Closable, Guarded};
use crate::support::driver_call::call;
use crate::support::options::{check_keys, option};
use crate::support::plain_args::given;

/// A graph that can be launched.
struct Executable {
    context: cuox::Context,
    raw: CUgraphExec,
}

impl Drop for Executable {
    fn drop(&mut self) {
        let raw = self.raw;
        self.context.release(move |driver| {
            // SAFETY: it came from cuGraphInstantiateWithFlags and is destroyed once.
            let code = unsafe { driver.table().cuGraphExecDestroy(raw) };
            sys::check(driver, code, "cuGraphExecDestroy")
        });
    }
}

/// The functions in Python behind the methods of graphs.
pub fn in_python<'py>(
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
    let Some(options) = given(options) else {
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

/// Makes a graph that can be launched, with which the driver keeps `keeper`.
pub fn instantiate(
    user: &str,
    context: &cuox::Context,
    graph: CUgraph,
    keeper: Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<Graph> {
    let py = keeper.py();
    let (flags, upload) = instantiation(options)?;
    let mut raw = CUgraphExec::null();
    let attached = attach(py, context, graph, keeper.clone().unbind())?;
    let made = call(
        py,
        user,
        context,
        "cuGraphInstantiateWithFlags",
        // SAFETY: the graph is alive, and the pointer is to a live local.
        |table| unsafe { table.cuGraphInstantiateWithFlags(&mut raw, graph, flags) },
    );
    let executable = made.map(|()| Executable {
        context: context.clone(),
        raw,
    });
    detach(py, context, graph, attached)?;
    let executable = executable?;
    let made = Graph {
        executable: Closable::new("graph", Arc::new(executable)),
        kept: Guarded::new(Some(Kept::new(keeper))),
    };
    if let Some(stream) = upload {
        made.upload(py, &stream)?;
    }
    Ok(made)
}

/// Has the driver keep an object with a graph, of which `graph` is the `CUgraph`; returns the `CUuserObject`.
#[pyfunction]
pub fn _attach(py: Python<'_>, graph: usize, object: Py<PyAny>) -> PyResult<usize> {
    let context = device::current(py)?.context().or_raise(py)?;
    let attached = attach(py, &context, CUgraph(graph as *mut _), object)?;
    Ok(attached.addr())
}

/// Has the driver keep an object no longer with a graph.
#[pyfunction]
pub fn _detach(py: Python<'_>, graph: usize, object: usize) -> PyResult<()> {
    let context = device::current(py)?.context().or_raise(py)?;
    let object = CUuserObject::from_addr(object);
    detach(py, &context, CUgraph(graph as *mut _), object)
}

/// `cuGraphExecUpdate`: its `CUresult`, and the `CUgraphExecUpdateResult` that says more.
#[pyfunction]
pub fn _update_graph(py: Python<'_>, executable: usize, graph: usize) -> PyResult<(u32, u32)> {
    let context = device::current(py)?.context().or_raise(py)?;
    context.bind().or_raise(py)?;
    // SAFETY: zeros are a value of the record, and the driver writes only into it; the handles are checked by it.
    let (code, info) = unsafe {
        let mut info: sys::CUgraphExecUpdateResultInfo = std::mem::zeroed();
        let executable = CUgraphExec::from_addr(executable);
        let code = context.driver().table().cuGraphExecUpdate_v2(
            executable,
            CUgraph::from_addr(graph),
            &mut info,
        );
        (code, info)
    };
    Ok((code.0, info.result.0))
}

/// Destroys a graph, of which `graph` is the `CUgraph`.
#[pyfunction]
pub fn _destroy_graph(py: Python<'_>, graph: usize) -> PyResult<()> {
    let context = device::current(py)?.context().or_raise(py)?;
    graph_captured::destroy(&context, CUgraph::from_addr(graph));
    Ok(())
}

/// Makes a graph that can be launched of a definition: `graph` is its `CUgraph`, and `keeper` is kept with it.
#[pyfunction]
#[pyo3(signature = (graph, keeper, options=None))]
pub fn _instantiate_graph(
    graph: usize,
    keeper: Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<Graph> {
    let py = keeper.py();
    let context = device::current(py)?.context().or_raise(py)?;
    let graph = CUgraph(graph as *mut _);
    instantiate("instantiate()", &context, graph, keeper, options)
}

/// A graph of work, launched as one. `GraphBuilder.complete` makes it.
#[pyclass(frozen, weakref, module = "cuox", name = "Graph")]
pub struct Graph {
    executable: Closable<Arc<Executable>>,
    /// `None` once it is dropped.
    kept: Guarded<Option<Kept>>,
}

impl Drop for Graph {
    fn drop(&mut self) {
        Python::attach(|py| {
            // SAFETY: moving runs no Python code.
            if let Some(kept) = unsafe { self.kept.look(py, Option::take) } {
                graph_kept::leave(kept, py);
            }
        });
    }
}

impl Graph {
    /// The graph, unless it is closed or a reset has ended it: then the next graph may have its handle.
    fn open(&self, py: Python<'_>) -> PyResult<Arc<Executable>> {
        let executable = self.executable.get(py)?;
        executable.context.check().or_raise(py)?;
        Ok(executable)
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
        let graph = self.open(py)?;
        let stream = stream_argument(py, stream, Some(graph.context.device()))?;
        let consumer = ConsumerStream::new(py, &stream);
        if is_launch {
            let uses = graph_kept::launched(&self.kept, py, &stream);
            uses.into_iter()
                .try_for_each(|(buffer, used)| consumer.begin(&buffer, used))?;
        }
        // It may have callbacks.
        crate::idle::needs_gil(py);
        crate::idle::submit(py, &stream, || {
            graph.context.bind()?;
            stream.context().check()?;
            let driver = graph.context.driver();
            // SAFETY: graph and stream are alive.
            let code = unsafe { function(driver.table(), graph.raw, stream.raw()) };
            sys::check(driver, code, name)
        })
        .or_raise_in(py, user)?;
        if is_launch && graph_kept::calls_python(&self.kept, py) {
            stream_callbacks::graph_launched(&stream);
        }
        Ok(())
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

    /// The `CUgraphExec`, as an int; 0 after `close`. Raises ClosedError after `Device.reset`.
    #[getter]
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        match self.executable.is_open(py) {
            true => Ok(self.open(py)?.raw.0.addr()),
            false => Ok(0),
        }
    }

    /// Take over the parameters of another graph of the same shape.
    ///
    /// source: a GraphBuilder after `end_building`, or a GraphDefinition.
    ///
    /// Raises TypeError for others, ValueError for a builder that has not ended, CUDAError for a graph of another
    /// shape. Driver API manual, `cuGraphExecUpdate`.
    fn update(slf: &Bound<'_, Self>, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, this) = (slf.py(), slf.get());
        this.open(py)?;
        let used = in_python(py, "update_graph", (slf, source))?;
        graph_kept::replace(&this.kept, graph_kept::ALL, used);
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

    /// Keep an object for a node, which its `CUgraphNode` is, in place of what was kept for it.
    fn _keep(&self, node: usize, object: Bound<'_, PyAny>) {
        graph_kept::replace(&self.kept, node, object);
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
