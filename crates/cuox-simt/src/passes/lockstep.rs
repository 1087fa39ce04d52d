//! Support for warp-synchronous code: splits blocks where accesses to shared memory rely on the warp running in
//! lockstep.
//!
//! The engines run a block for one lane, or a few, after the other. A warp of a GPU executes each access for all its
//! lanes before the next one. Only `bar.warp.sync` guarantees this, but much code relies on it: reductions in the last
//! warp through `volatile` shared memory, and elements that are swapped in place. A block is split by [`WarpOp::Step`]
//! between two accesses if a lane's second access may touch the memory of another lane's first one, one of them writes,
//! and the code appears to rely on the order: both are `volatile`, or the address of one was itself read from memory.
//! Accesses at the same address (the same base register and offset) stay in order within each lane anyway.
//!
//! Before: the result of `cleanup`. After: the same, plus blocks that only perform a step.

use crate::ir::{
    Address, Block, BlockId, Function, Inst, Operand, Order, Space, Terminator, WarpOp,
};
use crate::passes::cfg;

/// Access to memory that lanes share.
struct SharedAccess {
    addr: Address,
    writes: bool,
    /// True if the access is volatile or atomic, so that it must be performed.
    volatile: bool,
    /// True if the address was read from shared memory.
    indirect: bool,
    /// True if the base register has been overwritten since.
    base_overwritten: bool,
}

impl SharedAccess {
    fn of(inst: &Inst, read: &[bool]) -> Option<SharedAccess> {
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
        let volatile = order != Order::Plain;
        let indirect = matches!(addr.base, Operand::Reg(reg) if read[reg.index()]);
        match addr.space {
            Space::Shared => {}
            // A generic address may point to shared memory.
            Space::Flat if volatile => {}
            Space::Flat | Space::Local | Space::Param | Space::Slot(_) => return None,
        }
        Some(SharedAccess {
            addr,
            writes,
            volatile,
            indirect,
            base_overwritten: false,
        })
    }

    /// Tells whether this access must not start before all lanes have performed `before`.
    fn waits_for(&self, before: &SharedAccess) -> bool {
        let relied_on = self.volatile && before.volatile || self.indirect || before.indirect;
        (self.writes || before.writes)
            && relied_on
            && self.addr.space == before.addr.space
            && (self.addr != before.addr || before.base_overwritten)
    }
}

/// Splits blocks at which the warp must run in lockstep.
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

/// Returns the first instruction of a block that must follow a step.
fn find_cut(block: &Block, read: &mut [bool]) -> Option<usize> {
    let mut before: Vec<SharedAccess> = Vec::new();
    for (n, inst) in block.insts.iter().enumerate() {
        if let Some(access) = SharedAccess::of(inst, read) {
            if before.iter().any(|b| access.waits_for(b)) {
                return Some(n);
            }
            before.push(access);
        }
        let mut indirect = matches!(inst, Inst::Load { addr, .. } if addr.space == Space::Shared);
        if let Inst::Op { .. } = inst {
            inst.uses(|o| indirect |= matches!(o, Operand::Reg(reg) if read[reg.index()]));
        }
        inst.defs(|reg| {
            read[reg.index()] = indirect;
            for access in &mut before {
                access.base_overwritten |= access.addr.base == Operand::Reg(reg);
            }
        });
    }
    None
}
