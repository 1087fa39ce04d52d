//! Pools that several processes share. Their handles, and what pickles them, are `cuox._internal.memory.sharing`.

use std::os::fd::{BorrowedFd, IntoRawFd};

use cuox::memory::pool::{MemoryPool, PoolKind};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::error::OrRaise;

/// The module of handles and pickles.
pub fn python(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("cuox._internal.memory.sharing")
}

/// The error for memory that is not shared.
#[cold]
pub fn not_shared() -> PyErr {
    PyRuntimeError::new_err(
        "Memory resource is not IPC-enabled: make it with options=DeviceMemoryResourceOptions(ipc_enabled=True) or \
         PinnedMemoryResourceOptions(ipc_enabled=True)",
    )
}

/// The error for asking another process's pool for memory.
#[cold]
pub fn gives_none() -> PyErr {
    PyTypeError::new_err("Cannot allocate from a mapped IPC-enabled memory resource")
}

/// The handle of a new pool.
pub fn handle_of(py: Python<'_>, pool: &MemoryPool) -> PyResult<Py<PyAny>> {
    let descriptor = pool
        .export()
        .or_raise_in(py, "a memory resource with ipc_enabled")?;
    let handle = python(py)?.call_method1("new_handle", (descriptor.into_raw_fd(),))?;
    Ok(handle.unbind())
}

/// The pool of a handle, which is an `IPCAllocationHandle`.
pub fn pool_of(
    py: Python<'_>,
    device: cuox::Device,
    kind: PoolKind,
    handle: &Bound<'_, PyAny>,
) -> PyResult<MemoryPool> {
    let descriptor: i32 = handle.getattr("handle")?.extract()?;
    let context = device.context().or_raise(py)?;
    // SAFETY: the handle is alive and keeps its descriptor open, which is not negative.
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    MemoryPool::import(&context, kind, descriptor).or_raise_in(py, "from_allocation_handle()")
}
