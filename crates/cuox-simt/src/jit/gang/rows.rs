//! Gangs of several rows. The difference of an affine value between the first lanes of neighbouring rows is its *step*.
//! The *skip* is the part of the step that the stride does not account for.

use crate::ir::{IntOp, Op, Ty};
use crate::jit::emit::value::{GROUP, Lanes, part_type};
use crate::jit::gang::GangCodegen;
use crate::jit::gang::invariants::Invariant;
use cranelift_codegen::ir::{InstBuilder, Value, types};

impl GangCodegen<'_, '_, '_, '_> {
    /// Returns the row of a lane of the gang (I64).
    fn row(&mut self, lane: Value) -> Value {
        let (inverse, ahead) = (
            self.invariant(Invariant::Inverse),
            self.invariant(Invariant::Ahead),
        );
        let b = &mut self.g.e.b;
        let place = b.ins().iadd(lane, ahead);
        let product = b.ins().imul(place, inverse);
        b.ins().ushr_imm_u(product, 32)
    }

    /// Returns the accumulated skip of the current lane's row, in the step's type.
    pub(crate) fn accumulated_skip(&mut self, step: Value, stride: i64) -> Value {
        let row = self.row(self.lane);
        self.skip_of_row(row, step, stride)
    }

    /// Returns the accumulated skip of a row.
    fn skip_of_row(&mut self, row: Value, step: Value, stride: i64) -> Value {
        let skip = self.skip(step, stride);
        let b = &mut self.g.e.b;
        match b.func.dfg.value_type(step) {
            types::I64 => b.ins().imul(row, skip),
            narrow => {
                let all = b.ins().imul(row, skip);
                b.ins().ireduce(narrow, all)
            }
        }
    }

    /// Returns the skip: the step minus the stride times the row length (I64).
    pub(crate) fn skip(&mut self, step: Value, stride: i64) -> Value {
        let width = self.invariant(Invariant::Width);
        let b = &mut self.g.e.b;
        let step = match b.func.dfg.value_type(step) {
            types::I64 => step,
            _ => b.ins().sextend(types::I64, step),
        };
        let along = b.ins().imul_imm_s(width, stride);
        b.ins().isub(step, along)
    }

    /// Returns the value that the gang's first lane would have in the current lane's row.
    pub(crate) fn in_row(&mut self, value: Lanes, stride: i64) -> Lanes {
        let Some(step) = value.step else {
            return value;
        };
        let ahead = self.accumulated_skip(step, stride);
        let first = self.g.e.b.ins().iadd(value.one(), ahead);
        Lanes::new(value.ty, false, &[first])
    }

    /// Returns the values of four lanes that may be in different rows.
    pub(crate) fn across_rows(&mut self, value: Lanes, step: Value, stride: i64) -> Lanes {
        let lanes: [Lanes; GROUP] = std::array::from_fn(|n| {
            let lane = self.g.e.b.ins().iadd_imm_u(self.lane, n as i64);
            let row = self.row(lane);
            let down = self.skip_of_row(row, step, stride);
            let b = &mut self.g.e.b;
            let along = b.ins().imul_imm_s(lane, stride);
            let along = match b.func.dfg.value_type(value.one()) {
                types::I64 => along,
                narrow => b.ins().ireduce(narrow, along),
            };
            let first = b.ins().iadd(value.one(), along);
            let one = b.ins().iadd(first, down);
            Lanes::new(value.ty, false, &[one])
        });
        self.g.e.gather(&lanes)
    }

    /// Returns the step of a value; 0 for a uniform one.
    pub(crate) fn step_of(&mut self, value: Lanes) -> Value {
        match value.step {
            Some(step) => step,
            None => self.g.e.iconst(part_type(value.ty, false), 0),
        }
    }

    /// Returns the step of `%tid` along an axis.
    pub(crate) fn tid_step(&mut self, axis: u8) -> Option<Value> {
        (self.plan.shape.has_rows() && axis < 2)
            .then(|| self.g.e.iconst(types::I32, i64::from(axis == 1)))
    }

    /// Returns the step of addresses that are `bytes` apart from lane to lane, regardless of rows.
    pub(crate) fn window_step(&mut self, bytes: i64) -> Option<Value> {
        self.plan.shape.has_rows().then(|| {
            let width = self.invariant(Invariant::Width);
            self.g.e.b.ins().imul_imm_s(width, bytes)
        })
    }

    /// Returns the step of an operation's result on affine values, if it has one: sums and products do.
    pub(crate) fn step_after(&mut self, op: Op, values: &[Lanes]) -> Option<Value> {
        let affine = values.iter().position(|value| value.step.is_some())?;
        let step = values[affine].step?;
        let own = |value: Value| Lanes::new(values[affine].ty, false, &[value]);
        Some(match op {
            Op::Int(IntOp::Add | IntOp::Sub, _) => {
                let steps = [values[0], values[1]].map(|value| own(self.step_of(value)));
                self.g.e.op(op, &steps).one()
            }
            Op::Int(IntOp::Mul | IntOp::Shl, _) => {
                let mut factors = [values[0], values[1]];
                factors[affine] = own(step);
                self.g.e.op(op, &factors).one()
            }
            Op::Int(wide @ (IntOp::MulWideS | IntOp::MulWideU), _) => {
                let other = values[1 - affine].one();
                let b = &mut self.g.e.b;
                let step = b.ins().sextend(types::I64, step);
                let other = match wide {
                    IntOp::MulWideS => b.ins().sextend(types::I64, other),
                    _ => b.ins().uextend(types::I64, other),
                };
                b.ins().imul(step, other)
            }
            Op::Convert(c) => {
                let b = &mut self.g.e.b;
                match (c.from.ty(), c.to.ty()) {
                    (Ty::B32, Ty::B64) => b.ins().sextend(types::I64, step),
                    (Ty::B64, Ty::B32) => b.ins().ireduce(types::I32, step),
                    _ => step,
                }
            }
            Op::Int(IntOp::Neg, _) | Op::Mov(_) => self.g.e.op(op, &[own(step)]).one(),
            _ => return None,
        })
    }
}
