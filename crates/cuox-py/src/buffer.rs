//! `cuox.Buffer`: device, pinned or managed memory.

mod close;
mod copies;
mod export;
mod foreign;
mod make;
mod uses;
mod views;

pub use export::{Exported, dlpack_place, is_place, is_versioned};
pub use foreign::Reach;
use foreign::{Deallocation, Origin};
pub use uses::{Begun, OfBuffer, free_what_is_left};

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use cuox::Fill;
use cuox::memory::peer;
use cuox_interpreter::{dlpack, gate};
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::buffer_memory::{self, Held, Memory, MemoryKeeper};
use crate::device::{Device, device_argument};
use crate::error::{OrRaise, to_py};
use crate::idle;
use crate::memory_resource::{MemoryResource, sharing};
use crate::stream::{ConsumerStream, Stream, stream_argument};
use crate::support::closable::{Closable, Guarded};
use crate::support::handles;
use crate::support::names;
use crate::support::plain_args;
use crate::support::plain_args::given;
use crate::support::pool::{Pool, Pooled, Reference};

/// Its name in the error of use after close.
const WHAT: &str = "buffer";

/// Memory that a device reaches.
///
/// It is freed when it is closed or collected; `with buffer:` closes it. `Device.allocate` and memory resources make
/// buffers.
#[pyclass(frozen, subclass, weakref, module = "cuox", name = "Buffer")]
pub struct Buffer {
    pub address: u64,
    pub size: usize,
    pub device: cuox::Device,
    /// The device's count when this was made.
    resets: u32,
    pub held: Closable<Held>,
    uses: Guarded<OfBuffer>,
    /// The resource that allocated it, as Python sees it.
    resource: Option<Reference<PyAny>>,
    /// The owner of memory that is only borrowed, until it is closed.
    owner: Guarded<Option<Reference<PyAny>>>,
    origin: Origin,
}

/// A size in bytes.
#[inline]
pub fn size_argument(size: &Bound<'_, PyAny>) -> PyResult<usize> {
    // SAFETY: a live object; the error return, also for other objects, is -1 with an exception set.
    let bytes = unsafe { ffi::PyLong_AsSsize_t(size.as_ptr()) };
    if bytes >= 0 {
        return Ok(bytes as usize);
    }
    size_in_words(size)
}

#[cold]
fn size_in_words(size: &Bound<'_, PyAny>) -> PyResult<usize> {
    drop(PyErr::take(size.py()));
    match size.extract::<usize>() {
        Ok(size) => Ok(size),
        Err(error) if error.is_instance_of::<PyOverflowError>(size.py()) => {
            Err(PyValueError::new_err(format!(
                "size: expected a number of bytes from 0 to 2^64 - 1, got {size}"
            )))
        }
        Err(error) if error.is_instance_of::<PyTypeError>(size.py()) => Err(PyTypeError::new_err(
            format!("size: expected an int, got {}", names::type_name(size)),
        )),
        // An exception of `__index__`.
        Err(error) => Err(error),
    }
}

impl Buffer {
    /// A handle on the memory, or the error of use after close.
    fn memory(&self, py: Python<'_>) -> PyResult<Memory> {
        self.check(py)?;
        // SAFETY: sharing runs no Python code.
        let memory = unsafe { self.held.look(py, Held::share) };
        memory.ok_or_else(|| self.held.closed(py))
    }

    /// The address, for a kernel that is launched in this order.
    #[inline]
    pub fn pointer_for(&self, order: &ConsumerStream<'_>) -> PyResult<u64> {
        self.check(order.py)?;
        if self.device != order.stream.device() {
            self.check_reach(order)?;
        }
        Ok(self.address)
    }

    /// Refuses memory of a device that the one of the kernel does not reach.
    #[cold]
    fn check_reach(&self, order: &ConsumerStream<'_>) -> PyResult<()> {
        if self.device.driver().kind() != order.stream.context().driver().kind() {
            return Err(self.wrong_driver());
        }
        let memory = self.memory(order.py)?;
        let (kernel, there) = (order.stream.context(), memory.context());
        let is_reached =
            self.size == 0 || peer::is_reached(kernel, there, self.address).or_raise(order.py)?;
        if is_reached {
            return Ok(());
        }
        let (kernel, there) = (kernel.device().ordinal(), self.device.ordinal());
        Err(PyValueError::new_err(format!(
            "this is memory of device {there}, which the kernel's device {kernel} may not use: copy it there \
             (copy_from), or allow it: cuox.Device({kernel}).enable_peer_access(cuox.Device({there}))"
        )))
    }

