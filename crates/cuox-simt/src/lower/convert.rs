//! `cvt` and `cvt.pack`.

use super::build::{Lower, conversion};
use super::f16::packed_format;
use super::float::{ieee, rounding};
use super::operand::{arg, number};
use super::{Result, fail, requires, unsupported};
use crate::ir::{
    Cmp, Conversion, Float, Float8, FloatClass, FloatOp, IntOp, Num, Op, Operand, Round, Ty,
};
use cuox_ptx::ast::{Instruction, Rounding, ScalarType};

/// `cvt.dtype.stype d, a` and the packing `cvt.rn.f16x2.f32 d, a, b`.
pub(super) fn cvt(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let &[dt, st] = m.types() else {
        return unsupported(i);
    };
    if m.rounding() == Some(Rounding::Rs) {
        return requires(i, "sm_100");
    }
    if is_narrow(dt) || is_narrow(st) {
        return narrow(l, i, dt, st);
    }
    if let (Some(to), ScalarType::F32) = (packed_format(dt), st) {
        let (mut high, mut low) = (l.src(i, 1, st)?, l.src(i, 2, st)?);
        if m.satfinite() {
            (high, low) = (finite(l, to, high), finite(l, to, low));
        }
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
    let mut source = l.low_bits(arg(i, 1)?, st)?;
    match (from, to) {
        _ if !m.satfinite() => {}
        (Num::F(Float::F32), Num::F(to @ (Float::F16 | Float::BF16))) => {
            source = finite(l, to, source)
        }
        _ => return unsupported(i),
    }
    let value = match (from, to) {
        (Num::U(a) | Num::S(a), Num::U(b) | Num::S(b)) if !m.sat() || (a == b && from == to) => {
            l.resize(source, a, b, from.is_signed())
        }
        // Without modifiers it is a move: all bits of a NaN are kept, except for f16.
        (Num::F(a @ (Float::F32 | Float::F64)), Num::F(b))
            if a == b && m.rounding().is_none() && !m.ftz() && !m.sat() =>
        {
            source
        }
        _ => {
            let integral = m.rounding().is_some_and(Rounding::is_integral);
            let conversion = Conversion {
                round: match (m.rounding(), from, to) {
                    (None, Num::F(_), Num::U(_) | Num::S(_)) => Round::Zero,
                    _ => rounding(i),
                },
                integral: integral && from.is_float() && from == to,
                // An H200 does not flush what it rounds to f16.
                ftz: m.ftz() && to != Num::F(Float::F16),
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

/// Returns true for packed types of numbers of 8 bits or fewer.
fn is_narrow(ty: ScalarType) -> bool {
    use ScalarType::*;
    matches!(
        ty,
        E4m3x2
            | E5m2x2
            | E3m2x2
            | E2m3x2
            | E2m1x2
            | Ue8m0x2
            | E4m3x4
            | E5m2x4
            | E3m2x4
            | E2m3x4
            | E2m1x4
    )
}

/// Converts to and from pairs of 8-bit numbers.
fn narrow(l: &mut Lower<'_>, i: &Instruction, dt: ScalarType, st: ScalarType) -> Result<()> {
    let relu = i.modifiers.relu();
    let format = |ty| match ty {
        ScalarType::E4m3x2 => Some(Float8::E4m3),
        ScalarType::E5m2x2 => Some(Float8::E5m2),
        _ => None,
    };
    let (high, low) = match (format(dt), dt, st) {
        (Some(_), _, ScalarType::F32) => (l.src(i, 1, st)?, l.src(i, 2, st)?),
        (Some(_), _, ScalarType::F16x2) => {
            let both = l.src(i, 1, st)?;
            let wide = Op::Convert(conversion(Num::F(Float::F16), Num::F(Float::F32)));
            let [low, high] = [false, true].map(|high| {
                let half = l.half(both, Ty::B32, high);
                l.op(wide, &[half])
            });
            (high, low)
        }
        (None, ScalarType::F16x2, _) => {
            let Some(from) = format(st) else {
                return requires(i, "sm_100");
            };
            let pair = l.src(i, 1, st)?;
            return l.put(i, Op::Widen { from, relu }, &[pair]);
        }
        _ => return requires(i, "sm_100"),
    };
    match format(dt) {
        Some(to) => l.put(i, Op::Narrow { to, relu }, &[high, low]),
        None => requires(i, "sm_100"),
    }
}

/// `.satfinite`: limits an f32 to the largest number of a narrower format.
fn finite(l: &mut Lower<'_>, to: Float, x: Operand) -> Operand {
    let largest: u64 = match to {
        Float::F16 => 0x477f_e000,
        _ => 0x7f7f_0000,
    };
    let op = |op| ieee(op, Float::F32, Round::Nearest, false, false);
    let x = l.op(op(FloatOp::MinNan), &[x, Operand::Imm(largest)]);
    l.op(op(FloatOp::MaxNan), &[x, Operand::Imm(largest | 1 << 31)])
}

/// Writes a value to operand 0, which may be wider: extended as its type says.
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
            format!("the destination is {have}; the instruction writes {ty}"),
        );
    }
    let value = l.resize(value, ty, have, signed);
    l.op_into(dst, Op::Mov(have), &[value]);
    Ok(())
}

/// `cvt.rna.tf32.f32` and the other conversions to tf32, which keep ten bits of mantissa. `.rna` keeps these bits of
/// NaNs, too, as an H200 does; with `.satfinite` it subtracts one from numbers with the exponent of infinity.
fn tf32(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    const DROPPED: u64 = 13;
    const UNIT: u64 = 1 << DROPPED;
    let x = l.src(i, 1, ScalarType::F32)?;
    let add = |l: &mut Lower<'_>, x, n: u64| l.int(IntOp::Add, Ty::B32, &[x, Operand::Imm(n)]);
    let rounded = match rounding(i) {
        Round::Zero => x,
        Round::Away => add(l, x, UNIT / 2),
        Round::Nearest => {
            // Half a unit less one, plus the last kept bit: ties go to even.
            let bit = [x, Operand::Imm(DROPPED), Operand::Imm(1)];
            let odd = l.int(IntOp::BfeU, Ty::B32, &bit);
            let x = add(l, x, UNIT / 2 - 1);
            l.int(IntOp::Add, Ty::B32, &[x, odd])
        }
        _ => return unsupported(i),
    };
    let nan = l.op(Op::Class(FloatClass::NotANumber, Float::F32), &[x]);
    let of_nan = match rounding(i) {
        Round::Away => x,
        _ => Operand::Imm(0x7fff_ffff),
    };
    let value = l.op(Op::Select(Ty::B32), &[nan, of_nan, rounded]);
    let keep = Operand::Imm(Ty::B32.mask() & !(UNIT - 1));
    let mut value = l.int(IntOp::And, Ty::B32, &[value, keep]);
    if i.modifiers.satfinite() {
        if rounding(i) != Round::Away {
            return requires(i, "sm_100");
        }
        let exponent = [value, Operand::Imm(23), Operand::Imm(8)];
        let exponent = l.int(IntOp::BfeU, Ty::B32, &exponent);
        let equal = Op::Compare {
            cmp: Cmp::Eq,
            num: Num::U(Ty::B32),
            ftz: false,
        };
        let special = l.op(equal, &[exponent, Operand::Imm(0xff)]);
        let less = add(l, value, Ty::B32.mask() & !(UNIT - 1));
        value = l.op(Op::Select(Ty::B32), &[special, less, value]);
    }
    if i.modifiers.relu() {
        let negative = l.int(IntOp::ShrS, Ty::B32, &[value, Operand::Imm(31)]);
        let positive = l.int(IntOp::Not, Ty::B32, &[negative]);
        value = l.int(IntOp::And, Ty::B32, &[value, positive]);
    }
    l.put_value(i, Ty::B32, value)
}

/// `cvt.pack.sat.dtype.s32 d, a, b` and, for bytes, `… d, a, b, c`.
pub(super) fn pack(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let types = i.modifiers.types();
    let (Some(&dt), Some(&ScalarType::S32)) = (types.first(), types.get(1)) else {
        return unsupported(i);
    };
    let piece = dt.bits();
    let (low, high) = match dt.is_signed() {
        true => (-(1i64 << (piece - 1)), (1i64 << (piece - 1)) - 1),
        false => (0, (1i64 << piece) - 1),
    };
    let imm = |x: i64| Operand::Imm(x as u64 & Ty::B32.mask());
    let mut both = [Operand::Imm(0); 2];
    for (n, result) in both.iter_mut().enumerate() {
        let x = l.src(i, n + 1, ScalarType::S32)?;
        let x = l.int(IntOp::MaxS, Ty::B32, &[x, imm(low)]);
        let x = l.int(IntOp::MinS, Ty::B32, &[x, imm(high)]);
        *result = l.int(IntOp::And, Ty::B32, &[x, imm((1 << piece) - 1)]);
    }
    let bits = Operand::Imm(u64::from(piece));
    let high = l.int(IntOp::Shl, Ty::B32, &[both[0], bits]);
    let mut value = l.int(IntOp::Or, Ty::B32, &[high, both[1]]);
    if types.get(2).is_some() {
        let c = l.src32(i, 3)?;
        let twice = Operand::Imm(u64::from(2 * piece));
        let c = l.int(IntOp::Shl, Ty::B32, &[c, twice]);
        value = l.int(IntOp::Or, Ty::B32, &[value, c]);
    }
    l.put_value(i, Ty::B32, value)
}
