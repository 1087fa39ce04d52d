//! Where gang mode can be entered.

use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{Function, Inst, Terminator};

/// The blocks where gang mode can be entered: the start, loops, joins, what follows a suspension or a branch that may split lanes; none
/// that is `inside` a loop of groups. Where masked blocks are, only the first of loops: threads that left the gang there meet
/// again behind.
pub fn entries(func: &Function, uniformity: &UniformityInfo, inside: &[bool]) -> Vec<bool> {
    let mut preds = vec![0u32; func.blocks.len()];
    let mut wanted = vec![false; func.blocks.len()];
    // The last block that leads to each.
    let mut from = vec![usize::MAX; func.blocks.len()];
    wanted[0] = true;
    for (index, block) in func.blocks.iter().enumerate() {
        // Of warp operations in a row, with nothing between them that can fail, the first is enough.
        let again = match &block.end {
            Terminator::Warp { next, .. } if preds[index] == 1 => {
                let before = &func.blocks[from[index]].end;
                let safe = |inst: &Inst| matches!(inst, Inst::Op { dst, .. } if uniformity.of(*dst) == Uniformity::Varying);
                matches!(before, Terminator::Warp { .. })
                    && func.blocks[next.index()].insts.iter().all(safe)
            }
            _ => false,
        };
        let splits = match &block.end {
            end if again || end.is_together() || end.is_step() || block.mask.is_some() => false,
            Terminator::Branch { cond, .. } => uniformity.of(*cond) != Uniformity::Uniform,
            Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => true,
            _ => false,
        };
        let guarded = match &block.end {
            Terminator::Branch { cond, .. } => uniformity.is_guarded(*cond),
            _ => false,
        };
        wanted[index] |= guarded;
        let copies = match block.end {
            Terminator::Branch {
                mixed, then, other, ..
            } => mixed.filter(|&m| m != then && m != other),
            _ => None,
        };
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
