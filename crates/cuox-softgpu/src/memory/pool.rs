//! Memory pools. A pool is an account: its memory comes from where all memory comes from.

use crate::code::Res;
use crate::handle::Table;
use crate::memory::{Allocation, Memory};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A pool.
pub struct Pool {
    pub handle: u64,
    /// The device whose memory it gives.
    pub device: usize,
    /// `CU_MEMPOOL_ATTR_REUSE_…` and the release threshold, by attribute number.
    pub settings: Mutex<[u64; 5]>,
    used: AtomicU64,
    used_high: AtomicU64,
    /// Devices that have been given access, a bit each.
    access: AtomicU32,
}

impl Pool {
    pub fn new(handle: u64, device: usize) -> Pool {
        Pool {
            handle,
            device,
            settings: Mutex::new([0, 1, 1, 1, 0]),
            used: AtomicU64::new(0),
            used_high: AtomicU64::new(0),
            access: AtomicU32::new(1 << device),
        }
    }

    pub fn has_access(&self, device: usize) -> bool {
        self.access.load(Ordering::Relaxed) & (1 << device) != 0
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

/// Frees memory and keeps its pool's account.
pub fn free(
    memory: &Memory,
    pools: &Table<Pool>,
    at: u64,
    wanted: impl Fn(&Allocation) -> bool,
) -> Res {
    let gone = memory.free(at, wanted)?;
    if let Some(pool) = pools.get(gone.pool) {
        pool.subtract(gone.len);
    }
    Ok(())
}
