//! What the resources with a memory pool have in common.

use cuox::driver::sys::{CUmemLocation, CUmemPool_attribute as A};
use cuox::memory::pool::{MemoryPool, PoolKind};
use cuox::memory::raw;
use cuox::memory::uses::captures;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::MemoryResource;
use crate::buffer::{Buffer, Reach};
use crate::device::device_argument;
use crate::error::OrRaise;
use crate::idle;
use crate::stream::{StreamRef, stream_argument, stream_ref_or_default};
use crate::support::closable::Closable;
use crate::support::handles;
use crate::support::names::type_name;
use crate::support::options::option;

/// Its name in the error of use after close.
const WHAT: &str = "memory resource";

const NOT_SHARED: &str = "Memory resource is not IPC-enabled";

/// The pool of a resource.
#[derive(Clone)]
pub enum Pool {
    /// The one that is current for its place when memory is asked for.
    Current,
    /// One that was made for the resource.
    Own(MemoryPool),
}

/// A memory resource over a memory pool. Driver API manual, *Stream Ordered Memory Allocator*.
#[pyclass(frozen, subclass, extends = MemoryResource, module = "cuox._native", name = "_MemPool")]
pub struct PoolResource {
    kind: PoolKind,
    /// None: the device that is current when memory is asked for.
    pub device: Option<cuox::Device>,
    place: CUmemLocation,
    pool: Closable<Pool>,
}

/// The options of a resource: None, or an object or a dict.
pub fn given_options<'a, 'py>(
    options: Option<&'a Bound<'py, PyAny>>,
) -> Option<&'a Bound<'py, PyAny>> {
    options.filter(|options| !options.is_none())
}

/// Refuses pools for other processes.
pub fn refuse_ipc(options: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match option(options, "ipc_enabled", false)? {
        false => Ok(()),
        true => Err(pyo3::exceptions::PyNotImplementedError::new_err(
            "options: ipc_enabled=True: memory pools that are shared between processes are not supported by cuox yet; \
             Buffer memory of cuMemAlloc is, by cuIpcGetMemHandle of cuox.cuda.bindings",
        )),
    }
}

impl PoolResource {
    /// A resource of the pool that is current for a place.
    pub fn of_current(kind: PoolKind, device: Option<cuox::Device>, place: CUmemLocation) -> Self {
        Self {
            kind,
            device,
            place,
            pool: Closable::new(WHAT, Pool::Current),
        }
    }

    /// A resource with a new pool.
    pub fn of_new(
        py: Python<'_>,
        kind: PoolKind,
        device: Option<cuox::Device>,
        place: CUmemLocation,
        max_size: usize,
    ) -> PyResult<Self> {
        let on = match device {
            Some(device) => device,
            None => device_argument(py, None)?,
        };
        let context = on.context().or_raise(py)?;
        let pool = py
            .detach(|| MemoryPool::create(&context, kind, place, max_size))
            .or_raise_in(py, "a memory resource with options")?;
        Ok(Self {
            kind,
            device,
            place,
            pool: Closable::new(WHAT, Pool::Own(pool)),
        })
    }

    /// The pool, or the error of use after close.
    pub fn open(&self, py: Python<'_>) -> PyResult<Pool> {
        // SAFETY: cloning runs no Python code.
        unsafe { self.pool.look(py, |pool| pool.clone()) }.ok_or_else(|| self.pool.closed(py))
    }

    /// The device, or the current one.
    pub fn any_device(&self, py: Python<'_>) -> PyResult<cuox::Device> {
        match self.device {
            Some(device) => Ok(device),
            None => device_argument(py, None),
        }
    }

    /// The pool as the driver has it.
    pub fn found(&self, py: Python<'_>) -> PyResult<MemoryPool> {
        match self.open(py)? {
            Pool::Own(pool) => Ok(pool),
            Pool::Current => {
                let context = self.any_device(py)?.context().or_raise(py)?;
                MemoryPool::current(&context, self.kind, self.place).or_raise(py)
            }
        }
    }

