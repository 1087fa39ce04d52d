//! `pycuda.tools.DeviceMemoryPool`: blocks of device memory that are kept when they are freed, in bins by size.

use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::translated;
use crate::buffer::{Buffer, size_argument};
use crate::device;
use crate::error::{OrRaise, to_py_in};
use crate::support::fastcall::Arguments;
use crate::support::reaper;

const ALLOCATE: &str = "DeviceMemoryPool.allocate()";

/// The bits behind the leading one that a bin's number has of its sizes: sizes of one bin are within a sixteenth.
const LEADING_BITS: u32 = 4;
const MANTISSA: u64 = (1 << LEADING_BITS) - 1;

/// The bin of a size.
#[inline]
fn bin_number(size: u64) -> u32 {
    let exponent = size.checked_ilog2().unwrap_or(0);
    let shifted = if exponent >= LEADING_BITS {
        size >> (exponent - LEADING_BITS)
    } else {
        size << (LEADING_BITS - exponent)
    };
    exponent << LEADING_BITS | (shifted & MANTISSA) as u32
}

/// The largest size of a bin, which all blocks in it have; `None` for numbers that no size has.
#[inline]
fn alloc_size(bin: u32) -> Option<u64> {
    let exponent = bin >> LEADING_BITS;
    let head = 1 << LEADING_BITS | (u64::from(bin) & MANTISSA);
    if exponent > 63 {
        return None;
    }
    Some(if exponent >= LEADING_BITS {
        let rest = exponent - LEADING_BITS;
        head << rest | ((1 << rest) - 1)
    } else {
        head >> (LEADING_BITS - exponent)
    })
}

/// Return the number of the bin that blocks of a size are in.
#[pyfunction]
pub fn _pool_bin_number(size: u64) -> u32 {
    bin_number(size)
}

/// Return the size of the blocks of a bin, in bytes. Raises ValueError for numbers that no bin has.
#[pyfunction]
pub fn _pool_alloc_size(bin: u32) -> PyResult<u64> {
    alloc_size(bin).ok_or_else(|| {
        PyValueError::new_err(format!(
            "alloc_size: expected the number of a bin, from 0 to {}, got {bin}",
            64 << LEADING_BITS
        ))
    })
}

/// The blocks of a pool.
struct Blocks {
    /// The free ones, by the number of their bin.
    bins: Vec<Vec<cuox::Buffer>>,
    held: usize,
    active: usize,
    managed_bytes: u64,
    active_bytes: u64,
    holding: bool,
}

struct Shared {
    blocks: Mutex<Blocks>,
    device: cuox::Device,
    resets: u32,
}

impl Drop for Shared {
    fn drop(&mut self) {
        while let Some(block) = self.drop_largest() {
            reaper::discard(block);
        }
    }
}

impl Shared {
    #[inline]
    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a block back.
    #[inline]
    fn put(&self, block: cuox::Buffer, size: usize) {
        let bin = bin_number(size as u64) as usize;
        let freed = {
            let mut blocks = self.lock();
            blocks.active -= 1;
            blocks.active_bytes -= size as u64;
            if blocks.holding && self.resets == self.device.resets() {
                blocks.held += 1;
                // `take` has made room for the bin.
                if let Some(bin) = blocks.bins.get_mut(bin) {
                    bin.push(block);
                    return;
                }
            }
            blocks.managed_bytes -= block.len() as u64;
            block
        };
        // The driver waits for running kernels before it frees; here nothing may wait.
        reaper::discard(freed);
    }

    /// A block of a bin, if there is a free one.
    #[inline]
    fn take(&self, bin: usize, size: usize) -> Option<cuox::Buffer> {
        let mut blocks = self.lock();
        if blocks.bins.len() <= bin {
            blocks.bins.resize_with(bin + 1, Vec::new);
        }
        let block = blocks.bins[bin].pop()?;
        blocks.held -= 1;
        blocks.active += 1;
        blocks.active_bytes += size as u64;
        Some(block)
    }

    /// Takes the largest free block out of the pool.
    fn drop_largest(&self) -> Option<cuox::Buffer> {
        let mut blocks = self.lock();
        let block = blocks.bins.iter_mut().rev().find_map(Vec::pop)?;
        blocks.held -= 1;
        blocks.managed_bytes -= block.len() as u64;
        Some(block)
    }
}

/// A block that somebody uses; when it is dropped, it goes back to its pool.
pub struct Block {
    /// Taken out when it goes back, or is lent.
    buffer: ManuallyDrop<cuox::Buffer>,
    pool: ManuallyDrop<Arc<Shared>>,
    size: usize,
    gone: bool,
}

impl Block {
    fn new(buffer: cuox::Buffer, pool: Arc<Shared>, size: usize) -> Self {
        Self {
            buffer: ManuallyDrop::new(buffer),
            pool: ManuallyDrop::new(pool),
            size,
            gone: false,
        }
    }

    #[inline]
    pub fn address(&self) -> u64 {
        self.buffer.ptr()
    }

    #[inline]
    pub fn device(&self) -> cuox::Device {
        self.pool.device
    }

    /// The block as memory that may be shared: the last handle gives it back.
    pub fn lend(&mut self) -> cuox::Buffer {
        let (context, address, size) = (self.buffer.context().clone(), self.address(), self.size);
        // SAFETY: both are taken once: `gone` keeps `drop` from taking them again.
        let (buffer, pool) = unsafe {
            (
                ManuallyDrop::take(&mut self.buffer),
                ManuallyDrop::take(&mut self.pool),
            )
        };
        self.gone = true;
        let lent = Self::new(buffer, pool, size);
        // SAFETY: the block is at least `size` bytes there, and is kept with the handle.
        unsafe { cuox::Buffer::borrowed(&context, address, size, Some(Box::new(lent))) }
    }
}

