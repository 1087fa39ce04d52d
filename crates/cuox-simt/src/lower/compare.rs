//! Comparisons and selections.

use super::build::Lower;
use super::dispatch::negate;
use super::f16::packed_format;
use super::operand::{arg, first_type, number, width};
use super::{Result, fail, unsupported};
use crate::ir::{Cmp, Float, Num, Op, Operand, PredOp, Ty};
use cuox_ptx::ast::{BoolOp, Compare, Instruction, OperandKind, ScalarType, TypeKind};

/// Returns the comparison. `.lo` and the other unsigned forms compare unsigned numbers whatever the type.
fn comparison(i: &Instruction, ty: ScalarType) -> Result<(Cmp, Num)> {
    let Some(word) = i.modifiers.compare() else {
        return unsupported(i);
    };
    let mut num = number(i, ty)?;
    let cmp = match word {
        Compare::Eq => Cmp::Eq,
        Compare::Ne => Cmp::Ne,
        Compare::Lt | Compare::Lo => Cmp::Lt,
        Compare::Le | Compare::Ls => Cmp::Le,
        Compare::Gt | Compare::Hi => Cmp::Gt,
        Compare::Ge | Compare::Hs => Cmp::Ge,
        Compare::Equ => Cmp::EqU,
        Compare::Neu => Cmp::NeU,
        Compare::Ltu => Cmp::LtU,
        Compare::Leu => Cmp::LeU,
        Compare::Gtu => Cmp::GtU,
        Compare::Geu => Cmp::GeU,
        Compare::Num => Cmp::Num,
        Compare::Nan => Cmp::Nan,
    };
    if matches!(word, Compare::Lo | Compare::Ls | Compare::Hi | Compare::Hs)
        && let Num::S(ty) = num
    {
        num = Num::U(ty);
    }
    let float_only = !matches!(
        cmp,
        Cmp::Eq | Cmp::Ne | Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge
    );
    if float_only && !num.is_float() {
        return fail(
            i.opcode_span,
            "this comparison requires floating-point numbers",
        );
    }
    if num.ty() == Ty::B128 {
        return unsupported(i);
    }
    Ok((cmp, num))
}

/// Combines `value` with the predicate operand `n`, if the instruction has a Boolean operation.
fn combine(l: &mut Lower<'_>, i: &Instruction, n: usize, value: Operand) -> Result<Operand> {
    let Some(op) = i.modifiers.bool_op() else {
        return Ok(value);
    };
    let c = l.pred(i, n)?;
    Ok(l.logic(bool_op(op), &[value, c]))
}

pub(super) fn bool_op(op: BoolOp) -> PredOp {
    match op {
        BoolOp::And => PredOp::And,
        BoolOp::Or => PredOp::Or,
        BoolOp::Xor => PredOp::Xor,
    }
}

/// Compares operands 1 and 2; packed types have two results.
fn compare(
    l: &mut Lower<'_>,
    i: &Instruction,
    ty: ScalarType,
) -> Result<(Operand, Option<Operand>)> {
    let ftz = i.modifiers.ftz();
    let (a, b) = (l.src(i, 1, ty)?, l.src(i, 2, ty)?);
    let Some(half) = packed_format(ty) else {
        let (cmp, num) = comparison(i, ty)?;
        return Ok((l.op(Op::Compare { cmp, num, ftz }, &[a, b]), None));
    };
    let scalar = if half == Float::F16 {
        ScalarType::F16
    } else {
        ScalarType::Bf16
    };
    let (cmp, num) = comparison(i, scalar)?;
    let mut both = [Operand::Imm(0); 2];
    for (high, result) in [false, true].into_iter().zip(&mut both) {
        let x = l.half(a, Ty::B32, high);
        let y = l.half(b, Ty::B32, high);
        *result = l.op(Op::Compare { cmp, num, ftz }, &[x, y]);
    }
    Ok((both[0], Some(both[1])))
}

/// `setp`.
pub(super) fn setp(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let ty = first_type(i)?;
    let [p, q] = l.dest_pair(arg(i, 0)?, Ty::Pred, Ty::Pred)?;
    let (first, second) = compare(l, i, ty)?;
    let second = match second {
        Some(second) => second,
        None if q.is_some() => negate(l, first),
        None => first,
    };
    let first = combine(l, i, 3, first)?;
    let second = if q.is_some() {
        combine(l, i, 3, second)?
    } else {
        second
    };
    l.assign(p, Ty::Pred, first);
    l.assign(q, Ty::Pred, second);
    Ok(())
}

/// `set.op.dtype.stype`.
pub(super) fn set(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let &[dt, st] = i.modifiers.types() else {
        return unsupported(i);
    };
    let (first, second) = compare(l, i, st)?;
    let first = combine(l, i, 3, first)?;
    let Some(second) = second else {
        let (ty, yes) = truth(i, dt)?;
        return l.put(
            i,
            Op::Select(ty),
            &[first, Operand::Imm(yes), Operand::Imm(0)],
        );
    };
    let second = combine(l, i, 3, second)?;
    let yes = match dt {
        ScalarType::F16x2 => 0x3c00,
        ScalarType::Bf16x2 => 0x3f80,
        ScalarType::U32 | ScalarType::S32 | ScalarType::B32 => 0xffff,
        _ => return unsupported(i),
    };
    let (yes, no) = (Operand::Imm(yes), Operand::Imm(0));
    let low = l.op(Op::Select(Ty::B16), &[first, yes, no]);
    let high = l.op(Op::Select(Ty::B16), &[second, yes, no]);
    let value = l.join(low, high, Ty::B32);
    l.put_value(i, Ty::B32, value)
}

/// Returns the register type and the bits that `set` writes for true.
fn truth(i: &Instruction, dt: ScalarType) -> Result<(Ty, u64)> {
    let ty = width(i, dt)?;
    let yes = match dt {
        ScalarType::F32 => u64::from(1f32.to_bits()),
        ScalarType::F64 => 1f64.to_bits(),
        ScalarType::F16 => 0x3c00,
        ScalarType::Bf16 => 0x3f80,
        dt if dt.kind() == TypeKind::Float => return unsupported(i),
        _ => ty.mask(),
    };
    Ok((ty, yes))
}

/// `selp`.
pub(super) fn selp(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    let (a, b, c) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?, l.pred(i, 3)?);
    l.put(i, Op::Select(ty), &[c, a, b])
}

/// `slct`: the first operand if the third is at least zero, else the second.
pub(super) fn slct(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let &[dt, ct] = i.modifiers.types() else {
        return unsupported(i);
    };
    let ty = width(i, dt)?;
    let (a, b) = (l.src(i, 1, dt)?, l.src(i, 2, dt)?);
    let num = number(i, ct)?;
    if let OperandKind::Sink = arg(i, 3)?.kind {
        return fail(i.span, "`slct` requires a third operand");
    }
    let c = l.src(i, 3, ct)?;
    let cmp = Op::Compare {
        cmp: Cmp::Ge,
        num,
        ftz: i.modifiers.ftz(),
    };
    let c = l.op(cmp, &[c, Operand::Imm(0)]);
    l.put(i, Op::Select(ty), &[c, a, b])
}