    /// Refuses a stream that is captured: what is captured would allocate the memory whenever it is launched.
    pub fn refuse_capture(py: Python<'_>, class: &str, stream: &cuox::Stream) -> PyResult<()> {
        if captures::any() && stream.is_capturing().or_raise(py)? {
            return Err(PyRuntimeError::new_err(format!(
                "{class} cannot perform memory operations on a capturing stream (consider using GraphMemoryResource)."
            )));
        }
        Ok(())
    }

    /// Memory of a pool, in a stream's order.
    pub fn allocate_in(
        py: Python<'_>,
        pool: &MemoryPool,
        size: usize,
        stream: StreamRef,
        resource: Py<PyAny>,
        device_id: i64,
    ) -> PyResult<Buffer> {
        Self::refuse_capture(py, "The resource of a memory pool", &stream)?;
        let address = idle::submit_at_once(py, &stream, || pool.allocate(&stream, size))
            .or_raise_in(py, "allocate()")?;
        let reach = Reach {
            device_id,
            by_device: true,
            by_host: pool.kind() != PoolKind::Device,
            is_managed: pool.kind() == PoolKind::Managed,
        };
        Ok(Buffer::of_pool(address, size, stream, resource, reach))
    }

    /// The stream of an allocation: the one given, else the default stream of the resource's device.
    pub fn stream(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<StreamRef> {
        match (self.device, given_options(stream)) {
            (Some(device), stream) => stream_ref_or_default(py, stream, device),
            (None, Some(stream)) => {
                let device = stream_argument(py, stream, None)?.device();
                stream_ref_or_default(py, Some(stream), device)
            }
            (None, None) => stream_ref_or_default(py, None, device_argument(py, None)?),
        }
    }
}

#[pymethods]
impl PoolResource {
    /// Close the resource: it gives no more memory. Its own pool goes when all its memory has been freed. Closing twice
    /// is fine.
    fn close(&self, py: Python<'_>) {
        if let Some(pool) = self.pool.take(py) {
            py.detach(|| drop(pool));
        }
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        !self.pool.is_open(py)
    }

    /// Free `size` bytes at the address `ptr`, which came from a memory pool, in the order of `stream`; without one, in
    /// that of the default stream. Buffers do that by themselves. Driver API manual, `cuMemFreeAsync`.
    #[pyo3(signature = (ptr, size, *, stream=None))]
    fn deallocate(
        &self,
        py: Python<'_>,
        ptr: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ptr = handles::handle_argument("deallocate: ptr", ptr)?;
        crate::buffer::size_argument(size)?;
        let stream = self.stream(py, stream)?;
        // SAFETY: the caller vouches for memory of a pool that nothing frees or uses after this.
        idle::submit_at_once(py, &stream, || unsafe { raw::free_async(&stream, ptr) })
            .or_raise_in(py, "deallocate()")
    }

    /// What the driver counts of the pool, and how it reuses memory. It keeps the pool.
    #[getter]
    fn attributes(&self, py: Python<'_>) -> PyResult<MemoryPoolAttributes> {
        let pool = self.found(py)?;
        Ok(MemoryPoolAttributes { pool })
    }

    /// The `CUmemoryPool`, as an int; 0 after `close`.
    #[getter]
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        match self.pool.is_open(py) {
            true => Ok(self.found(py)?.handle()),
            false => Ok(0),
        }
    }

    /// True if the pool was made for this resource (with `options`); False for the one that is current.
    #[getter]
    fn is_handle_owned(&self, py: Python<'_>) -> bool {
        // SAFETY: comparing runs no Python code.
        let own = unsafe { self.pool.look(py, |pool| matches!(pool, Pool::Own(_))) };
        own.unwrap_or(false)
    }

    /// False: pools are not shared between processes yet.
    #[getter]
    fn is_ipc_enabled(&self) -> bool {
        false
    }

    /// False: the pool is not another process's.
    #[getter]
    fn is_mapped(&self) -> bool {
        false
    }

    /// None: pools are not shared between processes yet.
    #[getter]
    fn uuid(&self) -> Option<Py<PyAny>> {
        None
    }

    /// The handle by which other processes get the pool. Raises RuntimeError: it is not shared.
    #[getter]
    fn allocation_handle(&self) -> PyResult<Py<PyAny>> {
        Err(PyRuntimeError::new_err(NOT_SHARED))
    }

