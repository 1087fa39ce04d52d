//! Checks of a kernel's memory accesses against the driver's allocations.
//!
//! If the driver requests it ([`Host::checks_memory`](crate::Host::checks_memory)), [`passes::checks`](crate::passes)
//! inserts an [`Inst::Check`](crate::ir::Inst::Check) before every access to global and generic memory. Both engines
//! perform it for each thread that makes the access; where a gang's threads access a line of addresses, its ends are
//! looked at first. An access must be wholly inside one allocation, or in a window of the thread's block.

use crate::env::{BlockEnv, GridEnv, WINDOW_BITS};
use crate::fault::{Fault, FaultKind};
use crate::ir::{Access, AccessKind};
use crate::window::{PARAM_ROOM, WORKSPACE};
use std::cell::{Cell, OnceCell};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of ended allocations.
static EPOCH: AtomicU64 = AtomicU64::new(1);

/// That counter, for generated code.
pub(crate) fn epoch() -> *const AtomicU64 {
    &raw const EPOCH
}

/// Tells running kernels that an allocation has ended, so that cached allocations may be invalid.
pub fn memory_freed() {
    EPOCH.fetch_add(1, Ordering::Release);
}

/// A cached allocation, for the accesses of one check: those that begin in this range lie in it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Hit {
    site: usize,
    start: u64,
    /// The distance from the first such address to the last.
    span: u64,
    epoch: u64,
}

impl Hit {
    /// An entry that is never valid.
    const NONE: Hit = Hit {
        site: 0,
        start: 0,
        span: 0,
        epoch: 0,
    };

    fn is_of(&self, site: usize) -> bool {
        self.site == site && self.epoch == EPOCH.load(Ordering::Acquire)
    }

    fn has(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) <= self.span
    }
}

/// Number of slots for allocations; a check has that of its number, modulo this.
const SLOTS: usize = 64;
/// Slots of code that checks nothing.
static NO_HITS: [Hit; SLOTS] = [Hit::NONE; SLOTS];

/// The allocations that checks have found last, one per check unless there are too many. Memory is allocated at the
/// first check.
#[derive(Default)]
pub struct Hits(OnceCell<Box<[Cell<Hit>; SLOTS]>>);

impl Hits {
    fn slots(&self) -> &[Cell<Hit>; SLOTS] {
        self.0
            .get_or_init(|| Box::new([const { Cell::new(Hit::NONE) }; SLOTS]))
    }

    fn slot(&self, site: usize) -> &Cell<Hit> {
        &self.slots()[site % SLOTS]
    }

    /// Where in all slots those of check number `site` have the check's number, the first address, the distance to the
    /// last one, and the counter of ended allocations, in bytes.
    pub(crate) fn places(site: usize) -> [usize; 4] {
        [
            offset_of!(Hit, site),
            offset_of!(Hit, start),
            offset_of!(Hit, span),
            offset_of!(Hit, epoch),
        ]
        .map(|field| site % SLOTS * size_of::<Hit>() + field)
    }

    /// All slots, for generated code, which reads them.
    pub(crate) fn all(&self) -> *const Hit {
        self.slots().as_ptr().cast()
    }

    /// Slots that are never valid.
    pub(crate) fn none() -> *const Hit {
        NO_HITS.as_ptr()
    }

    /// Returns true if the accesses of check number `site` are in the allocation cached for it. The addresses are those
    /// whose bits are set in `mask`.
    pub fn know(&self, site: usize, addresses: &[u64; 16], mask: u64) -> bool {
        let hit = self.slot(site).get();
        let outside = |(lane, &at): (usize, &u64)| u64::from(!hit.has(at)) & mask >> lane;
        let bad: u64 = addresses
            .iter()
            .enumerate()
            .map(outside)
            .fold(0, |a, b| a | b);
        bad & 1 == 0 && hit.is_of(site)
    }

    /// The same for accesses at two addresses and any between them.
    pub fn know_all(&self, site: usize, least: u64, most: u64) -> bool {
        let hit = self.slot(site).get();
        least <= most && hit.has(least) && hit.has(most) && hit.is_of(site)
    }

