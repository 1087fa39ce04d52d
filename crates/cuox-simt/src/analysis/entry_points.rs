//! Entry points of gang mode: blocks at which lanes can enter gang code from per-lane PCs.
//!
//! The runtime enters gang code only at these blocks. Every block at which lanes may reconverge or resume is one,
//! unless an earlier one serves as well; each entry point costs code.

use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{Function, Inst, Terminator};

/// Returns the entry points: the first block, loop headers, joins, and blocks after a suspension or a branch that may
/// diverge. Blocks `inside` a group loop are excluded. Among masked blocks only loop headers are entry points, since
/// threads that leave the gang there reconverge after the masked region.
pub fn entries(func: &Function, uniformity: &UniformityInfo, inside: &[bool]) -> Vec<bool> {
    let mut preds = vec![0u32; func.blocks.len()];
    let mut wanted = vec![false; func.blocks.len()];
    // Last predecessor seen of each block.
    let mut from = vec![usize::MAX; func.blocks.len()];
    wanted[0] = true;
    for (index, block) in func.blocks.iter().enumerate() {
        // In a chain of warp operations with nothing between them that can fault, one entry point at the start
        // suffices.
        let follows_warp_op = if let Terminator::Warp { next, .. } = &block.end
            && preds[index] == 1
        {
            let before = &func.blocks[from[index]].end;
            let safe = |inst: &Inst| matches!(inst, Inst::Op { dst, .. } if uniformity.of(*dst) == Uniformity::Varying);
            matches!(before, Terminator::Warp { .. })
                && func.blocks[next.index()].insts.iter().all(safe)
        } else {
            false
        };
        let end = &block.end;
        let together =
            follows_warp_op || end.is_together() || end.is_step() || block.mask.is_some();
        // Tells whether lanes may diverge here, whether the condition depends on a guard that may fail, and the masked
        // copy that mixed lanes take.
        let (diverges, guarded, copies) = if let Terminator::Branch {
            cond,
            mixed,
            then,
            other,
        } = end
        {
            let differs = uniformity.of(*cond) != Uniformity::Uniform;
            let copies = mixed.filter(|m| m != then && m != other);
            (differs, uniformity.is_guarded(*cond), copies)
        } else {
            (end.concerns_others(), false, None)
        };
        let splits = diverges && !together;
        wanted[index] |= guarded;
        block.end.successors(|s| {
            let splits = splits && Some(s) != copies;
            preds[s.index()] += u32::from(from[s.index()] != index);
            from[s.index()] = index;
            wanted[s.index()] |= splits || s.index() <= index;
        });
    }
    let blocks = func.blocks.iter().enumerate();
    blocks
        .map(|(index, block)| {
            let test = block.insts.is_empty() && block.end.is_together();
            let among_masked = block.mask.is_some() || test;
            let joins = preds[index] > 1 && !among_masked;
            !inside[index] && (wanted[index] || joins)
        })
        .collect()
}
