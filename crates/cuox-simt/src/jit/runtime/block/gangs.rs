//! Gang mode at run time: setting up gangs, running them, splitting them into warps and merging them again.
//!
//! A gang runs until it ends, waits, faults, or its lanes diverge. A bailout splits it into warps, and a warp that
//! cannot run a block as a gang continues in thread mode. When all warps are about to enter the same block again, they
//! are merged into one gang.

use crate::jit::chaos;
use crate::jit::runtime::block::*;
use crate::sys::float_mode;

#[repr(C)]
struct GangCall {
    code: GangFn,
    env: *mut Env,
    gang: *mut Gang,
    entry: u64,
    /// True if the processor is to flush subnormal numbers.
    flushes: bool,
}

unsafe extern "C" fn call_gang(arg: *mut u8) -> u64 {
    // SAFETY: `trap::protected` passes the `GangCall` that `run_gang` created, which lives until it returns.
    let call = unsafe { &*arg.cast::<GangCall>() };
    // SAFETY: the code was generated for these structures, which belong to this block and live until it returns.
    let run = || unsafe { (call.code)(call.env, call.gang, call.entry) };
    let code = match call.flushes {
        true => float_mode::flushing(run),
        false => run(),
    };
    // Non-temporal stores must become visible before anything that follows.
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has this instruction.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
    code
}

