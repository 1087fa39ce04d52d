//! Memory resources: where buffers come from.

use std::sync::Arc;

use cuox::memory::{PinnedBuffer, PinnedOptions};
use pyo3::exceptions::{PyNotImplementedError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::buffer::{Buffer, size_argument};
use crate::buffer_memory::Memory;
use crate::device::{Device, device_argument};
use crate::error::OrRaise;
use crate::stream::{stream_argument, stream_ref_or_default};

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

/// Device memory in a stream's order, from the device's default pool. Driver API manual, *Stream Ordered Memory
/// Allocator*.
#[pyclass(frozen, subclass, extends = MemoryResource, module = "cuox", name = "DeviceMemoryResource")]
pub struct DeviceMemoryResource {
    device: cuox::Device,
}

impl DeviceMemoryResource {
    /// The resource of `device`.
    pub fn of(py: Python<'_>, device: cuox::Device) -> PyResult<Bound<'_, PyAny>> {
        let init = PyClassInitializer::from(MemoryResource).add_subclass(Self { device });
        Ok(Bound::new(py, init)?.into_any())
    }
}

#[pymethods]
impl DeviceMemoryResource {
    #[new]
    #[pyo3(signature = (device_id=None))]
    fn py_new(
        py: Python<'_>,
        device_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let device = device_argument(py, device_id)?;
        Ok(PyClassInitializer::from(MemoryResource).add_subclass(Self { device }))
    }

    /// Allocate device memory of `size` bytes, in the stream's order; without a stream, in that of the default stream.
    ///
    /// Raises OutOfMemoryError. Driver API manual, `cuMemAllocAsync`.
    #[pyo3(signature = (size, *, stream=None))]
    fn allocate(
        &self,
        py: Python<'_>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Buffer> {
        let stream = stream_ref_or_default(py, stream, self.device)?;
        Buffer::allocate(py, self.device, size_argument(size)?, Some(stream))
    }

    /// The number of the device.
    #[getter]
    fn device_id(&self) -> usize {
        self.device.ordinal()
    }

    /// The device.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.device)
    }

    /// True: kernels reach the memory.
    #[getter]
    fn is_device_accessible(&self) -> bool {
        true
    }

    /// False: the host's processor need not reach the memory.
    #[getter]
    fn is_host_accessible(&self) -> bool {
        false
    }

    /// False: the memory does not move.
    #[getter]
    fn is_managed(&self) -> bool {
        false
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().device == self.device)
    }

    fn __hash__(&self) -> usize {
        self.device.ordinal()
    }
}

macro_rules! host_resource {
    ($class:ident, $name:literal, $doc:literal, $managed:literal) => {
        #[doc = $doc]
        #[pyclass(frozen, subclass, extends = MemoryResource, module = "cuox", name = $name)]
        pub struct $class {
            device: Option<cuox::Device>,
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (device_id=None))]
            fn py_new(
                py: Python<'_>,
                device_id: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<PyClassInitializer<Self>> {
                // Without a number, the device that is current when memory is asked for.
                let device = match device_id {
                    Some(id) if !id.is_none() => Some(device_argument(py, Some(id))?),
                    _ => None,
                };
                Ok(PyClassInitializer::from(MemoryResource).add_subclass(Self { device }))
            }

            /// Allocate memory of `size` bytes, at once; the stream is only checked.
            ///
            /// Raises OutOfMemoryError. Driver API manual, `cuMemHostAlloc`, `cuMemAllocManaged`.
            #[pyo3(signature = (size, *, stream=None))]
            fn allocate(
                slf: &Bound<'_, Self>,
                size: &Bound<'_, PyAny>,
                stream: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Buffer> {
                let py = slf.py();
                let device = match (slf.get().device, stream) {
                    (Some(device), _) => device,
                    (None, Some(stream)) if !stream.is_none() => {
                        stream_argument(py, stream, None)?.device()
                    }
                    _ => device_argument(py, None)?,
                };
                let context = device.context().or_raise(py)?;
                let size = size_argument(size)?;
                let memory = if $managed {
                    Memory::Device(
                        cuox::Buffer::managed(&context, size).or_raise_in(py, "allocate()")?,
                    )
                } else {
                    let options = PinnedOptions {
                        portable: true,
                        mapped: true,
                        write_combined: false,
                    };
                    Memory::Pinned(Arc::new(
                        PinnedBuffer::new(&context, size, options).or_raise_in(py, "allocate()")?,
                    ))
                };
                Ok(Buffer::of(memory, Some(slf.clone().into_any().unbind())))
            }

            /// The number of the device, or -1 for the one that is current when memory is asked for.
            #[getter]
            fn device_id(&self) -> i64 {
                self.device.map_or(-1, |device| device.ordinal() as i64)
            }

            /// True: kernels reach the memory.
            #[getter]
            fn is_device_accessible(&self) -> bool {
                true
            }

            /// True: the host's processor reaches the memory.
            #[getter]
            fn is_host_accessible(&self) -> bool {
                true
            }

            /// True for managed memory, which moves between host and device.
            #[getter]
            fn is_managed(&self) -> bool {
                $managed
            }
        }
    };
}

host_resource!(
    LegacyPinnedMemoryResource,
    "LegacyPinnedMemoryResource",
    "Pinned host memory, which devices read and write.",
    false
);
host_resource!(
    PinnedMemoryResource,
    "PinnedMemoryResource",
    "Pinned host memory, which devices read and write.",
    false
);
host_resource!(
    ManagedMemoryResource,
    "ManagedMemoryResource",
    "Memory that moves between host and device by itself.",
    true
);
