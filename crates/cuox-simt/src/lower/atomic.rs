//! `atom` and `red`.

use super::build::Lower;
use super::half::packed_format;
use super::memory::order;
use super::operand::{arg, first_type, number};
use super::{Dest, Result, fail, unsupported};
use crate::ir::{Args, AtomOp, Inst, Num, Order, Space, Ty};
use cuox_ptx::ast::{self, Instruction, Opcode};

/// `atom.op d, [a], b{, c}` and `red.op [a], b`.
pub(super) fn atomic(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    if m.vector().is_some() {
        return unsupported(i);
    }
    let pt = first_type(i)?;
    let (num, packed) = match packed_format(pt) {
        Some(float) => (Num::F(float), true),
        None => (number(i, pt)?, false),
    };
    let ty = if packed { Ty::B32 } else { num.ty() };
    let Some(word) = m.atom_op() else {
        return unsupported(i);
    };
    let op = match word {
        ast::AtomOp::Add => AtomOp::Add,
        ast::AtomOp::Min => AtomOp::Min,
        ast::AtomOp::Max => AtomOp::Max,
        ast::AtomOp::Inc => AtomOp::Inc,
        ast::AtomOp::Dec => AtomOp::Dec,
        ast::AtomOp::And => AtomOp::And,
        ast::AtomOp::Or => AtomOp::Or,
        ast::AtomOp::Xor => AtomOp::Xor,
        ast::AtomOp::Exch => AtomOp::Exch,
        ast::AtomOp::Cas => AtomOp::Cas,
        ast::AtomOp::Popc => return unsupported(i),
    };
    let bitwise = matches!(
        op,
        AtomOp::And | AtomOp::Or | AtomOp::Xor | AtomOp::Exch | AtomOp::Cas
    );
    let swap = matches!(op, AtomOp::Exch | AtomOp::Cas);
    let legal = match num {
        Num::U(Ty::B32 | Ty::B64) | Num::S(Ty::B32 | Ty::B64) => true,
        Num::U(Ty::B16 | Ty::B128) => swap,
        Num::F(_) => matches!(op, AtomOp::Add | AtomOp::Min | AtomOp::Max),
        _ => false,
    };
    if !legal || (packed && bitwise) {
        return unsupported(i);
    }
    let (dst, at): (Dest, usize) = if i.opcode == Opcode::Atom {
        (l.dest(i, 0, ty)?, 1)
    } else {
        (None, 0)
    };
    let addr = l.address(i, at, m.space())?;
    if matches!(addr.space, Space::Param | Space::Slot(_) | Space::Local) {
        return fail(arg(i, at)?.span, "atomics are on global or shared memory");
    }
    let a = l.src(i, at + 1, pt)?;
    let args = if op == AtomOp::Cas {
        let b = l.src(i, at + 2, pt)?;
        Args::new(&[a, b])
    } else {
        Args::new(&[a])
    };
    let order = match order(i) {
        Order::Plain => Order::Relaxed,
        order => order,
    };
    l.emit(Inst::Atomic {
        dst,
        op,
        num,
        packed,
        addr,
        args,
        order,
    });
    Ok(())
}
