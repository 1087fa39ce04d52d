//! `atom` and `red`.

use super::build::Lower;
use super::f16::packed_format;
use super::memory::order;
use super::operand::{arg, first_type, number};
use super::{Dest, Result, fail, unsupported};
use crate::ir::{Address, Args, AtomOp, Inst, Num, Operand, Order, Space, Ty};
use cuox_ptx::ast::{self, Instruction, Opcode, ScalarType};

/// An operation, the number type of the memory, and true if it works on two packed numbers at once.
type Operation = (AtomOp, Num, bool);

/// Emits a read-modify-write.
pub(super) fn emit(
    l: &mut Lower<'_>,
    dst: Dest,
    (op, num, packed): Operation,
    addr: Address,
    args: &[Operand],
    order: Order,
) {
    l.emit(Inst::Atomic {
        dst,
        op,
        num,
        packed,
        addr,
        args: Args::new(args),
        order,
    });
}

/// Returns the operation that an instruction names, and its number type; an error if there is no such operation.
pub(super) fn operation(i: &Instruction) -> Result<(AtomOp, Num)> {
    match typed_operation(i, first_type(i)?)? {
        (op, num, false) => Ok((op, num)),
        _ => unsupported(i),
    }
}

/// Returns the operation of an instruction on numbers of type `pt`.
fn typed_operation(i: &Instruction, pt: ScalarType) -> Result<Operation> {
    let (num, packed) = match packed_format(pt) {
        Some(float) => (Num::F(float), true),
        None => (number(i, pt)?, false),
    };
    let op = match i.modifiers.atom_op() {
        Some(ast::AtomOp::Add) => AtomOp::Add,
        Some(ast::AtomOp::Min) => AtomOp::Min,
        Some(ast::AtomOp::Max) => AtomOp::Max,
        Some(ast::AtomOp::Inc) => AtomOp::Inc,
        Some(ast::AtomOp::Dec) => AtomOp::Dec,
        Some(ast::AtomOp::And) => AtomOp::And,
        Some(ast::AtomOp::Or) => AtomOp::Or,
        Some(ast::AtomOp::Xor) => AtomOp::Xor,
        Some(ast::AtomOp::Exch) => AtomOp::Exch,
        Some(ast::AtomOp::Cas) => AtomOp::Cas,
        Some(ast::AtomOp::Popc) | None => return unsupported(i),
    };
    let swap = matches!(op, AtomOp::Exch | AtomOp::Cas);
    let legal = match num {
        Num::U(Ty::B32 | Ty::B64) | Num::S(Ty::B32 | Ty::B64) => true,
        Num::U(Ty::B16 | Ty::B128) => swap,
        Num::F(_) => matches!(op, AtomOp::Add | AtomOp::Min | AtomOp::Max),
        _ => false,
    };
    match legal {
        true => Ok((op, num, packed)),
        false => unsupported(i),
    }
}

/// `atom.op d, [a], b{, c}` and `red.op [a], b`.
pub(super) fn atomic(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let (op, num, packed) = typed_operation(i, pt)?;
    let ty = if packed { Ty::B32 } else { num.ty() };
    let at = usize::from(i.opcode == Opcode::Atom);
    let addr = l.address(i, at, i.modifiers.space())?;
    if matches!(addr.space, Space::Param | Space::Slot(_) | Space::Local) {
        return fail(arg(i, at)?.span, "atomics require global or shared memory");
    }
    let order = match order(i) {
        Order::Plain => Order::Relaxed,
        order => order,
    };
    if let Some(count) = i.modifiers.vector() {
        return vector(l, i, (op, num, packed), addr, usize::from(count), order);
    }
    let dst = match at {
        1 => l.dest(i, 0, ty)?,
        _ => None,
    };
    let a = l.src(i, at + 1, pt)?;
    let b = match op {
        AtomOp::Cas => Some(l.src(i, at + 2, pt)?),
        _ => None,
    };
    let args = [a, b.unwrap_or(a)];
    let args = &args[..1 + usize::from(b.is_some())];
    emit(l, dst, (op, num, packed), addr, args, order);
    Ok(())
}

/// The vector forms: each element is atomic, the vector is not.
fn vector(
    l: &mut Lower<'_>,
    i: &Instruction,
    operation: Operation,
    addr: Address,
    count: usize,
    order: Order,
) -> Result<()> {
    let pt = first_type(i)?;
    let ty = if operation.2 {
        Ty::B32
    } else {
        operation.1.ty()
    };
    let at = usize::from(i.opcode == Opcode::Atom);
    let dsts = match at {
        1 => l.vector_dests(arg(i, 0)?, count)?,
        _ => vec![None; count],
    };
    let values = l.vector_values(arg(i, at + 1)?, count, pt)?;
    if values.iter().any(|v| v.1 != ty) || dsts.iter().flatten().any(|&d| l.ty(d) != ty) {
        let message = format!("the instruction requires vectors of {ty}");
        return fail(i.span, message);
    }
    let mut olds = Vec::with_capacity(count);
    for (n, (value, _)) in values.into_iter().enumerate() {
        let offset = addr.offset.wrapping_add(n as i64 * i64::from(ty.bytes()));
        let old = dsts[n].map(|_| l.temp(ty));
        emit(
            l,
            old,
            operation,
            Address { offset, ..addr },
            &[value],
            order,
        );
        olds.push(old);
    }
    // A destination may be an operand or the base of the address, so destinations are written last.
    for (dst, old) in dsts.into_iter().zip(olds) {
        if let Some(old) = old {
            l.assign(dst, ty, Operand::Reg(old));
        }
    }
    Ok(())
}
