//! Warp mode: code in which all 32 lanes of a warp go through the kernel together.
//!
//! A block's code has two phases. The first computes, once, everything that is uniform or affine over the lanes and
//! checks the guards under which that is legal: affine values that must not wrap, addresses that must lie where they
//! may, comparisons whose first and last lane must agree. If a guard fails, nothing has happened yet, and the warp runs
//! this block thread by thread instead. The second phase is a loop over groups of four lanes that does the rest, on
//! 128-bit vectors where the machine has them.

use super::classes::{Class, Shape, widens};
use super::compile::{Gen, Plan, Site};
use super::layout::{Env, Exit, Home, WarpHeader};
use super::liveness::RegSet;
use super::ops::int::shift_by_constant;
use super::value::{GROUP, Lanes, part_type, trusted};
use crate::ir::{
    BlockId, Function, Inst, IntOp, Num, Op, Operand, Reg, Special, Terminator, Ty, Vote, WarpOp,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::Variable;
use std::mem::offset_of;

/// The blocks where warp mode can be entered: the start, joins, and what follows a suspension.
pub fn entries(func: &Function) -> Vec<Option<u32>> {
    let mut preds = vec![0u32; func.blocks.len()];
    let mut wanted = vec![false; func.blocks.len()];
    wanted[0] = true;
    for (index, block) in func.blocks.iter().enumerate() {
        block.end.successors(|s| {
            preds[s.index()] += 1;
            wanted[s.index()] |= s.index() <= index;
        });
        if let Terminator::Barrier { next, .. } | Terminator::Warp { next, .. } = block.end {
            wanted[next.index()] = true;
        }
    }
    let mut count = 0;
    wanted
        .iter()
        .zip(&preds)
        .map(|(&wanted, &preds)| {
            (wanted || preds > 1).then(|| {
                count += 1;
                count - 1
            })
        })
        .collect()
}

/// What a register holds at the current point of a block.
#[derive(Clone, Copy)]
pub(super) enum Cur {
    /// The value of lane 0, and how the others follow.
    Scalar(Lanes, Class),
    /// Of the four lanes at hand.
    Group(Lanes),
    /// Written by the lanes' work, which is still to come.
    Deferred,
}

/// A memory access whose address is uniform or affine, prepared in the first phase.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    /// Host address of lane 0's access.
    pub address: Value,
    /// Distance between lanes.
    pub stride: i64,
}

pub(super) struct Fast<'g, 'a, 'f, 'p> {
    pub g: &'g mut Gen<'a, 'f>,
    pub plan: &'p Plan,
    pub env: Value,
    pub warp: Value,
    vars: Vec<Option<Variable>>,
    blocks: Vec<Block>,
    pub cur: Vec<Option<Cur>>,
    touched: Vec<Reg>,
    /// The block being generated.
    pub at: BlockId,
    slow_exit: Option<Block>,
    guards: Vec<Value>,
    /// Prepared accesses of this block, by instruction.
    pub ready: Vec<Option<Ready>>,
    /// The first lane of the group at hand (I64), in the second phase.
    pub lane: Value,
    pub space_base: Value,
    pub space_mask: Value,
    pub shared: Value,
    pub shared_bytes: Value,
}

/// Generates warp mode.
pub fn generate(g: &mut Gen, plan: &Plan) -> Result<(), String> {
    let b = &mut *g.e.b;
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let (env, warp) = (params[0], params[1]);
    let blocks: Vec<Block> = plan.func.blocks.iter().map(|_| b.create_block()).collect();
    let vars = (0..plan.func.regs.len())
        .map(|i| {
            let home = plan.layout.home(Reg(i as u32))?;
            (home.class != Class::Varying).then(|| b.declare_var(part_type(home.ty, false)))
        })
        .collect();
    let load = |b: &mut cranelift_frontend::FunctionBuilder, offset: usize| {
        b.ins().load(types::I64, trusted(), env, offset as i32)
    };
    let space_base = load(b, offset_of!(Env, space_base));
    let space_mask = load(b, offset_of!(Env, space_mask));
    let shared = load(b, offset_of!(Env, shared));
    let shared_bytes = load(b, offset_of!(Env, shared_bytes));
    let mut fast = Fast {
        plan,
        env,
        warp,
        vars,
        blocks,
        cur: vec![None; plan.func.regs.len()],
        touched: Vec::new(),
        at: BlockId(0),
        slow_exit: None,
        guards: Vec::new(),
        ready: Vec::new(),
        lane: env,
        space_base,
        space_mask,
        shared,
        shared_bytes,
        g,
    };
    fast.enter(params[2]);
    for index in 0..plan.func.blocks.len() {
        fast.block(BlockId(index as u32))?;
    }
    Ok(())
}

impl Fast<'_, '_, '_, '_> {
    /// The dispatch on the entry number: loads what lives there and jumps.
    fn enter(&mut self, number: Value) {
        let plan = self.plan;
        let stubs: Vec<(Block, BlockId)> = plan
            .entries
            .iter()
            .enumerate()
            .filter(|(_, e)| e.is_some())
            .map(|(i, _)| (self.g.e.b.create_block(), BlockId(i as u32)))
            .collect();
        let calls: Vec<_> = stubs
            .iter()
            .map(|(stub, _)| self.g.e.b.func.dfg.block_call(*stub, &[]))
            .collect();
        if let [(only, _)] = stubs[..] {
            self.g.e.b.ins().jump(only, &[]);
        } else {
            let default = calls[0];
            let table = self
                .g
                .e
                .b
                .create_jump_table(JumpTableData::new(default, &calls));
            let number = self.g.e.b.ins().ireduce(types::I32, number);
            self.g.e.b.ins().br_table(number, table);
        }
        for (stub, target) in stubs {
            self.g.e.b.switch_to_block(stub);
            for reg in plan.live.live_in(target).iter() {
                if let (Some(var), Some(home)) = (self.vars[reg.index()], plan.layout.home(reg)) {
                    let part = part_type(home.ty, false);
                    let value =
                        self.g
                            .e
                            .b
                            .ins()
                            .load(part, trusted(), self.warp, home.scalar as i32);
                    self.g.e.b.def_var(var, value);
                }
            }
            self.g.e.b.ins().jump(self.blocks[target.index()], &[]);
        }
    }

    fn block(&mut self, id: BlockId) -> Result<(), String> {
        let plan = self.plan;
        let block = &plan.func.blocks[id.index()];
        self.at = id;
        self.slow_exit = None;
        self.guards.clear();
        self.ready = vec![None; block.insts.len()];
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }
        self.g.e.b.switch_to_block(self.blocks[id.index()]);

