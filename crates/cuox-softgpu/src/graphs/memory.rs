//! Memory of allocation nodes.
//!
//! A node has addresses from when it is made. They get memory when a launch comes to the node, and keep it when it is
//! freed, for the next launch, until another graph's node on the device needs it or the program asks for it
//! (`cuDeviceGraphMemTrim`). So graphs that run one after the other share what they allocate.

use crate::code::{INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::memory::{Allocation, Kind, Memory, Owner, Request};
use crate::settings::MOST_DEVICES;
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// The step in which a device's share for graphs grows, if there is as much.
const STEP: u64 = 32 << 20;

/// A device's memory for graphs.
#[derive(Default)]
struct Share {
    /// Bytes taken from the device's memory, and the most there were.
    reserved: u64,
    high: u64,
    /// Bytes of them that no range has.
    spare: u64,
    /// Ranges with memory that a launch has allocated and nobody has freed.
    held: HashMap<u64, Arc<GraphMemory>>,
    /// Ranges with memory that is free, the one freed longest ago first.
    free: BTreeMap<u64, Weak<GraphMemory>>,
    /// The number of ranges that were freed.
    freed: u64,
}

static SHARES: [Mutex<Option<Share>>; MOST_DEVICES] = [const { Mutex::new(None) }; MOST_DEVICES];

fn with_share<R>(device: usize, see: impl FnOnce(&mut Share) -> R) -> R {
    see(SHARES[device].lock().get_or_insert_default())
}

/// Bytes that graphs have of a device.
pub fn reserved(device: usize) -> u64 {
    with_share(device, |share| share.reserved)
}

/// The most that they have had.
pub fn reserved_high(device: usize) -> u64 {
    with_share(device, |share| share.high)
}

pub fn reset_high(device: usize) {
    with_share(device, |share| share.high = share.reserved);
}

/// Gives a device the memory back that no launch holds.
pub fn trim(memory: &Memory, device: usize) {
    // Some may go when this ends, which needs their share.
    let mut lost = Vec::new();
    with_share(device, |share| {
        let free = std::mem::take(&mut share.free);
        lost.extend(free.values().filter_map(Weak::upgrade));
        lost.iter().for_each(|range| range.take_memory_of(share));
        share.give_back(memory, device, share.spare);
    });
}

/// Refuses a launch that needs more memory than its devices can have for graphs, as far as can be told: what is in
/// flight may free more.
pub fn check(memory: &Memory, ranges: &[Arc<GraphMemory>]) -> Res {
    let idle = IN_FLIGHT.load(Ordering::Acquire) == 0;
    let mut needed = BTreeMap::<usize, u64>::new();
    for range in ranges {
        *needed.entry(range.device()).or_default() += range.bytes;
    }
    for (device, bytes) in needed {
        let free = memory.free_bytes(device);
        let possible = with_share(device, |share| {
            let own = |at: &u64| ranges.iter().any(|range| range.at == *at);
            let others = share.held.iter().filter(|(at, _)| idle && !own(at));
            let held: u64 = others.map(|(_, range)| range.bytes).sum();
            free.saturating_add(share.reserved).saturating_sub(held)
        });
        if bytes > possible {
            return Err(OUT_OF_MEMORY);
        }
    }
    Ok(())
}

/// The addresses that launches allocate and no call frees: of what has been asked for, whether it has run or not.
static UNFREED: Mutex<Option<HashSet<u64>>> = Mutex::new(None);

/// Refuses a launch of a graph of which an allocation is not freed since a launch before (Driver API manual,
/// `cuGraphLaunch`).
pub fn check_freed(ranges: &[Arc<GraphMemory>]) -> Res {
    let unfreed = UNFREED.lock();
    match unfreed.as_ref() {
        Some(unfreed) if ranges.iter().any(|range| unfreed.contains(&range.at)) => {
            Err(INVALID_VALUE)
        }
        _ => Ok(()),
    }
}

/// A launch has been queued that allocates at these addresses, and frees those.
pub fn note_launch(allocated: impl IntoIterator<Item = u64>, freed: impl IntoIterator<Item = u64>) {
    let mut unfreed = UNFREED.lock();
    let unfreed = unfreed.get_or_insert_default();
    unfreed.extend(allocated);
    freed.into_iter().for_each(|at| {
        unfreed.remove(&at);
    });
}

/// A call has freed the memory at an address, in a stream's order or at once.
pub fn note_free(at: u64) {
    if let Some(unfreed) = UNFREED.lock().as_mut() {
        unfreed.remove(&at);
    }
}

/// Launches and frees in a stream's order that may change what is held.
static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);

/// One of them, until it is done.
pub struct InFlight(());

impl InFlight {
    pub fn begin() -> InFlight {
        IN_FLIGHT.fetch_add(1, Ordering::AcqRel);
        InFlight(())
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        IN_FLIGHT.fetch_sub(1, Ordering::AcqRel);
    }
}

/// True if a launch has allocated memory at an address, and nobody has freed it.
pub fn is_held(device: usize, at: u64) -> bool {
    with_share(device, |share| share.held.contains_key(&at))
}

/// Ends the hold of a launch on the memory at an address: it is free for the next one. False if no launch has it.
pub fn free(at: u64) -> bool {
    let one = |device| {
        with_share(device, |share| {
            let range = share.held.remove(&at)?;
            share.freed += 1;
            range.free_since.store(share.freed, Ordering::Relaxed);
            share.free.insert(share.freed, Arc::downgrade(&range));
            Some(range)
        })
    };
    // The range may go now, which needs its share.
    (0..MOST_DEVICES).find_map(one).is_some()
}

