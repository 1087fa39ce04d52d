//! Code of group loops: masked loops that each group of lanes runs to completion, with all changed values in machine
//! registers, before the next group starts: four lanes, or sixteen in wide code.
//!
//! The order of execution differs from that of the whole gang iterating together, so such a loop writes registers only.
//! [`crate::passes::linearize`] makes all of them varying; [`crate::analysis::group_loop`] finds the loops.

use crate::analysis::group_loop::{GroupLoop, clears_predicate};
use crate::analysis::liveness::RegSet;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{BlockId, Op, Operand, Reg, Ty};
use crate::jit::avx512;
use crate::jit::emit::value::{GROUP, Lanes, part_count, part_type, trusted};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::masked::GroupMask;
use crate::jit::gang::{GangCodegen, RegValue};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

/// Iterations of a group after which the next group starts although lanes remain. Those continue in the next iteration
/// of the gang.
const MAX_ITERATIONS: i64 = 128;

/// Largest number of instructions in a loop that runs two groups interleaved, as a single group would mostly wait for
/// its own results.
const MAX_PAIRED_INSTS: usize = 40;

/// Code generation state of one of the groups that are interleaved.
struct GroupState {
    cur: Vec<Option<RegValue>>,
    touched: Vec<Reg>,
    lane: Value,
    variables: Vec<Vec<Variable>>,
    /// Block predicates known to be false in all lanes of the group.
    off: Vec<Reg>,
}

