//! `mma`, `ldmatrix`, `stmatrix`, `movmatrix`.

use super::build::Lower;
use super::operand::arg;
use super::sync::ALL_LANES;
use super::{Dest, Result, fail, requires, unsupported};
use crate::ir::{
    Address, Element, Inst, IntOp, MatrixOp, Mma, Operand, Order, Shuffle, Sparse, Special, Sum,
    Ty, WarpOp,
};
use cuox_ptx::ast::{self, Instruction, Modifier, OperandKind, ScalarType};

/// Returns `m`, `n` and `k` of a shape such as `.m16n8k16`.
pub(super) fn shape(i: &Instruction) -> Option<[usize; 3]> {
    i.modifiers.as_slice().iter().find_map(|word| {
        let (m, rest) = word.text().strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
    })
}

/// Returns the layouts of A and B as written; true for `.col`.
pub(super) fn by_columns(i: &Instruction) -> Vec<bool> {
    let words = i.modifiers.as_slice().iter();
    words
        .filter(|m| matches!(m, Modifier::Row | Modifier::Col))
        .map(|m| *m == Modifier::Col)
        .collect()
}

pub(super) fn element(ty: ScalarType) -> Option<Element> {
    Some(match ty {
        ScalarType::F16 => Element::F16,
        ScalarType::Bf16 => Element::Bf16,
        ScalarType::Tf32 => Element::Tf32,
        ScalarType::F64 => Element::F64,
        ScalarType::E4m3 => Element::E4m3,
        ScalarType::E5m2 => Element::E5m2,
        ScalarType::S8 => Element::S8,
        ScalarType::U8 => Element::U8,
        ScalarType::S4 => Element::S4,
        ScalarType::U4 => Element::U4,
        ScalarType::B1 => Element::B1,
        _ => return None,
    })
}

pub(super) fn sum(ty: ScalarType) -> Option<Sum> {
    Some(match ty {
        ScalarType::F16 => Sum::F16,
        ScalarType::F32 => Sum::F32,
        ScalarType::F64 => Sum::F64,
        ScalarType::S32 => Sum::S32,
        _ => return None,
    })
}

/// Returns the types of a matrix operand's registers: of the IR and of PTX.
pub(super) fn part(element: Element) -> (Ty, ScalarType) {
    match element {
        Element::F64 => (Ty::B64, ScalarType::F64),
        _ => (Ty::B32, ScalarType::B32),
    }
}

/// Appends the values of a fragment's registers.
pub(super) fn values(
    l: &mut Lower<'_>,
    operand: &ast::Operand,
    count: usize,
    ty: (Ty, ScalarType),
    out: &mut Vec<Operand>,
) -> Result<()> {
    for (value, have) in l.vector_values(operand, count, ty.1)? {
        if have != ty.0 {
            return fail(
                operand.span,
                format!("the register is {have}; the instruction expects {}", ty.0),
            );
        }
        out.push(value);
    }
    Ok(())
}

/// Returns the destination registers of a fragment.
pub(super) fn dests(
    l: &Lower<'_>,
    operand: &ast::Operand,
    count: usize,
    ty: Ty,
) -> Result<Vec<Dest>> {
    let dsts = l.vector_dests(operand, count)?;
    for &dst in dsts.iter().flatten() {
        if l.ty(dst) != ty {
            return fail(
                operand.span,
                format!("the register is {}; the instruction writes {ty}", l.ty(dst)),
            );
        }
    }
    Ok(dsts)
}