impl Drop for Block {
    #[inline]
    fn drop(&mut self) {
        if self.gone {
            return;
        }
        // SAFETY: both are taken once, here: `lend` has not.
        unsafe {
            let pool = ManuallyDrop::take(&mut self.pool);
            pool.put(ManuallyDrop::take(&mut self.buffer), self.size);
        }
    }
}

/// The base class of `pycuda.tools.DeviceMemoryPool`: device memory in blocks that are kept when they are freed.
#[pyclass(frozen, subclass, module = "cuox._native", name = "_DeviceMemoryPool")]
pub struct DeviceMemoryPool {
    shared: Arc<Shared>,
    /// The class of what `allocate` returns.
    class: Py<PyType>,
}

impl DeviceMemoryPool {
    /// `allocate`, as `methods` lists it.
    #[inline]
    pub fn allocate<'py>(
        this: &Bound<'py, Self>,
        [size]: Arguments<'_, 'py, 1>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, pool) = (this.py(), this.get());
        let size = size.map_or(Ok(0), size_argument)?;
        if pool.shared.resets != pool.shared.device.resets() {
            let error = crate::error::to_py(py, cuox::Error::Reset);
            return Err(translated(py, error));
        }
        let bin = bin_number(size as u64) as usize;
        let buffer = match pool.shared.take(bin, size) {
            Some(buffer) => buffer,
            None => pool
                .fresh(py, bin, size)
                .map_err(|error| translated(py, error))?,
        };
        let block = Block::new(buffer, Arc::clone(&pool.shared), size);
        Buffer::pooled(pool.class.bind(py), block, size).map(Bound::into_any)
    }

    fn discard_held(&self) {
        while let Some(block) = self.shared.drop_largest() {
            reaper::discard(block);
        }
    }

    /// Memory of the driver's for a size that has no free block; other free blocks are given up for it if they must be.
    #[cold]
    fn fresh(&self, py: Python<'_>, bin: usize, size: usize) -> PyResult<cuox::Buffer> {
        let bytes = alloc_size(bin as u32).unwrap_or(u64::MAX) as usize;
        let device = self.shared.device;
        let made = match device.allocate(bytes, None) {
            Err(error) if error.is_out_of_memory() => {
                py.import("gc")?.call_method0("collect")?;
                reaper::flush(py)?;
                if let Some(block) = self.shared.take(bin, size) {
                    return Ok(block);
                }
                self.after_giving_up(py, bytes)?
            }
            made => made.or_raise_in(py, ALLOCATE)?,
        };
        let mut blocks = self.shared.lock();
        blocks.active += 1;
        blocks.active_bytes += size as u64;
        blocks.managed_bytes += made.len() as u64;
        Ok(made)
    }

    /// Gives up free blocks, the largest first, until there is room.
    fn after_giving_up(&self, py: Python<'_>, bytes: usize) -> PyResult<cuox::Buffer> {
        loop {
            let error = match self.shared.device.allocate(bytes, None) {
                Err(error) if error.is_out_of_memory() => error,
                made => return made.or_raise_in(py, ALLOCATE),
            };
            match self.shared.drop_largest() {
                Some(block) => py.detach(move || drop(block)),
                None => return Err(to_py_in(py, error, ALLOCATE)),
            }
        }
    }
}

#[pymethods]
impl DeviceMemoryPool {
    #[new]
    fn new(py: Python<'_>, class: Bound<'_, PyType>) -> PyResult<Self> {
        if !class.is_subclass_of::<Buffer>()? {
            return Err(PyTypeError::new_err(format!(
                "_DeviceMemoryPool: class: expected a subclass of cuox.Buffer, got {}",
                class.name()?
            )));
        }
        let device = device::current(py)?;
        Ok(Self {
            shared: Arc::new(Shared {
                blocks: Mutex::new(Blocks {
                    bins: Vec::new(),
                    held: 0,
                    active: 0,
                    managed_bytes: 0,
                    active_bytes: 0,
                    holding: true,
                }),
                resets: device.resets(),
                device,
            }),
            class: class.unbind(),
        })
    }

    /// Give the free blocks back to the driver.
    fn free_held(&self) {
        self.discard_held();
    }

    /// Give the free blocks back to the driver, now and whenever one becomes free.
    fn stop_holding(&self) {
        self.shared.lock().holding = false;
        self.discard_held();
    }

    /// Return the number of the bin that blocks of a size are in.
    fn bin_number(&self, size: u64) -> u32 {
        bin_number(size)
    }

    /// Return the size of the blocks of a bin, in bytes. Raises ValueError for numbers that no bin has.
    fn alloc_size(&self, bin: u32) -> PyResult<u64> {
        _pool_alloc_size(bin)
    }

    /// The number of free blocks that are kept.
    #[getter]
    fn held_blocks(&self) -> usize {
        self.shared.lock().held
    }

    /// The number of blocks in use.
    #[getter]
    fn active_blocks(&self) -> usize {
        self.shared.lock().active
    }

    /// The bytes of all blocks, in use and free.
    #[getter]
    fn managed_bytes(&self) -> u64 {
        self.shared.lock().managed_bytes
    }

    /// The bytes that were asked for, of the blocks in use.
    #[getter]
    fn active_bytes(&self) -> u64 {
        self.shared.lock().active_bytes
    }

    fn __repr__(&self) -> String {
        let blocks = self.shared.lock();
        format!(
            "<DeviceMemoryPool of {} blocks in use and {} free ones on {:?}>",
            blocks.active, blocks.held, self.shared.device
        )
    }
}
