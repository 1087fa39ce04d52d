//! Semantics of operations: pure functions on bits, shared by both engines.
//!
//! [`eval`] computes lane-wise operations on at most 64 bits, [`eval128`] all of them. [`warp`] computes operations
//! of a whole warp, [`atom`] read-modify-writes of memory. [`format`] formats the text of device `printf`.

pub(crate) mod approx;
pub mod atom;
pub mod atoms;
mod compare;
mod convert;
mod directed;
mod float;
pub mod format;
mod int;
pub mod matrix;
pub mod mbarrier;
mod same;
mod soft;
pub mod warp;

#[cfg(test)]
mod tests;

use crate::ir::{Float, FloatOp, IntOp, Op, PredOp, Round, Ty};
use float::Mode;
pub(crate) use soft::Format;

/// Returns the result of `op`, zero-extended; predicates are 0 or 1. Bits of operands beyond their types are ignored.
/// Operations with a b128 operand or result give 0; they need [`eval128`].
pub fn eval(op: Op, args: &[u64; 4]) -> u64 {
    let signature = op.signature();
    let mut cut = *args;
    for (arg, ty) in cut.iter_mut().zip(signature.args()) {
        if *ty == Ty::B128 {
            return 0;
        }
        *arg &= ty.mask();
    }
    match signature.result {
        Ty::B128 => 0,
        _ => eval_cut(op, &cut),
    }
}

/// [`eval_cut`] for several threads. `mask` has a bit for each thread whose result is needed. The operation is
/// dispatched once for all threads. Inlined into callers that are compiled for particular processors.
#[inline(always)]
pub fn eval_many<const N: usize>(op: Op, cut: &[[u64; N]; 4], mask: u32) -> [u64; N] {
    if let Op::Int(op, ty) = op {
        return int::eval_many(op, ty, cut);
    }
    let mut results = [0; N];
    for (lane, result) in results.iter_mut().enumerate() {
        if mask >> lane & 1 != 0 {
            *result = eval_cut(
                op,
                &[cut[0][lane], cut[1][lane], cut[2][lane], cut[3][lane]],
            );
        }
    }
    results
}

/// [`eval`] for operands that are already zero-extended and not b128.
pub fn eval_cut(op: Op, cut: &[u64; 4]) -> u64 {
    let [a, b, c, _] = *cut;
    match op {
        Op::Mov(_) => a,
        Op::Int(op, ty) => int::eval_any(op, ty, cut),
        Op::Float {
            op,
            ty,
            round,
            ftz,
            sat,
        } => float::eval(
            op,
            Mode {
                ty,
                round,
                ftz,
                sat,
                relu: false,
            },
            [a, b, c],
        ),
        Op::Float2 {
            op,
            ty,
            ftz,
            sat,
            relu,
        } => {
            let mode = Mode {
                ty,
                round: Round::Nearest,
                ftz,
                sat,
                relu,
            };
            pairwise(op, mode, [a, b, c])
        }
        Op::Approx { op, ty, ftz } => approx::eval(op, ty, ftz, a, b),
        Op::Class(class, ty) => u64::from(float::class(class, ty, a)),
        Op::Convert(conversion) => convert::eval(conversion, a),
        Op::Convert2 { to, round, relu } => convert::pair(to, round, relu, a, b),
        Op::Narrow { to, relu } => convert::narrow(to, relu, a, b),
        Op::Widen { from, relu } => convert::widen(from, relu, a),
        Op::Compare { cmp, num, ftz } => u64::from(compare::eval(cmp, num, ftz, a, b)),
        Op::Select(_) => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Logic(PredOp::And) => a & b,
        Op::Logic(PredOp::Or) => a | b,
        Op::Logic(PredOp::Xor) => a ^ b,
        Op::Logic(PredOp::Not) => a ^ 1,
        Op::PredToInt => a,
        Op::Half128(_) | Op::Pack128 => 0,
    }
}

/// Returns a 16-bit floating-point number as f32 bits.
pub(crate) fn f16_to_f32(ty: Float, bits: u64) -> u32 {
    (float::to_f64(ty, bits) as f32).to_bits()
}

fn pairwise(op: FloatOp, mode: Mode, args: [u64; 3]) -> u64 {
    let [a, b, c] = args;
    let half = |shift: u32| {
        let part = |x: u64| x >> shift & 0xffff;
        float::eval(op, mode, [part(a), part(b), part(c)]) & 0xffff
    };
    half(16) << 16 | half(0)
}

/// [`eval`] that includes operations with a b128 operand or result.
pub fn eval128(op: Op, args: &[u128; 4]) -> u128 {
    let [a, b, c, _] = *args;
    match op {
        Op::Mov(Ty::B128) => a,
        Op::Select(Ty::B128) => {
            if a & 1 != 0 {
                b
            } else {
                c
            }
        }
        Op::Half128(high) => {
            if high {
                a >> 64
            } else {
                a & u128::from(u64::MAX)
            }
        }
        Op::Pack128 => (b << 64) | (a & u128::from(u64::MAX)),
        Op::Int(IntOp::MulWideU, Ty::B64) => u128::from(a as u64) * u128::from(b as u64),
        Op::Int(IntOp::MulWideS, Ty::B64) => (i128::from(a as i64) * i128::from(b as i64)) as u128,
        _ => u128::from(eval(op, &args.map(|x| x as u64))),
    }
}
