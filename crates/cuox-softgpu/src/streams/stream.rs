//! Streams: queues of work, each with a thread of its own while there is something to do.

use crate::breakpoint;
use crate::code::{LAUNCH_FAILED, OUT_OF_MEMORY, Res};
use crate::context_state::{ContextState, StreamOrdering};
use crate::graphs::device_launch::run_all;
use crate::graphs::memory;
use crate::graphs::node::NodeWork;
use crate::graphs::running::RunningGraph;
use crate::memory::pool;
use crate::multiprocessors::Part;
use crate::streams::device_runtime;
use crate::streams::host_call::as_host_call;
use crate::streams::progress::{self, Point, Progress};
use crate::streams::room::{self, Room};
use crate::streams::stream_op::{HostCall, StreamOp};
use cuox_abi::{
    CUaccessPolicyWindow_v1, CUlaunchMemSyncDomain, CUlaunchMemSyncDomainMap,
    CUsynchronizationPolicy,
};
use cuox_simt::spin::spin_until;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Entry {
    seq: u64,
    after: Vec<Point>,
    op: StreamOp,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Worker {
    None,
    Awake,
    Asleep,
}

struct Queue {
    entries: VecDeque<Entry>,
    worker: Worker,
    room: Room,
}

/// A stream.
pub struct Stream {
    pub handle: u64,
    pub id: u64,
    pub flags: u32,
    pub priority: i32,
    pub ordering: StreamOrdering,
    pub context: Arc<ContextState>,
    /// The green context that it was made in.
    pub green: Option<Arc<Part>>,
    pub progress: Arc<Progress>,
    queue: Mutex<Queue>,
    work: Condvar,
    waiting: AtomicUsize,
    pub hints: Mutex<Hints>,
    /// True if what is submitted becomes part of a graph.
    pub capturing: AtomicBool,
    /// Nobody will submit any more: the thread need not linger.
    closed: AtomicBool,
}

/// What a program has said of a stream: it has no effect and can be read back.
#[derive(Clone, Copy)]
pub struct Hints {
    /// Memory whose accesses are to be kept in a cache.
    pub access_policy_window: CUaccessPolicyWindow_v1,
    pub sync_policy: CUsynchronizationPolicy,
    pub sync_domain: CUlaunchMemSyncDomain,
    pub sync_domain_map: CUlaunchMemSyncDomainMap,
}

impl Default for Hints {
    /// As an H200's driver has them.
    fn default() -> Self {
        Self {
            access_policy_window: CUaccessPolicyWindow_v1::default(),
            sync_policy: CUsynchronizationPolicy(u32::MAX),
            sync_domain: CUlaunchMemSyncDomain::CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT,
            sync_domain_map: CUlaunchMemSyncDomainMap {
                default_: 0,
                remote: 1,
            },
        }
    }
}

// SAFETY: its pointer is a number that is read back, never followed.
unsafe impl Send for Hints {}

/// Stream ids start at 1 and are never used twice.
pub fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A worker without work ends after this long; the next submission starts another.
const LINGER: Duration = Duration::from_secs(5);
const STACK_BYTES: usize = 8 << 20;

impl Stream {
    pub fn new(
        handle: u64,
        id: u64,
        flags: u32,
        priority: i32,
        ordering: StreamOrdering,
        context: Arc<ContextState>,
    ) -> Stream {
        let progress = match ordering {
            StreamOrdering::Legacy => context.legacy.clone(),
            _ => Arc::new(Progress::default()),
        };
        context.enlist(&progress, ordering);
        Stream {
            handle,
            id,
            flags,
            priority,
            ordering,
            context,
            green: None,
            progress,
            queue: Mutex::new(Queue {
                entries: VecDeque::new(),
                worker: Worker::None,
                room: Room::default(),
            }),
            work: Condvar::new(),
            waiting: AtomicUsize::new(0),
            hints: Mutex::default(),
            capturing: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        }
    }

    /// The same stream, in a green context.
    pub fn of_green(mut self, green: Option<Arc<Part>>) -> Stream {
        self.green = green;
        self
    }

    /// True if what is submitted becomes part of a graph.
    #[inline]
    pub fn is_capturing(&self) -> bool {
        self.capturing.load(Ordering::Acquire)
    }

    /// Puts work at the end of the queue; answers the point after it.
    /// [`capture::submit`](crate::graphs::capture::submit) goes before it.
    pub fn enqueue(self: &Arc<Self>, op: StreamOp) -> Res<Point> {
        let size = op.size();
        // Dependencies are read before this item has its number: they were submitted earlier, so
        // no two streams can wait for each other.
        let after = self.context.before(self.ordering);
        let mut queue = self.queue.lock();
        match queue.worker {
            Worker::None => self.start(&mut queue)?,
            Worker::Asleep => {
                queue.worker = Worker::Awake;
                self.work.notify_one();
            }
            Worker::Awake => {}
        }
        let seq = self.progress.next();
        if let Some(bytes) = size {
            queue.room.take(self.progress.completed(), seq, bytes);
        }
        queue.entries.push_back(Entry { seq, after, op });
        self.waiting.fetch_add(1, Ordering::Release);
        Ok(Point {
            progress: self.progress.clone(),
            seq,
        })
    }

    /// Waits while the queue has as much work as it takes, if what is to be added takes `bytes` of its room. Several
    /// threads at once may each add one thing more.
    pub fn wait_for_room(&self, bytes: Option<usize>) {
        let Some(bytes) = bytes else { return };
        if self.progress.idle() {
            return; // without the lock
        }
        let completed = self.progress.completed();
        let lacking = self.queue.lock().room.lacking(completed, bytes);
        if let Some(seq) = lacking {
            let end = Instant::now() + room::PATIENCE;
            self.progress.wait_until(seq, Some(end));
        }
    }

    fn start(self: &Arc<Self>, queue: &mut Queue) -> Res {
        let me = self.clone();
        std::thread::Builder::new()
            .name("cuox-stream".into())
            .stack_size(STACK_BYTES)
            .spawn(move || me.run())
            .map_err(|_| OUT_OF_MEMORY)?;
        queue.worker = Worker::Awake;
        Ok(())
    }

    /// True if a new item would run at once: nothing is queued here or in streams that it would wait for.
    pub fn clear(&self) -> bool {
        self.progress.idle() && self.context.before(self.ordering).is_empty()
    }

    /// Waits for everything submitted so far, here and in streams that this one waits for.
    pub fn wait(&self) {
        for point in self.context.before(self.ordering) {
            point.wait();
        }
        self.progress.wait(self.progress.submitted());
    }

    /// Says that the stream is destroyed: its thread ends after the work that is queued.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        let _queue = self.queue.lock();
        self.work.notify_one();
    }

    fn run(self: Arc<Self>) {
        leave_signals_to_others();
        breakpoint::begin_stream(self.id);
        loop {
            let Some(entry) = self.next() else { return };
            for point in entry.after {
                point.wait();
            }
            // A bug of ours must not leave those who wait for this queue waiting.
            let records = matches!(entry.op, StreamOp::Record(_) | StreamOp::RecordShared(..));
            let done = catch_unwind(AssertUnwindSafe(|| self.execute(entry.op)));
            if done.is_err() {
                self.context.sticky.set(LAUNCH_FAILED, || {
                    "the driver failed while it ran queued work; this is a bug in cuox".into()
                });
            }
            self.progress.finish(entry.seq);
            if records {
                progress::announce_event();
            }
        }
    }

    fn next(&self) -> Option<Entry> {
        if self.waiting.load(Ordering::Acquire) == 0 {
            spin_until(|| self.waiting.load(Ordering::Acquire) > 0);
        }
        let mut queue = self.queue.lock();
        loop {
            if let Some(entry) = queue.entries.pop_front() {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                queue.worker = Worker::Awake;
                return Some(entry);
            }
            let over = self.closed.load(Ordering::Acquire) || {
                queue.worker = Worker::Asleep;
                self.work.wait_for(&mut queue, LINGER).timed_out()
            };
            if over && queue.entries.is_empty() {
                queue.worker = Worker::None;
                return None;
            }
        }
    }

    fn execute(&self, op: StreamOp) {
        let context = &*self.context;
        let healthy = context.sticky.check().is_ok() && !context.cancel.load(Ordering::Relaxed);
        match op {
            StreamOp::Wait(point) => point.wait(),
            StreamOp::Record(record) => record.stamp(),
            StreamOp::RecordShared(event, number) => event.finish(number),
            StreamOp::WaitShared(event, mark) => {
                event.wait(mark, || context.cancel.load(Ordering::Relaxed));
            }
            StreamOp::Free(at, all, pools) => {
                // It may be gone already with its context.
                let _ = pool::free(all, pools, at, |a| a.is_doomed());
            }
            StreamOp::FreeOfGraph(at, _in_flight) => {
                memory::free(at);
            }
            StreamOp::Call(HostCall::Callback(call, stream), data) => {
                let status = context
                    .sticky
                    .check()
                    .err()
                    .unwrap_or(cuox_abi::CUresult::CUDA_SUCCESS);
                as_host_call(|| {
                    // SAFETY: the program gave this function for this very use.
                    unsafe {
                        call(
                            cuox_abi::CUstream::from_addr(stream as usize),
                            status,
                            data as *mut _,
                        )
                    }
                });
            }
            StreamOp::Graph(run) => {
                run_all(run, context, |work, graph| run_node(work, context, graph));
            }
            _ if !healthy => {}
            StreamOp::Call(HostCall::Function(call), data) => as_host_call(|| {
                // SAFETY: the program gave this function for this very use.
                unsafe { call(data as *mut _) }
            }),
            StreamOp::Launch(grid) => device_runtime::run_all(grid, context),
            StreamOp::Copy(shape) => context.finish_memory_op("copy", shape.run()),
            StreamOp::Staged(bytes, shape) => {
                context.finish_memory_op("copy", shape.run());
                drop(bytes);
            }
            StreamOp::Fill(fill) => context.finish_memory_op("memset", fill.run()),
        }
    }
}

