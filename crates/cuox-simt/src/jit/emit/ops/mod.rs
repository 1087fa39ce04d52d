//! Emission of pure operations, one file per family.
//!
//! A family returns `None` for operations without inline code; [`Emit::op`] then calls their implementation in
//! [`crate::sem`] for each thread. A new operation thus works as soon as `sem` implements it.

pub(crate) mod approx;
pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod directed;
pub(crate) mod f16;
pub(crate) mod float;
pub(crate) mod int;
pub(crate) mod sfu;

use crate::analysis::nan_payload::ignores_nan_payload;
use crate::ir::{Float, Op, PredOp, Round, Ty};
use crate::jit::avx512::RESULT;
use crate::jit::code::symbol::Helper;
use crate::jit::emit::value::{Emit, GROUP, Lanes};
use cranelift_codegen::ir::{InstBuilder, types};

impl Emit<'_, '_> {
    /// Emits `op`. The arguments are all for one thread or all for four.
    pub fn op(&mut self, op: Op, args: &[Lanes]) -> Lanes {
        if args.iter().any(|a| a.noncanonical) && !ignores_nan_payload(op) {
            let mut canonical = [args[0]; 4];
            for (out, &arg) in canonical.iter_mut().zip(args) {
                *out = self.canonicalize_nans(arg);
            }
            return self.op(op, &canonical[..args.len()]);
        }
        if let Some(value) = self.inline(op, args) {
            return value;
        }
        if !args[0].wide {
            return self.call_eval(op, args);
        }
        let mut lanes = [args[0]; GROUP];
        for (lane, out) in lanes.iter_mut().enumerate() {
            let mut scalars = [args[0]; 4];
            for (scalar, &arg) in scalars.iter_mut().zip(args) {
                *scalar = self.extract(arg, lane);
            }
            *out = match self.inline(op, &scalars[..args.len()]) {
                Some(value) => value,
                None => return self.call_eval_four(op, args),
            };
        }
        self.gather(&lanes)
    }

    /// Replaces the host's NaNs, whose sign and payload depend on operand order, by the single NaN of a GPU's f32
    /// arithmetic. This is deferred until the bits are observed, so that a chain of operations does it once.
    pub fn canonicalize_nans(&mut self, value: Lanes) -> Lanes {
        if !value.noncanonical {
            return value;
        }
        self.map1(value, value.ty, |e, part| {
            let float = float::as_float(e, part);
            float::canonical(e, float)
        })
    }

    fn inline(&mut self, op: Op, args: &[Lanes]) -> Option<Lanes> {
        Some(match op {
            Op::Mov(ty) => args[0].retyped(ty),
            Op::Int(op, ty) => return int::emit(self, op, ty, args),
            Op::Float {
                op: what,
                ty: ty @ (Float::F16 | Float::BF16),
                round: Round::Nearest,
                ftz: false,
                sat: false,
            } => return f16::emit(self, op, (what, ty), false, args),
            Op::Float2 {
                op: what,
                ty,
                ftz: false,
                sat: false,
                relu: false,
            } => return f16::emit(self, op, (what, ty), true, args),
            Op::Convert2 {
                to,
                round: Round::Nearest,
                relu: false,
            } => f16::narrowed_pair(self, to, args[0], args[1]),
            Op::Float {
                op,
                ty,
                round,
                ftz,
                sat,
            } => {
                return float::ieee(self, op, ty, round, ftz, sat, args);
            }
            Op::Approx { op, ty, ftz } => return approx::emit(self, op, ty, ftz, args),
            Op::Convert(c) => return convert::emit(self, c, args[0]),
            Op::Compare { cmp, num, ftz } => return compare::emit(self, cmp, num, ftz, args),
            Op::Select(ty) => {
                let masks = self.masks(args[0], ty);
                let noncanonical = args[1].noncanonical && args[2].noncanonical;
                let (mut yes, mut no) = (args[1], args[2]);
                if !noncanonical {
                    // Bits that are not a result of arithmetic must not change, so the other operand is canonicalised
                    // now.
                    (yes, no) = (self.canonicalize_nans(yes), self.canonicalize_nans(no));
                }
                let mut i = 0;
                let picked = self.map2(yes, no, ty, |e, a, b| {
                    i += 1;
                    e.pick(masks[i - 1], a, b)
                });
                picked.marked(noncanonical)
            }
            Op::Logic(logic) => self.logic(logic, args),
            Op::PredToInt => self.map1(args[0], Ty::B32, |e, p| {
                if e.b.func.dfg.value_type(p).is_vector() {
                    let one = e.vconst32([1; 4]);
                    e.b.ins().band(p, one)
                } else {
                    e.b.ins().uextend(types::I32, p)
                }
            }),
            Op::Half128(high) => {
                let half = args[0].parts().len() / 2;
                let parts = args[0].parts();
                Lanes::new(
                    Ty::B64,
                    args[0].wide,
                    if high { &parts[half..] } else { &parts[..half] },
                )
            }
            Op::Pack128 => {
                let all: Vec<_> = args[0]
                    .parts()
                    .iter()
                    .chain(args[1].parts())
                    .copied()
                    .collect();
                Lanes::new(Ty::B128, args[0].wide, &all)
            }
            Op::Float2 { .. }
            | Op::Class(..)
            | Op::Convert2 { .. }
            | Op::Narrow { .. }
            | Op::Widen { .. } => return None,
        })
    }

    fn logic(&mut self, op: PredOp, args: &[Lanes]) -> Lanes {
        match op {
            PredOp::And => self.map2(args[0], args[1], Ty::Pred, |e, a, b| e.b.ins().band(a, b)),
            PredOp::Or => self.map2(args[0], args[1], Ty::Pred, |e, a, b| e.b.ins().bor(a, b)),
            PredOp::Xor => self.map2(args[0], args[1], Ty::Pred, |e, a, b| e.b.ins().bxor(a, b)),
            PredOp::Not => self.map1(args[0], Ty::Pred, |e, a| {
                if e.b.func.dfg.value_type(a).is_vector() {
                    e.b.ins().bnot(a)
                } else {
                    let one = e.iconst(types::I8, 1);
                    e.b.ins().bxor(a, one)
                }
            }),
        }
    }

    /// Evaluates `op` for four threads with one call.
    fn call_eval_four(&mut self, op: Op, args: &[Lanes]) -> Lanes {
        let area = self.area();
        for (n, &arg) in args.iter().enumerate() {
            self.put(arg, area, 128 * n as i32);
        }
        let symbol = self.numbers.op(op);
        let operation = self.address_of(symbol);
        self.call(Helper::EvalFour, &[area, operation]);
        self.take(op.signature().result, area, RESULT)
    }

    fn call_eval(&mut self, op: Op, args: &[Lanes]) -> Lanes {
        let symbol = self.numbers.op(op);
        let mut values = [self.iconst(types::I64, 0); 5];
        values[0] = self.address_of(symbol);
        for (value, &arg) in values[1..].iter_mut().zip(args) {
            *value = self.as_word(arg);
        }
        let result = self.call(Helper::Eval, &values);
        self.of_word(op.signature().result, result)
    }
}
