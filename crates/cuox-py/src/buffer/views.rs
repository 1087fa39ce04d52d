//! A buffer's memory in the hands of others: what keeps it, and what the host may do with it.

use std::ptr;

use cuox::driver::sys;
use cuox_interpreter::dlpack;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;

use super::Buffer;
use super::foreign::Origin;
use crate::buffer_memory::MemoryKeeper;
use crate::error::OrRaise;

const SUCCESS: sys::CUresult = sys::CUresult::CUDA_SUCCESS;

impl Buffer {
    /// Keeps the memory for a view of it, which `Device.reset` counts.
    pub fn keeper(&self, py: Python<'_>) -> PyResult<Py<MemoryKeeper>> {
        let memory = self.memory(py)?;
        Py::new(
            py,
            MemoryKeeper::viewed(memory, self.owner(py), self.address),
        )
    }

    /// Keeps the memory, though the buffer is closed, until the device is reset.
    pub fn used(&self, py: Python<'_>) -> PyResult<Py<MemoryKeeper>> {
        Py::new(py, MemoryKeeper::used(self.memory(py)?, self.owner(py)))
    }

    /// True if whoever gets the memory at this place of DLPack's may only read it. Raises BufferError if the place is
    /// the host's and nothing is to be read there.
    pub fn is_read_only_at(&self, py: Python<'_>, place: i32) -> PyResult<bool> {
        match place {
            dlpack::CUDA => Ok(false),
            _ => self.is_read_only_for_host(py),
        }
    }

    /// True if the host may only read the memory. Raises BufferError if it may not even do that, or nothing is there.
    pub fn is_read_only_for_host(&self, py: Python<'_>) -> PyResult<bool> {
        if self.size == 0 {
            return Ok(false);
        }
        // SAFETY: looking runs no Python code.
        let is_of_capture = unsafe { self.uses.look(py, |uses| uses.of.is_of_capture()) };
        let is_somebody_elses = matches!(self.origin, Origin::Foreign(_) | Origin::Resource(_));
        if !(is_of_capture || is_somebody_elses) {
            return Ok(false);
        }
        let context = self.memory(py)?.context().clone();
        context.bind().or_raise(py)?;
        let may_be_a_graphs = is_of_capture || self.device.is_soft();
        if may_be_a_graphs && !is_mapped(&context, self.address) {
            return Err(PyBufferError::new_err(
                "the memory is allocated by a graph, and nothing is there before the graph has been launched and has \
                 run, or after a graph has freed it",
            ));
        }
        if !is_somebody_elses {
            return Ok(false);
        }
        let last = self.address + (self.size as u64 - 1);
        let ends = [self.address, last].map(|at| access_of_place(&context, at));
        let flags = ends.into_iter().flatten().min();
        match flags {
            None => Ok(false),
            Some(flags) if flags & READ == 0 => Err(PyBufferError::new_err(
                "the host may not read the memory: its own place has no access to it (cuMemSetAccess; self_access of \
                 VirtualMemoryResourceOptions)",
            )),
            Some(flags) => Ok(flags & WRITE == 0),
        }
    }
}

/// `CU_MEM_ACCESS_FLAGS_PROT_READ`, and the bit that `CU_MEM_ACCESS_FLAGS_PROT_READWRITE` has besides.
const READ: u64 = 1;
const WRITE: u64 = 2;

/// False if the driver says that it has no memory for an address of an allocation.
fn is_mapped(context: &cuox::Context, address: u64) -> bool {
    let mut mapped = 1i32;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MAPPED;
    let table = context.driver().table();
    // SAFETY: the attribute has 4 bytes at most, and the pointer is to a live local.
    let code = unsafe { table.cuPointerGetAttribute((&raw mut mapped).cast(), attribute, address) };
    code != SUCCESS || mapped & 0xff != 0
}

/// What the place of memory of `cuMemCreate`, or else the host, may do with it (`CUmemAccess_flags`); None for other
/// memory.
fn access_of_place(context: &cuox::Context, address: u64) -> Option<u64> {
    let table = context.driver().table();
    let mut handle = 0;
    let mut properties = sys::CUmemAllocationProp::default();
    // SAFETY: the pointers are to live locals; a handle that was given is released once.
    let known = unsafe {
        let at = ptr::with_exposed_provenance_mut(address as usize);
        if table.cuMemRetainAllocationHandle(&raw mut handle, at) != SUCCESS {
            return None;
        }
        let code = table.cuMemGetAllocationPropertiesFromHandle(&raw mut properties, handle);
        table.cuMemRelease(handle);
        code == SUCCESS
    };
    let host = sys::CUmemLocation {
        type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST,
        id: 0,
    };
    let places = [known.then_some(properties.location), Some(host)];
    let allowed = places.into_iter().flatten().filter_map(|place| {
        let mut flags = 0;
        // SAFETY: the pointers are to live locals.
        let code = unsafe { table.cuMemGetAccess(&raw mut flags, &raw const place, address) };
        (code == SUCCESS).then_some(flags)
    });
    allowed.max()
}