/// Gives the memory of a context back, which ends.
pub fn end_context(memory: &Memory, context: u64) {
    for device in 0..MOST_DEVICES {
        // Some may go now, which needs their share.
        let mut seen = Vec::new();
        with_share(device, |share| {
            seen.extend(share.free.values().filter_map(Weak::upgrade));
            seen.extend(share.held.values().cloned());
            let mine = |range: &&Arc<GraphMemory>| range.allocation.owner.context == context;
            for range in seen.iter().filter(mine) {
                let since = range.free_since.load(Ordering::Relaxed);
                share.free.remove(&since);
                share.held.remove(&range.at);
                range.has_ended.store(true, Ordering::Relaxed);
                range.take_memory_of(share);
                share.give_back(memory, device, range.bytes);
            }
        });
    }
}

impl Share {
    fn give_back(&mut self, memory: &Memory, device: usize, bytes: u64) {
        self.spare -= bytes;
        self.reserved -= bytes;
        memory.give_back(device, bytes);
    }

    /// Makes so many bytes spare: those of free ranges first, which are added to `lost`, then more of the device's.
    fn make_spare(
        &mut self,
        memory: &Memory,
        device: usize,
        bytes: u64,
        lost: &mut Vec<Arc<GraphMemory>>,
    ) -> Res {
        while self.spare < bytes
            && let Some((_, range)) = self.free.pop_first()
        {
            // One that is going gives its memory back itself.
            if let Some(range) = range.upgrade() {
                range.take_memory_of(self);
                lost.push(range);
            }
        }
        if let Some(more) = bytes.checked_sub(self.spare).filter(|more| *more > 0) {
            let step = more.next_multiple_of(STEP);
            let taken = match memory.take(device, step) {
                Ok(()) => step,
                Err(_) => memory.take(device, more).map(|()| more)?,
            };
            self.spare += taken;
            self.reserved += taken;
            self.high = self.high.max(self.reserved);
        }
        Ok(())
    }
}

/// Addresses of allocation nodes: of one, or of several of a graph of which each waits until the one before is freed.
pub struct GraphMemory {
    pub at: u64,
    /// Bytes, in whole pages.
    pub bytes: u64,
    memory: &'static Memory,
    allocation: Arc<Allocation>,
    /// The number under which its share has it as free; 0 if it does not. Read and written with the share locked.
    free_since: AtomicU64,
    /// Its context is gone, and the addresses with it.
    has_ended: AtomicBool,
}

impl GraphMemory {
    /// Addresses for an allocation of `len` bytes of a kind of graphs' memory.
    pub fn reserve(
        memory: &'static Memory,
        len: u64,
        owner: Owner,
        kind: Kind,
    ) -> Res<Arc<GraphMemory>> {
        if len > memory.total() {
            return Err(OUT_OF_MEMORY);
        }
        let allocation = memory.allocate(Request {
            reserved_only: true,
            ..Request::new(len, kind, owner)
        })?;
        Ok(Arc::new(GraphMemory {
            at: allocation.start,
            bytes: Memory::in_pages(len)?,
            memory,
            allocation,
            free_since: AtomicU64::new(0),
            has_ended: AtomicBool::new(false),
        }))
    }

    pub fn device(&self) -> usize {
        self.allocation.owner.device
    }

    /// True if the addresses are as a new node asks for them.
    pub fn fits(&self, len: u64, owner: Owner, kind: Kind) -> bool {
        let own = self.allocation.owner;
        len <= self.bytes
            && self.allocation.kind == kind
            && (own.device, own.context) == (owner.device, owner.context)
    }

    /// A launch has come to an allocation at these addresses: they have memory from now on.
    ///
    /// # Errors
    /// That the device has no more, or that the context of the addresses is gone.
    pub fn allocate(self: &Arc<Self>) -> Res {
        // Some may go when this ends, which needs their share.
        let mut lost = Vec::new();
        with_share(self.device(), |share| {
            if self.has_ended.load(Ordering::Relaxed) {
                return Err(INVALID_VALUE);
            }
            if share.held.contains_key(&self.at) {
                // A launch before has not freed it.
                return Ok(());
            }
            let since = self.free_since.swap(0, Ordering::Relaxed);
            if share.free.remove(&since).is_none() {
                share.make_spare(self.memory, self.device(), self.bytes, &mut lost)?;
                self.memory.commit(&self.allocation)?;
                share.spare -= self.bytes;
            }
            share.held.insert(self.at, self.clone());
            Ok(())
        })
    }

    /// Takes the memory of a range that is no longer held.
    fn take_memory_of(&self, share: &mut Share) {
        self.free_since.store(0, Ordering::Relaxed);
        self.memory.decommit(&self.allocation);
        share.spare += self.bytes;
    }
}

impl Drop for GraphMemory {
    fn drop(&mut self) {
        note_free(self.at);
        with_share(self.device(), |share| {
            let since = self.free_since.load(Ordering::Relaxed);
            if since != 0 {
                share.free.remove(&since);
                self.take_memory_of(share);
            }
        });
        // Nothing is there any more if the context has ended.
        let _ = self.memory.free(self.at, |a| a.id == self.allocation.id);
    }
}
