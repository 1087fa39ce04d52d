//! `mov` with its packing forms, and conversions between address spaces.

use super::build::Lower;
use super::operand::{arg, first_type, width};
use super::{Result, fail, unsupported};
use crate::ir::{Cmp, IntOp, Num, Op, Operand, PredOp, Special, Ty};
use crate::program::VarSpace;
use cuox_ptx::ast::{self, Instruction, OperandKind, ScalarType, StateSpace};

/// `mov`.
pub(super) fn mov(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    if let Some(count) = i.modifiers.vector() {
        return mov_vector(l, i, pt, usize::from(count));
    }
    if let OperandKind::Vector(parts) = &arg(i, 1)?.kind {
        let value = pack(l, i, parts, ty)?;
        return l.put_value(i, ty, value);
    }
    let value = l.src(i, 1, pt)?;
    if let OperandKind::Vector(parts) = &arg(i, 0)?.kind {
        return unpack(l, i, parts, ty, value);
    }
    l.put_value(i, ty, value)
}

/// `mov.v2` and `mov.v4`: vector registers, or lists of registers.
fn mov_vector(l: &mut Lower<'_>, i: &Instruction, pt: ScalarType, count: usize) -> Result<()> {
    let ty = width(i, pt)?;
    let dests = l.vector_dests(arg(i, 0)?, count)?;
    // The lists may have registers in common.
    let mut values = Vec::with_capacity(count);
    for (value, have) in l.vector_values(arg(i, 1)?, count, pt)? {
        if have != ty {
            return fail(
                i.span,
                format!("the register is {have}; the instruction moves {ty}"),
            );
        }
        values.push(l.op(Op::Mov(ty), &[value]));
    }
    for (dest, value) in dests.into_iter().zip(values) {
        if dest.is_some_and(|reg| l.ty(reg) != ty) {
            return fail(i.span, format!("the destination must be {ty}"));
        }
        l.assign(dest, ty, value);
    }
    Ok(())
}

/// Returns the type of each of `count` parts of a `ty`.
fn part_type(i: &Instruction, count: usize, ty: Ty) -> Result<(Ty, ScalarType)> {
    let part = match count {
        2 | 4 => Ty::from_bytes(ty.bytes() / count as u32),
        _ => None,
    };
    let found = match part {
        Some(part) if ty != Ty::Pred => match part {
            Ty::B8 => Some((part, ScalarType::B8)),
            Ty::B16 => Some((part, ScalarType::B16)),
            Ty::B32 => Some((part, ScalarType::B32)),
            Ty::B64 => Some((part, ScalarType::B64)),
            _ => None,
        },
        _ => None,
    };
    match found {
        Some(found) => Ok(found),
        None => fail(
            i.span,
            format!("{ty} cannot be packed from {count} elements"),
        ),
    }
}

fn pack(l: &mut Lower<'_>, i: &Instruction, parts: &[ast::Operand], ty: Ty) -> Result<Operand> {
    let (part, pt) = part_type(i, parts.len(), ty)?;
    let mut values = Vec::with_capacity(parts.len());
    for p in parts {
        // Bytes are in 16-bit registers.
        values.push(if part == Ty::B8 {
            l.low_bits(p, pt)?
        } else {
            l.value(p, pt)?
        });
    }
    if ty == Ty::B128 {
        let halves = match values[..] {
            [low, high] => [low, high],
            [a, b, c, d] => [l.join(a, b, Ty::B64), l.join(c, d, Ty::B64)],
            _ => return unsupported(i),
        };
        return Ok(l.op(Op::Pack128, &halves));
    }
    let mut all = Operand::Imm(0);
    for (n, &value) in values.iter().enumerate() {
        let value = l.resize(value, part, ty, false);
        if n == 0 {
            all = value;
            continue;
        }
        let amount = Operand::Imm(n as u64 * u64::from(part.bits()));
        let value = l.int(IntOp::Shl, ty, &[value, amount]);
        all = l.int(IntOp::Or, ty, &[all, value]);
    }
    Ok(all)
}

fn unpack(
    l: &mut Lower<'_>,
    i: &Instruction,
    parts: &[ast::Operand],
    ty: Ty,
    value: Operand,
) -> Result<()> {
    let (part, _) = part_type(i, parts.len(), ty)?;
    let mut found = Vec::with_capacity(parts.len());
    for (n, p) in parts.iter().enumerate() {
        let Some(dst) = l.dest_of_any_width(p)? else {
            continue;
        };
        let have = l.ty(dst);
        if have != part && !(part == Ty::B8 && have == Ty::B16) {
            return fail(
                p.span,
                format!("the destination is {have}; the instruction writes {part}"),
            );
        }
        let bit = n as u32 * part.bits();
        let x = if ty == Ty::B128 {
            let half = l.op(Op::Half128(bit >= 64), &[value]);
            shifted(l, half, Ty::B64, bit % 64, part)
        } else {
            shifted(l, value, ty, bit, part)
        };
        let x = l.resize(x, part, have, false);
        found.push((dst, have, x));
    }
    // The source may be one of the destinations, so destinations are written last.
    for (dst, have, x) in found {
        l.op_into(dst, Op::Mov(have), &[x]);
    }
    Ok(())
}

