//! Launches by kernels: they run when the launching kernel has ended, one after the other, each with its own.

use crate::buffer::Buffer;
use std::collections::{HashMap, VecDeque};

/// The memory for the parameters of any kernel of a test.
const PARAM_BYTES: usize = 4096;
/// Most launches of a test.
const MOST: usize = 10_000;

/// A launch by a kernel.
pub struct Child {
    /// The kernel's address in device code.
    pub kernel: u64,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Its parameters, and bytes behind them.
    pub params: Vec<u8>,
}

/// The launches of a running kernel.
#[derive(Default)]
pub struct Launches {
    prepared: HashMap<u64, (Child, Buffer)>,
    queued: VecDeque<Child>,
}

impl Launches {
    /// Memory for the parameters of a launch: kernel, grid, block, dynamic shared memory. 0 if there is none.
    pub fn prepare(&mut self, args: &[u64]) -> u64 {
        let &[kernel, gx, gy, gz, bx, by, bz, shared] = args else {
            return 0;
        };
        let Ok(buffer) = Buffer::new(PARAM_BYTES, 16) else {
            return 0;
        };
        let child = Child {
            kernel,
            grid: [gx, gy, gz].map(|n| n as u32),
            block: [bx, by, bz].map(|n| n as u32),
            shared: shared as u32,
            params: Vec::new(),
        };
        let address = buffer.address();
        self.prepared.insert(address, (child, buffer));
        address
    }

    /// Queues what was prepared at that address; returns a `cudaError_t`.
    pub fn launch(&mut self, address: u64) -> u64 {
        match self.prepared.remove(&address) {
            Some((mut child, buffer)) if self.queued.len() < MOST => {
                child.params = buffer.read();
                self.queued.push_back(child);
                0
            }
            Some(_) => 69,
            None => 1,
        }
    }

    /// The memory that holds an address.
    pub fn range_of(&self, address: u64) -> Option<(u64, u64)> {
        let mut ranges = self.prepared.values().map(|(_, buffer)| buffer.range());
        ranges.find(|&(start, len)| address.wrapping_sub(start) < len)
    }

    /// Takes the queued launches.
    pub fn take(&mut self) -> VecDeque<Child> {
        std::mem::take(&mut self.queued)
    }
}
