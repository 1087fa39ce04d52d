//! Memory that the host's processor reaches: pinned and managed.

use std::sync::Arc;

use cuox::driver::sys::{CUmemLocation, CUmemLocationType};
use cuox::memory::pool::PoolKind;
use cuox::memory::{PinnedBuffer, PinnedOptions};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyTuple, PyType};

use super::MemoryResource;
use super::pool::{Pool, PoolResource, other_options};
use super::sharing;
use crate::buffer::{Buffer, size_argument};
use crate::buffer_memory::Memory;
use crate::device::{Device, device_argument};
use crate::error::OrRaise;
use crate::idle;
use crate::stream::stream_argument;
use crate::support::handles;
use crate::support::options::{check_keys, option};
use crate::support::plain_args::given;

/// A place of this type.
fn place(type_: CUmemLocationType, id: i32) -> CUmemLocation {
    CUmemLocation { type_, id }
}

const HOST: CUmemLocationType = CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST;
const NUMA: CUmemLocationType = CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA;
const DEVICE: CUmemLocationType = CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
const NONE: CUmemLocationType = CUmemLocationType::CU_MEM_LOCATION_TYPE_NONE;

/// The device whose context memory is made in: the one given, else the stream's, else the current one.
fn device_for(
    py: Python<'_>,
    device: Option<cuox::Device>,
    stream: Option<&Bound<'_, PyAny>>,
) -> PyResult<cuox::Device> {
    match (device, given(stream)) {
        (Some(device), _) => Ok(device),
        (None, Some(stream)) => Ok(stream_argument(py, stream, None)?.device()),
        _ => device_argument(py, None),
    }
}

/// Pinned memory, at once.
fn pinned(py: Python<'_>, device: cuox::Device, size: usize) -> PyResult<Memory> {
    let context = device.context().or_raise(py)?;
    let options = PinnedOptions {
        portable: true,
        mapped: true,
        write_combined: false,
    };
    let made = PinnedBuffer::new(&context, size, options).or_raise_in(py, "allocate()")?;
    Ok(Memory::Pinned(Arc::new(made)))
}

/// Managed memory, at once.
fn managed(py: Python<'_>, device: cuox::Device, size: usize) -> PyResult<Memory> {
    let context = device.context().or_raise(py)?;
    let made = cuox::Buffer::managed(&context, size).or_raise_in(py, "allocate()")?;
    Ok(Memory::Device(made))
}

/// The NUMA node of the host that the current device is at.
fn node_of_device(py: Python<'_>) -> PyResult<i32> {
    let device = Device::object(py, device_argument(py, None)?)?;
    let properties = device.getattr(intern!(py, "properties"))?;
    let node: i32 = properties.getattr("host_numa_id")?.extract()?;
    match node >= 0 {
        true => Ok(node),
        false => Err(PyRuntimeError::new_err(
            "Cannot determine host NUMA ID of the current device: give the number of the NUMA node",
        )),
    }
}

/// Pinned host memory, which devices read and write, by `cuMemHostAlloc`: in no stream's order.
#[pyclass(frozen, subclass, extends = MemoryResource, module = "cuox", name = "LegacyPinnedMemoryResource")]
pub struct LegacyPinnedMemoryResource {
    device: Option<cuox::Device>,
}

#[pymethods]
impl LegacyPinnedMemoryResource {
    #[new]
    #[pyo3(signature = (device_id=None))]
    fn py_new(
        py: Python<'_>,
        device_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        // Without a number, the device that is current when memory is asked for.
        let device = match given(device_id) {
            Some(id) => Some(device_argument(py, Some(id))?),
            None => None,
        };
        Ok(PyClassInitializer::from(MemoryResource).add_subclass(Self { device }))
    }

    /// Allocate memory of `size` bytes, at once; the stream is only checked.
    ///
    /// Raises OutOfMemoryError. Driver API manual, `cuMemHostAlloc`.
    #[pyo3(signature = (size, *, stream=None))]
    fn allocate(
        slf: &Bound<'_, Self>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Buffer> {
        let py = slf.py();
        let device = device_for(py, slf.get().device, stream)?;
        let resource = slf.clone().into_any().unbind();
        match size_argument(size)? {
            0 => Buffer::of_nothing(py, device, resource),
            size => Ok(Buffer::of(pinned(py, device, size)?, Some(resource))),
        }
    }

