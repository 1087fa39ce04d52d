//! The SIMD video instructions: two 16-bit or four 8-bit lanes of a b32, without operand selectors and masks.

use super::build::Lower;
use super::operand::arg;
use super::{Result, unsupported};
use crate::ir::{Cmp, IntOp, Num, Op, Operand, Ty};
use cuox_ptx::ast::{Compare, Instruction, Modifier, Opcode, OperandKind, ScalarType};

/// What is done to a pair of lanes.
#[derive(Clone, Copy)]
enum Lane {
    Op(IntOp),
    Average,
    Set(Cmp),
}

/// Lanes in a register, and what is done to each.
fn shape(i: &Instruction) -> Option<(u32, Lane)> {
    use Opcode::*;
    let lanes = match i.opcode {
        VAdd2 | VSub2 | VAvrg2 | VAbsDiff2 | VMin2 | VMax2 | VSet2 => 2,
        _ => 4,
    };
    let lane = match i.opcode {
        VAdd2 | VAdd4 => Lane::Op(IntOp::Add),
        VSub2 | VSub4 => Lane::Op(IntOp::Sub),
        VAbsDiff2 | VAbsDiff4 => Lane::Op(IntOp::AbsDiffS),
        VMin2 | VMin4 => Lane::Op(IntOp::MinS),
        VMax2 | VMax4 => Lane::Op(IntOp::MaxS),
        VAvrg2 | VAvrg4 => Lane::Average,
        VSet2 | VSet4 => Lane::Set(match i.modifiers.compare()? {
            Compare::Eq => Cmp::Eq,
            Compare::Ne => Cmp::Ne,
            Compare::Lt => Cmp::Lt,
            Compare::Le => Cmp::Le,
            Compare::Gt => Cmp::Gt,
            Compare::Ge => Cmp::Ge,
            _ => return None,
        }),
        _ => return None,
    };
    Some((lanes, lane))
}

/// `vop2` and `vop4`, with `.sat` or `.add`.
pub(super) fn simd(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let Some((lanes, lane)) = shape(i) else {
        return unsupported(i);
    };
    let types = i.modifiers.types();
    let (dt, at, bt) = match *types {
        [d, a, b] => (d, a, b),
        [a, b] if matches!(lane, Lane::Set(_)) => (ScalarType::U32, a, b),
        _ => return unsupported(i),
    };
    // How averages of signed lanes round differs from what is done below.
    if matches!(lane, Lane::Average) && (at.is_signed() || bt.is_signed()) {
        return unsupported(i);
    }
    for n in 0..i.operands.len() {
        if let OperandKind::Selected { .. } = arg(i, n)?.kind {
            return unsupported(i);
        }
    }
    let bits = 32 / lanes;
    let (a, b, c) = (l.src32(i, 1)?, l.src32(i, 2)?, l.src32(i, 3)?);
    let sum = i.modifiers.has(Modifier::Add);
    let mut all = if sum { c } else { Operand::Imm(0) };
    for k in 0..lanes {
        let x = extract(l, a, at, k * bits, bits);
        let y = extract(l, b, bt, k * bits, bits);
        let mut value = match lane {
            Lane::Op(op) => l.int(op, Ty::B32, &[x, y]),
            Lane::Average => {
                let both = l.int(IntOp::Add, Ty::B32, &[x, y]);
                let both = l.int(IntOp::Add, Ty::B32, &[both, Operand::Imm(1)]);
                l.int(IntOp::ShrU, Ty::B32, &[both, Operand::Imm(1)])
            }
            Lane::Set(cmp) => {
                let compare = Op::Compare {
                    cmp,
                    num: Num::S(Ty::B32),
                    ftz: false,
                };
                let holds = l.op(compare, &[x, y]);
                l.op(Op::PredToInt, &[holds])
            }
        };
        if sum {
            all = l.int(IntOp::Add, Ty::B32, &[all, value]);
            continue;
        }
        if i.modifiers.sat() {
            let (low, high) = if dt.is_signed() {
                (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1)
            } else {
                (0, (1i64 << bits) - 1)
            };
            let imm = |x: i64| Operand::Imm(x as u64 & Ty::B32.mask());
            value = l.int(IntOp::MaxS, Ty::B32, &[value, imm(low)]);
            value = l.int(IntOp::MinS, Ty::B32, &[value, imm(high)]);
        }
        let place = [
            value,
            all,
            Operand::Imm(u64::from(k * bits)),
            Operand::Imm(u64::from(bits)),
        ];
        all = l.int(IntOp::Bfi, Ty::B32, &place);
    }
    l.put_value(i, Ty::B32, all)
}

fn extract(l: &mut Lower<'_>, value: Operand, ty: ScalarType, at: u32, bits: u32) -> Operand {
    let op = if ty.is_signed() {
        IntOp::BfeS
    } else {
        IntOp::BfeU
    };
    let (at, bits) = (u64::from(at), u64::from(bits));
    l.int(op, Ty::B32, &[value, Operand::Imm(at), Operand::Imm(bits)])
}
