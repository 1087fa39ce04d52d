//! Floating-point arithmetic and functions.

use super::build::Lower;
use super::f16::{packed, packed_format};
use super::operand::{arg, first_type, number};
use super::{Result, requires, requires_with, unsupported};
use crate::ir::{ApproxOp, Cmp, Float, FloatClass, FloatOp, IntOp, Num, Op, Operand, Round, Ty};
use cuox_ptx::ast::{FloatTest, Instruction, Opcode, Rounding, ScalarType, TypeKind};

/// Returns true if an instruction that integers share has a floating-point type.
pub(super) fn is_float(i: &Instruction) -> bool {
    i.modifiers
        .first_type()
        .is_some_and(|t| t.kind() == TypeKind::Float)
}

/// Returns the rounding direction; to nearest if there is no modifier.
pub(super) fn rounding(i: &Instruction) -> Round {
    match i.modifiers.rounding() {
        Some(Rounding::Rz | Rounding::Rzi) => Round::Zero,
        Some(Rounding::Rm | Rounding::Rmi) => Round::Down,
        Some(Rounding::Rp | Rounding::Rpi) => Round::Up,
        Some(Rounding::Rna) => Round::Away,
        _ => Round::Nearest,
    }
}

/// Returns the scalar format of the first type.
fn format(i: &Instruction) -> Result<(Float, ScalarType)> {
    let pt = first_type(i)?;
    match number(i, pt)? {
        Num::F(float) => Ok((float, pt)),
        _ => unsupported(i),
    }
}

/// `add`, `sub`, `mul`, `fma`, `mad`, `div`, `min`, `max`, `abs`, `neg`.
pub(super) fn arithmetic(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    match first_type(i)? {
        ScalarType::F16x2 | ScalarType::Bf16x2 => return packed(l, i),
        ScalarType::F32x2 => return requires(i, "sm_100"),
        _ => {}
    }
    let (ty, pt) = format(i)?;
    let round = rounding(i);
    let op = match i.opcode {
        Opcode::Add => FloatOp::Add,
        Opcode::Sub => FloatOp::Sub,
        Opcode::Mul => FloatOp::Mul,
        Opcode::Fma | Opcode::Mad => FloatOp::Fma,
        Opcode::Abs => FloatOp::Abs,
        Opcode::Neg => FloatOp::Neg,
        Opcode::Min if m.nan() => FloatOp::MinNan,
        Opcode::Min => FloatOp::Min,
        Opcode::Max if m.nan() => FloatOp::MaxNan,
        Opcode::Max => FloatOp::Max,
        Opcode::Div => {
            let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
            let approx = if m.full() {
                Some(ApproxOp::DivFull)
            } else {
                m.approx().then_some(ApproxOp::Div)
            };
            let op = match approx {
                Some(op) => Op::Approx {
                    op,
                    ty,
                    ftz: m.ftz(),
                },
                None => ieee(FloatOp::Div, ty, round, m.ftz(), m.sat()),
            };
            return l.put(i, op, &[a, b]);
        }
        _ => return unsupported(i),
    };
    if matches!(
        op,
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan
    ) {
        return extremum(l, i, op, ty, pt);
    }
    if m.types().len() > 1 {
        // `add.f32.f16 d, a, c`.
        return requires(i, "sm_100");
    }
    let mut args = Vec::with_capacity(3);
    for n in 0..op.arity() {
        args.push(l.src(i, n + 1, pt)?);
    }
    let value = ieee(op, ty, round, m.ftz(), m.sat());
    if m.oob() {
        let value = l.op(value, &args);
        let value = if m.relu() { relu(l, ty, value) } else { value };
        let value = without_oob(l, ty.ty(), &args[..2], value);
        return l.put_value(i, ty.ty(), value);
    }
    if !m.relu() {
        if m.rounding().is_none() {
            l.mark_free();
        }
        return l.put(i, value, &args);
    }
    let value = l.op(value, &args);
    put_relu(l, i, ty, value)
}

/// Returns an IEEE operation.
pub(super) fn ieee(op: FloatOp, ty: Float, round: Round, ftz: bool, sat: bool) -> Op {
    Op::Float {
        op,
        ty,
        round,
        ftz,
        sat,
    }
}

/// `.relu`: negative numbers become zero, and NaN becomes canonical.
fn relu(l: &mut Lower<'_>, ty: Float, value: Operand) -> Operand {
    let clamp = ieee(FloatOp::MaxNan, ty, Round::Nearest, false, false);
    l.op(clamp, &[value, Operand::Imm(0)])
}

fn put_relu(l: &mut Lower<'_>, i: &Instruction, ty: Float, value: Operand) -> Result<()> {
    let value = relu(l, ty, value);
    l.put_value(i, ty.ty(), value)
}

