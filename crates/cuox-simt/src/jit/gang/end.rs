//! Terminators in gang mode: branches, votes on a varying predicate, switches, barriers and warp operations, and the
//! transition to the next gang or block after a gang has ended.

use crate::analysis::uniformity::Uniformity;
use crate::ir::{BarrierKind, BlockId, Operand, Reg, Terminator, Ty, WarpOp};
use crate::jit::code::symbol::Helper;
use crate::jit::emit::value::trusted;
use crate::jit::gang::barriers::{passes_alone, reduces};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::{GangCodegen, Votes};
use crate::jit::runtime::layout::{Env, Exit, Gang, Home};
use crate::passes::hot_cold::CodePart;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use std::mem::offset_of;

impl GangCodegen<'_, '_, '_, '_> {
    pub(crate) fn end(&mut self, id: BlockId, votes: Option<Votes>) -> Result<(), String> {
        let plan = self.plan;
        match &plan.func.blocks[id.index()].end {
            Terminator::Jump(to) => self.goto(id, *to),
            Terminator::Branch {
                cond,
                then,
                other,
                mixed,
            } => {
                if plan.uniformity.of(*cond).is_one_per_gang() {
                    let cond = self.scalar(Operand::Reg(*cond), Ty::Pred).one();
                    self.branch(id, cond, [*then, *other]);
                } else {
                    let home = plan.layout.home(*cond);
                    let home = home.ok_or("a branch's predicate has no home")?;
                    if self.masked && *mixed == Some(*then) {
                        self.any_branch(id, (*cond, home), votes, [*then, *other]);
                        self.finish_bailout();
                        return Ok(());
                    }
                    let votes = match votes.filter(|_| !self.masked) {
                        Some(votes) => votes,
                        None => self.stored_votes(home),
                    };
                    self.vote_branch(id, votes, [*then, *other], *mixed);
                }
            }
            Terminator::Switch {
                index,
                targets,
                mixed,
            } => {
                let together = mixed.map(|mixed| (mixed, targets.len()));
                if plan.uniformity.operand(*index) == Uniformity::Uniform {
                    let index = self.scalar(*index, Ty::B32).one();
                    self.switch(id, index, targets);
                } else if let Some(index) = self.agreed(*index, id, together) {
                    self.switch(id, index, targets);
                } else {
                    self.leave(Exit::Diverge, id);
                }
            }
            Terminator::Exit | Terminator::Return => self.exit(id),
            Terminator::Trap => {
                let code = self.g.e.iconst(types::I64, Exit::Trap.code(id));
                self.g.e.b.ins().return_(&[code]);
            }
            Terminator::Barrier {
                kind,
                id: number,
                count,
                pred,
                dst,
                next,
            } => {
                if passes_alone(plan, id) {
                    if let (Some(pred), Some(dst)) = (*pred, *dst) {
                        self.reduce(*kind, pred, dst);
                    }
                    self.goto(id, *next);
                    self.finish_bailout();
                    return Ok(());
                }
                let same = |o: Operand| plan.uniformity.operand(o) == Uniformity::Uniform;
                let waits = *kind != BarrierKind::Arrive;
                let round = self.has_round(id);
                if waits
                    && !round
                    && same(*number)
                    && count.is_none_or(same)
                    && reduces(plan, *pred, *dst)
                {
                    // There is no other warp to wait for if the gang is the whole block.
                    let whole = self.needs_no_other(*number, *count);
                    let (on, wait) = (self.g.e.b.create_block(), self.g.e.b.create_block());
                    self.g.e.b.ins().brif(whole, on, &[], wait, &[]);
                    self.g.e.b.switch_to_block(on);
                    if let (Some(pred), Some(dst)) = (*pred, *dst) {
                        self.reduce(*kind, pred, dst);
                    }
                    self.goto(id, *next);
                    self.g.e.b.switch_to_block(wait);
                }
                if round {
                    self.round_barrier(id, *kind, (*pred, *dst), *next);
                }
                self.leave(Exit::Barrier, id);
            }
            Terminator::Cluster { .. } => self.leave(Exit::Barrier, id),
            Terminator::Pause { next } => self.leave(Exit::Yield, *next),
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                next,
            } => {
                if let Some(mask) = plan.func.blocks[id.index()].mask
                    && *op != WarpOp::Step
                {
                    self.diverge_unless_whole_warps(id, mask);
                }
                self.warp(id, *op, *mask, args, dsts);
                self.goto(id, *next);
            }
        }
        self.finish_bailout();
        Ok(())
    }

    /// Emits a test whether the gang alone completes a barrier: it is the whole block, and has the expected number of
    /// threads.
    fn needs_no_other(&mut self, number: Operand, count: Option<Operand>) -> Value {
        let at = offset_of!(Gang, whole_block) as i32;
        let mut enough = self.g.e.b.ins().load(types::I32, trusted(), self.gang, at);
        let mut also = |this: &mut Self, holds: Value| {
            let holds = this.g.e.b.ins().uextend(types::I32, holds);
            enough = this.g.e.b.ins().band(enough, holds);
        };
        if !matches!(number, Operand::Imm(n) if (n as u32) < 16) {
            let number = self.scalar(number, Ty::B32).one();
            let code = IntCC::UnsignedLessThan;
            let exists = self.g.e.b.ins().icmp_imm_u(code, number, 16);
            also(self, exists);
        }
        if let Some(count) = count {
            let count = self.scalar(count, Ty::B32).one();
            let lanes = self.invariant(Invariant::Count);
            let b = &mut self.g.e.b;
            let lanes = b.ins().ireduce(types::I32, lanes);
            let all = b.ins().icmp(IntCC::Equal, count, lanes);
            also(self, all);
        }
        enough
    }

    /// Stores the result of a barrier at which the gang, which is the whole block, has arrived.
    fn reduce(&mut self, kind: BarrierKind, pred: Operand, dst: Reg) {
        let Some(to) = self.plan.layout.home(dst) else {
            return;
        };
        let lanes = self.invariant(Invariant::Count);
        let lanes = self.g.e.b.ins().ireduce(types::I32, lanes);
        let held = self.held_of(pred);
        let result = self.reduced(kind, held, lanes);
        self.g
            .e
            .b
            .ins()
            .store(trusted(), result, self.gang, to.scalar as i32);
    }

    /// Counts the lanes of a gang of whole warps for which a barrier's predicate holds (I32).
    pub(crate) fn held_of(&mut self, pred: Operand) -> Value {
        let home = pred.reg().and_then(|reg| self.plan.layout.home(reg));
        match home {
            Some(home) if home.uniformity == Uniformity::Varying => self.held_lanes(home),
            _ => {
                let lanes = self.invariant(Invariant::Count);
                let lanes = self.g.e.b.ins().ireduce(types::I32, lanes);
                let holds = self.scalar(pred, Ty::Pred).one();
                let holds = self.g.e.b.ins().uextend(types::I32, holds);
                self.g.e.b.ins().imul(holds, lanes)
            }
        }
    }

    /// The result of a barrier at which the predicate of so many lanes holds, of all.
    pub(crate) fn reduced(&mut self, kind: BarrierKind, held: Value, lanes: Value) -> Value {
        let b = &mut self.g.e.b;
        match kind {
            BarrierKind::And => b.ins().icmp(IntCC::Equal, held, lanes),
            BarrierKind::Or => b.ins().icmp_imm_u(IntCC::NotEqual, held, 0),
            BarrierKind::Popc
            | BarrierKind::Sync
            | BarrierKind::Arrive
            | BarrierKind::Warpgroup => held,
        }
    }

    /// Counts the lanes of a gang of whole warps for which a predicate holds (I32).
    fn held_lanes(&mut self, home: Home) -> Value {
        if self.one_warp() {
            let zero = self.g.e.iconst(types::I64, 0);
            let word = self.mask_word(home, zero);
            return self.g.e.b.ins().popcnt(word);
        }
        let masks = self.invariant(Invariant::Masks);
        let count = self.invariant(Invariant::Count);
        let b = &mut self.g.e.b;
        let (header, done) = (b.create_block(), b.create_block());
        let at = b.append_block_param(header, types::I64);
        let before = b.append_block_param(header, types::I32);
        let start = b.ins().iconst(types::I64, 0);
        let none = b.ins().iconst(types::I32, 0);
        b.ins().jump(header, &[start.into(), none.into()]);
        b.switch_to_block(header);
        let ahead = b.ins().ushr_imm_u(at, 3);
        let place = b.ins().iadd(masks, ahead);
        let offset = home.lanes as i32;
        let word = b.ins().load(types::I32, trusted(), place, offset);
        let more = b.ins().popcnt(word);
        let held = b.ins().iadd(before, more);
        let next = b.ins().iadd_imm_u(at, 32);
        let again = b.ins().icmp(IntCC::UnsignedLessThan, next, count);
        b.ins()
            .brif(again, header, &[next.into(), held.into()], done, &[]);
        b.switch_to_block(done);
        held
    }

    /// Ends the gang: continues with the block's next gang if that has not started either, then with the next block.
    fn exit(&mut self, id: BlockId) {
        if self.locals {
            return self.round_exit(id);
        }
        if self.one_warp() {
            return self.leave(Exit::Done, id);
        }
        if self.plan.shape.has_rows() {
            let at = offset_of!(Env, gangs_left);
            let left = self.env_load(types::I64, at);
            let more = self.g.e.b.create_block();
            let last = self.g.e.b.create_block();
            self.g.e.b.ins().brif(left, more, &[], last, &[]);
            self.g.e.b.switch_to_block(more);
            let left = self.g.e.b.ins().iadd_imm_s(left, -1);
            self.g.e.b.ins().store(trusted(), left, self.env, at as i32);
            self.next_plane();
            self.g.e.b.switch_to_block(last);
        }
        self.next_block();
        let code = self.g.e.iconst(types::I64, Exit::Done.code(id));
        self.g.e.b.ins().return_(&[code]);
    }

    /// Starts over with the next gang, which has been set up in place of the one that ended.
    fn restart(&mut self) {
        if self.part == CodePart::Cold {
            return self.leave(Exit::Elsewhere, BlockId(0));
        }
        let zero = self.g.e.iconst(types::I64, 0);
        self.g.e.b.ins().jump(self.start, &[zero.into()]);
    }

    /// Sets a 4-byte field of the gang's state.
    fn set_gang(&mut self, offset: usize, value: Value) {
        self.g
            .e
            .b
            .ins()
            .store(trusted(), value, self.gang, offset as i32);
    }

    /// Sets up the gang of the block's next plane.
    fn next_plane(&mut self) {
        let at = offset_of!(Gang, first) as i32;
        let first = self.g.e.b.ins().load(types::I64, trusted(), self.gang, at);
        let count = self.invariant(Invariant::Count);
        let first = self.g.e.b.ins().iadd(first, count);
        self.g.e.b.ins().store(trusted(), first, self.gang, at);
        if self.plan.local_bytes > 0 {
            let local = self.local_base();
            let ahead = self
                .g
                .e
                .b
                .ins()
                .imul_imm_s(count, i64::from(self.plan.local_bytes));
            let local = self.g.e.b.ins().iadd(local, ahead);
            let at = offset_of!(Gang, local) as i32;
            self.g.e.b.ins().store(trusted(), local, self.gang, at);
        }
        let at = offset_of!(Gang, tid0) + 8;
        let b = &mut self.g.e.b;
        let old = b.ins().load(types::I32, trusted(), self.gang, at as i32);
        let z = b.ins().iadd_imm_u(old, 1);
        self.set_gang(at, z);
        self.restart();
    }

    /// Returns `old + carry`, or 0 and a carry if that reaches the extent stored at `extent` in the environment.
    fn step(&mut self, old: Value, carry: Value, extent: usize) -> (Value, Value) {
        let new = self.g.e.b.ins().iadd(old, carry);
        let extent = self.env_load(types::I32, extent);
        let over = self
            .g
            .e
            .b
            .ins()
            .icmp(IntCC::UnsignedGreaterThanOrEqual, new, extent);
        let zero = self.g.e.iconst(types::I32, 0);
        let value = self.g.e.b.ins().select(over, zero, new);
        let carry = self.g.e.b.ins().uextend(types::I32, over);
        (value, carry)
    }

    /// Continues with the next block of the grid if the runtime allows it.
    fn next_block(&mut self) {
        let at = offset_of!(Env, blocks_left);
        let left = self.env_load(types::I64, at);
        let none = self.g.e.b.create_block();
        let more = self.g.e.b.create_block();
        self.g.e.b.ins().brif(left, more, &[], none, &[]);
        self.g.e.b.switch_to_block(more);
        self.advance_block(left);
        if self.plan.shape.has_rows() {
            self.first_plane();
        }
        self.restart();
        self.g.e.b.switch_to_block(none);
    }

    /// Makes the next block of the grid the current one, when `left` are left.
    pub(crate) fn advance_block(&mut self, left: Value) {
        let at = offset_of!(Env, blocks_left);
        let left = self.g.e.b.ins().iadd_imm_s(left, -1);
        self.g.e.b.ins().store(trusted(), left, self.env, at as i32);
        // x is incremented and carries into y, and y into z.
        let mut carry = self.g.e.iconst(types::I32, 1);
        for axis in 0..3 {
            let at = offset_of!(Env, ctaid) + 4 * axis;
            let old = self.env_load(types::I32, at);
            let (value, over) = self.step(old, carry, offset_of!(Env, grid) + 4 * axis);
            self.g
                .e
                .b
                .ins()
                .store(trusted(), value, self.env, at as i32);
            carry = over;
        }
    }

    /// Sets up the gang of the block's first plane.
    fn first_plane(&mut self) {
        let gangs = self.env_load(types::I64, offset_of!(Env, gangs));
        let others = self.g.e.b.ins().iadd_imm_s(gangs, -1);
        let at = offset_of!(Env, gangs_left) as i32;
        self.g.e.b.ins().store(trusted(), others, self.env, at);
        let zero = self.g.e.iconst(types::I64, 0);
        let at = offset_of!(Gang, first) as i32;
        self.g.e.b.ins().store(trusted(), zero, self.gang, at);
        let zero = self.g.e.iconst(types::I32, 0);
        self.set_gang(offset_of!(Gang, tid0) + 8, zero);
        if self.plan.local_bytes > 0 {
            let local = self.env_load(types::I64, offset_of!(Env, local));
            let at = offset_of!(Gang, local) as i32;
            self.g.e.b.ins().store(trusted(), local, self.gang, at);
        }
    }

    fn vote_branch(
        &mut self,
        id: BlockId,
        votes: Votes,
        [then, other]: [BlockId; 2],
        mixed: Option<BlockId>,
    ) {
        if mixed == Some(then) || mixed == Some(other) {
            let holds = match mixed == Some(then) {
                true => votes.any,
                false => self.g.e.b.ins().icmp_imm_s(IntCC::Equal, votes.all, -1),
            };
            self.branch(id, holds, [then, other]);
            return;
        }
        let ways = [then, other].map(|to| self.way(id, to));
        let [yes, no] = ways.map(|(target, _)| target);
        let rest = self.g.e.b.create_block();
        let all = self.g.e.b.ins().icmp_imm_s(IntCC::Equal, votes.all, -1);
        self.g.e.b.ins().brif(all, yes, &[], rest, &[]);
        self.g.e.b.switch_to_block(rest);
        let (split, to) = match mixed {
            Some(mixed) => self.way(id, mixed),
            None => (self.g.e.b.create_block(), None),
        };
        self.g.e.b.ins().brif(votes.any, split, &[], no, &[]);
        if mixed.is_none() {
            self.g.e.b.set_cold_block(split);
            self.g.e.b.switch_to_block(split);
            self.leave(Exit::Diverge, id);
        }
        for (target, to) in ways.into_iter().chain([(split, to)]) {
            self.end_way(id, target, to);
        }
    }

    /// Returns the value of a varying index that all lanes agree on. If they differ, the gang continues at block
    /// `together` if every index is in range, or else exits at the block's end. Returns `None` if the index has no lane
    /// slots.
    fn agreed(
        &mut self,
        index: Operand,
        id: BlockId,
        together: Option<(BlockId, usize)>,
    ) -> Option<Value> {
        let home = self.plan.layout.home(index.reg()?)?;
        if home.uniformity != Uniformity::Varying || home.ty != Ty::B32 {
            return None;
        }
        let start = self.invariant(Invariant::Slots4);
        let count = self.invariant(Invariant::Count);
        let end = self.g.e.b.ins().ishl_imm_u(count, 2);
        let offset = home.lanes as i32;
        let one = self.g.e.b.ins().load(types::I32, trusted(), start, offset);
        let all = self.g.e.b.ins().splat(types::I32X4, one);
        let none = self.g.e.b.ins().bxor(all, all);
        let b = &mut self.g.e.b;
        let (header, done) = (b.create_block(), b.create_block());
        let at = b.append_block_param(header, types::I64);
        let differ = b.append_block_param(header, types::I32X4);
        let most = b.append_block_param(header, types::I32X4);
        let first = b.ins().iconst(types::I64, 0);
        b.ins()
            .jump(header, &[first.into(), none.into(), none.into()]);
        b.switch_to_block(header);
        let place = b.ins().iadd(start, at);
        let four = b.ins().load(types::I32X4, trusted(), place, offset);
        let other = b.ins().bxor(four, all);
        let differ = b.ins().bor(differ, other);
        let most = b.ins().umax(most, four);
        let next = b.ins().iadd_imm_u(at, 16);
        let more = b.ins().icmp(IntCC::UnsignedLessThan, next, end);
        let again = [next.into(), differ.into(), most.into()];
        b.ins().brif(more, header, &again, done, &[]);
        b.switch_to_block(done);
        let any = b.ins().vany_true(differ);
        let (part, agree) = (b.create_block(), b.create_block());
        b.ins().brif(any, part, &[], agree, &[]);
        b.switch_to_block(part);
        if let Some((mixed, count)) = together {
            let last = self.g.e.vconst32([count as i32 - 1; 4]);
            let b = &mut self.g.e.b;
            let past = b.ins().icmp(IntCC::UnsignedGreaterThan, most, last);
            let past = b.ins().vany_true(past);
            let (on, wrong) = (b.create_block(), b.create_block());
            b.set_cold_block(wrong);
            b.ins().brif(past, wrong, &[], on, &[]);
            b.switch_to_block(on);
            self.goto(id, mixed);
            self.g.e.b.switch_to_block(wrong);
        }
        self.leave(Exit::Diverge, id);
        self.g.e.b.switch_to_block(agree);
        Some(one)
    }

    fn switch(&mut self, id: BlockId, index: Value, targets: &[BlockId]) {
        let stubs: Vec<Block> = targets.iter().map(|_| self.g.e.b.create_block()).collect();
        let wrong = self.g.e.b.create_block();
        self.g.e.b.set_cold_block(wrong);
        let default = self.g.e.b.func.dfg.block_call(wrong, &[]);
        let calls: Vec<_> = stubs
            .iter()
            .map(|&s| self.g.e.b.func.dfg.block_call(s, &[]))
            .collect();
        let table = self
            .g
            .e
            .b
            .create_jump_table(JumpTableData::new(default, &calls));
        self.g.e.b.ins().br_table(index, table);
        for (&stub, &target) in stubs.iter().zip(targets) {
            self.g.e.b.switch_to_block(stub);
            self.goto(id, target);
        }
        // The index is out of range; thread mode finds the thread.
        self.g.e.b.switch_to_block(wrong);
        self.leave(Exit::Diverge, id);
    }

    fn warp(
        &mut self,
        id: BlockId,
        op: WarpOp,
        mask: Operand,
        args: &[Operand],
        dsts: &[Option<Reg>],
    ) {
        // A gang finishes a block for all lanes before the next block, so only the mask of a barrier needs code.
        let only_waits = op == WarpOp::Step || op == WarpOp::Sync && mask.reg().is_none();
        if only_waits || self.inline_warp(op, mask, args, dsts) {
            return;
        }
        let block = self.g.e.iconst(types::I64, i64::from(id.0));
        let args = [self.env, self.gang, block];
        let apart = self.g.e.call(Helper::WarpOp, &args);
        if op.with_mask().is_some() && mask.reg().is_some() {
            let (leave, on) = (self.g.e.b.create_block(), self.g.e.b.create_block());
            self.g.e.b.set_cold_block(leave);
            self.g.e.b.ins().brif(apart, leave, &[], on, &[]);
            self.g.e.b.switch_to_block(leave);
            self.leave(Exit::Diverge, id);
            self.g.e.b.switch_to_block(on);
        }
    }
}
