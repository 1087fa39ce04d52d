//! Bulk copies (`cp.async.bulk`, `cp.reduce.async.bulk`), `st.async` and `red.async`.
//!
//! A copy completes when it is issued, which the manual permits. Bulk groups are therefore always complete, and the
//! bytes arrive at the `mbarrier` object immediately.

use super::build::Lower;
use super::mbarrier::{object, step};
use super::operand::{arg, first_type, number, width};
use super::{Result, atomic, fail, unsupported};
use crate::ir::{Inst, IntOp, Operand, Order, Space, Syscall, Ty};
use cuox_ptx::ast::{Instruction, Modifier, ScalarType, StateSpace};

/// Returns the state spaces of an instruction's destination and source, in the order written.
pub(super) fn spaces(i: &Instruction) -> Option<(StateSpace, StateSpace)> {
    let mut found = i.modifiers.spaces();
    Some((found.next()?, found.next()?))
}

/// The operands of a bulk copy: destination and source (operands 0 and 1) as host addresses, the size, and the
/// `mbarrier` object.
struct Bulk {
    to: Operand,
    from: Operand,
    bytes: Operand,
    barrier: Operand,
}

/// Returns operand `n`, an address in that space, as a host address.
pub(super) fn operand_address(
    l: &mut Lower<'_>,
    i: &Instruction,
    n: usize,
    space: StateSpace,
) -> Result<Operand> {
    let at = l.address(i, n, Some(space))?;
    match at.space {
        Space::Flat | Space::Shared => Ok(l.host_address(at)),
        _ => fail(
            arg(i, n)?.span,
            "bulk copies require global or shared memory",
        ),
    }
}

fn bulk(l: &mut Lower<'_>, i: &Instruction) -> Result<Bulk> {
    let Some((to_space, from_space)) = spaces(i) else {
        return unsupported(i);
    };
    let to = operand_address(l, i, 0, to_space)?;
    let from = operand_address(l, i, 1, from_space)?;
    let bytes = l.src32(i, 2)?;
    let bytes = l.resize(bytes, Ty::B32, Ty::B64, false);
    let barrier = match i.modifiers.has(Modifier::MbarrierComplete) {
        true => operand_address(l, i, 3, to_space)?,
        false => Operand::Imm(0),
    };
    Ok(Bulk {
        to,
        from,
        bytes,
        barrier,
    })
}

/// Returns the destinations of a copy whose mask of blocks is operand `n`; see [`Syscall::BulkCopy`].
pub(super) fn destinations(
    l: &mut Lower<'_>,
    i: &Instruction,
    n: usize,
    addresses: [&mut Operand; 2],
) -> Result<Operand> {
    if !i.modifiers.has(Modifier::MulticastCluster) {
        return Ok(Operand::Imm(0));
    }
    let mask = l.src(i, n, ScalarType::U16)?;
    let blocks = l.resize(mask, Ty::B16, Ty::B64, false);
    // Only the offset in the window counts.
    for address in addresses {
        *address = l.in_block(*address, Operand::Imm(0));
    }
    // An empty mask copies nothing; 0 stands for a single destination.
    Ok(l.int(IntOp::Or, Ty::B64, &[blocks, Operand::Imm(1 << 32)]))
}

/// `cp.async.bulk`.
pub(super) fn copy(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    if m.has(Modifier::CpMask) || m.has(Modifier::IgnoreOob) {
        return unsupported(i);
    }
    let mut b = bulk(l, i)?;
    let blocks = destinations(l, i, 4, [&mut b.to, &mut b.barrier])?;
    l.emit(Inst::Syscall {
        dst: None,
        call: Syscall::BulkCopy,
        args: vec![b.to, b.from, b.bytes, b.barrier, blocks],
    });
    Ok(())
}

/// `cp.reduce.async.bulk`.
pub(super) fn reduce(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (op, num) = atomic::operation(i)?;
    let b = bulk(l, i)?;
    l.emit(Inst::Syscall {
        dst: None,
        call: Syscall::BulkReduce(op, num),
        args: vec![b.to, b.from, b.bytes, b.barrier],
    });
    Ok(())
}

/// Counts bytes at the `mbarrier` object of operand `n`.
fn complete(l: &mut Lower<'_>, i: &Instruction, n: usize, bytes: u32) -> Result<()> {
    let at = object(l, i, n)?;
    step(
        l,
        at,
        Operand::Imm(crate::sem::mbarrier::completed(u64::from(bytes))),
    );
    Ok(())
}

/// `st.async`.
pub(super) fn store(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    let count = usize::from(i.modifiers.vector().unwrap_or(1));
    if !i.modifiers.has(Modifier::MbarrierComplete) {
        return unsupported(i);
    }
    let addr = object(l, i, 0)?;
    let mut srcs = Vec::with_capacity(count);
    for (value, have) in l.vector_values(arg(i, 1)?, count, pt)? {
        if have != ty {
            let message = format!("the source is {have}; the instruction expects {ty}");
            return fail(arg(i, 1)?.span, message);
        }
        srcs.push(value);
    }
    l.emit(Inst::Store {
        srcs,
        ty,
        addr,
        order: Order::Plain,
    });
    complete(l, i, 2, ty.bytes() * count as u32)
}

/// `red.async`.
pub(super) fn red(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    if !i.modifiers.has(Modifier::MbarrierComplete) {
        return unsupported(i);
    }
    let pt = first_type(i)?;
    let (op, num) = atomic::operation(i)?;
    let addr = object(l, i, 0)?;
    let value = l.src(i, 1, pt)?;
    atomic::emit(l, None, (op, num, false), addr, &[value], Order::Relaxed);
    complete(l, i, 2, number(i, pt)?.ty().bytes())
}
