//! Copies and reductions by tensor map (`cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`), and `tensormap`.
//!
//! As bulk copies do, they complete when they are issued.

use super::build::Lower;
use super::bulk::{destinations, operand_address, spaces};
use super::names::Entity;
use super::operand::arg;
use super::{Result, fail, requires, unsupported};
use crate::ir::{
    AtomOp, Inst, IntOp, Operand, Order, Special, Syscall, TensorCopy, TensorField, Ty,
};
use crate::tensor_map::{BYTES, MAX_RANK};
use cuox_ptx::ast::{
    self, AddressBase, Instruction, Modifier, OperandKind, ScalarType, StateSpace,
};

/// Returns the number of dimensions and the mode; an error for modes that sm_90 does not have.
fn tensor_copy(i: &Instruction) -> Result<TensorCopy> {
    const NEWER: [Modifier; 6] = [
        Modifier::TileGather4,
        Modifier::TileScatter4,
        Modifier::Im2colW,
        Modifier::Im2colW128,
        Modifier::CtaGroup1,
        Modifier::CtaGroup2,
    ];
    let m = &i.modifiers;
    if NEWER.iter().any(|&word| m.has(word)) {
        return requires(i, "sm_100");
    }
    let rank = [
        Modifier::D1,
        Modifier::D2,
        Modifier::D3,
        Modifier::D4,
        Modifier::D5,
    ];
    let Some(axes) = rank.iter().position(|&word| m.has(word)) else {
        return unsupported(i);
    };
    let im2col = m.has(Modifier::Im2col) || m.has(Modifier::Im2colNoOffs);
    if im2col && axes < 2 {
        return fail(
            i.opcode_span,
            "im2col mode is for tensors of three to five dimensions",
        );
    }
    Ok(TensorCopy {
        rank: axes as u8 + 1,
        im2col,
    })
}

/// Returns the generic address of a tensor map.
fn map_address(l: &mut Lower<'_>, operand: &ast::Operand) -> Result<Operand> {
    let span = operand.span;
    let (base, offset) = match &operand.kind {
        OperandKind::Register(name) => (AddressBase::Register(name.clone()), 0),
        OperandKind::Symbol { name, offset } => (AddressBase::Symbol(name.clone()), *offset),
        OperandKind::Address { base, offset } => (base.clone(), *offset),
        _ => return fail(span, "expected the address of a tensor map"),
    };
    let base = match base {
        AddressBase::Register(name) => {
            let reg = l.register(&name, span)?;
            match l.ty(reg) {
                ty @ (Ty::B32 | Ty::B64) => l.resize(reg.into(), ty, Ty::B64, false),
                ty => {
                    return fail(
                        span,
                        format!("an address must be b32 or b64; `{name}` is {ty}"),
                    );
                }
            }
        }
        AddressBase::Symbol(name) => match l.resolve(&name, span)? {
            Entity::Param(at) => {
                let params = l.special(Special::ParamBase);
                l.int(IntOp::Add, Ty::B64, &[params, Operand::Imm(at.into())])
            }
            Entity::Variable(variable) => l.variable_address(variable),
            _ => {
                return fail(
                    span,
                    format!(
                        "`{name}` is not a kernel's parameter or a variable in constant or global memory"
                    ),
                );
            }
        },
        AddressBase::Absolute => Operand::Imm(0),
    };
    Ok(match offset {
        0 => base,
        _ => l.int(IntOp::Add, Ty::B64, &[base, Operand::Imm(offset as u64)]),
    })
}

/// Returns the values of a vector operand with that many elements of type `ty`, which is not a predicate.
fn elements(
    l: &mut Lower<'_>,
    operand: &ast::Operand,
    count: usize,
    ty: ScalarType,
) -> Result<Vec<Operand>> {
    let want = if ty == ScalarType::U16 {
        Ty::B16
    } else {
        Ty::B32
    };
    let mut values = Vec::with_capacity(count);
    for (value, have) in l.vector_values(operand, count, ty)? {
        if have != want {
            return fail(
                operand.span,
                format!("an element is {have}; the instruction expects {want}"),
            );
        }
        values.push(value);
    }
    Ok(values)
}

