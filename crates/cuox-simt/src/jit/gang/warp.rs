//! Inline code for warp operations of a gang.
//!
//! Votes work on the predicates' mask words; shuffles and reductions read the slots of other lanes. Operations without
//! inline code call a helper.

use crate::analysis::uniformity::Uniformity;
use crate::ir::{Operand, Redux, Reg, Shuffle, Ty, Vote, WarpOp};
use crate::jit::emit::value::{GROUP, Lanes, trusted};
use crate::jit::gang::GangCodegen;
use crate::jit::gang::invariants::Invariant;
use crate::jit::runtime::layout::{Home, lane_bytes};
use crate::sem;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl GangCodegen<'_, '_, '_, '_> {
    /// Emits inline code for votes, and for operations that permute or combine the lanes of whole warps. Returns false
    /// if there is none.
    pub(crate) fn inline_warp(
        &mut self,
        op: WarpOp,
        mask: Operand,
        args: &[Operand],
        dsts: &[Option<Reg>],
    ) -> bool {
        let whole = matches!(mask, Operand::Imm(all) if all as u32 == u32::MAX);
        let home_of = |f: &Self, operand: Option<&Operand>| match operand {
            Some(Operand::Reg(reg)) => f.plan.layout.home(*reg),
            _ => None,
        };
        let (Some(source), true) = (home_of(self, args.first()), whole) else {
            return false;
        };
        if source.uniformity != Uniformity::Varying {
            return false;
        }
        let home = |n: usize| {
            let dst = dsts.get(n).copied().flatten()?;
            Some((dst, self.plan.layout.home(dst)?))
        };
        let dst = home(0).map(|(_, home)| home);
        let live = self.plan.live.live_out(&self.plan.func, self.at);
        let second = home(1).filter(|(dst, _)| live.contains(*dst));
        let second = second.map(|(_, home)| home);
        self.early = true;
        args.iter().for_each(|&arg| self.hold(arg));
        self.begin_loops();
        match op {
            WarpOp::Vote(vote) => match dst {
                Some(dst) => self.inline_vote(vote, source, dst),
                None => true,
            },
            WarpOp::Redux(redux) => match dst {
                Some(dst) => self.inline_redux(redux, source, dst),
                None => true,
            },
            WarpOp::Shuffle(mode) => {
                let constant = |n: usize| match args.get(n) {
                    Some(Operand::Imm(bits)) => Some(*bits as u32),
                    _ => None,
                };
                let plain = lane_bytes(source.ty) == 4
                    && source.ty != Ty::Pred
                    && dst.is_none_or(|dst| source.lanes != dst.lanes);
                let own =
                    |home: Option<Home>| home.is_none_or(|h| h.uniformity == Uniformity::Varying);
                if !plain || !own(dst) || !own(second) {
                    return false;
                }
                if let (Some(by), Some(clamp)) = (constant(1), constant(2)) {
                    let full = match mode {
                        Shuffle::Up => clamp == 0,
                        _ => clamp == 31,
                    };
                    if full && by < 32 {
                        if let Some(dst) = dst {
                            self.inline_shuffle(mode, by, source, dst);
                        }
                        if let Some(second) = second {
                            let (by, clamp) = ([u64::from(by); 32], [u64::from(clamp); 32]);
                            let (_, fits) =
                                sem::warp::shuffle(mode, &[0; 32], &by, &clamp, u32::MAX);
                            self.fill_masks(second, fits);
                        }
                        return true;
                    }
                }
                if let (Shuffle::Index, Some(31)) = (mode, constant(2))
                    && self.plan.uniformity.operand(args[1]) == Uniformity::Uniform
                {
                    if let Some(dst) = dst {
                        self.broadcast(args[1], source, dst);
                    }
                    if let Some(second) = second {
                        self.fill_masks(second, u32::MAX);
                    }
                    return true;
                }
                self.any_shuffle(mode, args, source, dst, second);
                true
            }
            _ => false,
        }
    }

    fn inline_vote(&mut self, vote: Vote, source: Home, dst: Home) -> bool {
        // Results are stored for each group (ballots) or as masks (all others).
        match (vote, dst.uniformity) {
            // The gang is one warp.
            (_, Uniformity::Uniform) => {
                let zero = self.g.e.iconst(types::I64, 0);
                let mask = self.mask_word(source, zero);
                let value = match vote {
                    Vote::Ballot => mask,
                    _ => self.vote_holds(vote, mask),
                };
                let b = &mut self.g.e.b;
                b.ins()
                    .store(trusted(), value, self.gang, dst.scalar as i32);
            }
            (Vote::Ballot, Uniformity::PiecewiseAffine(_)) => {
                let groups = self.begin_visits(GROUP as i64);
                self.lane = groups.at;
                let skip = self.skip_inactive_warp(groups.at);
                let mask = self.mask_word(source, groups.at);
                self.store_piecewise(dst, mask);
                self.end_warp(skip);
                self.end_visits(&groups, GROUP as i64);
            }
            (Vote::All | Vote::Any | Vote::Uni, Uniformity::Varying) => {
                let warps = self.begin_visits(32);
                let skip = self.skip_inactive_warp(warps.at);
                let mask = self.mask_word(source, warps.at);
                let holds = self.vote_holds(vote, mask);
                let e = &mut self.g.e;
                let word = e.b.ins().uextend(types::I32, holds);
                let word = e.b.ins().ineg(word);
                let at = self.mask_address(warps.at);
                self.g
                    .e
                    .b
                    .ins()
                    .store(trusted(), word, at, dst.lanes as i32);
                self.end_warp(skip);
                self.end_visits(&warps, 32);
            }
            _ => return false,
        }
        true
    }

    /// The result of a vote that is no ballot (I8).
    fn vote_holds(&mut self, vote: Vote, mask: Value) -> Value {
        let b = &mut self.g.e.b;
        let all = b.ins().icmp_imm_s(IntCC::Equal, mask, -1);
        let none = b.ins().icmp_imm_u(IntCC::Equal, mask, 0);
        match vote {
            Vote::All => all,
            Vote::Any => b.ins().icmp_imm_u(IntCC::NotEqual, mask, 0),
            _ => b.ins().bor(all, none),
        }
    }

    /// Emits a reduction: the groups of a warp as vectors, then the lanes of the last one. Its result is stored for
    /// each group, or for each lane.
    fn inline_redux(&mut self, redux: Redux, source: Home, dst: Home) -> bool {
        let (by_group, once) = match dst.uniformity {
            Uniformity::PiecewiseAffine(_) => (true, false),
            Uniformity::Varying => (false, false),
            Uniformity::Uniform => (false, true),
            Uniformity::Affine(_) => return false,
        };
        if lane_bytes(source.ty) != 4 || source.ty == Ty::Pred || lane_bytes(dst.ty) != 4 {
            return false;
        }
        let groups = 32 / GROUP as i32;
        let warps = self.begin_visits(32);
        let skip = self.skip_inactive_warp(warps.at);
        let ahead = self.g.e.b.ins().ishl_imm_u(warps.at, 2);
        let slots = self.invariant(Invariant::Slots4);
        let warp = self.g.e.b.ins().iadd(slots, ahead);
        let mut parts: Vec<_> = (0..groups)
            .map(|group| {
                let offset = source.lanes as i32 + 16 * group;
                let b = &mut self.g.e.b;
                b.ins().load(types::I32X4, trusted(), warp, offset)
            })
            .collect();
        while parts.len() > 1 {
            let (low, high) = parts.split_at(parts.len() / 2);
            let pairs = low.iter().zip(high);
            parts = pairs.map(|(&a, &b)| self.combined(redux, a, b)).collect();
        }
        let all = parts[0];
        let crossed = self.words(all, all, [8, 12, 0, 4]);
        let all = self.combined(redux, all, crossed);
        let crossed = self.words(all, all, [4, 0, 12, 8]);
        let all = self.combined(redux, all, crossed);
        if once {
            let b = &mut self.g.e.b;
            let one = b.ins().extractlane(all, 0);
            b.ins().store(trusted(), one, self.gang, dst.scalar as i32);
        } else if by_group {
            let one = self.g.e.b.ins().extractlane(all, 0);
            for group in 0..groups {
                let first = i64::from(group) * GROUP as i64;
                self.lane = self.g.e.b.ins().iadd_imm_u(warps.at, first);
                self.store_piecewise(dst, one);
            }
        } else {
            for group in 0..groups {
                let offset = dst.lanes as i32 + 16 * group;
                self.g.e.b.ins().store(trusted(), all, warp, offset);
            }
        }
        self.end_warp(skip);
        self.end_visits(&warps, 32);
        true
    }

    /// The combination of two words or vectors of them.
    fn combined(&mut self, redux: Redux, a: Value, b: Value) -> Value {
        let to = self.g.e.b.ins();
        match redux {
            Redux::Add => to.iadd(a, b),
            Redux::MinU => to.umin(a, b),
            Redux::MinS => to.smin(a, b),
            Redux::MaxU => to.umax(a, b),
            Redux::MaxS => to.smax(a, b),
            Redux::And => to.band(a, b),
            Redux::Or => to.bor(a, b),
            Redux::Xor => to.bxor(a, b),
        }
    }

    /// Emits a shuffle in which each lane reads the slot of another: `lane ^ by`, `lane ± by` where that is in the
    /// warp, or lane `by`.
    fn inline_shuffle(&mut self, mode: Shuffle, by: u32, source: Home, dst: Home) {
        if self.wide_shuffle(mode, by, source, dst) {
            return;
        }
        let groups = self.begin_visits(GROUP as i64);
        self.lane = groups.at;
        let skip = self.skip_inactive_warp(groups.at);
        let to = self.slot_address(dst);
        let own = self.slot_address(source);
        let lane = self.g.e.b.ins().band_imm_u(self.lane, 31);
        let value = match mode {
            Shuffle::Butterfly => {
                let group = self.g.e.b.ins().bxor_imm_u(self.lane, i64::from(by & !3));
                let ahead = self.g.e.b.ins().ishl_imm_u(group, 2);
                let slots = self.invariant(Invariant::Slots4);
                let at = self.g.e.b.ins().iadd(slots, ahead);
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I32X4, trusted(), at, source.lanes as i32);
                let order = [0u8, 1, 2, 3].map(|n| (n ^ (by as u8 & 3)) * 4);
                self.words(v, v, order)
            }
            Shuffle::Index => {
                let first = self.g.e.b.ins().band_imm_s(self.lane, -32);
                let ahead = self.g.e.b.ins().ishl_imm_u(first, 2);
                let slots = self.invariant(Invariant::Slots4);
                let at = self.g.e.b.ins().iadd(slots, ahead);
                let offset = source.lanes as i32 + by as i32 * 4;
                let one = self.g.e.b.ins().load(types::I32, trusted(), at, offset);
                self.g.e.b.ins().splat(types::I32X4, one)
            }
            Shuffle::Up | Shuffle::Down => {
                // A neighbour outside the warp is read but not used; the adjacent slots exist.
                let down = mode == Shuffle::Down;
                let shift = if down { by as i32 } else { -(by as i32) } * 4;
                let there = self.g.e.b.ins().load(
                    types::I32X4,
                    trusted(),
                    own,
                    source.lanes as i32 + shift,
                );
                let here = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I32X4, trusted(), own, source.lanes as i32);
                let lane = self.g.e.b.ins().ireduce(types::I32, lane);
                let all = self.g.e.b.ins().splat(types::I32X4, lane);
                let steps = self.g.e.vconst32([0, 1, 2, 3]);
                let lanes = self.g.e.b.ins().iadd(all, steps);
                let inside = if down {
                    let limit = self.g.e.vconst32([32 - by as i32; 4]);
                    self.g.e.b.ins().icmp(IntCC::SignedLessThan, lanes, limit)
                } else {
                    let limit = self.g.e.vconst32([by as i32; 4]);
                    self.g
                        .e
                        .b
                        .ins()
                        .icmp(IntCC::SignedGreaterThanOrEqual, lanes, limit)
                };
                self.g.e.b.ins().bitselect(inside, there, here)
            }
        };
        self.g
            .e
            .b
            .ins()
            .store(trusted(), value, to, dst.lanes as i32);
        self.end_warp(skip);
        self.end_visits(&groups, GROUP as i64);
    }

    /// Emits a shuffle in which all lanes read one lane of their warp, the same one in every warp.
    fn broadcast(&mut self, from: Operand, source: Home, dst: Home) {
        let from = self.scalar(from, Ty::B32).one();
        let b = &mut self.g.e.b;
        let from = b.ins().band_imm_u(from, 31);
        let from = b.ins().uextend(types::I64, from);
        let from = b.ins().ishl_imm_u(from, 2);
        let slots = self.invariant(Invariant::Slots4);
        let warps = self.begin_visits(32);
        let skip = self.skip_inactive_warp(warps.at);
        let b = &mut self.g.e.b;
        let ahead = b.ins().ishl_imm_u(warps.at, 2);
        let warp = b.ins().iadd(slots, ahead);
        let at = b.ins().iadd(warp, from);
        let one = b.ins().load(types::I32, trusted(), at, source.lanes as i32);
        let all = b.ins().splat(types::I32X4, one);
        for group in 0..32 / GROUP as i32 {
            let offset = dst.lanes as i32 + 16 * group;
            b.ins().store(trusted(), all, warp, offset);
        }
        self.end_warp(skip);
        self.end_visits(&warps, 32);
    }

    /// Stores the same mask word for every warp.
    fn fill_masks(&mut self, dst: Home, word: u32) {
        let word = self.g.e.iconst(types::I32, i64::from(word));
        let warps = self.begin_visits(32);
        let skip = self.skip_inactive_warp(warps.at);
        self.store_mask(dst, warps.at, word);
        self.end_warp(skip);
        self.end_visits(&warps, 32);
    }

    fn store_mask(&mut self, home: Home, warp: Value, word: Value) {
        let at = self.mask_address(warp);
        self.g
            .e
            .b
            .ins()
            .store(trusted(), word, at, home.lanes as i32);
    }

    /// Emits a shuffle whose lanes each compute their source lane; see
    /// [`sem::warp::shuffle`](crate::sem::warp::shuffle).
    fn any_shuffle(
        &mut self,
        mode: Shuffle,
        args: &[Operand],
        source: Home,
        dst: Option<Home>,
        second: Option<Home>,
    ) {
        let warps = self.begin_visits(32);
        let skip = self.skip_inactive_warp(warps.at);
        let fitting = self.g.e.temporary(types::I32);
        let none = self.g.e.iconst(types::I32, 0);
        self.g.e.b.def_var(fitting, none);
        let groups = self.begin_loop(warps.at);
        self.lane = groups.at;
        let by = self.group(args[1], Ty::B32).one();
        let limits = self.group(args[2], Ty::B32).one();
        let e = &mut self.g.e;
        let low = e.vconst32([31; 4]);
        let lane = e.b.ins().ireduce(types::I32, groups.at);
        let lane = e.b.ins().band_imm_u(lane, 31);
        let lane = e.b.ins().splat(types::I32X4, lane);
        let steps = e.vconst32([0, 1, 2, 3]);
        let lane = e.b.ins().iadd(lane, steps);
        let by = e.b.ins().band(by, low);
        let clamp = e.b.ins().band(limits, low);
        let shift = e.iconst(types::I32, 8);
        let segment = e.b.ins().ushr(limits, shift);
        let segment = e.b.ins().band(segment, low);
        let first = e.b.ins().band(lane, segment);
        let inside = e.b.ins().band_not(clamp, segment);
        let last = e.b.ins().bor(first, inside);
        let from = match mode {
            Shuffle::Up => e.b.ins().isub(lane, by),
            Shuffle::Down => e.b.ins().iadd(lane, by),
            Shuffle::Butterfly => e.b.ins().bxor(lane, by),
            Shuffle::Index => {
                let by = e.b.ins().band_not(by, segment);
                e.b.ins().bor(first, by)
            }
        };
        let code = match mode {
            Shuffle::Up => IntCC::SignedGreaterThanOrEqual,
            _ => IntCC::SignedLessThanOrEqual,
        };
        let fits = e.b.ins().icmp(code, from, last);
        if let Some(dst) = dst {
            let from = e.b.ins().band(from, low);
            let from = e.b.ins().bitselect(fits, from, lane);
            let ahead = e.b.ins().ishl_imm_u(warps.at, 2);
            let slots = self.invariant(Invariant::Slots4);
            let e = &mut self.g.e;
            let warp = e.b.ins().iadd(slots, ahead);
            let lanes = std::array::from_fn(|n| {
                let lane = e.b.ins().extractlane(from, n as u8);
                let lane = e.b.ins().uextend(types::I64, lane);
                let ahead = e.b.ins().ishl_imm_u(lane, 2);
                let at = e.b.ins().iadd(warp, ahead);
                let value =
                    e.b.ins()
                        .load(types::I32, trusted(), at, source.lanes as i32);
                Lanes::new(dst.ty, false, &[value])
            });
            let value = e.gather(&lanes);
            self.store_group(dst, value);
        }
        let bits = self.g.e.mask_bits(Lanes::new(Ty::Pred, true, &[fits]));
        let place = self.g.e.b.ins().ireduce(types::I32, groups.at);
        let bits = self.g.e.b.ins().ishl(bits, place);
        let old = self.g.e.b.use_var(fitting);
        let new = self.g.e.b.ins().bor(old, bits);
        self.g.e.b.def_var(fitting, new);
        let end = self.g.e.b.ins().iadd_imm_u(warps.at, 32);
        self.end_loop(&groups, GROUP as i64, end);
        if let Some(second) = second {
            let word = self.g.e.b.use_var(fitting);
            self.store_mask(second, warps.at, word);
        }
        self.end_warp(skip);
        self.end_visits(&warps, 32);
        self.forget();
    }
}
