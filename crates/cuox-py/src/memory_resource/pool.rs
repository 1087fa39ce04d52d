//! What the resources with a memory pool have in common.

use cuox::driver::sys::{CUmemLocation, CUmemPool_attribute as A};
use cuox::memory::pool::{MemoryPool, PoolKind};
use cuox::memory::raw;
use cuox::memory::uses::captures;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;

use super::{MemoryResource, sharing};
use crate::buffer::{Buffer, Reach};
use crate::device::device_argument;
use crate::error::OrRaise;
use crate::idle;
use crate::stream::{StreamRef, stream_argument, stream_ref_or_default};
use crate::support::closable::{Closable, Guarded};
use crate::support::handles;
use crate::support::names::type_name;
use crate::support::plain_args::given;

/// Its name in the error of use after close.
const WHAT: &str = "memory resource";

/// The pool of a resource.
#[derive(Clone)]
pub enum Pool {
    /// The one that is current for its place when memory is asked for.
    Current,
    /// One that was made for the resource.
    Own(MemoryPool),
    /// Another process's.
    Mapped(MemoryPool),
}

/// A memory resource over a memory pool. Driver API manual, *Stream Ordered Memory Allocator*.
#[pyclass(frozen, subclass, extends = MemoryResource, module = "cuox._native", name = "_MemPool")]
pub struct PoolResource {
    kind: PoolKind,
    /// None: the device that is current when memory is asked for.
    pub device: Option<cuox::Device>,
    place: CUmemLocation,
    pool: Closable<Pool>,
    /// The handle by which other processes get the pool, until the resource is closed.
    shared: Guarded<Option<Py<PyAny>>>,
}

impl PoolResource {
    /// A resource of the pool that is current for a place.
    pub fn of_current(kind: PoolKind, device: Option<cuox::Device>, place: CUmemLocation) -> Self {
        Self {
            kind,
            device,
            place,
            pool: Closable::new(WHAT, Pool::Current),
            shared: Guarded::new(None),
        }
    }

    /// A resource with a new pool, for other processes too if it `is_shared`.
    pub fn of_new(
        py: Python<'_>,
        kind: PoolKind,
        device: Option<cuox::Device>,
        place: CUmemLocation,
        max_size: usize,
        is_shared: bool,
    ) -> PyResult<Self> {
        let on = match device {
            Some(device) => device,
            None => device_argument(py, None)?,
        };
        let context = on.context().or_raise(py)?;
        let pool = py
            .detach(|| MemoryPool::create(&context, kind, place, max_size, is_shared))
            .or_raise_in(py, "a memory resource with options")?;
        let shared = match is_shared {
            true => Some(sharing::handle_of(py, &pool)?),
            false => None,
        };
        Ok(Self {
            kind,
            device,
            place,
            pool: Closable::new(WHAT, Pool::Own(pool)),
            shared: Guarded::new(shared),
        })
    }

    /// A resource of another process's pool.
    pub fn of_mapped(
        pool: MemoryPool,
        device: Option<cuox::Device>,
        place: CUmemLocation,
        handle: Py<PyAny>,
    ) -> Self {
        Self {
            kind: pool.kind(),
            device,
            place,
            pool: Closable::new(WHAT, Pool::Mapped(pool)),
            shared: Guarded::new(Some(handle)),
        }
    }

    /// True if the pool is another process's.
    pub fn is_of_another_process(&self, py: Python<'_>) -> bool {
        // SAFETY: comparing runs no Python code.
        let mapped = unsafe { self.pool.look(py, |pool| matches!(pool, Pool::Mapped(_))) };
        mapped.unwrap_or(false)
    }

    /// The handle by which other processes get the pool, or the error for a pool that is not shared.
    pub fn handle_for_others(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        // SAFETY: counting runs no Python code.
        let shared = unsafe {
            self.shared
                .look(py, |shared| shared.as_ref().map(|it| it.clone_ref(py)))
        };
        shared.ok_or_else(sharing::not_shared)
    }

