//! Runs a grid: hands out its blocks, in order, to this thread and to helping workers.
//!
//! Blocks are handed out in portions, and one worker runs those of a portion one after another. A block that yields, as
//! it may wait for others, gives back the rest of its portion, and other blocks run meanwhile. So many blocks are in
//! flight at once as the device says that it holds: each worker begins that many by itself. It takes the lowest of the
//! blocks that were given back first, so the blocks that it has in flight when it begins no more precede all others. A
//! barrier over a grid that fits, and waiting for blocks in any order among those that a GPU would hold, thus end with
//! any number of workers. While some of those in flight come to their ends, no more begin: blocks that want one lock
//! get it the sooner the fewer they are.

use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WINDOW_BITS};
use crate::fault::{Fault, FaultKind};
use crate::interp::Interpreter;
use crate::jit::{Compiled, JitBlock};
use crate::places::{Place, Places};
use crate::pool::{self, Helpers};
use crate::window::Window;
use cluster::Cluster;
use std::collections::BTreeMap;
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

/// The time after which a grid calls helpers; waking one takes some microseconds. Helpers that are each expected to
/// work for several times as long are called at once.
const ALONE: Duration = Duration::from_micros(4);
/// The largest number of blocks that are handed out at a time; large enough to make that cheap.
const PORTION: u64 = 256;
/// The smallest number of blocks that one worker keeps in flight when they wait for each other: programs that do not
/// ask how many a device holds expect more than a small one does.
const IN_FLIGHT: usize = 256;
/// A value that other processors write often, on a cache line of its own.
#[repr(align(128))]
struct Apart<T>(T);

