//! Buffers of pools that several processes share.

use std::sync::{Mutex, PoisonError};

use cuox::memory::WeakBuffer;
use cuox::memory::pool::{ExportedPointer, MemoryPool, PoolKind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::pool::PoolResource;
use super::sharing::{not_shared, python};
use crate::buffer::Buffer;
use crate::error::OrRaise;
use crate::support::names::type_name;

/// An allocation of another process that is mapped here. Importing it again gives the same handle: the driver does not
/// count its imports.
struct Import {
    data: ExportedPointer,
    memory: WeakBuffer,
}

static IMPORTS: Mutex<Vec<Import>> = Mutex::new(Vec::new());

/// The memory of an allocation of another process.
fn import(
    pool: &MemoryPool,
    data: ExportedPointer,
    size: usize,
    stream: &cuox::Stream,
) -> cuox::Result<cuox::Buffer> {
    let mut imports = IMPORTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = imports.iter().find(|import| import.data == data);
    if let Some(memory) = known.and_then(|import| import.memory.upgrade()) {
        memory.check_range(0, size)?;
        return Ok(memory);
    }
    let memory = pool.import_pointer(&data, size, stream)?;
    imports.retain(|import| import.memory.upgrade().is_some());
    imports.push(Import {
        data,
        memory: memory.downgrade(),
    });
    Ok(memory)
}

impl Buffer {
    /// The resource of its memory, if that is a pool that is shared.
    fn shared_resource<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PoolResource>> {
        self.check(py)?;
        let resource = self.memory_resource(py)?;
        let resource = resource.and_then(|it| it.cast_into::<PoolResource>().ok());
        let resource = resource.ok_or_else(not_shared)?;
        resource.get().handle_for_others(py)?;
        Ok(resource)
    }

    /// What other processes import the memory by.
    fn exported(&self, py: Python<'_>) -> PyResult<ExportedPointer> {
        if let Some(data) = self.imported_by() {
            return Ok(data);
        }
        let resource = self.shared_resource(py)?;
        if self.address == 0 {
            return Err(PyValueError::new_err(
                "ipc_descriptor: a buffer of 0 bytes has no memory that could be shared",
            ));
        }
        let exported = resource.get().found(py)?.export_pointer(self.address);
        exported.or_raise_in(py, "buffer.ipc_descriptor")
    }

    /// `Buffer.ipc_descriptor`.
    pub fn descriptor_for_others<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let data = self.exported(py)?;
        python(py)?
            .getattr("IPCBufferDescriptor")?
            .call_method1("_init", (data.as_slice(), self.size))
    }

    /// `Buffer.from_ipc_descriptor`.
    pub fn of_descriptor(
        resource: &Bound<'_, PyAny>,
        descriptor: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = resource.py();
        let class = python(py)?.getattr("IPCBufferDescriptor")?;
        if !descriptor.is_instance(&class)? {
            return Err(PyTypeError::new_err(format!(
                "Argument 'ipc_descriptor' has incorrect type (expected IPCBufferDescriptor, got {})",
                type_name(descriptor)
            )));
        }
        let Ok(resource) = resource.cast::<PoolResource>() else {
            return Err(PyTypeError::new_err(format!(
                "Buffer.from_ipc_descriptor: mr: expected a DeviceMemoryResource or PinnedMemoryResource, got {}",
                type_name(resource)
            )));
        };
        let shared = resource.get();
        shared.handle_for_others(py)?;
        let payload: Vec<u8> = descriptor.getattr("_payload")?.extract()?;
        let size: usize = descriptor.getattr("size")?.extract()?;
        let Some(data) = payload.first_chunk::<{ size_of::<ExportedPointer>() }>() else {
            return Err(PyValueError::new_err(format!(
                "ipc_descriptor: the payload is {} bytes; expected at least {}",
                payload.len(),
                size_of::<ExportedPointer>()
            )));
        };
        let stream = shared.stream(py, stream)?;
        let pool = shared.found(py)?;
        let memory = py
            .detach(|| import(&pool, *data, size, &stream))
            .or_raise_in(py, "Buffer.from_ipc_descriptor()")?;
        let device_id = match pool.kind() {
            PoolKind::Device => stream.device().ordinal() as i64,
            _ => -1,
        };
        let reach = PoolResource::reach(pool.kind(), device_id);
        let own = memory.stream() == Some(&*stream);
        let resource = resource.clone().into_any().unbind();
        let buffer = Self::mapped(memory, size, resource, reach, *data);
        if !own {
            buffer.remember_free_in(py, cuox::Stream::clone(&stream));
        }
        Ok(buffer)
    }
}
