//! Masked blocks in gang mode: per-lane code for some lanes only (see [`crate::passes::linearize`]).
//!
//! Warps and groups without an active lane are skipped. In a group with an active lane all four lanes compute, and the
//! old values of masked-off lanes are kept where other blocks need them. Memory accesses are vector accesses if all
//! four lanes are active. Otherwise each lane accesses memory separately, masked-off lanes at a scratch address.

use crate::ir::{Address, BlockId, Mask, Op, Operand, Reg, Ty};
use crate::jit::emit::value::{GROUP, Lanes, part_type};
use crate::jit::gang::{GangCodegen, RegValue};
use crate::jit::runtime::layout::{Exit, Gang, Home};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use std::mem::offset_of;

/// Active lanes of a group in a masked block.
#[derive(Clone, Copy)]
pub(crate) struct GroupMask {
    /// One bit per lane (I32).
    pub bits: Value,
    /// The mask as a predicate.
    pub lanes: Lanes,
}

impl GangCodegen<'_, '_, '_, '_> {
    /// Starts the code for the warp at lane `at` in a masked block. Returns the active lanes, and the block to continue
    /// at if there are none. Predicates keep the bits of masked-off lanes.
    pub(crate) fn begin_warp(
        &mut self,
        mask: Mask,
        at: Value,
        gathered: &[(Reg, Variable)],
    ) -> Option<(Value, Block)> {
        let word = self.masked_word(mask, at)?;
        for (reg, var) in gathered {
            if let (Some(home), true) = (self.plan.layout.home(*reg), self.plan.kept.contains(*reg))
            {
                let old = self.mask_word(home, at);
                let others = self.g.e.b.ins().band_not(old, word);
                self.g.e.b.def_var(*var, others);
            }
        }
        let (work, skip) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        self.g.e.b.ins().brif(word, work, &[], skip, &[]);
        self.g.e.b.switch_to_block(work);
        Some((word, skip))
    }

    /// The first active lane of the gang, or a number that [`crate::jit::runtime::helpers::check_one`] finds it by.
    pub(crate) fn first_active(&mut self) -> Value {
        let at = self.at;
        let mask = self.plan.block(at).and_then(|block| block.mask);
        let Some(mask) = mask.filter(|_| self.masked) else {
            return self.g.e.iconst(types::I64, 0);
        };
        // Where masks are in locals, the runtime does not know them.
        if self.locals {
            let zero = self.g.e.iconst(types::I64, 0);
            if let Some(word) = self.masked_word(mask, zero) {
                let b = &mut self.g.e.b;
                let word = b.ins().bor_imm_u(word, 1 << 31);
                let lane = b.ins().ctz(word);
                return b.ins().uextend(types::I64, lane);
            }
        }
        self.g.e.iconst(types::I64, -1 - i64::from(at.0))
    }

    /// Returns the active lanes of the warp at lane `at`.
    fn masked_word(&mut self, mask: Mask, at: Value) -> Option<Value> {
        let home = self.plan.layout.home(mask.reg)?;
        let word = self.mask_word(home, at);
        Some(match mask.negated {
            true => self.g.e.b.ins().bnot(word),
            false => word,
        })
    }

    /// Returns the number of lanes from `at` to the first group of four with an active lane, among the sixteen lanes
    /// from `at` on; some number below sixteen if none of them is active.
    pub(crate) fn active_ahead(&mut self, mask: Mask, at: Value) -> Option<Value> {
        let word = self.masked_word(mask, at)?;
        let b = &mut self.g.e.b;
        let by = b.ins().ireduce(types::I32, at);
        let bits = b.ins().ushr(word, by);
        let bits = b.ins().bor_imm_u(bits, 1 << 15);
        let first = b.ins().ctz(bits);
        let ahead = b.ins().band_imm_u(first, 12);
        Some(b.ins().uextend(types::I64, ahead))
    }

