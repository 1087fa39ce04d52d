//! The oracle: runs the IR one thread and one instruction at a time and looks at every access.
//!
//! A thread runs for a slice, or until it must wait; then the next one has its turn, so that threads that wait
//! for each other by spinning get on. Between rounds the barriers ([`barrier`]) and warp operations
//! ([`warp`]) that have everybody they need are carried out. When nobody can go on, the block is deadlocked.
//!
//! The unit must have passed [`crate::verify`].
//!
//! Local memory: frames of called functions are stacked in the thread's local window. Offsets in [`Space::Local`]
//! and the special `LocalBase` are relative to the running function's frame, which for the kernel is the window
//! itself; an offset may reach the frames of callers (it wraps at 32 bits), never leave the window.
//!
//! [`Space::Local`]: crate::ir::Space::Local

mod barrier;
mod cluster;
mod memory;
mod thread;
mod warp;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use crate::analysis::busy_wait;
use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WARP};
use crate::fault::{Fault, FaultKind};
use crate::ir::{Function, Terminator, Ty, Unit, WarpOp};
use crate::memcheck::Hits;
use barrier::Barriers;
use cluster::ClusterBarrier;
use std::ops::Range;
use std::sync::atomic::Ordering;
use thread::{Slice, Status, Stop, Thread};

/// Instructions a thread runs before the next one has its turn.
const SLICE: u32 = 1000;
/// Rounds in which lanes of a warp that are behind go first, though none seems to wait for another; such as ended because lanes that
/// are behind wait count one [`SHORT`]th.
const CALM: u32 = 64 * SHORT;
const SHORT: u32 = 16;
/// Instructions of a block whose threads all seem to spin before it yields.
const SPIN_LIMIT: u64 = 10_000;

/// A function with what the interpreter wants to know about it.
struct Prepared {
    function: Function,
    /// It has 128-bit registers.
    wide: bool,
    /// Blocks at whose end a thread goes back that may wait for another one of its warp.
    looks: Vec<bool>,
    /// Roughly what a frame of it takes on the host.
    frame_bytes: usize,
}

impl Prepared {
    fn new(function: &Function) -> Prepared {
        let wide = function.regs.contains(&Ty::B128);
        let slots: usize = function.slots.iter().map(|s| s.size as usize + 24).sum();
        Prepared {
            wide,
            looks: busy_wait::looks(function),
            frame_bytes: 128 + function.regs.len() * if wide { 16 } else { 8 } + slots,
            function: function.clone(),
        }
    }
}

/// A unit, ready to run.
pub struct Interpreter {
    /// The kernel, then the device functions.
    functions: Vec<Prepared>,
    /// Some block ends in `activemask`.
    in_order: bool,
}

impl Interpreter {
    /// Takes a unit that has passed [`crate::verify::verify`].
    pub fn new(unit: &Unit) -> Interpreter {
        let all = std::iter::once(&unit.kernel).chain(&unit.functions);
        let asks = |end: &Terminator| {
            matches!(
                end,
                Terminator::Warp {
                    op: WarpOp::ActiveMask,
                    ..
                }
            )
        };
        Interpreter {
            in_order: all.clone().flat_map(|f| &f.blocks).any(|b| asks(&b.end)),
            functions: all.map(Prepared::new).collect(),
        }
    }

    /// A block of a launch, about to begin.
    pub fn start<'a>(&'a self, grid: &'a GridEnv<'a>, block: BlockEnv) -> Block<'a> {
        let env = Env {
            functions: &self.functions,
            in_order: self.in_order,
            grid,
            block,
            hits: Hits::default(),
        };
        let threads = grid.threads();
        Block {
            threads: (0..threads).map(|t| Thread::new(&env, t)).collect(),
            env,
            barriers: Barriers::default(),
            cluster: ClusterBarrier::new(threads as usize),
            frame_bytes: 0,
            assertion: None,
            round: 0,
            calm: 0,
            turned: 0,
            spun: 0,
        }
    }
}

/// What the threads of a block share and do not change.
struct Env<'a> {
    functions: &'a [Prepared],
    /// Lanes of a warp that are behind go first: the code asks which lanes are together.
    in_order: bool,
    grid: &'a GridEnv<'a>,
    block: BlockEnv,
    hits: Hits,
}