/// Returns the address of the map and the coordinates, two in each value.
fn map_and_coordinates(
    l: &mut Lower<'_>,
    operand: &ast::Operand,
    rank: u8,
) -> Result<(Operand, [Operand; 3])> {
    let OperandKind::Bracketed(items) = &operand.kind else {
        return fail(operand.span, "expected a tensor map and its coordinates");
    };
    let [map, coordinates] = items.as_slice() else {
        return fail(operand.span, "expected a tensor map and its coordinates");
    };
    let map = map_address(l, map)?;
    let mut values = elements(l, coordinates, rank.into(), ScalarType::S32)?;
    values.resize(MAX_RANK + 1, Operand::Imm(0));
    let mut pairs = [Operand::Imm(0); 3];
    for (pair, halves) in pairs.iter_mut().zip(values.chunks(2)) {
        if let [low, high] = *halves {
            *pair = l.join(low, high, Ty::B64);
        }
    }
    Ok((map, pairs))
}

/// Returns im2col offsets, 16 bits each in one value.
fn offsets(l: &mut Lower<'_>, operand: &ast::Operand, count: usize) -> Result<Operand> {
    let mut all = Operand::Imm(0);
    for (n, value) in elements(l, operand, count, ScalarType::U16)?
        .into_iter()
        .enumerate()
    {
        let wide = l.resize(value, Ty::B16, Ty::B64, false);
        let shift = Operand::Imm(16 * n as u64);
        let part = l.int(IntOp::Shl, Ty::B64, &[wide, shift]);
        all = l.int(IntOp::Or, Ty::B64, &[all, part]);
    }
    Ok(all)
}

fn call(l: &mut Lower<'_>, call: Syscall, args: Vec<Operand>) {
    l.emit(Inst::Syscall {
        dst: None,
        call,
        args,
    });
}

/// `cp.async.bulk.tensor`.
pub(super) fn copy(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let copy = tensor_copy(i)?;
    let Some((to_space, _)) = spaces(i) else {
        return unsupported(i);
    };
    if to_space == StateSpace::Global {
        return from_shared(l, i, copy, Syscall::TensorStore(copy));
    }
    if i.modifiers.has(Modifier::Im2colNoOffs) {
        return unsupported(i);
    }
    let mut to = operand_address(l, i, 0, to_space)?;
    let (map, [c01, c23, c4]) = map_and_coordinates(l, arg(i, 1)?, copy.rank)?;
    let mut barrier = operand_address(l, i, 2, to_space)?;
    let mut next = 3;
    let mut ahead = Operand::Imm(0);
    if copy.im2col {
        ahead = offsets(l, arg(i, next)?, usize::from(copy.rank) - 2)?;
        next += 1;
    }
    let blocks = destinations(l, i, next, [&mut to, &mut barrier])?;
    let args = vec![to, map, barrier, blocks, c01, c23, c4, ahead];
    call(l, Syscall::TensorLoad(copy), args);
    Ok(())
}

/// A copy or reduction from shared memory.
fn from_shared(
    l: &mut Lower<'_>,
    i: &Instruction,
    copy: TensorCopy,
    service: Syscall,
) -> Result<()> {
    if i.modifiers.has(Modifier::Im2col) {
        return fail(
            i.opcode_span,
            "tensors in global memory are written in mode `.tile` or `.im2col_no_offs`",
        );
    }
    let (map, [c01, c23, c4]) = map_and_coordinates(l, arg(i, 0)?, copy.rank)?;
    let from = operand_address(l, i, 1, StateSpace::Shared)?;
    call(l, service, vec![from, map, c01, c23, c4]);
    Ok(())
}

/// `cp.reduce.async.bulk.tensor`.
pub(super) fn reduce(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let copy = tensor_copy(i)?;
    let op = match i.modifiers.atom_op() {
        Some(ast::AtomOp::Add) => AtomOp::Add,
        Some(ast::AtomOp::Min) => AtomOp::Min,
        Some(ast::AtomOp::Max) => AtomOp::Max,
        Some(ast::AtomOp::Inc) => AtomOp::Inc,
        Some(ast::AtomOp::Dec) => AtomOp::Dec,
        Some(ast::AtomOp::And) => AtomOp::And,
        Some(ast::AtomOp::Or) => AtomOp::Or,
        Some(ast::AtomOp::Xor) => AtomOp::Xor,
        _ => return unsupported(i),
    };
    from_shared(l, i, copy, Syscall::TensorReduce(op, copy))
}

