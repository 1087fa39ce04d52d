//! What a running block sees of its launch, the same for both engines.

use crate::fault::Fault;
use crate::launch::Host;
use std::sync::atomic::AtomicBool;

/// Lanes of a warp.
pub const WARP: u32 = 32;

/// One launch: what all its blocks share.
pub struct GridEnv<'a> {
    /// Blocks along each axis.
    pub grid: [u32; 3],
    /// Threads of a block along each axis.
    pub block: [u32; 3],
    /// Static plus dynamic shared memory, bytes.
    pub shared_bytes: u32,
    /// The dynamic part.
    pub dynamic_shared: u32,
    /// The parameters, at a host address inside the reserved range.
    pub params: u64,
    /// Their size.
    pub param_bytes: u32,
    /// Bytes of local memory of a thread (a multiple of 16).
    pub local_bytes: u32,
    /// Addresses of the module's variables.
    pub symbols: &'a [u64],
    /// `%gridid`.
    pub grid_id: u64,
    /// `%nsmid`.
    pub workers: u32,
    /// Values of `%envreg`.
    pub envregs: [u32; 32],
    /// Set when the launch should stop.
    pub cancel: &'a AtomicBool,
    /// The driver.
    pub host: &'a dyn Host,
}

impl GridEnv<'_> {
    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.block[0] * self.block[1] * self.block[2]
    }

    /// Warps of a block.
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(WARP)
    }

    /// `threadIdx` of the thread with that linear number.
    pub fn tid(&self, thread: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [thread % x, thread / x % y, thread / x / y]
    }
}

/// Where one block runs.
#[derive(Clone, Copy, Debug)]
pub struct BlockEnv {
    /// `blockIdx`.
    pub ctaid: [u32; 3],
    /// `%smid`.
    pub worker: u32,
    /// Host address of the shared window; `shared_bytes` of it are readable and writable.
    pub shared: u64,
    /// Host address of the local memory of thread 0; thread t's is `t * local_bytes` further on.
    pub local: u64,
}

/// How far a block got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Every thread has ended.
    Done,
    /// It may be waiting for another block; run others, then this one again.
    Yielded,
}

/// A block in flight.
pub trait BlockRun {
    /// Runs until the block ends, faults or has spun for a while.
    fn run(&mut self) -> Result<Progress, Fault>;
}
