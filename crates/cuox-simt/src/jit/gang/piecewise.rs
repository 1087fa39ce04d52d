//! Values that are affine within groups of lanes ([`Uniformity::PiecewiseAffine`]): one value for each group, that of
//! its first lane.
//!
//! In memory there is one for every four lanes. Wide code takes sixteen lanes to follow from the first one.

use crate::analysis::uniformity::{Uniformity, widens};
use crate::ir::{Op, Operand, Reg, Ty};
use crate::jit::emit::value::{Lanes, part_type, trusted};
use crate::jit::gang::invariants::Invariant;
use crate::jit::gang::{GangCodegen, RegValue};
use crate::jit::runtime::layout::Home;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

/// Returns a distance as an immediate for a type.
fn within(distance: i64, ty: Type) -> i64 {
    match ty {
        types::I64 => distance,
        _ => i64::from(distance as i32),
    }
}

impl GangCodegen<'_, '_, '_, '_> {
    /// Returns the address of what is stored for the group of a lane; the offset of a home is to be added.
    fn group_slot(&mut self, lane: Value) -> Value {
        let ahead = self.g.e.b.ins().ishl_imm_u(lane, 1);
        let slots = self.invariant(Invariant::Slots2);
        self.g.e.b.ins().iadd(slots, ahead)
    }

    /// Stores the value of the current group's first lane for a piecewise affine register.
    ///
    /// A gang of one warp may go on in code for sixteen lanes, which reads that of their first one. So there it follows
    /// from any group of four, as the others may have no active lane; locals have no other.
    pub(crate) fn store_piecewise(&mut self, home: Home, value: Value) {
        let offset = home.groups as i32;
        let stride = home.uniformity.stride().unwrap_or(0);
        if !self.one_warp() || !(self.locals || self.masked) {
            let at = self.group_slot(self.lane);
            self.g.e.b.ins().store(trusted(), value, at, offset);
            return;
        }
        let ty = self.g.e.b.func.dfg.value_type(value);
        let first = match self.behind_half(ty, stride) {
            Some(behind) => self.g.e.b.ins().isub(value, behind),
            None => value,
        };
        let half = self.g.e.b.ins().band_imm_s(self.lane, -16);
        let at = self.group_slot(half);
        let b = &mut self.g.e.b;
        if self.locals {
            let long = match ty {
                types::I64 => first,
                _ => b.ins().uextend(types::I64, first),
            };
            b.ins().store(trusted(), long, at, offset);
            return;
        }
        for four in 0..4 {
            let value = match four * 4 * stride {
                0 => first,
                by => b.ins().iadd_imm_s(first, within(by, ty)),
            };
            b.ins()
                .store(trusted(), value, at, offset + 8 * four as i32);
        }
    }

    /// Returns the difference of a value of a type in the current group's first lane from that in the first lane of its
    /// half of the warp, if there may be any.
    fn behind_half(&mut self, ty: Type, stride: i64) -> Option<Value> {
        if stride == 0 || self.group_lanes == 16 {
            return None;
        }
        let b = &mut self.g.e.b;
        let lanes = b.ins().band_imm_u(self.lane, 12);
        let lanes = match ty {
            types::I64 => lanes,
            _ => b.ins().ireduce(ty, lanes),
        };
        Some(b.ins().imul_imm_s(lanes, within(stride, ty)))
    }

    /// Returns the value of the group's first lane for an operand that is not varying.
    pub(crate) fn group_scalar(&mut self, operand: Operand, ty: Ty) -> Lanes {
        let (value, uniformity) = match operand {
            Operand::Imm(bits) => return self.g.e.constant(ty, false, bits),
            Operand::Reg(reg) => match (self.cur[reg.index()], self.plan.layout.home(reg)) {
                (Some(RegValue::Scalar(value, uniformity)), _) => (value, uniformity),
                (None, Some(home)) if matches!(home.uniformity, Uniformity::PiecewiseAffine(_)) => {
                    let value = self.stored_group(home);
                    self.set(reg, RegValue::Scalar(value, home.uniformity));
                    (value, home.uniformity)
                }
                _ => (self.scalar(operand, ty), self.uniformity_of(operand)),
            },
        };
        let Uniformity::Affine(stride) = uniformity else {
            return value;
        };
        let value = self.in_row(value, stride);
        let e = &mut self.g.e;
        let out = if value.ty == Ty::B64 {
            let ahead = e.b.ins().imul_imm_s(self.lane, stride);
            e.b.ins().iadd(value.one(), ahead)
        } else {
            let lane = e.b.ins().ireduce(types::I32, self.lane);
            let ahead = e.b.ins().imul_imm_s(lane, i64::from(stride as i32));
            e.b.ins().iadd(value.one(), ahead)
        };
        Lanes::new(value.ty, false, &[out])
    }

