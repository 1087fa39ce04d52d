//! Memory pools. A pool is an account: its memory comes from where all memory comes from.

use crate::code::Res;
use crate::handle::Table;
use crate::ipc::pool::SharedPool;
use crate::memory::{Allocation, Kind, Memory};
use parking_lot::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What a pool gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// Memory of a device.
    Device(usize),
    /// Page-locked memory of the host, or of one of its NUMA nodes.
    Host(Option<i32>),
    /// Managed memory, with the kind and number of the place that it is to be at.
    Managed(u32, i32),
}

impl Home {
    /// The kind of an allocation.
    pub fn kind(self) -> Kind {
        match self {
            Home::Device(_) => Kind::Pooled,
            Home::Host(_) => Kind::Host,
            Home::Managed(..) => Kind::Managed,
        }
    }
}

/// A pool.
pub struct Pool {
    pub handle: u64,
    pub home: Home,
    /// The device whose memory it gives, or that counts the memory.
    pub device: usize,
    /// The kinds of handles for other processes that it was made with, as `CUmemAllocationHandleType` has them.
    pub handle_types: u32,
    /// Its file, once another process may have a handle.
    pub shared: OnceLock<SharedPool>,
    /// It is another process's, whose allocations can be opened.
    pub is_imported: bool,
    /// `CU_MEMPOOL_ATTR_REUSE_…` and the release threshold, by attribute number.
    pub settings: Mutex<[u64; 5]>,
    used: AtomicU64,
    used_high: AtomicU64,
    /// Devices that have been given access, a bit each.
    access: AtomicU32,
}

impl Pool {
    pub fn new(handle: u64, home: Home, handle_types: u32) -> Pool {
        let device = match home {
            Home::Device(device) => device,
            Home::Host(_) | Home::Managed(..) => 0,
        };
        Pool {
            handle,
            home,
            device,
            handle_types,
            shared: OnceLock::new(),
            is_imported: false,
            settings: Mutex::new([0, 1, 1, 1, 0]),
            used: AtomicU64::new(0),
            used_high: AtomicU64::new(0),
            access: AtomicU32::new(1 << device),
        }
    }

    /// The pool of another process.
    pub fn imported(handle: u64, device: usize, shared: SharedPool) -> Pool {
        Pool {
            shared: OnceLock::from(shared),
            is_imported: true,
            ..Pool::new(handle, Home::Device(device), 0)
        }
    }

    pub fn has_access(&self, device: usize) -> bool {
        // What the host has, all devices reach.
        !matches!(self.home, Home::Device(_))
            || self.access.load(Ordering::Relaxed) & (1 << device) != 0
    }

    pub fn set_access(&self, device: usize, access: bool) {
        if access {
            self.access.fetch_or(1 << device, Ordering::Relaxed);
        } else {
            self.access.fetch_and(!(1 << device), Ordering::Relaxed);
        }
    }

    pub fn add(&self, bytes: u64) {
        let now = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.used_high.fetch_max(now, Ordering::Relaxed);
    }

    pub fn subtract(&self, bytes: u64) {
        let _ = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |u| {
                Some(u.saturating_sub(bytes))
            });
    }

    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub fn used_high(&self) -> u64 {
        self.used_high.load(Ordering::Relaxed)
    }

    pub fn reset_high(&self) {
        self.used_high.store(self.used(), Ordering::Relaxed);
    }
}

/// True for memory that is freed in a stream's order.
pub fn is_stream_ordered(allocation: &Allocation) -> bool {
    matches!(allocation.kind, Kind::Device | Kind::Pooled) || allocation.pool != 0
}

/// Frees memory and keeps its pool's account. Memory of another process's pool is closed once.
pub fn free(
    memory: &Memory,
    pools: &Table<Pool>,
    at: u64,
    wanted: impl Fn(&Allocation) -> bool,
) -> Res {
    if let Some(found) = memory.find(at)
        && (found.kind, found.start) == (Kind::Imported, at)
        && wanted(&found)
    {
        return memory.close_import(at);
    }
    let gone = memory.free(at, wanted)?;
    if let Some(pool) = pools.get(gone.pool) {
        pool.subtract(gone.len);
    }
    Ok(())
}
