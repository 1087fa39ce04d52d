//! The environment of a running block, the same for both engines.

use crate::fault::{Fault, FaultKind};
use crate::launch::Host;
use crate::places::Place;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Lanes per warp.
pub const WARP: u32 = 32;
/// `%nwarpid`: the warp identifiers of a multiprocessor.
pub const WARP_IDS: u32 = 64;
/// Distance between the shared windows of a cluster's blocks, in bits.
pub const WINDOW_BITS: u32 = 18;

/// The end of the time that a grid may take.
pub struct Deadline {
    begun: Instant,
    limit: Duration,
    /// Nanoseconds for which threads have stood at breakpoints, which do not count.
    stood: AtomicU64,
}

impl Deadline {
    /// Starts the time.
    pub fn new(limit: Duration) -> Deadline {
        Deadline {
            begun: Instant::now(),
            limit,
            stood: AtomicU64::new(0),
        }
    }

    /// Leaves the time since `from` out.
    pub fn stood_since(&self, from: Instant) {
        let stood = u64::try_from(from.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.stood.fetch_add(stood, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        let stood = Duration::from_nanos(self.stood.load(Ordering::Relaxed));
        self.begun.elapsed().saturating_sub(stood) >= self.limit
    }
}

/// A launch: data shared by all its blocks.
pub struct GridEnv<'a> {
    /// Blocks along each axis.
    pub grid: [u32; 3],
    /// Threads per block along each axis.
    pub block: [u32; 3],
    /// Blocks per cluster along each axis.
    pub cluster: [u32; 3],
    /// True if the launch or the kernel requests clusters.
    pub explicit_cluster: bool,
    /// Static plus dynamic shared memory, bytes.
    pub shared_bytes: u32,
    /// The dynamic part.
    pub dynamic_shared: u32,
    /// The parameters, at a host address inside the reserved range.
    pub params: u64,
    /// Their size.
    pub param_bytes: u32,
    /// Bytes of local memory per thread (a multiple of 16).
    pub local_bytes: u32,
    /// Bytes of the stack that the threads of a block share, in code with flattened calls.
    pub stack_bytes: u64,
    /// Addresses of the module's variables.
    pub symbols: &'a [u64],
    /// `%gridid`.
    pub grid_id: u64,
    /// `%nsmid`.
    pub multiprocessors: u32,
    /// Values of `%envreg`.
    pub envregs: [u32; 32],
    /// Set when the launch should stop.
    pub cancel: &'a AtomicBool,
    /// The end of the time that the grid may take, if that is limited.
    pub deadline: Option<Deadline>,
    /// True if accesses are checked against the driver's allocations.
    pub checked: bool,
    /// The driver.
    pub host: &'a dyn Host,
}

impl GridEnv<'_> {
    /// Returns the fault that ends the grid from outside: it was cancelled, or its time is over.
    pub fn check_stopped(&self) -> Result<(), Fault> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Fault::new(FaultKind::Cancelled, "the launch was cancelled"));
        }
        match &self.deadline {
            Some(deadline) if deadline.is_over() => Err(Fault::new(
                FaultKind::Timeout,
                format!(
                    "it ran for more than the {} s that it may take (CUOX_SOFT_TIMEOUT)",
                    deadline.limit.as_secs_f64()
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Returns the number of threads per block.
    pub fn threads(&self) -> u32 {
        self.block[0] * self.block[1] * self.block[2]
    }

    /// Returns the number of blocks per cluster.
    pub fn cluster_blocks(&self) -> u32 {
        self.cluster[0] * self.cluster[1] * self.cluster[2]
    }

    /// Returns the address of a block's stack, behind the local memory of its threads.
    pub fn stack_of(&self, block: &BlockEnv) -> u64 {
        let local = u64::from(self.local_bytes) * u64::from(self.threads());
        block.local + local.next_multiple_of(128)
    }

    /// Returns the bytes of local memory and stack per block.
    pub fn block_local(&self) -> u64 {
        let local = u64::from(self.local_bytes) * u64::from(self.threads());
        local.next_multiple_of(128) + self.stack_bytes
    }

    /// Returns the number of warps per block.
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(WARP)
    }

    /// Returns `threadIdx` of the thread with that linear number.
    pub fn tid(&self, thread: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [thread % x, thread / x % y, thread / x / y]
    }
}

/// The memory and identity of one block.
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
    /// Host address of the local memory of thread 0; that of thread t is `t * local_bytes` bytes further.
    pub local: u64,
}

/// The state of a block after it has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Every thread has exited.
    Done,
    /// It may be waiting for another block: run others before it.
    Yielded,
    /// All its threads wait at the cluster's barrier, or cannot go on without it.
    Waiting,
}

/// The arrivals of a block's threads at the cluster's barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrivals {
    /// True if some thread has arrived since the barrier last opened.
    pub any: bool,
    /// True if every thread has arrived or exited.
    pub all: bool,
}

/// A block in flight.
pub trait BlockRun {
    /// Runs until the block ends, faults, has busy-waited for a while or waits for its cluster. Calls `meanwhile`
    /// from time to time if that takes long.
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault>;
    /// Returns the number of following blocks that it was to run as well, and gives them back.
    fn give_back(&mut self) -> u64 {
        0
    }
    /// Returns the arrivals at the cluster's barrier.
    fn arrivals(&self) -> Arrivals;
    /// Adds the places where its threads are.
    fn places(&self, add: &mut dyn FnMut(Place));
    /// Opens the cluster's barrier: waiting threads continue, and the next phase begins.
    fn open_cluster(&mut self);
}

/// The time that a worker needed for a block, in a kernel's last launch, in picoseconds.
#[derive(Default)]
pub(crate) struct BlockTime(AtomicU64);

impl BlockTime {
    /// The picoseconds; 0 before the first launch.
    pub fn last(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn note(&self, picoseconds: u64) {
        self.0.store(picoseconds, Ordering::Relaxed);
    }
}