/// `cp.async.bulk.prefetch.tensor`, which has no effect.
pub(super) fn prefetch(i: &Instruction) -> Result<()> {
    tensor_copy(i).map(drop)
}

/// Returns the number of a dimension in operand `n`, which is a constant.
fn axis(i: &Instruction, n: usize, count: usize) -> Result<u8> {
    let operand = arg(i, n)?;
    match operand.kind {
        OperandKind::Integer { value, .. } if value < count as u64 => Ok(value as u8),
        _ => fail(
            operand.span,
            format!("the dimension must be a constant from 0 to {}", count - 1),
        ),
    }
}

/// `tensormap.replace`.
pub(super) fn replace(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    if m.has(Modifier::SwizzleAtomicity) {
        return requires(i, "sm_100a");
    }
    let field = match m {
        m if m.has(Modifier::GlobalAddress) => TensorField::Address,
        m if m.has(Modifier::Rank) => TensorField::Rank,
        m if m.has(Modifier::BoxDim) => TensorField::BoxDim(axis(i, 1, MAX_RANK)?),
        m if m.has(Modifier::GlobalDim) => TensorField::Dim(axis(i, 1, MAX_RANK)?),
        m if m.has(Modifier::GlobalStride) => TensorField::Stride(axis(i, 1, MAX_RANK - 1)?),
        m if m.has(Modifier::ElementStride) => TensorField::ElementStride(axis(i, 1, MAX_RANK)?),
        m if m.has(Modifier::Elemtype) => TensorField::Element,
        m if m.has(Modifier::InterleaveLayout) => TensorField::Interleave,
        m if m.has(Modifier::SwizzleMode) => TensorField::Swizzle,
        m if m.has(Modifier::FillMode) => TensorField::Fill,
        _ => return unsupported(i),
    };
    let ty = match field {
        TensorField::Address | TensorField::Stride(_) => ScalarType::B64,
        _ => ScalarType::B32,
    };
    if !m.types().contains(&ty) {
        return fail(
            i.opcode_span,
            format!("this field of a tensor map is `{ty}`"),
        );
    }
    let value_at = match field {
        TensorField::BoxDim(_)
        | TensorField::Dim(_)
        | TensorField::Stride(_)
        | TensorField::ElementStride(_) => 2,
        _ => 1,
    };
    let value = arg(i, value_at)?;
    let limit = match field {
        TensorField::Element => Some(12),
        TensorField::Interleave => Some(2),
        TensorField::Swizzle => Some(3),
        TensorField::Fill => Some(1),
        _ => None,
    };
    if let Some(limit) = limit {
        match value.kind {
            OperandKind::Integer { value, .. } if value <= limit => {}
            // These came with sm_100.
            OperandKind::Integer { value: 13..=15, .. } if field == TensorField::Element => {
                return requires(i, "sm_100a");
            }
            _ => {
                return fail(
                    value.span,
                    format!("the value must be a constant from 0 to {limit}"),
                );
            }
        }
    }
    if i.operands.len() != value_at + 1 {
        return fail(
            i.span,
            format!("this field of a tensor map takes {} operands", value_at + 1),
        );
    }
    let address = l.address(i, 0, m.space())?;
    let map = l.host_address(address);
    let value = l.value(value, ty)?;
    let value = if ty == ScalarType::B64 {
        value
    } else {
        l.resize(value, Ty::B32, Ty::B64, false)
    };
    call(l, Syscall::TensorMapReplace(field), vec![map, value]);
    Ok(())
}

/// `tensormap.cp_fenceproxy`: a copy of a tensor map from shared to global memory, and a fence.
pub(super) fn copy_map(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let size = arg(i, 2)?;
    if !matches!(size.kind, OperandKind::Integer { value, .. } if value == BYTES as u64) {
        return fail(size.span, "the size must be the constant 128");
    }
    let to = operand_address(l, i, 0, StateSpace::Global)?;
    let from = operand_address(l, i, 1, StateSpace::Shared)?;
    let none = Operand::Imm(0);
    let bytes = Operand::Imm(BYTES as u64);
    call(l, Syscall::BulkCopy, vec![to, from, bytes, none, none]);
    l.emit(Inst::Fence(Order::Release));
    Ok(())
}
