//! Barriers of a block.
//!
//! A barrier without a count waits for every thread that has not exited. One with a count waits for that many threads
//! in whole warps. A warp counts as 32 when each of its lanes has arrived or exited; lanes that a partial last warp
//! lacks count, too. A thread that comes to a barrier again before the others have left waits for them to leave.

use super::Env;
use super::thread::{Status, Thread};
use crate::env::WARP;
use crate::fault::{Fault, FaultKind};
use crate::ir::{BarrierKind, Terminator};

/// The number of barriers of a block.
const COUNT: usize = BarrierKind::COUNT;

struct Arrival {
    thread: usize,
    pred: Option<bool>,
    count: Option<u32>,
}

/// The barriers, and the threads that have arrived at each.
#[derive(Default)]
pub(super) struct Barriers {
    arrivals: [Vec<Arrival>; COUNT],
}

impl Barriers {
    /// Lets a thread at a barrier instruction arrive.
    pub fn arrive(&mut self, env: &Env<'_>, thread: &mut Thread) -> Result<(), Fault> {
        let Terminator::Barrier {
            kind,
            id,
            count,
            pred,
            next,
            ..
        } = thread.terminator(env)
        else {
            return Ok(());
        };
        let refuse = |thread: &Thread, message: String| {
            let mut fault = env.at_thread(
                Fault::new(FaultKind::IllegalInstruction, message),
                thread.index,
            );
            fault.line = thread.line(env);
            Err(fault)
        };
        let id = thread.top().operand(*id) as u32 as usize;
        let Some(arrivals) = self.arrivals.get_mut(id).filter(|_| kind.has(id as u32)) else {
            return refuse(thread, format!("barrier {id} does not exist, there are 16"));
        };
        let count = count.map(|c| thread.top().operand(c) as u32);
        if let Some(count) = count
            && (count == 0 || count % WARP != 0)
        {
            return refuse(
                thread,
                format!("barrier {id} with {count} threads, which is not a multiple of 32"),
            );
        }
        let me = thread.index as usize;
        if arrivals.iter().any(|a| a.thread == me) {
            thread.status = Status::Refused { id };
            return Ok(());
        }
        arrivals.push(Arrival {
            thread: me,
            pred: pred.map(|p| thread.top().operand(p) & 1 == 1),
            count,
        });
        if *kind == BarrierKind::Arrive {
            thread.top_mut().go(env, *next);
        } else {
            thread.status = Status::Barrier { id };
        }
        Ok(())
    }

    /// Opens every barrier that is complete; returns true if there was one.
    pub fn open_complete(&mut self, env: &Env<'_>, threads: &mut [Thread]) -> bool {
        let mut any = false;
        for (id, arrivals) in self.arrivals.iter_mut().enumerate() {
            if !arrivals.is_empty() && complete(arrivals, threads) {
                open(env, id, arrivals, threads);
                arrivals.clear();
                any = true;
            }
        }
        any
    }

    /// Returns the barriers at which threads wait, and the number of threads at each.
    pub fn waiting(&self, threads: &[Thread]) -> Vec<(usize, usize)> {
        let at = |id| {
            let here = [Status::Barrier { id }, Status::Refused { id }];
            threads.iter().filter(|t| here.contains(&t.status)).count()
        };
        (0..COUNT)
            .map(|id| (id, at(id)))
            .filter(|x| x.1 > 0)
            .collect()
    }
}

fn complete(arrivals: &[Arrival], threads: &[Thread]) -> bool {
    let mut here = vec![false; threads.len()];
    for a in arrivals {
        here[a.thread] = true;
    }
    let counted = |t: usize| here[t] || threads[t].status == Status::Exited;
    match arrivals.iter().find_map(|a| a.count) {
        Some(wanted) if (wanted as usize) < threads.len() => {
            let warps = (0..threads.len()).step_by(WARP as usize).map(|first| {
                let lanes = first..threads.len().min(first + WARP as usize);
                let arrived = lanes.clone().filter(|&t| here[t]).count();
                if arrived > 0 && lanes.clone().all(counted) {
                    WARP as usize
                } else {
                    arrived
                }
            });
            warps.sum::<usize>() >= wanted as usize
        }
        _ => (0..threads.len()).all(counted),
    }
}

fn open(env: &Env<'_>, id: usize, arrivals: &[Arrival], threads: &mut [Thread]) {
    let held = arrivals.iter().filter(|a| a.pred == Some(true)).count();
    let asked = arrivals.iter().filter(|a| a.pred.is_some()).count();
    for thread in threads.iter_mut() {
        if thread.status == (Status::Refused { id }) {
            thread.status = Status::Runnable;
        }
        if thread.status != (Status::Barrier { id }) {
            continue;
        }
        thread.status = Status::Runnable;
        if let Terminator::Barrier {
            kind, dst, next, ..
        } = thread.terminator(env)
        {
            let value = match kind {
                BarrierKind::Popc => held as u64,
                BarrierKind::And => u64::from(held == asked),
                BarrierKind::Or => u64::from(held > 0),
                BarrierKind::Sync | BarrierKind::Arrive | BarrierKind::Warpgroup => 0,
            };
            if let Some(dst) = dst {
                thread.top_mut().regs[dst.index()] = value;
            }
            thread.top_mut().go(env, *next);
        }
    }
}
