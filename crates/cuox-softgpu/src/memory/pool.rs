//! Memory pools. A pool is an account: its memory comes from where all memory comes from.

use crate::code::{OUT_OF_MEMORY, Res};
use crate::handle::Table;
use crate::ipc::pool::SharedPool;
use crate::memory::{Allocation, Kind, Memory};
use cuox_abi::CUmemLocation;
use parking_lot::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The step of the limits of pools: an H200's driver (580.159) rounds them up to it.
const STEP: u64 = 32 << 20;

/// A pool.
pub struct Pool {
    pub handle: u64,
    /// The device whose memory it gives.
    pub device: usize,
    /// What it gives.
    pub kind: Kind,
    /// Where it gives memory: a device, or the place that managed memory had better be at.
    pub place: CUmemLocation,
    /// The kinds of handles for other processes that it was made with, as `CUmemAllocationHandleType` has them.
    pub handle_types: u32,
    /// The most bytes that it has in use; 0 for as many as there are.
    max_size: u64,
    /// Its file, once another process may have a handle.
    pub shared: OnceLock<SharedPool>,
    /// It is another process's, whose allocations can be opened.
    pub is_imported: bool,
    /// `CU_MEMPOOL_ATTR_REUSE_…` and the release threshold, by attribute number.
    pub settings: Mutex<[u64; 5]>,
    used: AtomicU64,
    used_high: AtomicU64,
    /// Who has been given access: a bit for each device, and [`Pool::HOST`].
    access: AtomicU32,
}

impl Pool {
    /// The host among those that have access.
    pub const HOST: u32 = 1 << 31;

    /// A device among those that have access.
    pub fn bit_of(device: usize) -> u32 {
        1 << device
    }

    /// A pool, to which that has access which has it on an H200: its own place, and nobody to managed memory, where
    /// that does not matter.
    pub fn new(handle: u64, device: usize, kind: Kind, place: CUmemLocation) -> Pool {
        Pool {
            handle,
            device,
            kind,
            place,
            handle_types: 0,
            max_size: 0,
            shared: OnceLock::new(),
            is_imported: false,
            settings: Mutex::new([0, 1, 1, 1, 0]),
            used: AtomicU64::new(0),
            used_high: AtomicU64::new(0),
            access: AtomicU32::new(match kind {
                Kind::Pooled => Pool::bit_of(device),
                Kind::PooledHost => Pool::HOST,
                _ => 0,
            }),
        }
    }

    /// The same pool, with handles of these kinds for other processes.
    pub fn with_handles(mut self, types: u32) -> Pool {
        self.handle_types = types;
        self
    }

    /// The same pool, of which no more than that many bytes are in use at a time, in steps as on an H200.
    pub fn with_max_size(mut self, bytes: u64) -> Pool {
        self.max_size = bytes.checked_next_multiple_of(STEP).unwrap_or(0);
        self
    }

    /// The most bytes that are in use at a time, if there is a limit.
    pub fn max_size(&self) -> Option<u64> {
        Some(self.max_size).filter(|most| *most != 0)
    }

    /// The same pool, as another process's.
    pub fn imported(mut self, shared: SharedPool) -> Pool {
        self.shared = shared.into();
        self.is_imported = true;
        self
    }

    /// True if a device reaches the pool's memory.
    pub fn is_reached_by(&self, device: usize) -> bool {
        self.kind == Kind::PooledManaged || self.has_access(Pool::bit_of(device))
    }

    pub fn has_access(&self, who: u32) -> bool {
        self.access.load(Ordering::Relaxed) & who != 0
    }

    pub fn set_access(&self, who: u32, access: bool) {
        if access {
            self.access.fetch_or(who, Ordering::Relaxed);
        } else {
            self.access.fetch_and(!who, Ordering::Relaxed);
        }
    }

    /// Counts bytes that are to be allocated.
    ///
    /// # Errors
    /// That it would be more than the pool may give.
    pub fn add(&self, bytes: u64) -> Res {
        let most = self.max_size().unwrap_or(u64::MAX);
        let sum = |used: u64| used.checked_add(bytes).filter(|sum| *sum <= most);
        let before = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
        let before = before.map_err(|_| OUT_OF_MEMORY)?;
        self.used_high.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
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

/// The pools of the host's and of managed memory that there are without being made.
#[derive(Default)]
pub struct Defaults(Mutex<Vec<OfPlace>>);

struct OfPlace {
    kind: Kind,
    place: CUmemLocation,
    pool: u64,
    /// The pool that was set instead, or the same.
    current: u64,
}

impl Defaults {
    /// The default pool of a place, and the one that is current there. `make` makes the former.
    pub fn of(
        &self,
        kind: Kind,
        place: CUmemLocation,
        make: impl FnOnce() -> Res<u64>,
    ) -> Res<(u64, u64)> {
        let mut all = self.0.lock();
        if let Some(found) = all.iter().find(|it| it.kind == kind && it.place == place) {
            return Ok((found.pool, found.current));
        }
        let pool = make()?;
        all.push(OfPlace {
            kind,
            place,
            pool,
            current: pool,
        });
        Ok((pool, pool))
    }

    /// Makes another pool the current one of its place.
    pub fn set(&self, pool: &Pool) {
        let mut all = self.0.lock();
        let found = all
            .iter_mut()
            .find(|it| it.kind == pool.kind && it.place == pool.place);
        if let Some(found) = found {
            found.current = pool.handle;
        }
    }

    /// True for a default pool.
    pub fn has(&self, pool: u64) -> bool {
        self.0.lock().iter().any(|it| it.pool == pool)
    }
}

/// True for memory that is freed in a stream's order.
pub fn is_stream_ordered(allocation: &Allocation) -> bool {
    allocation.kind == Kind::Device || allocation.kind.is_pooled() || allocation.pool != 0
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
