//! Buffers of new memory, and of memory that is there.

use std::sync::Arc;

use cuox::memory::pool::ExportedPointer;
use cuox::memory::raw;
use cuox::memory::uses::Uses;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::foreign::{Mapped, Origin, Reach};
use super::{Buffer, POOL, WHAT};
use crate::buffer_memory::{Held, Memory, Ordered};
use crate::error::{OrRaise, to_py_in};
use crate::pycuda::Block;
use crate::stream::StreamRef;
use crate::support::closable::{Closable, Guarded};
use crate::support::pool::Reference;
use crate::support::reaper;

const ALLOCATE: &str = "allocate()";

/// Tries again when memory had run out and some has been given back since.
#[cold]
fn after_reaping<T>(
    py: Python<'_>,
    error: cuox::Error,
    allocate: impl Fn() -> cuox::Result<T>,
) -> PyResult<T> {
    if error.is_out_of_memory() && reaper::flush(py)? {
        return allocate().or_raise_in(py, ALLOCATE);
    }
    Err(to_py_in(py, error, ALLOCATE))
}

impl Buffer {
    /// Device memory; in a stream's order if one is given.
    pub fn allocate(
        py: Python<'_>,
        device: cuox::Device,
        size: usize,
        stream: Option<StreamRef>,
    ) -> PyResult<Self> {
        if let Some(stream) = stream.filter(|_| device.has_memory_pools()) {
            let address = Self::allocate_in_order(py, size, &stream)?;
            return Ok(Self::ordered(address, size, stream));
        }
        let buffer = match device.allocate(size, None) {
            Err(error) => after_reaping(py, error, || device.allocate(size, None))?,
            Ok(buffer) => buffer,
        };
        Ok(Self::of(Memory::Device(buffer), None))
    }

    /// The address of new memory in a stream's order, of a device that has memory pools.
    #[inline(always)]
    fn allocate_in_order(py: Python<'_>, size: usize, stream: &StreamRef) -> PyResult<u64> {
        match raw::allocate_async(stream, size) {
            Err(error) => after_reaping(py, error, || raw::allocate_async(stream, size)),
            Ok(address) => Ok(address),
        }
    }

    /// Takes over such memory.
    #[inline(always)]
    fn ordered(address: u64, size: usize, stream: StreamRef) -> Self {
        let device = stream.device();
        Self {
            address,
            size,
            device,
            resets: device.resets(),
            uses: Guarded::new(Uses::fresh(&stream, size).into()),
            held: Closable::new(
                WHAT,
                Held::Ordered(Ordered {
                    address,
                    size,
                    stream,
                }),
            ),
            resource: None,
            owner: Guarded::new(None),
            origin: Origin::Own,
        }
    }