    /// Loads the value of the group's first lane from a group slot. Groups of four that have no active lane may have an
    /// old one there: of a wider group it is that of the first with an active lane, less what lies between.
    fn stored_group(&mut self, home: Home) -> Lanes {
        if self.locals {
            return self.local_group(home);
        }
        let mut at = self.group_slot(self.lane);
        let b = &mut self.g.e.b;
        if let Some(ahead) = self.active_ahead {
            let ahead = b.ins().ishl_imm_u(ahead, 1);
            at = b.ins().iadd(at, ahead);
        }
        let part = part_type(home.ty, false);
        let mut value = b.ins().load(part, trusted(), at, home.groups as i32);
        let stride = home.uniformity.stride().filter(|&stride| stride != 0);
        if let (Some(ahead), Some(stride)) = (self.active_ahead, stride) {
            let between = b.ins().imul_imm_s(ahead, stride);
            let between = match b.func.dfg.value_type(value) {
                types::I64 => between,
                ty => b.ins().ireduce(ty, between),
            };
            value = b.ins().isub(value, between);
        }
        Lanes::new(home.ty, false, &[value])
    }

    /// Loads the same from a local, which has the value of the first lane of each half of the warp.
    fn local_group(&mut self, home: Home) -> Lanes {
        let half = self.g.e.b.ins().band_imm_s(self.lane, -16);
        let at = self.group_slot(half);
        let b = &mut self.g.e.b;
        let long = b.ins().load(types::I64, trusted(), at, home.groups as i32);
        let ty = part_type(home.ty, false);
        let mut value = match ty {
            types::I64 => long,
            ty => b.ins().ireduce(ty, long),
        };
        let stride = home.uniformity.stride().unwrap_or(0);
        if let Some(behind) = self.behind_half(ty, stride) {
            value = self.g.e.b.ins().iadd(value, behind);
        }
        Lanes::new(home.ty, false, &[value])
    }

    /// Emits an operation that is done once for every four lanes.
    pub(crate) fn group_op(&mut self, dst: Reg, op: Op, args: &[Operand], uniformity: Uniformity) {
        let signature = op.signature();
        let mut values = [Lanes::new(Ty::B32, false, &[self.lane]); 4];
        for ((value, &arg), &ty) in values.iter_mut().zip(args).zip(signature.args()) {
            *value = self.group_scalar(arg, ty);
        }
        let steps = args.iter().zip(values).find_map(|(&arg, value)| {
            let stride = self.uniformity_of(arg).stride()?;
            (stride != 0).then_some((value, stride))
        });
        if let (Some(signed), Some((value, stride))) = (widens(op), steps) {
            // No lane of the group may wrap; if one does, the block restarts. Wide code takes sixteen lanes to follow
            // from the first one.
            let (lanes, first) = match self.behind_half(types::I32, stride) {
                Some(behind) if self.plan.wide => (16, self.g.e.b.ins().isub(value.one(), behind)),
                _ => (self.group_lanes, value.one()),
            };
            let reach = stride * (lanes - 1);
            let e = &mut self.g.e;
            let last = e.b.ins().iadd_imm_s(first, i64::from(reach as i32));
            let code = match (signed, stride > 0) {
                (true, true) => IntCC::SignedGreaterThanOrEqual,
                (true, false) => IntCC::SignedLessThanOrEqual,
                (false, true) => IntCC::UnsignedGreaterThanOrEqual,
                (false, false) => IntCC::UnsignedLessThanOrEqual,
            };
            let ok = e.b.ins().icmp(code, last, first);
            self.bail_out_unless(ok);
        }
        let value = self.g.e.op(op, &values[..args.len()]);
        self.set(dst, RegValue::Scalar(value, uniformity));
    }
}