    /// Performs check number `site` for one thread's access that is [not known](Self::know_all), and caches its
    /// allocation. The fault has no thread yet.
    pub fn check(
        &self,
        grid: &GridEnv<'_>,
        block: &BlockEnv,
        site: usize,
        access: Access,
        address: u64,
    ) -> Result<(), Fault> {
        let epoch = EPOCH.load(Ordering::Acquire);
        let bytes = u64::from(access.bytes);
        let covers = |start: u64, len: u64| within(address, bytes, start, len);
        if in_window(grid, block, address, bytes) {
            return Ok(());
        }
        if let Some((start, len)) = grid.host.allocation(address)
            && covers(start, len)
        {
            self.slot(site).set(Hit {
                site,
                start,
                span: len - bytes,
                epoch,
            });
            return Ok(());
        }
        let what = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic",
        };
        let mut fault = invalid(what, bytes, address);
        fault.line = Some(access.line);
        Err(fault)
    }
}

/// Returns the fault for an access outside all allocations.
fn invalid(what: &str, bytes: u64, address: u64) -> Fault {
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    let message = format!("Invalid __global__ {what} of size {bytes} {unit} at {address:#x}");
    let mut fault = Fault::new(FaultKind::IllegalAddress, message).at(address);
    fault.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    fault
}

/// Checks an access whose size is not in the code, such as that of a bulk copy. Does nothing if accesses are not
/// checked.
pub fn check_range(
    grid: &GridEnv<'_>,
    block: &BlockEnv,
    what: &str,
    address: u64,
    bytes: u64,
) -> Result<(), Fault> {
    let found = |(start, len)| within(address, bytes, start, len);
    if !grid.checked
        || bytes == 0
        || grid.host.allocation(address).is_some_and(found)
        || in_window(grid, block, address, bytes)
    {
        return Ok(());
    }
    Err(invalid(what, bytes, address))
}

fn within(address: u64, bytes: u64, start: u64, len: u64) -> bool {
    bytes <= len && address.wrapping_sub(start) <= len - bytes
}

/// Tells whether an address among the cluster's shared windows is in one of them; `None` for other addresses, or if
/// the cluster is the block alone.
pub fn in_cluster(grid: &GridEnv<'_>, block: &BlockEnv, address: u64, bytes: u64) -> Option<bool> {
    let blocks = u64::from(grid.cluster_blocks());
    let first = block
        .shared
        .wrapping_sub(u64::from(block.rank) << WINDOW_BITS);
    if blocks == 1 || !within(address, bytes, first, blocks << WINDOW_BITS) {
        return None;
    }
    let offset = (address - first) & ((1 << WINDOW_BITS) - 1);
    Some(offset + bytes <= u64::from(grid.shared_bytes))
}

/// Tells whether a range is in the shared memory of the block, or of another block of its cluster.
pub fn in_shared(grid: &GridEnv<'_>, block: &BlockEnv, address: u64, bytes: u64) -> bool {
    in_cluster(grid, block, address, bytes)
        .unwrap_or_else(|| within(address, bytes, block.shared, grid.shared_bytes.into()))
}

/// Tells whether a generic address is in a window of the block: shared memory, that of the cluster's other blocks
/// included, local memory, or the launch's parameters.
pub fn in_window(grid: &GridEnv<'_>, block: &BlockEnv, address: u64, bytes: u64) -> bool {
    if let Some(fits) = in_cluster(grid, block, address, bytes) {
        return fits;
    }
    let inside = |start: u64, len: u64| within(address, bytes, start, len);
    let locals = u64::from(grid.threads()) * u64::from(grid.local_bytes);
    inside(block.shared, u64::from(grid.shared_bytes))
        || inside(block.local, locals)
        || inside(grid.params, u64::from(grid.param_bytes))
        || inside(grid.params + PARAM_ROOM, WORKSPACE)
}