impl JitBlock<'_> {
    /// Returns the row layout of a gang of `count` lanes from `first` on. A gang within one row is treated as a row of
    /// its own.
    fn rows(&self, first: u64, count: u64) -> Rows {
        let width = match self.compiled.plan.shape {
            Shape::Planes(_) => u64::from(self.grid.block[0]),
            Shape::Warp
            | Shape::HalfWarps
            | Shape::Line
            | Shape::MultipleOf16
            | Shape::MultipleOf4
            | Shape::Any => u64::MAX,
        };
        let ahead = first % width;
        match ahead + count <= width {
            true => Rows {
                width: count,
                ahead: 0,
            },
            false => Rows { width, ahead },
        }
    }

    /// Sets up the gang of `count` warps that `w` leads.
    pub(crate) fn set_up_gang(&mut self, w: usize, count: usize) {
        let lane = w as u32 * 32;
        let whole_block = u32::from(count == self.warps.len());
        let local = self.block.local + u64::from(lane) * u64::from(self.grid.local_bytes);
        let tid0 = self.grid.tid(lane);
        let lanes = (count as u64 * 32).min(u64::from(self.grid.threads() - lane));
        let rows = self.rows(u64::from(lane), lanes);
        let mut state = self.state(w);
        let gang = state.gang_mut();
        gang.first = u64::from(lane);
        gang.count = lanes;
        gang.width = rows.width;
        gang.ahead = rows.ahead;
        gang.last_row = (rows.ahead + lanes - 1) / rows.width;
        gang.inverse = (1u64 << 32).div_ceil(rows.width);
        gang.whole_block = whole_block;
        gang.tid0 = tid0;
        gang.local = local;
        self.warps[w].gang = count;
    }

    /// Splits a gang into its warps, each with its share of the gang's values of `regs`, and calls `f` for each.
    pub(in crate::jit) fn split(
        &mut self,
        leader: usize,
        regs: impl Iterator<Item = Reg> + Clone,
        mut f: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let count = self.warps[leader].gang;
        let layout = &self.compiled.plan.layout;
        for w in (leader..leader + count).rev() {
            self.set_up_gang(w, 1);
            if w != leader {
                let (from, to) = (self.member(leader, w), self.state(w));
                for home in regs.clone().filter_map(|reg| layout.home(reg)) {
                    if home.uniformity.is_one_per_gang() {
                        let base = from.read(home, true)[0];
                        let line = from.affine_value(home);
                        to.set_affine_value(home, AffineValue { base, ..line });
                    }
                }
            }
        }
        for w in leader..leader + count {
            f(self, w)?;
        }
        Ok(())
    }

    /// Merges all warps into one gang again if each is a gang by itself, about to enter the same block, and their
    /// values of its live registers have the required uniformity.
    pub(in crate::jit) fn merge(&mut self, block: BlockId) {
        let count = self.warps.len();
        let apart = |w: &Warp| w.mode == Mode::Gang(block) && w.gang == 1;
        if self.failed_merges >= MAX_FAILED_MERGES || count < 2 || self.gang_warps != count {
            return;
        }
        if !self.warps.iter().all(apart) {
            return;
        }
        let rows = self.rows(0, u64::from(self.grid.threads()));
        // The first warp in another row than the first lane's.
        let below = (1..count as u64).find(|w| !rows.same(32 * w));
        let mut lines = Vec::new();
        let live = self.compiled.plan.live.live_in(block);
        for home in live
            .iter()
            .filter_map(|reg| self.compiled.plan.layout.home(reg))
        {
            if !home.uniformity.is_one_per_gang() {
                continue;
            }
            let mut line = self.state(0).affine_value(home);
            let affine = matches!(home.uniformity, Uniformity::Affine(_));
            if let Some(w) = below.filter(|_| affine && rows.same(31)) {
                let next = self.state(w as usize).affine_value(home);
                line = AffineValue::through(line.base, (32 * w, next.base), line.stride, rows);
            }
            let fits = (1..count).all(|w| {
                let (own, gang) = (
                    self.state(w).affine_value(home),
                    self.state(w).gang().rows(),
                );
                let steps = gang.same(31) || (own.step ^ line.step) & home.ty.mask() == 0;
                steps && own.base == line.at(w as u64 * 32, rows, home.ty)
            });
            if !fits {
                return;
            }
            lines.push((home, line));
        }
        self.set_up_gang(0, count);
        for (home, line) in lines {
            self.state(0).set_affine_value(home, line);
        }
        self.merged = true;
        for warp in &mut self.warps[1..] {
            warp.mode = Mode::Member;
        }
    }

    pub(crate) fn run_gang(
        &mut self,
        leader: &mut usize,
        at: BlockId,
    ) -> Result<Option<TurnOutcome>, Fault> {
        let w = *leader;
        let fuel = match self.compiled.plan.chaos {
            true => chaos::fuel(&mut self.env.chaos),
            false => FUEL,
        };
        self.env.fuel = fuel;
        // Code that finishes a gang continues directly with the next if none has been started after this one, and then
        // with the next block if nothing of this one remains.
        let gang = self.warps[w].gang;
        let fresh = gang == self.gang_warps
            && w + gang == self.started
            && self.full_warps == self.warps.len();
        let alone = fresh && self.alive_threads == self.grid.threads() - 32 * w as u32;
        let rest = self.full_warps - self.started.min(self.full_warps);
        let alone = alone && !self.compiled.plan.shape.is_warp();
        let following = if alone { self.following } else { 0 };
        self.env.gangs_left = if alone {
            (rest / self.gang_warps) as i64
        } else {
            0
        };
        self.env.blocks_left = following as i64;
        let rounds = self.begin_rounds(w, at);
        // The round while a warp of it runs other code than its own.
        let mut away = None;
        let mut w = w;
        let mut entry_point = EntryPoint::Block(at);
        let result = loop {
            let (part, entry) = self.compiled.plan.hot_cold.entry_point(entry_point);
            let code = self.compiled.gang(part).map_err(cannot_compile)?;
            self.env.wide = code.wide.as_ptr();
            let mut call = GangCall {
                code: code.run,
                env: &raw mut *self.env,
                gang: self.state(w).gang,
                entry: u64::from(entry),
                flushes: self.compiled.plan.flushes,
            };
            // SAFETY: generated code has no destructors, and helpers have none pending and hold no lock where they
            // access the program's memory.
            let result = unsafe { trap::protected(call_gang, (&raw mut call).cast()) };
            match result {
                Ok(code) if Exit::from_code(code) == Exit::Elsewhere => {
                    if rounds {
                        if away.is_none() {
                            w = self.round_at();
                        }
                        self.turn_about(&mut away);
                    }
                    entry_point = self.compiled.plan.entry_point(BlockId((code >> 8) as u32));
                }
                result => break result,
            }
        };
        let w = match rounds {
            true => {
                self.turn_back(away);
                let rest = |code: &u64| Exit::from_code(*code) == Exit::Rest;
                self.end_rounds(result.as_ref().is_ok_and(rest))?
            }
            false => self.current_leader(w, following),
        };
        *leader = w;
        self.turn_fuel += fuel - self.env.fuel.clamp(0, fuel);
        let code = result.map_err(|trap| self.trapped(w, trap))?;
        let block = BlockId((code >> 8) as u32);
        let plan = &self.compiled.plan;
        if std::mem::take(&mut self.merged) {
            let broken = matches!(Exit::from_code(code), Exit::Bailout | Exit::Diverge);
            self.failed_merges += u32::from(broken);
        }
        match Exit::from_code(code) {
            Exit::Done => {
                let gang = self.warps[w].gang;
                self.alive_threads -= self.state(w).gang().count as u32;
                for warp in &mut self.warps[w..w + gang] {
                    warp.alive = 0;
                    warp.mode = Mode::Done;
                }
                self.check_barriers()?;
                Ok(Some(TurnOutcome::Stopped))
            }
            Exit::Yield | Exit::Rest => {
                self.warps[w].mode = Mode::Gang(block);
                // Code leaves with fuel where it sleeps.
                Ok(Some(match self.env.fuel < 0 {
                    true => TurnOutcome::OutOfFuel,
                    false => TurnOutcome::Paused,
                }))
            }
            Exit::Bailout => {
                let live = plan.live.live_in(block);
                // A gang enters a masked block only if some lane is active in it.
                let masked = plan.func.blocks[block.index()].mask.is_some();
                let gang = self.warps[w].gang;
                if gang > 1 && !masked && plan.entries[block.index()] {
                    // Perhaps only some of the warps cannot run it.
                    self.split(w, live.iter().collect::<Vec<_>>().into_iter(), |this, n| {
                        this.warps[n].mode = Mode::Gang(block);
                        Ok(())
                    })?;
                    return Ok(None);
                }
                self.split(w, live.iter().collect::<Vec<_>>().into_iter(), |this, n| {
                    this.state(n)
                        .store_to_lanes(plan.live.live_in(block).iter());
                    this.enter_thread_mode(n);
                    let alive = this.warps[n].alive;
                    this.warps[n].lanes.pcs.add(block.index(), alive);
                    Ok(())
                })?;
                Ok(None)
            }
            Exit::Diverge => {
                let live = self.after(block);
                self.split(w, live.clone().into_iter(), |this, n| {
                    this.diverge(n, block, &live)
                })?;
                Ok(None)
            }
            Exit::Barrier => self.gang_at_barrier(w, block),
            Exit::Trap => Err(self.place(
                Fault::new(FaultKind::Trap, "the kernel executed trap"),
                Some(self.state(w).gang().first as u32),
                None,
            )),
            Exit::Fault | Exit::Elsewhere => Err(self.gang_fault(w, block)),
        }
    }

    /// Returns the registers that are live after `block` or read by its terminator.
    pub(in crate::jit) fn after(&self, block: BlockId) -> Vec<Reg> {
        let plan = &self.compiled.plan;
        let mut live = plan.live.live_out(&plan.func, block);
        plan.func.blocks[block.index()].end.uses(|o| {
            if let Operand::Reg(reg) = o {
                live.insert(reg);
            }
        });
        live.iter().collect()
    }

    /// Continues with a warp whose lanes may diverge at the end of `block`.
    pub(in crate::jit) fn diverge(
        &mut self,
        w: usize,
        block: BlockId,
        live: &[Reg],
    ) -> Result<(), Fault> {
        let plan = &self.compiled.plan;
        let (state, alive) = (self.state(w), self.warps[w].alive);
        let mut taken = 0;
        if let Terminator::Branch {
            cond, then, other, ..
        } = &plan.func.blocks[block.index()].end
        {
            taken = plan.layout.home(*cond).map_or(0, |home| state.pred(home));
            let to = match taken {
                0 => Some(*other),
                _ if taken == alive => Some(*then),
                _ => None,
            };
            if let Some(to) = to.filter(|to| plan.entries[to.index()]) {
                self.warps[w].mode = Mode::Gang(to);
                return Ok(());
            }
        }
        state.store_to_lanes(live.iter().copied());
        self.enter_thread_mode(w);
        self.transfer(w, block, alive, taken)
    }

    /// Returns the warp that leads the gang at which gang mode stopped: code may have finished the gang of `w` and
    /// continued with later gangs and blocks, in the same memory.
    fn current_leader(&mut self, w: usize, following: u64) -> usize {
        let now = self.state(w).gang().first as usize / 32;
        let left = self.env.blocks_left as u64;
        let moved = left < following;
        if !moved && now == w {
            return w;
        }
        if moved {
            self.following -= following - left;
            self.block.ctaid = self.env.ctaid;
            self.reset_warps();
        }
        if now != w {
            let bytes = self.compiled.plan.layout.gang_bytes as usize;
            let (from, to) = (self.state(w).gang, self.state(now).gang);
            // SAFETY: source and target are the states of two different gangs, each of the layout's size.
            unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), bytes) };
        }
        for done in &mut self.warps[..now] {
            done.mode = Mode::Done;
            done.alive = 0;
        }
        self.alive_threads = self.grid.threads() - 32 * now as u32;
        self.started = now + self.warps[now].gang;
        now
    }
}
