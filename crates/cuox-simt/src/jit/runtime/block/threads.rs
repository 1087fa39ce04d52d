//! Thread mode at run time: a warp whose lanes have different PCs, until they reconverge.
//!
//! Lanes advance block by block. The runtime executes the terminators that generated code leaves to it, chooses the
//! next block fairly so that no lane starves, and completes warp operations when their members have arrived. When all
//! lanes have one PC, the warp tries to return to gang mode.

use crate::jit::runtime::block::*;

/// Number of blocks that thread mode runs before another warp gets its turn.
const THREAD_MODE_STEPS: u32 = 1 << 12;
/// Fuel that stands for one of them.
const STEP_FUEL: i64 = FUEL / THREAD_MODE_STEPS as i64;
/// Number of back edges in loops that may wait for another lane after which thread mode favours a block other than the
/// first, so that no lane starves. Favouring a block separates lanes that would reconverge there.
const WAITS_BEFORE_ROTATION: u32 = 4;
/// Number of steps after which another block is favoured although no lane seems to wait; then a quarter of that, and so
/// on down to [`MIN_PATIENCE`].
const MAX_PATIENCE: u32 = 1 << 16;
const MIN_PATIENCE: u32 = 1 << 10;
/// Number of steps for which the favoured lanes run alone.
const FAVOURED_STEPS: u32 = 1 << 9;
/// Number of steps until reconvergence is tried again for a warp whose values lacked the required uniformity.
const RECONVERGENCE_DELAY: u32 = 16;

/// Returns the cost of a step in which back edges with these [`Wait`]s were taken.
fn step_cost(waits: u32) -> u32 {
    let has = |wait: Wait| waits >> wait as u32 & 1 == 1;
    if has(Wait::Polls) {
        256
    } else if has(Wait::Works) {
        8
    } else if has(Wait::Reads) {
        2
    } else {
        1
    }
}

#[repr(C)]
struct ThreadsCall {
    code: ThreadsFn,
    env: *mut Env,
    gang: *mut Gang,
    block: u64,
    mask: u64,
}

unsafe extern "C" fn call_threads(arg: *mut u8) -> u64 {
    // SAFETY: `trap::protected` passes the `ThreadsCall` that `thread_step` created, which lives until it returns.
    let call = unsafe { &*arg.cast::<ThreadsCall>() };
    // SAFETY: the code was generated for these structures, which belong to this block and live until it returns.
    unsafe { (call.code)(call.env, call.gang, call.block, call.mask) }
}

