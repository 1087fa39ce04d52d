//! `mbarrier` objects: 64 bits of shared memory that threads arrive at and test.
//!
//! What the bits mean is ours to choose: the low twenty count the arrivals that the current phase still waits for,
//! the twenty above them are what that count starts each phase with, and the top bit is the phase's parity. An
//! arrival answers the word as it found it; a test compares parities. Transaction counts (`expect_tx`) come with
//! bulk copies and are not supported.

use super::build::Lower;
use super::operand::arg;
use super::{Result, unsupported};
use crate::ir::{Address, Args, AtomOp, Cmp, Inst, IntOp, Num, Op, Operand, Order, Terminator, Ty};
use cuox_ptx::ast::{Instruction, Modifier, Opcode, OperandKind, ScalarType, StateSpace};

const COUNT_BITS: u64 = 20;
const COUNT: Operand = Operand::Imm((1 << COUNT_BITS) - 1);
const PHASE: Operand = Operand::Imm(1 << 63);

/// `mbarrier.*` and `cp.async.mbarrier.arrive`.
pub(super) fn mbarrier(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let space = m.space();
    if m.has(Modifier::ExpectTx) || space == Some(StateSpace::SharedCluster) {
        return unsupported(i);
    }
    match i.opcode {
        Opcode::MbarrierInit => {
            let addr = l.address(i, 0, space)?;
            let count = count(l, i, 1)?;
            let start = l.int(IntOp::Shl, Ty::B64, &[count, Operand::Imm(COUNT_BITS)]);
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
        Opcode::MbarrierArrive | Opcode::MbarrierArriveDrop => {
            // The state is wanted unless the first operand is the address.
            let has_state = !matches!(arg(i, 0)?.kind, OperandKind::Address { .. });
            let at = usize::from(has_state);
            let addr = l.address(i, at, space)?;
            let count = match i.operands.len() > at + 1 {
                true => count(l, i, at + 1)?,
                false => Operand::Imm(1),
            };
            let drop = i.opcode == Opcode::MbarrierArriveDrop;
            let old = arrive(l, addr, count, drop);
            match has_state {
                true => l.put_value(i, Ty::B64, old),
                false => Ok(()),
            }
        }
        Opcode::CpAsyncMbarrierArrive => {
            let addr = l.address(i, 0, space)?;
            // The copies are done. Without `.noinc` the arrival is one that the count first grows by.
            if m.noinc() {
                arrive(l, addr, Operand::Imm(1), false);
            }
            Ok(())
        }
        Opcode::MbarrierTestWait | Opcode::MbarrierTryWait => {
            let addr = l.address(i, 1, space)?;
            let state = if m.parity() {
                let parity = l.src32(i, 2)?;
                let parity = l.resize(parity, Ty::B32, Ty::B64, false);
                l.int(IntOp::Shl, Ty::B64, &[parity, Operand::Imm(63)])
            } else {
                l.src(i, 2, ScalarType::B64)?
            };
            let now = load(l, addr, Order::Acquire);
            let differ = l.int(IntOp::Xor, Ty::B64, &[now, state]);
            let over = compare(Cmp::Lt, Num::S(Ty::B64));
            l.put(i, over, &[differ, Operand::Imm(0)])
        }
        Opcode::MbarrierPendingCount => {
            let state = l.src(i, 1, ScalarType::B64)?;
            let pending = l.int(IntOp::And, Ty::B64, &[state, COUNT]);
            let pending = l.resize(pending, Ty::B64, Ty::B32, false);
            l.put_value(i, Ty::B32, pending)
        }
        _ => unsupported(i),
    }
}

fn compare(cmp: Cmp, num: Num) -> Op {
    Op::Compare {
        cmp,
        num,
        ftz: false,
    }
}

/// Operand `n`, a number of arrivals, as 64 bits.
fn count(l: &mut Lower<'_>, i: &Instruction, n: usize) -> Result<Operand> {
    let count = l.src32(i, n)?;
    let count = l.resize(count, Ty::B32, Ty::B64, false);
    Ok(l.int(IntOp::And, Ty::B64, &[count, COUNT]))
}

fn load(l: &mut Lower<'_>, addr: Address, order: Order) -> Operand {
    let dst = l.temp(Ty::B64);
    l.emit(Inst::Load {
        dsts: vec![Some(dst)],
        ty: Ty::B64,
        signed: false,
        addr,
        order,
    });
    Operand::Reg(dst)
}

/// Arrives `count` times, and leaves for good with `drop`; gives the word before.
fn arrive(l: &mut Lower<'_>, addr: Address, count: Operand, drop: bool) -> Operand {
    let (again, done) = (l.new_block(), l.new_block());
    let old = l.temp(Ty::B64);
    let first = load(l, addr, Order::Relaxed);
    l.op_into(old, Op::Mov(Ty::B64), &[first]);
    l.end(Terminator::Jump(again));

    l.switch_to(again);
    let found = Operand::Reg(old);
    let mut left = l.int(IntOp::Sub, Ty::B64, &[found, count]);
    if drop {
        let less = l.int(IntOp::Shl, Ty::B64, &[count, Operand::Imm(COUNT_BITS)]);
        left = l.int(IntOp::Sub, Ty::B64, &[left, less]);
    }
    let pending = l.int(IntOp::And, Ty::B64, &[left, COUNT]);
    let last = l.op(
        compare(Cmp::Eq, Num::U(Ty::B64)),
        &[pending, Operand::Imm(0)],
    );
    let width = [Operand::Imm(COUNT_BITS); 2];
    let start = l.int(IntOp::BfeU, Ty::B64, &[left, width[0], width[1]]);
    let next = l.int(IntOp::Or, Ty::B64, &[left, start]);
    let next = l.int(IntOp::Xor, Ty::B64, &[next, PHASE]);
    let new = l.op(Op::Select(Ty::B64), &[last, next, left]);
    let seen = l.temp(Ty::B64);
    l.emit(Inst::Atomic {
        dst: Some(seen),
        op: AtomOp::Cas,
        num: Num::U(Ty::B64),
        packed: false,
        addr,
        args: Args::new(&[found, new]),
        order: Order::AcqRel,
    });
    let same = l.op(
        compare(Cmp::Eq, Num::U(Ty::B64)),
        &[Operand::Reg(seen), found],
    );
    let result = l.temp(Ty::B64);
    l.op_into(result, Op::Mov(Ty::B64), &[found]);
    l.op_into(old, Op::Mov(Ty::B64), &[Operand::Reg(seen)]);
    let cond = l.in_reg(same, Ty::Pred);
    l.end(Terminator::branch(cond, done, again));
    l.switch_to(done);
    Operand::Reg(result)
}
