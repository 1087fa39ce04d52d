//! Loads, stores and the copies that are loads and stores.

use super::build::Lower;
use super::operand::{arg, first_type, width};
use super::{Result, atomic, fail, requires, unsupported};
use crate::ir::{
    Address, AtomOp, Cmp, Inst, IntOp, Num, Op, Operand, Order, Space, Terminator, Ty,
};
use cuox_ptx::ast::{Instruction, OperandKind, Semantics, StateSpace, TypeKind};

/// Returns the memory ordering of a load, store or atomic.
pub(super) fn order(i: &Instruction) -> Order {
    match i.modifiers.semantics() {
        None | Some(Semantics::Weak) => Order::Plain,
        Some(Semantics::Volatile | Semantics::Relaxed | Semantics::Mmio) => Order::Relaxed,
        Some(Semantics::Acquire) => Order::Acquire,
        Some(Semantics::Release) => Order::Release,
        Some(Semantics::AcqRel | Semantics::Sc) => Order::AcqRel,
    }
}

/// Returns the element type, its signedness, and the number of elements.
fn shape(i: &Instruction) -> Result<(Ty, bool, usize)> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    if ty == Ty::Pred {
        return fail(i.opcode_span, "predicates cannot be in memory");
    }
    let count = usize::from(i.modifiers.vector().unwrap_or(1));
    if count as u32 * ty.bytes() > 16 {
        return requires(i, "sm_100");
    }
    Ok((ty, pt.kind() == TypeKind::Signed, count))
}

/// Returns true for 128-bit accesses that must be atomic.
fn whole(ty: Ty, count: usize, addr: Address, order: Order) -> bool {
    let shared = matches!(addr.space, Space::Flat | Space::Shared);
    ty == Ty::B128 && count == 1 && order != Order::Plain && shared
}

/// Returns true for strong vector accesses of 128 bits. The PTX ISA has them as several accesses; GPUs make one of
/// them, on which CUB relies where blocks tell each other a state beside a value.
fn whole_vector(ty: Ty, count: usize, addr: Address, order: Order) -> bool {
    let words = matches!((ty, count), (Ty::B64, 2) | (Ty::B32, 4));
    words && order != Order::Plain && addr.space == Space::Flat
}

/// `ld`, `ldu`.
pub(super) fn load(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (ty, signed, count) = shape(i)?;
    let dsts = l.vector_dests(arg(i, 0)?, count)?;
    for &dst in dsts.iter().flatten() {
        let have = l.ty(dst);
        if have < ty || have == Ty::Pred {
            return fail(
                arg(i, 0)?.span,
                format!("the destination is {have}; the instruction writes {ty}"),
            );
        }
    }
    let addr = l.address(i, 1, i.modifiers.space())?;
    if whole(ty, count, addr, order(i)) {
        // A compare and exchange of 0 for 0 is an atomic load.
        let nothing = [Operand::Imm(0); 2];
        let what = (AtomOp::Cas, Num::U(ty), false);
        atomic::emit(l, dsts[0], what, addr, &nothing, order(i));
        return Ok(());
    }
    if whole_vector(ty, count, addr, order(i)) {
        let all = l.temp(Ty::B128);
        let what = (AtomOp::Cas, Num::U(Ty::B128), false);
        atomic::emit(l, Some(all), what, addr, &[Operand::Imm(0); 2], order(i));
        for (at, dst) in dsts.into_iter().enumerate() {
            let Some(dst) = dst else { continue };
            let half = |high| Op::Half128(high);
            let value = match ty {
                Ty::B64 => l.op(half(at == 1), &[Operand::Reg(all)]),
                _ => {
                    let pair = l.op(half(at >= 2), &[Operand::Reg(all)]);
                    l.half(pair, Ty::B64, at % 2 == 1)
                }
            };
            let have = l.ty(dst);
            let value = l.resize(value, ty, have, signed);
            l.op_into(dst, Op::Mov(have), &[value]);
        }
        return Ok(());
    }
    l.emit(Inst::Load {
        dsts,
        ty,
        signed,
        addr,
        order: order(i),
    });
    Ok(())
}

/// `st`.
pub(super) fn store(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let (ty, _, count) = shape(i)?;
    let addr = l.address(i, 0, i.modifiers.space())?;
    if addr.space == Space::Param {
        return fail(i.span, "kernel parameters cannot be written");
    }
    let (mut srcs, mut widths) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (value, have) in l.vector_values(arg(i, 1)?, count, pt)? {
        if have < ty || have == Ty::Pred {
            return fail(
                arg(i, 1)?.span,
                format!("the source is {have}; the instruction expects {ty}"),
            );
        }
        srcs.push(value);
        widths.push(have);
    }
    if whole(ty, count, addr, order(i)) {
        let what = (AtomOp::Exch, Num::U(ty), false);
        atomic::emit(l, None, what, addr, &srcs, order(i));
        return Ok(());
    }
    if whole_vector(ty, count, addr, order(i)) {
        let words: Vec<_> = srcs
            .iter()
            .zip(&widths)
            .map(|(&value, &have)| l.resize(value, have, ty, false))
            .collect();
        let halves = match words[..] {
            [low, high] => [low, high],
            [a, b, c, d] => [l.join(a, b, Ty::B64), l.join(c, d, Ty::B64)],
            _ => return unsupported(i),
        };
        let all = l.op(Op::Pack128, &halves);
        let what = (AtomOp::Exch, Num::U(Ty::B128), false);
        atomic::emit(l, None, what, addr, &[all], order(i));
        return Ok(());
    }
    l.emit(Inst::Store {
        srcs,
        ty,
        addr,
        order: order(i),
    });
    Ok(())
}

