//! The interpreter: runs the IR one thread and one instruction at a time and checks every access. It is the oracle
//! for the JIT.
//!
//! A thread runs for a slice, or until it must wait; then the next one runs. Threads that busy-wait for each other
//! thus make progress. Between rounds, the barriers ([`barrier`]) and warp operations ([`warp`]) that are complete
//! are performed. If no thread can go on, the block is deadlocked.
//!
//! The unit must have passed [`crate::verify`].
//!
//! Local memory: frames of called functions are stacked in the thread's local window. Offsets in [`Space::Local`] and
//! the special `LocalBase` are relative to the running function's frame; the kernel's frame is the window's start. An
//! offset may reach the frames of callers (it wraps at 32 bits), but never leave the window.
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

use crate::analysis::{busy_wait, loop_nest::LoopNest};
use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WARP};
use crate::fault::{Fault, FaultKind};
use crate::ir::{Function, Terminator, Ty, Unit, WarpOp};
use crate::memcheck::Hits;
use crate::places::{Place, Waits};
use barrier::Barriers;
use cluster::ClusterBarrier;
use std::ops::Range;
use thread::{Slice, Status, Stop, Thread};

/// Instructions that a thread runs before the next one runs.
const SLICE: u32 = 1000;
/// Rounds in which lanes of a warp that are behind go first, although no lane seems to wait for another. A round that
/// ended because lanes that are behind wait counts as one [`SHORT`]th.
const CALM: u32 = 64 * SHORT;
const SHORT: u32 = 16;
/// Instructions that a block runs while all threads seem to busy-wait, before it yields.
const SPIN_LIMIT: u64 = 1000;
/// Instructions that a block runs before it yields in any case, and if some threads seem to busy-wait.
const LIMIT: u64 = 1 << 15;
const LOOKING_LIMIT: u64 = 1 << 12;

/// A function, and facts about it that the interpreter uses.
struct Prepared {
    function: Function,
    /// True if it has 128-bit registers.
    wide: bool,
    /// True for blocks that end in the back edge of a loop in which a thread may wait for another of its warp.
    looks: Vec<bool>,
    /// The loops in which lanes may wait for those behind them; none if no lane does that.
    nest: LoopNest,
    /// The approximate size of its frame on the host.
    frame_bytes: usize,
}

impl Prepared {
    /// Prepares a function of a unit in which lanes wait for those behind them, or do not.
    fn new(function: &Function, waits: bool) -> Prepared {
        let wide = function.regs.contains(&Ty::B128);
        let slots: usize = function.slots.iter().map(|s| s.size as usize + 24).sum();
        Prepared {
            wide,
            looks: busy_wait::looks(function),
            nest: if waits {
                LoopNest::new(function)
            } else {
                LoopNest::default()
            },
            frame_bytes: 128 + function.regs.len() * if wide { 16 } else { 8 } + slots,
            function: function.clone(),
        }
    }
}

/// A unit, ready to run.
pub struct Interpreter {
    /// The kernel, then the device functions.
    functions: Vec<Prepared>,
    /// True if some block ends in `activemask`.
    in_order: bool,
}

impl Interpreter {
    /// Prepares a unit that has passed [`crate::verify::verify`].
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
        let mut ends = all.clone().flat_map(|f| &f.blocks).map(|b| &b.end);
        let in_order = ends.clone().any(asks);
        let waits = in_order || ends.any(Terminator::is_step);
        Interpreter {
            in_order,
            functions: all.map(|f| Prepared::new(f, waits)).collect(),
        }
    }

    /// Creates a block of a launch, at its start.
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
            fault: None,
            round: 0,
            calm: 0,
            turned: 0,
            spun: 0,
            ran: 0,
        }
    }
}

/// Data that the threads of a block share and do not change.
struct Env<'a> {
    functions: &'a [Prepared],
    /// True if lanes of a warp that are behind go first, because the code reads which lanes are converged.
    in_order: bool,
    grid: &'a GridEnv<'a>,
    block: BlockEnv,
    hits: Hits,
}

