//! Integer arithmetic and bit counting.

use super::build::Lower;
use super::operand::{arg, first_type, integer};
use super::packed;
use super::{Result, fail, unsupported};
use crate::ir::{IntOp, Op, Operand, PredOp, Ty};
use cuox_ptx::ast::{Instruction, Opcode, ScalarType};

/// Lowers integer arithmetic, except the carry chain.
pub(super) fn arithmetic(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let m = &i.modifiers;
    if matches!(pt, ScalarType::U16x2 | ScalarType::S16x2) {
        return packed::integer(l, i);
    }
    if matches!(i.opcode, Opcode::Dp4a | Opcode::Dp2a) {
        return dot(l, i);
    }
    if m.cc() {
        return carry(l, i);
    }
    let (ty, signed) = integer(i)?;
    let pick = |s: IntOp, u: IntOp| if signed { s } else { u };
    match i.opcode {
        Opcode::Add | Opcode::Sub => {
            let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
            let op = match (i.opcode, m.sat()) {
                (Opcode::Add, false) => IntOp::Add,
                (Opcode::Add, true) => IntOp::AddSatS,
                (_, false) => IntOp::Sub,
                (_, true) => IntOp::SubSatS,
            };
            l.put(i, Op::Int(op, ty), &[a, b])
        }
        Opcode::Mul | Opcode::Mad => multiply(l, i, pt, ty, signed),
        Opcode::Mul24 | Opcode::Mad24 => multiply24(l, i, pt, signed),
        Opcode::Div | Opcode::Rem => {
            let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
            let op = match i.opcode {
                Opcode::Div => pick(IntOp::DivS, IntOp::DivU),
                _ => pick(IntOp::RemS, IntOp::RemU),
            };
            l.put(i, Op::Int(op, ty), &[a, b])
        }
        Opcode::Min | Opcode::Max => {
            let op = match i.opcode {
                Opcode::Min => pick(IntOp::MinS, IntOp::MinU),
                _ => pick(IntOp::MaxS, IntOp::MaxU),
            };
            let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
            let mut value = l.int(op, ty, &[a, b]);
            if m.relu() {
                value = l.int(IntOp::MaxS, ty, &[value, Operand::Imm(0)]);
            }
            l.put_value(i, ty, value)
        }
        Opcode::Abs | Opcode::Neg | Opcode::Brev => {
            let op = match i.opcode {
                Opcode::Abs => IntOp::Abs,
                Opcode::Neg => IntOp::Neg,
                _ => IntOp::Brev,
            };
            let a = l.src(i, 1, pt)?;
            l.put(i, Op::Int(op, ty), &[a])
        }
        Opcode::Popc | Opcode::Clz | Opcode::Bfind => {
            let op = match (i.opcode, m.shiftamt()) {
                (Opcode::Popc, _) => IntOp::Popc,
                (Opcode::Clz, _) => IntOp::Clz,
                (_, false) => pick(IntOp::BfindS, IntOp::BfindU),
                (_, true) => pick(IntOp::BfindShiftS, IntOp::BfindShiftU),
            };
            let a = l.src(i, 1, pt)?;
            l.put(i, Op::Int(op, ty), &[a])
        }
        Opcode::Sad => {
            let (a, b, c) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?, l.src(i, 3, pt)?);
            let d = l.int(pick(IntOp::AbsDiffS, IntOp::AbsDiffU), ty, &[a, b]);
            l.put(i, Op::Int(IntOp::Add, ty), &[d, c])
        }
        Opcode::Bfe => {
            let (a, b, c) = (l.src(i, 1, pt)?, l.src32(i, 2)?, l.src32(i, 3)?);
            l.put(i, Op::Int(pick(IntOp::BfeS, IntOp::BfeU), ty), &[a, b, c])
        }
        Opcode::Bfi => {
            let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
            let (c, d) = (l.src32(i, 3)?, l.src32(i, 4)?);
            l.put(i, Op::Int(IntOp::Bfi, ty), &[a, b, c, d])
        }
        Opcode::Fns | Opcode::Szext | Opcode::Bmsk => {
            let (a, b) = (l.src32(i, 1)?, l.src32(i, 2)?);
            match i.opcode {
                Opcode::Szext => {
                    l.put(i, Op::Int(IntOp::Szext(signed, m.wrap()), Ty::B32), &[a, b])
                }
                Opcode::Bmsk => l.put(i, Op::Int(IntOp::Bmsk(m.wrap()), Ty::B32), &[a, b]),
                _ => {
                    let c = l.src32(i, 3)?;
                    l.put(i, Op::Int(IntOp::Fns, Ty::B32), &[a, b, c])
                }
            }
        }
        _ => unsupported(i),
    }
}

/// Returns the product that `.lo`, `.hi` or `.wide` selects.
fn product(
    l: &mut Lower<'_>,
    i: &Instruction,
    pt: ScalarType,
    ty: Ty,
    signed: bool,
) -> Result<Operand> {
    let (a, b) = (l.src(i, 1, pt)?, l.src(i, 2, pt)?);
    let m = &i.modifiers;
    let op = match (m.wide(), m.hi(), signed) {
        (true, _, _) if ty == Ty::B64 => return unsupported(i),
        (true, _, true) => IntOp::MulWideS,
        (true, _, false) => IntOp::MulWideU,
        (_, true, true) => IntOp::MulHiS,
        (_, true, false) => IntOp::MulHiU,
        _ => IntOp::Mul,
    };
    Ok(l.int(op, ty, &[a, b]))
}