/// `cp.async`: completes immediately, so the waits do nothing.
pub(super) fn copy_async(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let OperandKind::Integer { value: size, .. } = arg(i, 2)?.kind else {
        return fail(i.span, "the size of `cp.async` must be a constant");
    };
    let (ty, count) = match size {
        4 => (Ty::B32, 1),
        8 => (Ty::B32, 2),
        16 => (Ty::B32, 4),
        _ => return fail(i.span, "`cp.async` copies 4, 8 or 16 bytes"),
    };
    let to = l.address(i, 0, Some(StateSpace::Shared))?;
    let from = l.address(i, 1, Some(StateSpace::Global))?;
    let Some(limit) = i.operands.get(3) else {
        copy(l, ty, count, from, to);
        return Ok(());
    };
    let (limit, have) = l.value_of_any_width(limit, cuox_ptx::ast::ScalarType::U32)?;
    let limit = match have {
        // A predicate: true if the source is ignored.
        Ty::Pred => l.op(
            Op::Select(Ty::B32),
            &[limit, Operand::Imm(0), Operand::Imm(size)],
        ),
        Ty::B32 => limit,
        // A cache policy.
        Ty::B64 => {
            copy(l, ty, count, from, to);
            return Ok(());
        }
        _ => return unsupported(i),
    };
    copy_limited(l, size, limit, from, to);
    Ok(())
}

fn copy(l: &mut Lower<'_>, ty: Ty, count: usize, from: Address, to: Address) {
    let regs: Vec<_> = (0..count).map(|_| l.temp(ty)).collect();
    l.emit(Inst::Load {
        dsts: regs.iter().map(|&r| Some(r)).collect(),
        ty,
        signed: false,
        addr: from,
        order: Order::Plain,
    });
    l.emit(Inst::Store {
        srcs: regs.into_iter().map(Operand::Reg).collect(),
        ty,
        addr: to,
        order: Order::Plain,
    });
}

/// Copies `limit` bytes and fills the rest of `size` with zeros: in one access if the limit is `size`, else byte by
/// byte.
fn copy_limited(l: &mut Lower<'_>, size: u64, limit: Operand, from: Address, to: Address) {
    let less = |cmp| Op::Compare {
        cmp,
        num: Num::U(Ty::B32),
        ftz: false,
    };
    let [whole, head, read, write, done] = [(); 5].map(|()| l.new_block());
    let enough = l.op(less(Cmp::Ge), &[limit, Operand::Imm(size)]);
    let at = l.temp(Ty::B32);
    let byte = l.temp(Ty::B8);
    l.op_into(at, Op::Mov(Ty::B32), &[Operand::Imm(0)]);
    let cond = l.in_reg(enough, Ty::Pred);
    l.end(Terminator::branch(cond, whole, head));

    l.switch_to(whole);
    copy(l, Ty::B32, size as usize / 4, from, to);
    l.end(Terminator::Jump(done));

    l.switch_to(head);
    l.op_into(byte, Op::Mov(Ty::B8), &[Operand::Imm(0)]);
    let within = l.op(less(Cmp::Lt), &[Operand::Reg(at), limit]);
    let cond = l.in_reg(within, Ty::Pred);
    l.end(Terminator::branch(cond, read, write));

    let place = |l: &mut Lower<'_>, a: Address| {
        let base_type = match a.base {
            Operand::Reg(reg) => l.ty(reg),
            Operand::Imm(_) => Ty::B64,
        };
        let offset = l.resize(Operand::Reg(at), Ty::B32, base_type, false);
        let base = l.int(IntOp::Add, base_type, &[a.base, offset]);
        Address { base, ..a }
    };
    l.switch_to(read);
    let addr = place(l, from);
    l.emit(Inst::Load {
        dsts: vec![Some(byte)],
        ty: Ty::B8,
        signed: false,
        addr,
        order: Order::Plain,
    });
    l.end(Terminator::Jump(write));

    l.switch_to(write);
    let addr = place(l, to);
    l.emit(Inst::Store {
        srcs: vec![Operand::Reg(byte)],
        ty: Ty::B8,
        addr,
        order: Order::Plain,
    });
    l.op_into(
        at,
        Op::Int(IntOp::Add, Ty::B32),
        &[Operand::Reg(at), Operand::Imm(1)],
    );
    let more = l.op(less(Cmp::Lt), &[Operand::Reg(at), Operand::Imm(size)]);
    let cond = l.in_reg(more, Ty::Pred);
    l.end(Terminator::branch(cond, head, done));
    l.switch_to(done);
}