/// Returns true if the shape exists for these elements on targets up to sm_90 (PTX ISA, "Matrix Shape").
fn exists(mma: &Mma) -> bool {
    use Element::*;
    let shape = (mma.m, mma.k);
    let sums = match mma.a {
        F16 if shape == (8, 4) => mma.d == Sum::F32 || mma.c == Sum::F16,
        F16 | E4m3 | E5m2 => mma.c == mma.d,
        _ => true,
    };
    let float = matches!((mma.c, mma.d), (Sum::F16 | Sum::F32, Sum::F16 | Sum::F32));
    let single = mma.c == Sum::F32 && mma.d == Sum::F32;
    let int = mma.c == Sum::S32 && mma.d == Sum::S32;
    let shapes: &[(u8, u16)] = match (mma.a, mma.b, mma.sparse.is_some()) {
        (F16, F16, false) if float => &[(8, 4), (16, 8), (16, 16)],
        (Bf16, Bf16, false) if single => &[(16, 8), (16, 16)],
        (Tf32, Tf32, false) if single => &[(16, 4), (16, 8)],
        (F64, F64, false) if mma.c == Sum::F64 && mma.d == Sum::F64 => {
            &[(8, 4), (16, 4), (16, 8), (16, 16)]
        }
        (E4m3 | E5m2, E4m3 | E5m2, false) if float => &[(16, 16), (16, 32)],
        (S8 | U8, S8 | U8, false) if int => &[(8, 16), (16, 16), (16, 32)],
        (S4 | U4, S4 | U4, false) if int => &[(8, 32), (16, 32), (16, 64)],
        (B1, B1, false) if int => &[(8, 128), (16, 128), (16, 256)],
        (F16, F16, true) if float => &[(16, 16), (16, 32)],
        (Bf16, Bf16, true) if single => &[(16, 16), (16, 32)],
        (Tf32, Tf32, true) if single => &[(16, 8), (16, 16)],
        (E4m3 | E5m2, E4m3 | E5m2, true) if single => &[(16, 64)],
        (S8 | U8, S8 | U8, true) if int => &[(16, 32), (16, 64)],
        (S4 | U4, S4 | U4, true) if int => &[(16, 64), (16, 128)],
        _ => &[],
    };
    sums && shapes.contains(&shape)
}

/// Returns the number of sparsity selectors: the groups of lanes that can hold the metadata.
fn selectors(mma: &Mma) -> u8 {
    // A row has this many groups of four bits; a lane holds eight.
    let groups = match mma.a.bits() {
        32 => mma.k / 2,
        16 | 8 => mma.k / 4,
        _ => mma.k / 8,
    };
    match groups {
        0..=4 => 4,
        5..=8 => 2,
        _ => 1,
    }
}

/// Returns the sparsity selector of a product, operand `n`.
pub(super) fn selector(i: &Instruction, n: usize, mma: &Mma) -> Result<u8> {
    let operand = arg(i, n)?;
    match operand.kind {
        OperandKind::Integer { value, .. } if value < u64::from(selectors(mma)) => Ok(value as u8),
        OperandKind::Integer { .. } => fail(operand.span, "the sparsity selector is out of range"),
        _ => fail(operand.span, "the sparsity selector must be a constant"),
    }
}

/// `mma.sync` and `mma.sp.sync`.
pub(super) fn mma(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let newer = |word: &Modifier| {
        let text = word.text();
        text.starts_with("kind::")
            || text == "block_scale"
            || matches!(word, Modifier::E3m2 | Modifier::E2m3 | Modifier::E2m1)
    };
    if m.as_slice().iter().any(newer) {
        return requires(i, "sm_120");
    }
    let (Some([rows, 8, k]), &[dt, at, bt, ct]) = (shape(i), m.types()) else {
        return unsupported(i);
    };
    let (Some(a), Some(b), Some(c), Some(d)) = (element(at), element(bt), sum(ct), sum(dt)) else {
        return unsupported(i);
    };
    let &[a_by_columns, b_by_columns] = by_columns(i).as_slice() else {
        return unsupported(i);
    };
    let mut mma = Mma {
        m: rows as u8,
        k: k as u16,
        a,
        b,
        c,
        d,
        a_by_columns,
        b_by_rows: !b_by_columns,
        saturate: m.satfinite(),
        xor: m.has(Modifier::Xor),
        round: super::float::rounding(i),
        sparse: None,
    };
    let sparse = i.operands.len() > 4;
    if sparse {
        mma.sparse = Some(Sparse { selector: 0 });
        let selector = selector(i, 5, &mma)?;
        mma.sparse = Some(Sparse { selector });
    }
    let one_layout = !a_by_columns && b_by_columns || mma.is_quad();
    if !exists(&mma)
        || !one_layout
        || mma.saturate && c != Sum::S32
        || m.rounding().is_some() && c != Sum::F64
    {
        return fail(
            i.opcode_span,
            format!(
                "`{}{m}` is not a combination of shape and types of sm_90",
                i.opcode
            ),
        );
    }
    let counts = mma.registers();
    let ty = part(a);
    let mut args = Vec::new();
    for (n, &count) in counts[..3].iter().enumerate() {
        values(l, arg(i, n + 1)?, count, ty, &mut args)?;
    }
    if sparse {
        args.push(l.src32(i, 4)?);
    }
    let dsts = dests(l, arg(i, 0)?, counts[3], ty.0)?;
    l.warp(WarpOp::Matrix(MatrixOp::Mma(mma)), ALL_LANES, &args, &dsts);
    Ok(())
}

