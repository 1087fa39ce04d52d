//! Device memory.

use cuox::memory::pool::{PoolKind, on_device};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::MemoryResource;
use super::pool::{Pool, PoolResource};
use super::sharing;
use crate::buffer::{Buffer, size_argument};
use crate::device::{Device, device_argument};
use crate::error::OrRaise;
use crate::stream::stream_ref_or_default;
use crate::support::options::{check_keys, option};
use crate::support::plain_args::given;

/// Device memory in a stream's order, from the device's default pool, or with `options` from a pool of its own. Driver
/// API manual, *Stream Ordered Memory Allocator*.
///
/// options: DeviceMemoryResourceOptions, or a dict with some of its fields.
#[pyclass(frozen, subclass, extends = PoolResource, module = "cuox", name = "DeviceMemoryResource")]
pub struct DeviceMemoryResource {
    device: cuox::Device,
}

impl DeviceMemoryResource {
    fn with_pool(device: cuox::Device, pool: PoolResource) -> PyClassInitializer<Self> {
        PyClassInitializer::from(MemoryResource)
            .add_subclass(pool)
            .add_subclass(Self { device })
    }

    /// The resource of the pool that is current on `device`.
    pub fn of(py: Python<'_>, device: cuox::Device) -> PyResult<Bound<'_, PyAny>> {
        let place = on_device(device.ordinal() as i32);
        let pool = PoolResource::of_current(PoolKind::Device, Some(device), place);
        Ok(Bound::new(py, Self::with_pool(device, pool))?.into_any())
    }
}

#[pymethods]
impl DeviceMemoryResource {
    #[new]
    #[pyo3(signature = (device_id=None, options=None))]
    fn py_new(
        py: Python<'_>,
        device_id: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let device = device_argument(py, device_id)?;
        let place = on_device(device.ordinal() as i32);
        let options = given(options);
        let pool = match options {
            None => PoolResource::of_current(PoolKind::Device, Some(device), place),
            Some(_) => {
                check_keys(options, &["ipc_enabled", "max_size"])?;
                let size = option(options, "max_size", 0)?;
                let is_shared = option(options, "ipc_enabled", false)?;
                PoolResource::of_new(py, PoolKind::Device, Some(device), place, size, is_shared)?
            }
        };
        Ok(Self::with_pool(device, pool))
    }

    /// Map another process's pool. Its memory is mapped by `Buffer.from_ipc_descriptor`.
    ///
    /// device_id: the device, or its number.
    /// alloc_handle: the `allocation_handle` of the other process's resource, or its file descriptor, which stays the
    /// caller's. A handle that has come by `multiprocessing` has the resource registered (`register`); if one with its
    /// UUID is registered already, that is returned.
    ///
    /// Raises TypeError for handles of other resources, ValueError, CUDAError for descriptors of something else. Driver
    /// API manual, `cuMemPoolImportFromShareableHandle`.
    #[classmethod]
    fn from_allocation_handle<'py>(
        cls: &Bound<'py, PyType>,
        device_id: &Bound<'py, PyAny>,
        alloc_handle: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let device = Device::object(cls.py(), device_argument(cls.py(), Some(device_id))?)?;
        sharing::python(cls.py())?.call_method1("mapped", (cls, device, alloc_handle))
    }

    /// The resource of another process's pool, by an open handle.
    #[staticmethod]
    fn _of_handle<'py>(
        device: &Bound<'py, PyAny>,
        handle: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = device.py();
        let device = device_argument(py, Some(device))?;
        let pool = sharing::pool_of(py, device, PoolKind::Device, handle)?;
        let place = on_device(device.ordinal() as i32);
        let mapped = PoolResource::of_mapped(pool, Some(device), place, handle.clone().unbind());
        Bound::new(py, Self::with_pool(device, mapped))
    }

    /// Allocate device memory of `size` bytes, in the stream's order; without a stream, in that of the default stream.
    ///
    /// Raises OutOfMemoryError, ClosedError after `close`. Driver API manual, `cuMemAllocAsync`,
    /// `cuMemAllocFromPoolAsync`.
    #[pyo3(signature = (size, *, stream=None))]
    fn allocate(
        slf: &Bound<'_, Self>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Buffer> {
        let (py, device) = (slf.py(), slf.get().device);
        let pool = slf.as_super().get().open(py)?;
        let stream = stream_ref_or_default(py, stream, device)?;
        PoolResource::refuse_capture(py, "DeviceMemoryResource", &stream)?;
        let size = size_argument(size)?;
        match pool {
            Pool::Current => Buffer::allocate(py, device, size, Some(stream)),
            Pool::Own(pool) => PoolResource::allocate_in(
                py,
                &pool,
                size,
                stream,
                slf.clone().into_any().unbind(),
                device.ordinal() as i64,
            ),
            Pool::Mapped(_) => Err(sharing::gives_none()),
        }
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

    /// The other devices that may read and write the pool's memory: a set, whose changes are made by the driver. It
    /// takes devices and their numbers. Driver API manual, `cuMemPoolSetAccess`.
    #[getter]
    fn peer_accessible_by<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let peers = slf.py().import("cuox._internal.memory.peers")?;
        peers.getattr("PeerAccessibleBySet")?.call1((slf,))
    }

    #[setter]
    fn set_peer_accessible_by(slf: &Bound<'_, Self>, devices: &Bound<'_, PyAny>) -> PyResult<()> {
        let peers = slf.py().import("cuox._internal.memory.peers")?;
        peers.getattr("replace")?.call1((slf, devices)).map(drop)
    }

    /// True if a device may read and write the pool's memory.
    fn _has_access(slf: &Bound<'_, Self>, device: i32) -> PyResult<bool> {
        let pool = slf.as_super().get().found(slf.py())?;
        pool.has_access(device).or_raise(slf.py())
    }

    /// Give access to devices or take it away, in one call.
    fn _set_access(slf: &Bound<'_, Self>, devices: Vec<(i32, bool)>) -> PyResult<()> {
        let py = slf.py();
        let pool = slf.as_super().get().found(py)?;
        py.detach(|| pool.set_access(&devices)).or_raise(py)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        if slf.is(other) {
            return true;
        }
        let py = slf.py();
        let is_current = |it: &Bound<'_, Self>| {
            let pool = it.as_super().get().open(py);
            pool.is_ok_and(|pool| matches!(pool, Pool::Current))
        };
        other.cast::<Self>().is_ok_and(|other| {
            other.get().device == slf.get().device && is_current(slf) && is_current(other)
        })
    }

    fn __hash__(&self) -> usize {
        self.device.ordinal()
    }
}