    /// Free memory at the address `ptr` that `cuMemHostAlloc` gave; with a stream, when that is done. Buffers do that
    /// by themselves.
    #[pyo3(signature = (ptr, size, *, stream=None))]
    fn deallocate(
        &self,
        py: Python<'_>,
        ptr: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ptr = handles::handle_argument("deallocate: ptr", ptr)?;
        let size = size_argument(size)?;
        let device = device_for(py, self.device, stream)?;
        if let Some(stream) = given(stream) {
            let stream = stream_argument(py, stream, Some(device))?;
            idle::sync(py, "deallocate()", &stream)?;
        }
        if size == 0 {
            return Ok(());
        }
        let context = device.context().or_raise(py)?;
        // SAFETY: the caller vouches for such memory, which nothing frees or uses after this.
        py.detach(|| unsafe { PinnedBuffer::free_raw(&context, ptr as *mut u8) })
            .or_raise_in(py, "deallocate()")
    }

    /// Raises RuntimeError: the memory is the host's.
    #[getter]
    fn device_id(&self) -> PyResult<i64> {
        Err(PyRuntimeError::new_err(
            "a pinned memory resource is not bound to any GPU",
        ))
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
}

/// Pinned host memory, which devices read and write: in a stream's order from a memory pool, or at once without a
/// stream.
///
/// options: PinnedMemoryResourceOptions, or a dict with some of its fields: then the pool is a new one. A number or a
/// Device is the device in whose context memory is made.
#[pyclass(frozen, subclass, extends = PoolResource, module = "cuox", name = "PinnedMemoryResource")]
pub struct PinnedMemoryResource {
    /// The NUMA node, -1 for any.
    node: i32,
}

/// The first argument of a resource, which is a device or options.
fn device_or_options<'a, 'py>(
    class: &str,
    first: Option<&'a Bound<'py, PyAny>>,
    keys: &[&str],
) -> PyResult<(Option<cuox::Device>, Option<&'a Bound<'py, PyAny>>)> {
    let Some(first) = given(first) else {
        return Ok((None, None));
    };
    if first.is_instance_of::<Device>() || first.is_instance_of::<PyInt>() {
        let device = device_argument(first.py(), Some(first))?;
        return Ok((Some(device), None));
    }
    check_keys(Some(first), keys)?;
    let has_all = keys.iter().all(|key| first.hasattr(*key).unwrap_or(false));
    if !first.is_instance_of::<pyo3::types::PyDict>() && !has_all {
        return Err(other_options(class, first));
    }
    Ok((None, Some(first)))
}

#[pymethods]
impl PinnedMemoryResource {
    #[new]
    #[pyo3(signature = (options=None))]
    fn py_new(
        py: Python<'_>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let keys = ["ipc_enabled", "max_size", "numa_id"];
        let (device, options) = device_or_options("PinnedMemoryResource", options, &keys)?;
        let node: Option<i32> = option(options, "numa_id", None)?;
        if let Some(node) = node.filter(|node| *node < 0) {
            return Err(PyValueError::new_err(format!(
                "numa_id must be >= 0, got {node}"
            )));
        }
        let is_shared = option(options, "ipc_enabled", false)?;
        // A pool is shared only at a node of its own.
        let node = match (node, is_shared) {
            (None, true) => Some(node_of_device(py)?),
            (node, _) => node,
        };
        let at = match node {
            Some(node) => place(NUMA, node),
            None => place(HOST, 0),
        };
        let pool = match options {
            None => PoolResource::of_current(PoolKind::Host, device, at),
            Some(_) => {
                let size = option(options, "max_size", 0)?;
                PoolResource::of_new(py, PoolKind::Host, device, at, size, is_shared)?
            }
        };
        Ok(PyClassInitializer::from(MemoryResource)
            .add_subclass(pool)
            .add_subclass(Self {
                node: node.unwrap_or(-1),
            }))
    }

