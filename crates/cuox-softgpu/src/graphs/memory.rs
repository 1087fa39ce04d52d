//! Memory of allocation nodes: its address is the graph's for as long as a graph with the node exists.

use crate::code::Res;
use crate::memory::{Kind, Memory, Request};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Bytes that graphs have, and the most they have had.
static USED: AtomicU64 = AtomicU64::new(0);
static USED_HIGH: AtomicU64 = AtomicU64::new(0);

pub fn used() -> u64 {
    USED.load(Ordering::Relaxed)
}

pub fn used_high() -> u64 {
    USED_HIGH.load(Ordering::Relaxed)
}

pub fn reset_high() {
    USED_HIGH.store(used(), Ordering::Relaxed);
}

/// The memory of an allocation node, which its copies share.
pub struct GraphMemory {
    pub at: u64,
    pub len: u64,
    memory: &'static Memory,
    id: u64,
    /// A launch has given the memory to the program, which has not freed it.
    outstanding: AtomicBool,
}

impl GraphMemory {
    pub fn allocate(memory: &'static Memory, len: u64, context: u64) -> Res<Arc<GraphMemory>> {
        let made = memory.allocate(Request::new(len, Kind::Graph, context))?;
        let used = USED.fetch_add(made.len, Ordering::Relaxed) + made.len;
        USED_HIGH.fetch_max(used, Ordering::Relaxed);
        Ok(Arc::new(GraphMemory {
            at: made.start,
            len: made.len,
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
        USED.fetch_sub(self.len, Ordering::Relaxed);
        // The program may go on using memory that it has not freed, so that is left to the end of the context.
        if !self.outstanding.load(Ordering::Relaxed) {
            let _ = self.memory.free(self.at, |a| a.id == self.id);
        }
    }
}