    /// Return the resource of another process's pool that was registered. Raises RuntimeError: there is none.
    #[staticmethod]
    fn from_registry(uuid: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(PyRuntimeError::new_err(format!(
            "Memory resource {uuid} was not found: memory pools are not shared between processes yet"
        )))
    }

    /// Register the resource of another process's pool. Raises RuntimeError: it is none.
    fn register(&self, uuid: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let _ = uuid;
        Err(PyRuntimeError::new_err(NOT_SHARED))
    }

    /// Make a resource of another process's pool. Raises NotImplementedError.
    #[classmethod]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn from_allocation_handle(
        cls: &Bound<'_, PyType>,
        _args: &Bound<'_, pyo3::types::PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        Err(pyo3::exceptions::PyNotImplementedError::new_err(format!(
            "{}.from_allocation_handle: memory pools that are shared between processes are not supported by cuox yet",
            cls.name()?
        )))
    }
}

/// What the driver knows of a memory pool. Driver API manual, `CUmemPool_attribute`.
#[pyclass(frozen, weakref, module = "cuox._native", name = "_MemPoolAttributes")]
pub struct MemoryPoolAttributes {
    pool: MemoryPool,
}

impl MemoryPoolAttributes {
    fn number(&self, py: Python<'_>, attribute: A) -> PyResult<u64> {
        self.pool.attribute(attribute).or_raise(py)
    }

    fn truth(&self, py: Python<'_>, attribute: A) -> PyResult<bool> {
        Ok(self.number(py, attribute)? != 0)
    }
}

#[pymethods]
impl MemoryPoolAttributes {
    /// True if memory that was freed in one stream is reused in another that waits for it by an event.
    #[getter]
    fn reuse_follow_event_dependencies(&self, py: Python<'_>) -> PyResult<bool> {
        self.truth(py, A::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES)
    }

    /// True if memory whose free is done is reused without a wait.
    #[getter]
    fn reuse_allow_opportunistic(&self, py: Python<'_>) -> PyResult<bool> {
        self.truth(py, A::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC)
    }

    /// True if the driver makes one stream wait for another to reuse memory.
    #[getter]
    fn reuse_allow_internal_dependencies(&self, py: Python<'_>) -> PyResult<bool> {
        self.truth(py, A::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES)
    }

    /// Bytes that the pool keeps when nothing uses them.
    #[getter]
    fn release_threshold(&self, py: Python<'_>) -> PyResult<u64> {
        self.number(py, A::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    }

    /// Bytes that the pool has.
    #[getter]
    fn reserved_mem_current(&self, py: Python<'_>) -> PyResult<u64> {
        self.number(py, A::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
    }

    /// The most bytes that it has had.
    #[getter]
    fn reserved_mem_high(&self, py: Python<'_>) -> PyResult<u64> {
        self.number(py, A::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)
    }

    /// Bytes that it has given out.
    #[getter]
    fn used_mem_current(&self, py: Python<'_>) -> PyResult<u64> {
        self.number(py, A::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
    }

    /// The most bytes that were given out.
    #[getter]
    fn used_mem_high(&self, py: Python<'_>) -> PyResult<u64> {
        self.number(py, A::CU_MEMPOOL_ATTR_USED_MEM_HIGH)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let said = |truth: bool| if truth { "True" } else { "False" };
        Ok(format!(
            "MemoryPoolAttributes(release_threshold={}, reserved_mem_current={}, reserved_mem_high={}, \
             reuse_allow_internal_dependencies={}, reuse_allow_opportunistic={}, reuse_follow_event_dependencies={}, \
             used_mem_current={}, used_mem_high={})",
            self.release_threshold(py)?,
            self.reserved_mem_current(py)?,
            self.reserved_mem_high(py)?,
            said(self.reuse_allow_internal_dependencies(py)?),
            said(self.reuse_allow_opportunistic(py)?),
            said(self.reuse_follow_event_dependencies(py)?),
            self.used_mem_current(py)?,
            self.used_mem_high(py)?,
        ))
    }
}

/// The error for options of another class.
#[cold]
pub fn other_options(class: &str, options: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "{class}: options: expected {class}Options, a dict or None, got {}",
        type_name(options)
    ))
}