/// `.oob`: returns 0 instead of `value` if a factor is the NaN that marks elements outside a tensor. It is 0x7ff7
/// with either sign in both 16-bit formats.
pub(super) fn without_oob(
    l: &mut Lower<'_>,
    ty: Ty,
    factors: &[Operand],
    value: Operand,
) -> Operand {
    const OUTSIDE: u64 = 0x7ff7;
    let equal = Op::Compare {
        cmp: Cmp::Eq,
        num: Num::U(ty),
        ftz: false,
    };
    factors.iter().fold(value, |value, &x| {
        let magnitude = l.int(IntOp::And, ty, &[x, Operand::Imm(0x7fff)]);
        let outside = l.op(equal, &[magnitude, Operand::Imm(OUTSIDE)]);
        l.op(Op::Select(ty), &[outside, Operand::Imm(0), value])
    })
}

/// `min` and `max`.
fn extremum(
    l: &mut Lower<'_>,
    i: &Instruction,
    op: FloatOp,
    ty: Float,
    pt: ScalarType,
) -> Result<()> {
    let m = &i.modifiers;
    if i.operands.len() > 3 {
        return requires_with(i, " with three inputs", "sm_100");
    }
    let xorsign = m.xorsign();
    let width = ty.ty();
    let sign = 1u64 << (width.bits() - 1);
    let mut signs = Operand::Imm(0);
    let mut value = Operand::Imm(0);
    for n in 0..2 {
        let mut x = l.src(i, n + 1, pt)?;
        if xorsign || m.abs() {
            signs = if n == 0 {
                x
            } else {
                l.int(IntOp::Xor, width, &[signs, x])
            };
            x = l.op(ieee(FloatOp::Abs, ty, Round::Nearest, false, false), &[x]);
        }
        value = if n == 0 {
            x
        } else {
            let op = ieee(op, ty, Round::Nearest, m.ftz(), false);
            l.op(op, &[value, x])
        };
    }
    if xorsign {
        let signs = l.int(IntOp::And, width, &[signs, Operand::Imm(sign)]);
        let signed = l.int(IntOp::Or, width, &[value, signs]);
        let nan = l.op(Op::Class(FloatClass::NotANumber, ty), &[value]);
        value = l.op(Op::Select(width), &[nan, value, signed]);
    }
    if m.relu() {
        return put_relu(l, i, ty, value);
    }
    l.put_value(i, width, value)
}

/// `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh`.
pub(super) fn function(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let approx = match i.opcode {
        Opcode::Rcp => ApproxOp::Rcp,
        Opcode::Sqrt => ApproxOp::Sqrt,
        Opcode::Rsqrt => ApproxOp::Rsqrt,
        Opcode::Sin => ApproxOp::Sin,
        Opcode::Cos => ApproxOp::Cos,
        Opcode::Lg2 => ApproxOp::Lg2,
        Opcode::Ex2 => ApproxOp::Ex2,
        _ => ApproxOp::Tanh,
    };
    if let Some(ty) = packed_format(first_type(i)?) {
        let op = Op::Approx {
            op: approx,
            ty,
            ftz: m.ftz(),
        };
        return super::packed::by_halves(l, i, 1, |l, x| l.op(op, x));
    }
    let (ty, pt) = format(i)?;
    let a = l.src(i, 1, pt)?;
    let op = match approx {
        ApproxOp::Rcp if !m.approx() => ieee(FloatOp::Rcp, ty, rounding(i), m.ftz(), false),
        ApproxOp::Sqrt if !m.approx() => ieee(FloatOp::Sqrt, ty, rounding(i), m.ftz(), false),
        op => Op::Approx {
            op,
            ty,
            ftz: m.ftz(),
        },
    };
    l.put(i, op, &[a])
}

/// `testp`.
pub(super) fn test(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (ty, pt) = format(i)?;
    let class = match i.modifiers.float_test() {
        Some(FloatTest::Finite) => FloatClass::Finite,
        Some(FloatTest::Infinite) => FloatClass::Infinite,
        Some(FloatTest::Number) => FloatClass::Number,
        Some(FloatTest::NotANumber) => FloatClass::NotANumber,
        Some(FloatTest::Normal) => FloatClass::Normal,
        Some(FloatTest::Subnormal) => FloatClass::Subnormal,
        None => return unsupported(i),
    };
    let a = l.value(arg(i, 1)?, pt)?;
    l.put(i, Op::Class(class, ty), &[a])
}

/// `copysign`.
pub(super) fn copysign(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (ty, pt) = format(i)?;
    let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
    let op = ieee(FloatOp::Copysign, ty, Round::Nearest, false, false);
    l.put(i, op, &[a, b])
}