fn multiply(
    l: &mut Lower<'_>,
    i: &Instruction,
    pt: ScalarType,
    ty: Ty,
    signed: bool,
) -> Result<()> {
    let value = product(l, i, pt, ty, signed)?;
    let (result, result_type) = match (i.modifiers.wide(), ty) {
        (true, Ty::B16) => (Ty::B32, ScalarType::B32),
        (true, _) => (Ty::B64, ScalarType::B64),
        (false, _) => (ty, pt),
    };
    if i.opcode == Opcode::Mul {
        return l.put_value(i, result, value);
    }
    // Two operations, so that the uniformity analysis sees the sum of addresses that are affine in the thread index.
    let c = l.src(i, 3, result_type)?;
    let op = if i.modifiers.sat() {
        IntOp::AddSatS
    } else {
        IntOp::Add
    };
    l.put(i, Op::Int(op, result), &[value, c])
}

fn multiply24(l: &mut Lower<'_>, i: &Instruction, pt: ScalarType, signed: bool) -> Result<()> {
    let mut wide = [Operand::Imm(0); 2];
    for (n, w) in wide.iter_mut().enumerate() {
        let x = l.src(i, n + 1, pt)?;
        let x = l.resize(x, Ty::B32, Ty::B64, false);
        let op = if signed { IntOp::BfeS } else { IntOp::BfeU };
        *w = l.int(op, Ty::B64, &[x, Operand::Imm(0), Operand::Imm(24)]);
    }
    let mut value = l.int(IntOp::Mul, Ty::B64, &wide);
    if i.modifiers.hi() {
        value = l.int(IntOp::ShrU, Ty::B64, &[value, Operand::Imm(16)]);
    }
    let value = l.resize(value, Ty::B64, Ty::B32, false);
    if i.opcode == Opcode::Mul24 {
        return l.put_value(i, Ty::B32, value);
    }
    let c = l.src(i, 3, pt)?;
    let op = if i.modifiers.sat() {
        IntOp::AddSatS
    } else {
        IntOp::Add
    };
    l.put(i, Op::Int(op, Ty::B32), &[value, c])
}

/// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`.
///
/// A GPU subtracts by adding the complement, so its flag holds "no borrow" after a subtraction. The difference shows
/// if additions and subtractions are mixed: NVIDIA's 128-bit division reads the flag of `subc.cc` with `addc`.
pub(super) fn carry(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let (ty, signed) = integer(i)?;
    let (a, b) = match i.opcode {
        Opcode::Mad | Opcode::MadC => {
            if i.modifiers.wide() {
                return unsupported(i);
            }
            let p = product(l, i, pt, ty, signed)?;
            (p, l.src(i, 3, pt)?)
        }
        Opcode::Add | Opcode::AddC | Opcode::Sub | Opcode::SubC => {
            (l.src(i, 1, pt)?, l.src(i, 2, pt)?)
        }
        _ => {
            return fail(
                i.opcode_span,
                "only additions and subtractions have a carry",
            );
        }
    };
    let takes = matches!(i.opcode, Opcode::AddC | Opcode::SubC | Opcode::MadC);
    let subtracts = matches!(i.opcode, Opcode::Sub | Opcode::SubC);
    let (op, out) = if subtracts {
        (IntOp::SubBorrow, IntOp::SubBorrowOut)
    } else {
        (IntOp::AddCarry, IntOp::AddCarryOut)
    };
    let carry_in = match (takes, subtracts) {
        (false, _) => Operand::Imm(0),
        (true, false) => Operand::Reg(l.carry),
        (true, true) => l.logic(PredOp::Not, &[Operand::Reg(l.carry)]),
    };
    // Both read the operands, which the result may overwrite.
    let args = [a, b, carry_in];
    let flag = i.modifiers.cc().then(|| l.int(out, ty, &args));
    l.put(i, Op::Int(op, ty), &args)?;
    if let Some(flag) = flag {
        let op = if subtracts {
            Op::Logic(PredOp::Not)
        } else {
            Op::Mov(Ty::Pred)
        };
        l.op_into(l.carry, op, &[flag]);
    }
    Ok(())
}

/// `dp4a.atype.btype`, `dp2a.mode.atype.btype`.
fn dot(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let &[at, bt] = i.modifiers.types() else {
        return unsupported(i);
    };
    let (a, b, c) = (l.src32(i, 1)?, l.src32(i, 2)?, l.value(arg(i, 3)?, at)?);
    let op = match i.opcode {
        Opcode::Dp4a => IntOp::Dp4a(at.is_signed(), bt.is_signed()),
        _ => IntOp::Dp2a(at.is_signed(), bt.is_signed(), i.modifiers.hi()),
    };
    l.put(i, Op::Int(op, Ty::B32), &[a, b, c])
}
