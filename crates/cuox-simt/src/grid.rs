//! Runs a grid: hands out its blocks, in order, to this thread and to helping workers.

use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WINDOW_BITS};
use crate::fault::{Fault, FaultKind};
use crate::interp::Interpreter;
use crate::jit::{Compiled, JitBlock};
use crate::pool::{self, Helpers};
use crate::window::Window;
use cluster::Cluster;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

mod cluster;

/// The code that runs the blocks.
#[derive(Clone, Copy)]
pub enum Code<'a> {
    /// Machine code.
    Jit(&'a Compiled),
    /// The interpreter.
    Interpreter(&'a Interpreter),
}

/// The time after which a grid calls helpers; waking one takes some microseconds.
const ALONE: Duration = Duration::from_micros(4);
/// The largest number of blocks that are handed out at a time; large enough to make that cheap.
const PORTION: u64 = 256;
/// The number of blocks that one worker keeps in flight when they wait for each other.
const IN_FLIGHT: usize = 256;

/// A value that other processors write often, on a cache line of its own.
#[repr(align(128))]
struct Apart<T>(T);

/// A running grid.
struct Grid<'a> {
    code: Code<'a>,
    env: &'a GridEnv<'a>,
    next: Apart<AtomicU64>,
    /// The number of blocks, or of clusters if a cluster has several blocks.
    blocks: u64,
    /// The number of blocks or clusters along each axis.
    extent: [u64; 3],
    /// Blocks handed out at a time.
    portion: u64,
    stop: AtomicBool,
    fault: Mutex<Option<Fault>>,
    /// True if all blocks must make progress together.
    cooperative: bool,
}

enum Run<'a> {
    Jit(Box<JitBlock<'a>>),
    Interpreter(Box<dyn BlockRun + 'a>),
    Cluster(Cluster<'a>),
}

impl<'a> Run<'a> {
    fn new(code: Code<'a>, env: &'a GridEnv<'a>, block: BlockEnv, following: u64) -> Self {
        match code {
            Code::Jit(compiled) => {
                Run::Jit(Box::new(JitBlock::new(compiled, env, block, following)))
            }
            Code::Interpreter(interpreter) => {
                Run::Interpreter(Box::new(interpreter.start(env, block)))
            }
        }
    }
}

impl BlockRun for Run<'_> {
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        match self {
            Run::Jit(block) => block.run(meanwhile),
            Run::Interpreter(block) => block.run(meanwhile),
            Run::Cluster(cluster) => cluster.run(meanwhile),
        }
    }

    fn arrivals(&self) -> Arrivals {
        match self {
            Run::Jit(block) => block.arrivals(),
            Run::Interpreter(block) => block.arrivals(),
            Run::Cluster(cluster) => cluster.arrivals(),
        }
    }

    fn open_cluster(&mut self) {
        match self {
            Run::Jit(block) => block.open_cluster(),
            Run::Interpreter(block) => block.open_cluster(),
            Run::Cluster(cluster) => cluster.open_cluster(),
        }
    }
}