/// Returns the number of 8 by 8 matrices that an `ldmatrix` or `stmatrix` moves.
fn matrices(i: &Instruction) -> Result<u8> {
    let m = &i.modifiers;
    if !m.has(Modifier::M8n8) || !m.types().starts_with(&[ScalarType::B16]) {
        return requires(i, "sm_100");
    }
    Ok(if m.has(Modifier::X4) {
        4
    } else if m.has(Modifier::X2) {
        2
    } else {
        1
    })
}

/// Returns the address of the row that a lane moves. With fewer than four matrices, the upper lanes repeat the
/// addresses of lower ones.
fn row_address(l: &mut Lower<'_>, i: &Instruction, n: usize, count: u8) -> Result<Address> {
    let space = i.modifiers.space();
    let mut at = l.address(i, n, space)?;
    if count == 4 || at.base.reg().is_none() {
        return Ok(at);
    }
    let lane = l.special(Special::LaneId);
    let from = Operand::Imm(u64::from(8 * count - 1));
    let from = l.int(IntOp::And, Ty::B32, &[lane, from]);
    let ty = at.base.reg().map_or(Ty::B32, |reg| l.ty(reg));
    let mut parts = [at.base, Operand::Imm(0)];
    if ty == Ty::B64 {
        parts = [l.half(at.base, ty, false), l.half(at.base, ty, true)];
    }
    for value in &mut parts[..ty.bytes() as usize / 4] {
        let dst = l.temp(Ty::B32);
        let op = WarpOp::Shuffle(Shuffle::Index);
        l.warp(
            op,
            ALL_LANES,
            &[*value, from, Operand::Imm(31)],
            &[Some(dst)],
        );
        *value = dst.into();
    }
    at.base = match ty {
        Ty::B64 => l.join(parts[0], parts[1], ty),
        _ => parts[0],
    };
    Ok(at)
}

/// `ldmatrix`: each lane loads a row, and the rows are distributed to the lanes.
pub(super) fn load(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let count = matrices(i)?;
    let dsts = dests(l, arg(i, 0)?, count.into(), Ty::B32)?;
    let addr = row_address(l, i, 1, count)?;
    let words: Vec<_> = (0..4).map(|_| l.temp(Ty::B32)).collect();
    l.emit(Inst::Load {
        dsts: words.iter().map(|&word| Some(word)).collect(),
        ty: Ty::B32,
        signed: false,
        addr,
        order: Order::Plain,
    });
    let trans = i.modifiers.trans();
    let args: Vec<Operand> = words.into_iter().map(Operand::Reg).collect();
    let op = WarpOp::Matrix(MatrixOp::Spread { count, trans });
    l.warp(op, ALL_LANES, &args, &dsts);
    Ok(())
}

/// `stmatrix`: the rows are gathered from the lanes, and each lane stores one. With fewer than four matrices, several
/// lanes store the same row.
pub(super) fn store(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let count = matrices(i)?;
    let mut args = Vec::new();
    values(
        l,
        arg(i, 1)?,
        count.into(),
        (Ty::B32, ScalarType::B32),
        &mut args,
    )?;
    let addr = row_address(l, i, 0, count)?;
    let words: Vec<_> = (0..4).map(|_| l.temp(Ty::B32)).collect();
    let trans = i.modifiers.trans();
    let dsts: Vec<Dest> = words.iter().map(|&word| Some(word)).collect();
    let op = WarpOp::Matrix(MatrixOp::Gather { count, trans });
    l.warp(op, ALL_LANES, &args, &dsts);
    l.emit(Inst::Store {
        srcs: words.into_iter().map(Operand::Reg).collect(),
        ty: Ty::B32,
        addr,
        order: Order::Plain,
    });
    Ok(())
}

/// `movmatrix`.
pub(super) fn transpose(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let dst = l.dest(i, 0, Ty::B32)?;
    let value = l.src32(i, 1)?;
    l.warp(
        WarpOp::Matrix(MatrixOp::Transpose),
        ALL_LANES,
        &[value],
        &[dst],
    );
    Ok(())
}
