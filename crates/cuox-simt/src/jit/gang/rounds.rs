//! Rounds of a block's warps: code that runs every warp from where it is to the same barrier, or to its end, and goes
//! on with the first.
//!
//! Gangs of one warp would otherwise return to the runtime at every barrier. The state of a round is in
//! [`Round`]; where a warp does anything else than the warps before it, the code leaves, and the runtime sees to the
//! others.

use crate::ir::{BarrierKind, BlockId, Operand, Reg, Terminator};
use crate::jit::emit::value::trusted;
use crate::jit::gang::GangCodegen;
use crate::jit::gang::barriers::can_have_round;
use crate::jit::gang::local::Local;
use crate::jit::runtime::block::FUEL;
use crate::jit::runtime::layout::{Env, Exit, Round, ended, waits_at};
use crate::passes::hot_cold::EntryPoint;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Type, Value, types};
use std::mem::offset_of;

/// Fuel of a block's warps after which code returns to the runtime.
const MOST: i64 = 4 * FUEL;

impl GangCodegen<'_, '_, '_, '_> {
    /// Tells whether the code takes all warps over the barrier that a block ends with.
    pub(crate) fn has_round(&self, id: BlockId) -> bool {
        self.locals && can_have_round(self.plan, id)
    }

    fn round_load(&mut self, ty: Type, field: usize) -> Value {
        self.env_load(ty, offset_of!(Env, round) + field)
    }

    fn round_store(&mut self, value: Value, field: usize) {
        let at = (offset_of!(Env, round) + field) as i32;
        self.g.e.b.ins().store(trusted(), value, self.env, at);
    }

    fn round_set(&mut self, ty: Type, value: i64, field: usize) {
        let value = self.g.e.iconst(ty, value);
        self.round_store(value, field);
    }

