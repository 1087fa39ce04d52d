//! Rounds of a block's warps ([`crate::jit::gang::rounds`]): when code may run all of them, and what has become of each
//! when it returns.

use crate::jit::runtime::block::*;
use crate::jit::runtime::layout::ended;
use crate::passes::hot_cold::CodePart;

impl JitBlock<'_> {
    /// Lets code run all warps from `at` on, the first of which is `w`, if all are about to enter that block.
    pub(in crate::jit) fn begin_rounds(&mut self, w: usize, at: BlockId) -> bool {
        let plan = &self.compiled.plan;
        let count = self.warps.len();
        let (part, entry) = plan.hot_cold.entry_point(EntryPoint::Block(at));
        let together = |warp: &Warp| warp.mode == Mode::Gang(at) && warp.alive == u32::MAX;
        if !plan.shape.is_warp()
            || w != 0
            || part != CodePart::Hot
            || self.full_warps != count
            || !self.warps.iter().all(together)
        {
            return false;
        }
        for n in self.started..count {
            self.set_up_gang(n, 1);
        }
        self.started = count;
        self.env.blocks_left = self.following as i64;
        self.env.round = Round {
            left: count as i64 - 1,
            entry: entry.into(),
            block: at.0.into(),
            warps: count as i64,
            ..Round::default()
        };
        true
    }

    /// The warp of the round that runs.
    pub(in crate::jit) fn round_at(&self) -> usize {
        self.warps.len() - 1 - self.env.round.left as usize
    }

    /// Interrupts the round, as its warp goes on in other code, or continues it.
    pub(in crate::jit) fn turn_about(&mut self, away: &mut Option<Round>) {
        if away.is_none() {
            *away = Some(self.env.round);
            self.env.round.left = -1;
        } else {
            self.turn_back(away.take());
        }
    }

    /// Continues a round that was interrupted.
    pub(in crate::jit) fn turn_back(&mut self, away: Option<Round>) {
        if let Some(round) = away {
            self.env.round = round;
        }
    }

    /// Notes what the warps have come to. Returns the warp at which code has returned; where it `rests`, that warp has
    /// not gone on after the barrier.
    pub(in crate::jit) fn end_rounds(&mut self, rests: bool) -> Result<usize, Fault> {
        let round = std::mem::replace(
            &mut self.env.round,
            Round {
                left: -1,
                warps: self.warps.len() as i64,
                ..Round::default()
            },
        );
        let count = self.warps.len();
        let at = count - 1 - round.left as usize;
        self.turn_fuel += round.used;
        let following = self.env.blocks_left as u64;
        self.env.blocks_left = 0;
        if following != self.following {
            self.following = following;
            self.block.ctaid = self.env.ctaid;
            self.reset_warps();
            self.started = count;
        }
        for n in 0..count {
            if n >= at {
                self.warps[n].mode = Mode::Gang(BlockId(round.block as u32));
            } else if round.exit == ended() {
                self.warps[n].mode = Mode::Done;
                self.warps[n].alive = 0;
                self.alive_threads -= 32;
            }
        }
        self.hand_out(&round, at, rests);
        if round.exit > ended() {
            for n in 0..at {
                self.gang_at_barrier(n, BlockId((round.exit - 2) as u32))?;
            }
        }
        Ok(at)
    }

    /// Writes the result of the barrier before for the warps that have not gone on after it.
    fn hand_out(&mut self, round: &Round, at: usize, rests: bool) {
        let plan = &self.compiled.plan;
        let Some(barrier) = usize::try_from(round.barrier - 1).ok() else {
            return;
        };
        if let Terminator::Barrier {
            pred: Some(_),
            dst: Some(dst),
            ..
        } = plan.func.blocks[barrier].end
            && let Some(home) = plan.layout.home(dst)
        {
            let value = AffineValue {
                base: round.result.into(),
                stride: 0,
                step: 0,
            };
            let first = if rests { at } else { at + 1 };
            for n in first..self.warps.len() {
                self.state(n).set_affine_value(home, value);
            }
        }
    }
}
