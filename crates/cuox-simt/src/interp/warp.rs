//! Warp operations: waiting for the lanes.
//!
//! Lanes wait until every lane of their member mask that has not exited is at the same operation with the same mask, at
//! any position ([`sem::warp`]). `activemask` does not wait, but lanes that are about to reach the same one are given
//! some rounds, so that it returns all lanes of a converged warp. In code with `activemask`, the lanes that are behind
//! run first (see `Block::in_order`). Elsewhere a lane at a lockstep boundary waits for those that may still reach it.

use super::Env;
use super::thread::{Status, Thread};
use crate::env::WARP;
use crate::fault::Fault;
use crate::ir::{Terminator, WarpOp};
use crate::sem::{
    self,
    warp::{Lanes, Site, lanes_of},
};

/// Rounds in which a lockstep boundary lets other lanes catch up: those that run, those at other boundaries, and those
/// that may wait for another one of the warp.
const PATIENCE_WITH_RUNNING: u32 = 1 << 20;
const PATIENCE: u32 = 1 << 8;
const PATIENCE_WITH_WAITING: u32 = 2;

/// The key of a warp operation: lanes with the same key perform it together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    op: WarpOp,
    mask: u32,
    /// Function and block of an operation that waits for nobody.
    position: Option<(usize, u32)>,
    waits_for_nobody: bool,
}

/// Lets a thread at a warp operation wait for the others. A mask that leaves it out is a fault.
pub(super) fn arrive(env: &Env<'_>, thread: &mut Thread, round: u32) -> Result<(), Fault> {
    if let Terminator::Warp { op, mask, .. } = thread.terminator(env) {
        let top = thread.top();
        let members = top.operand(*mask);
        let lane = thread.index % WARP;
        let masks = [members; WARP as usize];
        if let Some((_, mut fault)) = sem::warp::left_out(*op, *mask, &masks, 1 << lane) {
            fault.line = thread.line(env);
            return Err(env.at_thread(fault, thread.index));
        }
        let waits_for_nobody = matches!(op, WarpOp::ActiveMask | WarpOp::Step);
        let meeting = Meeting {
            op: *op,
            mask: members as u32,
            position: waits_for_nobody.then_some((top.function, top.block)),
            waits_for_nobody,
        };
        thread.status = Status::Warp {
            meeting,
            since: round,
        };
    }
    Ok(())
}

/// Performs the operations of a warp that have all their lanes; returns true if there was one. If not `patient`,
/// `activemask` does not wait for lanes that are behind.
pub(super) fn perform_ready(env: &Env<'_>, warp: &mut [Thread], round: u32, patient: bool) -> bool {
    let any = pass(env, warp, (round, patient), false);
    pass(env, warp, (round, patient), true) || any
}

/// Performs the operations for which lanes wait for each other.
pub(super) fn perform_meetings(env: &Env<'_>, warp: &mut [Thread]) {
    pass(env, warp, (0, true), false);
}

/// Performs the operations that do not wait, or the others.
fn pass(
    env: &Env<'_>,
    warp: &mut [Thread],
    (round, patient): (u32, bool),
    waits_for_nobody: bool,
) -> bool {
    let mut any = false;
    let mut seen = 0u32;
    for first in 0..warp.len() {
        let Status::Warp { meeting, since, .. } = warp[first].status else {
            continue;
        };
        if seen >> first & 1 == 1 || meeting.waits_for_nobody != waits_for_nobody {
            continue;
        }
        let mut group = meets(warp, meeting);
        let me = &warp[first];
        if meeting.waits_for_nobody && !env.in_order {
            // In other calls of the function, lanes are further or behind.
            group &= set(warp, |t| me.position(t, env).is_eq());
        }
        seen |= group;
        let ready = if meeting.waits_for_nobody && env.in_order {
            let behind = |t: &Thread| may_come(t) && t.position(me, env).is_lt();
            !warp.iter().any(behind) || !patient
        } else if meeting.waits_for_nobody {
            let waited = round.wrapping_sub(since);
            let comes = |t: &Thread| match (t.waited, t.status) {
                (true, _) => waited < PATIENCE_WITH_WAITING,
                (false, Status::Runnable) => waited < PATIENCE_WITH_RUNNING,
                (false, _) => waited < PATIENCE,
            };
            let behind = |t: &Thread| match t.status {
                Status::Runnable => comes(t),
                // Those may wait in turn for lanes that go round in a loop and wait for this one.
                _ => may_come(t) && t.position(me, env).is_lt() && comes(t),
            };
            !warp.iter().any(behind)
        } else {
            complete(warp, meeting)
        };
        if ready {
            let group = group | converged(warp, meeting);
            seen |= group;
            perform(env, warp, group);
            if meeting.op == WarpOp::Step && !lanes_of(group).any(|lane| warp[lane].waited) {
                others_got_on(warp, round);
            }
            any = true;
        }
    }
    any
}