    /// Starts code for a warp that has come to `exit` with all warps of its round before it; there is another way for
    /// the others. Returns the number of warps that are left, and the block with that other way.
    fn arrive(&mut self, exit: i64) -> (Value, Block) {
        let left = self.round_load(types::I64, offset_of!(Round, left));
        let at = self.round_load(types::I64, offset_of!(Round, exit));
        let b = &mut self.g.e.b;
        let [on, leave] = [(); 2].map(|()| b.create_block());
        let counts = b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, left, 0);
        let first = b.ins().icmp_imm_s(IntCC::Equal, at, 0);
        let same = b.ins().icmp_imm_s(IntCC::Equal, at, exit);
        let fits = b.ins().bor(first, same);
        let fits = b.ins().band(fits, counts);
        b.ins().brif(fits, on, &[], leave, &[]);
        b.switch_to_block(on);
        self.round_set(types::I64, exit, offset_of!(Round, exit));
        self.refuel();
        (left, leave)
    }

    /// Adds the fuel that a warp has used to that of its round. The next one has its own.
    fn refuel(&mut self) {
        let fuel = self.env_load(types::I64, offset_of!(Env, fuel));
        let total = self.round_load(types::I64, offset_of!(Round, used));
        let b = &mut self.g.e.b;
        let full = match self.plan.chaos {
            true => 1,
            false => FUEL,
        };
        let full = b.ins().iconst(types::I64, full);
        let used = b.ins().isub(full, fuel);
        let total = b.ins().iadd(total, used);
        self.round_store(total, offset_of!(Round, used));
        let at = offset_of!(Env, fuel) as i32;
        self.g.e.b.ins().store(trusted(), full, self.env, at);
    }

    /// Goes on with the next warp if one is left. The code emitted next is for the last one.
    fn next_warp(&mut self, left: Value) {
        let b = &mut self.g.e.b;
        let [more, last] = [(); 2].map(|()| b.create_block());
        b.ins().brif(left, more, &[], last, &[]);
        b.switch_to_block(more);
        let entry = self.round_load(types::I64, offset_of!(Round, entry));
        self.run_next(left, entry);
        self.g.e.b.switch_to_block(last);
    }

    /// Runs the next warp of a round from an entry point on.
    fn run_next(&mut self, left: Value, entry: Value) {
        let left = self.g.e.b.ins().iadd_imm_s(left, -1);
        self.round_store(left, offset_of!(Round, left));
        let bytes = i64::from(self.plan.layout.gang_bytes);
        let bytes = self.g.e.iconst(types::I64, bytes);
        self.move_gang(bytes);
        self.g.e.b.ins().jump(self.start, &[entry.into()]);
    }

    /// Number of the entry point at which warps begin with a block after a barrier, or at first.
    fn entry_after(&self, barrier: Option<BlockId>, next: BlockId) -> i64 {
        let mut own = self.after_barrier.iter();
        match own.position(|&(at, _)| Some(at) == barrier) {
            Some(own) => (self.entry_points().len() + own) as i64,
            None => self
                .plan
                .hot_cold
                .entry_point(EntryPoint::Block(next))
                .1
                .into(),
        }
    }

    /// Tells whether warps that come over the barrier that ends a block begin with code of their own, and not simply
    /// with the next block's.
    pub(crate) fn has_code_after_barrier(&self, id: BlockId) -> bool {
        let Terminator::Barrier { dst, next, .. } = self.plan.func.blocks[id.index()].end else {
            return false;
        };
        let next_is_here = self.blocks[next.index()];
        let mut entry_points = self.entry_points().into_iter();
        dst.is_some()
            || next <= id
            || self.enters_barrier_loop(id, next)
            || !entry_points.any(|(code, _)| code == next_is_here)
    }

    /// Emits the way of most warps over the barrier that ends a block: those of a round that began with the segment
    /// before it, but the first and the last. The code emitted next is for the others.
    fn round_repeats(&mut self, id: BlockId, count_held: impl Fn(&mut Self)) {
        let Some(segment) = self.segments[id.index()] else {
            return;
        };
        let begun = self.entry_after(segment.from, segment.first);
        let left = self.round_load(types::I64, offset_of!(Round, left));
        let entry = self.round_load(types::I64, offset_of!(Round, entry));
        let exit = self.round_load(types::I64, offset_of!(Round, exit));
        let b = &mut self.g.e.b;
        let [on, other] = [(); 2].map(|()| b.create_block());
        let more = b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        let same = b.ins().icmp_imm_s(IntCC::Equal, entry, begun);
        let here = b.ins().icmp_imm_s(IntCC::Equal, exit, waits_at(id));
        let repeats = b.ins().band(more, same);
        let repeats = b.ins().band(repeats, here);
        b.ins().brif(repeats, on, &[], other, &[]);
        b.switch_to_block(on);
        if segment.has_loops {
            self.refuel();
        }
        count_held(self);
        self.save_at_barrier(id);
        let begun = self.g.e.iconst(types::I64, begun);
        self.run_next(left, begun);
        self.g.e.b.switch_to_block(other);
    }

    /// Writes to memory what a warp goes on with after the barrier that ends a block.
    fn save_at_barrier(&mut self, id: BlockId) {
        let target = Local::Leave(id.0).address(self.g.e.b);
        self.g.e.call_address(target, &[]);
    }

    /// Makes another warp's state the gang's, from the start of the code on.
    fn move_gang(&mut self, bytes: Value) {
        let target = Local::Move.address(self.g.e.b);
        self.g.e.call_address(target, &[bytes]);
    }

    /// Starts a round of all warps, whose code the entry point with a number is. They are about to enter `block`, after
    /// the barrier that ends another.
    fn first_warp(&mut self, entry: i64, block: BlockId, barrier: Option<BlockId>) {
        let warps = self.round_load(types::I64, offset_of!(Round, warps));
        let others = self.g.e.b.ins().iadd_imm_s(warps, -1);
        self.round_store(others, offset_of!(Round, left));
        self.round_set(types::I64, 0, offset_of!(Round, exit));
        self.round_set(types::I64, entry, offset_of!(Round, entry));
        self.round_set(types::I64, block.0.into(), offset_of!(Round, block));
        let barrier = barrier.map_or(0, |barrier| i64::from(barrier.0) + 1);
        self.round_set(types::I64, barrier, offset_of!(Round, barrier));
        let bytes = i64::from(self.plan.layout.gang_bytes);
        let back = self.g.e.b.ins().imul_imm_s(others, -bytes);
        self.move_gang(back);
    }

    /// Emits the arrival of a warp at the barrier that ends a block. The code emitted next is for warps that the
    /// runtime sees to.
    pub(crate) fn round_barrier(
        &mut self,
        id: BlockId,
        kind: BarrierKind,
        (pred, dst): (Option<Operand>, Option<Reg>),
        next: BlockId,
    ) {
        let reduces = pred.filter(|_| dst.is_some());
        let count_held = |this: &mut Self| {
            if let Some(pred) = reduces {
                let more = this.held_of(pred);
                let held = this.round_load(types::I32, offset_of!(Round, held));
                let held = this.g.e.b.ins().iadd(held, more);
                this.round_store(held, offset_of!(Round, held));
            }
        };
        self.round_repeats(id, count_held);
        let (left, leave) = self.arrive(waits_at(id));
        count_held(self);
        self.save_at_barrier(id);
        self.next_warp(left);
        if reduces.is_some() {
            let held = self.round_load(types::I32, offset_of!(Round, held));
            let warps = self.round_load(types::I64, offset_of!(Round, warps));
            let lanes = self.g.e.b.ins().ishl_imm_u(warps, 5);
            let lanes = self.g.e.b.ins().ireduce(types::I32, lanes);
            let result = self.reduced(kind, held, lanes);
            let b = &mut self.g.e.b;
            let result = match b.func.dfg.value_type(result) {
                types::I32 => result,
                _ => b.ins().uextend(types::I32, result),
            };
            self.round_store(result, offset_of!(Round, result));
            self.round_set(types::I32, 0, offset_of!(Round, held));
        }
        let entry = self.entry_after(Some(id), next);
        self.first_warp(entry, next, Some(id));
        let used = self.round_load(types::I64, offset_of!(Round, used));
        let b = &mut self.g.e.b;
        let [on, rest] = [(); 2].map(|()| b.create_block());
        b.set_cold_block(rest);
        let mut much = b.ins().icmp_imm_s(IntCC::SignedGreaterThan, used, MOST);
        if self.plan.chaos {
            let lucky = self.lucky();
            let unlucky = self.g.e.b.ins().bxor_imm_u(lucky, 1);
            much = self.g.e.b.ins().bor(much, unlucky);
        }
        let b = &mut self.g.e.b;
        b.ins().brif(much, rest, &[], on, &[]);
        b.switch_to_block(rest);
        self.leave(Exit::Rest, next);
        self.g.e.b.switch_to_block(on);
        let entry = self.g.e.iconst(types::I64, entry);
        self.g.e.b.ins().jump(self.start, &[entry.into()]);
        self.g.e.b.switch_to_block(leave);
    }

    /// Emits the code with which warps go on after the barriers.
    pub(crate) fn after_barriers(&mut self) {
        for (id, code) in self.after_barrier.clone() {
            self.begin();
            self.g.e.b.switch_to_block(code);
            let Terminator::Barrier {
                pred, dst, next, ..
            } = self.plan.func.blocks[id.index()].end
            else {
                continue;
            };
            let home = dst.and_then(|dst| self.plan.layout.home(dst));
            if let (Some(_), Some(home)) = (pred, home) {
                let result = self.round_load(types::I32, offset_of!(Round, result));
                let b = &mut self.g.e.b;
                let result = match home.ty {
                    crate::ir::Ty::Pred => b.ins().ireduce(types::I8, result),
                    _ => result,
                };
                b.ins()
                    .store(trusted(), result, self.gang, home.scalar as i32);
            }
            self.goto(id, next);
        }
    }

    /// Emits the end of a warp: the next one of the round, then the next block if the runtime allows it.
    pub(crate) fn round_exit(&mut self, id: BlockId) {
        let (left, leave) = self.arrive(ended());
        self.next_warp(left);
        let [more, none] = [(); 2].map(|()| self.g.e.b.create_block());
        let blocks = self.env_load(types::I64, offset_of!(Env, blocks_left));
        self.g.e.b.ins().brif(blocks, more, &[], none, &[]);
        self.g.e.b.switch_to_block(more);
        self.advance_block(blocks);
        self.first_warp(0, BlockId(0), None);
        let zero = self.g.e.iconst(types::I64, 0);
        self.g.e.b.ins().jump(self.start, &[zero.into()]);
        for block in [none, leave] {
            self.g.e.b.switch_to_block(block);
            self.leave(Exit::Done, id);
        }
    }
}
