//! What a running block sees of its launch, the same for both engines.

use crate::fault::Fault;
use crate::launch::Host;
use std::sync::atomic::AtomicBool;

/// Lanes of a warp.
pub const WARP: u32 = 32;
/// `%nwarpid`: identifiers of warps that a multiprocessor has.
pub const WARP_IDS: u32 = 64;
/// Distance between the shared windows of the blocks of a cluster, in bits.
pub const WINDOW_BITS: u32 = 18;

/// One launch: what all its blocks share.
pub struct GridEnv<'a> {
    /// Blocks along each axis.
    pub grid: [u32; 3],
    /// Threads of a block along each axis.
    pub block: [u32; 3],
    /// Blocks of a cluster along each axis.
    pub cluster: [u32; 3],
    /// Whether the launch or the kernel asks for clusters.
    pub explicit_cluster: bool,
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
    /// Bytes of the stack that the threads of a block have together, in code whose calls have become jumps.
    pub stack_bytes: u64,
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
    /// Accesses are checked against what the driver has allocated.
    pub checked: bool,
    /// The driver.
    pub host: &'a dyn Host,
}

impl GridEnv<'_> {
    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.block[0] * self.block[1] * self.block[2]
    }

    /// Blocks of a cluster.
    pub fn cluster_blocks(&self) -> u32 {
        self.cluster[0] * self.cluster[1] * self.cluster[2]
    }

    /// Where a block's stack is: behind the local memory of its threads.
    pub fn stack_of(&self, block: &BlockEnv) -> u64 {
        let local = u64::from(self.local_bytes) * u64::from(self.threads());
        block.local + local.next_multiple_of(128)
    }

    /// Bytes of local memory and stack of a block.
    pub fn block_local(&self) -> u64 {
        let local = u64::from(self.local_bytes) * u64::from(self.threads());
        local.next_multiple_of(128) + self.stack_bytes
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
    /// `%cluster_ctarank`.
    pub rank: u32,
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
    /// All its threads that could go on wait at the barrier of its cluster.
    Waiting,
}

/// How a block's threads stand to the barrier of its cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrivals {
    /// Some thread has arrived since the barrier opened last.
    pub any: bool,
    /// Every thread has arrived or ended.
    pub all: bool,
}

/// A block in flight.
pub trait BlockRun {
    /// Runs until the block ends, faults, has spun for a while or waits for its cluster. Calls `meanwhile` now and then if that
    /// takes long.
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault>;
    /// Who has come to the barrier of the cluster.
    fn arrivals(&self) -> Arrivals;
    /// Opens the barrier of the cluster: those that wait go on, and the next phase begins.
    fn open_cluster(&mut self);
}