impl Env<'_> {
    /// `fault`, with the block and the thread filled in.
    fn at_thread(&self, mut fault: Fault, thread: u32) -> Fault {
        fault.block = Some(self.block.ctaid);
        fault.thread = Some(self.grid.tid(thread));
        fault
    }
}

/// A block in flight.
pub struct Block<'a> {
    env: Env<'a>,
    threads: Vec<Thread>,
    barriers: Barriers,
    cluster: ClusterBarrier,
    /// What the frames of called functions take.
    frame_bytes: usize,
    /// The first assertion that failed in this round.
    assertion: Option<Fault>,
    round: u32,
    /// Rounds since each lane had a turn whatever the others do.
    calm: u32,
    /// Warps, a bit each, in which each lane has had one in this round.
    turned: u32,
    spun: u64,
}

impl BlockRun for Block<'_> {
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        loop {
            let round = self.round();
            if let Some(fault) = self.assertion.take() {
                return Err(fault);
            }
            let round = round?;
            meanwhile();
            let released = self.settle()?;
            self.round = self.round.wrapping_add(1);
            if self.threads.iter().all(|t| t.status == Status::Exited) {
                return Ok(Progress::Done);
            }
            if self.alone() && self.opens() {
                self.open_cluster();
                continue;
            }
            if released || round.ended > 0 {
                self.spun = 0;
                continue;
            }
            if round.ran == 0 {
                if !self.alone() && self.waits_for_cluster() {
                    return Ok(Progress::Waiting);
                }
                return Err(self.deadlock());
            }
            if round.spinning == round.ran {
                self.spun += round.instructions;
            } else {
                self.spun = 0;
            }
            if self.spun > SPIN_LIMIT || round.paused == round.ran {
                self.spun = 0;
                return Ok(Progress::Yielded);
            }
        }
    }

    fn arrivals(&self) -> Arrivals {
        self.cluster.arrivals(&self.threads)
    }

    fn open_cluster(&mut self) {
        self.cluster.open(&self.env, &mut self.threads);
    }
}

/// What happened when every runnable thread had its turn.
#[derive(Default)]
struct Round {
    /// Threads that ran.
    ran: u32,
    /// Those that ended or came to a barrier or warp operation.
    ended: u32,
    /// Those that did what a thread does that waits for others.
    spinning: u32,
    /// Those that asked to sleep.
    paused: u32,
    instructions: u64,
}

impl Round {
    fn count(&mut self, slice: &Slice) {
        self.ran += 1;
        self.instructions += u64::from(slice.instructions);
        self.spinning += u32::from(slice.looked);
        self.paused += u32::from(matches!(slice.stop, Stop::Paused));
        self.ended += u32::from(matches!(slice.stop, Stop::Exited | Stop::Waits));
    }
}