    /// Map another process's pool. Its memory is mapped by `Buffer.from_ipc_descriptor`.
    ///
    /// alloc_handle: as for `DeviceMemoryResource.from_allocation_handle`, of a PinnedMemoryResource.
    ///
    /// Raises TypeError for handles of other resources, ValueError, CUDAError for descriptors of something else. Driver
    /// API manual, `cuMemPoolImportFromShareableHandle`.
    #[classmethod]
    fn from_allocation_handle<'py>(
        cls: &Bound<'py, PyType>,
        alloc_handle: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let none = cls.py().None();
        sharing::python(cls.py())?.call_method1("mapped", (cls, none, alloc_handle))
    }

    /// The resource of another process's pool, by an open handle.
    #[staticmethod]
    fn _of_handle<'py>(
        _device: &Bound<'py, PyAny>,
        handle: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = handle.py();
        let device = device_argument(py, None)?;
        let pool = sharing::pool_of(py, device, PoolKind::Host, handle)?;
        let mapped = PoolResource::of_mapped(pool, None, place(HOST, 0), handle.clone().unbind());
        let made = PyClassInitializer::from(MemoryResource)
            .add_subclass(mapped)
            .add_subclass(Self { node: -1 });
        Bound::new(py, made)
    }

    /// Allocate memory of `size` bytes: in the stream's order from the pool; without a stream, or where the driver has
    /// no such pools and the resource no options, at once.
    ///
    /// Raises OutOfMemoryError, ClosedError after `close`. Driver API manual, `cuMemAllocFromPoolAsync`,
    /// `cuMemHostAlloc`.
    #[pyo3(signature = (size, *, stream=None))]
    fn allocate(
        slf: &Bound<'_, Self>,
        size: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Buffer> {
        let (py, pool) = (slf.py(), slf.as_super().get());
        let resource = slf.clone().into_any().unbind();
        let size = size_argument(size)?;
        if let Some(found) = pool_for(py, pool, stream)? {
            let stream = pool.stream(py, stream)?;
            return PoolResource::allocate_in(py, &found, size, stream, resource, -1);
        }
        let device = device_for(py, pool.device, stream)?;
        Ok(Buffer::of(pinned(py, device, size)?, Some(resource)))
    }

    /// -1: the memory is the host's.
    #[getter]
    fn device_id(&self) -> i64 {
        -1
    }

    /// The number of the host's NUMA node; -1 for any.
    #[getter]
    fn numa_id(&self) -> i32 {
        self.node
    }
}

