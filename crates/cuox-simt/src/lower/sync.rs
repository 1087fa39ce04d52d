//! Barriers, warp operations and fences.

use super::build::Lower;
use super::operand::{arg, first_type, width};
use super::{Result, requires, unsupported};
use crate::ir::{BarrierKind, Inst, Operand, Order, Redux, Shuffle, Terminator, Ty, Vote, WarpOp};
use cuox_ptx::ast::{AtomOp, Instruction, Modifier, Opcode, ScalarType, ShuffleMode, VoteMode};

pub(super) const ALL_LANES: Operand = Operand::Imm(0xffff_ffff);

/// `bar` and `barrier`.
pub(super) fn barrier(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let kind = match (m.has(Modifier::Red), m.atom_op()) {
        (true, Some(AtomOp::Popc)) => BarrierKind::Popc,
        (true, Some(AtomOp::And)) => BarrierKind::And,
        (true, Some(AtomOp::Or)) => BarrierKind::Or,
        (true, _) => return unsupported(i),
        (false, _) if m.arrive() => BarrierKind::Arrive,
        (false, _) => BarrierKind::Sync,
    };
    let (dst, first, last) = match kind {
        BarrierKind::Popc => (
            l.dest(i, 0, Ty::B32)?,
            1,
            i.operands.len().saturating_sub(1),
        ),
        BarrierKind::And | BarrierKind::Or => (
            l.dest(i, 0, Ty::Pred)?,
            1,
            i.operands.len().saturating_sub(1),
        ),
        _ => (None, 0, i.operands.len()),
    };
    let pred = match kind {
        BarrierKind::Sync | BarrierKind::Arrive => None,
        _ => Some(l.pred(i, last)?),
    };
    let id = if first < last {
        l.src32(i, first)?
    } else {
        Operand::Imm(0)
    };
    let count = match first + 1 < last {
        true => Some(l.src32(i, first + 1)?),
        false => None,
    };
    let next = l.new_block();
    l.end(Terminator::Barrier {
        kind,
        id,
        count,
        pred,
        dst,
        next,
    });
    l.switch_to(next);
    Ok(())
}

/// `membar`, `fence`, `fence.proxy`.
pub(super) fn fence(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let order = if m.has(Modifier::Acquire) {
        Order::Acquire
    } else if m.has(Modifier::Release) {
        Order::Release
    } else {
        Order::AcqRel
    };
    l.emit(Inst::Fence(order));
    Ok(())
}

/// Returns the member mask of operand `n`; the old forms without `.sync` use the active lanes.
fn mask(l: &mut Lower<'_>, i: &Instruction, n: usize) -> Result<Operand> {
    if i.modifiers.sync() || i.opcode == Opcode::BarWarpSync {
        return l.src32(i, n);
    }
    let dst = l.temp(Ty::B32);
    l.warp(WarpOp::ActiveMask, ALL_LANES, &[], &[Some(dst)]);
    Ok(Operand::Reg(dst))
}

/// `shfl`, `vote`, `match`, `redux`, `activemask`, `elect`, `bar.warp.sync`.
pub(super) fn warp(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    match i.opcode {
        Opcode::BarWarpSync => {
            let mask = mask(l, i, 0)?;
            l.warp(WarpOp::Sync, mask, &[], &[]);
        }
        Opcode::ActiveMask => {
            let dst = l.dest(i, 0, Ty::B32)?;
            l.warp(WarpOp::ActiveMask, ALL_LANES, &[], &[dst]);
        }
        Opcode::Elect => {
            let dsts = l.dest_pair(arg(i, 0)?, Ty::B32, Ty::Pred)?;
            let mask = l.src32(i, 1)?;
            l.warp(WarpOp::Elect, mask, &[], &dsts);
        }
        Opcode::Shfl => {
            let mode = match m.shuffle_mode() {
                Some(ShuffleMode::Up) => Shuffle::Up,
                Some(ShuffleMode::Down) => Shuffle::Down,
                Some(ShuffleMode::Bfly) => Shuffle::Butterfly,
                Some(ShuffleMode::Idx) => Shuffle::Index,
                None => return unsupported(i),
            };
            let dsts = l.dest_pair(arg(i, 0)?, Ty::B32, Ty::Pred)?;
            let args = [l.src32(i, 1)?, l.src32(i, 2)?, l.src32(i, 3)?];
            let mask = mask(l, i, 4)?;
            l.warp(WarpOp::Shuffle(mode), mask, &args, &dsts);
        }
        Opcode::Vote => {
            let (vote, ty) = match m.vote_mode() {
                Some(VoteMode::All) => (Vote::All, Ty::Pred),
                Some(VoteMode::Any) => (Vote::Any, Ty::Pred),
                Some(VoteMode::Uni) => (Vote::Uni, Ty::Pred),
                Some(VoteMode::Ballot) => (Vote::Ballot, Ty::B32),
                None => return unsupported(i),
            };
            let dst = l.dest(i, 0, ty)?;
            let pred = l.pred(i, 1)?;
            let mask = mask(l, i, 2)?;
            l.warp(WarpOp::Vote(vote), mask, &[pred], &[dst]);
        }
        Opcode::Match => {
            let pt = first_type(i)?;
            let ty = width(i, pt)?;
            if !matches!(ty, Ty::B32 | Ty::B64) {
                return unsupported(i);
            }
            let (op, dsts) = match m.vote_mode() {
                Some(VoteMode::All) => (
                    WarpOp::MatchAll(ty),
                    l.dest_pair(arg(i, 0)?, Ty::B32, Ty::Pred)?,
                ),
                Some(VoteMode::Any) => (WarpOp::MatchAny(ty), [l.dest(i, 0, Ty::B32)?, None]),
                _ => return unsupported(i),
            };
            let value = l.src(i, 1, pt)?;
            let mask = mask(l, i, 2)?;
            l.warp(op, mask, &[value], &dsts);
        }
        Opcode::Redux => {
            let pt = first_type(i)?;
            let signed = pt == ScalarType::S32;
            let redux = match (m.atom_op(), pt) {
                (_, ScalarType::F32) => return requires(i, "sm_100"),
                (Some(AtomOp::Add), _) => Redux::Add,
                (Some(AtomOp::Min), _) if signed => Redux::MinS,
                (Some(AtomOp::Min), _) => Redux::MinU,
                (Some(AtomOp::Max), _) if signed => Redux::MaxS,
                (Some(AtomOp::Max), _) => Redux::MaxU,
                (Some(AtomOp::And), _) => Redux::And,
                (Some(AtomOp::Or), _) => Redux::Or,
                (Some(AtomOp::Xor), _) => Redux::Xor,
                _ => return unsupported(i),
            };
            let dst = l.dest(i, 0, Ty::B32)?;
            let value = l.src(i, 1, pt)?;
            let mask = mask(l, i, 2)?;
            l.warp(WarpOp::Redux(redux), mask, &[value], &[dst]);
        }
        _ => return unsupported(i),
    }
    Ok(())
}