    /// As `allocate`, for Python at once.
    #[inline(always)]
    pub fn allocate_object<'py>(
        py: Python<'py>,
        device: cuox::Device,
        size: usize,
        stream: StreamRef,
    ) -> PyResult<Bound<'py, Self>> {
        if device.has_memory_pools() {
            let address = Self::allocate_in_order(py, size, &stream)?;
            POOL.make(py, || Self::ordered(address, size, stream))
        } else {
            Bound::new(py, Self::allocate(py, device, size, None)?)
        }
    }

    /// Wraps memory that was just allocated.
    pub fn of(memory: Memory, resource: Option<Py<PyAny>>) -> Self {
        let (address, size, device) = match &memory {
            Memory::Device(buffer) => (buffer.ptr(), buffer.len(), buffer.device()),
            Memory::Pinned(pinned) => (
                pinned.as_ptr() as u64,
                pinned.len(),
                pinned.context().device(),
            ),
        };
        let uses = match memory.ordered_by() {
            Some(stream) => Uses::fresh(stream, size),
            None => Uses::none(),
        };
        Self {
            address,
            size,
            device,
            resets: device.resets(),
            uses: Guarded::new(uses.into()),
            held: Closable::new(WHAT, Held::Shared(memory)),
            resource: resource.map(Reference::from),
            owner: Guarded::new(None),
            origin: Origin::Own,
        }
    }

    /// Takes over memory that a resource's pool gave in a stream's order.
    pub fn of_pool(
        address: u64,
        size: usize,
        stream: StreamRef,
        resource: Py<PyAny>,
        reach: Reach,
    ) -> Self {
        let mut buffer = Self::ordered(address, size, stream);
        buffer.resource = Some(resource.into());
        buffer.origin = Origin::Pool(reach);
        buffer
    }

    /// `size` bytes of another process's memory.
    pub fn mapped(
        memory: cuox::Buffer,
        size: usize,
        resource: Py<PyAny>,
        reach: Reach,
        data: ExportedPointer,
    ) -> Self {
        let mut buffer = Self::of(Memory::Device(memory), Some(resource));
        buffer.size = size;
        buffer.origin = Origin::Mapped(Arc::new(Mapped { reach, data }));
        buffer
    }

    /// No bytes of pinned memory, at no address.
    pub fn of_nothing(py: Python<'_>, device: cuox::Device, resource: Py<PyAny>) -> PyResult<Self> {
        let context = device.context().or_raise(py)?;
        // SAFETY: no bytes are anyone's.
        let memory = unsafe { cuox::Buffer::borrowed(&context, 0, 0, None) };
        let mut buffer = Self::of(Memory::Device(memory), Some(resource));
        buffer.origin = Origin::Pool(Reach {
            device_id: device.ordinal() as i64,
            by_device: true,
            by_host: true,
            is_managed: false,
        });
        Ok(buffer)
    }

    /// A block of a pool, as an object of a subclass.
    #[inline]
    pub fn pooled<'py>(
        class: &Bound<'py, PyType>,
        block: Block,
        size: usize,
    ) -> PyResult<Bound<'py, Self>> {
        let device = block.device();
        // Whoever had the block has put the default stream behind its uses.
        let uses = match device.default_stream_ref() {
            Ok(stream) => Uses::fresh(stream, size),
            Err(_) => Uses::none(),
        };
        let value = Self {
            address: block.address(),
            size,
            device,
            resets: device.resets(),
            uses: Guarded::new(uses.into()),
            held: Closable::new(WHAT, Held::Pooled(block)),
            resource: None,
            owner: Guarded::new(None),
            origin: Origin::Own,
        };
        POOL.make_subclass(class, value)
    }

    /// Moves the memory into a new value, which closes this one. The resource and the owner go along.
    pub fn take_over(&self, py: Python<'_>) -> PyResult<Self> {
        self.check(py)?;
        let held = self.held.take(py).ok_or_else(|| self.held.closed(py))?;
        // SAFETY: moving the value out runs no Python code.
        let uses = unsafe {
            self.uses
                .look(py, |uses| std::mem::replace(uses, Uses::none().into()))
        };
        Ok(Self {
            address: self.address,
            size: self.size,
            device: self.device,
            resets: self.resets,
            uses: Guarded::new(uses),
            held: Closable::new(WHAT, held),
            resource: self.resource.as_ref().map(|it| it.clone_ref(py).into()),
            owner: Guarded::new(self.owner(py).map(Reference::from)),
            origin: self.origin.clone(),
        })
    }

    /// An object of a subclass, whose `__new__` and `__init__` are not called.
    pub fn make_subclass<'py>(
        class: &Bound<'py, PyType>,
        value: Self,
    ) -> PyResult<Bound<'py, Self>> {
        POOL.make_subclass(class, value)
    }

    /// Memory that something else has, which is kept.
    pub fn owned(memory: Memory, owner: Py<PyAny>) -> Self {
        let mut buffer = Self::of(memory, None);
        buffer.owner = Guarded::new(Some(owner.into()));
        buffer
    }
}
