//! `cvt` and `cvt.pack`.

use super::build::{Lower, conversion};
use super::float::{ieee, rounding};
use super::half::packed_format;
use super::operand::{arg, number, width};
use super::{Result, fail, unsupported};
use crate::ir::{Conversion, Float, FloatClass, FloatOp, IntOp, Num, Op, Operand, Round, Ty};
use cuox_ptx::ast::{Instruction, Rounding, ScalarType};

/// `cvt.dtype.stype d, a` and the packing `cvt.rn.f16x2.f32 d, a, b`.
pub(super) fn cvt(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let &[dt, st] = m.types() else {
        return unsupported(i);
    };
    if m.satfinite() || matches!(m.rounding(), Some(Rounding::Rs)) {
        return unsupported(i);
    }
    if let (Some(to), ScalarType::F32) = (packed_format(dt), st) {
        let (high, low) = (l.src(i, 1, st)?, l.src(i, 2, st)?);
        let op = Op::Convert2 {
            to,
            round: rounding(i),
            relu: m.relu(),
        };
        return l.put(i, op, &[high, low]);
    }
    if dt == ScalarType::Tf32 && st == ScalarType::F32 {
        return tf32(l, i);
    }
    let (to, from) = (number(i, dt)?, number(i, st)?);
    let source = l.low_bits(arg(i, 1)?, st)?;
    let value = match (from, to) {
        (Num::U(a) | Num::S(a), Num::U(b) | Num::S(b)) if !m.sat() || (a == b && from == to) => {
            l.resize(source, a, b, from.is_signed())
        }
        _ => {
            let integral = m.rounding().is_some_and(Rounding::is_integral);
            let conversion = Conversion {
                round: match (m.rounding(), from, to) {
                    (None, Num::F(_), Num::U(_) | Num::S(_)) => Round::Zero,
                    _ => rounding(i),
                },
                integral: integral && from.is_float() && from == to,
                ftz: m.ftz(),
                sat: m.sat(),
                relu: m.relu(),
                ..conversion(from, to)
            };
            if matches!(from.ty(), Ty::B128 | Ty::Pred) || matches!(to.ty(), Ty::B128 | Ty::Pred) {
                return unsupported(i);
            }
            l.op(Op::Convert(conversion), &[source])
        }
    };
    put_extended(l, i, to.ty(), to.is_signed(), value)
}

/// Puts a value into operand 0, which may be wider: extended as its type says.
fn put_extended(
    l: &mut Lower<'_>,
    i: &Instruction,
    ty: Ty,
    signed: bool,
    value: Operand,
) -> Result<()> {
    let operand = arg(i, 0)?;
    let Some(dst) = l.dest_of_any_width(operand)? else {
        return Ok(());
    };
    let have = l.ty(dst);
    if have < ty || have == Ty::Pred {
        return fail(
            operand.span,
            format!("the destination is {have} where the instruction gives {ty}"),
        );
    }
    let value = l.resize(value, ty, have, signed);
    l.op_into(dst, Op::Mov(have), &[value]);
    Ok(())
}

/// `cvt.rna.tf32.f32`: ten bits of mantissa are kept.
fn tf32(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    const DROPPED: u64 = 13;
    let keep = Operand::Imm(u64::from(u32::MAX) << DROPPED & Ty::B32.mask());
    let x = l.src(i, 1, ScalarType::F32)?;
    let rounded = match rounding(i) {
        Round::Zero => x,
        Round::Away => l.int(IntOp::Add, Ty::B32, &[x, Operand::Imm(1 << (DROPPED - 1))]),
        Round::Nearest => {
            // Half a unit less one, plus the last kept bit: ties go to even.
            let odd = l.int(
                IntOp::BfeU,
                Ty::B32,
                &[x, Operand::Imm(DROPPED), Operand::Imm(1)],
            );
            let half = Operand::Imm((1 << (DROPPED - 1)) - 1);
            let x = l.int(IntOp::Add, Ty::B32, &[x, half]);
            l.int(IntOp::Add, Ty::B32, &[x, odd])
        }
        _ => return unsupported(i),
    };
    let cut = l.int(IntOp::And, Ty::B32, &[rounded, keep]);
    let nan = l.op(Op::Class(FloatClass::NotANumber, Float::F32), &[x]);
    let mut value = l.op(Op::Select(Ty::B32), &[nan, Operand::Imm(0x7fff_ffff), cut]);
    if i.modifiers.relu() {
        let clamp = ieee(FloatOp::MaxNan, Float::F32, Round::Nearest, false, false);
        value = l.op(clamp, &[value, Operand::Imm(0)]);
    }
    l.put_value(i, Ty::B32, value)
}

/// `cvt.pack.sat.dtype.s32 d, a, b` and, for bytes, `… d, a, b, c`.
pub(super) fn pack(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let types = i.modifiers.types();
    let (Some(&dt), Some(&ScalarType::S32)) = (types.first(), types.get(1)) else {
        return unsupported(i);
    };
    let to = number(i, dt)?;
    let piece = width(i, dt)?;
    if !matches!(piece, Ty::B8 | Ty::B16) {
        return unsupported(i);
    }
    let mut both = [Operand::Imm(0); 2];
    for (n, result) in both.iter_mut().enumerate() {
        let x = l.src(i, n + 1, ScalarType::S32)?;
        let clamp = Conversion {
            sat: true,
            ..conversion(Num::S(Ty::B32), to)
        };
        let x = l.op(Op::Convert(clamp), &[x]);
        *result = l.resize(x, piece, Ty::B32, false);
    }
    let bits = Operand::Imm(u64::from(piece.bits()));
    let high = l.int(IntOp::Shl, Ty::B32, &[both[0], bits]);
    let mut value = l.int(IntOp::Or, Ty::B32, &[high, both[1]]);
    if types.get(2).is_some() {
        let c = l.src32(i, 3)?;
        let twice = Operand::Imm(u64::from(2 * piece.bits()));
        let c = l.int(IntOp::Shl, Ty::B32, &[c, twice]);
        value = l.int(IntOp::Or, Ty::B32, &[value, c]);
    }
    l.put_value(i, Ty::B32, value)
}
