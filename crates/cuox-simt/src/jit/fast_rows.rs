//! Teams of several rows: what affine values have on top of `base + lane * stride` from row to row, their *skip*.

use super::classes::Shape;
use super::fast::Fast;
use super::value::{Lanes, part_type};
use crate::ir::{IntOp, Op, Ty};
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// A team's rows; see [`super::layout::Team`] (I64).
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub width: Value,
    pub last: Value,
    pub inverse: Value,
}

impl Fast<'_, '_, '_, '_> {
    /// The row of a lane of the team (I64).
    fn row(&mut self, lane: Value) -> Value {
        let b = &mut self.g.e.b;
        let product = b.ins().imul(lane, self.rows.inverse);
        b.ins().ushr_imm_u(product, 32)
    }

    /// What a skip adds to the value of the lane at hand, in the skip's type.
    pub(super) fn skipped(&mut self, skip: Value) -> Value {
        let row = self.row(self.lane);
        let b = &mut self.g.e.b;
        match b.func.dfg.value_type(skip) {
            types::I64 => b.ins().imul(row, skip),
            narrow => {
                let row = b.ins().ireduce(narrow, row);
                b.ins().imul(row, skip)
            }
        }
    }

    /// The value that the team's first lane would have if its row were that of the lane at hand.
    pub(super) fn in_row(&mut self, value: Lanes) -> Lanes {
        let Some(skip) = value.skip else {
            return value;
        };
        let ahead = self.skipped(skip);
        let first = self.g.e.b.ins().iadd(value.one(), ahead);
        Lanes::new(value.ty, false, &[first])
    }

    /// How far the first lanes of neighbouring rows are apart (I64, as is the skip).
    pub(super) fn row_step(&mut self, stride: i64, skip: Value) -> Value {
        let along = self.g.e.b.ins().imul_imm_s(self.rows.width, stride);
        self.g.e.b.ins().iadd(along, skip)
    }

    /// The skip of a value.
    pub(super) fn skip(&mut self, value: Lanes) -> Value {
        match value.skip {
            Some(skip) => skip,
            None => self.g.e.iconst(part_type(value.ty, false), 0),
        }
    }

    /// The skip of `%tid` along an axis.
    pub(super) fn tid_skip(&mut self, axis: u8) -> Option<Value> {
        if self.plan.shape != Shape::Planes {
            return None;
        }
        match axis {
            0 => {
                let width = self.g.e.b.ins().ireduce(types::I32, self.rows.width);
                Some(self.g.e.b.ins().ineg(width))
            }
            1 => Some(self.g.e.iconst(types::I32, 1)),
            _ => None,
        }
    }

    /// The skip of what an operation makes of affine values, if there is one: those are sums and products.
    pub(super) fn skip_after(&mut self, op: Op, values: &[Lanes]) -> Option<Value> {
        let affine = values.iter().position(|value| value.skip.is_some())?;
        let skip = values[affine].skip?;
        let own = |value: Value| Lanes::new(values[affine].ty, false, &[value]);
        Some(match op {
            Op::Int(IntOp::Add | IntOp::Sub, _) => {
                let skips = [values[0], values[1]].map(|value| own(self.skip(value)));
                self.g.e.op(op, &skips).one()
            }
            Op::Int(IntOp::Mul | IntOp::Shl, _) => {
                let mut factors = [values[0], values[1]];
                factors[affine] = own(skip);
                self.g.e.op(op, &factors).one()
            }
            Op::Int(wide @ (IntOp::MulWideS | IntOp::MulWideU), _) => {
                let other = values[1 - affine].one();
                let b = &mut self.g.e.b;
                let skip = b.ins().sextend(types::I64, skip);
                let other = match wide {
                    IntOp::MulWideS => b.ins().sextend(types::I64, other),
                    _ => b.ins().uextend(types::I64, other),
                };
                b.ins().imul(skip, other)
            }
            Op::Convert(c) => {
                let b = &mut self.g.e.b;
                match (c.from.ty(), c.to.ty()) {
                    (Ty::B32, Ty::B64) => b.ins().sextend(types::I64, skip),
                    (Ty::B64, Ty::B32) => b.ins().ireduce(types::I32, skip),
                    _ => skip,
                }
            }
            Op::Int(IntOp::Neg, _) | Op::Mov(_) => self.g.e.op(op, &[own(skip)]).one(),
            _ => return None,
        })
    }
}