/// Lets the lanes that wait at lockstep boundaries wait on: the others do not go round for one of them.
fn others_got_on(warp: &mut [Thread], round: u32) {
    for thread in warp {
        if let Status::Warp { since, .. } = &mut thread.status {
            *since = round;
        }
    }
}

/// Returns the lanes that wait in a meeting.
fn meets(warp: &[Thread], meeting: Meeting) -> u32 {
    set(
        warp,
        |t| matches!(t.status, Status::Warp { meeting: m, .. } if m == meeting),
    )
}

/// Returns true if every member of a meeting that has not exited is there.
fn complete(warp: &[Thread], meeting: Meeting) -> bool {
    let living = set(warp, |t| t.status != Status::Exited);
    meeting.mask & living & !meets(warp, meeting) == 0
}

/// Returns the lanes with other masks that execute a shuffle together with a meeting: if all of that is at one place,
/// those of the other complete meetings there.
fn converged(warp: &[Thread], meeting: Meeting) -> u32 {
    let place = |t: &Thread| (t.top().function, t.top().block);
    let one_place = |lanes: u32| {
        let mut places = lanes_of(lanes).map(|lane| place(&warp[lane]));
        let first = places.next();
        first.filter(|&first| places.all(|other| other == first))
    };
    let here = one_place(meets(warp, meeting));
    if here.is_none() || !matches!(meeting.op, WarpOp::Shuffle(_)) {
        return 0;
    }
    set(warp, |t| match t.status {
        Status::Warp { meeting: m, .. } => {
            m.op == meeting.op && one_place(meets(warp, m)) == here && complete(warp, m)
        }
        _ => false,
    })
}

/// Returns true if a thread runs, or will continue without others.
pub(super) fn may_come(thread: &Thread) -> bool {
    match thread.status {
        Status::Runnable => true,
        Status::Warp { meeting, .. } => meeting.waits_for_nobody,
        _ => false,
    }
}

fn set(warp: &[Thread], test: impl Fn(&Thread) -> bool) -> u32 {
    let lanes = warp.iter().enumerate().filter(|(_, t)| test(t));
    lanes.fold(0, |set, (lane, _)| set | 1 << lane)
}

/// The registers of a group of threads at the same operation.
struct Gathered<'e, 't> {
    env: &'e Env<'e>,
    warp: &'t mut [Thread],
    group: u32,
}

impl Site for Gathered<'_, '_> {
    fn arg(&self, n: usize) -> Lanes {
        let mut values = [0; WARP as usize];
        for lane in lanes_of(self.group) {
            let thread = &self.warp[lane];
            if let Terminator::Warp { args, .. } = thread.terminator(self.env)
                && let Some(arg) = args.get(n)
            {
                values[lane] = thread.top().operand(*arg);
            }
        }
        values
    }

    fn put(&mut self, n: usize, lanes: u32, values: &Lanes) {
        for lane in lanes_of(lanes) {
            let thread = &mut self.warp[lane];
            if let Terminator::Warp { dsts, .. } = thread.terminator(self.env)
                && let Some(dst) = dsts.get(n).copied().flatten()
            {
                thread.top_mut().regs[dst.index()] = values[lane];
            }
        }
    }
}

fn perform(env: &Env<'_>, warp: &mut [Thread], group: u32) {
    let mut masks = [0; WARP as usize];
    let mut operation = WarpOp::Sync;
    for lane in lanes_of(group) {
        if let Terminator::Warp { op, mask, .. } = warp[lane].terminator(env) {
            operation = *op;
            masks[lane] = warp[lane].top().operand(*mask) as u32;
        }
    }
    let mut site = Gathered { env, warp, group };
    sem::warp::perform(operation, group, &masks, &mut site);
    for lane in lanes_of(group) {
        let thread = &mut warp[lane];
        if let Terminator::Warp { next, .. } = thread.terminator(env) {
            thread.top_mut().go(env, *next);
        }
        thread.status = Status::Runnable;
    }
}