/// Returns how many helpers are worth calling before it is known how long blocks take, if they take as long as before:
/// so many picoseconds.
fn helpers_at_once(block_time: u64, blocks: u64, others: usize) -> usize {
    let expected = block_time.saturating_mul(blocks);
    let each = 4000 * ALONE.as_nanos() as u64;
    let worth = usize::try_from(expected / each).unwrap_or(usize::MAX);
    let wanted = usize::try_from(blocks.saturating_sub(1)).unwrap_or(usize::MAX);
    worth.min(wanted).min(others)
}

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
    /// Blocks that were taken and given back: their number, and the number behind the last by the first of each run.
    returned: AtomicU64,
    runs: Mutex<BTreeMap<u64, u64>>,
    /// Set when a block has yielded: blocks are then handed out one by one.
    yielded: AtomicBool,
    stop: AtomicBool,
    fault: Mutex<Option<Fault>>,
    /// Set when the grid's time is over; where its threads were then.
    timeout: AtomicBool,
    places: Mutex<Places>,
    /// The number of blocks that a worker keeps in flight.
    limit: usize,
    /// The number of workers, and of those that have run a block.
    workers: usize,
    took_part: AtomicU64,
    /// The multiprocessors that they count as; as many as there are workers if this is empty.
    multiprocessors: &'a [u32],
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

    fn give_back(&mut self) -> u64 {
        match self {
            Run::Jit(block) => block.give_back(),
            Run::Interpreter(block) => block.give_back(),
            Run::Cluster(cluster) => cluster.give_back(),
        }
    }

    fn places(&self, add: &mut dyn FnMut(Place)) {
        match self {
            Run::Jit(block) => block.places(add),
            Run::Interpreter(block) => block.places(add),
            Run::Cluster(cluster) => cluster.places(add),
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

/// Runs the grid to its end, with at least `resident` blocks in flight if they wait for each other. The first fault
/// stops it. Of the workers those take part that are the share of these multiprocessors.
pub fn run(
    code: Code<'_>,
    env: &GridEnv<'_>,
    resident: u64,
    multiprocessors: &[u32],
) -> Result<u64, Fault> {
    let workers = pool::share_of(multiprocessors.len());
    let extent = [0, 1, 2].map(|n| u64::from(env.grid[n] / env.cluster[n].max(1)));
    let blocks: u64 = extent.iter().product();
    let portion = match code {
        Code::Jit(_) if env.cluster_blocks() == 1 => {
            (blocks / (8 * workers as u64)).clamp(1, PORTION)
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
        returned: AtomicU64::new(0),
        runs: Mutex::default(),
        yielded: AtomicBool::new(false),
        stop: AtomicBool::new(false),
        fault: Mutex::new(None),
        timeout: AtomicBool::new(false),
        places: Mutex::default(),
        limit: usize::try_from(resident)
            .unwrap_or(usize::MAX)
            .max(IN_FLIGHT),
        workers,
        took_part: AtomicU64::new(0),
        multiprocessors,
    };
    let block_time = grid.start();
    let fault = grid.fault.into_inner();
    match fault.unwrap_or_else(PoisonError::into_inner) {
        Some(mut fault) => {
            if fault.kind == FaultKind::Timeout {
                let places = grid.places.into_inner();
                let mut places = places.unwrap_or_else(PoisonError::into_inner);
                places.blocks = blocks * u64::from(env.cluster_blocks());
                let left = blocks.saturating_sub(grid.next.0.into_inner().min(blocks));
                let left = left + grid.returned.into_inner();
                places.not_begun += left * u64::from(env.cluster_blocks());
                fault.places = Some(Box::new(places));
            }
            Err(fault)
        }
        None => Ok(block_time),
    }
}

impl<'a> Grid<'a> {
    /// Notes how long a block took in this launch, which took so long, and returns it: picoseconds.
    fn note_time(&self, time: Duration) -> u64 {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let workers = self.took_part.load(Ordering::Relaxed).max(1);
        let all = time.saturating_mul(1000).saturating_mul(workers);
        let of_one = all / self.blocks.max(1);
        if let Code::Jit(compiled) = self.code
            && !self.stop.load(Ordering::Relaxed)
        {
            compiled.block_time.note(of_one);
        }
        of_one
    }

    fn start(&self) -> u64 {
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
        let others = self.workers - 1;
        let block_time = match self.code {
            Code::Jit(compiled) => compiled.block_time.last(),
            Code::Interpreter(_) => 0,
        };
        let at_once = helpers_at_once(block_time, self.blocks, others);
        if at_once > 0 {
            helpers = Some(Helpers::call(&help, at_once));
        }
        let mut more = |done: u64| {
            let left = self.blocks - done.min(self.blocks);
            if helpers.is_none() && left > 0 && others > 0 && begun.elapsed() > ALONE {
                helpers = Some(Helpers::call(&help, others.min(left as usize)));
            }
        };
        self.work(0, Some(&mut more));
        drop(helpers);
        self.note_time(begun.elapsed())
    }

    /// Takes blocks: returns the first, and the number behind the last.
    fn take(&self) -> Option<(u64, u64)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        if self.returned.load(Ordering::Relaxed) > 0
            && let Some(n) = self.take_returned()
        {
            return Some((n, n + 1));
        }
        if self.next.0.load(Ordering::Relaxed) >= self.blocks {
            return None;
        }
        let portion = match self.yielded.load(Ordering::Relaxed) {
            true => 1,
            false => self.portion,
        };
        let n = self.next.0.fetch_add(portion, Ordering::Relaxed);
        if n >= self.blocks {
            // The counter stays at the end, so that it never wraps.
            self.next.0.store(self.blocks, Ordering::Relaxed);
            return None;
        }
        Some((n, n + portion.min(self.blocks - n)))
    }

    /// Takes the lowest block that was given back.
    fn take_returned(&self) -> Option<u64> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, end) = runs.pop_first()?;
        if first + 1 < end {
            runs.insert(first + 1, end);
        }
        self.returned.fetch_sub(1, Ordering::Relaxed);
        Some(first)
    }

    /// Gives back the last `count` blocks before `end`.
    fn give_back(&self, count: u64, end: u64) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.insert(end - count, end);
        self.returned.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns `blockIdx` of a block, or of a cluster's first block.
    fn index(&self, n: u64) -> [u32; 3] {
        let [x, y, _] = self.extent;
        let at = [n % x, n / x % y, n / x / y];
        [0, 1, 2].map(|axis| at[axis] as u32 * self.env.cluster[axis])
    }

    /// Stops the grid. Of the faults of blocks that run at once that of the first block counts, whichever comes first.
    fn fail(&self, fault: Fault) {
        let mut known = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(earlier) if !fault.is_of_block_before(earlier) => {}
            _ => {
                if fault.kind == FaultKind::Timeout {
                    self.timeout.store(true, Ordering::Relaxed);
                }
                *known = Some(fault);
            }
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Notes where the threads of a worker's blocks are, if the grid's time is over; `left` blocks behind those have
    /// not begun.
    fn note_places<'r>(&self, runs: impl Iterator<Item = &'r Run<'a>>, left: u64)
    where
        'a: 'r,
    {
        if !self.timeout.load(Ordering::Relaxed) {
            return;
        }
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        for run in runs {
            places.add_block(|add| run.places(add));
        }
        places.not_begun += left;
    }

    /// Takes blocks until none are left. `more` is called with the number of blocks that have been handed out.
    fn work(&self, worker: u32, mut more: Option<&mut dyn FnMut(u64)>) {
        // Blocks that have yielded: those that get a turn in this pass, and in the next. The last of a pass begins the
        // next one, so that chains of waiting blocks end after few passes, whichever way they go.
        let (mut now, mut next) = (Vec::new(), Vec::new());
        let mut spare: Vec<(Run<'a>, Window)> = Vec::new();
        // A block that the end of the grid stopped, and the number of those behind it that have not begun.
        let (mut stopped, mut left) = (None, 0);
        let mut takes_part = false;
        // The blocks that may come to wait beside those that do: more, after a pass in which none has come to its end.
        let mut more_waiting = 0usize;
        let mut has_ended = false;
        loop {
            if let Err(fault) = self.env.check_stopped() {
                self.fail(fault);
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let in_flight = now.len() + next.len();
            let fresh = match in_flight == 0 || more_waiting > 0 && in_flight < self.limit {
                true => self.take(),
                false => None,
            };
            let is_fresh = fresh.is_some();
            let (mut run, window, end) = match fresh {
                Some((first, end)) => {
                    if !takes_part {
                        takes_part = true;
                        self.took_part.fetch_add(1, Ordering::Relaxed);
                    }
                    let (ctaid, following) = (self.index(first), end - first - 1);
                    match self.begin(worker, ctaid, following, spare.pop()) {
                        Ok((run, window)) => (run, window, end),
                        Err(fault) => {
                            self.fail(fault);
                            break;
                        }
                    }
                }
                None => match now.pop() {
                    Some((run, window)) => (run, window, 0),
                    None if next.is_empty() => break,
                    None => {
                        std::mem::swap(&mut now, &mut next);
                        more_waiting = match has_ended {
                            true => 0,
                            false => now.len().div_ceil(4),
                        };
                        has_ended = false;
                        // The blocks may all wait for a thread that has no processor.
                        std::thread::yield_now();
                        continue;
                    }
                },
            };
            // A block that runs for long must not delay others that another worker could run.
            let mut meanwhile = || {
                if let Some(more) = &mut more {
                    more(self.next.0.load(Ordering::Relaxed));
                }
            };
            match run.run(&mut meanwhile) {
                Ok(Progress::Done) => {
                    has_ended |= !is_fresh;
                    spare.push((run, window));
                }
                Ok(Progress::Yielded | Progress::Waiting) => {
                    match run.give_back() {
                        0 => {}
                        count => self.give_back(count, end),
                    }
                    if !self.yielded.load(Ordering::Relaxed) {
                        self.yielded.store(true, Ordering::Relaxed);
                    }
                    if is_fresh {
                        more_waiting = more_waiting.saturating_sub(1);
                    }
                    next.push((run, window));
                }
                Err(fault) => {
                    self.fail(fault);
                    left = run.give_back();
                    stopped = Some((run, window));
                    break;
                }
            }
            meanwhile();
        }
        let in_flight = || now.iter().chain(&next).chain(&stopped);
        self.note_places(in_flight().map(|(run, _)| run), left);
        for (_, window) in now.into_iter().chain(next).chain(stopped).chain(spare) {
            window.keep();
        }
    }

    /// The multiprocessor that a worker counts as.
    fn multiprocessor_of(&self, worker: u32) -> u32 {
        match self.multiprocessors.len() {
            0 => worker,
            count => self.multiprocessors[worker as usize % count],
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
            worker: self.multiprocessor_of(worker),
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

#[cfg(test)]
mod tests {
    use super::helpers_at_once;

    #[test]
    fn helpers_are_called_at_once_where_each_has_work_for_long() {
        for (block_time, blocks, others, expected) in [
            (0, 1 << 20, 15, 0),
            (1_000_000, 10, 15, 0),
            (1_000_000, 100, 15, 6),
            (1_000_000_000, 16, 15, 15),
            (1_000_000_000, 4, 15, 3),
            (1_000_000_000, 1, 15, 0),
            (1_000_000_000, 16, 0, 0),
            (u64::MAX, u64::MAX, 7, 7),
        ] {
            let found = helpers_at_once(block_time, blocks, others);
            assert_eq!(found, expected, "{block_time} {blocks} {others}");
        }
    }
}
