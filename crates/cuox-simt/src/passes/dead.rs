//! Dead code elimination: removes instructions whose results are unused, and registers that are no longer named.
//!
//! Liveness is approximated by use counts, which suffices after copy propagation. Loads that may fault are kept.

use crate::ir::{Block, Function, Inst, Op, Operand, Order, Reg, Space, Terminator};

/// Merges `t = …; d = t` into one instruction where `t` has no other use or definition.
pub(super) fn coalesce(f: &mut Function) {
    let mut uses = vec![0u32; f.regs.len()];
    let mut defs = vec![0u32; f.regs.len()];
    for block in &f.blocks {
        count_uses(block, &mut uses);
        for inst in &block.insts {
            inst.defs(|reg| defs[reg.index()] += 1);
        }
        block.end.defs(|reg| defs[reg.index()] += 1);
    }
    for block in &mut f.blocks {
        let mut kept = 0;
        for k in 0..block.insts.len() {
            let joined = kept > 0 && {
                let (before, after) = block.insts.split_at_mut(k);
                join(&mut before[kept - 1], &after[0], &uses, &defs)
            };
            if joined {
                continue;
            }
            block.insts.swap(kept, k);
            block.lines[kept] = block.lines[k];
            kept += 1;
        }
        shorten(block, kept);
    }
}

fn join(first: &mut Inst, second: &Inst, uses: &[u32], defs: &[u32]) -> bool {
    let Inst::Op {
        dst: to,
        op: Op::Mov(_),
        args,
    } = second
    else {
        return false;
    };
    let Operand::Reg(temp) = args[0] else {
        return false;
    };
    if uses[temp.index()] != 1 || defs[temp.index()] != 1 {
        return false;
    }
    match first {
        Inst::Op { dst, .. }
        | Inst::Special { dst, .. }
        | Inst::SymbolAddress { dst, .. }
        | Inst::FunctionAddress { dst, .. }
            if *dst == temp =>
        {
            *dst = *to;
            true
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
        | Inst::Call { .. } => false,
    }
}

/// Truncates a block to its first `kept` instructions and its terminator.
fn shorten(block: &mut Block, kept: usize) {
    let last = block.lines.len() - 1;
    block.lines[kept] = block.lines[last];
    block.lines.truncate(kept + 1);
    block.insts.truncate(kept);
}

fn count_uses(block: &Block, uses: &mut [u32]) {
    let mut count = |operand: Operand| {
        if let Operand::Reg(reg) = operand {
            uses[reg.index()] += 1;
        }
    };
    for inst in &block.insts {
        inst.uses(&mut count);
    }
    block.end.uses(&mut count);
}

/// Removes instructions without side effects whose results are unused.
pub(super) fn remove(f: &mut Function) {
    let mut uses = vec![0u32; f.regs.len()];
    for block in &f.blocks {
        count_uses(block, &mut uses);
    }
    // Uses come later in reverse post-order, so one sweep from the end removes whole chains.
    for block in f.blocks.iter_mut().rev() {
        drop_results(&mut block.end, &uses);
        let mut dead = vec![false; block.insts.len()];
        let mut any = false;
        for (inst, dead) in block.insts.iter_mut().zip(&mut dead).rev() {
            if is_dead(inst, &uses) {
                inst.uses(|operand| {
                    if let Operand::Reg(reg) = operand {
                        uses[reg.index()] -= 1;
                    }
                });
                *dead = true;
                any = true;
            } else if let Inst::Atomic { dst, .. } | Inst::Syscall { dst, .. } = inst
                && dst.is_some_and(|d| uses[d.index()] == 0)
            {
                *dst = None;
            } else if let Inst::Image { dsts, .. } = inst {
                for dst in dsts {
                    if dst.is_some_and(|d| uses[d.index()] == 0) {
                        *dst = None;
                    }
                }
            }
        }
        if !any {
            continue;
        }
        let mut kept = 0;
        for (k, dead) in dead.into_iter().enumerate() {
            if !dead {
                block.insts.swap(kept, k);
                block.lines[kept] = block.lines[k];
                kept += 1;
            }
        }
        shorten(block, kept);
    }
}

fn drop_results(end: &mut Terminator, uses: &[u32]) {
    if let Terminator::Warp { dsts, .. } = end {
        for dst in dsts {
            if dst.is_some_and(|d| uses[d.index()] == 0) {
                *dst = None;
            }
        }
    }
}

fn is_dead(inst: &Inst, uses: &[u32]) -> bool {
    let unread = |reg: &Reg| uses[reg.index()] == 0;
    match inst {
        Inst::Op { dst, op, args } => {
            unread(dst)
                // A copy of a register to itself.
                || matches!(op, Op::Mov(_)) && args[0] == Operand::Reg(*dst)
        }
        Inst::Special { dst, .. }
        | Inst::SymbolAddress { dst, .. }
        | Inst::FunctionAddress { dst, .. } => unread(dst),
        // These loads cannot fault. Another load may, and a debugger must see the fault.
        Inst::Load {
            dsts, addr, order, ..
        } => {
            matches!(addr.space, Space::Param | Space::Slot(_))
                && addr.base.reg().is_none()
                && *order == Order::Plain
                && dsts.iter().flatten().all(unread)
        }
        Inst::Store { .. }
        | Inst::Atomic { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => false,
    }
}

/// Renumbers the registers that are still named, in the order in which the code names them.
pub(super) fn compact(f: &mut Function) {
    let mut number = vec![u32::MAX; f.regs.len()];
    let mut regs = Vec::new();
    let old = std::mem::take(&mut f.regs);
    let mut rename = |reg: &mut Reg| {
        let n = &mut number[reg.index()];
        if *n == u32::MAX {
            *n = regs.len() as u32;
            regs.push(old[reg.index()]);
        }
        reg.0 = *n;
    };
    for block in &mut f.blocks {
        for inst in &mut block.insts {
            inst.uses_mut(|operand| {
                if let Operand::Reg(reg) = operand {
                    rename(reg);
                }
            });
            inst.defs_mut(&mut rename);
        }
        block.end.uses_mut(|operand| {
            if let Operand::Reg(reg) = operand {
                rename(reg);
            }
        });
        block.end.defs_mut(&mut rename);
    }
    f.regs = regs;
}
