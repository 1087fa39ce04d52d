//! Cuts blocks where gang mode needs a boundary.
//!
//! In gang mode a block first does what is the same for all lanes, then the lanes' work. A uniform load must therefore
//! not follow a write in its block: it would come before the write. And where the lanes' work finds that an index of four
//! lanes wraps, the block starts again in another mode: before that nothing may have been written that the block reads.
//! This pass ends blocks in front of such places.

use crate::analysis::liveness::Liveness;
use crate::analysis::uniformity::{Uniformity, UniformityInfo, widens};
use crate::ir::{Block, BlockId, Function, Inst, Space, Terminator, Ty};

/// Whether an instruction writes memory or orders accesses.
pub(crate) fn writes(inst: &Inst) -> bool {
    inst.effects().writes_or_fences()
}

/// Whether an instruction is a load of one value for all lanes that a write could change.
pub(crate) fn uniform_load(inst: &Inst, uniformity: &UniformityInfo) -> bool {
    match inst {
        Inst::Load { addr, .. } => {
            addr.space != Space::Param
                && uniformity.operand(addr.base) == crate::analysis::uniformity::Uniformity::Uniform
        }
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Store { .. }
        | Inst::Atomic { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => false,
    }
}

/// Whether an instruction widens an index of which every four lanes have their own.
pub(crate) fn may_start_again(inst: &Inst, uniformity: &UniformityInfo) -> bool {
    match inst {
        Inst::Op { dst, op, args } => {
            widens(*op).is_some()
                && matches!(uniformity.of(*dst), Uniformity::PiecewiseAffine(s) if s != 0)
                && args
                    .iter()
                    .any(|&a| uniformity.operand(a) != Uniformity::Uniform)
        }
        Inst::Special { .. }
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

/// Whether wide code may have to leave an instruction, and its block, to the narrow code.
pub(crate) fn may_be_narrow(inst: &Inst) -> bool {
    let large = |ty: Ty| ty == Ty::B128;
    match inst {
        Inst::Op { op, .. } => {
            let signature = op.signature();
            large(signature.result) || signature.args().iter().any(|&ty| large(ty))
        }
        Inst::Load { ty, .. } | Inst::Store { ty, .. } => large(*ty),
        Inst::Atomic { num, packed, .. } => !packed && large(num.ty()),
        Inst::Special { special, .. } => special.is_lane_mask(),
        Inst::Check { .. } | Inst::Fence(_) => false,
        Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => true,
    }
}

/// Cuts `func`; blocks stay in reverse post-order. In `narrow` code a group may find that its indices wrap when groups before it
/// have done all of the block: what cannot be done twice then belongs to another block.
pub fn run(
    func: &Function,
    live: &Liveness,
    uniformity: &UniformityInfo,
    narrow: bool,
) -> Function {
    let mut writers = vec![0u32; func.regs.len()];
    for block in &func.blocks {
        for inst in &block.insts {
            inst.defs(|reg| writers[reg.index()] += 1);
        }
        block.end.defs(|reg| writers[reg.index()] += 1);
    }
    let mut first = Vec::with_capacity(func.blocks.len());
    let mut cuts: Vec<Vec<usize>> = Vec::with_capacity(func.blocks.len());
    let mut count = 0u32;
    for (index, block) in func.blocks.iter().enumerate() {
        first.push(BlockId(count));
        let live_in = live.live_in(BlockId(index as u32));
        let mut at = Vec::new();
        // Memory has been written; so has something that the block may read at its start.
        let (mut wrote, mut spoilt) = (false, false);
        let narrow = narrow || block.insts.iter().any(may_be_narrow);
        // Another group may yet start the block again.
        let mut undecided = false;
        for (i, inst) in block.insts.iter().enumerate() {
            let mut spoils = writes(inst);
            inst.defs(|reg| {
                spoils |= !uniformity.of(reg).is_one_per_gang()
                    && (writers[reg.index()] > 1 || live_in.contains(reg));
            });
            let again = may_start_again(inst, uniformity);
            if wrote && uniform_load(inst, uniformity) || spoilt && again || undecided && spoils {
                at.push(i);
                (wrote, spoilt, undecided) = (false, false, false);
            }
            wrote |= writes(inst);
            spoilt |= spoils;
            undecided |= narrow && again;
        }
        count += 1 + at.len() as u32;
        cuts.push(at);
    }
    let mut blocks = Vec::with_capacity(count as usize);
    for (block, cuts) in func.blocks.iter().zip(&cuts) {
        let mut start = 0;
        for &cut in cuts {
            let next = BlockId(blocks.len() as u32 + 1);
            let mut lines = block.lines[start..cut].to_vec();
            lines.push(block.lines[cut]);
            blocks.push(Block {
                insts: block.insts[start..cut].to_vec(),
                end: Terminator::Jump(next),
                lines,
                mask: block.mask,
            });
            start = cut;
        }
        let mut end = block.end.clone();
        end.successors_mut(|s| *s = first[s.index()]);
        blocks.push(Block {
            insts: block.insts[start..].to_vec(),
            end,
            lines: block.lines[start..].to_vec(),
            mask: block.mask,
        });
    }
    Function {
        blocks,
        ..func.clone()
    }
}