    /// Exits at the end of block `id` unless in each warp all lanes are active or none.
    pub(crate) fn diverge_unless_whole_warps(&mut self, id: BlockId, mask: Mask) {
        let diverges = self.g.e.temporary(types::I8);
        let no = self.g.e.iconst(types::I8, 0);
        self.g.e.b.def_var(diverges, no);
        let warps = self.begin_visits(32);
        if let Some(word) = self.masked_word(mask, warps.at) {
            // All ones and all zeros are neighbours.
            let next = self.g.e.b.ins().iadd_imm_s(word, 1);
            let some = self
                .g
                .e
                .b
                .ins()
                .icmp_imm_u(IntCC::UnsignedGreaterThan, next, 1);
            let old = self.g.e.b.use_var(diverges);
            let new = self.g.e.b.ins().bor(old, some);
            self.g.e.b.def_var(diverges, new);
        }
        self.end_visits(&warps, 32);
        let diverges = self.g.e.b.use_var(diverges);
        let (leave, on) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        self.g.e.b.set_cold_block(leave);
        self.g.e.b.ins().brif(diverges, leave, &[], on, &[]);
        self.g.e.b.switch_to_block(leave);
        self.leave(Exit::Diverge, id);
        self.g.e.b.switch_to_block(on);
    }

    /// Skips the warp of lane `at` if it has no active lane. Returns the block to continue at then.
    pub(crate) fn skip_inactive_warp(&mut self, at: Value) -> Option<Block> {
        let mask = self.plan.func.blocks[self.at.index()].mask?;
        let word = self.masked_word(mask, at)?;
        let (work, skip) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        self.g.e.b.ins().brif(word, work, &[], skip, &[]);
        self.g.e.b.switch_to_block(work);
        Some(skip)
    }

    /// Starts the code of a group in a masked block. Returns the block to continue at if no lane is active.
    pub(crate) fn begin_group(&mut self, word: Value) -> Block {
        let (bits, skip) = self.any_of(word, self.lane, GROUP);
        let lanes = self.g.e.bits_mask(bits);
        self.mask = Some(GroupMask { bits, lanes });
        skip
    }

    /// Continues only if one of the `count` bits from lane `at` on is set in its warp's word. Returns those bits, and
    /// the block to continue at otherwise.
    pub(crate) fn any_of(&mut self, word: Value, at: Value, count: usize) -> (Value, Block) {
        let by = self.g.e.b.ins().ireduce(types::I32, at);
        let bits = self.g.e.b.ins().ushr(word, by);
        let bits = self.g.e.b.ins().band_imm_u(bits, (1 << count) - 1);
        let (work, skip) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        self.g.e.b.ins().brif(bits, work, &[], skip, &[]);
        self.g.e.b.switch_to_block(work);
        (bits, skip)
    }

    pub(crate) fn end_group(&mut self, skip: Option<Block>) {
        self.mask = None;
        self.end_warp(skip);
    }

    pub(crate) fn end_warp(&mut self, skip: Option<Block>) {
        if let Some(skip) = skip {
            self.g.e.b.ins().jump(skip, &[]);
            self.g.e.b.switch_to_block(skip);
        }
    }

    /// Returns a result to be stored: masked-off lanes have their old values, if those are needed.
    pub(crate) fn blended(&mut self, reg: Reg, home: Home, value: Lanes) -> Lanes {
        match self.mask {
            Some(mask) if self.plan.kept.contains(reg) => {
                let old = self.load_group(home);
                self.g.e.op(Op::Select(home.ty), &[mask.lanes, value, old])
            }
            _ => value,
        }
    }

    /// Returns the scratch address at which masked-off lanes access memory: 16 bytes.
    pub(crate) fn scratch_address(&mut self) -> Value {
        let at = offset_of!(Gang, scratch) as i64;
        self.g.e.b.ins().iadd_imm_u(self.gang, at)
    }

