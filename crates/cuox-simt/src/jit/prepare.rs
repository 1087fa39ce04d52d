//! Cuts blocks where warp mode needs a boundary.
//!
//! In warp mode a block first does what is the same for all lanes, then the lanes' work. A uniform load must therefore
//! not follow a write in its block: it would come before the write. This pass ends the block in front of it.

use super::classes::Classes;
use crate::ir::{Block, BlockId, Function, Inst, Space, Terminator};

/// Whether an instruction writes memory or orders accesses.
fn writes(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Store { .. }
            | Inst::Atomic { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Call { .. }
    )
}

/// Whether an instruction is a load of one value for all lanes that a write could change.
fn uniform_load(inst: &Inst, classes: &Classes) -> bool {
    match inst {
        Inst::Load { addr, .. } => {
            addr.space != Space::Param
                && classes.operand(addr.base) == super::classes::Class::Uniform
        }
        _ => false,
    }
}

/// Cuts `func`; blocks stay in reverse post-order.
pub fn cut(func: &Function, classes: &Classes) -> Function {
    let mut first = Vec::with_capacity(func.blocks.len());
    let mut cuts: Vec<Vec<usize>> = Vec::with_capacity(func.blocks.len());
    let mut count = 0u32;
    for block in &func.blocks {
        first.push(BlockId(count));
        let mut at = Vec::new();
        let mut dirty = false;
        for (i, inst) in block.insts.iter().enumerate() {
            if dirty && uniform_load(inst, classes) {
                at.push(i);
                dirty = false;
            }
            dirty |= writes(inst);
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
            });
            start = cut;
        }
        let mut end = block.end.clone();
        end.successors_mut(|s| *s = first[s.index()]);
        blocks.push(Block {
            insts: block.insts[start..].to_vec(),
            end,
            lines: block.lines[start..].to_vec(),
        });
    }
    Function {
        blocks,
        ..func.clone()
    }
}