    /// The stream that the memory is used in the order of, if there is one: the default stream for memory of no stream
    /// that arrays use.
    pub fn producer(&self, py: Python<'_>) -> PyResult<Option<cuox::Stream>> {
        match self.memory(py)?.ordered_by() {
            Some(own) => Ok(Some(own.clone())),
            None if self.is_used_by_its_own_stream_only(py) => Ok(None),
            None => self.device.default_stream().map(Some).or_raise(py),
        }
    }

    /// The error of use after close, or after a reset of the device.
    #[inline]
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        if !self.held.is_open(py) {
            return Err(self.held.closed(py));
        }
        if self.resets != self.device.resets() {
            return Err(to_py(py, cuox::Error::Reset));
        }
        Ok(())
    }

    #[cold]
    fn wrong_driver(&self) -> PyErr {
        let (here, there) = if self.device.is_soft() {
            ("the software GPU", "a GPU")
        } else {
            ("a GPU", "the software GPU")
        };
        PyValueError::new_err(format!(
            "this buffer is memory of {here}; the kernel runs on {there}: use copy_from between the two"
        ))
    }

    /// The address, if it is open.
    pub fn address(&self) -> PyResult<u64> {
        Python::attach(|py| self.open_address(py))
    }

    /// The same, with the GIL held.
    pub fn open_address(&self, py: Python<'_>) -> PyResult<u64> {
        self.check(py)?;
        Ok(self.address)
    }

    /// The memory as the Rust layer copies it.
    pub fn as_device(&self, py: Python<'_>) -> PyResult<cuox::Buffer> {
        match self.memory(py)? {
            Memory::Device(buffer) => Ok(buffer),
            Memory::Pinned(pinned) => {
                let context = pinned.context().clone();
                let (address, size) = (pinned.as_ptr() as u64, pinned.len());
                // SAFETY: pinned memory is one address for host and device, and the handle keeps it.
                Ok(unsafe {
                    cuox::Buffer::borrowed(&context, address, size, Some(Box::new(pinned)))
                })
            }
        }
    }

    /// Puts work into a stream; without one, into the device's default stream.
    pub fn submit(
        &self,
        py: Python<'_>,
        user: &str,
        stream: Option<&cuox::Stream>,
        work: impl FnOnce() -> cuox::Result<()> + Send,
    ) -> PyResult<()> {
        let done = match stream {
            Some(stream) => idle::submit(py, stream, work),
            None => {
                let default = self.device.default_stream().or_raise_in(py, user)?;
                idle::submit(py, &default, work)
            }
        };
        done.or_raise_in(py, user)
    }

    /// An optional stream argument.
    pub fn stream_argument(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<cuox::Stream>> {
        match stream {
            Some(stream) if !stream.is_none() => {
                stream_argument(py, stream, Some(self.device)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What the resource that frees the memory says of it, if there is one.
    fn of_resource<T>(&self, py: Python<'_>, name: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'a, Error = PyErr>,
    {
        let value = self.resource_says(py, name)?;
        value.map(|value| value.extract()).transpose()
    }

    /// The same as an object.
    fn resource_says<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (Origin::Resource(_), Some(resource)) = (&self.origin, &self.resource) else {
            return Ok(None);
        };
        gate::getattr(resource.bind(py), &PyString::new(py, name)).map(Some)
    }

    /// What the driver says of memory of another library.
    fn reach(&self) -> Option<Reach> {
        match &self.origin {
            Origin::Foreign(reach) | Origin::Pool(reach) => Some(*reach),
            Origin::Mapped(mapped) => Some(mapped.reach),
            _ => None,
        }
    }
}

#[pymethods]
impl Buffer {
    /// Wrap memory of another library: `size` bytes at the address `ptr`.
    ///
    /// mr: a memory resource; closing the buffer calls its `deallocate(ptr, size, stream=...)`.
    /// owner: an object that is kept until the buffer is closed, which frees nothing.
    /// stream: the stream in whose order `mr` frees the memory, and whose device it is of; None is the current device.
    ///
    /// Raises ValueError for both `mr` and `owner`, TypeError and OverflowError for other values.
    #[staticmethod]
    #[pyo3(signature = (ptr, size, mr=None, owner=None, *, stream=None))]
    fn from_handle(
        py: Python<'_>,
        ptr: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        mr: Option<Py<PyAny>>,
        owner: Option<Py<PyAny>>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if mr.is_some() && owner.is_some() {
            return Err(PyValueError::new_err(
                "Buffer.from_handle: owner and memory resource cannot be both specified together",
            ));
        }
        let stream = given(stream);
        let device = match stream {
            Some(stream) => stream_argument(py, stream, None)?.device(),
            None => device_argument(py, None)?,
        };
        let context = device.context().or_raise(py)?;
        let size = size_argument(size)?;
        let ptr = handles::handle_argument("Buffer.from_handle: ptr", ptr)?;
        idle::others_seen();
        let Some(mr) = mr else {
            let reach = Reach::of(py, &context, ptr)?;
            let there = usize::try_from(reach.device_id).ok();
            let context = match there.filter(|there| *there != device.ordinal()) {
                Some(there) => cuox::Device::of(device.driver(), there)
                    .and_then(cuox::Device::context)
                    .or_raise(py)?,
                None => context,
            };
            // SAFETY: the caller promises the memory; the owner is kept with the buffer.
            let memory = unsafe { cuox::Buffer::borrowed(&context, ptr, size, None) };
            let mut buffer = match owner {
                Some(owner) => Self::owned(Memory::Device(memory), owner),
                None => Self::of(Memory::Device(memory), None),
            };
            buffer.origin = Origin::Foreign(reach);
            return Ok(buffer);
        };
        if !mr.bind(py).is_instance_of::<MemoryResource>() {
            return Err(plain_args::wrong_kind(
                "Buffer.from_handle: mr",
                "a cuox.MemoryResource or None",
                mr.bind(py),
            ));
        }
        let stream = match stream {
            Some(stream) => stream.clone().unbind(),
            None => Stream::new(device.default_stream().or_raise(py)?)
                .into_pyobject(py)?
                .into_any()
                .unbind(),
        };
        let deallocation = Deallocation::new(mr.clone_ref(py), ptr, size, Some(stream));
        let weak = Arc::downgrade(&deallocation);
        // SAFETY: the caller promises the memory, which the resource frees when nothing holds it any more.
        let memory =
            unsafe { cuox::Buffer::borrowed(&context, ptr, size, Some(Box::new(deallocation))) };
        let mut buffer = Self::of(Memory::Device(memory), Some(mr));
        buffer.origin = Origin::Resource(weak);
        Ok(buffer)
    }

    /// What another process maps the memory by (`from_ipc_descriptor`): an `IPCBufferDescriptor`, which can be pickled.
    ///
    /// A buffer of another process is passed on as it came, even after `close`.
    ///
    /// Raises RuntimeError if the memory resource was made without `ipc_enabled`, ValueError for 0 bytes, ClosedError.
    /// Driver API manual, `cuMemPoolExportPointer`.
    #[getter]
    fn ipc_descriptor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.descriptor_for_others(py)
    }

    /// Map a buffer of another process.
    ///
    /// mr: the resource of the other process's pool, which is mapped here (`from_allocation_handle`).
    /// ipc_descriptor: the `ipc_descriptor` of the buffer there.
    /// stream: the stream in whose order the memory is given back; None is the default stream. That is to happen before
    /// the other process frees the memory.
    ///
    /// Raises TypeError, RuntimeError if the resource is not shared, ValueError if the descriptor's size or length is
    /// not right, CUDAError for a buffer of another pool. Driver API manual, `cuMemPoolImportPointer`.
    #[staticmethod]
    #[pyo3(signature = (mr, ipc_descriptor, *, stream=None))]
    fn from_ipc_descriptor(
        mr: &Bound<'_, PyAny>,
        ipc_descriptor: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of_descriptor(mr, ipc_descriptor, stream)
    }

    /// For pickle: a buffer that another process maps. Raises TypeError for memory that is not shared.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let resource = slf.get().resource.as_ref();
        sharing::python(slf.py())?.call_method1(
            "reduced_buffer",
            (slf, resource.map(|it| it.bind(slf.py()))),
        )
    }

    /// Have the memory freed in the order of another stream, when the buffer is closed without one or collected.
    ///
    /// Nothing waits for anything: all uses of the memory are to be in front of what comes in `stream` then.
    ///
    /// Raises ClosedError, TypeError if there is no stream.
    fn set_deallocation_stream(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        if stream.is_none() {
            return Err(PyTypeError::new_err(
                "set_deallocation_stream: stream: expected a cuox.Stream, got None",
            ));
        }
        self.set_free_in(py, stream)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(
        &self,
        py: Python<'_>,
        _exception: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<()> {
        self.close(py, None)
    }

    /// Copy another buffer of the same size, in bytes, to this one.
    ///
    /// options: `cuox.cuda.core.utils.CopyOptions`; the stream may then neither be LEGACY_DEFAULT_STREAM nor captured.
    ///
    /// Raises ValueError for another size, TypeError for such streams, ClosedError, CUDAError. Driver API manual,
    /// `cuMemcpyDtoDAsync`, `cuMemcpyBatchAsync`.
    #[pyo3(signature = (src, *, stream=None, options=None))]
    fn copy_from(
        slf: &Bound<'_, Self>,
        src: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        copies::copy("copy_from", src, slf, stream, options)
    }

    /// Copy this buffer to another one of the same size, in bytes; to a new one of the same memory resource if none is
    /// given.
    ///
    /// options: as for `copy_from`.
    ///
    /// Returns the buffer that was copied to. Raises as `copy_from` does. Driver API manual, `cuMemcpyDtoDAsync`.
    #[pyo3(signature = (dst=None, *, stream=None, options=None))]
    fn copy_to<'py>(
        slf: &Bound<'py, Self>,
        dst: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let dst = copies::destination(slf, dst, stream)?;
        copies::copy("copy_to", slf.as_any(), &dst, stream, options)?;
        Ok(dst)
    }

    /// Fill the buffer with one value, repeated.
    ///
    /// value: a byte as an int from 0 to 255, or 1, 2 or 4 bytes, of whose number the size is a multiple.
    ///
    /// Raises ValueError, TypeError, ClosedError, CUDAError. Driver API manual, `cuMemsetD8Async`, `cuMemsetD16Async`,
    /// `cuMemsetD32Async`.
    #[pyo3(signature = (value, *, stream=None))]
    fn fill(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let memory = self.as_device(py)?;
        let is_int = value.is_instance_of::<pyo3::types::PyInt>();
        let value = if is_int {
            Fill::U8(value.extract::<u8>().map_err(|_| {
                PyOverflowError::new_err(format!(
                    "fill: expected a byte from 0 to 255, got {value}; for larger patterns pass 2 or 4 bytes"
                ))
            })?)
        } else {
            let view = Self::view("fill", value, false)?;
            match *view.bytes() {
                [a] => Fill::U8(a),
                [a, b] => Fill::U16(u16::from_ne_bytes([a, b])),
                [a, b, c, d] => Fill::U32(u32::from_ne_bytes([a, b, c, d])),
                ref other => {
                    return Err(PyValueError::new_err(format!(
                        "fill: expected a pattern of 1, 2 or 4 bytes, got {}",
                        other.len()
                    )));
                }
            }
        };
        let stream = self.stream_argument(py, stream)?;
        let stream = stream.or_else(|| memory.stream().cloned());
        self.submit(py, "buffer.fill()", stream.as_ref(), || {
            memory.fill(value, stream.as_ref())
        })
    }

    /// The memory as a DLPack capsule of bytes. Device memory of a GPU is put behind the consumer's stream; memory
    /// that the host reads (pinned, managed, and all of the software GPU's) is ready when this returns.
    ///
    /// The software GPU's device memory is exported as the CPU's, with a `cuox.PortabilityWarning`, since a GPU has no
    /// such view; `CUOX_SOFT_STRICT=1` makes that a BufferError. See docs/arrays.md.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<&Bound<'_, PyAny>>,
        dl_device: Option<&Bound<'_, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        self.check(py)?;
        let versioned = is_versioned(max_version)?;
        if let Some(wanted) = dl_device.filter(|wanted| !wanted.is_none())
            && !is_place(wanted, self.__dlpack_device__(py)?)
        {
            return Err(PyBufferError::new_err(
                "Sorry, not supported: dl_device other than None",
            ));
        }
        if copy == Some(true) {
            return Err(PyBufferError::new_err("Sorry, not supported: copy=True"));
        }
        let what = Exported {
            offset: 0,
            dtype: dlpack::DataType {
                code: 1,
                bits: 8,
                lanes: 1,
            },
            shape: vec![self.size as i64],
            strides: vec![1],
            read_only: false,
            copy: "buffer.copy_to_host(array)",
        };
        self.export(py, what, stream, versioned)
    }

    /// The place of the memory: (2, n) on GPU n; (1, 0), the CPU, for the software GPU's and what the host alone
    /// reaches; (3, 0) for pinned memory, (13, n) for managed memory.
    ///
    /// Raises BufferError for memory of a resource which says that neither a device nor the host reaches it.
    pub fn __dlpack_device__(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        let by_device = self.is_device_accessible(py)?;
        let by_host = self.is_host_accessible(py)?;
        let is_managed = self.is_managed(py)?;
        let reach = Reach {
            // Resources of the host's memory may have none.
            device_id: match is_managed || by_device && !by_host {
                true => self.device_id(py)?,
                false => 0,
            },
            by_device,
            by_host,
            is_managed,
        };
        dlpack_place(reach, self.device.is_soft())
    }

    /// CUDA Array Interface, version 3: an array of bytes, written by the stream that it was allocated on.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = self.memory(py)?;
        let dict = PyDict::new(py);
        dict.set_item("shape", (self.size,))?;
        dict.set_item("typestr", "|u1")?;
        dict.set_item("data", (self.address, false))?;
        dict.set_item("version", 3)?;
        dict.set_item("strides", py.None())?;
        dict.set_item("stream", memory.ordered_by().map(|stream| stream.handle()))?;
        Ok(dict)
    }

    /// The method that NumPy calls for an array's memory, which the host does not have. Without this, it would make an
    /// array whose one element is the buffer.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__(&self, dtype: Option<&Bound<'_, PyAny>>, copy: Option<bool>) -> PyResult<()> {
        let _ = (dtype, copy);
        Err(PyTypeError::new_err(format!(
            "a Buffer is device memory, which NumPy does not read; copy it: array = numpy.empty({}, numpy.uint8); buffer.copy_to_host(array)",
            self.size
        )))
    }

    /// Host memory as a buffer: pinned and managed memory only.
    ///
    /// # Safety
    /// Called by the interpreter with a view to fill.
    unsafe fn __getbuffer__(
        slf: &Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: std::ffi::c_int,
    ) -> PyResult<()> {
        let py = slf.py();
        let this = slf.get();
        if !this.is_host_accessible(py)? {
            return Err(PyBufferError::new_err(
                "device memory is not host memory: copy it with copy_to_host",
            ));
        }
        let keeper = this.keeper(py)?;
        let read_only = this.is_read_only_for_host(py)?;
        // SAFETY: the view is the interpreter's to fill; it takes its own reference to the keeper.
        let status = unsafe {
            ffi::PyBuffer_FillInfo(
                view,
                keeper.as_ptr(),
                this.address as *mut _,
                this.size as isize,
                read_only.into(),
                flags,
            )
        };
        if status == 0 {
            Ok(())
        } else {
            Err(PyErr::fetch(py))
        }
    }

    /// Nothing to release: a view's object is the keeper. But `numpy.frombuffer` takes the memory of an object without
    /// this function for memory that stays as long as the object, and keeps no view of it.
    ///
    /// # Safety
    /// Called by the interpreter with a view that it had filled.
    unsafe fn __releasebuffer__(&self, _view: *mut ffi::Py_buffer) {}

    /// The address on the device (`CUdeviceptr`); 0 after `close`. Raises ClosedError after `Device.reset`.
    #[getter]
    fn handle(&self, py: Python<'_>) -> PyResult<u64> {
        if !self.held.is_open(py) {
            return Ok(0);
        }
        self.open_address(py)
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<u64> {
        self.open_address(py)
    }

    /// An object that keeps the memory, though the buffer is closed, until the device is reset. Raises ClosedError.
    fn _keeper(&self, py: Python<'_>) -> PyResult<Py<MemoryKeeper>> {
        self.used(py)
    }

    /// The number of views of memory at these addresses, which may be those of another buffer.
    fn _views(&self) -> usize {
        buffer_memory::views_of(self.device, self.address..self.address + self.size as u64)
    }

    /// The size in bytes; 0 after `close`.
    #[getter]
    fn size(&self, py: Python<'_>) -> usize {
        match self.held.is_open(py) {
            true => self.size,
            false => 0,
        }
    }

    fn __len__(&self) -> usize {
        self.size
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        !self.held.is_open(py)
    }

    /// The number of the device that the memory belongs to; -1 for memory of the host that no driver knows.
    #[getter]
    pub fn device_id(&self, py: Python<'_>) -> PyResult<i64> {
        if let Some(id) = self.resource_says(py, "device_id")? {
            // Resources have been seen that give the device itself.
            return match id.cast::<Device>() {
                Ok(device) => Ok(device.get().inner().ordinal() as i64),
                Err(_) => id.extract(),
            };
        }
        let reach = self.reach();
        Ok(reach.map_or(self.device.ordinal() as i64, |reach| reach.device_id))
    }

    /// The device that the memory belongs to.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.device)
    }

    /// True if kernels reach the memory.
    #[getter]
    pub fn is_device_accessible(&self, py: Python<'_>) -> PyResult<bool> {
        let said = self.of_resource(py, "is_device_accessible")?;
        Ok(said.unwrap_or_else(|| self.reach().is_none_or(|reach| reach.by_device)))
    }

    /// True if the host's processor reaches the memory: pinned and managed memory, and everything on the software GPU.
    #[getter]
    pub fn is_host_accessible(&self, py: Python<'_>) -> PyResult<bool> {
        if let Some(said) = self.of_resource(py, "is_host_accessible")? {
            return Ok(said);
        }
        let memory = self.memory(py)?;
        Ok(self
            .reach()
            .map_or_else(|| memory.host_accessible(), |reach| reach.by_host))
    }

    /// True for managed memory, which moves between host and device.
    #[getter]
    pub fn is_managed(&self, py: Python<'_>) -> PyResult<bool> {
        if let Some(said) = self.of_resource(py, "is_managed")? {
            // A resource that does not say it has the base class say no.
            if said || !self.held.is_open(py) {
                return Ok(said);
            }
            let context = self.device.context().or_raise(py)?;
            return Ok(Reach::of(py, &context, self.address)?.is_managed);
        }
        if let Some(reach) = self.reach() {
            return Ok(reach.is_managed);
        }
        Ok(matches!(self.memory(py)?, Memory::Device(buffer) if buffer.is_host_accessible()))
    }

    /// True for memory of another process that is mapped here; False after `close`.
    #[getter]
    fn is_mapped(&self, py: Python<'_>) -> bool {
        self.held.is_open(py) && self.imported_by().is_some()
    }

    /// The memory resource that the buffer came from; None for memory of another library, and after `close`.
    #[getter]
    pub fn memory_resource<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.held.is_open(py) || matches!(self.origin, Origin::Foreign(_)) {
            return Ok(None);
        }
        match &self.resource {
            Some(resource) => Ok(Some(resource.bind(py).clone())),
            None => Device::object(py, self.device)?
                .get()
                .own_resource(py)
                .map(Some),
        }
    }

    /// The object that owns the memory (`from_handle`), or None.
    #[getter]
    fn owner(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        // SAFETY: counting runs no Python code.
        unsafe {
            self.owner
                .look(py, |owner| owner.as_ref().map(|owner| owner.clone_ref(py)))
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // SAFETY: the collector runs with the GIL held, and a visit runs no Python code.
        unsafe {
            self.owner
                .look(Python::assume_attached(), |owner| match owner {
                    Some(owner) => visit.call(&**owner),
                    None => Ok(()),
                })
        }
    }

    /// True for the same memory: its address and size.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else {
            return false;
        };
        let other = other.get();
        std::ptr::eq(self, other)
            || (self.held.is_open(py)
                && other.held.is_open(py)
                && (self.address, self.size, self.device)
                    == (other.address, other.size, other.device))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        ("buffer", self.address, self.size).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        if self.held.is_open(py) {
            format!("<Buffer ptr={:#x} size={}>", self.address, self.size)
        } else {
            "<Buffer ptr=0x0 size=0>".into()
        }
    }
}

static POOL: Pool<Buffer> = Pool::new();

impl Pooled for Buffer {
    #[inline]
    fn is_empty(&self, py: Python<'_>) -> bool {
        // SAFETY: looking runs no Python code.
        let has_owner = unsafe { self.owner.look(py, |owner| owner.is_some()) };
        !self.held.is_open(py)
            && self.resource.is_none()
            && !has_owner
            && matches!(self.origin, Origin::Own)
    }

    fn pool() -> &'static Pool<Self> {
        &POOL
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the interpreter collects objects with the GIL held, and no buffer is made or dropped without it.
        let py = unsafe { Python::assume_attached() };
        self.free_collected(py);
    }
}