impl Block<'_> {
    fn round(&mut self) -> Result<Round, Fault> {
        let mut round = Round::default();
        self.turned = 0;
        for first in (0..self.threads.len()).step_by(WARP as usize) {
            let lanes = first..self.threads.len().min(first + WARP as usize);
            if self.env.in_order {
                if !self.in_order(lanes.clone(), &mut round)? {
                    continue;
                }
                self.turned |= 1 << (first / WARP as usize);
            }
            for lane in lanes {
                if let Some(slice) = self.turn(lane, SLICE)? {
                    round.count(&slice);
                }
            }
        }
        Ok(round)
    }

    /// Runs lanes of a warp, block by block and those that are behind first, until all wait or they have run for long.
    /// Says whether each is to have a turn now, since one may wait for another.
    fn in_order(&mut self, lanes: Range<usize>, round: &mut Round) -> Result<bool, Fault> {
        let mut budget = SLICE * lanes.len() as u32;
        let mut turns: Vec<Option<Slice>> = lanes.clone().map(|_| None).collect();
        let over = loop {
            let paused = |lane: usize| {
                let turn = &turns[lane - lanes.start];
                turn.as_ref()
                    .is_some_and(|t| matches!(t.stop, Stop::Paused))
            };
            let here = lanes.clone().filter(|&lane| !paused(lane));
            let here = here.filter(|&lane| warp::may_come(&self.threads[lane]));
            let places: Vec<_> = here.map(|n| (self.threads[n].place(), n)).collect();
            let Some((first, _)) = places.iter().min() else {
                break false;
            };
            let mut ran = false;
            for (_, lane) in places.iter().filter(|(place, _)| place == first) {
                let Some(slice) = self.turn(*lane, 1)? else {
                    continue;
                };
                ran = true;
                if matches!(slice.stop, Stop::Waits) {
                    // Those whose operation this was are behind the others now.
                    warp::settle_meetings(&self.env, &mut self.threads[lanes.clone()]);
                }
                budget = budget.saturating_sub(slice.instructions);
                match &mut turns[lane - lanes.start] {
                    Some(turn) => turn.add(slice),
                    turn => *turn = Some(slice),
                }
            }
            if !ran {
                break false;
            }
            if budget == 0 {
                break true;
            }
        };
        let turns = turns.into_iter().flatten();
        let mut looked = false;
        for turn in turns {
            looked |= turn.waited;
            round.count(&turn);
        }
        let runs = |n: usize| self.threads[n].status == Status::Runnable;
        let stuck = !over && lanes.clone().any(runs);
        self.calm += if over { SHORT } else { u32::from(stuck) };
        let all = over && looked || (over || stuck) && self.calm >= CALM;
        if all {
            self.calm = 0;
        }
        Ok(all)
    }

    /// Runs a thread, if it can run.
    fn turn(&mut self, lane: usize, budget: u32) -> Result<Option<Slice>, Fault> {
        if self.env.grid.cancel.load(Ordering::Relaxed) {
            let mut fault = Fault::new(FaultKind::Cancelled, "the launch was cancelled");
            fault.block = Some(self.env.block.ctaid);
            return Err(fault);
        }
        let thread = &mut self.threads[lane];
        if thread.status != Status::Runnable {
            return Ok(None);
        }
        let slice = match thread.run(&self.env, budget, &mut self.frame_bytes) {
            // The others of this round come to theirs.
            Err(fault) if fault.kind == FaultKind::Assert => {
                thread.status = Status::Exited;
                self.assertion.get_or_insert(fault);
                return Ok(None);
            }
            ran => ran?,
        };
        match slice.stop {
            Stop::Budget | Stop::Paused => {}
            Stop::Exited => thread.status = Status::Exited,
            Stop::Waits => match thread.terminator(&self.env) {
                Terminator::Warp { .. } => warp::arrive(&self.env, thread, self.round),
                Terminator::Cluster { step, next } => self.cluster.step(thread, *step, *next),
                _ => self.barriers.arrive(&self.env, thread)?,
            },
        }
        Ok(Some(slice))
    }

    /// Carries out what has everybody it needs; whether there was anything.
    fn settle(&mut self) -> Result<bool, Fault> {
        let mut any = self.barriers.settle(&self.env, &mut self.threads);
        for (n, warp) in self.threads.chunks_mut(WARP as usize).enumerate() {
            let patient = self.turned >> n & 1 == 0;
            any |= warp::settle(&self.env, warp, self.round, patient);
        }
        Ok(any)
    }

    /// Whether its cluster is this block alone.
    fn alone(&self) -> bool {
        self.env.grid.cluster_blocks() == 1
    }

    /// Whether the barrier of a cluster of this block alone opens.
    fn opens(&self) -> bool {
        let arrivals = self.arrivals();
        arrivals.any && arrivals.all
    }

    fn waits_for_cluster(&self) -> bool {
        self.threads.iter().any(|t| t.status == Status::Cluster)
    }

    fn deadlock(&self) -> Fault {
        let mut parts: Vec<String> = Vec::new();
        let at_cluster = |t: &&Thread| t.status == Status::Cluster;
        let waiting = self.threads.iter().filter(at_cluster).count();
        if waiting > 0 {
            parts.push(format!("{waiting} threads wait at the cluster's barrier"));
        }
        for (id, waiting) in self.barriers.waiting(&self.threads) {
            parts.push(format!("{waiting} threads wait at barrier {id}"));
        }
        let lanes = self
            .threads
            .iter()
            .filter(|t| matches!(t.status, Status::Warp { .. }))
            .count();
        if lanes > 0 {
            parts.push(format!("{lanes} threads wait in warp operations"));
        }
        let fault = Fault::new(
            FaultKind::Deadlock,
            format!(
                "deadlock: {} for threads that never come",
                parts.join(" and ")
            ),
        );
        match self.threads.iter().position(|t| t.status != Status::Exited) {
            Some(t) => {
                let mut fault = self.env.at_thread(fault, t as u32);
                fault.line = self.threads[t].line(&self.env);
                fault
            }
            None => fault,
        }
    }
}
