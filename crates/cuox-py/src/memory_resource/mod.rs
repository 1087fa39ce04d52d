//! Memory resources: where buffers come from.

mod device;
mod host;
mod mapped;
mod pool;
pub mod sharing;

pub use device::DeviceMemoryResource;
pub use host::{LegacyPinnedMemoryResource, ManagedMemoryResource, PinnedMemoryResource};
pub use pool::{MemoryPoolAttributes, PoolResource};

use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::buffer::Buffer;

/// The base class of memory resources, which buffers come from.
///
/// A subclass in Python has `allocate(size, *, stream)`, which returns `Buffer.from_handle(ptr, size, mr=self)`,
/// `deallocate(ptr, size, *, stream)`, which is called when that buffer is closed, and the properties
/// `is_device_accessible`, `is_host_accessible` and `device_id`.
#[pyclass(frozen, subclass, weakref, module = "cuox", name = "MemoryResource")]
pub struct MemoryResource;

#[pymethods]
impl MemoryResource {
    /// For subclasses, whose `__init__` takes the arguments.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn py_new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self
    }

    /// Allocate a buffer of `size` bytes. Each resource has its own.
    #[pyo3(signature = (size, *, stream=None))]
    fn allocate(
        &self,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Buffer> {
        let _ = (size, stream);
        Err(PyTypeError::new_err(
            "MemoryResource.allocate: expected a memory resource with an allocate() of its own, such as cuox.DeviceMemoryResource",
        ))
    }

    /// Free memory that `allocate` has given out: `size` bytes at the address `ptr`. Each resource has its own.
    #[pyo3(signature = (ptr, size, *, stream=None))]
    fn deallocate(
        &self,
        ptr: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let _ = (ptr, size, stream);
        Err(PyTypeError::new_err(
            "MemoryResource.deallocate: expected a memory resource with a deallocate() of its own; closing a buffer frees \
             memory of cuox's own resources",
        ))
    }

    /// The number of the device that the memory belongs to; -1 for none.
    #[getter]
    fn device_id(&self) -> i64 {
        -1
    }

    /// True if kernels reach the memory.
    #[getter]
    fn is_device_accessible(&self) -> PyResult<bool> {
        Err(PyNotImplementedError::new_err(
            "MemoryResource.is_device_accessible: expected a memory resource that defines it, such as cuox.DeviceMemoryResource",
        ))
    }

    /// True if the host's processor reaches the memory.
    #[getter]
    fn is_host_accessible(&self) -> PyResult<bool> {
        Err(PyNotImplementedError::new_err(
            "MemoryResource.is_host_accessible: expected a memory resource that defines it, such as cuox.DeviceMemoryResource",
        ))
    }

    /// True for managed memory.
    #[getter]
    fn is_managed(&self) -> bool {
        false
    }
}
