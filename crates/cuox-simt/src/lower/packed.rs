//! Operations on two packed 16-bit numbers without a packed form in the IR: each half is computed by itself.

use super::build::Lower;
use super::operand::first_type;
use super::{Result, unsupported};
use crate::ir::{IntOp, Op, Operand, Ty};
use cuox_ptx::ast::{Instruction, Opcode, ScalarType};

/// Applies `f` to the low and to the high halves of `sources` operands, and writes the halves of operand 0.
pub(super) fn by_halves(
    l: &mut Lower<'_>,
    i: &Instruction,
    sources: usize,
    mut f: impl FnMut(&mut Lower<'_>, &[Operand]) -> Operand,
) -> Result<()> {
    let mut args = Vec::with_capacity(sources);
    for n in 0..sources {
        args.push(l.src(i, n + 1, ScalarType::B32)?);
    }
    let mut results = [Operand::Imm(0); 2];
    for (high, result) in [false, true].into_iter().zip(&mut results) {
        let mut halves = Vec::with_capacity(sources);
        for &a in &args {
            halves.push(l.half(a, Ty::B32, high));
        }
        *result = f(l, &halves);
    }
    let value = l.join(results[0], results[1], Ty::B32);
    l.put_value(i, Ty::B32, value)
}

/// `add`, `min`, `max` of `u16x2` and `s16x2`.
pub(super) fn integer(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let signed = first_type(i)? == ScalarType::S16x2;
    let op = match (i.opcode, signed) {
        (Opcode::Add, _) => IntOp::Add,
        (Opcode::Sub, _) => IntOp::Sub,
        (Opcode::Min, true) => IntOp::MinS,
        (Opcode::Min, false) => IntOp::MinU,
        (Opcode::Max, true) => IntOp::MaxS,
        (Opcode::Max, false) => IntOp::MaxU,
        _ => return unsupported(i),
    };
    let relu = i.modifiers.relu();
    by_halves(l, i, 2, |l, x| {
        let value = l.op(Op::Int(op, Ty::B16), x);
        if relu {
            l.int(IntOp::MaxS, Ty::B16, &[value, Operand::Imm(0)])
        } else {
            value
        }
    })
}
