//! The lane phase of gang mode: per-lane instructions, four lanes at a time.
//!
//! The loop visits the groups of the gang in order, warp by warp if predicates are written. Within a group, values are
//! 128-bit vectors, or single values if they are uniform in the group. Live results are stored to their homes at the
//! end of each group.

use crate::analysis::liveness::RegSet;
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{
    Block as Source, ImageOp, Inst, IntOp, Op, Operand, PrmtMode, Reg, Special, Terminator, Ty,
};
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::emit::ops::bits::permute_lanes;
use crate::jit::emit::ops::int::shift_by_constant;
use crate::jit::emit::value::{GROUP, Lanes, part_type, trusted};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::{GangCodegen, RegValue, Scalar, Votes};
use crate::jit::runtime::layout::{Exit, Gang, Home, lane_bytes};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use std::mem::offset_of;

/// Loop over a range of lanes, under construction.
pub(crate) struct Loop {
    /// Where it begins and where it ends, unless its body is run once.
    around: Option<[Block; 2]>,
    pub at: Value,
}

impl Loop {
    /// What is done once, at lane `at`.
    pub fn once(at: Value) -> Loop {
        Loop { around: None, at }
    }
}

impl GangCodegen<'_, '_, '_, '_> {
    /// Starts a loop at lane `from`. The code emitted next is its body.
    pub(crate) fn begin_loop(&mut self, from: Value) -> Loop {
        let b = &mut self.g.e.b;
        let (header, done) = (b.create_block(), b.create_block());
        let at = b.append_block_param(header, types::I64);
        b.ins().jump(header, &[from.into()]);
        b.switch_to_block(header);
        let around = Some([header, done]);
        Loop { around, at }
    }

    /// Ends the loop's body: repeats it for `at + step` while that is below `end`.
    pub(crate) fn end_loop(&mut self, this: &Loop, step: i64, end: Value) {
        let Some([header, done]) = this.around else {
            return;
        };
        let b = &mut self.g.e.b;
        let next = b.ins().iadd_imm_u(this.at, step);
        let more = b.ins().icmp(IntCC::UnsignedLessThan, next, end);
        b.ins().brif(more, header, &[next.into()], done, &[]);
        b.switch_to_block(done);
    }

