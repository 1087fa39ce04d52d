//! Memory that cuox has not allocated: what the driver knows of it, and who frees it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};

use cuox::driver::sys;
use cuox::memory::pool::ExportedPointer;
use cuox_interpreter::gate;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::Buffer;
use crate::error::OrRaise;
use crate::support::closable::Guarded;

/// The origin of a buffer's memory.
#[derive(Clone)]
pub enum Origin {
    /// cuox has allocated it, or a subclass of `cuox.pycuda`.
    Own,
    /// cuox has allocated it in a pool of one of its own resources, which is this.
    Pool(Reach),
    /// Another process has, in a pool that is mapped here.
    Mapped(Arc<Mapped>),
    /// Another library has; the driver knows this of it.
    Foreign(Reach),
    /// A memory resource that is written in Python frees it, and says what it is.
    Resource(Weak<Deallocation>),
}

/// Memory of another process.
pub struct Mapped {
    pub reach: Reach,
    /// What it was imported by.
    pub data: ExportedPointer,
}

impl Buffer {
    /// What memory of another process was imported by.
    pub fn imported_by(&self) -> Option<ExportedPointer> {
        match &self.origin {
            Origin::Mapped(mapped) => Some(mapped.data),
            _ => None,
        }
    }
}

/// Who reaches memory.
#[derive(Clone, Copy)]
pub struct Reach {
    /// -1 for memory of the host that no driver knows.
    pub device_id: i64,
    pub by_device: bool,
    pub by_host: bool,
    pub is_managed: bool,
}

impl Reach {
    /// What the driver of a context says of an address. One that it does not know is the host's.
    pub fn of(py: Python<'_>, context: &cuox::Context, address: u64) -> PyResult<Self> {
        context.bind().or_raise(py)?;
        let table = context.driver().table();
        let read = |attribute| {
            let mut value = 0u32;
            // SAFETY: the attributes asked for below are of 4 bytes, and the pointer is to a live local.
            let code =
                unsafe { table.cuPointerGetAttribute((&raw mut value).cast(), attribute, address) };
            (code == sys::CUresult::CUDA_SUCCESS).then_some(value)
        };
        let kind = read(sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE).unwrap_or(0);
        if kind == 0 {
            return Ok(Self {
                device_id: -1,
                by_device: false,
                by_host: true,
                is_managed: false,
            });
        }
        let ordinal = read(sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
        let managed = read(sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED);
        let is_managed = managed.is_some_and(|managed| managed & 0xff != 0);
        // Of managed memory the driver says where it is now.
        let is_host = kind == sys::CUmemorytype::CU_MEMORYTYPE_HOST.0;
        Ok(Self {
            device_id: ordinal.map_or(-1, |ordinal| i64::from(ordinal as i32)),
            by_device: true,
            by_host: is_host || is_managed,
            is_managed,
        })
    }
}

/// Has a resource free memory, when nothing uses that any more.
pub struct Deallocation {
    resource: Py<PyAny>,
    address: u64,
    size: usize,
    /// The stream in whose order it is freed.
    stream: Guarded<Option<Py<PyAny>>>,
    is_done: AtomicBool,
}

impl Deallocation {
    pub fn new(
        resource: Py<PyAny>,
        address: u64,
        size: usize,
        stream: Option<Py<PyAny>>,
    ) -> Arc<Self> {
        Arc::new(Self {
            resource,
            address,
            size,
            stream: Guarded::new(stream),
            is_done: AtomicBool::new(false),
        })
    }

    /// Sets the stream in whose order the memory is freed.
    pub fn set_stream(&self, py: Python<'_>, stream: Py<PyAny>) {
        // SAFETY: a swap runs no Python code; the old one is dropped behind it.
        let old = unsafe { self.stream.look(py, |held| held.replace(stream)) };
        drop(old);
    }

    /// Frees the memory, once.
    pub fn run(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_done.swap(true, Relaxed) {
            return Ok(());
        }
        // SAFETY: counting runs no Python code.
        let stream = unsafe {
            self.stream
                .look(py, |held| held.as_ref().map(|stream| stream.clone_ref(py)))
        };
        let keywords = PyDict::new(py);
        keywords.set_item(intern!(py, "stream"), stream)?;
        let deallocate = gate::getattr(self.resource.bind(py), intern!(py, "deallocate"))?;
        let arguments: Bound<'_, PyTuple> = (self.address, self.size).into_pyobject(py)?;
        gate::call(&deallocate, &arguments, Some(&keywords)).map(drop)
    }
}

impl Drop for Deallocation {
    fn drop(&mut self) {
        // Without an interpreter there is nobody left to free it.
        Python::try_attach(|py| {
            // The last reference may go while an exception is on its way, which no other code may see as its own.
            let _kept = OnItsWay::set_aside(py);
            if let Err(error) = self.run(py) {
                error.write_unraisable(py, Some(self.resource.bind(py)));
            }
        });
    }
}

/// The exception that is on its way on this thread, which is so again when this is dropped.
struct OnItsWay<'py> {
    parts: [*mut ffi::PyObject; 3],
    _py: Python<'py>,
}

impl<'py> OnItsWay<'py> {
    #[allow(
        deprecated,
        reason = "the function that came in its place is not in Python 3.11"
    )]
    fn set_aside(py: Python<'py>) -> Self {
        let mut parts = [std::ptr::null_mut(); 3];
        let [kind, value, traceback] = &mut parts;
        // SAFETY: the lock is held, and the pointers are to live locals, which own what they get.
        unsafe { ffi::PyErr_Fetch(kind, value, traceback) };
        Self { parts, _py: py }
    }
}

impl Drop for OnItsWay<'_> {
    #[allow(deprecated, reason = "as above")]
    fn drop(&mut self) {
        let [kind, value, traceback] = self.parts;
        // SAFETY: the lock is held, and the parts are given back as they were got.
        unsafe { ffi::PyErr_Restore(kind, value, traceback) };
    }
}
