//! Affine comparisons that gang mode decides on the first and last lane only, under a guard.
//!
//! If both lanes agree, so do all lanes between them, and the predicate is uniform for the gang. The guard bails out
//! when the two lanes disagree.

use crate::analysis::liveness::RegSet;
use crate::ir::{Function, Inst, Op, Operand, Reg, Special, Terminator};

/// Returns the predicates that may be decided on the first and last lane of a warp: those written once, by a
/// comparison, and read only by branches and predicate logic.
pub fn guardable(func: &Function, varying: &RegSet) -> RegSet {
    let mut set = RegSet::new(func.regs.len());
    let mut defs = vec![0u32; func.regs.len()];
    for block in &func.blocks {
        for inst in &block.insts {
            inst.defs(|reg| defs[reg.index()] += 1);
            if let Inst::Op {
                dst,
                op: Op::Compare { .. },
                ..
            } = inst
            {
                set.insert(*dst);
            }
        }
        block.end.defs(|reg| defs[reg.index()] += 1);
    }
    let bad = |reg: Reg, set: &mut RegSet| set.remove(reg);
    for block in &func.blocks {
        for inst in &block.insts {
            if !matches!(
                inst,
                Inst::Op {
                    op: Op::Logic(_),
                    ..
                }
            ) {
                inst.uses(|o| {
                    if let Operand::Reg(reg) = o {
                        bad(reg, &mut set);
                    }
                });
            }
        }
        if !matches!(block.end, Terminator::Branch { .. }) {
            block.end.uses(|o| {
                if let Operand::Reg(reg) = o {
                    bad(reg, &mut set);
                }
            });
        }
    }
    for (index, &n) in defs.iter().enumerate() {
        if n != 1 {
            set.remove(Reg(index as u32));
        }
    }
    varying.iter().for_each(|reg| set.remove(reg));
    let from_tid = from_tid(func, &defs);
    for inst in func.blocks.iter().flat_map(|b| &b.insts) {
        if let Inst::Op {
            dst,
            op: Op::Compare { .. },
            args,
        } = inst
            && args
                .iter()
                .any(|a| a.reg().is_some_and(|reg| from_tid.contains(reg)))
        {
            set.remove(*dst);
        }
    }
    set
}

/// Returns the registers that are computed from `%tid`, `%ntid` and constants alone. A comparison of one of them splits
/// the same threads in every block of a grid; a comparison of an element's index splits the threads of one block.
fn from_tid(func: &Function, defs: &[u32]) -> RegSet {
    let mut set = RegSet::new(func.regs.len());
    // Registers computed from `%ntid` and constants, which are uniform.
    let mut extents = RegSet::new(func.regs.len());
    let mut changed = true;
    while changed {
        changed = false;
        for inst in func.blocks.iter().flat_map(|b| &b.insts) {
            let (dst, tid) = match inst {
                Inst::Special {
                    dst,
                    special: Special::Tid(_),
                } => (*dst, true),
                Inst::Special {
                    dst,
                    special: Special::Ntid(_),
                } => (*dst, false),
                Inst::Op {
                    dst,
                    op: Op::Mov(_) | Op::Int(..) | Op::Convert(_),
                    args,
                } => {
                    let of = |set: &RegSet, o: &Operand| o.reg().is_some_and(|r| set.contains(r));
                    let known = |o: &Operand| o.reg().is_none() || of(&set, o) || of(&extents, o);
                    if !args.iter().all(known) || args.iter().all(|o| o.reg().is_none()) {
                        continue;
                    }
                    (*dst, args.iter().any(|o| of(&set, o)))
                }
                Inst::Op { .. }
                | Inst::Special { .. }
                | Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Load { .. }
                | Inst::Store { .. }
                | Inst::Atomic { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => continue,
            };
            if defs[dst.index()] == 1 {
                let known = if tid { &mut set } else { &mut extents };
                changed |= known.insert(dst);
            }
        }
    }
    set
}