/// Does the work of a node of a graph.
fn run_node(work: &NodeWork, context: &ContextState, graph: &Arc<dyn RunningGraph>) {
    match work {
        NodeWork::Kernel(kernel) => {
            let mut launch = Box::new(kernel.launch.clone());
            launch.graph = Some(graph.clone());
            device_runtime::run_all(launch, context);
        }
        NodeWork::Copy(copy) => context.finish_memory_op("copy", copy.shape.run()),
        NodeWork::Fill(fill) => context.finish_memory_op("memset", fill.run()),
        NodeWork::Host(host) => as_host_call(|| {
            // SAFETY: the program gave this function for this very use.
            unsafe { (host.call)(host.data as *mut _) }
        }),
        NodeWork::Alloc(alloc) => {
            if let Err(code) = alloc.memory.allocate() {
                context.sticky.set(code, || {
                    let bytes = alloc.memory.bytes;
                    format!("a graph that was launched could not allocate {bytes} bytes")
                });
            }
        }
        NodeWork::Free(at) => {
            memory::free(*at);
        }
        NodeWork::WaitEvent(event) => event.wait(|| context.cancel.load(Ordering::Relaxed)),
        // Graphs inside are part of the plan; recordings are the launch's own.
        // A plan has the graphs inside as steps of their own.
        NodeWork::Graph(_)
        | NodeWork::Conditional(_)
        | NodeWork::Empty
        | NodeWork::RecordEvent(_) => {}
    }
}

/// Signals meant for the process go to the program's own threads, where an interrupted wait can notice
/// them; faults stay deliverable.
fn leave_signals_to_others() {
    const OWN: [libc::c_int; 6] = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGTRAP,
        libc::SIGABRT,
    ];
    // SAFETY: a local signal set, and this thread's own mask.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigfillset(&mut set);
        for signal in OWN {
            libc::sigdelset(&mut set, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
    }
}