/// The lanes of a warp that wait in warp operations.
struct Waiting<'p> {
    /// The lanes at each block, with its terminator; no lanes behind the last.
    places: [(u32, &'p Terminator); 32],
    /// Each lane's member mask.
    masks: [u32; 32],
}

impl<'p> Waiting<'p> {
    fn new(lanes: &Lanes, state: &State<'p>) -> Self {
        let mut waiting = Waiting {
            places: [(0, &Terminator::Exit); 32],
            masks: [0; 32],
        };
        let mut rest = lanes.in_op;
        for place in &mut waiting.places {
            if rest == 0 {
                break;
            }
            let block = lanes.block[rest.trailing_zeros() as usize];
            let here = sem::warp::lanes_of(rest)
                .filter(|&lane| lanes.block[lane] == block)
                .fold(0u32, |set, lane| set | 1 << lane);
            rest &= !here;
            *place = (here, &state.plan.func.blocks[block as usize].end);
            if let Terminator::Warp { mask, .. } = place.1 {
                let masks = state.operand(*mask, false);
                for lane in sem::warp::lanes_of(here) {
                    waiting.masks[lane] = masks[lane] as u32;
                }
            }
        }
        waiting
    }

    fn places(&self) -> impl Iterator<Item = &(u32, &'p Terminator)> + Clone {
        self.places.iter().take_while(|(lanes, _)| *lanes != 0)
    }

    fn lanes(&self) -> u32 {
        self.places().fold(0, |all, (lanes, _)| all | lanes)
    }

    /// Returns the lanes at the place of a lane.
    fn lanes_at(&self, lane: usize) -> u32 {
        let mut places = self.places();
        let place = places.find(|(lanes, _)| lanes >> lane & 1 == 1);
        place.map_or(0, |(lanes, _)| *lanes)
    }

    /// Returns the operation of a lane and the lanes that meet there with it.
    fn group(&self, lane: usize) -> Option<(WarpOp, u32)> {
        let op_of = |end: &Terminator| Collective::of(end).map(|collective| collective.op);
        let mut places = self.places();
        let (_, end) = places.find(|(lanes, _)| lanes >> lane & 1 == 1)?;
        let op = op_of(end)?;
        let same_op = self
            .places()
            .filter(|(_, end)| op_of(end) == Some(op))
            .fold(0, |all, (lanes, _)| all | lanes);
        let group = sem::warp::lanes_of(same_op)
            .filter(|&other| self.masks[other] == self.masks[lane])
            .fold(0u32, |set, lane| set | 1 << lane);
        Some((op, group))
    }

    /// Executes an operation for some lanes, each with the operands and results of its own place.
    fn perform(&self, op: WarpOp, lanes: u32, state: &State<'_>) {
        if op == WarpOp::Sync {
            return;
        }
        let here = self.places().filter(|(at, _)| at & lanes != 0);
        let parts = here.filter_map(|(at, end)| Some((at & lanes, Collective::of(end)?)));
        let mut first = parts.clone();
        match (first.next(), first.next()) {
            (Some((_, collective)), None) => state.warp_op(&collective, lanes, false),
            _ => state.warp_op_apart(op, &self.masks, &parts.collect::<Vec<_>>()),
        }
    }
}

impl JitBlock<'_> {
    /// Prepares thread mode, with no lane at any block yet.
    pub(in crate::jit) fn enter_thread_mode(&mut self, w: usize) {
        let blocks = self.compiled.plan.func.blocks.len();
        let warp = &mut self.warps[w];
        warp.mode = Mode::Threads;
        let mut at = std::mem::take(&mut warp.lanes.pcs);
        at.clear(blocks);
        warp.lanes = Lanes {
            pcs: at,
            hold: 1,
            patience: MAX_PATIENCE,
            ..Lanes::default()
        };
    }

    /// Moves lanes past the end of a block that thread mode (or gang mode, diverging) has run.
    pub(in crate::jit) fn transfer(
        &mut self,
        w: usize,
        block: BlockId,
        mask: u32,
        taken: u32,
    ) -> Result<(), Fault> {
        let compiled = self.compiled;
        let plan = &compiled.plan;
        let code = &plan.func.blocks[block.index()];
        let state = self.state(w);
        match &code.end {
            Terminator::Jump(to) => self.warps[w].lanes.pcs.add(to.index(), mask),
            Terminator::Branch { then, other, .. } => {
                self.warps[w].lanes.pcs.add(then.index(), mask & taken);
                self.warps[w].lanes.pcs.add(other.index(), mask & !taken);
            }
            Terminator::Switch { index, targets, .. } => {
                let values = state.operand(*index, false);
                for lane in sem::warp::lanes_of(mask) {
                    match targets.get(values[lane] as u32 as usize) {
                        Some(to) => self.warps[w].lanes.pcs.add(to.index(), 1 << lane),
                        None => {
                            let message = format!(
                                "a switch on {} has {} targets",
                                values[lane] as u32,
                                targets.len()
                            );
                            return Err(self.place(
                                Fault::new(FaultKind::IllegalInstruction, message),
                                Some(state.gang().first as u32 + lane as u32),
                                code.lines.last().copied(),
                            ));
                        }
                    }
                }
            }
            Terminator::Exit | Terminator::Return => {
                self.warps[w].alive &= !mask;
                self.alive_threads -= mask.count_ones();
                self.check_barriers()?;
            }
            Terminator::Trap => {
                let lane = mask.trailing_zeros();
                return Err(self.place(
                    Fault::new(FaultKind::Trap, "the kernel executed trap"),
                    Some(state.gang().first as u32 + lane),
                    code.lines.last().copied(),
                ));
            }
            Terminator::Warp {
                op: WarpOp::ActiveMask | WarpOp::Step,
                dsts,
                next,
                ..
            } => {
                if let Some(home) = dsts
                    .first()
                    .copied()
                    .flatten()
                    .and_then(|dst| plan.layout.home(dst))
                {
                    state.write(home, mask, &[u64::from(mask); 32], false);
                }
                self.warps[w].lanes.pcs.add(next.index(), mask);
            }
            Terminator::Warp {
                op,
                mask: members,
                next,
                ..
            } => {
                let on = code.mask.map_or(u32::MAX, |mask| state.masked(mask));
                let members = (*members, state.operand(*members, false));
                if let Some((lane, fault)) =
                    sem::warp::left_out(*op, members.0, &members.1, mask & on)
                {
                    let thread = state.gang().first as u32 + lane as u32;
                    return Err(self.place(fault, Some(thread), code.lines.last().copied()));
                }
                let alive = self.warps[w].alive;
                let lanes = &mut self.warps[w].lanes;
                lanes.pcs.add(next.index(), mask & !on);
                let mask = mask & on;
                if mask == 0 {
                    return Ok(());
                }
                // Mostly these lanes are all that take part.
                let one = members.1[mask.trailing_zeros() as usize];
                let meet = |lane: usize| members.1[lane] == one;
                if lanes.in_op == 0
                    && one as u32 & alive & !mask == 0
                    && (members.0.reg().is_none() || sem::warp::lanes_of(mask).all(meet))
                {
                    lanes.pcs.add(next.index(), mask);
                    if let Some(op) = Collective::of(&code.end).filter(|c| c.op != WarpOp::Sync) {
                        state.warp_op(&op, mask, false);
                    }
                    return Ok(());
                }
                lanes.in_op |= mask;
                for lane in sem::warp::lanes_of(mask) {
                    lanes.block[lane] = block.0;
                }
                self.complete_warp_ops(w, false);
            }
            Terminator::Cluster { step, next } => {
                self.threads_at_cluster_barrier(w, block, mask, *step, *next);
            }
            Terminator::Pause { next } => {
                let lanes = &mut self.warps[w].lanes;
                lanes.pcs.add(next.index(), mask);
                lanes.paused |= mask;
            }
            Terminator::Barrier {
                kind,
                id,
                count,
                pred,
                next,
                ..
            } => {
                let ids = state.operand(*id, false);
                let counts = count.map(|c| state.operand(c, false));
                let preds = pred.map_or([0; 32], |p| state.operand(p, false));
                let waits = *kind != BarrierKind::Arrive;
                for lane in sem::warp::lanes_of(mask) {
                    let lanes = &mut self.warps[w].lanes;
                    if waits {
                        lanes.in_barrier |= 1 << lane;
                        lanes.block[lane] = block.0;
                        lanes.barrier[lane] = ids[lane] as u32 % BarrierKind::COUNT as u32;
                    } else {
                        lanes.pcs.add(next.index(), 1 << lane);
                    }
                }
                // Lanes at the same barrier arrive together.
                let mut rest = mask;
                while rest != 0 {
                    let lane = rest.trailing_zeros() as usize;
                    let expected = counts.map(|c| c[lane] as u32);
                    let same =
                        |&l: &usize| ids[l] == ids[lane] && counts.map(|c| c[l] as u32) == expected;
                    let here = sem::warp::lanes_of(rest)
                        .filter(same)
                        .fold(0u32, |set, l| set | 1 << l);
                    rest &= !here;
                    let held = sem::warp::lanes_of(here).map(|l| preds[l] as u32 & 1).sum();
                    self.arrive((*kind, ids[lane] as u32), (w, here), held, expected)?;
                }
            }
        }
        Ok(())
    }

    /// Executes the warp operations whose members have all arrived, and with `force` also those with missing members.
    /// Tells whether any was executed. [`sem::warp`] says which lanes meet.
    pub(in crate::jit) fn complete_warp_ops(&mut self, w: usize, force: bool) -> bool {
        let state = self.state(w);
        let waiting = Waiting::new(&self.warps[w].lanes, &state);
        let alive = self.warps[w].alive;
        let ready = |group: u32, mask: u32| force || mask & alive & !group == 0;
        let mut any = false;
        let mut left = waiting.lanes();
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let Some((op, mut group)) = waiting.group(lane) else {
                left &= left - 1;
                continue;
            };
            left &= !group;
            if !ready(group, waiting.masks[lane]) {
                continue;
            }
            // A shuffle takes along the other complete meetings at its place.
            let place = waiting.lanes_at(lane);
            if matches!(op, WarpOp::Shuffle(_)) && group & !place == 0 {
                let mut others = left & place;
                while others != 0 {
                    let lane = others.trailing_zeros() as usize;
                    let other = waiting.group(lane).map_or(1 << lane, |(_, lanes)| lanes);
                    others &= !other;
                    if other & !place == 0 && ready(other, waiting.masks[lane]) {
                        group |= other;
                    }
                }
                left &= !group;
            }
            any = true;
            waiting.perform(op, group, &state);
            let lanes = &mut self.warps[w].lanes;
            lanes.in_op &= !group;
            for &(at, end) in waiting.places() {
                if let Terminator::Warp { next, .. } = end {
                    lanes.pcs.add(next.index(), at & group);
                }
            }
        }
        any
    }

    /// Executes warp operations of lanes whose partners wait at a barrier that cannot complete. Tells whether there
    /// were any.
    pub(in crate::jit) fn force_warp_ops(&mut self) -> bool {
        let stuck = |warp: &Warp| warp.mode == Mode::Threads && warp.lanes.in_op != 0;
        let mut any = false;
        for w in 0..self.warps.len() {
            any |= stuck(&self.warps[w]) && self.complete_warp_ops(w, true);
        }
        any
    }

    /// Chooses the block that thread mode runs next, and the number of blocks that may run before the next choice: the
    /// first block that has lanes, and from time to time another one.
    pub(in crate::jit) fn pick(&mut self, w: usize) -> Option<(usize, u32)> {
        let lanes = &mut self.warps[w].lanes;
        lanes.steps = lanes.steps.wrapping_add(1);
        if lanes.favoured > 0 {
            lanes.favoured -= 1;
            if lanes.favoured == 0 {
                lanes.paused = 0;
            }
        }
        let paused = lanes.paused;
        let waited = lanes.steps.wrapping_sub(lanes.turned);
        if paused == 0 && waited >= lanes.patience || lanes.pcs.waits >= WAITS_BEFORE_ROTATION {
            let waited_often = std::mem::take(&mut lanes.pcs.waits) >= WAITS_BEFORE_ROTATION;
            let after = lanes.pcs.first(lanes.last, paused);
            let pick = match after {
                Some(n) => n,
                None => lanes.pcs.first(0, paused)?,
            };
            lanes.last = pick + 1;
            lanes.turned = lanes.steps;
            if !waited_often {
                lanes.patience = (lanes.patience / 4).max(MIN_PATIENCE);
                lanes.favoured = FAVOURED_STEPS;
                lanes.paused = !lanes.pcs.lanes_at(pick);
            }
            return Some((pick, 1));
        }
        let until = match paused {
            0 => lanes.patience.saturating_sub(waited),
            _ => 0,
        };
        Some((lanes.pcs.first(0, paused)?, until.max(1)))
    }

    pub(in crate::jit) fn run_threads(&mut self, w: usize) -> Result<Option<TurnOutcome>, Fault> {
        let mut left = THREAD_MODE_STEPS;
        while left > 0 {
            // The warp's own arrival may have completed a barrier, after which it is a gang.
            if self.warps[w].mode != Mode::Threads {
                return Ok(None);
            }
            if self.warps[w].alive == 0 {
                self.warps[w].mode = Mode::Done;
                self.check_barriers()?;
                return Ok(Some(TurnOutcome::Stopped));
            }
            let Some((block, steps)) = self.pick(w) else {
                if std::mem::take(&mut self.warps[w].lanes.paused) != 0 {
                    return Ok(Some(TurnOutcome::Paused));
                }
                let lanes = &self.warps[w].lanes;
                let stuck = lanes.in_op != 0;
                // Lanes at a barrier may still arrive.
                let none_at_barrier = lanes.in_barrier | lanes.in_cluster == 0;
                if stuck
                    && (self.complete_warp_ops(w, false)
                        || none_at_barrier && self.complete_warp_ops(w, true))
                {
                    continue;
                }
                return Ok(Some(TurnOutcome::Stopped));
            };
            let lanes = &mut self.warps[w].lanes;
            let mask = lanes.pcs.lanes_at(block) & !lanes.paused;
            let mut steps = steps.min(left);
            if lanes.hold > 0 {
                steps = steps.min(lanes.hold);
            } else if mask == u32::MAX && self.try_reconverge(w, BlockId(block as u32)) {
                return Ok(None);
            }
            let waits = std::mem::take(&mut self.env.waits);
            let ran = self.thread_step(w, block, mask, steps)?;
            let cost = ran.saturating_mul(step_cost(self.env.waits)).min(left);
            left -= cost;
            self.turn_fuel += i64::from(cost) * STEP_FUEL;
            self.env.waits |= waits;
        }
        Ok(Some(TurnOutcome::OutOfFuel))
    }

    /// Returns to gang mode at `block` if the lanes' values have the required uniformity.
    pub(in crate::jit) fn try_reconverge(&mut self, w: usize, block: BlockId) -> bool {
        let compiled = self.compiled;
        let plan = &compiled.plan;
        let masked = plan.func.blocks[block.index()].mask.is_some();
        if masked || !plan.entries[block.index()] {
            return false;
        }
        if !self
            .state(w)
            .gather_if_uniform(compiled.non_varying_homes(block))
        {
            self.warps[w].lanes.hold = RECONVERGENCE_DELAY;
            return false;
        }
        self.warps[w].mode = Mode::Gang(block);
        true
    }

    /// Runs `block` for the lanes `mask`, and then up to `steps - 1` other blocks. Returns the number of blocks that
    /// ran.
    pub(in crate::jit) fn thread_step(
        &mut self,
        w: usize,
        block: usize,
        mask: u32,
        steps: u32,
    ) -> Result<u32, Fault> {
        let state = self.state(w);
        let lanes = &mut self.warps[w].lanes;
        let whole = if lanes.hold == 0 { u32::MAX } else { 0 };
        lanes.pcs.enter(block, mask, steps, whole);
        self.env.lane_pcs = &raw mut lanes.pcs;
        let mut call = ThreadsCall {
            code: self.compiled.thread().map_err(cannot_compile)?.run,
            env: &raw mut *self.env,
            gang: state.gang,
            block: block as u64,
            mask: u64::from(mask),
        };
        // SAFETY: generated code has no destructors, and helpers have none pending and hold no lock where they access
        // the program's memory. `call` has the environment and a gang of this block, which nothing else accesses
        // meanwhile.
        let result = unsafe { trap::protected(call_threads, (&raw mut call).cast()) };
        let code = result.map_err(|trap| self.trapped(w, trap))?;
        let lanes = &mut self.warps[w].lanes;
        let (block, mask) = (lanes.pcs.block as usize, lanes.pcs.lanes);
        let at_end = code & AT_END != 0;
        // A block that faulted, or whose terminator the runtime handles, has not been counted.
        let ran =
            (steps - lanes.pcs.steps_left - lanes.pcs.steps_unused + u32::from(at_end)).max(1);
        // The first block was counted when it was chosen.
        lanes.steps = lanes.steps.wrapping_add(ran - 1);
        lanes.hold = lanes.hold.saturating_sub(ran);
        if code & FAULT != 0 {
            let header = state.gang();
            if header.fault_inst == RUNTIME_FAULT {
                return Err(self.runtime_fault());
            }
            let code = &self.compiled.plan.func.blocks[block];
            let inst = &code.insts[header.fault_inst as usize];
            let fault = self
                .bad_access(inst, header.fault_address)
                .unwrap_or_else(|| Fault::new(FaultKind::IllegalAddress, "an illegal address"));
            let line = code.lines.get(header.fault_inst as usize).copied();
            return Err(self.place(fault, Some(header.first as u32 + header.fault_lane), line));
        }
        if at_end {
            self.transfer(w, BlockId(block as u32), mask, 0)?;
        }
        Ok(ran)
    }
}
