//! `mbarrier` objects. Their bits and steps are in [`crate::sem::mbarrier`].

use super::build::Lower;
use super::operand::arg;
use super::{Result, atomic, fail, unsupported};
use crate::ir::{
    Address, AtomOp, Cmp, Inst, IntOp, Num, Op, Operand, Order, Space, Terminator, Ty,
};
use crate::sem::mbarrier::{COUNT, COUNT_BITS, TX_SHIFT};
use cuox_ptx::ast::{Instruction, Modifier, Opcode, OperandKind, ScalarType};

/// `mbarrier.*` and `cp.async.mbarrier.arrive`.
pub(super) fn mbarrier(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    match i.opcode {
        Opcode::MbarrierInit => {
            let addr = object(l, i, 0)?;
            let count = count(l, i, 1)?;
            let start = l.int(IntOp::Shl, Ty::B64, &[count, imm(COUNT_BITS)]);
            let word = l.int(IntOp::Or, Ty::B64, &[start, count]);
            l.emit(Inst::Store {
                srcs: vec![word],
                ty: Ty::B64,
                addr,
                order: Order::Relaxed,
            });
            Ok(())
        }
        Opcode::MbarrierInval => Ok(()),
        Opcode::MbarrierExpectTx | Opcode::MbarrierCompleteTx => {
            let addr = object(l, i, 0)?;
            let bytes = transactions(l, i, 1)?;
            let by = match i.opcode {
                Opcode::MbarrierExpectTx => bytes,
                _ => l.int(IntOp::Sub, Ty::B64, &[Operand::Imm(0), bytes]),
            };
            step(l, addr, by);
            Ok(())
        }
        Opcode::MbarrierArrive | Opcode::MbarrierArriveDrop => arrive(l, i),
        Opcode::CpAsyncMbarrierArrive => {
            let addr = object(l, i, 0)?;
            // The copies are already complete. Without `.noinc` the pending count is first increased by this arrival.
            if i.modifiers.noinc() {
                step(l, addr, Operand::Imm(1));
            }
            Ok(())
        }
        Opcode::MbarrierTestWait | Opcode::MbarrierTryWait => wait(l, i),
        Opcode::MbarrierPendingCount => {
            let state = l.src(i, 1, ScalarType::B64)?;
            let pending = l.int(IntOp::And, Ty::B64, &[state, Operand::Imm(COUNT)]);
            let pending = l.resize(pending, Ty::B64, Ty::B32, false);
            l.put_value(i, Ty::B32, pending)
        }
        _ => unsupported(i),
    }
}

/// Returns operand `n`, an address in shared memory.
pub(super) fn object(l: &mut Lower<'_>, i: &Instruction, n: usize) -> Result<Address> {
    let addr = l.address(i, n, i.modifiers.space())?;
    match addr.space {
        Space::Flat | Space::Shared => Ok(addr),
        _ => fail(arg(i, n)?.span, "expected an address in shared memory"),
    }
}

fn imm(bits: u32) -> Operand {
    Operand::Imm(u64::from(bits))
}

/// Returns operand `n`, a number of arrivals, as 64 bits.
fn count(l: &mut Lower<'_>, i: &Instruction, n: usize) -> Result<Operand> {
    let count = l.src32(i, n)?;
    let count = l.resize(count, Ty::B32, Ty::B64, false);
    Ok(l.int(IntOp::And, Ty::B64, &[count, Operand::Imm(COUNT)]))
}

/// Returns operand `n`, a number of bytes, in the form in which a step adds it to the transaction count.
fn transactions(l: &mut Lower<'_>, i: &Instruction, n: usize) -> Result<Operand> {
    let bytes = l.src32(i, n)?;
    let bytes = l.resize(bytes, Ty::B32, Ty::B64, false);
    Ok(l.int(IntOp::Shl, Ty::B64, &[bytes, imm(TX_SHIFT)]))
}

/// Applies a step to the object; returns its previous word.
pub(super) fn step(l: &mut Lower<'_>, addr: Address, by: Operand) -> Operand {
    let old = l.temp(Ty::B64);
    let what = (AtomOp::Mbarrier, Num::U(Ty::B64), false);
    atomic::emit(l, Some(old), what, addr, &[by], Order::AcqRel);
    Operand::Reg(old)
}

/// `mbarrier.arrive` and `mbarrier.arrive_drop`.
fn arrive(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    // There is a state destination unless the first operand is the address or `_`.
    let (wanted, at) = match arg(i, 0)?.kind {
        OperandKind::Address { .. } => (false, 0),
        OperandKind::Sink => (false, 1),
        _ => (true, 1),
    };
    let addr = object(l, i, at)?;
    let expects = m.has(Modifier::ExpectTx);
    let count = match i.operands.len() > at + 1 && !expects {
        true => count(l, i, at + 1)?,
        false => Operand::Imm(1),
    };
    let mut by = count;
    if i.opcode == Opcode::MbarrierArriveDrop {
        let less = l.int(IntOp::Shl, Ty::B64, &[count, imm(COUNT_BITS)]);
        by = l.int(IntOp::Or, Ty::B64, &[by, less]);
    }
    if expects {
        let bytes = transactions(l, i, at + 1)?;
        by = l.int(IntOp::Or, Ty::B64, &[by, bytes]);
    }
    let old = step(l, addr, by);
    match wanted {
        true => l.put_value(i, Ty::B64, old),
        false => Ok(()),
    }
}

/// `mbarrier.test_wait` and `mbarrier.try_wait`: tests, and tests again after other threads have run.
fn wait(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let addr = object(l, i, 1)?;
    let state = if i.modifiers.parity() {
        let parity = l.src32(i, 2)?;
        let parity = l.resize(parity, Ty::B32, Ty::B64, false);
        l.int(IntOp::Shl, Ty::B64, &[parity, Operand::Imm(63)])
    } else {
        l.src(i, 2, ScalarType::B64)?
    };
    let (again, done) = (l.new_block(), l.new_block());
    let over = l.temp(Ty::Pred);
    look(l, addr, state, over);
    l.end(Terminator::branch(over, done, again));
    l.switch_to(again);
    l.pause();
    look(l, addr, state, over);
    l.end(Terminator::Jump(done));
    l.switch_to(done);
    l.put_value(i, Ty::Pred, Operand::Reg(over))
}

/// Tests whether the phase of `state` has ended.
fn look(l: &mut Lower<'_>, addr: Address, state: Operand, over: crate::ir::Reg) {
    let now = l.temp(Ty::B64);
    l.emit(Inst::Load {
        dsts: vec![Some(now)],
        ty: Ty::B64,
        signed: false,
        addr,
        order: Order::Acquire,
    });
    let differ = l.int(IntOp::Xor, Ty::B64, &[Operand::Reg(now), state]);
    let negative = Op::Compare {
        cmp: Cmp::Lt,
        num: Num::S(Ty::B64),
        ftz: false,
    };
    l.op_into(over, negative, &[differ, Operand::Imm(0)]);
}