    /// Tells whether lane `n` of the group is active (I8).
    pub(crate) fn lane_bit(&mut self, mask: GroupMask, n: usize) -> Value {
        let bit = self.g.e.b.ins().band_imm_u(mask.bits, 1 << n);
        self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, bit, 0)
    }

    /// Returns the address of lane `n`, or `other` if that lane is masked off.
    pub(crate) fn lane_address(&mut self, n: usize, address: Value, other: Value) -> Value {
        let Some(mask) = self.mask else {
            return address;
        };
        let bit = self.lane_bit(mask, n);
        self.g.e.b.ins().select(bit, address, other)
    }

    /// Returns the addresses of all four lanes, with `other` for masked-off ones.
    pub(crate) fn lane_addresses(
        &mut self,
        addresses: [Value; GROUP],
        other: Value,
    ) -> [Value; GROUP] {
        let mut out = addresses;
        for (n, address) in out.iter_mut().enumerate() {
            *address = self.lane_address(n, *address, other);
        }
        out
    }

    /// Loads an access's base now, so that it is available on every path from here.
    pub(crate) fn load_base(&mut self, addr: &Address) {
        let ty = addr.base.reg().map_or(Ty::B64, |r| self.plan.func.ty(r));
        self.group_scalar(addr.base, ty);
        self.group(addr.base, ty);
    }

    /// Starts code that only lane `n` executes, if it is active. Returns the blocks to continue at.
    pub(crate) fn begin_lane(&mut self, n: usize) -> Option<(Block, Block)> {
        let mask = self.mask?;
        let bit = self.lane_bit(mask, n);
        let [work, skip, on] = [(); 3].map(|()| self.g.e.b.create_block());
        self.g.e.b.ins().brif(bit, work, &[], skip, &[]);
        self.g.e.b.switch_to_block(work);
        Some((skip, on))
    }

    /// Ends the code of a lane. Returns `value`, or an unspecified value for a masked-off lane.
    pub(crate) fn end_lane(&mut self, on: Option<(Block, Block)>, value: Lanes) -> Lanes {
        let Some((skip, on)) = on else { return value };
        let b = &mut self.g.e.b;
        let args: Vec<_> = value.parts().iter().map(|&part| part.into()).collect();
        b.ins().jump(on, &args);
        b.switch_to_block(skip);
        let nothing: Vec<_> = value
            .parts()
            .iter()
            .map(|&part| {
                let ty = b.func.dfg.value_type(part);
                b.ins().iconst(ty, 0).into()
            })
            .collect();
        b.ins().jump(on, &nothing);
        b.switch_to_block(on);
        let mut parts = Vec::new();
        for &part in value.parts() {
            let ty = b.func.dfg.value_type(part);
            parts.push(b.append_block_param(on, ty));
        }
        Lanes::new(value.ty, false, &parts).marked(value.noncanonical)
    }

    /// Emits `whole` for groups whose lanes are all active, and `part` for groups with some active lanes. Both define
    /// values of `dsts`.
    pub(crate) fn full_or_partial(
        &mut self,
        mask: GroupMask,
        dsts: &[Reg],
        whole: impl FnOnce(&mut Self),
        part: impl FnOnce(&mut Self),
    ) {
        let [yes, no, on] = [(); 3].map(|()| self.g.e.b.create_block());
        let types: Vec<Ty> = dsts.iter().map(|&dst| self.plan.func.ty(dst)).collect();
        let all = self.g.e.b.ins().icmp_imm_u(IntCC::Equal, mask.bits, 15);
        self.g.e.b.ins().brif(all, yes, &[], no, &[]);
        let mut lens = Vec::new();
        let before: Vec<_> = dsts.iter().map(|dst| self.cur[dst.index()]).collect();
        self.g.e.b.switch_to_block(yes);
        self.mask = None;
        whole(self);
        self.mask = Some(mask);
        self.leave_values(dsts, on, &mut lens);
        for (dst, &cur) in dsts.iter().zip(&before) {
            self.cur[dst.index()] = cur;
        }
        self.g.e.b.switch_to_block(no);
        part(self);
        self.leave_values(dsts, on, &mut Vec::new());
        let mut params = Vec::new();
        for (&ty, &len) in types.iter().zip(&lens) {
            for _ in 0..len {
                params.push(self.g.e.b.append_block_param(on, part_type(ty, true)));
            }
        }
        self.g.e.b.switch_to_block(on);
        let mut at = 0;
        for ((&dst, &ty), &len) in dsts.iter().zip(&types).zip(&lens) {
            let value = Lanes::new(ty, true, &params[at..at + len]);
            at += len;
            self.set(dst, RegValue::Group(value));
        }
    }

    fn leave_values(&mut self, dsts: &[Reg], on: Block, lens: &mut Vec<usize>) {
        let mut args = Vec::new();
        for &dst in dsts {
            let value = self.group(Operand::Reg(dst), self.plan.func.ty(dst));
            lens.push(value.parts().len());
            args.extend(value.parts().iter().map(|&part| BlockArg::from(part)));
        }
        self.g.e.b.ins().jump(on, &args);
    }
}