    /// Emits the loop over groups of lanes, which stores the registers in `keep`. Returns the votes on the predicate
    /// that the terminator branches on; in a masked block, of the lanes that it has visited.
    pub(crate) fn lane_loop(
        &mut self,
        block: &Source,
        scalars: &[Scalar],
        keep: &RegSet,
    ) -> Result<Option<Votes>, String> {
        let plan = self.plan;
        let mut written = RegSet::new(plan.func.regs.len());
        for inst in &block.insts {
            inst.defs(|reg| {
                written.insert(reg);
            });
        }
        let results: Vec<Reg> = keep
            .iter()
            .filter(|&reg| written.contains(reg) && !plan.uniformity.of(reg).is_one_per_gang())
            .collect();
        if let Some(body) = self.wide_body(block, scalars, &results) {
            return Ok(self.wide_loop(block, scalars, body));
        }
        if self.masked {
            // Narrow code performs masked accesses for each active lane separately.
            self.ready.fill(None);
        }
        if plan.partial {
            return Err("narrow code does not support partial warps".to_owned());
        }
        for inst in &block.insts {
            inst.uses(|o| self.hold(o));
        }
        self.begin_loops();
        // Predicates collect their bits, warp by warp.
        let gathered: Vec<(Reg, Variable)> = results
            .iter()
            .filter(|&&reg| plan.func.ty(reg) == Ty::Pred)
            .map(|&reg| (reg, self.g.e.temporary(types::I32)))
            .collect();
        let branch = match block.end {
            Terminator::Branch { cond, .. } if gathered.iter().any(|(r, _)| *r == cond) => {
                let votes = [(); 2].map(|()| self.g.e.temporary(types::I32));
                for (var, value) in votes.iter().zip([-1, 0]) {
                    let value = self.g.e.iconst(types::I32, value);
                    self.g.e.b.def_var(*var, value);
                }
                Some((cond, votes))
            }
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => None,
        };
        let zero = self.g.e.iconst(types::I64, 0);
        let warps = (!gathered.is_empty() || self.masked).then(|| self.begin_visits(32));
        for (_, var) in &gathered {
            let zero = self.g.e.iconst(types::I32, 0);
            self.g.e.b.def_var(*var, zero);
        }
        let first = warps.as_ref().map_or(zero, |w| w.at);
        let masked = block
            .mask
            .and_then(|mask| self.begin_warp(mask, first, &gathered));
        let groups = self.begin_loop(first);
        self.lane = groups.at;
        let skip = masked.map(|(word, _)| self.begin_group(word));
        let mut next_scalar = scalars.iter().peekable();
        for (i, inst) in block.insts.iter().enumerate() {
            let mut scalar = false;
            while let Some((_, reg, value, uniformity)) = next_scalar.next_if(|(at, ..)| *at == i) {
                self.set(*reg, RegValue::Scalar(*value, *uniformity));
                scalar = true;
            }
            if !scalar && !self.is_scalar(block, inst) {
                self.group_inst(i, inst)?;
            }
        }
        // Live results are stored to their homes; values that were only read are there already.
        for &reg in &results {
            if let Some((_, var)) = gathered.iter().find(|(r, _)| *r == reg) {
                self.gather_bits(reg, *var);
            } else if let Some(home) = plan.layout.home(reg) {
                self.keep_result(reg, home);
            }
        }
        self.end_group(skip);
        let end = match &warps {
            Some(warps) => self.g.e.b.ins().iadd_imm_u(warps.at, 32),
            None => self.invariant(Invariant::Count),
        };
        self.end_loop(&groups, GROUP as i64, end);
        self.end_warp(masked.map(|(_, skip)| skip));
        if let Some(warps) = warps {
            for (reg, var) in &gathered {
                let mask = self.g.e.b.use_var(*var);
                if let Some(home) = plan.layout.home(*reg) {
                    let at = self.mask_address(warps.at);
                    self.g
                        .e
                        .b
                        .ins()
                        .store(trusted(), mask, at, home.lanes as i32);
                }
                if let Some((_, [all, any])) = branch.filter(|(cond, _)| cond == reg) {
                    let old = self.g.e.b.use_var(all);
                    let new = self.g.e.b.ins().band(old, mask);
                    self.g.e.b.def_var(all, new);
                    let old = self.g.e.b.use_var(any);
                    let new = self.g.e.b.ins().bor(old, mask);
                    self.g.e.b.def_var(any, new);
                }
            }
            self.end_visits(&warps, 32);
        }
        self.forget();
        Ok(branch.map(|(_, [all, any])| Votes {
            all: self.g.e.b.use_var(all),
            any: self.g.e.b.use_var(any),
        }))
    }

    /// Loads a gang-wide live-in value for the whole block.
    pub(crate) fn hold(&mut self, operand: Operand) {
        if let Operand::Reg(reg) = operand
            && self.plan.uniformity.of(reg).is_one_per_gang()
        {
            self.stored(reg);
        }
    }

    fn gather_bits(&mut self, reg: Reg, var: Variable) {
        let value = self.group(Operand::Reg(reg), Ty::Pred);
        let bits = self.g.e.mask_bits(value);
        let bits = match self.mask {
            Some(mask) => self.g.e.b.ins().band(bits, mask.bits),
            None => bits,
        };
        let by = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let bits = self.g.e.b.ins().ishl(bits, by);
        let old = self.g.e.b.use_var(var);
        let new = self.g.e.b.ins().bor(old, bits);
        self.g.e.b.def_var(var, new);
    }

    fn keep_result(&mut self, reg: Reg, home: Home) {
        if self.cur[reg.index()].is_none() {
            return;
        }
        if let Uniformity::PiecewiseAffine(_) = home.uniformity {
            let value = self.group_scalar(Operand::Reg(reg), home.ty);
            let value = self.canonical(reg, value);
            return self.store_piecewise(home, value.one());
        }
        let value = self.group(Operand::Reg(reg), home.ty);
        let value = self.blended(reg, home, value);
        self.store_group(home, value);
    }

    /// Returns the address of the mask of the warp that contains lane `at` of the gang; the offset of a predicate's
    /// home is to be added.
    pub(crate) fn mask_address(&mut self, at: Value) -> Value {
        let masks = self.invariant(Invariant::Masks);
        if self.one_warp() {
            return masks;
        }
        let warp = self.g.e.b.ins().ushr_imm_u(at, 5);
        let by = self.g.e.b.ins().ishl_imm_u(warp, 2);
        self.g.e.b.ins().iadd(masks, by)
    }