        // Phase one: what is the same or affine over the lanes, in order.
        let mut scalars: Vec<(usize, Reg, Lanes, Class)> = Vec::new();
        let mut work = false;
        for (i, inst) in block.insts.iter().enumerate() {
            if self.is_scalar(inst) {
                self.scalar_inst(i, inst, &mut scalars);
            } else {
                work |= !matches!(inst, Inst::Pause);
                self.prepare_access(i, inst);
                inst.defs(|reg| self.set(reg, Cur::Deferred));
            }
        }
        self.check_guards();
        let finals: Vec<(Reg, Cur)> = self
            .touched
            .iter()
            .filter_map(|&r| Some((r, self.cur[r.index()]?)))
            .collect();
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }

        // Phase two: the lanes' work, four at a time.
        let live_out = plan.live.live_out(&plan.func, id);
        let mut masks = Vec::new();
        if work {
            masks = self.lane_loop(id, &scalars, &live_out)?;
        }
        for (reg, cur) in finals {
            let Cur::Scalar(value, _) = cur else { continue };
            if plan.classes.of(reg) == Class::Varying {
                continue;
            }
            self.set(reg, cur);
            if let Some(var) = self.vars[reg.index()] {
                let value = self.g.e.settle(value);
                self.g.e.b.def_var(var, value.one());
            }
        }
        self.end(id, &masks, &live_out)
    }

    /// Whether an instruction is done once for the warp: one of its results is not varying, or it is a load of one value.
    fn is_scalar(&self, inst: &Inst) -> bool {
        let classes = &self.plan.classes;
        if let Inst::Load { addr, .. } = inst {
            return classes.operand(addr.base) == Class::Uniform
                && addr.space != crate::ir::Space::Local;
        }
        let mut scalar = false;
        inst.defs(|reg| scalar |= classes.of(reg) != Class::Varying);
        scalar
    }

    /// The class of a value as computed here, which may be better than its register's.
    pub(super) fn class_of(&self, operand: Operand) -> Class {
        match operand {
            Operand::Imm(_) => Class::Uniform,
            Operand::Reg(reg) => match self.cur[reg.index()] {
                Some(Cur::Scalar(_, class)) => class,
                Some(Cur::Group(_) | Cur::Deferred) => Class::Varying,
                None => self.plan.classes.of(reg),
            },
        }
    }

    /// Lane 0's value of a uniform or affine operand.
    pub(super) fn scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.raw_scalar(operand, ty);
        if !value.raw {
            return value;
        }
        let settled = self.g.e.settle(value);
        if let Operand::Reg(reg) = operand
            && let Some(Cur::Scalar(_, class)) = self.cur[reg.index()]
        {
            self.cur[reg.index()] = Some(Cur::Scalar(settled, class));
        }
        settled
    }

    /// The same for arithmetic, which takes any NaN.
    fn raw_scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        match operand {
            Operand::Imm(bits) => self.g.e.constant(ty, false, bits),
            Operand::Reg(reg) => match (self.cur[reg.index()], self.vars[reg.index()]) {
                (Some(Cur::Scalar(value, _)), _) => value,
                (_, Some(var)) => {
                    let value = self.g.e.b.use_var(var);
                    Lanes::new(self.plan.func.ty(reg), false, &[value])
                }
                // Never written: any value will do.
                _ => self.g.e.constant(self.plan.func.ty(reg), false, 0),
            },
        }
    }

    pub(super) fn set(&mut self, reg: Reg, cur: Cur) {
        if self.cur[reg.index()].is_none() {
            self.touched.push(reg);
        }
        self.cur[reg.index()] = Some(cur);
    }

    fn scalar_inst(
        &mut self,
        i: usize,
        inst: &Inst,
        scalars: &mut Vec<(usize, Reg, Lanes, Class)>,
    ) {
        let plan = self.plan;
        match inst {
            Inst::Op { dst, op, args } => {
                let signature = op.signature();
                let classes: Vec<Class> = args.iter().map(|&a| self.class_of(a)).collect();
                let values: Vec<Lanes> = args
                    .iter()
                    .zip(signature.args())
                    .map(|(&a, &ty)| self.raw_scalar(a, ty))
                    .collect();
                let affine = classes.iter().find_map(|c| match c {
                    Class::Affine(s) => Some(*s),
                    _ => None,
                });
                let value = match (op, affine) {
                    (Op::Compare { cmp, num, .. }, Some(stride)) => {
                        self.guarded_compare(*cmp, *num, &values, &classes, stride)
                    }
                    _ => {
                        if let (Some(signed), Some(stride)) = (widens(*op), affine) {
                            let which = usize::from(classes[0] == Class::Uniform);
                            self.guard_no_wrap(values[which].one(), stride, signed);
                        }
                        self.g.e.op(*op, &values)
                    }
                };
                let class = plan.classes.of(*dst);
                scalars.push((i, *dst, value, class));
                self.set(*dst, Cur::Scalar(value, class));
            }
            Inst::Special { dst, special } => {
                let value = self.special(*special);
                let class = plan.classes.of(*dst);
                scalars.push((i, *dst, value, class));
                self.set(*dst, Cur::Scalar(value, class));
            }
            Inst::SymbolAddress { dst, variable } => {
                let table = self.env_load(types::I64, offset_of!(Env, symbols));
                let value =
                    self.g
                        .e
                        .b
                        .ins()
                        .load(types::I64, trusted(), table, *variable as i32 * 8);
                let value = Lanes::new(Ty::B64, false, &[value]);
                scalars.push((i, *dst, value, Class::Uniform));
                self.set(*dst, Cur::Scalar(value, Class::Uniform));
            }
            Inst::Load {
                dsts,
                ty,
                signed,
                addr,
                order,
            } => {
                let bytes = ty.bytes() * dsts.len() as u32;
                let (address, _) = self.checked_address(addr, bytes);
                self.check_guards();
                for (n, dst) in dsts.iter().enumerate() {
                    let Some(dst) = dst else { continue };
                    let reg_ty = plan.func.ty(*dst);
                    let offset = n as i32 * ty.bytes() as i32;
                    let value = self
                        .g
                        .e
                        .load_one(*ty, *signed, reg_ty, *order, address, offset);
                    scalars.push((i, *dst, value, Class::Uniform));
                    self.set(*dst, Cur::Scalar(value, Class::Uniform));
                }
            }
            Inst::FunctionAddress { dst, func } => {
                let value = self.g.e.constant(Ty::B64, false, u64::from(func.0) + 1);
                scalars.push((i, *dst, value, Class::Uniform));
                self.set(*dst, Cur::Scalar(value, Class::Uniform));
            }
            Inst::Store { .. }
            | Inst::Atomic { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Call { .. }
            | Inst::Pause => {}
        }
    }

    pub(super) fn env_load(&mut self, ty: cranelift_codegen::ir::Type, offset: usize) -> Value {
        self.g
            .e
            .b
            .ins()
            .load(ty, trusted(), self.env, offset as i32)
    }

    fn special(&mut self, special: Special) -> Lanes {
        let env32 = |f: &mut Self, offset: usize| {
            let v = f.env_load(types::I32, offset);
            Lanes::new(Ty::B32, false, &[v])
        };
        let env64 = |f: &mut Self, offset: usize| {
            let v = f.env_load(types::I64, offset);
            Lanes::new(Ty::B64, false, &[v])
        };
        let axis = |base: usize, axis: u8| base + usize::from(axis) * 4;
        match special {
            Special::Tid(n) => {
                let at = axis(offset_of!(WarpHeader, tid0), n);
                let v = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I32, trusted(), self.warp, at as i32);
                Lanes::new(Ty::B32, false, &[v])
            }
            Special::Ntid(n) => env32(self, axis(offset_of!(Env, block), n)),
            Special::Ctaid(n) => env32(self, axis(offset_of!(Env, ctaid), n)),
            Special::Nctaid(n) => env32(self, axis(offset_of!(Env, grid), n)),
            Special::LaneId => self.g.e.constant(Ty::B32, false, 0),
            Special::WarpId => {
                let v = self.g.e.b.ins().load(
                    types::I32,
                    trusted(),
                    self.warp,
                    offset_of!(WarpHeader, warp) as i32,
                );
                Lanes::new(Ty::B32, false, &[v])
            }
            Special::NWarpId => self.g.e.constant(Ty::B32, false, 32),
            Special::SmId => env32(self, offset_of!(Env, worker)),
            Special::NSmId => env32(self, offset_of!(Env, workers)),
            Special::GridId => env64(self, offset_of!(Env, grid_id)),
            Special::DynamicSharedSize => env32(self, offset_of!(Env, dynamic_shared)),
            Special::TotalSharedSize => {
                let v = self.g.e.b.ins().ireduce(types::I32, self.shared_bytes);
                Lanes::new(Ty::B32, false, &[v])
            }
            Special::EnvReg(n) => env32(self, axis(offset_of!(Env, envregs), n)),
            Special::SharedBase => Lanes::new(Ty::B64, false, &[self.shared]),
            Special::ParamBase => env64(self, offset_of!(Env, params)),
            Special::LocalBase => {
                let v = self.local_base();
                Lanes::new(Ty::B64, false, &[v])
            }
            Special::Clock | Special::Clock64 | Special::GlobalTimer => {
                let which = self
                    .g
                    .e
                    .iconst(types::I64, i64::from(special == Special::GlobalTimer));
                let value = self
                    .g
                    .call_one(super::helpers::clock as *const () as usize, which);
                self.g.e.of_word(special.ty(), value)
            }
            // Varying; never asked for here.
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => self.g.e.constant(Ty::B32, false, 0),
        }
    }

    /// Address of lane 0's local memory.
    pub(super) fn local_base(&mut self) -> Value {
        let at = offset_of!(WarpHeader, local) as i32;
        self.g.e.b.ins().load(types::I64, trusted(), self.warp, at)
    }

    /// A comparison of an affine with a uniform value: lane 0's answer, under the guard that lane 31 has the same and no
    /// lane in between can differ.
    fn guarded_compare(
        &mut self,
        cmp: crate::ir::Cmp,
        num: Num,
        values: &[Lanes],
        classes: &[Class],
        stride: i64,
    ) -> Lanes {
        use crate::ir::Cmp;
        let e = &mut self.g.e;
        let ty = num.ty();
        let part = part_type(ty, false);
        let which = usize::from(classes[0] == Class::Uniform);
        let first = values[which].one();
        let step = e.iconst(part, stride.wrapping_mul(31));
        let last = e.b.ins().iadd(first, step);
        let mut ends = [values[0].one(), values[1].one()];
        let equality = matches!(cmp, Cmp::Eq | Cmp::Ne);
        // No wrap between the ends, in the order of the comparison (unsigned for equality).
        let signed = num.is_signed() && !equality;
        let up = match (signed, stride > 0) {
            (true, true) => IntCC::SignedGreaterThanOrEqual,
            (true, false) => IntCC::SignedLessThanOrEqual,
            (false, true) => IntCC::UnsignedGreaterThanOrEqual,
            (false, false) => IntCC::UnsignedLessThanOrEqual,
        };
        let ordered = e.b.ins().icmp(up, last, first);
        if equality {
            // All lanes differ from the other value when it lies outside what the lanes span.
            let other = ends[1 - which];
            let (low, high) = if stride > 0 {
                (first, last)
            } else {
                (last, first)
            };
            let below = e.b.ins().icmp(IntCC::UnsignedLessThan, other, low);
            let above = e.b.ins().icmp(IntCC::UnsignedGreaterThan, other, high);
            let outside = e.b.ins().bor(below, above);
            let ok = e.b.ins().band(ordered, outside);
            self.guards.push(ok);
            let answer = self.g.e.iconst(types::I8, i64::from(cmp == Cmp::Ne));
            return Lanes::new(Ty::Pred, false, &[answer]);
        }
        let Some(code) = super::ops::compare::int_code(cmp, num.is_signed()) else {
            return self.g.e.constant(Ty::Pred, false, 0);
        };
        let at_first = e.b.ins().icmp(code, ends[0], ends[1]);
        ends[which] = last;
        let at_last = e.b.ins().icmp(code, ends[0], ends[1]);
        let same = e.b.ins().icmp(IntCC::Equal, at_first, at_last);
        let ok = e.b.ins().band(ordered, same);
        self.guards.push(ok);
        Lanes::new(Ty::Pred, false, &[at_first])
    }

    /// Guards that `first + lane * stride` does not wrap at 32 bits for any lane.
    fn guard_no_wrap(&mut self, first: Value, stride: i64, signed: bool) {
        let reach = stride.saturating_mul(31);
        let (code, limit) = match (signed, stride > 0) {
            (true, true) => (IntCC::SignedLessThanOrEqual, i64::from(i32::MAX) - reach),
            (true, false) => (IntCC::SignedGreaterThanOrEqual, i64::from(i32::MIN) - reach),
            (false, true) => (IntCC::UnsignedLessThanOrEqual, i64::from(u32::MAX) - reach),
            (false, false) => (IntCC::UnsignedGreaterThanOrEqual, -reach),
        };
        let limit = self.g.e.iconst(types::I32, limit);
        let ok = self.g.e.b.ins().icmp(code, first, limit);
        self.guards.push(ok);
    }

    pub(super) fn guard(&mut self, ok: Value) {
        self.guards.push(ok);
    }

    /// Leaves warp mode at the block's start if a guard so far has failed.
    fn check_guards(&mut self) {
        let mut all: Option<Value> = None;
        for guard in std::mem::take(&mut self.guards) {
            all = Some(match all {
                None => guard,
                Some(a) => self.g.e.b.ins().band(a, guard),
            });
        }
        let Some(ok) = all else { return };
        let exit = match self.slow_exit {
            Some(exit) => exit,
            None => {
                let exit = self.g.e.b.create_block();
                self.slow_exit = Some(exit);
                self.g.e.b.set_cold_block(exit);
                exit
            }
        };
        let on = self.g.e.b.create_block();
        self.g.e.b.ins().brif(ok, on, &[], exit, &[]);
        self.g.e.b.switch_to_block(on);
    }

    /// Generates the exit that guards of this block jump to, once the block is complete: what jumps there comes before the
    /// block's results are put into variables, which therefore still hold the block's start.
    fn finish_slow_exit(&mut self) {
        let Some(exit) = self.slow_exit.take() else {
            return;
        };
        self.g.e.b.switch_to_block(exit);
        let live = self.plan.live.live_in(self.at).clone();
        self.leave(Exit::Slow, self.at, &live);
    }

    /// Saves the scalars of `live` and returns.
    fn leave(&mut self, exit: Exit, block: BlockId, live: &RegSet) {
        self.save(live);
        let code = self.g.e.iconst(types::I64, exit.code(block));
        self.g.e.b.ins().return_(&[code]);
    }

    fn save(&mut self, live: &RegSet) {
        for reg in live.iter() {
            if let (Some(var), Some(home)) = (self.vars[reg.index()], self.plan.layout.home(reg)) {
                let value = self.g.e.b.use_var(var);
                self.g
                    .e
                    .b
                    .ins()
                    .store(trusted(), value, self.warp, home.scalar as i32);
            }
        }
    }

    /// The loop over groups of lanes. Answers the masks of the predicates that the terminator or later blocks want.
    fn lane_loop(
        &mut self,
        id: BlockId,
        scalars: &[(usize, Reg, Lanes, Class)],
        live_out: &RegSet,
    ) -> Result<Vec<(Reg, Value)>, String> {
        let plan = self.plan;
        let block = &plan.func.blocks[id.index()];
        let mut keep = live_out.clone();
        block.end.uses(|o| {
            if let Operand::Reg(reg) = o {
                keep.insert(reg);
            }
        });
        // Predicates that leave the loop gather their bits in variables.
        let mut gathered: Vec<(Reg, Variable)> = Vec::new();
        for inst in &block.insts {
            inst.defs(|reg| {
                if plan.func.ty(reg) == Ty::Pred
                    && plan.classes.of(reg) == Class::Varying
                    && keep.contains(reg)
                    && !gathered.iter().any(|(r, _)| *r == reg)
                {
                    let var = self.g.e.b.declare_var(types::I32);
                    gathered.push((reg, var));
                }
            });
        }
        for (_, var) in &gathered {
            let zero = self.g.e.iconst(types::I32, 0);
            self.g.e.b.def_var(*var, zero);
        }
        let header = self.g.e.b.create_block();
        let done = self.g.e.b.create_block();
        self.g.e.b.append_block_param(header, types::I64);
        let zero = self.g.e.iconst(types::I64, 0);
        self.g.e.b.ins().jump(header, &[zero.into()]);
        self.g.e.b.switch_to_block(header);
        self.lane = self.g.e.b.block_params(header)[0];

        let mut next_scalar = scalars.iter().peekable();
        for (i, inst) in block.insts.iter().enumerate() {
            let mut scalar = false;
            while let Some((_, reg, value, class)) = next_scalar.next_if(|(at, ..)| *at == i) {
                self.set(*reg, Cur::Scalar(*value, *class));
                scalar = true;
            }
            if !scalar && !self.is_scalar(inst) {
                self.group_inst(i, inst)?;
            }
        }
        // Results that live on go to their homes; what was only read is there already.
        let mut written = RegSet::new(plan.func.regs.len());
        for inst in &block.insts {
            inst.defs(|reg| {
                written.insert(reg);
            });
        }
        for reg in keep.iter().filter(|&reg| written.contains(reg)) {
            let Some(home) = plan.layout.home(reg).filter(|h| h.class == Class::Varying) else {
                if let Some((_, var)) = gathered.iter().find(|(r, _)| *r == reg) {
                    self.gather_bits(reg, *var);
                }
                continue;
            };
            if self.cur[reg.index()].is_none() {
                continue;
            }
            match gathered.iter().find(|(r, _)| *r == reg) {
                Some((_, var)) => self.gather_bits(reg, *var),
                None => {
                    let value = self.group(Operand::Reg(reg), home.ty);
                    self.store_group(home, value);
                }
            }
        }
        let next = self.g.e.b.ins().iadd_imm_u(self.lane, GROUP as i64);
        let more = self
            .g
            .e
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedLessThan, next, 32);
        self.g
            .e
            .b
            .ins()
            .brif(more, header, &[next.into()], done, &[]);
        self.g.e.b.switch_to_block(done);
        for reg in self.touched.drain(..) {
            self.cur[reg.index()] = None;
        }
        let mut masks = Vec::new();
        for (reg, var) in gathered {
            let mask = self.g.e.b.use_var(var);
            if let Some(home) = plan.layout.home(reg) {
                self.g
                    .e
                    .b
                    .ins()
                    .store(trusted(), mask, self.warp, home.lanes as i32);
            }
            masks.push((reg, mask));
        }
        Ok(masks)
    }

    fn gather_bits(&mut self, reg: Reg, var: Variable) {
        let value = self.group(Operand::Reg(reg), Ty::Pred);
        let bits = self.g.e.mask_bits(value);
        let by = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let bits = self.g.e.b.ins().ishl(bits, by);
        let old = self.g.e.b.use_var(var);
        let new = self.g.e.b.ins().bor(old, bits);
        self.g.e.b.def_var(var, new);
    }

    /// Address of the group's part of a lane slot.
    fn slot_address(&mut self, home: Home) -> Value {
        let scaled = match super::layout::lane_bytes(home.ty) {
            4 => self.g.e.b.ins().ishl_imm_u(self.lane, 2),
            8 => self.g.e.b.ins().ishl_imm_u(self.lane, 3),
            _ => self.g.e.b.ins().ishl_imm_u(self.lane, 4),
        };
        self.g.e.b.ins().iadd(self.warp, scaled)
    }

    fn store_group(&mut self, home: Home, value: Lanes) {
        let at = self.slot_address(home);
        if home.ty == Ty::B128 {
            for lane in 0..GROUP {
                let one = self.g.e.extract(value, lane);
                for (half, &part) in one.parts().iter().enumerate() {
                    let offset = home.lanes as i32 + lane as i32 * 16 + half as i32 * 8;
                    self.g.e.b.ins().store(trusted(), part, at, offset);
                }
            }
            return;
        }
        for (i, &part) in value.parts().iter().enumerate() {
            self.g
                .e
                .b
                .ins()
                .store(trusted(), part, at, home.lanes as i32 + i as i32 * 16);
        }
    }

    fn load_group(&mut self, home: Home) -> Lanes {
        if home.ty == Ty::Pred {
            let mask = self
                .g
                .e
                .b
                .ins()
                .load(types::I32, trusted(), self.warp, home.lanes as i32);
            let by = self.g.e.b.ins().ireduce(types::I32, self.lane);
            let bits = self.g.e.b.ins().ushr(mask, by);
            return self.g.e.bits_mask(bits);
        }
        let at = self.slot_address(home);
        if home.ty == Ty::B128 {
            let mut lanes = [Lanes::new(home.ty, false, &[at, at]); GROUP];
            for (lane, out) in lanes.iter_mut().enumerate() {
                let offset = home.lanes as i32 + lane as i32 * 16;
                let low = self.g.e.b.ins().load(types::I64, trusted(), at, offset);
                let high = self.g.e.b.ins().load(types::I64, trusted(), at, offset + 8);
                *out = Lanes::new(home.ty, false, &[low, high]);
            }
            return self.g.e.gather(&lanes);
        }
        let part = part_type(home.ty, true);
        let first = self
            .g
            .e
            .b
            .ins()
            .load(part, trusted(), at, home.lanes as i32);
        if home.ty == Ty::B64 {
            let second = self
                .g
                .e
                .b
                .ins()
                .load(part, trusted(), at, home.lanes as i32 + 16);
            return Lanes::new(home.ty, true, &[first, second]);
        }
        Lanes::new(home.ty, true, &[first])
    }

    /// The group's values of an operand.
    pub(super) fn group(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.raw_group(operand, ty);
        if !value.raw {
            return value;
        }
        let settled = self.g.e.settle(value);
        if let Operand::Reg(reg) = operand {
            self.cur[reg.index()] = Some(Cur::Group(settled));
        }
        settled
    }

    /// The same for arithmetic, which takes any NaN.
    fn raw_group(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let reg = match operand {
            Operand::Imm(bits) => return self.g.e.constant(ty, true, bits),
            Operand::Reg(reg) => reg,
        };
        let own = self.plan.func.ty(reg);
        match (self.cur[reg.index()], self.plan.layout.home(reg)) {
            (Some(Cur::Group(value)), _) => value,
            (Some(Cur::Scalar(value, class)), _) => self.spread(value, class),
            (Some(Cur::Deferred), _) => self.g.e.constant(own, true, 0),
            (None, Some(home)) if home.class == Class::Varying => {
                let value = self.load_group(home);
                self.set(reg, Cur::Group(value));
                value
            }
            (None, Some(home)) => {
                let value = self.scalar(operand, own);
                self.spread(value, home.class)
            }
            (None, None) => self.g.e.constant(own, true, 0),
        }
    }

    /// The group's values of lane 0's value and a class.
    pub(super) fn spread(&mut self, value: Lanes, class: Class) -> Lanes {
        let Class::Affine(stride) = class else {
            return self.g.e.splat(value);
        };
        let e = &mut self.g.e;
        if value.ty == Ty::B64 {
            let ahead = e.b.ins().imul_imm_s(self.lane, stride);
            let first = e.b.ins().iadd(value.one(), ahead);
            let all = e.b.ins().splat(types::I64X2, first);
            let (low, high) = (
                e.vconst64([0, stride]),
                e.vconst64([2 * stride, 3 * stride]),
            );
            let low = e.b.ins().iadd(all, low);
            let high = e.b.ins().iadd(all, high);
            return Lanes::new(Ty::B64, true, &[low, high]);
        }
        let lane = e.b.ins().ireduce(types::I32, self.lane);
        let ahead = e.b.ins().imul_imm_s(lane, i64::from(stride as i32));
        let first = e.b.ins().iadd(value.one(), ahead);
        let all = e.b.ins().splat(types::I32X4, first);
        let s = stride as i32;
        let steps = e.vconst32([0, s, s.wrapping_mul(2), s.wrapping_mul(3)]);
        let out = e.b.ins().iadd(all, steps);
        Lanes::new(value.ty, true, &[out])
    }

    fn group_inst(&mut self, i: usize, inst: &Inst) -> Result<(), String> {
        match inst {
            Inst::Op { dst, op, args } => {
                let signature = op.signature();
                if let (
                    Op::Int(shift @ (IntOp::Shl | IntOp::ShrU | IntOp::ShrS), ty),
                    Some(Operand::Imm(by)),
                ) = (op, args.get(1))
                    && ty.bits() >= 32
                {
                    let a = self.group(args[0], *ty);
                    let by = (*by as u32).min(1 << 16);
                    let value = shift_by_constant(&mut self.g.e, *shift, *ty, a, by);
                    self.set(*dst, Cur::Group(value));
                    return Ok(());
                }
                let mut values = [Lanes::new(Ty::B32, true, &[self.lane]); 4];
                for ((value, &arg), &ty) in values.iter_mut().zip(args.iter()).zip(signature.args())
                {
                    *value = self.raw_group(arg, ty);
                }
                let value = self.g.e.op(*op, &values[..args.len()]);
                self.set(*dst, Cur::Group(value));
            }
            Inst::Special { dst, special } => {
                let value = self.group_special(*special);
                self.set(*dst, Cur::Group(value));
            }
            Inst::SymbolAddress { .. } | Inst::FunctionAddress { .. } => {
                // Uniform values of registers that vary elsewhere.
                let mut found = Vec::new();
                self.scalar_inst(i, inst, &mut found);
            }
            Inst::Load { .. } => self.group_load(i, inst),
            Inst::Store { .. } => self.group_store(i, inst),
            Inst::Atomic { .. } => self.group_atomic(i, inst),
            Inst::Fence(_) => {
                self.g.e.b.ins().fence();
            }
            Inst::Syscall { dst, call, args } => self.group_syscall(*dst, *call, args),
            Inst::Call { .. } => return Err("calls that were not inlined".to_owned()),
            Inst::Pause => {}
        }
        Ok(())
    }

    fn group_special(&mut self, special: Special) -> Lanes {
        if let Special::Tid(axis) = special
            && self.plan.shape == Shape::Any
        {
            let offset = offset_of!(WarpHeader, tid) + usize::from(axis) * 128;
            let by = self.g.e.b.ins().ishl_imm_u(self.lane, 2);
            let at = self.g.e.b.ins().iadd(self.warp, by);
            let v = self
                .g
                .e
                .b
                .ins()
                .load(types::I32X4, trusted(), at, offset as i32);
            return Lanes::new(Ty::B32, true, &[v]);
        }
        let mut lanes = [Lanes::new(Ty::B32, false, &[self.lane]); GROUP];
        let class = match special {
            Special::Tid(0) | Special::LaneId => Class::Affine(1),
            Special::LocalBase => match self.plan.local_bytes {
                0 => Class::Uniform,
                bytes => Class::Affine(i64::from(bytes)),
            },
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => {
                for (n, lane) in lanes.iter_mut().enumerate() {
                    let index = self.g.e.b.ins().iadd_imm_u(self.lane, n as i64);
                    *lane = self.g.lane_mask(special, index);
                }
                return self.g.e.gather(&lanes);
            }
            _ => Class::Uniform,
        };
        let value = self.special(special);
        self.spread(value, class)
    }

    fn group_syscall(&mut self, dst: Option<Reg>, call: crate::ir::Syscall, args: &[Operand]) {
        let site = self.g.sites.len() as i64;
        self.g.sites.push(Site::Syscall(call));
        let mut results = [Lanes::new(Ty::B64, false, &[self.lane]); GROUP];
        let values: Vec<Lanes> = args
            .iter()
            .map(|&a| {
                let ty = a.reg().map_or(Ty::B64, |r| self.plan.func.ty(r));
                self.group(a, ty)
            })
            .collect();
        for (n, out) in results.iter_mut().enumerate() {
            for (k, &value) in values.iter().enumerate() {
                let one = self.g.e.extract(value, n);
                let word = self.g.e.as_word(one);
                let at = (offset_of!(WarpHeader, scratch) + 8 * k) as i32;
                self.g.e.b.ins().store(trusted(), word, self.warp, at);
            }
            let lane = self.g.e.b.ins().iadd_imm_u(self.lane, n as i64);
            let result = self.g.call_syscall(self.env, self.warp, site, lane);
            *out = Lanes::new(Ty::B64, false, &[result]);
        }
        let failed = self.g.call_one(
            super::helpers::pending_fault as *const () as usize,
            self.env,
        );
        self.fault_if(failed, u32::MAX, None);
        if let Some(dst) = dst {
            let ty = self.plan.func.ty(dst);
            let words = results.map(|r| self.g.e.of_word(ty, r.one()));
            let value = self.g.e.gather(&words);
            self.set(dst, Cur::Group(value));
        }
    }

    /// Leaves with a fault at instruction `inst` if the condition is not zero; `addresses` are the group's, of which the
    /// runtime finds the bad one.
    pub(super) fn fault_if(
        &mut self,
        condition: Value,
        inst: u32,
        addresses: Option<[Value; GROUP]>,
    ) {
        let bad = self.g.e.b.create_block();
        let on = self.g.e.b.create_block();
        self.g.e.b.set_cold_block(bad);
        self.g.e.b.ins().brif(condition, bad, &[], on, &[]);
        self.g.e.b.switch_to_block(bad);
        let number = self.g.e.iconst(types::I32, i64::from(inst));
        let at = offset_of!(WarpHeader, fault_inst) as i32;
        self.g.e.b.ins().store(trusted(), number, self.warp, at);
        let lane = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let at = offset_of!(WarpHeader, fault_lane) as i32;
        self.g.e.b.ins().store(trusted(), lane, self.warp, at);
        for (n, address) in addresses.iter().flatten().enumerate() {
            let at = (offset_of!(WarpHeader, scratch) + 8 * n) as i32;
            self.g.e.b.ins().store(trusted(), *address, self.warp, at);
        }
        let code = self.g.e.iconst(types::I64, Exit::Fault.code(self.at));
        self.g.e.b.ins().return_(&[code]);
        self.g.e.b.switch_to_block(on);
    }

    fn goto(&mut self, from: BlockId, to: BlockId) {
        let target = self.blocks[to.index()];
        if to.index() > from.index() {
            self.g.e.b.ins().jump(target, &[]);
            return;
        }
        // A back edge costs fuel, so that a warp that spins gives way.
        let fuel = self.env_load(types::I64, offset_of!(Env, fuel));
        let fuel = self.g.e.b.ins().iadd_imm_s(fuel, -1);
        self.g
            .e
            .b
            .ins()
            .store(trusted(), fuel, self.env, offset_of!(Env, fuel) as i32);
        let out = self.g.e.b.create_block();
        self.g.e.b.set_cold_block(out);
        let empty = self.g.e.b.ins().icmp_imm_s(IntCC::SignedLessThan, fuel, 0);
        self.g.e.b.ins().brif(empty, out, &[], target, &[]);
        self.g.e.b.switch_to_block(out);
        let live = self.plan.live.live_in(to).clone();
        self.leave(Exit::Yield, to, &live);
    }

    fn end(
        &mut self,
        id: BlockId,
        masks: &[(Reg, Value)],
        live_out: &RegSet,
    ) -> Result<(), String> {
        let plan = self.plan;
        match &plan.func.blocks[id.index()].end {
            Terminator::Jump(to) => self.goto(id, *to),
            Terminator::Branch { cond, then, other } => {
                if plan.classes.of(*cond) == Class::Varying {
                    let mask = match masks.iter().find(|(r, _)| r == cond) {
                        Some((_, mask)) => *mask,
                        None => self.pred_mask(*cond),
                    };
                    self.vote_branch(id, mask, *then, *other, live_out);
                } else {
                    let cond = self.scalar(Operand::Reg(*cond), Ty::Pred).one();
                    let (yes, no) = (self.g.e.b.create_block(), self.g.e.b.create_block());
                    self.g.e.b.ins().brif(cond, yes, &[], no, &[]);
                    self.g.e.b.switch_to_block(yes);
                    self.goto(id, *then);
                    self.g.e.b.switch_to_block(no);
                    self.goto(id, *other);
                }
            }
            Terminator::Switch { index, targets } => {
                if plan.classes.operand(*index) == Class::Uniform {
                    self.switch(id, *index, targets);
                } else {
                    self.leave_with_operands(Exit::Diverge, id, live_out);
                }
            }
            Terminator::Exit | Terminator::Return => self.exit(id),
            Terminator::Trap => {
                let code = self.g.e.iconst(types::I64, Exit::Trap.code(id));
                self.g.e.b.ins().return_(&[code]);
            }
            Terminator::Barrier { .. } => self.leave_with_operands(Exit::Barrier, id, live_out),
            Terminator::Warp {
                op,
                mask,
                args,
                dsts,
                next,
            } => {
                self.warp(id, *op, *mask, args, dsts);
                self.goto(id, *next);
            }
        }
        self.finish_slow_exit();
        Ok(())
    }

    /// The warp has ended: goes on with the block's next one if it is fresh too.
    fn exit(&mut self, id: BlockId) {
        if self.plan.shape == Shape::Row {
            let at = offset_of!(Env, warps_left);
            let left = self.env_load(types::I64, at);
            let left = self.g.e.b.ins().iadd_imm_s(left, -1);
            self.g.e.b.ins().store(trusted(), left, self.env, at as i32);
            let last = self.g.e.b.create_block();
            let more = self.g.e.b.create_block();
            let none = self.g.e.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
            self.g.e.b.ins().brif(none, last, &[], more, &[]);
            self.g.e.b.switch_to_block(more);
            self.next_warp();
            self.g.e.b.ins().jump(self.blocks[0], &[]);
            self.g.e.b.switch_to_block(last);
            if !self.plan.has_barrier {
                self.next_block();
            }
        }
        let code = self.g.e.iconst(types::I64, Exit::Done.code(id));
        self.g.e.b.ins().return_(&[code]);
    }

    /// Goes on with the next block of the grid where the runtime allows it.
    fn next_block(&mut self) {
        let at = offset_of!(Env, blocks_left);
        let left = self.env_load(types::I64, at);
        let none = self.g.e.b.create_block();
        let more = self.g.e.b.create_block();
        self.g.e.b.ins().brif(left, more, &[], none, &[]);
        self.g.e.b.switch_to_block(more);
        let left = self.g.e.b.ins().iadd_imm_s(left, -1);
        self.g.e.b.ins().store(trusted(), left, self.env, at as i32);
        // x goes on by one and carries into y, and y into z.
        let mut carry = self.g.e.iconst(types::I32, 1);
        for axis in 0..3 {
            let at = offset_of!(Env, ctaid) + 4 * axis;
            let old = self.env_load(types::I32, at);
            let new = self.g.e.b.ins().iadd(old, carry);
            let extent = self.env_load(types::I32, offset_of!(Env, grid) + 4 * axis);
            let over = self
                .g
                .e
                .b
                .ins()
                .icmp(IntCC::UnsignedGreaterThanOrEqual, new, extent);
            let zero = self.g.e.iconst(types::I32, 0);
            let value = self.g.e.b.ins().select(over, zero, new);
            self.g
                .e
                .b
                .ins()
                .store(trusted(), value, self.env, at as i32);
            carry = self.g.e.b.ins().uextend(types::I32, over);
        }
        let warps = self.env_load(types::I64, offset_of!(Env, warps_per_block));
        let warps = self.g.e.b.ins().iadd_imm_s(warps, -1);
        let at = offset_of!(Env, warps_left) as i32;
        self.g.e.b.ins().store(trusted(), warps, self.env, at);
        let zero = self.g.e.iconst(types::I32, 0);
        let tid = offset_of!(WarpHeader, tid0);
        let fields = [
            offset_of!(WarpHeader, warp),
            offset_of!(WarpHeader, first_thread),
            tid,
            tid + 4,
            tid + 8,
        ];
        for at in fields {
            self.g
                .e
                .b
                .ins()
                .store(trusted(), zero, self.warp, at as i32);
        }
        if self.plan.local_bytes > 0 {
            let local = self.env_load(types::I64, offset_of!(Env, local));
            let at = offset_of!(WarpHeader, local) as i32;
            self.g.e.b.ins().store(trusted(), local, self.warp, at);
        }
        self.g.e.b.ins().jump(self.blocks[0], &[]);
        self.g.e.b.switch_to_block(none);
    }

    /// Makes the header that of the next warp.
    fn next_warp(&mut self) {
        let warp = self.warp;
        let bump = |f: &mut Self, offset: usize, by: i64| {
            let ty = if offset == offset_of!(WarpHeader, local) {
                types::I64
            } else {
                types::I32
            };
            let old = f.g.e.b.ins().load(ty, trusted(), warp, offset as i32);
            let new = f.g.e.b.ins().iadd_imm_s(old, by);
            f.g.e.b.ins().store(trusted(), new, warp, offset as i32);
            new
        };
        bump(self, offset_of!(WarpHeader, warp), 1);
        bump(self, offset_of!(WarpHeader, first_thread), 32);
        if self.plan.local_bytes > 0 {
            bump(
                self,
                offset_of!(WarpHeader, local),
                32 * i64::from(self.plan.local_bytes),
            );
        }
        // x goes on by 32 and carries into y, and y into z.
        let tid = offset_of!(WarpHeader, tid0);
        let block = offset_of!(Env, block);
        let mut carry = self.g.e.iconst(types::I32, 32);
        for axis in 0..3 {
            let at = (tid + 4 * axis) as i32;
            let old = self.g.e.b.ins().load(types::I32, trusted(), warp, at);
            let new = self.g.e.b.ins().iadd(old, carry);
            let extent = self.env_load(types::I32, block + 4 * axis);
            let over = self
                .g
                .e
                .b
                .ins()
                .icmp(IntCC::UnsignedGreaterThanOrEqual, new, extent);
            let zero = self.g.e.iconst(types::I32, 0);
            let value = self.g.e.b.ins().select(over, zero, new);
            self.g.e.b.ins().store(trusted(), value, warp, at);
            carry = self.g.e.b.ins().uextend(types::I32, over);
        }
    }

    /// The lanes in which a varying predicate of an earlier block holds.
    fn pred_mask(&mut self, reg: Reg) -> Value {
        match self.plan.layout.home(reg) {
            Some(home) => {
                self.g
                    .e
                    .b
                    .ins()
                    .load(types::I32, trusted(), self.warp, home.lanes as i32)
            }
            None => self.g.e.iconst(types::I32, 0),
        }
    }

    fn vote_branch(
        &mut self,
        id: BlockId,
        mask: Value,
        then: BlockId,
        other: BlockId,
        live_out: &RegSet,
    ) {
        let (yes, rest, no, split) = (
            self.g.e.b.create_block(),
            self.g.e.b.create_block(),
            self.g.e.b.create_block(),
            self.g.e.b.create_block(),
        );
        self.g.e.b.set_cold_block(split);
        let all = self.g.e.b.ins().icmp_imm_s(IntCC::Equal, mask, -1);
        self.g.e.b.ins().brif(all, yes, &[], rest, &[]);
        self.g.e.b.switch_to_block(rest);
        self.g.e.b.ins().brif(mask, split, &[], no, &[]);
        self.g.e.b.switch_to_block(yes);
        self.goto(id, then);
        self.g.e.b.switch_to_block(no);
        self.goto(id, other);
        self.g.e.b.switch_to_block(split);
        let at = offset_of!(WarpHeader, taken) as i32;
        self.g.e.b.ins().store(trusted(), mask, self.warp, at);
        self.leave(Exit::Diverge, id, live_out);
    }

    fn switch(&mut self, id: BlockId, index: Operand, targets: &[BlockId]) {
        let index = self.scalar(index, Ty::B32).one();
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
        // Out of range: thread mode finds the thread.
        self.g.e.b.switch_to_block(wrong);
        let live = self.plan.live.live_out(&self.plan.func, id);
        self.leave_with_operands(Exit::Diverge, id, &live);
    }

    /// Leaves at the terminator, with its operands where the runtime reads them.
    fn leave_with_operands(&mut self, exit: Exit, id: BlockId, live_out: &RegSet) {
        let mut live = live_out.clone();
        self.plan.func.blocks[id.index()].end.uses(|o| {
            if let Operand::Reg(reg) = o {
                live.insert(reg);
            }
        });
        self.leave(exit, id, &live);
    }

    fn warp(
        &mut self,
        id: BlockId,
        op: WarpOp,
        mask: Operand,
        args: &[Operand],
        dsts: &[Option<Reg>; 2],
    ) {
        // A vote of the whole warp is a look at the mask.
        if let (WarpOp::Vote(vote), Operand::Imm(all), Some(Operand::Reg(pred)), Some(dst)) =
            (op, mask, args.first(), dsts[0])
            && all as u32 == u32::MAX
            && self.plan.classes.of(*pred) == Class::Varying
            && self.plan.classes.of(dst) == Class::Uniform
        {
            let mask = self.pred_mask(*pred);
            let all = self.g.e.b.ins().icmp_imm_s(IntCC::Equal, mask, -1);
            let none = self.g.e.b.ins().icmp_imm_u(IntCC::Equal, mask, 0);
            let value = match vote {
                Vote::All => all,
                Vote::Any => self.g.e.b.ins().icmp_imm_u(IntCC::NotEqual, mask, 0),
                Vote::Uni => self.g.e.b.ins().bor(all, none),
                Vote::Ballot => mask,
            };
            if let Some(var) = self.vars[dst.index()] {
                self.g.e.b.def_var(var, value);
                return;
            }
        }
        let mut operands = RegSet::new(self.plan.func.regs.len());
        self.plan.func.blocks[id.index()].end.uses(|o| {
            if let Operand::Reg(reg) = o {
                operands.insert(reg);
            }
        });
        self.save(&operands);
        let block = self.g.e.iconst(types::I64, i64::from(id.0));
        let target = self
            .g
            .e
            .iconst(types::I64, super::helpers::warp_op as *const () as i64);
        let sig = self.g.sigs.three;
        self.g
            .e
            .b
            .ins()
            .call_indirect(sig, target, &[self.env, self.warp, block]);
        for dst in dsts.iter().flatten() {
            if let (Some(var), Some(home)) = (self.vars[dst.index()], self.plan.layout.home(*dst)) {
                let part = part_type(home.ty, false);
                let value = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(part, trusted(), self.warp, home.scalar as i32);
                self.g.e.b.def_var(var, value);
            }
        }
    }
}