/// The pool that memory comes from; None where it is made at once.
fn pool_for(
    py: Python<'_>,
    resource: &PoolResource,
    stream: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<cuox::memory::pool::MemoryPool>> {
    match (resource.open(py)?, given(stream)) {
        (Pool::Own(pool), _) => Ok(Some(pool)),
        (Pool::Mapped(_), _) => Err(sharing::gives_none()),
        (Pool::Current, None) => Ok(None),
        // An older driver has no such pools.
        (Pool::Current, Some(_)) => Ok(resource.found(py).ok()),
    }
}

/// Memory that moves between host and device by itself: in a stream's order from a memory pool, or at once without a
/// stream. It gives `ManagedBuffer` objects.
///
/// options: ManagedMemoryResourceOptions, or a dict with some of its fields: then the pool is a new one. A number or a
/// Device is the device in whose context memory is made.
#[pyclass(frozen, subclass, extends = PoolResource, module = "cuox", name = "ManagedMemoryResource")]
pub struct ManagedMemoryResource {
    at: CUmemLocation,
}

/// The place that the options name.
fn preferred(py: Python<'_>, options: Option<&Bound<'_, PyAny>>) -> PyResult<CUmemLocation> {
    let number: Option<i32> = option(options, "preferred_location", None)?;
    let kind: Option<String> = option(options, "preferred_location_type", None)?;
    let shown = number.map_or("None".to_owned(), |number| number.to_string());
    let wrong = |expected: &str| {
        Err(PyValueError::new_err(format!(
            "preferred_location must be {expected}, got {shown}"
        )))
    };
    match (kind.as_deref(), number) {
        (None, None) => Ok(place(NONE, 0)),
        (None, Some(-1)) => Ok(place(HOST, 0)),
        (None | Some("device"), Some(number)) if number >= 0 => Ok(place(DEVICE, number)),
        (None, _) => wrong("a device ordinal (>= 0), -1 for the host, or None for no preference"),
        (Some("device"), _) => {
            wrong("a device ordinal (>= 0) where preferred_location_type is 'device'")
        }
        (Some("host"), None) => Ok(place(HOST, 0)),
        (Some("host"), _) => wrong("None where preferred_location_type is 'host'"),
        (Some("host_numa"), None) => Ok(place(NUMA, node_of_device(py)?)),
        (Some("host_numa"), Some(number)) if number >= 0 => Ok(place(NUMA, number)),
        (Some("host_numa"), _) => {
            wrong("a NUMA node ID (>= 0) or None where preferred_location_type is 'host_numa'")
        }
        (Some(other), _) => Err(PyValueError::new_err(format!(
            "preferred_location_type: '{other}' is not a valid ManagedMemoryLocationType. Must be one of 'device', 'host', \
             'host_numa'"
        ))),
    }
}

#[pymethods]
impl ManagedMemoryResource {
    #[new]
    #[pyo3(signature = (options=None))]
    fn py_new(
        py: Python<'_>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let keys = ["preferred_location", "preferred_location_type"];
        let (device, options) = device_or_options("ManagedMemoryResource", options, &keys)?;
        let at = preferred(py, options)?;
        let pool = match options {
            None => PoolResource::of_current(PoolKind::Managed, device, at),
            Some(_) => PoolResource::of_new(py, PoolKind::Managed, device, at, 0, false)?,
        };
        Ok(PyClassInitializer::from(MemoryResource)
            .add_subclass(pool)
            .add_subclass(Self { at }))
    }

    /// Allocate memory of `size` bytes, as a `ManagedBuffer`: in the stream's order from the pool; without a stream, or
    /// where the driver has no such pools and the resource no options, at once.
    ///
    /// Raises OutOfMemoryError, ClosedError after `close`. Driver API manual, `cuMemAllocFromPoolAsync`,
    /// `cuMemAllocManaged`.
    #[pyo3(signature = (size, *, stream=None))]
    fn allocate<'py>(
        slf: &Bound<'py, Self>,
        size: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Buffer>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let (py, pool) = (slf.py(), slf.as_super().get());
        let class = CLASS.import(py, "cuox._internal.memory.managed", "ManagedBuffer")?;
        let resource = slf.clone().into_any().unbind();
        let size = size_argument(size)?;
        let made = match pool_for(py, pool, stream)? {
            Some(found) => {
                let stream = pool.stream(py, stream)?;
                let device_id = slf.get().device_id();
                PoolResource::allocate_in(py, &found, size, stream, resource, device_id)?
            }
            None => {
                let device = device_for(py, pool.device, stream)?;
                Buffer::of(managed(py, device, size)?, Some(resource))
            }
        };
        Buffer::make_subclass(class, made)
    }

    /// The number of the device that the memory had better be on; -1 if that is none.
    #[getter]
    fn device_id(&self) -> i64 {
        match self.at.type_ == DEVICE {
            true => i64::from(self.at.id),
            false => -1,
        }
    }

    /// Where the memory had better be: ("device", number), ("host", None), ("host_numa", number), or None for no
    /// preference.
    #[getter]
    fn preferred_location<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (name, id) = match self.at.type_ {
            DEVICE => ("device", Some(self.at.id)),
            HOST => ("host", None),
            NUMA => ("host_numa", Some(self.at.id)),
            _ => return Ok(None),
        };
        let class = py
            .import("cuox.cuda.core.typing")?
            .getattr("ManagedMemoryLocationType")?;
        Ok(Some((class.call1((name,))?, id).into_pyobject(py)?))
    }
}
