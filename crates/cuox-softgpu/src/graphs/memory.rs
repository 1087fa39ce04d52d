//! Memory of allocation nodes: its address is the graph's for as long as a graph with the node exists.

use crate::code::Res;
use crate::memory::{Kind, Memory, Owner, Request};
use crate::settings::MOST_DEVICES;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Bytes that graphs have on each device, and the most they have had.
static USED: [AtomicU64; MOST_DEVICES] = [const { AtomicU64::new(0) }; MOST_DEVICES];
static USED_HIGH: [AtomicU64; MOST_DEVICES] = [const { AtomicU64::new(0) }; MOST_DEVICES];

pub fn used(device: usize) -> u64 {
    USED[device].load(Ordering::Relaxed)
}

pub fn used_high(device: usize) -> u64 {
    USED_HIGH[device].load(Ordering::Relaxed)
}

pub fn reset_high(device: usize) {
    USED_HIGH[device].store(used(device), Ordering::Relaxed);
}

/// The memory of an allocation node, which its copies share.
pub struct GraphMemory {
    pub at: u64,
    pub len: u64,
    device: usize,
    memory: &'static Memory,
    id: u64,
    /// A launch has given the memory to the program, which has not freed it.
    outstanding: AtomicBool,
}

impl GraphMemory {
    pub fn allocate(memory: &'static Memory, len: u64, owner: Owner) -> Res<Arc<GraphMemory>> {
        let made = memory.allocate(Request::new(len, Kind::Graph, owner))?;
        let device = owner.device;
        let used = USED[device].fetch_add(made.len, Ordering::Relaxed) + made.len;
        USED_HIGH[device].fetch_max(used, Ordering::Relaxed);
        Ok(Arc::new(GraphMemory {
            at: made.start,
            len: made.len,
            device,
            memory,
            id: made.id,
            outstanding: AtomicBool::new(false),
        }))
    }

    /// Says whether the program has the memory after a launch.
    pub fn set_outstanding(&self, outstanding: bool) {
        self.outstanding.store(outstanding, Ordering::Relaxed);
    }
}

impl Drop for GraphMemory {
    fn drop(&mut self) {
        USED[self.device].fetch_sub(self.len, Ordering::Relaxed);
        // The program may go on using memory that it has not freed, so that is left to the end of the context.
        if !self.outstanding.load(Ordering::Relaxed) {
            let _ = self.memory.free(self.at, |a| a.id == self.id);
        }
    }
}
