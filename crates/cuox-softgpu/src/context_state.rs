//! The state of a context that its streams share, and the order of work among streams.

use crate::code::ILLEGAL_ADDRESS;
use crate::fault::Sticky;
use crate::memory::Owner;
use crate::streams::progress::{Point, Progress};
use cuox_simt::trap::Trap;
use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// The order of a stream's work among other streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamOrdering {
    /// The legacy default stream: waits for all blocking streams and they for it.
    Legacy,
    /// Created without `CU_STREAM_NON_BLOCKING`, or a thread's default stream.
    Blocking,
    /// Waits for nobody.
    NonBlocking,
}

/// Points that a context waits for: so do streams that are made later.
#[derive(Default)]
pub struct Barriers(Mutex<Vec<Point>>);

impl Barriers {
    pub fn add(&self, point: Point) {
        self.0.lock().push(point);
    }

    /// Those that are not reached yet; the others are forgotten.
    pub fn ahead(&self) -> Vec<Point> {
        let mut points = self.0.lock();
        points.retain(|point| !point.reached());
        points.clone()
    }
}

/// The part of a context that its streams share: it outlives the context while work is queued.
pub struct ContextState {
    pub handle: u64,
    pub device: usize,
    pub id: u64,
    pub sticky: Sticky,
    /// Ids of the contexts on other devices whose memory this one was given access to.
    pub peers: Mutex<HashSet<u64>>,
    /// Set when the context goes away under running work.
    pub cancel: AtomicBool,
    /// The progress of the legacy default stream.
    pub legacy: Arc<Progress>,
    queues: RwLock<Vec<(Arc<Progress>, StreamOrdering)>>,
    blocking: AtomicUsize,
    /// Bytes that kernels may allocate, and have allocated.
    pub heap_limit: AtomicU64,
    /// Bytes of stack of a thread.
    pub stack_limit: AtomicU64,
    pub heap_used: AtomicU64,
    /// Launches by kernels that may wait for their start, 0 if the program has not set it, and that do.
    pub launch_limit: AtomicU64,
    pub pending_launches: AtomicU64,
    /// What work of streams that are made from now on comes behind.
    pub barriers: Barriers,
    /// Names and descriptions of errors that kernels have asked for: their addresses.
    pub error_texts: Mutex<HashMap<(u32, bool), u64>>,
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The number of contexts that there are, or whose work is not done yet.
pub fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

impl Drop for ContextState {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ContextState {
    pub fn new(
        handle: u64,
        device: usize,
        id: u64,
        heap_limit: u64,
        stack_limit: u64,
    ) -> ContextState {
        COUNT.fetch_add(1, Ordering::Relaxed);
        ContextState {
            handle,
            device,
            id,
            sticky: Sticky::default(),
            peers: Mutex::default(),
            cancel: AtomicBool::new(false),
            legacy: Arc::default(),
            queues: RwLock::default(),
            blocking: AtomicUsize::new(0),
            heap_limit: AtomicU64::new(heap_limit),
            stack_limit: AtomicU64::new(stack_limit),
            heap_used: AtomicU64::new(0),
            launch_limit: AtomicU64::new(0),
            pending_launches: AtomicU64::new(0),
            barriers: Barriers::default(),
            error_texts: Mutex::default(),
        }
    }

    /// The owner of what is allocated for the context.
    pub fn owner(&self) -> Owner {
        Owner {
            context: self.handle,
            device: self.device,
        }
    }

    /// Makes a queue known to the others; forgets queues that nobody has any more.
    pub fn enlist(&self, progress: &Arc<Progress>, ordering: StreamOrdering) {
        let mut queues = self.queues.write();
        queues.retain(|(p, _)| Arc::strong_count(p) > 1);
        queues.push((progress.clone(), ordering));
        let blocking = queues
            .iter()
            .filter(|(_, o)| *o == StreamOrdering::Blocking)
            .count();
        self.blocking.store(blocking, Ordering::SeqCst);
    }

    /// The points that new work on a stream of that kind has to wait for.
    pub fn before(&self, ordering: StreamOrdering) -> Vec<Point> {
        match ordering {
            StreamOrdering::NonBlocking => Vec::new(),
            StreamOrdering::Blocking => self.legacy.pending().into_iter().collect(),
            StreamOrdering::Legacy if self.blocking.load(Ordering::SeqCst) == 0 => Vec::new(),
            StreamOrdering::Legacy => {
                let queues = self.queues.read();
                let blocking = queues
                    .iter()
                    .filter(|(_, o)| *o == StreamOrdering::Blocking);
                blocking.filter_map(|(p, _)| p.pending()).collect()
            }
        }
    }

    /// A queued copy or fill has ended; an address that was not accessible becomes the context's error.
    pub fn finish_memory_op(&self, what: &str, result: Result<(), Trap>) {
        if let Err(trap) = result {
            self.sticky.set(ILLEGAL_ADDRESS, || {
                format!(
                    "an asynchronous {what} touched {:#x}, which is not accessible",
                    trap.address
                )
            });
        }
    }

    /// What is queued or running: the last of each stream.
    pub fn pending(&self) -> Vec<Point> {
        self.queues
            .read()
            .iter()
            .filter_map(|(p, _)| p.pending())
            .collect()
    }

    /// Waits for all work of the context.
    pub fn wait(&self) {
        for point in self.pending() {
            point.wait();
        }
    }

    pub fn wait_until(&self, deadline: Instant) -> bool {
        self.pending()
            .iter()
            .all(|p| p.progress.wait_until(p.seq, Some(deadline)))
    }

    /// True if nothing is queued or running.
    pub fn idle(&self) -> bool {
        self.queues.read().iter().all(|(p, _)| p.idle())
    }
}
