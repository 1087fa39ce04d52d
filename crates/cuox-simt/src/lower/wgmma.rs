//! `wgmma`: products of warpgroups.
//!
//! A warpgroup is four neighbouring warps. Each computes its own 16 rows of D when it comes to the instruction, since
//! it needs nothing of the others: B, and perhaps A, are in shared memory, and may be read at once in every program
//! that is right. For the manual says that the matrices must be there before `wgmma.mma_async` is issued, and that
//! neither they nor the registers of A and D may be touched until `wgmma.wait_group` has waited for it. So
//! `wgmma.fence` and `wgmma.commit_group` have nothing to do. After `wgmma.wait_group`, the program may overwrite the
//! matrices; since often a single thread says so for the whole warpgroup, its warps wait for each other there.

use super::build::Lower;
use super::matrix::{dests, element, selector, shape, sum, values};
use super::operand::arg;
use super::sync::ALL_LANES;
use super::{Result, fail, unsupported};
use crate::ir::{
    BarrierKind, Cmp, Element, Inst, IntOp, MatrixOp, Num, Op, Operand, Sparse, Special, Sum,
    Syscall, Terminator, Ty, WarpOp, Wgmma,
};
use cuox_ptx::ast::{Instruction, Opcode, OperandKind, ScalarType};

/// Returns an error unless the module is for sm_90a: later architectures do not have these instructions.
pub(super) fn own_target(l: &Lower<'_>, i: &Instruction) -> Result<()> {
    let target = l.cx.program.target();
    if (target.sm, target.suffix) == (90, Some('a')) {
        return Ok(());
    }
    fail(
        i.opcode_span,
        format!(
            "instruction `{}{}` requires `.target sm_90a`; the module's is sm_{}{}",
            i.opcode,
            i.modifiers,
            target.sm,
            target.suffix.map_or(String::new(), String::from)
        ),
    )
}

/// Returns true if there is a product of these types with `n` columns (PTX ISA, "Matrix Shape").
fn exists(op: &Wgmma, k: usize) -> bool {
    use Element::*;
    let types = match (op.a, op.b) {
        (F16, F16) | (E4m3 | E5m2, E4m3 | E5m2) => matches!(op.d, Sum::F16 | Sum::F32),
        (Bf16, Bf16) | (Tf32, Tf32) => op.d == Sum::F32,
        (S8 | U8, S8 | U8) | (B1, B1) => op.d == Sum::S32,
        _ => false,
    };
    let columns = match op.n {
        n if n == 0 || n > 256 || n % 8 != 0 => false,
        // From 32 on, products of integers are of 16 columns.
        n if op.a.is_int() => n <= 32 || n % 16 == 0,
        _ => true,
    };
    let saturates = op.saturate && !matches!(op.a, S8 | U8);
    let stored_singly = op.sparse.is_none() || op.a != B1;
    types && columns && !saturates && stored_singly && k == usize::from(op.tile().k)
}

/// Returns the constant operand `n`, one of two.
fn choice(i: &Instruction, n: usize, what: &str, [no, yes]: [i64; 2]) -> Result<bool> {
    let operand = arg(i, n)?;
    let value = match operand.kind {
        OperandKind::Integer { value, .. } => value as i64,
        _ => return fail(operand.span, format!("{what} must be a constant")),
    };
    match value {
        value if value == no => Ok(false),
        value if value == yes => Ok(true),
        _ => fail(operand.span, format!("{what} must be {no} or {yes}")),
    }
}