    /// Loads the mask of a predicate for the warp that starts at lane `at`.
    pub(crate) fn mask_word(&mut self, home: Home, at: Value) -> Value {
        let at = self.mask_address(at);
        self.g
            .e
            .b
            .ins()
            .load(types::I32, trusted(), at, home.lanes as i32)
    }

    /// Returns the address of the group's values in a lane slot.
    pub(crate) fn slot_address(&mut self, home: Home) -> Value {
        let shift = lane_bytes(home.ty).trailing_zeros();
        let ahead = self.g.e.b.ins().ishl_imm_u(self.lane, i64::from(shift));
        let slots = self.slots(shift);
        self.g.e.b.ins().iadd(slots, ahead)
    }

    pub(crate) fn store_group(&mut self, home: Home, value: Lanes) {
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

    pub(crate) fn load_group(&mut self, home: Home) -> Lanes {
        if home.ty == Ty::Pred {
            let mask = self.mask_word(home, self.lane);
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

    /// Returns the group's values of an operand.
    pub(crate) fn group(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let value = self.noncanonical_group(operand, ty);
        let Operand::Reg(reg) = operand else {
            return value;
        };
        if !value.noncanonical {
            return value;
        }
        // A scalar stays one, as other instructions may read it as such.
        let (canonical, cur) = match self.cur[reg.index()] {
            Some(RegValue::Scalar(value, uniformity)) => {
                let canonical = self.canonical(reg, value);
                (
                    self.spread(canonical, uniformity),
                    RegValue::Scalar(canonical, uniformity),
                )
            }
            _ => {
                let canonical = self.canonical(reg, value);
                (canonical, RegValue::Group(canonical))
            }
        };
        if !self.plan.unobserved_nans.contains(reg) {
            self.cur[reg.index()] = Some(cur);
        }
        canonical
    }

    /// Returns the group's values of an operand for arithmetic, whose NaNs need not be canonical.
    fn noncanonical_group(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let reg = match operand {
            Operand::Imm(bits) => return self.g.e.constant(ty, true, bits),
            Operand::Reg(reg) => reg,
        };
        let own = self.plan.func.ty(reg);
        match (self.cur[reg.index()], self.plan.layout.home(reg)) {
            (Some(RegValue::Group(value)), _) => value,
            (Some(RegValue::Scalar(value, uniformity)), _) => self.spread(value, uniformity),
            (Some(RegValue::Deferred), _) => self.g.e.constant(own, true, 0),
            (None, Some(home)) if home.uniformity == Uniformity::Varying => {
                let value = self.load_group(home);
                self.set(reg, RegValue::Group(value));
                value
            }
            (None, Some(home)) => {
                let value = match home.uniformity {
                    Uniformity::PiecewiseAffine(_) => self.group_scalar(operand, own),
                    _ => self.scalar(operand, own),
                };
                self.spread(value, home.uniformity)
            }
            (None, None) => self.g.e.constant(own, true, 0),
        }
    }

    /// Expands the first lane's value to the group's values, by its uniformity.
    pub(crate) fn spread(&mut self, value: Lanes, uniformity: Uniformity) -> Lanes {
        let (stride, ahead) = match uniformity {
            Uniformity::Affine(stride) => (stride, stride),
            Uniformity::PiecewiseAffine(stride) if stride != 0 => (stride, 0),
            _ => return self.g.e.splat(value),
        };
        if let (Some(step), true) = (value.step, self.plan.shape.breaks_fours()) {
            return self.across_rows(value, step, stride);
        }
        let value = self.in_row(value, stride);
        let e = &mut self.g.e;
        if value.ty == Ty::B64 {
            let ahead = e.b.ins().imul_imm_s(self.lane, ahead);
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
        let ahead = e.b.ins().imul_imm_s(lane, i64::from(ahead as i32));
        let first = e.b.ins().iadd(value.one(), ahead);
        let all = e.b.ins().splat(types::I32X4, first);
        let s = stride as i32;
        let steps = e.vconst32([0, s, s.wrapping_mul(2), s.wrapping_mul(3)]);
        let out = e.b.ins().iadd(all, steps);
        Lanes::new(value.ty, true, &[out])
    }

    pub(crate) fn group_inst(&mut self, i: usize, inst: &Inst) -> Result<(), String> {
        match inst {
            Inst::Op { dst, op, args }
                if matches!(
                    self.plan.uniformity.of(*dst),
                    Uniformity::PiecewiseAffine(_)
                ) =>
            {
                // The result computed here may be more uniform than its register.
                let uniformity = self.plan.uniformity.of(*dst);
                self.group_op(*dst, *op, args, uniformity);
            }
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
                    self.set(*dst, RegValue::Group(value));
                    return Ok(());
                }
                if let (Op::Int(IntOp::Prmt(PrmtMode::Index), _), Some(Operand::Imm(selector))) =
                    (op, args.get(2))
                {
                    let (a, b) = (self.group(args[0], Ty::B32), self.group(args[1], Ty::B32));
                    let picked = permute_lanes(&mut self.g.e, a, b, *selector as u32);
                    if let Some(value) = picked {
                        self.set(*dst, RegValue::Group(value));
                        return Ok(());
                    }
                }
                let mut values = [Lanes::new(Ty::B32, true, &[self.lane]); 4];
                for ((value, &arg), &ty) in values.iter_mut().zip(args.iter()).zip(signature.args())
                {
                    *value = self.noncanonical_group(arg, ty);
                }
                let value = self.g.e.op(*op, &values[..args.len()]);
                self.set(*dst, RegValue::Group(value));
            }
            Inst::Special { dst, special } => {
                let value = self.group_special(*special);
                self.set(*dst, value);
            }
            Inst::SymbolAddress { .. } | Inst::FunctionAddress { .. } => {
                // Uniform values of registers that are varying elsewhere.
                let mut found = Vec::new();
                self.scalar_inst(i, inst, &mut found);
            }
            Inst::Load { .. } => self.group_load(i, inst),
            Inst::Store { .. } => self.group_store(i, inst),
            Inst::Atomic { .. } => self.group_atomic(i, inst),
            Inst::Check { addr, access } => {
                let ty = addr.base.reg().map_or(Ty::B64, |r| self.plan.func.ty(r));
                let bases = self.group(addr.base, ty);
                for n in 0..GROUP {
                    let base = self.g.e.extract(bases, n);
                    let on = self.begin_lane(n);
                    let lane = self.g.e.b.ins().iadd_imm_u(self.lane, n as i64);
                    self.g
                        .check_access((self.env, self.gang), lane, *access, base, addr.offset);
                    let nothing = Lanes::new(Ty::B64, false, &[lane]);
                    self.end_lane(on, nothing);
                }
            }
            Inst::Fence(_) => {
                self.g.e.b.ins().fence();
            }
            Inst::Syscall { dst, call, args } => self.group_syscall(*dst, *call, args),
            Inst::Image { dsts, op, args } => self.group_image(dsts, *op, args),
            Inst::Call { .. } => {
                return Err("the kernel has calls that were not flattened".to_owned());
            }
        }
        Ok(())
    }

    fn group_special(&mut self, special: Special) -> RegValue {
        let word = |v: Value| Lanes::new(Ty::B32, false, &[v]);
        match special {
            Special::Tid(axis)
                if !matches!(
                    self.plan.shape,
                    Shape::Warp | Shape::Line | Shape::Planes(_)
                ) =>
            {
                if axis == 0 && self.plan.row == Some(16) {
                    let v = self.g.e.b.ins().ireduce(types::I32, self.lane);
                    let v = self.g.e.b.ins().band_imm_u(v, 15);
                    return RegValue::Scalar(word(v), Uniformity::PiecewiseAffine(1));
                }
                let offset = i32::from(axis) * 4 * self.plan.layout.capacity as i32;
                let by = self.g.e.b.ins().ishl_imm_u(self.lane, 2);
                let slots = self.invariant(Invariant::Slots4);
                let at = self.g.e.b.ins().iadd(slots, by);
                if self.plan.shape == Shape::Any {
                    let v = self.g.e.b.ins().load(types::I32X4, trusted(), at, offset);
                    return RegValue::Group(Lanes::new(Ty::B32, true, &[v]));
                }
                let v = self.g.e.b.ins().load(types::I32, trusted(), at, offset);
                RegValue::Scalar(word(v), Uniformity::PiecewiseAffine(i64::from(axis == 0)))
            }
            Special::LaneId if self.one_warp() => {
                RegValue::Scalar(self.special(special), Uniformity::Affine(1))
            }
            Special::WarpId if self.one_warp() => {
                RegValue::Scalar(self.special(special), Uniformity::Uniform)
            }
            Special::LaneId => {
                let v = self.g.e.b.ins().ireduce(types::I32, self.lane);
                let v = self.g.e.b.ins().band_imm_u(v, 31);
                RegValue::Scalar(word(v), Uniformity::PiecewiseAffine(1))
            }
            Special::WarpId => {
                let first = offset_of!(Gang, first) as i32;
                let first = self
                    .g
                    .e
                    .b
                    .ins()
                    .load(types::I64, trusted(), self.gang, first);
                let lane = self.g.e.b.ins().iadd(first, self.lane);
                let warp = self.g.e.b.ins().ushr_imm_u(lane, 5);
                let v = self.g.e.b.ins().ireduce(types::I32, warp);
                RegValue::Scalar(word(v), Uniformity::PiecewiseAffine(0))
            }
            Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe => {
                let first = self.g.e.b.ins().band_imm_u(self.lane, 31);
                let lanes = std::array::from_fn(|n| {
                    let index = self.g.e.b.ins().iadd_imm_u(first, n as i64);
                    self.g.lane_mask(special, index)
                });
                RegValue::Group(self.g.e.gather(&lanes))
            }
            _ => {
                let uniformity = match (special, self.plan.local_bytes) {
                    (Special::Tid(0), _) => Uniformity::Affine(1),
                    (Special::Tid(1), _) if self.plan.shape.has_rows() => Uniformity::Affine(0),
                    (Special::LocalBase, bytes @ 1..) => Uniformity::Affine(i64::from(bytes)),
                    (Special::Stack, _) => Uniformity::Affine(8),
                    _ => Uniformity::Uniform,
                };
                RegValue::Scalar(self.special(special), uniformity)
            }
        }
    }

    fn group_syscall(&mut self, dst: Option<Reg>, call: crate::ir::Syscall, args: &[Operand]) {
        let site = self.plan.numbers.site(Site::Syscall(call));
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
                let at = (offset_of!(Gang, scratch) + 8 * k) as i32;
                self.g.e.b.ins().store(trusted(), word, self.gang, at);
            }
            let lane = self.g.e.b.ins().iadd_imm_u(self.lane, n as i64);
            let result = self.g.call_syscall(self.env, self.gang, site, lane);
            *out = Lanes::new(Ty::B64, false, &[result]);
        }
        if !call.faults_late() {
            let failed = self.g.e.call(Helper::PendingFault, &[self.env]);
            self.fault_if(failed, u32::MAX, None);
        }
        if let Some(dst) = dst {
            let ty = self.plan.func.ty(dst);
            let words = results.map(|r| self.g.e.of_word(ty, r.one()));
            let value = self.g.e.gather(&words);
            self.set(dst, RegValue::Group(value));
        }
    }

