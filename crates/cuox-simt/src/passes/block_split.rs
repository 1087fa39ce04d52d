//! Splits blocks where gang mode needs a block boundary.
//!
//! In gang mode a block first executes its scalar instructions, once for the gang, and then its per-lane instructions.
//! A uniform load must therefore not follow a write in the same block, as it would be executed before the write. If a
//! group of four lanes finds that its index wraps, the block is restarted with per-lane addresses; until then the block
//! must not have overwritten any of its inputs. This pass ends blocks before such instructions.

use crate::analysis::liveness::Liveness;
use crate::analysis::uniformity::{Uniformity, UniformityInfo, widens};
use crate::ir::{Block, BlockId, Function, Inst, Space, Terminator, Ty};

/// Tells whether an instruction writes memory or orders accesses.
pub(crate) fn writes(inst: &Inst) -> bool {
    inst.effects().writes_or_fences()
}

/// Tells whether an instruction is a uniform load from memory that may be written.
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

/// Tells whether an instruction widens a piecewise affine index, which restarts the block if it wraps.
pub(crate) fn may_restart_block(inst: &Inst, uniformity: &UniformityInfo) -> bool {
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

/// Tells whether wide code may have to fall back to narrow code for an instruction and its block.
pub(crate) fn may_need_narrow_code(inst: &Inst) -> bool {
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

/// Splits the blocks of `func`, which stay in reverse post-order. In `narrow` code a group may find that its indices
/// wrap after earlier groups have finished the block; instructions that cannot be repeated then go into another block.
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
        // Flags: memory has been written; an input of the block has been overwritten.
        let (mut wrote, mut inputs_overwritten) = (false, false);
        let narrow = narrow || block.insts.iter().any(may_need_narrow_code);
        // Set while a later group may still restart the block.
        let mut may_still_restart = false;
        for (i, inst) in block.insts.iter().enumerate() {
            let mut spoils = writes(inst);
            inst.defs(|reg| {
                spoils |= !uniformity.of(reg).is_one_per_gang()
                    && (writers[reg.index()] > 1 || live_in.contains(reg));
            });
            let again = may_restart_block(inst, uniformity);
            if wrote && uniform_load(inst, uniformity)
                || inputs_overwritten && again
                || may_still_restart && spoils
            {
                at.push(i);
                (wrote, inputs_overwritten, may_still_restart) = (false, false, false);
            }
            wrote |= writes(inst);
            inputs_overwritten |= spoils;
            may_still_restart |= narrow && again;
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
