//! What nodes use, kept by the driver with the graph (`CUuserObject`): so also with what it copies or instantiates of
//! it for others.
//!
//! The driver lets go of it on any thread, perhaps with locks of its own, where no Python code may run. It is put aside
//! then, and goes when the interpreter's main thread comes to it, or with whatever is attached or detached next.

use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::sync::{Mutex, PoisonError};

use cuox::driver::sys::{CUgraph, CUuserObject};
use cuox_interpreter::gate;
use pyo3::prelude::*;

use crate::error::OrRaise;
use crate::support::driver_call::call;

/// `CU_USER_OBJECT_NO_DESTRUCTOR_SYNC`, and `CU_GRAPH_USER_OBJECT_MOVE`.
const NO_DESTRUCTOR_SYNC: u32 = 1;
const MOVE: u32 = 1;

/// What the driver has let go of.
static GONE: Mutex<Vec<Py<PyAny>>> = Mutex::new(Vec::new());

/// Lets go of what the driver has let go of.
pub fn drop_gone(_py: Python<'_>) {
    // Destructors may make more of it go.
    loop {
        let gone = std::mem::take(&mut *GONE.lock().unwrap_or_else(PoisonError::into_inner));
        if gone.is_empty() {
            return;
        }
        drop(gone);
    }
}

/// Called by the interpreter in its main thread.
extern "C" fn soon(_: *mut c_void) -> c_int {
    let _ = catch_unwind(|| Python::try_attach(drop_gone));
    0
}

/// Called by the driver, once, as the last graph that has the object goes.
unsafe extern "C" fn let_go(object: *mut c_void) {
    let _ = catch_unwind(|| {
        // SAFETY: `attach` has made it.
        let object = unsafe { Box::from_raw(object.cast::<Py<PyAny>>()) };
        GONE.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(*object);
        gate::call_soon(soon);
    });
}

/// Has the driver keep an object with a graph.
pub fn attach(
    py: Python<'_>,
    context: &cuox::Context,
    graph: CUgraph,
    object: Py<PyAny>,
) -> PyResult<CUuserObject> {
    drop_gone(py);
    let data = Box::into_raw(Box::new(object)).cast::<c_void>();
    let mut made = CUuserObject::null();
    // SAFETY: the pointer is to a live local; `let_go` takes what is given with it.
    let create = call(
        py,
        "a node",
        context,
        "cuUserObjectCreate",
        |table| unsafe {
            table.cuUserObjectCreate(&mut made, data, Some(let_go), 1, NO_DESTRUCTOR_SYNC)
        },
    );
    if let Err(error) = create {
        // SAFETY: the driver has not taken it.
        drop(unsafe { Box::from_raw(data.cast::<Py<PyAny>>()) });
        return Err(error);
    }
    let name = "cuGraphRetainUserObject";
    // SAFETY: the object was just made; the driver looks the graph up.
    let retain = call(py, "a node", context, name, |table| unsafe {
        table.cuGraphRetainUserObject(graph, made, 1, MOVE)
    });
    if let Err(error) = retain {
        // SAFETY: the one reference is ours.
        unsafe { context.driver().table().cuUserObjectRelease(made, 1) };
        return Err(error);
    }
    Ok(made)
}

/// Has the driver keep an object no longer with a graph. It does not matter if the graph does not have it.
pub fn detach(
    py: Python<'_>,
    context: &cuox::Context,
    graph: CUgraph,
    object: CUuserObject,
) -> PyResult<()> {
    context.bind().or_raise(py)?;
    let table = context.driver().table();
    // SAFETY: the driver looks for the object among those of the graph.
    unsafe { table.cuGraphReleaseUserObject(graph, object, 1) };
    drop_gone(py);
    Ok(())
}
