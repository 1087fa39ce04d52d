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

use crate::env::{Arrivals, BlockEnv, BlockRun, GridEnv, Progress, WARP};
use crate::fault::{Fault, FaultKind};
use crate::ir::{Function, Terminator, Ty, Unit};
use barrier::Barriers;
use cluster::ClusterBarrier;
use std::sync::atomic::Ordering;
use thread::{Status, Stop, Thread};

/// Instructions a thread runs before the next one has its turn.
const SLICE: u32 = 1000;
/// Instructions of a block whose threads all seem to spin before it yields.
const SPIN_LIMIT: u64 = 10_000;

/// A function with what the interpreter wants to know about it.
struct Prepared {
    function: Function,
    /// It has 128-bit registers.
    wide: bool,
    /// Roughly what a frame of it takes on the host.
    frame_bytes: usize,
}

impl Prepared {
    fn new(function: &Function) -> Prepared {
        let wide = function.regs.contains(&Ty::B128);
        let slots: usize = function.slots.iter().map(|s| s.size as usize + 24).sum();
        Prepared {
            wide,
            frame_bytes: 128 + function.regs.len() * if wide { 16 } else { 8 } + slots,
            function: function.clone(),
        }
    }
}

/// A unit, ready to run.
pub struct Interpreter {
    /// The kernel, then the device functions.
    functions: Vec<Prepared>,
}

impl Interpreter {
    /// Takes a unit that has passed [`crate::verify::verify`].
    pub fn new(unit: &Unit) -> Interpreter {
        let all = std::iter::once(&unit.kernel).chain(&unit.functions);
        Interpreter {
            functions: all.map(Prepared::new).collect(),
        }
    }

    /// A block of a launch, about to begin.
    pub fn start<'a>(&'a self, grid: &'a GridEnv<'a>, block: BlockEnv) -> Block<'a> {
        let env = Env {
            functions: &self.functions,
            grid,
            block,
        };
        let threads = grid.threads();
        Block {
            threads: (0..threads).map(|t| Thread::new(&env, t)).collect(),
            env,
            barriers: Barriers::default(),
            cluster: ClusterBarrier::new(threads as usize),
            frame_bytes: 0,
            round: 0,
            spun: 0,
        }
    }
}

/// What the threads of a block share and do not change.
struct Env<'a> {
    functions: &'a [Prepared],
    grid: &'a GridEnv<'a>,
    block: BlockEnv,
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
    round: u32,
    spun: u64,
}

impl BlockRun for Block<'_> {
    fn run(&mut self, meanwhile: &mut dyn FnMut()) -> Result<Progress, Fault> {
        loop {
            let round = self.round()?;
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

impl Block<'_> {
    fn round(&mut self) -> Result<Round, Fault> {
        let mut round = Round::default();
        for thread in &mut self.threads {
            if self.env.grid.cancel.load(Ordering::Relaxed) {
                let mut fault = Fault::new(FaultKind::Cancelled, "the launch was cancelled");
                fault.block = Some(self.env.block.ctaid);
                return Err(fault);
            }
            if thread.status != Status::Runnable {
                continue;
            }
            round.ran += 1;
            let slice = thread.run(&self.env, SLICE, &mut self.frame_bytes)?;
            round.instructions += u64::from(slice.instructions);
            round.spinning += u32::from(slice.looked);
            match slice.stop {
                Stop::Budget => {}
                Stop::Paused => round.paused += 1,
                Stop::Exited => {
                    thread.status = Status::Exited;
                    round.ended += 1;
                }
                Stop::Waits => {
                    match thread.terminator(&self.env) {
                        Terminator::Warp { .. } => warp::arrive(&self.env, thread, self.round),
                        Terminator::Cluster { step, next } => {
                            self.cluster.step(thread, *step, *next);
                        }
                        _ => self.barriers.arrive(&self.env, thread)?,
                    }
                    round.ended += 1;
                }
            }
        }
        Ok(round)
    }

    /// Carries out what has everybody it needs; whether there was anything.
    fn settle(&mut self) -> Result<bool, Fault> {
        let mut any = self.barriers.settle(&self.env, &mut self.threads);
        for warp in self.threads.chunks_mut(WARP as usize) {
            any |= warp::settle(&self.env, warp, self.round);
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
