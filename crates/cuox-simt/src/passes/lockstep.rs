//! Warp-synchronous code: where a block's accesses to shared memory are those of a warp that goes in lockstep.
//!
//! An engine runs a block for one lane, or a few, after the other. A GPU's warp does each access for all its lanes
//! before the next one, and much code relies on it, though only `bar.warp.sync` promises it: reductions of the last warp through
//! `volatile` shared memory, and elements that swap places. So a block is cut by [`WarpOp::Step`] between two accesses if a lane's
//! second one may touch what another lane's first one does, one of them writes, and the code looks as if it relied on the order: both
//! are `volatile`, or one is of an address that was itself read from memory. Accesses at the same address in every lane's own
//! code (the same base, the same offset) are in order anyway.
//!
//! Before: as `cleanup` leaves it. After: the same, and blocks that do nothing but step.

use crate::ir::{
    Address, Block, BlockId, Function, Inst, Operand, Order, Space, Terminator, WarpOp,
};
use crate::passes::cfg;

/// An access to memory that lanes share.
struct Access {
    addr: Address,
    writes: bool,
    /// Each one happens.
    strong: bool,
    /// Its address was read from shared memory.
    chased: bool,
    /// The register of its address holds something else by now.
    moved: bool,
}

impl Access {
    fn of(inst: &Inst, read: &[bool]) -> Option<Access> {
        let (writes, order) = match inst {
            Inst::Load { order, .. } => (false, *order),
            Inst::Store { order, .. } => (true, *order),
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Atomic { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => return None,
        };
        let addr = *inst.address()?;
        let strong = order != Order::Plain;
        let chased = matches!(addr.base, Operand::Reg(reg) if read[reg.index()]);
        match addr.space {
            Space::Shared => {}
            // May be shared memory.
            Space::Flat if strong => {}
            Space::Flat | Space::Local | Space::Param | Space::Slot(_) => return None,
        }
        Some(Access {
            addr,
            writes,
            strong,
            chased,
            moved: false,
        })
    }

    /// Whether this one, after `before`, must not begin until all lanes have done that.
    fn waits_for(&self, before: &Access) -> bool {
        let relied_on = self.strong && before.strong || self.chased || before.chased;
        (self.writes || before.writes)
            && relied_on
            && self.addr.space == before.addr.space
            && (self.addr != before.addr || before.moved)
    }
}

/// Cuts blocks where the warp goes step by step.
pub(crate) fn run(f: &mut Function) {
    // Registers whose value came from shared memory.
    let mut read = vec![false; f.regs.len()];
    let count = f.blocks.len();
    for first in 0..count {
        let mut at = first;
        while let Some(cut) = find_cut(&f.blocks[at], &mut read) {
            let next = BlockId(f.blocks.len() as u32);
            let block = &mut f.blocks[at];
            let insts = block.insts.split_off(cut);
            let lines = block.lines.split_off(cut);
            block.lines.extend(lines.first());
            let end = Terminator::Warp {
                op: WarpOp::Step,
                mask: Operand::Imm(u64::from(u32::MAX)),
                args: Vec::new(),
                dsts: Vec::new(),
                next,
            };
            let end = std::mem::replace(&mut block.end, end);
            let mask = block.mask;
            f.blocks.push(Block {
                insts,
                end,
                lines,
                mask,
            });
            at = next.index();
        }
    }
    if f.blocks.len() > count {
        cfg::reorder(f);
    }
}

/// The first instruction of a block that belongs behind a step.
fn find_cut(block: &Block, read: &mut [bool]) -> Option<usize> {
    let mut before: Vec<Access> = Vec::new();
    for (n, inst) in block.insts.iter().enumerate() {
        if let Some(access) = Access::of(inst, read) {
            if before.iter().any(|b| access.waits_for(b)) {
                return Some(n);
            }
            before.push(access);
        }
        let mut chased = matches!(inst, Inst::Load { addr, .. } if addr.space == Space::Shared);
        if let Inst::Op { .. } = inst {
            inst.uses(|o| chased |= matches!(o, Operand::Reg(reg) if read[reg.index()]));
        }
        inst.defs(|reg| {
            read[reg.index()] = chased;
            for access in &mut before {
                access.moved |= access.addr.base == Operand::Reg(reg);
            }
        });
    }
    None
}