impl Env<'_> {
    /// Adds the block and the thread to `fault`.
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
    /// The total size of the frames of called functions.
    frame_bytes: usize,
    /// The first failed assertion of this round.
    assertion: Option<Fault>,
    /// The fault of the running warp that is first in the code.
    fault: Option<(usize, Fault)>,
    round: u32,
    /// Rounds since each lane last ran regardless of the others.
    calm: u32,
    /// Warps, one bit each, in which each lane has run in this round.
    turned: u32,
    spun: u64,
    /// Instructions since the block last yielded.
    ran: u64,
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
            let released = self.perform_ready()?;
            self.round = self.round.wrapping_add(1);
            if self.threads.iter().all(|t| t.status == Status::Exited) {
                return Ok(Progress::Done);
            }
            if self.alone() && self.opens() {
                self.open_cluster();
                continue;
            }
            // Threads may also wait for another block while they meet at barriers.
            self.ran += round.instructions;
            let limit = match round.spinning {
                0 => LIMIT,
                _ => LOOKING_LIMIT,
            };
            if self.ran > limit && round.ran > 0 {
                (self.ran, self.spun) = (0, 0);
                return Ok(Progress::Yielded);
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
                (self.ran, self.spun) = (0, 0);
                return Ok(Progress::Yielded);
            }
        }
    }

    fn arrivals(&self) -> Arrivals {
        self.cluster.arrivals(&self.threads)
    }

    fn places(&self, add: &mut dyn FnMut(Place)) {
        for thread in &self.threads {
            let waits = match thread.status {
                Status::Exited => continue,
                Status::Runnable => Waits::No,
                Status::Warp { .. } => Waits::Warp,
                Status::Cluster => Waits::Cluster,
                Status::Barrier { .. } | Status::Refused { .. } => Waits::Barrier,
            };
            add(Place {
                line: thread.line(&self.env).unwrap_or(0),
                waits,
                threads: 1,
                thread: self.env.grid.tid(thread.index),
                block: self.env.block.ctaid,
            });
        }
    }

    fn open_cluster(&mut self) {
        self.cluster.open(&self.env, &mut self.threads);
    }
}

