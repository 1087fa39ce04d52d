//! Arithmetic on pairs of 16-bit floating-point numbers (`f16x2`, `bf16x2`).

use super::build::Lower;
use super::float::{rounding, without_oob};
use super::operand::first_type;
use super::{Result, unsupported};
use crate::ir::{Float, FloatClass, FloatOp, IntOp, Op, Operand, Round, Ty};
use cuox_ptx::ast::{Instruction, Opcode, ScalarType};

/// Returns the element format of a packed type.
pub(super) fn packed_format(ty: ScalarType) -> Option<Float> {
    match ty {
        ScalarType::F16x2 => Some(Float::F16),
        ScalarType::Bf16x2 => Some(Float::BF16),
        _ => None,
    }
}

/// `add`, `sub`, `mul`, `fma`, `min`, `max`, `abs`, `neg`.
pub(super) fn packed(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let pt = first_type(i)?;
    let Some(ty) = packed_format(pt) else {
        return unsupported(i);
    };
    if rounding(i) != Round::Nearest || m.types().len() != 1 {
        return unsupported(i);
    }
    let op = match i.opcode {
        Opcode::Add => FloatOp::Add,
        Opcode::Sub => FloatOp::Sub,
        Opcode::Mul => FloatOp::Mul,
        Opcode::Fma => FloatOp::Fma,
        Opcode::Abs => FloatOp::Abs,
        Opcode::Neg => FloatOp::Neg,
        Opcode::Min if m.nan() => FloatOp::MinNan,
        Opcode::Min => FloatOp::Min,
        Opcode::Max if m.nan() => FloatOp::MaxNan,
        Opcode::Max => FloatOp::Max,
        _ => return unsupported(i),
    };
    let mut args = Vec::with_capacity(3);
    for n in 0..op.arity() {
        args.push(l.src(i, n + 1, pt)?);
    }
    let full = |op, relu| Op::Float2 {
        op,
        ty,
        ftz: m.ftz(),
        sat: m.sat(),
        relu,
    };
    if m.oob() {
        let value = l.op(full(op, m.relu()), &args);
        let mut halves = [Operand::Imm(0); 2];
        for (half, high) in halves.iter_mut().zip([false, true]) {
            let [a, b, value] = [args[0], args[1], value].map(|x| l.half(x, Ty::B32, high));
            *half = without_oob(l, Ty::B16, &[a, b], value);
        }
        let value = l.join(halves[0], halves[1], Ty::B32);
        return l.put_value(i, Ty::B32, value);
    }
    if !m.xorsign() {
        if m.rounding().is_none() {
            l.mark_free();
        }
        return l.put(i, full(op, m.relu()), &args);
    }
    let [a, b] = args[..] else {
        return unsupported(i);
    };
    let signs = l.int(IntOp::Xor, Ty::B32, &[a, b]);
    let signs = l.int(IntOp::And, Ty::B32, &[signs, Operand::Imm(0x8000_8000)]);
    let mut magnitudes = [a, b];
    for x in &mut magnitudes {
        *x = l.int(IntOp::And, Ty::B32, &[*x, Operand::Imm(0x7fff_7fff)]);
    }
    let value = l.op(full(op, false), &magnitudes);
    let signed = l.int(IntOp::Or, Ty::B32, &[value, signs]);
    // A NaN has no sign.
    let mut halves = [Operand::Imm(0); 2];
    for (half, high) in halves.iter_mut().zip([false, true]) {
        let [magnitude, signed] = [value, signed].map(|x| l.half(x, Ty::B32, high));
        let nan = l.op(Op::Class(FloatClass::NotANumber, ty), &[magnitude]);
        *half = l.op(Op::Select(Ty::B16), &[nan, magnitude, signed]);
    }
    let value = l.join(halves[0], halves[1], Ty::B32);
    l.put_value(i, Ty::B32, value)
}