/// Runs the grid to its end. The first fault stops it.
pub fn run(code: Code<'_>, env: &GridEnv<'_>, cooperative: bool) -> Result<(), Fault> {
    let extent = [0, 1, 2].map(|n| u64::from(env.grid[n] / env.cluster[n].max(1)));
    let blocks: u64 = extent.iter().product();
    let portion = match code {
        Code::Jit(_) if !cooperative && env.cluster_blocks() == 1 => {
            (blocks / (8 * pool::workers() as u64)).clamp(1, PORTION)
        }
        _ => 1,
    };
    let grid = Grid {
        code,
        env,
        next: Apart(AtomicU64::new(0)),
        blocks,
        extent,
        portion,
        stop: AtomicBool::new(false),
        fault: Mutex::new(None),
        cooperative,
    };
    grid.start();
    match grid
        .fault
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
    {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

impl<'a> Grid<'a> {
    fn start(&self) {
        let help = |worker: u32| {
            // The pool would discard a panic, and blocks would be missing silently.
            let work = AssertUnwindSafe(|| self.work(worker, None));
            if catch_unwind(work).is_err() {
                self.fail(Fault::new(
                    FaultKind::Internal,
                    "internal error: a worker of the software GPU panicked, which is a bug of cuox",
                ));
            }
        };
        let begun = Instant::now();
        let mut helpers = None;
        let others = pool::workers() - 1;
        let mut more = |done: u64| {
            let left = self.blocks - done.min(self.blocks);
            if helpers.is_none() && left > 0 && others > 0 && begun.elapsed() > ALONE {
                helpers = Some(Helpers::call(&help, others.min(left as usize)));
            }
        };
        self.work(0, Some(&mut more));
        drop(helpers);
    }

    /// Takes blocks: returns the first, and the number of blocks after it.
    fn take(&self) -> Option<([u32; 3], u64)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let n = self.next.0.fetch_add(self.portion, Ordering::Relaxed);
        if n >= self.blocks {
            // The counter stays at the end, so that it never wraps.
            self.next.0.store(self.blocks, Ordering::Relaxed);
            return None;
        }
        let [x, y, _] = self.extent;
        let at = [n % x, n / x % y, n / x / y];
        let ctaid = [0, 1, 2].map(|axis| at[axis] as u32 * self.env.cluster[axis]);
        Some((ctaid, self.portion.min(self.blocks - n) - 1))
    }

    fn fail(&self, fault: Fault) {
        self.stop.store(true, Ordering::Relaxed);
        self.fault
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(fault);
    }

    /// Takes blocks until none are left. `more` is called with the number of blocks that have been handed out.
    fn work(&self, worker: u32, mut more: Option<&mut dyn FnMut(u64)>) {
        let mut waiting: VecDeque<(Run<'a>, Window)> = VecDeque::new();
        let mut spare: Option<(Run<'a>, Window)> = None;
        let mut passes = 0;
        let limit = if self.cooperative {
            usize::MAX
        } else {
            IN_FLIGHT
        };
        loop {
            if self.env.cancel.load(Ordering::Relaxed) {
                self.fail(Fault::new(FaultKind::Cancelled, "the launch was cancelled"));
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let fresh = if waiting.len() < limit {
                self.take()
            } else {
                None
            };
            let (mut run, window) = match fresh {
                Some((ctaid, following)) => {
                    match self.begin(worker, ctaid, following, spare.take()) {
                        Ok(begun) => begun,
                        Err(fault) => {
                            self.fail(fault);
                            break;
                        }
                    }
                }
                None => match waiting.pop_front() {
                    Some(block) => block,
                    None => break,
                },
            };
            // A block that runs for long must not delay others that another worker could run.
            let mut meanwhile = || {
                if let Some(more) = &mut more {
                    more(self.next.0.load(Ordering::Relaxed));
                }
            };
            match run.run(&mut meanwhile) {
                Ok(Progress::Done) => match spare.replace((run, window)) {
                    None => {}
                    Some((_, window)) => window.keep(),
                },
                Ok(Progress::Yielded | Progress::Waiting) => {
                    waiting.push_back((run, window));
                    passes += 1;
                    // The blocks may all wait for a thread that has no processor.
                    if passes >= waiting.len() {
                        passes = 0;
                        std::thread::yield_now();
                    }
                }
                Err(fault) => {
                    self.fail(fault);
                    break;
                }
            }
            meanwhile();
        }
        for (_, window) in waiting.into_iter().chain(spare) {
            window.keep();
        }
    }

    fn begin(
        &self,
        worker: u32,
        ctaid: [u32; 3],
        following: u64,
        spare: Option<(Run<'a>, Window)>,
    ) -> Result<(Run<'a>, Window), Fault> {
        let spare = match spare {
            Some((Run::Jit(mut block), window)) => {
                block.restart(ctaid, following);
                return Ok((Run::Jit(block), window));
            }
            Some((Run::Cluster(mut cluster), window)) => {
                let again = cluster.restart(ctaid);
                let spare = (Run::Cluster(cluster), window);
                if again {
                    return Ok(spare);
                }
                Some(spare)
            }
            spare => spare,
        };
        let env = self.env;
        let local = env.block_local();
        let members = u64::from(env.cluster_blocks());
        let shared = match members {
            1 => u64::from(env.shared_bytes),
            _ => members << WINDOW_BITS,
        };
        let window = match spare {
            Some((_, window)) => window,
            None => Window::take(shared, local * members)?,
        };
        let block = BlockEnv {
            ctaid,
            rank: 0,
            worker,
            shared: window.shared(),
            local: window.local(),
        };
        let run = match members {
            1 => Run::new(self.code, env, block, following),
            _ => Run::Cluster(Cluster::new(self.code, env, block)),
        };
        Ok((run, window))
    }
}