/// The result of a round, in which every runnable thread runs once.
#[derive(Default)]
struct Round {
    /// Threads that ran.
    ran: u32,
    /// Threads that exited or came to a barrier or warp operation.
    ended: u32,
    /// Threads that seem to busy-wait.
    spinning: u32,
    /// Threads that sleep.
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
                let each = self.in_order(lanes.clone(), &mut round)?;
                if !each || self.fault.is_some() {
                    if let Some((_, fault)) = self.fault.take() {
                        return Err(fault);
                    }
                    continue;
                }
                self.turned |= 1 << (first / WARP as usize);
            }
            for lane in lanes {
                if let Some(slice) = self.turn(lane, SLICE)? {
                    round.count(&slice);
                }
            }
            if let Some((_, fault)) = self.fault.take() {
                return Err(fault);
            }
        }
        Ok(round)
    }

    /// Runs lanes of a warp, block by block and those that are behind first, until all wait or they have run for
    /// long. Returns true if each lane should run once, since one may wait for another.
    fn in_order(&mut self, lanes: Range<usize>, round: &mut Round) -> Result<bool, Fault> {
        let mut budget = SLICE * lanes.len() as u32;
        let mut turns: Vec<Option<Slice>> = lanes.clone().map(|_| None).collect();
        let over = loop {
            let paused = |lane: usize| {
                let turn = &turns[lane - lanes.start];
                turn.as_ref()
                    .is_some_and(|t| matches!(t.stop, Stop::Paused))
            };
            let compare =
                |a: usize, b: usize| self.threads[a].position(&self.threads[b], &self.env);
            let here = lanes.clone().filter(|&lane| !paused(lane));
            let here = here.filter(|&lane| warp::may_come(&self.threads[lane]));
            let Some(first) = here.clone().min_by(|&a, &b| compare(a, b)) else {
                break false;
            };
            let together: Vec<usize> = here.filter(|&lane| compare(lane, first).is_eq()).collect();
            let (mut ran, mut waits) = (false, false);
            for lane in together {
                let Some(slice) = self.turn(lane, 1)? else {
                    continue;
                };
                ran = true;
                waits |= matches!(slice.stop, Stop::Waits);
                budget = budget.saturating_sub(slice.instructions);
                match &mut turns[lane - lanes.start] {
                    Some(turn) => turn.add(slice),
                    turn => *turn = Some(slice),
                }
            }
            if waits {
                // Lanes that have done this operation are now behind the others.
                warp::perform_meetings(&self.env, &mut self.threads[lanes.clone()]);
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

    /// Runs a thread if it is runnable.
    fn turn(&mut self, lane: usize, budget: u32) -> Result<Option<Slice>, Fault> {
        self.env.grid.check_stopped()?;
        let thread = &mut self.threads[lane];
        if thread.status != Status::Runnable {
            return Ok(None);
        }
        let slice = match thread.run(&self.env, budget, &mut self.frame_bytes) {
            // The other threads of this round still run, and may reach the same assertion.
            Err(fault) if fault.kind == FaultKind::Assert => {
                thread.status = Status::Exited;
                self.assertion.get_or_insert(fault);
                return Ok(None);
            }
            Err(fault) if fault.kind == FaultKind::Quit => return Err(fault),
            Err(fault) => {
                self.fault_at(lane, fault);
                return Ok(None);
            }
            Ok(slice) => slice,
        };
        // An operation that may not be executed is a fault like those of other instructions.
        let arrived = self.arrive(lane, &slice);
        if let Err(fault) = arrived {
            self.fault_at(lane, fault);
            return Ok(None);
        }
        Ok(Some(slice))
    }

    /// Keeps the fault of a lane of the running warp: the other lanes still run, as they may fault at an earlier
    /// instruction, which counts.
    fn fault_at(&mut self, lane: usize, fault: Fault) {
        let thread = &mut self.threads[lane];
        thread.status = Status::Exited;
        let thread = &self.threads[lane];
        let is_first = |other: usize| thread.position(&self.threads[other], &self.env).is_lt();
        if self
            .fault
            .as_ref()
            .is_none_or(|(other, _)| is_first(*other))
        {
            self.fault = Some((lane, fault));
        }
    }

    /// Lets a thread stop where its slice has ended.
    fn arrive(&mut self, lane: usize, slice: &Slice) -> Result<(), Fault> {
        let thread = &mut self.threads[lane];
        thread.waited = slice.waited || matches!(slice.stop, Stop::Paused);
        match slice.stop {
            Stop::Budget | Stop::Paused => {}
            Stop::Exited => thread.status = Status::Exited,
            Stop::Waits => match thread.terminator(&self.env) {
                Terminator::Warp { .. } => warp::arrive(&self.env, thread, self.round)?,
                Terminator::Cluster { step, next } => {
                    self.cluster.step(&self.env, thread, *step, *next)
                }
                _ => self.barriers.arrive(&self.env, thread)?,
            },
        }
        Ok(())
    }

    /// Performs the barriers and warp operations that are complete; returns true if there was one.
    fn perform_ready(&mut self) -> Result<bool, Fault> {
        let mut any = self.barriers.open_complete(&self.env, &mut self.threads);
        for (n, warp) in self.threads.chunks_mut(WARP as usize).enumerate() {
            let patient = self.turned >> n & 1 == 0;
            any |= warp::perform_ready(&self.env, warp, self.round, patient);
        }
        Ok(any)
    }

    /// Returns true if the cluster is this block alone.
    fn alone(&self) -> bool {
        self.env.grid.cluster_blocks() == 1
    }

    /// Returns true if the barrier of a cluster of this block alone opens.
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