    fn group_image(&mut self, dsts: &[Option<Reg>], op: ImageOp, args: &[Operand]) {
        let values: Vec<Lanes> = args
            .iter()
            .enumerate()
            .map(|(n, &a)| self.group(a, if n == 0 { Ty::B64 } else { Ty::B32 }))
            .collect();
        let (env, gang, lane) = (self.env, self.gang, self.lane);
        let (failed, results) = self.g.image(env, gang, lane, op, &values);
        self.fault_if(failed, u32::MAX, None);
        for (dst, value) in dsts.iter().zip(results) {
            if let Some(dst) = *dst {
                self.set(dst, RegValue::Group(value));
            }
        }
    }

    /// Exits with a fault at instruction `inst` if the condition is not zero. `addresses` are the group's; the runtime
    /// finds the illegal one.
    pub(crate) fn fault_if(
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
        let at = offset_of!(Gang, fault_inst) as i32;
        self.g.e.b.ins().store(trusted(), number, self.gang, at);
        let lane = self.g.e.b.ins().ireduce(types::I32, self.lane);
        let at = offset_of!(Gang, fault_lane) as i32;
        self.g.e.b.ins().store(trusted(), lane, self.gang, at);
        for (n, address) in addresses.iter().flatten().enumerate() {
            let at = (offset_of!(Gang, scratch) + 8 * n) as i32;
            self.g.e.b.ins().store(trusted(), *address, self.gang, at);
        }
        let code = self.g.e.iconst(types::I64, Exit::Fault.code(self.at));
        self.g.e.b.ins().return_(&[code]);
        self.g.e.b.switch_to_block(on);
    }
}
