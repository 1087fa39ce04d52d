//! The memory that a `Buffer` holds: handles, and the time at which it is given back.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use cuox::memory::uses::Uses;
use cuox::memory::{PinnedBuffer, raw};
use pyo3::prelude::*;

use crate::pycuda::Block;
use crate::stream::StreamRef;

/// A handle on memory; the last one frees it.
#[derive(Clone)]
pub enum Memory {
    Device(cuox::Buffer),
    Pinned(Arc<PinnedBuffer>),
}

/// The memory of a buffer. Memory in a stream's order is most often freed before anything else comes to hold it: until
/// then it costs no counted handle.
pub enum Held {
    Ordered(Ordered),
    /// A block of a pool of `cuox.pycuda`, which goes back to it.
    Pooled(Block),
    Shared(Memory),
}

/// Memory in a stream's order; it is freed in that order when this is dropped.
pub struct Ordered {
    pub address: u64,
    pub size: usize,
    pub stream: StreamRef,
}

impl Drop for Ordered {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: it was allocated in this stream's order, and whoever takes it out of here leaves a 0.
        unsafe { raw::release_async(&self.stream, self.address) };
    }
}

impl Ordered {
    /// Frees it in its stream's order, as dropping it does.
    #[inline(always)]
    pub fn free(self) {
        let ordered = ManuallyDrop::new(self);
        // SAFETY: the memory was allocated in this stream's order; `drop` does not come, so the memory is freed once
        // and the stream moved out once.
        let stream = unsafe {
            raw::release_async(&ordered.stream, ordered.address);
            std::ptr::read(&raw const ordered.stream)
        };
        drop(stream);
    }

    /// A handle that frees it in its stream's order behind these uses.
    pub fn used(mut self, uses: Uses) -> cuox::Buffer {
        let address = std::mem::take(&mut self.address);
        let stream = cuox::Stream::clone(&self.stream);
        // SAFETY: it was allocated in this stream's order, and `self` does not free it any more.
        unsafe { cuox::Buffer::from_async_used(stream, address, self.size, uses) }
    }

    /// Does not free it.
    pub fn leave(mut self) {
        self.address = 0;
    }

    /// Frees it in the order of another stream.
    pub fn free_on(mut self, stream: &cuox::Stream) -> cuox::Result<()> {
        let address = std::mem::take(&mut self.address);
        // SAFETY: the address was taken out, so `drop` does not free it again.
        unsafe { raw::free_async(stream, address) }
    }
}

impl Held {
    /// A handle on the memory.
    pub fn share(&mut self) -> Memory {
        let memory = match self {
            Self::Shared(memory) => return memory.clone(),
            Self::Pooled(block) => Memory::Device(block.lend()),
            Self::Ordered(ordered) => {
                let address = std::mem::take(&mut ordered.address);
                // SAFETY: it was allocated in this stream's order, and `ordered` does not free it any more.
                Memory::Device(unsafe {
                    cuox::Buffer::from_async(
                        cuox::Stream::clone(&ordered.stream),
                        address,
                        ordered.size,
                    )
                })
            }
        };
        *self = Self::Shared(memory.clone());
        memory
    }
}

/// Keeps memory for views of it, and for objects of the driver that use it; both may outlive the buffer's `close`.
#[pyclass(frozen, module = "cuox._native", name = "_Memory")]
#[allow(dead_code, reason = "held, never read")]
pub struct MemoryKeeper {
    memory: Memory,
    owner: Option<Py<PyAny>>,
    view: Option<View>,
}

/// A view of a device's memory, by which programs reach it without asking: the device, and where the memory begins.
struct View(cuox::Device, u64);

/// The number of views of the memory at each address and of each device, where there are any.
static VIEWS: Mutex<BTreeMap<u64, Vec<(cuox::Device, usize)>>> = Mutex::new(BTreeMap::new());

/// The number of views of a device's memory.
pub fn views(device: cuox::Device) -> usize {
    views_of(device, 0..u64::MAX)
}

/// The number of views of a device's memory that begins at these addresses.
pub fn views_of(device: cuox::Device, addresses: Range<u64>) -> usize {
    let views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner);
    let all = views.range(addresses).flat_map(|(_, views)| views);
    let own = all.filter(|(of, _)| *of == device);
    own.map(|(_, count)| count).sum()
}

impl MemoryKeeper {
    /// For a view of memory that begins at this address.
    pub fn viewed(memory: Memory, owner: Option<Py<PyAny>>, address: u64) -> Self {
        let view = Some(View::new(memory.context().device(), address));
        Self {
            memory,
            owner,
            view,
        }
    }

    /// For an object of the driver, which is gone with its context.
    pub fn used(memory: Memory, owner: Option<Py<PyAny>>) -> Self {
        Self {
            memory,
            owner,
            view: None,
        }
    }
}

impl View {
    fn new(device: cuox::Device, address: u64) -> Self {
        let mut views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner);
        let here = views.entry(address).or_default();
        match here.iter_mut().find(|(of, _)| *of == device) {
            Some((_, count)) => *count += 1,
            None => here.push((device, 1)),
        }
        Self(device, address)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let mut views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(here) = views.get_mut(&self.1) else {
            return;
        };
        here.iter_mut()
            .filter(|(of, _)| *of == self.0)
            .for_each(|(_, count)| *count -= 1);
        here.retain(|(_, count)| *count > 0);
        if here.is_empty() {
            views.remove(&self.1);
        }
    }
}

impl Memory {
    pub fn host_accessible(&self) -> bool {
        match self {
            Self::Device(buffer) => buffer.is_host_accessible(),
            Self::Pinned(_) => true,
        }
    }

    /// The stream in whose order it is used and freed, if there is one.
    #[inline]
    pub fn ordered_by(&self) -> Option<&cuox::Stream> {
        match self {
            Self::Device(buffer) => buffer.stream(),
            Self::Pinned(_) => None,
        }
    }

    #[inline]
    pub fn context(&self) -> &cuox::Context {
        match self {
            Self::Device(buffer) => buffer.context(),
            Self::Pinned(pinned) => pinned.context(),
        }
    }

    /// True if giving it back may wait for the device.
    pub fn frees_at_once(&self) -> bool {
        let lent = matches!(self, Self::Device(buffer) if buffer.is_borrowed());
        !lent && self.ordered_by().is_none()
    }
}