impl GangCodegen<'_, '_, '_, '_> {
    /// Emits a group loop in place of its first block.
    pub(crate) fn group_loop(&mut self, this: &GroupLoop) -> Result<(), String> {
        let plan = self.plan;
        let head = this.blocks[0];
        let Some(mask) = plan.func.blocks[head.index()].mask else {
            return Err("a group loop has no mask".to_owned());
        };
        self.begin();
        self.masked = true;
        self.g.e.b.switch_to_block(self.blocks[head.index()]);
        if let Some(left) = self.wide_group_loop(this) {
            self.end_group_loop(this, left);
            return Ok(());
        }
        let mut written = RegSet::new(plan.func.regs.len());
        let mut read = RegSet::new(plan.func.regs.len());
        for inst in this
            .blocks
            .iter()
            .flat_map(|b| &plan.func.blocks[b.index()].insts)
        {
            inst.defs(|reg| {
                written.insert(reg);
            });
            inst.uses(|o| {
                if let Operand::Reg(reg) = o {
                    read.insert(reg);
                }
            });
        }
        let insts = this
            .blocks
            .iter()
            .map(|b| plan.func.blocks[b.index()].insts.len());
        let at_once = if insts.sum::<usize>() <= MAX_PAIRED_INSTS {
            2
        } else {
            1
        };
        // Between iterations the predicates of all blocks but the first are false.
        let inner: Vec<Reg> = this.blocks[1..]
            .iter()
            .filter_map(|b| plan.func.blocks[b.index()].mask)
            .map(|mask| mask.reg)
            .filter(|&reg| reg != mask.reg)
            .collect();
        // Registers carried to the next iteration, or live after the loop.
        let carried: Vec<Reg> = plan
            .live
            .live_in(head)
            .iter()
            .filter(|&reg| written.contains(reg) && !inner.contains(&reg))
            .collect();
        let words: Vec<(Reg, Variable)> = carried
            .iter()
            .filter(|&&reg| plan.func.ty(reg) == Ty::Pred)
            .map(|&reg| (reg, self.g.e.temporary(types::I32)))
            .collect();
        let left = self.g.e.temporary(types::I32);
        let none = self.g.e.iconst(types::I32, 0);
        self.g.e.b.def_var(left, none);
        for reg in read.iter() {
            self.hold(Operand::Reg(reg));
        }
        self.begin_loops();

        let zero = self.g.e.iconst(types::I64, 0);
        let warps = self.begin_loop(zero);
        for (reg, var) in &words {
            if let Some(home) = plan.layout.home(*reg) {
                let word = self.mask_word(home, warps.at);
                self.g.e.b.def_var(*var, word);
            }
        }
        let (word, skip_warp) = self
            .begin_warp(mask, warps.at, &[])
            .ok_or("a mask has no home")?;
        let groups = self.begin_loop(warps.at);
        let (_, skip_groups) = self.any_of(word, groups.at, at_once * GROUP);
        let mut parts: Vec<GroupState> = Vec::new();
        for n in 0..at_once {
            let lane = self.g.e.b.ins().iadd_imm_u(groups.at, (n * GROUP) as i64);
            let variables = carried.iter().map(|&reg| self.declare_parts(reg)).collect();
            parts.push(GroupState {
                cur: vec![None; plan.func.regs.len()],
                touched: Vec::new(),
                lane,
                variables,
                off: Vec::new(),
            });
        }
        for part in &mut parts {
            self.exchange(part);
            for reg in read.iter().filter(|&reg| !written.contains(reg)) {
                let ty = plan.func.ty(reg);
                match plan.uniformity.of(reg) {
                    Uniformity::Varying => _ = self.group(Operand::Reg(reg), ty),
                    Uniformity::PiecewiseAffine(_) => _ = self.group_scalar(Operand::Reg(reg), ty),
                    _ => {}
                }
            }
            self.exchange(part);
            self.set_variables(&carried, part);
        }
        let (turn, done) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        let turns = self.g.e.b.append_block_param(turn, types::I32);
        let most = self.g.e.iconst(types::I32, MAX_ITERATIONS);
        self.g.e.b.ins().jump(turn, &[most.into()]);
        self.g.e.b.switch_to_block(turn);
        for part in &mut parts {
            self.take_variables(&carried, part);
            part.off = inner.clone();
        }
        for &b in &this.blocks {
            for part in &mut parts {
                self.group_block(b, part)?;
            }
        }
        let mut active = None;
        for part in &mut parts {
            self.set_variables(&carried, part);
            self.exchange(part);
            let on = self.group(Operand::Reg(mask.reg), Ty::Pred).one();
            self.exchange(part);
            active = Some(match active {
                None => on,
                Some(others) => self.g.e.b.ins().bor(others, on),
            });
        }
        let active = active.ok_or("a group loop has no groups")?;
        let active = self.g.e.mask_bits(Lanes::new(Ty::Pred, true, &[active]));
        let turns = self.g.e.b.ins().iadd_imm_s(turns, -1);
        let more = self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, active, 0);
        let allowed = self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, turns, 0);
        let again = self.g.e.b.ins().band(more, allowed);
        self.g
            .e
            .b
            .ins()
            .brif(again, turn, &[turns.into()], done, &[]);
        self.g.e.b.switch_to_block(done);
        for part in &mut parts {
            self.take_variables(&carried, part);
            self.exchange(part);
            for &reg in &carried {
                let Some(home) = plan.layout.home(reg) else {
                    continue;
                };
                let value = self.group(Operand::Reg(reg), home.ty);
                match words.iter().find(|(r, _)| *r == reg) {
                    Some((_, var)) => self.replace_bits(value, *var),
                    None => self.store_group(home, value),
                }
            }
            self.exchange(part);
        }
        self.end_group(Some(skip_groups));
        let end = self.g.e.b.ins().iadd_imm_u(warps.at, 32);
        self.end_loop(&groups, (at_once * GROUP) as i64, end);
        self.end_warp(Some(skip_warp));
        for (reg, var) in &words {
            let word = self.g.e.b.use_var(*var);
            if let Some(home) = plan.layout.home(*reg) {
                let at = self.mask_address(warps.at);
                self.g
                    .e
                    .b
                    .ins()
                    .store(trusted(), word, at, home.lanes as i32);
            }
            if *reg == mask.reg {
                let old = self.g.e.b.use_var(left);
                let new = self.g.e.b.ins().bor(old, word);
                self.g.e.b.def_var(left, new);
            }
        }
        let count = self.invariant(Invariant::Count);
        self.end_loop(&warps, 32, count);
        let left = self.g.e.b.use_var(left);
        self.end_group_loop(this, left);
        Ok(())
    }

    /// Emits the loop as wide code, if that supports it. Returns whether lanes go on.
    fn wide_group_loop(&mut self, this: &GroupLoop) -> Option<Value> {
        if !self.wide || self.plan.shape == Shape::MultipleOf4 {
            return None;
        }
        let body = avx512::group_loop::lower(self.plan, this, MAX_ITERATIONS)?;
        let none = avx512::group_loop::no_block(self.plan, this);
        self.at = this.blocks[0];
        let votes = self.wide_loop(&none, &[], body)?;
        Some(votes.any)
    }

    /// Goes around again if lanes are `left` in the loop, which have used up their iterations.
    fn end_group_loop(&mut self, this: &GroupLoop, left: Value) {
        self.forget();
        self.masked = false;
        let head = this.blocks[0];
        let (again, past) = (self.g.e.b.create_block(), self.g.e.b.create_block());
        self.g.e.b.ins().brif(left, again, &[], past, &[]);
        self.g.e.b.switch_to_block(again);
        self.goto(head, head);
        self.g.e.b.switch_to_block(past);
        self.goto(head, this.exit);
    }

    fn declare_parts(&mut self, reg: Reg) -> Vec<Variable> {
        let ty = self.plan.func.ty(reg);
        (0..part_count(ty, true))
            .map(|_| self.g.e.temporary(part_type(ty, true)))
            .collect()
    }

    /// Swaps the state of the current group with `part`.
    fn exchange(&mut self, part: &mut GroupState) {
        std::mem::swap(&mut self.cur, &mut part.cur);
        std::mem::swap(&mut self.touched, &mut part.touched);
        std::mem::swap(&mut self.lane, &mut part.lane);
    }

    /// Sets the variables to the values of the carried registers.
    fn set_variables(&mut self, carried: &[Reg], part: &mut GroupState) {
        self.exchange(part);
        for (&reg, vars) in carried.iter().zip(&part.variables) {
            let value = self.group(Operand::Reg(reg), self.plan.func.ty(reg));
            for (&var, &part) in vars.iter().zip(value.parts()) {
                self.g.e.b.def_var(var, part);
            }
        }
        self.exchange(part);
    }

    /// Sets the carried registers to the values of their variables.
    fn take_variables(&mut self, carried: &[Reg], part: &mut GroupState) {
        self.exchange(part);
        for (&reg, vars) in carried.iter().zip(&part.variables) {
            let parts: Vec<_> = vars.iter().map(|&var| self.g.e.b.use_var(var)).collect();
            let value = Lanes::new(self.plan.func.ty(reg), true, &parts);
            self.set(reg, RegValue::Group(value));
        }
        self.exchange(part);
    }

    /// Emits a block's instructions for a group.
    fn group_block(&mut self, id: BlockId, part: &mut GroupState) -> Result<(), String> {
        let plan = self.plan;
        let block = &plan.func.blocks[id.index()];
        let Some(mask) = block.mask else {
            return Ok(());
        };
        self.exchange(part);
        let mut lanes = self.group(Operand::Reg(mask.reg), Ty::Pred);
        if mask.negated {
            let on = self.g.e.b.ins().bnot(lanes.one());
            lanes = Lanes::new(Ty::Pred, true, &[on]);
        }
        let bits = self.g.e.mask_bits(lanes);
        self.mask = Some(GroupMask { bits, lanes });
        self.at = id;
        self.ready = vec![None; block.insts.len()];
        // Old values that masked-off lanes keep. A predicate known to be false has none.
        let mut before: Vec<(Reg, Option<Lanes>)> = Vec::new();
        for inst in &block.insts {
            let mut defs = Vec::new();
            inst.defs(|reg| defs.push(reg));
            for reg in defs {
                if !plan.kept.contains(reg) || before.iter().any(|(r, _)| *r == reg) {
                    continue;
                }
                let own = reg == mask.reg && !mask.negated;
                if own || part.off.contains(&reg) {
                    before.push((reg, None));
                } else if self.cur[reg.index()].is_some() {
                    let value = self.group(Operand::Reg(reg), plan.func.ty(reg));
                    before.push((reg, Some(value)));
                }
            }
        }
        for (i, inst) in block.insts.iter().enumerate() {
            self.group_inst(i, inst)?;
        }
        for (reg, old) in before {
            let ty = plan.func.ty(reg);
            part.off.retain(|&off| off != reg);
            if reg == mask.reg && clears_predicate(block, reg) {
                part.off.push(reg);
                continue;
            }
            let new = self.group(Operand::Reg(reg), ty);
            let value = match old {
                None => {
                    let on = self.g.e.b.ins().band(new.one(), lanes.one());
                    Lanes::new(ty, true, &[on])
                }
                Some(old) => self.g.e.op(Op::Select(ty), &[lanes, new, old]),
            };
            self.set(reg, RegValue::Group(value));
        }
        self.exchange(part);
        Ok(())
    }

    /// Replaces the group's bits of a predicate in its warp's word.
    fn replace_bits(&mut self, value: Lanes, var: Variable) {
        let bits = self.g.e.mask_bits(value);
        let by = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let bits = self.g.e.b.ins().ishl(bits, by);
        let all = self.g.e.iconst(types::I32, 15);
        let all = self.g.e.b.ins().ishl(all, by);
        let old = self.g.e.b.use_var(var);
        let others = self.g.e.b.ins().band_not(old, all);
        let new = self.g.e.b.ins().bor(others, bits);
        self.g.e.b.def_var(var, new);
    }
}