    /// What buffers of its pool say of who reaches them.
    pub fn reach(kind: PoolKind, device_id: i64) -> Reach {
        Reach {
            device_id,
            by_device: true,
            by_host: kind != PoolKind::Device,
            is_managed: kind == PoolKind::Managed,
        }
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
            Pool::Own(pool) | Pool::Mapped(pool) => {
                pool.context().check().or_raise(py)?;
                Ok(pool)
            }
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
        let reach = Self::reach(pool.kind(), device_id);
        Ok(Buffer::of_pool(address, size, stream, resource, reach))
    }

    /// The stream of an allocation: the one given, else the default stream of the resource's device.
    pub fn stream(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<StreamRef> {
        match (self.device, given(stream)) {
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
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(pool) = self.pool.take(py) {
            py.detach(|| drop(pool));
        }
        // SAFETY: moving it out runs no Python code.
        let shared = unsafe { self.shared.look(py, Option::take) };
        match shared {
            Some(handle) => handle.call_method0(py, "close").map(drop),
            None => Ok(()),
        }
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        !self.pool.is_open(py)
    }

    /// True: kernels reach the memory.
    #[getter]
    fn is_device_accessible(&self) -> bool {
        true
    }

    /// True if the host's processor reaches the memory.
    #[getter]
    fn is_host_accessible(&self) -> bool {
        self.kind != PoolKind::Device
    }

    /// True for managed memory, which moves between host and device.
    #[getter]
    fn is_managed(&self) -> bool {
        self.kind == PoolKind::Managed
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

    /// True if the pool was made for this resource (with `options`, or of another process's); False for the one that is
    /// current.
    #[getter]
    fn is_handle_owned(&self, py: Python<'_>) -> bool {
        // SAFETY: comparing runs no Python code.
        let own = unsafe { self.pool.look(py, |pool| !matches!(pool, Pool::Current)) };
        own.unwrap_or(false)
    }

    /// True if other processes can map the pool, or it is another process's. False after `close`.
    #[getter]
    fn is_ipc_enabled(&self, py: Python<'_>) -> bool {
        self.handle_for_others(py).is_ok()
    }

    /// True if the pool is another process's: then it gives no memory, but `Buffer.from_ipc_descriptor` maps that of
    /// the other process.
    #[getter]
    fn is_mapped(&self, py: Python<'_>) -> bool {
        self.is_of_another_process(py)
    }

    /// The `uuid.UUID` of a pool that is shared, the same in all processes; None for others.
    #[getter]
    fn uuid(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self.handle_for_others(py) {
            Ok(handle) => handle.getattr(py, "uuid").map(Some),
            Err(_) => Ok(None),
        }
    }

    /// The handle by which other processes map the pool: an `IPCAllocationHandle`, which the resource closes when it is
    /// closed.
    ///
    /// Raises RuntimeError for a pool that is not shared. Driver API manual, `cuMemPoolExportToShareableHandle`.
    #[getter]
    fn allocation_handle(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.handle_for_others(py)
    }

    /// The resource that was registered with this UUID. Raises RuntimeError if there is none.
    #[staticmethod]
    fn from_registry<'py>(uuid: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        sharing::python(uuid.py())?.call_method1("registered", (uuid,))
    }

    /// Register the resource with the UUID of another process's, so that buffers which are unpickled find it.
    ///
    /// Returns the resource that is registered: the one that was there before, if there was one. Raises RuntimeError
    /// for a pool that is not shared, ValueError if it has another UUID.
    fn register<'py>(
        slf: &Bound<'py, Self>,
        uuid: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.get().handle_for_others(slf.py())?;
        sharing::python(slf.py())?.call_method1("register", (slf, uuid))
    }

    /// For pickle: the resource registered with its UUID in the other process. `multiprocessing` passes the pool on.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().handle_for_others(slf.py())?;
        sharing::python(slf.py())?.call_method1("reduced_resource", (slf,))
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