impl Gen<'_, '_> {
    /// Calls a helper of one argument.
    pub(super) fn call_one(&mut self, helper: usize, arg: Value) -> Value {
        let target = self.e.iconst(types::I64, helper as i64);
        let call = self.e.b.ins().call_indirect(self.sigs.one, target, &[arg]);
        self.e.b.inst_results(call)[0]
    }

    /// Calls a driver service for one lane; arguments are in the header.
    pub(super) fn call_syscall(
        &mut self,
        env: Value,
        warp: Value,
        site: i64,
        lane: Value,
    ) -> Value {
        let site = self.e.iconst(types::I64, site);
        let target = self
            .e
            .iconst(types::I64, super::helpers::syscall as *const () as i64);
        let call = self
            .e
            .b
            .ins()
            .call_indirect(self.sigs.four, target, &[env, warp, site, lane]);
        self.e.b.inst_results(call)[0]
    }

    /// One of the lane masks for a lane (I64).
    pub(super) fn lane_mask(&mut self, special: Special, lane: Value) -> Lanes {
        let lane = self.e.b.ins().ireduce(types::I32, lane);
        let one = self.e.iconst(types::I32, 1);
        let eq = self.e.b.ins().ishl(one, lane);
        let lt = self.e.b.ins().iadd_imm_s(eq, -1);
        let v = match special {
            Special::LaneMaskEq => eq,
            Special::LaneMaskLt => lt,
            Special::LaneMaskLe => self.e.b.ins().bor(lt, eq),
            Special::LaneMaskGe => self.e.b.ins().bnot(lt),
            _ => {
                let le = self.e.b.ins().bor(lt, eq);
                self.e.b.ins().bnot(le)
            }
        };
        Lanes::new(Ty::B32, false, &[v])
    }
}