/// `wgmma.mma_async` and `wgmma.mma_async.sp`.
pub(super) fn mma(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    own_target(l, i)?;
    let m = &i.modifiers;
    let (Some([64, n, k]), &[dt, at, bt]) = (shape(i), m.types()) else {
        return unsupported(i);
    };
    let (Some(a), Some(b), Some(d)) = (element(at), element(bt), sum(dt)) else {
        return unsupported(i);
    };
    let a_shared = !matches!(arg(i, 1)?.kind, OperandKind::Vector(_));
    let mut op = Wgmma {
        n: n as u16,
        a,
        b,
        d,
        a_shared,
        negate_a: false,
        negate_b: false,
        a_by_columns: false,
        b_by_rows: false,
        saturate: m.satfinite(),
        sparse: (i.opcode == Opcode::WgmmaMmaAsyncSp).then_some(Sparse { selector: 0 }),
    };
    if !exists(&op, k) {
        return fail(
            i.opcode_span,
            format!(
                "`{}{m}` is not a combination of shape and types of sm_90a",
                i.opcode
            ),
        );
    }
    let scales = if a.is_int() { 0 } else { 2 };
    let turns = match (a.bits(), a_shared) {
        (16, true) => 2,
        (16, false) => 1,
        _ => 0,
    };
    // Metadata and its selector come before the scale of D.
    let scale = if op.sparse.is_some() { 5 } else { 3 };
    let count = scale + 1 + scales + turns;
    if i.operands.len() != count {
        let given = i.operands.len();
        return fail(
            i.span,
            format!("`{}{m}` has {count} operands; {given} are given", i.opcode),
        );
    }
    if op.sparse.is_some() {
        let selector = selector(i, 4, &op.tile())?;
        op.sparse = Some(Sparse { selector });
    }
    if scales > 0 {
        op.negate_a = choice(i, scale + 1, "the scale of A", [1, -1])?;
        op.negate_b = choice(i, scale + 2, "the scale of B", [1, -1])?;
    }
    if turns == 2 {
        op.a_by_columns = choice(i, scale + 3, "the transposition of A", [0, 1])?;
    }
    if turns > 0 {
        op.b_by_rows = choice(i, count - 1, "the transposition of B", [0, 1])?;
    }
    let descriptor = |l: &mut Lower<'_>, n: usize| l.src(i, n, ScalarType::B64);
    let mut args = vec![
        l.special(Special::SharedBase),
        l.special(Special::TotalSharedSize),
        l.special(Special::WarpId),
        threads(l),
        descriptor(l, 2)?,
        l.pred(i, scale)?,
    ];
    let ty = (Ty::B32, ScalarType::B32);
    match a_shared {
        true => args.push(descriptor(l, 1)?),
        false => values(l, arg(i, 1)?, 4, ty, &mut args)?,
    }
    let sums = op.sums();
    values(l, arg(i, 0)?, sums, ty, &mut args)?;
    if op.sparse.is_some() {
        args.push(l.src32(i, 3)?);
    }
    let fault = l.temp(Ty::B32);
    let mut dsts = vec![Some(fault)];
    dsts.extend(dests(l, arg(i, 0)?, sums, ty.0)?);
    l.warp(WarpOp::Matrix(MatrixOp::Wgmma(op)), ALL_LANES, &args, &dsts);
    let equal = Op::Compare {
        cmp: Cmp::Eq,
        num: Num::U(Ty::B32),
        ftz: false,
    };
    let fine = l.op(equal, &[fault.into(), Operand::Imm(0)]);
    let fine = l.in_reg(fine, Ty::Pred);
    let (bad, next) = (l.new_block(), l.new_block());
    l.end(Terminator::branch(fine, next, bad));
    l.switch_to(bad);
    l.emit(Inst::Syscall {
        dst: None,
        call: Syscall::WgmmaFault,
        args: vec![fault.into()],
    });
    l.fall_into(next);
    Ok(())
}

/// Returns the number of the block's threads, b32.
fn threads(l: &mut Lower<'_>) -> Operand {
    let [x, y, z] = [0, 1, 2].map(|axis| l.special(Special::Ntid(axis)));
    let xy = l.int(IntOp::Mul, Ty::B32, &[x, y]);
    l.int(IntOp::Mul, Ty::B32, &[xy, z])
}

/// `wgmma.fence`, `wgmma.commit_group` and `wgmma.wait_group`.
pub(super) fn order(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    own_target(l, i)?;
    if i.opcode != Opcode::WgmmaWaitGroup {
        return Ok(());
    }
    let warp = l.special(Special::WarpId);
    let warpgroup = l.int(IntOp::ShrU, Ty::B32, &[warp, Operand::Imm(2)]);
    let first = Operand::Imm(u64::from(BarrierKind::NAMED));
    let id = l.int(IntOp::Add, Ty::B32, &[warpgroup, first]);
    // The warpgroup's threads, as if its last warp were whole. There are fewer than 128 of them only in programs whose
    // products are faults.
    let threads = threads(l);
    let whole = l.int(IntOp::Add, Ty::B32, &[threads, Operand::Imm(31)]);
    let whole = l.int(
        IntOp::And,
        Ty::B32,
        &[whole, Operand::Imm(!31 & 0xffff_ffff)],
    );
    let before = l.int(IntOp::Shl, Ty::B32, &[warpgroup, Operand::Imm(7)]);
    let left = l.int(IntOp::Sub, Ty::B32, &[whole, before]);
    let count = l.int(IntOp::MinU, Ty::B32, &[left, Operand::Imm(128)]);
    let next = l.new_block();
    l.end(Terminator::Barrier {
        kind: BarrierKind::Warpgroup,
        id,
        count: Some(count),
        pred: None,
        dst: None,
        next,
    });
    l.switch_to(next);
    Ok(())
}
