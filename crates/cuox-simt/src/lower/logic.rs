//! Bitwise logic, shifts and byte permutation.

use super::build::Lower;
use super::compare::bool_op;
use super::operand::{arg, first_type, integer, width};
use super::{Result, fail, unsupported};
use crate::ir::{Cmp, IntOp, Num, Op, Operand, PredOp, PrmtMode, Ty};
use cuox_ptx::ast::{Instruction, Opcode, OperandKind, PermuteMode, ScalarType};

/// `and`, `or`, `xor`, `not`, `cnot`.
pub(super) fn bitwise(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    let a = l.src(i, 1, pt)?;
    if ty == Ty::Pred {
        let op = match i.opcode {
            Opcode::And => PredOp::And,
            Opcode::Or => PredOp::Or,
            Opcode::Xor => PredOp::Xor,
            Opcode::Not => return l.put(i, Op::Logic(PredOp::Not), &[a]),
            _ => return unsupported(i),
        };
        let b = l.src(i, 2, pt)?;
        return l.put(i, Op::Logic(op), &[a, b]);
    }
    integer(i)?;
    let op = match i.opcode {
        Opcode::And => IntOp::And,
        Opcode::Or => IntOp::Or,
        Opcode::Xor => IntOp::Xor,
        Opcode::Not => return l.put(i, Op::Int(IntOp::Not, ty), &[a]),
        _ => {
            let is_zero = Op::Compare {
                cmp: Cmp::Eq,
                num: Num::U(ty),
                ftz: false,
            };
            let zero = l.op(is_zero, &[a, Operand::Imm(0)]);
            return l.put(i, Op::Select(ty), &[zero, Operand::Imm(1), Operand::Imm(0)]);
        }
    };
    let b = l.src(i, 2, pt)?;
    l.put(i, Op::Int(op, ty), &[a, b])
}

/// `lop3.b32 d, a, b, c, table` and `lop3.op.b32 d|p, a, b, c, table, q`.
pub(super) fn lop3(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (a, b, c) = (l.src32(i, 1)?, l.src32(i, 2)?, l.src32(i, 3)?);
    let table = match arg(i, 4)?.kind {
        OperandKind::Integer { value, .. } if value < 256 => value as u8,
        _ => return fail(i.span, "the table of `lop3` must be a constant below 256"),
    };
    let [d, p] = l.dest_pair(arg(i, 0)?, Ty::B32, Ty::Pred)?;
    let value = l.int(IntOp::Lop3(table), Ty::B32, &[a, b, c]);
    if let Some(op) = i.modifiers.bool_op() {
        let q = l.pred(i, 5)?;
        let set = Op::Compare {
            cmp: Cmp::Ne,
            num: Num::U(Ty::B32),
            ftz: false,
        };
        let set = l.op(set, &[value, Operand::Imm(0)]);
        let both = l.logic(bool_op(op), &[set, q]);
        l.assign(p, Ty::Pred, both);
    }
    l.assign(d, Ty::B32, value);
    Ok(())
}

/// `shl`, `shr`.
pub(super) fn shift(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let (ty, signed) = integer(i)?;
    let op = match (i.opcode, signed) {
        (Opcode::Shl, _) => IntOp::Shl,
        (_, true) => IntOp::ShrS,
        (_, false) => IntOp::ShrU,
    };
    let (a, b) = (l.src(i, 1, pt)?, l.src32(i, 2)?);
    l.put(i, Op::Int(op, ty), &[a, b])
}

/// `shf`.
pub(super) fn funnel(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (a, b, c) = (l.src32(i, 1)?, l.src32(i, 2)?, l.src32(i, 3)?);
    let clamp = i.modifiers.clamp();
    let left = i.modifiers.has(cuox_ptx::ast::Modifier::L);
    let op = if left {
        IntOp::ShfL(clamp)
    } else {
        IntOp::ShfR(clamp)
    };
    l.put(i, Op::Int(op, Ty::B32), &[a, b, c])
}

/// `prmt`.
pub(super) fn prmt(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    if first_type(i)? != ScalarType::B32 {
        return unsupported(i);
    }
    let mode = match i.modifiers.permute_mode() {
        None => PrmtMode::Index,
        Some(PermuteMode::F4e) => PrmtMode::F4e,
        Some(PermuteMode::B4e) => PrmtMode::B4e,
        Some(PermuteMode::Rc8) => PrmtMode::Rc8,
        Some(PermuteMode::Ecl) => PrmtMode::Ecl,
        Some(PermuteMode::Ecr) => PrmtMode::Ecr,
        Some(PermuteMode::Rc16) => PrmtMode::Rc16,
    };
    let (a, b, c) = (l.src32(i, 1)?, l.src32(i, 2)?, l.src32(i, 3)?);
    l.put(i, Op::Int(IntOp::Prmt(mode), Ty::B32), &[a, b, c])
}