fn shifted(l: &mut Lower<'_>, value: Operand, ty: Ty, bit: u32, part: Ty) -> Operand {
    let value = if bit == 0 {
        value
    } else {
        l.int(IntOp::ShrU, ty, &[value, Operand::Imm(u64::from(bit))])
    };
    l.resize(value, ty, part, false)
}

/// Returns the base that turns offsets into a window into host addresses; `None` if offsets are host addresses.
fn window(l: &Lower<'_>, space: Option<StateSpace>) -> Option<Special> {
    match space? {
        StateSpace::Shared => Some(Special::SharedBase),
        StateSpace::Local => Some(Special::LocalBase),
        StateSpace::Param if l.is_kernel => Some(Special::ParamBase),
        // A device function's parameter whose address is taken is in local memory.
        StateSpace::Param => Some(Special::LocalBase),
        _ => None,
    }
}

/// `cvta` and `cvta.to`.
pub(super) fn cvta(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    let value = l.src(i, 1, pt)?;
    if i.modifiers.space() == Some(StateSpace::SharedCluster) {
        let value = match i.modifiers.to() {
            true => {
                let host = l.resize(value, ty, Ty::B64, false);
                l.cluster_offset(host)
            }
            false => l.cluster_address(value, ty),
        };
        let value = l.resize(value, Ty::B64, ty, false);
        return l.put_value(i, ty, value);
    }
    let value = match window(l, i.modifiers.space()) {
        None => value,
        Some(base) => {
            let value = l.resize(value, ty, Ty::B64, false);
            let base = l.special(base);
            let op = if i.modifiers.to() {
                IntOp::Sub
            } else {
                IntOp::Add
            };
            let value = l.int(op, Ty::B64, &[value, base]);
            l.resize(value, Ty::B64, ty, false)
        }
    };
    l.put_value(i, ty, value)
}

/// Tests whether `address` is within `size` bytes from `base`.
fn within(l: &mut Lower<'_>, address: Operand, base: Operand, size: Operand) -> Operand {
    let offset = l.int(IntOp::Sub, Ty::B64, &[address, base]);
    let less = Op::Compare {
        cmp: Cmp::Lt,
        num: Num::U(Ty::B64),
        ftz: false,
    };
    l.op(less, &[offset, size])
}

/// `isspacep`.
pub(super) fn isspacep(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (value, have) = l.value_of_any_width(arg(i, 1)?, ScalarType::B64)?;
    if !matches!(have, Ty::B32 | Ty::B64) {
        return fail(i.span, "an address must be b32 or b64");
    }
    let address = l.resize(value, have, Ty::B64, false);
    let answer = match i.modifiers.space() {
        Some(StateSpace::Shared) => in_shared(l, address),
        Some(StateSpace::SharedCluster) => l.in_cluster(address),
        Some(StateSpace::Local) => in_local(l, address),
        Some(StateSpace::Param) => {
            let base = l.special(Special::ParamBase);
            let size = Operand::Imm(u64::from(l.cx.kernel.param_bytes));
            within(l, address, base, size)
        }
        Some(StateSpace::Const) => {
            let mut any = Operand::Imm(0);
            for (n, v) in l.cx.program.variables().iter().enumerate() {
                if v.space != VarSpace::Const {
                    continue;
                }
                let base = l.variable_address(n as u32);
                let one = within(l, address, base, Operand::Imm(v.size));
                any = l.logic(PredOp::Or, &[any, one]);
            }
            any
        }
        Some(StateSpace::Global) => {
            let (a, b) = (l.in_cluster(address), in_local(l, address));
            let elsewhere = l.logic(PredOp::Or, &[a, b]);
            l.logic(PredOp::Not, &[elsewhere])
        }
        _ => return unsupported(i),
    };
    l.put_value(i, Ty::Pred, answer)
}

fn in_shared(l: &mut Lower<'_>, address: Operand) -> Operand {
    let base = l.special(Special::SharedBase);
    let size = l.special(Special::TotalSharedSize);
    let size = l.resize(size, Ty::B32, Ty::B64, false);
    within(l, address, base, size)
}

fn in_local(l: &mut Lower<'_>, address: Operand) -> Operand {
    let base = l.special(Special::LocalBase);
    let size = Operand::Reg(l.frame_size);
    within(l, address, base, size)
}
